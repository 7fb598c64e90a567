import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

@Suite("Contactless at a simulated Miura reader")
struct MiuraContactlessTests {
    private func sale(_ amountMinorUnits: Int, seconds: Int? = nil) -> MiuraCommand {
        var transaction = MiuraDesk.sale
        transaction.amountMinorUnits = amountMinorUnits
        transaction.timeLimitSeconds = seconds
        return .startContactless(transaction)
    }

    /// A card, an amount, the answer, and 9F34.
    struct Row: Sendable {
        var card: String
        var amount: Int
        var method: String
    }

    @Test(arguments: [
        Row(card: "contactless-visa", amount: 29_99, method: "1F0002"),
        Row(card: "contactless-visa", amount: 30_00, method: "1E0300"),
        Row(card: "contactless-visa-no-limit", amount: 500_00, method: "1F0002"),
        Row(card: "contactless-visa-pin", amount: 29_99, method: "1F0002"),
        Row(card: "contactless-visa-pin", amount: 30_00, method: "020300"),
    ])
    func theAmountDecidesTheVerification(_ row: Row) throws {
        var desk = MiuraDesk()
        desk.send(sale(row.amount))
        #expect(desk.reader.isAskingForTap)
        try desk.tap(row.card)
        #expect(!desk.reader.isAskingForTap)
        if desk.reader.isAskingForKeys { try desk.press("4711 enter") }
        let outcome = try desk.knownOutcome()
        #expect(outcome.tag == .onlineAuthorisationRequired)
        #expect(outcome.text(.verificationMethodResults) == row.method)
        #expect(outcome.text(0xDF30) == "0301")
        #expect((outcome.objects.first(.onlinePINBlock) != nil) == (row.method == "020300"))
        #expect(desk.events().compactMap(\.shortStatus).first == "CB")
        desk.send(MiuraDesk.approval)
        #expect(desk.outcome()?.tag == .transactionApproved)
    }

    @Test func aPhoneIsReadAtTheSecondTap() throws {
        var desk = MiuraDesk()
        desk.send(sale(100_00))
        try desk.tap("contactless-phone")
        #expect(desk.reader.isAskingForTap)
        #expect(desk.events().compactMap(\.shortStatus) == ["C0"])
        try desk.tap("contactless-phone")
        #expect(desk.outcome()?.text(.verificationMethodResults) == "1F0002")
    }

    @Test func aCardThatWantsItsChipSaysSo() throws {
        var desk = MiuraDesk()
        desk.send(sale(1_00))
        try desk.tap("contactless-chip-only")
        #expect(desk.events().compactMap(\.shortStatus) == ["CE"])
        #expect(desk.statusWord() == .useChip)
    }

    @Test func aCardWithoutAnAntennaAndAnUnexpectedTapHaveNoEffect() throws {
        var desk = MiuraDesk()
        try desk.tap("contactless-visa")
        desk.send(sale(1_00))
        try desk.tap("emv-visa-pin")
        try desk.tap("visa")
        #expect(desk.facts.filter { $0 == .cardIgnored }.count == 3)
        #expect(desk.reader.isAskingForTap)
    }

    // MARK: Other ends

    @Test func insertingAndSwipingEndIt() throws {
        var desk = MiuraDesk()
        desk.send(.cardStatus(.payments))
        desk.send(sale(1_00))
        _ = desk.events()
        try desk.insert("emv-visa-pin")
        #expect(desk.events() == [.cardStatus(MiuraCardReport([.present, .chip]))])
        #expect(desk.statusWord() == .cardInserted)
        desk.removeCard()
        desk.send(sale(1_00))
        _ = desk.events()
        try desk.swipe("visa")
        #expect(desk.events().count == 1)
        #expect(desk.statusWord() == .cardSwiped)
    }

    @Test(arguments: MiuraReaderConfiguration.CancelKey.allCases)
    func theCancelKeyHasItsProfile(_ cancelKey: MiuraReaderConfiguration.CancelKey) throws {
        var desk = MiuraDesk { $0.cancelKey = cancelKey }
        desk.send(sale(1_00))
        try desk.press("cancel")
        let word = desk.statusWord()
        switch cancelKey {
        case .endsTransaction: #expect(word == .cancelled)
        case .firstSwitchesContactlessOff: #expect(word == .contactlessNotPossible)
        }
    }

    @Test(arguments: [(nil, 240), (60, 60)] as [(Int?, Int64)])
    func timeEndsIt(_ asked: Int?, _ seconds: Int64) {
        var desk = MiuraDesk()
        desk.send(sale(1_00, seconds: asked))
        desk.wait(.seconds(seconds) + .milliseconds(-1))
        #expect(desk.messages.isEmpty)
        desk.wait(.milliseconds(1))
        #expect(desk.statusWords() == [.timedOut])
    }

    @Test func abortEndsIt() {
        var desk = MiuraDesk()
        desk.send(sale(1_00))
        desk.send(.abort)
        #expect(desk.statusWords() == [.success, .cancelled])
    }

    @Test func aReaderWithoutAFieldCannot() {
        var desk = MiuraDesk { $0.model = .m006 }
        #expect(desk.ask(sale(1_00)) == .refused(.contactlessHardwareError, []))
        guard case .entries(let entries) = desk.ask(.getDeviceInfo) else {
            Issue.record("no entries")
            return
        }
        #expect(!entries.contains(MiuraEntry("Contactless")))
    }

    @Test func aCardThatIsPulledOutLaterDoesNotMatter() throws {
        var desk = MiuraDesk()
        desk.send(sale(1_00))
        try desk.tap("contactless-visa")
        _ = desk.outcome()
        try desk.insert("emv-visa-pin")
        desk.removeCard()
        desk.send(MiuraDesk.approval)
        #expect(desk.outcome()?.tag == .transactionApproved)
    }
}
