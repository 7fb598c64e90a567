import CardData
import GatewayProtocols
import JSON
import Testing

/// Recorded answers of the REST interface.
@Suite("PAYMILL answers")
struct PAYMILLResponseVectorsTests {
    static func response(_ text: String, status: Int = 200) throws -> PAYMILLResponse {
        try #require(PAYMILLResponse(status: status, body: Array(text.utf8)))
    }

    /// The answers of 2014 and later, and those of 2013 that have all members.
    static let whole: [(String, PAYMILLVersion)] = [
        (PAYMILLVectors.declined, .v2), (PAYMILLVectors.authorized, .v2),
        (PAYMILLVectors.capturedV21, .v2point1), (PAYMILLVectors.purchasedV21, .v2point1),
    ]

    @Test(arguments: whole.indices) func writesATransactionByteForByte(index: Int) throws {
        let (text, version) = Self.whole[index]
        let transaction = try #require(try Self.response(text).transaction)
        let body = PAYMILLResponse.body(transaction.json(version), version)
        #expect(String(decoding: body, as: UTF8.self) == text)
    }

    @Test func writesAPreauthorizationByteForByte() throws {
        let text = PAYMILLVectors.authorizedV21
        let held = try #require(try Self.response(text).preauthorization)
        let body = PAYMILLResponse.body(held.json(.v2point1), .v2point1)
        #expect(String(decoding: body, as: UTF8.self) == text)
        #expect(held.id == "preauth_7e160b01c8a570d513e8")
        #expect(held.amount == Amount(minorUnits: 100))
        #expect(try Self.response(text).isApproval)
    }

    @Test func readsAPurchaseOf2013() throws {
        let response = try Self.response(PAYMILLVectors.purchase2013)
        #expect(response.isApproval)
        #expect(response.transaction?.id == "tran_c94ba7df2dae8fd55028df41173c")
        #expect(response.transaction?.amount == Amount(minorUnits: 100))
        #expect(response.transaction?.payment?.object?.expireMonth == "9")
        #expect(response.transaction?.payment?.object?.hasNumericExpiry == true)
    }

    @Test(arguments: [200, 403, 412]) func readsADeclineWithAnyStatus(status: Int) throws {
        let response = try Self.response(PAYMILLVectors.declined, status: status)
        #expect(!response.isApproval)
        #expect(response.transaction?.responseCode == .declined)
        #expect(response.failureText == "Card declined")
    }

    @Test func keepsBothIDsOfAnAuthorisation() throws {
        let response = try Self.response(PAYMILLVectors.authorized)
        #expect(response.isApproval)
        #expect(response.transaction?.id == "tran_4c612d5293e26d56d986eb89648c")
        #expect(response.transaction?.status == .preauth)
        #expect(response.preauthorization?.id == "preauth_fdf916cab73b97c4a139")
        #expect(response.preauthorization?.status == .closed)
    }

    @Test func takesAnEmptyListForDone() throws {
        let text = #"{"data":[],"mode":"test"}"#
        let response = try Self.response(text)
        #expect(response.isDone && response.isApproval)
        #expect(PAYMILLResponse.body(.array([]), .v2) == Array(text.utf8))
    }

    @Test(arguments: [false, true]) func readsARefundWithTextCodes(isText: Bool) throws {
        var text = PAYMILLVectors.refunded
        if isText { text = Self.replacing(text, "20000", with: "\"20000\"") }
        let response = try Self.response(text)
        #expect(response.isApproval)
        #expect(response.refund?.amount == Amount(minorUnits: 100))
        #expect(response.transaction?.amount == Amount(minorUnits: 0))
        #expect(response.refund?.hasTextCode == isText)
    }

    @Test func readsACaptureOfMoreThanWasHeld() throws {
        let response = try Self.response(PAYMILLVectors.capturedV21)
        #expect(response.isApproval)
        #expect(response.transaction?.amount == Amount(minorUnits: 2000))
        #expect(response.preauthorization?.currency == "INR")
    }

    @Test func knowsThatAPurchaseCanBeRefunded() throws {
        let response = try Self.response(PAYMILLVectors.purchasedV21)
        #expect(response.transaction?.isRefundable == true)
        #expect(response.transaction?.description == "")
    }

    @Test func readsBothKindsOfErrors() throws {
        let field = """
            {"error":{"messages":{"regexNotMatch":"'tok_123' does not match against pattern \
            '/^[a-zA-Z0-9_]{32}$/'"},"field":"token"}}
            """
        let refusal = PAYMILLRefusal(
            status: 400,
            .field(
                "token",
                rule: "regexNotMatch",
                text: "'tok_123' does not match against pattern '/^[a-zA-Z0-9_]{32}$/'"
            )
        )
        #expect(try Self.response(field, status: 400) == .refused(refusal))
        #expect(String(decoding: refusal.body, as: UTF8.self) == field)
        let conflict = """
            {"exception":"preauthorization_already_used",\
            "error":"Preauthorization has already been used"}
            """
        #expect(try Self.response(conflict, status: 409) == .refused(.preauthorizationUsed))
        let high = #"{"error":"Amount to high","exception":"refund_amount_to_high"}"#
        #expect(try Self.response(high, status: 412) == .refused(.refundTooHigh(.v2)))
        #expect(PAYMILLRefusal.refundTooHigh(.v2).body == Array(high.utf8))
        #expect(PAYMILLRefusal.refundTooHigh(.v2point1).status == 400)
        let denied = #"{"error":"Access Denied","exception":"InvalidAuthentication"}"#
        #expect(PAYMILLRefusal.accessDenied.body == Array(denied.utf8))
    }

    @Test func readsAnEventWhoseOutcomeIsNotKnown() throws {
        let event = try #require(PAYMILLEvent(decoding: Array(PAYMILLVectors.webhookCreated.utf8)))
        #expect(event.type == "transaction.created" && event.createdAt == 1_412_263_823)
        let transaction = try #require(event.transaction)
        #expect(transaction.status == .open && transaction.responseCode == .undefined)
        #expect(transaction.responseCode.isUnknown && !transaction.responseCode.isSuccess)
    }

    @Test func exportsLines() {
        var transaction = PAYMILLTransaction(
            id: "tran_494d384289fbaa1aa342a35723f7",
            amount: Amount(minorUnits: 599),
            currency: "EUR",
            status: .closed,
            description: "Test Transaction",
            responseCode: .success,
            at: 1_342_427_064
        )
        transaction.shortID = "7357.7357.7357"
        transaction.client = .id("client_53396385b7438a6a5cc2")
        transaction.payment = .id("pay_2bbe85119a00f22d061eb752")
        let text = String(decoding: PAYMILLResponse.csv([transaction]), as: UTF8.self)
        #expect(text == PAYMILLVectors.export + "\n")
        let read = try? PAYMILLExport(reading: Array(text.utf8)).transactions
        #expect(read == [transaction])
        let listing = FieldListing(paymill: Array(text.utf8))
        #expect(listing.problem == nil && listing.fields.count == 18)
        #expect(listing.fields.contains { $0.name == "0.amount" && "\($0.value)" == "599" })
    }

    /// A list, where the mistake in it is, and how many transactions it has.
    static let exports: [(String, Int?, Int)] = [
        ("\"id\";\"amount\";\"status\"\n\"t\";\"1\";\"closed\"", nil, 1),
        ("\"id\";\"amount\";\"status\"\r\n\"t\";\"1\";\"closed\"\r\n\r\n", nil, 1),
        ("\"id\";\"amount\";\"status\"\n\"t\";\"x\";\"closed\"", nil, 0),
        ("\"id\";\"amount\"\n\"t\"", 14, 0), ("\"id\";\"amount", 5, 0),
        ("\"id\";\"a\"x\n", 8, 0), ("", 0, 0),
    ]

    @Test(arguments: exports) func anExportIsReadOrItsMistakeFound(
        text: String,
        offset: Int?,
        count: Int
    ) {
        do throws(PAYMILLExport.Problem) {
            let export = try PAYMILLExport(reading: Array(text.utf8))
            #expect(offset == nil && export.transactions.count == count)
        } catch {
            #expect(error.offset == offset)
        }
    }

    @Test(arguments: ["", "not-json", "File not found.\n", "{}", "[]"])
    func takesWhatIsNoAnswerForNone(text: String) {
        #expect(PAYMILLResponse(status: 500, body: Array(text.utf8)) == nil)
    }

    @Test func neverTrapsOnMutatedAnswers() {
        for vector in [PAYMILLVectors.declined, PAYMILLVectors.refunded].map({ Array($0.utf8) }) {
            for index in stride(from: 0, to: vector.count, by: 3) {
                var bytes = vector
                bytes[index] ^= 0x11
                let response = PAYMILLResponse(status: 200, body: bytes)
                _ = response?.transaction
                _ = response?.refund
                _ = FieldListing(paymill: bytes)
            }
        }
    }

    private static func replacing(_ text: String, _ old: String, with new: String) -> String {
        var parts: [Substring] = []
        var rest = text[...]
        while let range = rest.firstRange(of: old) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return (parts + [rest]).joined(separator: new)
    }
}
