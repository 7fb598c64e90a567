import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols
import SimulatedReaders
import Testing

@testable import SDKCore

@Suite("Miura session")
struct MiuraSessionTests {
    private func isApproved(_ end: MiuraSaleEnd?) -> Bool {
        if case .approved = end { true } else { false }
    }

    // MARK: Set-up

    @Test func theReaderIsSetUpBeforeItIsReady() throws {
        var counter = MiuraCounter(isLinked: false)
        counter.connect()
        counter.wait(.milliseconds(200))
        guard case .readerReady(let facts) = counter.steps.last else {
            Issue.record("not ready: \(counter.steps)")
            return
        }
        #expect(counter.progress == [.connectingReader])
        #expect(facts.software?.serialNumber == "17000470")
        #expect(facts.hasField && facts.keys.contains([.pinReady, .sredReady]))
        #expect(facts.battery?.percentage == 100)
    }

    @Test func aPaymentThatBeginsFirstWaitsForTheReader() throws {
        var counter = MiuraCounter(isLinked: false)
        _ = counter.begin()
        #expect(counter.steps.isEmpty)
        counter.connect()
        counter.wait(.milliseconds(200))
        #expect(counter.progress == [.connectingReader, .waitingForCard])
        counter.wait(.seconds(120))
        #expect(counter.ends == [.failed(.timedOut)])
    }

    // MARK: Chip

    struct Row: Sendable, CustomTestStringConvertible {
        var card: String
        var keys = ""
        var verification: AgentCASHCard.Verification

        var testDescription: String { card }
    }

    @Test(
        arguments: [
            Row(card: "emv-visa-pin", keys: "1234 enter", verification: .offlinePIN),
            Row(card: "emv-maestro-pin", keys: "1234 enter", verification: .offlinePIN),
            Row(card: "emv-visa-online-pin", keys: "1234 enter", verification: .onlinePIN),
            Row(card: "emv-visa-signature", verification: .signature),
            Row(card: "emv-visa-no-cvm", verification: .none),
            Row(card: "emv-two-applications", keys: "2", verification: .signature),
        ]
    )
    func aChipIsReadAndTheIssuersApprovalEndsThePayment(_ row: Row) throws {
        var counter = MiuraCounter()
        _ = counter.begin()
        try counter.insert(row.card)
        if !row.keys.isEmpty { try counter.press(row.keys) }
        let reading = try #require(counter.reading)
        #expect(reading.card.entryMode == .chip)
        #expect(reading.card.verification == row.verification)
        #expect(reading.isEncrypted && !reading.isApprovedOffline)
        #expect(reading.card.pinBlock.count == (row.verification == .onlinePIN ? 8 : 0))
        let objects = try TLV.objects(in: reading.card.chipData)
        #expect(objects.first(.cryptogram) != nil)
        for tag in [.cardNumber, .track2Equivalent, .sredData, .maskedChipTrack2] as [TLVTag] {
            #expect(objects.first(tag) == nil)
        }
        counter.answer(.approved([]))
        #expect(counter.ends == [.approved(reading)])
        #expect(counter.authorisationCount == 1)
        #expect(counter.progress.contains(.finalising))
        #expect(counter.progress.last == .removeCard)
    }

    @Test func theStagesOfAPINAreTold() throws {
        var counter = MiuraCounter()
        _ = counter.begin()
        try counter.insert("emv-visa-pin")
        try counter.press("9999 enter")
        try counter.press("1234 enter")
        let stages = counter.progress.compactMap { progress -> MiuraReaderStatus.PINEntry? in
            if case .pinEntry(let entry) = progress { entry } else { nil }
        }
        #expect(stages.contains(.incorrect) && stages.last == .correct)
        #expect(counter.reading?.card.verification == .offlinePIN)
    }

    @Test func aDeclineOfTheIssuerIsNoApprovalWhateverTheChipSays() throws {
        for answer in [MiuraAuthorisation.declined([]), .unavailable] {
            var counter = MiuraCounter()
            _ = counter.begin()
            try counter.insert("emv-visa-no-cvm")
            counter.answer(answer)
            #expect(
                counter.ends
                    == [answer == .unavailable ? .failed(.notAuthorised) : .declinedByIssuer]
            )
        }
    }

    @Test func whatTheChipDecidesByItselfIsTold() throws {
        var declining = MiuraCounter()
        _ = declining.begin()
        try declining.insert("emv-offline-declined")
        #expect(declining.ends == [.declinedByCard] && declining.authorisationCount == 0)
        var approving = MiuraCounter()
        _ = approving.begin()
        try approving.insert("emv-offline-approved")
        let reading = try #require(approving.reading)
        #expect(reading.isApprovedOffline)
        approving.answer(.approved([]))
        #expect(approving.ends == [.approved(reading)])
    }

    @Test func theAppMayChooseTheApplication() throws {
        var counter = MiuraCounter(options: { $0.appChoosesApplication = true })
        _ = counter.begin()
        try counter.insert("emv-two-applications")
        var choice: [MiuraApplication] = []
        for case .applicationChoice(let applications) in counter.steps { choice = applications }
        #expect(choice.count == 2 && choice.allSatisfy { !$0.label.isEmpty })
        let couldChooseThird = counter.session.choose(2, at: counter.now)
        let couldChooseSecond = counter.session.choose(1, at: counter.now)
        #expect(!couldChooseThird && couldChooseSecond)
        counter.carry()
        counter.wait(.seconds(2))
        #expect(counter.reading?.label == choice[1].label)
    }

    @Test func theUsedCardMustGoBeforeTheNextPaymentBegins() throws {
        var counter = MiuraCounter()
        _ = counter.begin()
        try counter.insert("emv-visa-no-cvm")
        counter.answer(.approved([]))
        _ = counter.take()
        _ = counter.begin()
        #expect(counter.progress == [.removeCard])
        counter.removeCard()
        #expect(counter.progress == [.removeCard, .waitingForCard])
        try counter.insert("emv-visa-no-cvm")
        counter.answer(.approved([]))
        #expect(counter.ends.count == 2 && counter.ends.allSatisfy(isApproved))
    }

    // MARK: Fallback

    @Test func afterThreeInsertsWithoutAChipTheStripeIsTaken() throws {
        var counter = MiuraCounter()
        _ = counter.begin()
        for _ in 0..<3 {
            try counter.swipe("emv-visa-signature")
            #expect(counter.reading == nil)
            try counter.insert("emv-dead-chip", wait: .milliseconds(50))
            counter.removeCard()
        }
        #expect(counter.progress.filter { $0 == .insertInstead }.count == 3)
        #expect(counter.progress.filter { $0 == .chipUnreadable }.count == 2)
        try counter.swipe("emv-visa-signature")
        #expect(counter.reading?.isFallback == true)
        #expect(counter.reading?.card.entryMode == .magstripe)
    }

    @Test func aBlockedCardIsRefusedAndItsStripeIsNotTaken() throws {
        var counter = MiuraCounter()
        _ = counter.begin()
        try counter.insert("emv-blocked")
        #expect(counter.ends == [.failed(.cardRefused)])
    }

    // MARK: Stripe

    @Test func aSwipeNeedsNoMoreOfTheReaderThanItself() throws {
        var counter = MiuraCounter()
        _ = counter.begin()
        try counter.swipe("visa", .unreadable)
        try counter.swipe("visa")
        let reading = try #require(counter.reading)
        #expect(counter.progress == [.waitingForCard, .badSwipe, .cardSwiped, .authorising])
        #expect(reading.card.entryMode == .magstripe && reading.isEncrypted)
        #expect(reading.card.maskedCardNumber?.lastFour == "1111")
        counter.answer(.approved([]))
        #expect(counter.ends == [.approved(reading)])
    }

    @Test func aReaderWithoutKeysSendsClearCardsAndTheyAreNotTaken() throws {
        var counter = MiuraCounter(reader: { $0.hasSREDKey = false })
        _ = counter.begin()
        try counter.swipe("visa")
        #expect(counter.ends == [.failed(.keysMissing)])
        _ = counter.begin()
        try counter.insert("emv-visa-no-cvm")
        #expect(counter.ends == [.failed(.keysMissing), .failed(.keysMissing)])
        #expect(counter.authorisationCount == 0)
    }

    // MARK: Taps

    @Test func aTapGoesOnline() throws {
        var counter = MiuraCounter()
        _ = counter.begin(takesTaps: true)
        try counter.tap("contactless-visa")
        let reading = try #require(counter.reading)
        #expect(reading.card.entryMode == .contactless && reading.card.verification == .none)
        counter.answer(.approved([]))
        #expect(counter.ends == [.approved(reading)])
        #expect(counter.progress.last != .removeCard)
    }

    @Test func aCardThatCannotBeTappedIsInserted() throws {
        var counter = MiuraCounter()
        _ = counter.begin(takesTaps: true)
        try counter.tap("contactless-chip-only")
        #expect(counter.progress.last == .tapNotPossible)
        try counter.insert("contactless-chip-only")
        try counter.press("1234 enter")
        #expect(counter.reading?.card.entryMode == .chip)
    }

    @Test func anInsertAndASwipeEndTheWaitForATap() throws {
        var inserted = MiuraCounter()
        _ = inserted.begin(takesTaps: true)
        try inserted.insert("emv-visa-no-cvm")
        #expect(inserted.reading?.card.entryMode == .chip)
        var swiped = MiuraCounter()
        _ = swiped.begin(takesTaps: true)
        try swiped.swipe("visa")
        #expect(swiped.reading?.card.entryMode == .magstripe)
    }

    @Test func afterASwipeOfAChipCardATapIsTaken() throws {
        var counter = MiuraCounter()
        _ = counter.begin(takesTaps: true)
        try counter.swipe("emv-visa-signature")
        #expect(counter.progress.last == .insertInstead)
        counter.wait(.milliseconds(200))
        try counter.tap("contactless-visa")
        #expect(counter.reading?.card.entryMode == .contactless)
    }

    @Test func theCancelKeyMayOnlySwitchTapsOff() throws {
        var counter = MiuraCounter(reader: { $0.cancelKey = .firstSwitchesContactlessOff })
        _ = counter.begin(takesTaps: true)
        try counter.press("cancel")
        #expect(counter.ends.isEmpty)
        try counter.insert("emv-visa-no-cvm")
        #expect(counter.reading?.card.entryMode == .chip)
        var ending = MiuraCounter()
        _ = ending.begin(takesTaps: true)
        try ending.press("cancel")
        #expect(ending.ends == [.cancelledByCardholder])
    }

    // MARK: Ends

    @Test func thePaymentEndsWhenNoCardComes() throws {
        for takesTaps in [false, true] {
            var counter = MiuraCounter()
            _ = counter.begin(takesTaps: takesTaps)
            counter.wait(.seconds(130))
            #expect(counter.ends == [.failed(.timedOut)])
            #expect(counter.session.deadline == nil)
        }
    }

    @Test func theAppMayCancelUntilTheIssuerIsAsked() throws {
        for stage in 0..<5 {
            var counter = MiuraCounter()
            _ = counter.begin(takesTaps: stage == 1)
            if stage == 2 { try counter.insert("emv-visa-pin", wait: .milliseconds(100)) }
            if stage == 3 { try counter.insert("emv-visa-pin") }
            if stage == 4 { try counter.insert("emv-visa-no-cvm") }
            let couldCancel = counter.cancel()
            counter.wait(.seconds(5))
            #expect(couldCancel == (stage < 4))
            #expect(counter.ends == (stage < 4 ? [.cancelledByApp] : []))
            guard stage < 4 else { continue }
            // The reader is free for the next one.
            counter.removeCard()
            _ = counter.begin()
            try counter.insert("emv-visa-no-cvm")
            counter.answer(.approved([]))
            #expect(isApproved(counter.ends.last) && counter.ends.count == 2)
        }
    }

    @Test func theCancelKeyEndsThePayment() throws {
        var waiting = MiuraCounter()
        _ = waiting.begin()
        try waiting.press("cancel")
        #expect(waiting.ends == [.cancelledByCardholder])
        var typing = MiuraCounter()
        _ = typing.begin()
        try typing.insert("emv-visa-pin")
        try typing.press("12 cancel")
        #expect(typing.ends == [.cancelledByCardholder])
    }

    @Test func aCardThatIsPulledEndsThePayment() throws {
        for extra in MiuraReaderConfiguration.RemovalAnswer.allCases {
            var counter = MiuraCounter(reader: { $0.removalAnswer = extra })
            _ = counter.begin()
            try counter.insert("emv-visa-pin")
            counter.removeCard()
            #expect(counter.ends == [.failed(.cardRemoved)], "\(extra)")
        }
    }

    @Test func aCardThatIsPulledBeforeTheAnswerLeavesNothingApproved() throws {
        for extra in MiuraReaderConfiguration.ExtraAnswer.allCases {
            for delay in [0, 1000] as [Int64] {
                var counter = MiuraCounter(reader: { $0.answerAfterRemoval = extra })
                _ = counter.begin()
                try counter.insert("emv-visa-no-cvm")
                counter.removeCard()
                counter.wait(.milliseconds(delay))
                counter.answer(.approved([]))
                counter.wait(.seconds(5))
                #expect(counter.ends == [.failed(.cardRemoved)], "\(extra) \(delay)")
                // Nothing is out of step afterwards.
                _ = counter.begin()
                try counter.insert("emv-visa-no-cvm")
                counter.answer(.approved([]))
                #expect(isApproved(counter.ends.last), "\(extra) \(delay)")
            }
        }
    }

    @Test func losingTheLinkEndsThePaymentOnce() throws {
        for stage in 0..<4 {
            var counter = MiuraCounter()
            if stage > 0 { _ = counter.begin() }
            if stage > 1 { try counter.insert("emv-visa-pin") }
            if stage > 2 { try counter.press("1234 enter") }
            counter.cut()
            counter.wait(.seconds(200))
            #expect(counter.ends == (stage > 0 ? [.failed(.linkLost)] : []))
            counter.connect()
            counter.wait(.milliseconds(200))
            counter.removeCard()
            _ = counter.begin()
            try counter.insert("emv-visa-no-cvm")
            counter.answer(.approved([]))
            #expect(isApproved(counter.ends.last), "stage \(stage)")
        }
    }
}
