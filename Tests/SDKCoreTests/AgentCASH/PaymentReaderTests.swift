import CardCrypto
import EventLoops
import GatewayProtocols
import SimulatedGateways
import SimulatedReaders
import Testing

@testable import SDKCore

/// Payments with the simulated Miura reader at the other end of the link.
@Suite("Payments at a Miura reader")
struct PaymentReaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var card: String
        var keys = ""
        var verification: AgentCASHCard.Verification
        var testDescription: String { card }
    }

    /// A sale from authorize to its end; the signature is collected where it is asked for.
    private func sell(
        _ till: inout PaymentTill,
        _ card: String,
        keys: String,
        sign result: SignatureCollectionResult = .successful
    ) throws {
        let request = till.authorize()
        till.wait(.seconds(1))
        try till.insert(card)
        till.wait(.seconds(2))
        if !keys.isEmpty { try till.press(keys) }
        till.wait(.seconds(5))
        if till.actionCount > 0, till.results.isEmpty { till.sign(request, result) }
        till.wait(.seconds(5))
        till.removeCard()
        till.finish()
    }

    @Test(
        arguments: [
            Row(card: "emv-visa-pin", keys: "1234 enter", verification: .offlinePIN),
            Row(card: "emv-visa-online-pin", keys: "1234 enter", verification: .onlinePIN),
            Row(card: "emv-visa-signature", verification: .signature),
            Row(card: "emv-visa-no-cvm", verification: .none),
        ]
    )
    func aChipSaleIsCapturedWithItsReceipt(_ row: Row) throws {
        var till = PaymentTill(.simulatedReader)
        try sell(&till, row.card, keys: row.keys)
        #expect(till.results == [.approved] && till.states == [.captured])
        let payment = try #require(till.completions[0].paymentInfo)
        #expect(payment.verification == row.verification && payment.entryMode == .chip)
        #expect(!payment.cryptogram.isEmpty && !payment.authorisationCode.isEmpty)
        #expect(payment.maskedCardNumber != nil && !payment.applicationLabel.isEmpty)
        #expect(till.actionCount == (row.verification == .signature ? 1 : 0))
        #expect(till.brokenLaws == [] && till.closeCount == 1)
    }

    @Test func aSignatureThatIsCancelledLeavesAReversal() throws {
        var till = PaymentTill(.simulatedReader)
        try sell(&till, "emv-visa-signature", keys: "", sign: .cancelled)
        #expect(till.results == [.cancelled] && till.states == [.reversed])
        #expect(till.brokenLaws == [])
    }

    @Test func aWrongOnlinePINIsDeclined() throws {
        var till = PaymentTill(.simulatedReader)
        try sell(&till, "emv-visa-online-pin", keys: "9999 enter")
        #expect(till.results == [.declined] && till.states == [.declined])
    }

    @Test func aStripeIsCharged() throws {
        var till = PaymentTill(.simulatedReader)
        let request = till.authorize()
        till.wait(.seconds(1))
        try till.swipe("visa")
        till.wait(.seconds(5))
        if till.actionCount > 0 { till.sign(request) }
        till.finish()
        #expect(till.results == [.approved] && till.states == [.captured])
        #expect(till.completions[0].paymentInfo?.entryMode == .magstripe)
    }

    @Test func cancelOnTheReaderEndsThePayment() throws {
        var till = PaymentTill(.simulatedReader)
        till.authorize()
        till.wait(.seconds(1))
        try till.press("cancel")
        till.finish()
        #expect(till.results == [.cancelled] && till.sent.isEmpty)
    }

    @Test func cancelOnAReaderThatOnlySwitchesTapsOffDoesNotEndThePayment() throws {
        var reader = MiuraReaderConfiguration()
        reader.cancelKey = .firstSwitchesContactlessOff
        var till = PaymentTill(.simulatedReader)
        till.reader = SimulatedMiura(reader)
        till.authorize()
        till.wait(.seconds(1))
        try till.press("cancel")
        till.wait(.seconds(1))
        #expect(till.results.isEmpty && till.progress.last == .otherInterfaceRequested)
        try till.insert("emv-visa-no-cvm")
        till.wait(.seconds(10))
        #expect(till.results == [.approved])
    }

    @Test func theReadersClockIsSetBeforeACardIsTaken() throws {
        var till = PaymentTill(.simulatedReader, []) { $0.startSecondsSince1970 = 1_717_405_200 }
        try sell(&till, "emv-visa-no-cvm", keys: "")
        #expect(till.results == [.approved])
    }

    @Test func cancelByTheAppStopsTheReader() throws {
        var till = PaymentTill(.simulatedReader)
        let request = till.authorize()
        till.wait(.seconds(1))
        till.cancel(request)
        till.finish()
        #expect(till.results == [.cancelled] && till.closeCount == 1)
        try sell(&till, "emv-visa-no-cvm", keys: "")
        #expect(till.results == [.cancelled, .approved])
    }

    @Test func noCardInTimeEndsThePayment() {
        var till = PaymentTill(.simulatedReader)
        till.authorize()
        till.wait(.seconds(59))
        #expect(till.results.isEmpty)
        till.wait(.seconds(6))
        #expect(till.completions == [PaymentCompletion(.failed, .noCardInTime)])
    }

    @Test func aReaderThatIsSwitchedOffEndsThePayment() {
        var till = PaymentTill(.simulatedReader)
        till.authorize()
        till.wait(.seconds(1))
        till.switchOff()
        till.finish()
        #expect(till.completions == [PaymentCompletion(.failed, .readerDisconnected)])
        #expect(till.progress.suffix(2) == [.readerDisconnected, .finished])
    }

    @Test func aCardThatIsLeftInIsNotTakenForTheNextPayment() throws {
        var till = PaymentTill(.simulatedReader)
        till.authorize()
        till.wait(.seconds(1))
        try till.insert("emv-visa-no-cvm")
        till.wait(.seconds(10))
        #expect(till.results == [.approved] && till.closeCount == 0)
        till.authorize("2.00")
        till.wait(.seconds(10))
        #expect(till.results == [.approved] && till.progress.last == .removeCard)
        till.removeCard()
        till.wait(.seconds(1))
        try till.insert("emv-visa-no-cvm")
        till.wait(.seconds(10))
        #expect(till.results == [.approved, .approved] && till.openCount == 1)
        till.removeCard()
        till.finish()
        #expect(till.closeCount == 1 && till.states == [.captured, .captured])
    }

    /// How a sale ends whose link is cut after each count of bytes, in runs of one outcome.
    private func outcomes(_ card: String, keys: String) throws -> [String] {
        let cache = CryptoCache()
        var whole = PaymentTill(.simulatedReader, cache: cache)
        try sell(&whole, card, keys: keys)
        var rows: [(first: Int, last: Int, outcome: String)] = []
        for count in 0..<whole.byteCount {
            var till = PaymentTill(.simulatedReader, cache: cache)
            till.cutAfterByteCount = count
            try sell(&till, card, keys: keys)
            #expect(till.brokenLaws == [], "after \(count) bytes")
            #expect(till.results.count == 1, "after \(count) bytes")
            #expect(till.states.count <= 1, "after \(count) bytes")
            let result = till.results.first.map(\.rawValue) ?? "none"
            let outcome = "\(result), \(till.states.first?.rawValue ?? "nothing booked")"
            if rows.last?.outcome == outcome {
                rows[rows.count - 1].last = count
            } else {
                rows.append((count, count, outcome))
            }
        }
        for row in rows { print("\(card): \(row.first)...\(row.last): \(row.outcome)") }
        return rows.map(\.outcome)
    }

    @Test func aLinkThatIsCutAtAnyByteOfAPINSaleLeavesAtMostOneCharge() throws {
        let outcomes = try outcomes("emv-visa-pin", keys: "1234 enter")
        #expect(outcomes == ["failed, nothing booked", "approved, captured"])
    }

    @Test func aLinkThatIsCutAtAnyByteOfASignatureSaleLeavesAtMostOneCharge() throws {
        let outcomes = try outcomes("emv-visa-signature", keys: "")
        #expect(outcomes == ["failed, nothing booked", "approved, captured"])
    }
}
