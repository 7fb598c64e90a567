import GatewayProtocols
import Testing

/// Requests and answers as published, and as computed from the published classes.
///
/// Source: innerfence/ChargeDemo, README and `IFChargeRequest.m`, `IFChargeResponse.m`;
/// innerfence/ChargeDemo-android; innerfence/chargedemo-windows.
@Suite("Vectors of Inner Fence")
struct InnerFenceVectorsTests {
    private static let nonce = String(repeating: "A", count: 27)
    private static let readme =
        "com-innerfence-ccterminal://charge/1.0.0/?amount=10.99&email=john%40example.com"
        + "&returnURL=com-your-app%3A%2F%2Faction%2F"
    private static let answer =
        "com-your-app://action/?ifcc_responseType=approved&ifcc_transactionId=100001"
        + "&ifcc_amount=10.99&ifcc_currency=USD&ifcc_redactedCardNumber=XXXXXXXXXXXX1111"
        + "&ifcc_cardType=Visa&ifcc_taxAmount=0.93&ifcc_taxRate=8.5&ifcc_tipAmount=1.50"

    private static func sample(
        _ returnURL: String,
        as version: InnerFenceVersion
    ) throws -> InnerFenceChargeRequest {
        var request = InnerFenceChargeRequest()
        request.setReturnURL(
            returnURL,
            extraParameters: [InnerFenceParameter("record_id", "123")]
        )
        request[.amount] = "50.00"
        request[.description] = "Test transaction"
        request[.invoiceNumber] = "321"
        request[.taxRate] = "8.5"
        let nonce = try #require(InnerFenceNonce(nonce))
        let isAttached = request.attach(nonce, as: version)
        #expect(isAttached)
        return request
    }

    @Test
    func theRequestOfTheReadmeIsRead() throws {
        let request = try InnerFenceChargeRequest(decoding: Array(Self.readme.utf8))
        #expect(request[.amount] == "10.99")
        #expect(request[.email] == "john@example.com")
        #expect(request[.returnURL] == "com-your-app://action/")
        let others = InnerFenceRequestField.allCases.filter { request[$0] != nil }
        #expect(others == [.returnURL, .amount, .email])
    }

    @Test
    func theClassForIOSBuildsTheRequestByteForByte() throws {
        var request = try Self.sample("com-innerfence-ChargeDemo://chargeResponse", as: .corrected)
        request[.returnAppName] = "ChargeDemo"
        #expect(
            request.url()
                == "com-innerfence-ccterminal://charge/1.0.0/?returnAppName=ChargeDemo&returnURL="
                + "com-innerfence-ChargeDemo%3A%2F%2FchargeResponse%3Frecord_id%3D123%26"
                + "ifcc_request_nonce%3DAAAAAAAAAAAAAAAAAAAAAAAAAAA&amount=50.00"
                + "&description=Test%20transaction&invoiceNumber=321&taxRate=8.5"
        )
        request[.returnURL] = nil
        let nonce = try #require(InnerFenceNonce(Self.nonce))
        let isAttached = request.attach(nonce)
        #expect(!isAttached)
        #expect(
            request.url()
                == "com-innerfence-ccterminal://charge/1.0.0/?returnAppName=ChargeDemo&"
                + "amount=50.00&description=Test%20transaction&invoiceNumber=321&taxRate=8.5"
        )
    }

    @Test
    func valuesAreEncodedAsTheClassDoes() {
        #expect(
            InnerFenceEscaping.encode("Café & Co. 100% +1 ~tilde '(x)'")
                == "Caf%C3%A9%20%26%20Co.%20100%25%20%2B1%20~tilde%20%27%28x%29%27"
        )
    }

    @Test
    func theAnswerOfTheReadmeIsWrittenByteForByte() {
        var answer = InnerFenceChargeResponse(.approved)
        answer[.transactionId] = "100001"
        answer[.amount] = "10.99"
        answer[.currency] = "USD"
        answer[.redactedCardNumber] = "XXXXXXXXXXXX1111"
        answer[.cardType] = "Visa"
        answer[.taxAmount] = "0.93"
        answer[.taxRate] = "8.5"
        answer[.tipAmount] = "1.50"
        #expect(answer.url(appendedTo: "com-your-app://action/") == Self.answer)
        let fileMaker = answer.url(appendedTo: "com-your-app://action/", isFileMaker: true)
        #expect(fileMaker == Self.answer.replacing("ifcc_", with: "$ifcc_"))
    }

    @Test
    func theAnswerOfTheReadmeNeedsARequestAndItsNonce() throws {
        let answer = Array(Self.answer.utf8)
        var saved: String?
        #expect(throws: InnerFenceResponseError.Code.noOutstandingRequest) {
            try Self.read(answer, &saved)
        }
        saved = Self.nonce
        #expect(throws: InnerFenceResponseError.Code.nonceMissing) {
            try Self.read(answer, &saved)
        }
        #expect(saved == Self.nonce)
        let url = Array("\(Self.answer)&ifcc_request_nonce=\(Self.nonce)".utf8)
        let response = try Self.read(url, &saved)
        #expect(saved == nil)
        #expect(response.code == .approved)
        #expect(response.code.rawValue == 0)
        #expect(response[.transactionId] == "100001")
        #expect(response[.amount] == "10.99")
        #expect(response.currency == "USD")
        #expect(response[.redactedCardNumber] == "XXXXXXXXXXXX1111")
        #expect(response[.cardType] == "Visa")
        #expect(response[.taxAmount] == "0.93")
        #expect(response[.taxRate] == "8.5")
        #expect(response[.tipAmount] == "1.50")
        #expect(response.extraParameters.count == 10)
        #expect(response.extraParameters.allSatisfy { $0.name.hasPrefix("ifcc_") })
        let corrected = try InnerFenceChargeResponse(decoding: url, as: .corrected)
        #expect(corrected.extraParameters.isEmpty)
    }

    @Test
    func aNonceLivesUntilItIsMet() throws {
        var saved: String? = Self.nonce
        let other = String(repeating: "B", count: 27)
        let start = "app://r?ifcc_request_nonce="
        #expect(throws: InnerFenceResponseError.Code.nonceMismatch) {
            try Self.read(Array("\(start)\(other)&ifcc_responseType=cancelled".utf8), &saved)
        }
        #expect(saved == Self.nonce)
        let cancelled = Array("\(start)\(Self.nonce)&ifcc_responseType=cancelled".utf8)
        let response = try Self.read(cancelled, &saved)
        #expect(response.code.rawValue == 1)
        #expect(saved == nil)
        #expect(throws: InnerFenceResponseError.Code.noOutstandingRequest) {
            try Self.read(cancelled, &saved)
        }
    }

    @Test
    func aDamagedAnswerBurnsTheNonceOfEveryPublishedClassOnly() {
        let url = Array(
            ("app://r?ifcc_request_nonce=\(Self.nonce)&ifcc_responseType=approved&ifcc_amount=1.5"
                + "&ifcc_redactedCardNumber=1111").utf8
        )
        for version in InnerFenceVersion.allCases where version != .windows {
            var saved: String? = Self.nonce
            #expect(throws: InnerFenceResponseError.Code.badField(.amount)) {
                try Self.read(url, &saved, as: version)
            }
            #expect(saved == (version == .corrected ? Self.nonce : nil))
        }
    }

    @Test
    func aParameterCalledLikeAFieldVanishesFromThePublishedClasses() throws {
        let url = Array(
            ("app://r?amount=7&record_id=9&ifcc_request_nonce=\(Self.nonce)"
                + "&ifcc_responseType=approved&ifcc_amount=10.99&ifcc_redactedCardNumber=1111").utf8
        )
        var saved: String? = Self.nonce
        let response = try Self.read(url, &saved)
        #expect(response.code == .approved)
        #expect(response[.amount] == "10.99")
        #expect(response.currency == "USD")
        #expect(response.extraParameter("record_id") == "9")
        #expect(response.extraParameter("amount") == nil)
        let corrected = try InnerFenceChargeResponse(decoding: url, as: .corrected)
        #expect(
            corrected.extraParameters == [
                InnerFenceParameter("amount", "7"), InnerFenceParameter("record_id", "9"),
            ]
        )
    }

    @Test
    func theClassForWindowsBuildsTheRequestByteForByte() throws {
        let request = try Self.sample("com-innerfence-ChargeDemo://chargeresponse", as: .windows)
        #expect(
            request.url(as: .windows)
                == "com-innerfence-ccterminal://charge/1.0.0/?amount=50.00"
                + "&description=Test%20transaction&invoiceNumber=321&returnURL="
                + "com-innerfence-chargedemo%3A%2F%2Fchargeresponse%2F%3Frecord_id%3D123%26"
                + "ifcc_nonce%3DAAAAAAAAAAAAAAAAAAAAAAAAAAA&taxRate=8.5"
        )
        var empty = InnerFenceChargeRequest()
        empty[.city] = ""
        #expect(empty.url(as: .windows) == "\(InnerFenceChargeRequest.baseURL)?city=")
        #expect(empty.url() == InnerFenceChargeRequest.baseURL)
    }

    @Test
    func theClassForAndroidTakesLessForGranted() throws {
        func extras(_ pairs: KeyValuePairs<String, String>) -> [InnerFenceParameter] {
            pairs.map { InnerFenceParameter($0.key, $0.value) }
        }
        let approved = try InnerFenceChargeResponse(
            androidExtras: extras(["ifcc_responseType": "approved", "ifcc_amount": "50.00"]),
            extraParameters: extras(["record_id": "123"])
        )
        #expect(approved.code == .approved)
        #expect(approved[.redactedCardNumber] == nil)
        #expect(approved.extraParameter("record_id") == "123")
        let unknown = try InnerFenceChargeResponse(
            androidExtras: extras(["ifcc_responseType": "success"])
        )
        #expect(unknown.code == .error)
        #expect(throws: InnerFenceChargeResponse.AndroidError.badField(.amount)) {
            try InnerFenceChargeResponse(
                androidExtras: extras(["ifcc_responseType": "approved", "ifcc_amount": "1.5"])
            )
        }
        #expect(throws: InnerFenceChargeResponse.AndroidError.noResult) {
            try InnerFenceChargeResponse(androidExtras: nil)
        }
        #expect(throws: InnerFenceChargeResponse.AndroidError.noResult) {
            try InnerFenceChargeResponse(androidExtras: [])
        }
    }

    /// What the class of 2014 makes of the part of an answer behind the nonce.
    ///
    /// Source: computed from `IFChargeResponse.m`.
    @Test(
        arguments: [
            ("approved&ifcc_amount=50.00&ifcc_redactedCardNumber=1111", nil),
            ("cancelled", nil), ("declined", nil), ("error", nil),
            ("declined&ifcc_transactionId=1&ifcc_taxRate=8.5", nil),
            ("approved&ifcc_amount=50.00", .missing(.redactedCardNumber)),
            ("approved&ifcc_redactedCardNumber=1111", .missing(.amount)),
            ("approved&ifcc_amount=1.5&ifcc_redactedCardNumber=1111", .badField(.amount)),
            ("approved&ifcc_amount=01.00&ifcc_redactedCardNumber=1111", .badField(.amount)),
            ("approved&ifcc_amount=1,000.00&ifcc_redactedCardNumber=1111", .badField(.amount)),
            ("approved&ifcc_amount=.50&ifcc_redactedCardNumber=1111", .badField(.amount)),
            (
                "approved&ifcc_amount=1.00&ifcc_redactedCardNumber=xxxx1111",
                .badField(.redactedCardNumber)
            ),
            ("declined&ifcc_taxRate=100", .badField(.taxRate)),
            ("declined&ifcc_taxRate=8.5%0A", .badField(.taxRate)),
            (
                "approved&ifcc_amount=1.00&ifcc_redactedCardNumber=1111&ifcc_cardType=American%20Express",
                nil
            ),
            (
                "approved&ifcc_amount=1.00&ifcc_redactedCardNumber=1111&ifcc_cardType=American+Express",
                .badField(.cardType)
            ),
            ("Approved", .badField(.responseType)), ("success", .unknownType),
            ("", .unknownType), ("declined&ifcc_currency=USD", .unexpected(.currency)),
            ("declined&ifcc_currency=usd", .badField(.currency)),
            ("cancelled&ifcc_transactionId=a=b", nil),
        ] as [(String, InnerFenceResponseError.Code?)]
    )
    func theClassOf2014JudgesAsComputed(
        _ part: String,
        _ expected: InnerFenceResponseError.Code?
    ) {
        let url = Array(
            "app://r?ifcc_request_nonce=\(Self.nonce)&ifcc_responseType=\(part)".utf8
        )
        var saved: String? = Self.nonce
        var found: InnerFenceResponseError.Code?
        do throws(InnerFenceResponseError.Code) {
            _ = try Self.read(url, &saved)
        } catch {
            found = error
        }
        #expect(found == expected)
    }

    @Test(arguments: [
        (
            InnerFenceVersion.head2019, "cancelled",
            InnerFenceResponseError.Code.badField(.responseType)
        ),
        (.head2019, "declined", .badField(.responseType)),
        (.head2019, "error", .badField(.responseType)),
        (
            .head2019, "approved&ifcc_amount=50.00&ifcc_redactedCardNumber=1111",
            .badField(.amount)
        ),
        (
            .head2019, "approved&ifcc_amount=0.9&ifcc_redactedCardNumber=1111",
            .badField(.redactedCardNumber)
        ),
        (.june4, "declined&ifcc_transactionId=1", .badField(.transactionId)),
        (.june11, "declined&ifcc_taxRate=8.5", .badField(.taxRate)),
    ])
    func theDefectsOfHistoryRefuseGenuineAnswers(
        _ version: InnerFenceVersion,
        _ part: String,
        _ expected: InnerFenceResponseError.Code
    ) {
        let url = Array(
            "app://r?ifcc_request_nonce=\(Self.nonce)&ifcc_responseType=\(part)".utf8
        )
        var saved: String? = Self.nonce
        #expect(throws: expected) { try Self.read(url, &saved, as: version) }
        #expect(saved == nil)
    }

    @Test
    func everyPrefixOfEveryVectorIsReadOrRefusedInItsBounds() throws {
        let request = try Self.sample("com-innerfence-ChargeDemo://chargeResponse", as: .corrected)
        for vector in [Self.readme, Self.answer, request.url()] {
            let bytes = Array(vector.utf8)
            for count in 0...bytes.count {
                InnerFenceAttack.play(Array(bytes[..<count]))
            }
        }
    }

    @Test(arguments: 0..<40)
    func mutatedVectorsAreReadOrRefusedInTheirBounds(_ seed: UInt64) {
        var bytes = SeededBytes(seed: seed)
        for vector in [Self.readme, "\(Self.answer)&ifcc_request_nonce=\(Self.nonce)"] {
            for _ in 0..<20 {
                InnerFenceAttack.play(bytes.damage(Array(vector.utf8)))
            }
        }
    }

    @discardableResult
    private static func read(
        _ url: [UInt8],
        _ saved: inout String?,
        as version: InnerFenceVersion = .published2014
    ) throws(InnerFenceResponseError.Code) -> InnerFenceChargeResponse {
        do throws(InnerFenceResponseError) {
            return try InnerFenceChargeResponse(opening: url, savedNonce: &saved, as: version)
        } catch {
            throw error.code
        }
    }
}

extension InnerFenceResponseError.Code: Error {}
