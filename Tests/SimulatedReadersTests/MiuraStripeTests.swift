import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

@Suite("Card reports and the stripe at a simulated Miura reader")
struct MiuraStripeTests {
    // MARK: Card reports

    @Test func cardStatusIsAnsweredUnaskedAndOnlySo() {
        var desk = MiuraDesk()
        desk.send([0x01, 0x00, 0x04, 0xD0, 0x60, 0x0D, 0x00, 0xB8])
        #expect(desk.messages.map(\.isUnsolicited) == [true])
        #expect(desk.events() == [.cardStatus(MiuraCardReport([]))])
        #expect(desk.ask(.cardStatusSolicited(.track1)) == .cardStatus(MiuraCardReport([])))
    }

    @Test(arguments: [
        ("emv-visa-pin", MiuraCardReport.Status([.present, .chip])), ("emv-dead-chip", .present),
        ("visa", .present),
    ])
    func theSlotIsReported(_ card: String, _ status: MiuraCardReport.Status) throws {
        var desk = MiuraDesk()
        desk.send(.cardStatus(.payments))
        _ = desk.events()
        try desk.insert(card)
        desk.removeCard()
        #expect(
            desk.events() == [
                .cardStatus(MiuraCardReport(status)), .cardStatus(MiuraCardReport([])),
            ]
        )
        desk.send(.cardStatus([]))
        _ = desk.events()
        try desk.insert(card)
        #expect(desk.events() == [])
    }

    @Test func theAnswerToResetComesWhereItWasAskedFor() throws {
        var desk = MiuraDesk()
        try desk.insert("emv-visa-pin")
        guard case .cardStatus(let report) = desk.ask(.cardStatusSolicited(.answerToReset)) else {
            Issue.record("no report")
            return
        }
        #expect(report.objects.first(.answerToReset)?.value.first == 0x3B)
    }

    // MARK: Swipes

    @Test(arguments: TestCard.names)
    func aSwipeDecryptsToTheTracksOfTheCard(_ name: String) throws {
        let card = try #require(TestCard.named(name))
        var desk = MiuraDesk()
        desk.send(.cardStatus(.payments))
        _ = desk.events()
        try desk.swipe(name)
        let report = try Self.report(desk.events())
        #expect(report.status == [.swiped, .track1, .track2])
        #expect(report.objects.map(\.tag) == [.sredData, .sredKSN, .maskedTrack2])
        let ksn = try #require(report.objects.first(.sredKSN).flatMap { KSN($0.value) })
        let key = desk.cache.derive(.publishedTestKey, ksn: ksn, variant: .dataRequest)
        let block = try #require(report.objects.first(.sredData)?.value)
        let clear = try TLV.objects(in: try #require(desk.cache.decrypt(block, key: key)))
        #expect(clear.first(.track1)?.value == card.unmaskedTrack1)
        #expect(clear.first(.track2)?.value.dropLast() == card.unmaskedTrack2[...])
    }

    @Test func theMaskedTrackShowsWhatTheHostNeeds() throws {
        var desk = MiuraDesk()
        desk.send(.cardStatus(.payments))
        _ = desk.events()
        try desk.swipe("emv-visa-pin")
        let report = try Self.report(desk.events())
        let text = report.objects.first(.maskedTrack2)?.text
        #expect(text == ";476173******0010=2512221**********?*")
    }

    @Test func withoutAKeyTheTracksAreClearWithTheLRC() throws {
        let card = try #require(TestCard.named("visa"))
        var desk = MiuraDesk { $0.hasSREDKey = false }
        desk.send(.cardStatus(.payments))
        _ = desk.events()
        try desk.swipe("visa")
        let report = try Self.report(desk.events())
        #expect(report.objects.map(\.tag) == [.track1, .track2, .maskedTrack2])
        let track2 = try #require(report.objects.first(.track2)?.value)
        #expect(track2.dropLast() == card.unmaskedTrack2[...])
        let sum = track2.reduce(UInt8(0)) { $0 ^ ($1 & 0x0F) }
        #expect(sum == 0)
    }

    @Test func everyQualityHasItsStatus() throws {
        for quality in SwipeQuality.words {
            var desk = MiuraDesk()
            desk.send(.cardStatus(.payments))
            _ = desk.events()
            try desk.swipe("visa", quality)
            let report = try Self.report(desk.events())
            switch quality {
            case .good, .reversed: #expect(report.status == [.swiped, .track1, .track2])
            case .partial: #expect(report.status == [.swiped, .track2])
            case .tooFast, .unreadable, .physical:
                #expect(report.status == .swiped)
                #expect(report.objects.isEmpty)
            }
        }
    }

    @Test func onlyTheTracksThatWereAskedForComeAndTheNameWhereItWas() throws {
        var desk = MiuraDesk()
        desk.send(.cardStatus([.changes, .track1, .cardholderName]))
        _ = desk.events()
        try desk.swipe("visa")
        let report = try Self.report(desk.events())
        #expect(report.status == [.swiped, .track1])
        #expect(report.objects.first(.cardholderName)?.text == "TEST CARD")
        #expect(report.objects.first(.maskedTrack2) == nil)
    }

    @Test func aSwipeThatNobodyAskedForIsIgnored() throws {
        var desk = MiuraDesk()
        try desk.swipe("visa")
        #expect(desk.messages.isEmpty)
        #expect(desk.facts == [.cardIgnored])
    }

    // MARK: ONLINE PIN

    @Test func anOnlinePINForTheSwipedCardIsABlock() throws {
        var desk = MiuraDesk()
        let masked = try Self.swipe(&desk)
        desk.send(.onlinePIN(Self.request(masked)))
        try desk.press("4711 enter")
        guard
            case .onlinePIN(.block(let block, let ksn)) = desk.answer(
                to: .onlinePIN(Self.request(masked))
            )
        else {
            Issue.record("no block")
            return
        }
        #expect(block.count == 8)
        #expect(KSN(ksn)?.counter == 1)
    }

    @Test func cancelTimeBypassAndOtherTracksHaveTheirAnswers() throws {
        var desk = MiuraDesk()
        let masked = try Self.swipe(&desk)
        let request = MiuraCommand.onlinePIN(Self.request(masked))
        desk.send(request)
        try desk.press("12 cancel")
        #expect(desk.answer(to: request) == .onlinePIN(.cancelledOrTimedOut))
        desk.send(request)
        desk.wait(.seconds(30))
        #expect(desk.answer(to: request) == .onlinePIN(.cancelledOrTimedOut))
        var bypass = Self.request(masked)
        bypass.allowsBypass = true
        desk.send(.onlinePIN(bypass))
        try desk.press("enter")
        #expect(desk.answer(to: .onlinePIN(bypass)) == .onlinePIN(.bypassed))
        var encrypted = Self.request(masked)
        encrypted.wantsEncryptedData = true
        desk.send(.onlinePIN(encrypted))
        try desk.press("4711 enter")
        guard case .onlinePIN(.encryptedData) = desk.answer(to: .onlinePIN(encrypted)) else {
            Issue.record("no encrypted data")
            return
        }
        let other = MiuraCommand.onlinePIN(Self.request(masked.reversed()))
        #expect(desk.ask(other) == .refused(.invalidParameter, []))
    }

    @Test func withoutAKeyThereIsNoOnlinePIN() throws {
        var desk = MiuraDesk { $0.hasPINKey = false }
        let masked = try Self.swipe(&desk)
        #expect(
            desk.ask(.onlinePIN(Self.request(masked))) == .refused(.keysNotReady, [])
        )
    }

    // MARK: Support

    static func report(_ events: [MiuraEvent]) throws -> MiuraCardReport {
        guard case .cardStatus(let report)? = events.first, events.count == 1 else {
            Issue.record("one card report, not \(events.count) events")
            return MiuraCardReport([])
        }
        return report
    }

    static func swipe(_ desk: inout MiuraDesk) throws -> [UInt8] {
        desk.send(.cardStatus(.payments))
        _ = desk.events()
        try desk.swipe("visa")
        let report = try report(desk.events())
        return try #require(report.objects.first(.maskedTrack2)?.value)
    }

    static func request(_ masked: [UInt8]) -> MiuraOnlinePIN {
        MiuraOnlinePIN(
            amountMinorUnits: 15_00,
            currency: 826,
            label: "VISA",
            maskedTrack2: masked,
            allowsBypass: false,
            wantsEncryptedData: false
        )
    }
}
