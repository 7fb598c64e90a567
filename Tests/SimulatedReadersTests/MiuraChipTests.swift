import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

@Suite("Chip at a simulated Miura reader")
struct MiuraChipTests {
    // MARK: Each card

    /// What a card gives after the right keys: the answer, 9F34 and byte 3 of 95.
    struct Row: Sendable, CustomTestStringConvertible {
        var card: String
        var keys: String
        var answer: String
        var method: String
        var results = "00"

        var testDescription: String { "\(card) \(keys)" }
    }

    static let rows = [
        Row(card: "emv-visa-pin", keys: "1234 enter", answer: "E4", method: "410302"),
        Row(card: "emv-visa-pin", keys: "9 clear 1234 enter", answer: "E4", method: "410302"),
        Row(card: "emv-maestro-pin", keys: "1234 enter", answer: "E4", method: "040302"),
        Row(
            card: "emv-visa-online-pin",
            keys: "4711 enter",
            answer: "E4",
            method: "020300",
            results: "04"
        ),
        Row(card: "emv-visa-signature", keys: "", answer: "E4", method: "1E0300"),
        Row(card: "emv-visa-no-cvm", keys: "", answer: "E4", method: "1F0302"),
        Row(card: "emv-offline-approved", keys: "", answer: "E3", method: "1F0302"),
        Row(card: "emv-offline-declined", keys: "", answer: "E5", method: "1F0302"),
        Row(card: "emv-two-applications", keys: "2", answer: "E4", method: "1E0300"),
        Row(card: "contactless-visa-pin", keys: "1234 enter", answer: "E4", method: "010302"),
    ]

    @Test(arguments: rows)
    func aCardAndItsKeysDecideTheAnswer(_ row: Row) throws {
        var desk = MiuraDesk()
        try desk.start(row.card)
        try desk.press(row.keys)
        let outcome = try desk.knownOutcome()
        #expect("\(outcome.tag)" == row.answer)
        #expect(outcome.text(.verificationMethodResults) == row.method)
        #expect(outcome.text(.verificationResults) == "0000" + row.results + "8000")
    }

    @Test(arguments: [
        ("emv-dead-chip", MiuraStatusWord.chipError), ("emv-blocked", .invalidCard),
        ("visa", .chipError),
    ])
    func aCardWithoutAUsableChipIsRefused(_ card: String, _ word: MiuraStatusWord) throws {
        var desk = MiuraDesk()
        try desk.start(card)
        #expect(desk.statusWord() == word)
    }

    @Test func theObjectsStandInTheOrderOfTheListAndNoClearNumberIsAmongThem() throws {
        var desk = MiuraDesk()
        try desk.start("emv-visa-signature")
        let outcome = try desk.knownOutcome()
        let order: [TLVTag] = [
            0x4F, 0x50, 0x57, 0x5A, 0x5F20, 0x5F24, 0x5F28, 0x5F2A, 0x5F30, 0x5F34, 0x82, 0x84,
            0x95, 0x9A, 0x9B, 0x9C, 0x9F02, 0x9F03, 0x9F06, 0x9F09, 0x9F10, 0x9F12, 0x9F1A,
            0x9F1C, 0x9F1E, 0x9F26, 0x9F27, 0x9F33, 0x9F34, 0x9F35, 0x9F36, 0x9F37, 0x9F41,
            0xDF28, 0xDF30, 0xDFAE02, 0xDFAE03, 0xDFAE04, 0xDFAE05, 0xDFAE57, 0xDFAE5A,
        ]
        let tags = outcome.objects.map(\.tag)
        #expect(tags == order.filter { tags.contains($0) })
        #expect(outcome.objects.first(.track2Equivalent) == nil)
        #expect(outcome.objects.first(.cardNumber) == nil)
        #expect(outcome.text(.amount) == "000000001500")
        #expect(outcome.text(.expirationDate) == "251231")
        #expect(outcome.text(.cryptogramInformation) == "80")
        #expect(outcome.text(.maskedCardNumber) == "476173FFFFFF0010")
    }

    @Test func theEncryptedBlockHoldsTrack2UnderTheNextKey() throws {
        var desk = MiuraDesk()
        try desk.start("emv-visa-signature")
        let outcome = try desk.knownOutcome()
        let ksn = try #require(outcome.objects.first(.sredKSN).flatMap { KSN($0.value) })
        #expect(ksn.counter == 1)
        let key = desk.cache.derive(.publishedTestKey, ksn: ksn, variant: .dataRequest)
        let block = try #require(outcome.objects.first(.sredData)?.value)
        #expect(block.count == 24)
        let clear = try #require(desk.cache.decrypt(block, key: key))
        let track = try #require(TLV.objects(in: clear).first(.track2Equivalent)?.value)
        #expect(track.count == 17)
        let masked = try #require(outcome.objects.first(.maskedChipTrack2)?.value)
        #expect(zip(track, masked).filter { $0 != $1 }.count == 3)
    }

    @Test func withoutAKeyTheTrackIsClear() throws {
        var desk = MiuraDesk { $0.hasSREDKey = false }
        try desk.start("emv-visa-signature")
        let outcome = try desk.knownOutcome()
        #expect(outcome.objects.first(.track2Equivalent) != nil)
        #expect(outcome.objects.first(.sredData) == nil)
        var strict = MiuraDesk {
            $0.hasSREDKey = false
            $0.refusesWithoutSREDKey = true
        }
        try strict.start("emv-visa-signature")
        #expect(strict.statusWord() == .keysNotReady)
    }

    @Test func theCountersAndTheCryptogramDifferFromSaleToSale() throws {
        var desk = MiuraDesk()
        var counters: [String?] = []
        var cryptograms: [String?] = []
        for _ in 0..<3 {
            try desk.start("emv-visa-signature")
            let outcome = try desk.knownOutcome()
            counters.append(outcome.text(0x9F36))
            cryptograms.append(outcome.text(.cryptogram))
            _ = desk.ask(MiuraDesk.approval)
            desk.removeCard()
        }
        #expect(counters == ["0001", "0002", "0003"])
        #expect(Set(cryptograms).count == 3)
    }

    // MARK: PINs

    @Test func theStagesOfAPINAreTold() throws {
        var desk = MiuraDesk()
        try desk.start("emv-maestro-pin")
        try desk.press("1111 enter")
        desk.wait(.milliseconds(300))
        try desk.press("2222 enter")
        desk.wait(.milliseconds(300))
        #expect(desk.reader.display == "Enter PIN (LAST TRY)")
        try desk.press("1234 enter")
        desk.wait(.milliseconds(300))
        #expect(
            desk.events().compactMap(\.shortStatus) == [
                "02 digits 0", "02 completed", "02 incorrect", "02 digits 0", "02 completed",
                "02 incorrect", "02 lastTry", "02 digits 0", "02 completed", "02 correct",
            ]
        )
        let outcome = try desk.knownOutcome()
        #expect(outcome.text(.verificationMethodResults) == "040302")
        #expect(outcome.text(.verificationStatus) == "04")
    }

    @Test func digitsAreToldOnlyWhereTheReaderIsSetToDoSo() throws {
        var desk = MiuraDesk { $0.reportsPINDigits = true }
        try desk.start("emv-maestro-pin")
        try desk.press("12 clear")
        #expect(
            desk.events().compactMap(\.shortStatus)
                == ["02 digits 0", "02 digits 1", "02 digits 2", "02 digits 0"]
        )
    }

    @Test func threeWrongPINsFailAndTheCardRemembersThem() throws {
        var desk = MiuraDesk()
        try desk.start("emv-maestro-pin")
        for _ in 0..<3 {
            try desk.press("9999 enter")
            desk.wait(.milliseconds(200))
        }
        let outcome = try desk.knownOutcome()
        #expect(outcome.text(.verificationMethodResults) == "040301")
        #expect(outcome.text(.verificationResults) == "0000A08000")
        _ = desk.ask(MiuraDesk.refusal)
        desk.removeCard()
        try desk.start("emv-maestro-pin")
        #expect(!desk.reader.isAskingForKeys)
        #expect(desk.outcome()?.text(.verificationResults) == "0000A08000")
    }

    @Test func aCardWithASecondWayUsesItAfterWrongPINs() throws {
        var desk = MiuraDesk()
        try desk.start("emv-visa-pin")
        for _ in 0..<3 {
            try desk.press("9999 enter")
            desk.wait(.milliseconds(200))
        }
        #expect(desk.outcome()?.text(.verificationMethodResults) == "1E0300")
    }

    @Test func aRightPINGivesAllTriesBack() throws {
        var desk = MiuraDesk()
        for _ in 0..<3 {
            try desk.start("emv-maestro-pin")
            for pin in ["9999", "8888", "1234"] {
                try desk.press(pin + " enter")
                desk.wait(.milliseconds(200))
            }
            #expect(desk.outcome()?.text(.verificationMethodResults) == "040302")
            _ = desk.ask(MiuraDesk.approval)
            desk.removeCard()
        }
    }

    @Test(arguments: [true, false])
    func anEmptyPINIsABypassWhereThatIsAllowed(_ isAllowed: Bool) throws {
        var desk = MiuraDesk { $0.allowsPINBypass = isAllowed }
        try desk.start("emv-maestro-pin")
        try desk.press("enter")
        #expect(desk.reader.isAskingForKeys != isAllowed)
        if isAllowed {
            #expect(desk.outcome()?.text(.verificationResults) == "0000888000")
        }
    }

    @Test func cancelAndTimeEndAPIN() throws {
        var desk = MiuraDesk()
        try desk.start("emv-maestro-pin")
        try desk.press("12 cancel")
        #expect(desk.statusWord() == .cancelled)
        desk.send(.startTransaction(MiuraDesk.sale))
        desk.wait(.milliseconds(30_399))
        #expect(desk.reader.isAskingForKeys)
        desk.wait(.milliseconds(1))
        #expect(desk.statusWord() == .timedOut)
    }

    @Test func anOnlinePINIsABlockOfTheCardsNumber() throws {
        var desk = MiuraDesk()
        try desk.start("emv-visa-online-pin")
        try desk.press("4711 enter")
        let outcome = try desk.knownOutcome()
        let ksn = try #require(outcome.objects.first(.onlinePINKSN).flatMap { KSN($0.value) })
        let block = try #require(outcome.objects.first(.onlinePINBlock)?.value)
        let key = desk.cache.derive(.publishedTestKey, ksn: ksn, variant: .pin)
        let clear = try #require(desk.cache.decrypt(block, key: key))
        // Format 0: 04 4711 FF…, exclusive-or 0000 and the number's twelve digits.
        #expect(clear[0] == 0x04 && clear[1] == 0x47)
        #expect(clear[2] == 0x11 ^ 0x17)
        #expect(clear.count == 8)
    }

    @Test func withoutAPINPadTheNextWayIsTaken() throws {
        var desk = MiuraDesk { $0.hasPINPad = false }
        try desk.start("emv-visa-pin")
        let outcome = try desk.knownOutcome()
        #expect(outcome.text(.verificationMethodResults) == "1E0300")
        #expect(outcome.text(.verificationResults) == "0000108000")
    }

    // MARK: Applications

    @Test func theReaderAsksForTheApplicationAndTellsSo() throws {
        var desk = MiuraDesk()
        try desk.start("emv-two-applications")
        #expect(desk.events().compactMap(\.shortStatus) == ["03"])
        #expect(desk.facts.contains(.choiceAsked(["VISA CREDIT", "VISA ELECTRON"])))
        try desk.press("3")
        #expect(desk.reader.isAskingForKeys)
        try desk.press("enter")
        #expect(desk.events().compactMap(\.shortStatus) == ["02 digits 0"])
    }

    @Test func theHostIsAskedForTheApplicationIfItWantsTo() throws {
        var desk = MiuraDesk()
        var sale = MiuraDesk.sale
        sale.applicationSelection = .onHost
        try desk.start("emv-two-applications", sale)
        let question = try desk.knownOutcome()
        #expect(question.tag == .decisionRequired)
        let identifiers = question.objects.all(.applicationIdentifier)
        #expect(identifiers.count == 2)
        #expect(
            desk.ask(.continueTransaction([TLV(.applicationIdentifier, [1, 2, 3, 4, 5])]))
                == .refused(.invalidData, [])
        )
        #expect(desk.ask(.continueTransaction([])) == .refused(.dataMissing, [0x9F, 0x06]))
        desk.send(.continueTransaction([identifiers[1]]))
        #expect(desk.outcome()?.text(.verificationMethodResults) == "1E0300")
    }

    @Test func theReaderStopsAtRiskManagementIfAskedTo() throws {
        var desk = MiuraDesk()
        var sale = MiuraDesk.sale
        sale.stopsAtRiskManagement = true
        try desk.start("emv-visa-no-cvm", sale)
        #expect(desk.outcome()?.tag == .decisionRequired)
        desk.send(.continueTransaction([TLV(.decision, [0x01])]))
        #expect(desk.outcome()?.tag == .onlineAuthorisationRequired)
    }

    // MARK: CONTINUE

    @Test func theIssuersWordDecides() throws {
        for (command, isApproved) in [(MiuraDesk.approval, true), (MiuraDesk.refusal, false)] {
            var desk = MiuraDesk()
            try desk.start("emv-visa-signature")
            _ = desk.outcome()
            desk.send(command)
            let outcome = try desk.knownOutcome()
            #expect(outcome.tag == (isApproved ? .transactionApproved : .transactionDeclined))
            #expect(outcome.text(.cryptogramInformation) == (isApproved ? "40" : "00"))
            #expect(desk.ask(command) == .refused(.notReady, []))
        }
    }

    @Test func whatIsSentAtTheWrongTimeIsRefused() throws {
        var desk = MiuraDesk()
        #expect(desk.ask(MiuraDesk.approval) == .refused(.notReady, []))
        #expect(desk.ask(.startTransaction(MiuraDesk.sale)) == .refused(.noCard, []))
        try desk.start("emv-visa-signature")
        _ = desk.outcome()
        #expect(desk.ask(.startTransaction(MiuraDesk.sale)) == .refused(.notAllowed, []))
        #expect(desk.ask(.continueTransaction([])) == .refused(.dataMissing, [0x8A]))
        #expect(desk.ask(.displayText(MiuraText("wait"))) == .done)
        desk.send(MiuraDesk.approval)
        #expect(desk.outcome()?.tag == .transactionApproved)
    }

    // MARK: ABORT and a card that is pulled out

    @Test(arguments: [true, false])
    func abortIsAnsweredBeforeWhatItEndedOrAfterIt(_ isLast: Bool) throws {
        var desk = MiuraDesk { $0.answersAbortLast = isLast }
        try desk.start("emv-maestro-pin")
        desk.send(.abort)
        #expect(desk.statusWords() == (isLast ? [.cancelled, .success] : [.success, .cancelled]))
        #expect(desk.ask(.abort) == .done)
        #expect(desk.ask(.abort) == .done)
    }

    @Test(arguments: MiuraReaderConfiguration.ExtraAnswer.allCases)
    func abortWhileTheReaderWaitsHasAnExtraAnswer(
        _ extra: MiuraReaderConfiguration.ExtraAnswer
    )
        throws
    {
        var desk = MiuraDesk { $0.answerAfterAbort = extra }
        try desk.start("emv-visa-signature")
        _ = desk.outcome()
        #expect(desk.ask(.abort) == .done)
        desk.wait(.seconds(2))
        switch extra {
        case .declined: #expect(desk.outcome()?.tag == .transactionDeclined)
        case .noCard: #expect(desk.statusWords() == [.noCard])
        case .none: #expect(desk.messages.isEmpty)
        }
    }

    @Test(arguments: MiuraReaderConfiguration.ExtraAnswer.allCases)
    func aCardPulledOutWhileTheReaderWaitsHasAnExtraAnswer(
        _ extra: MiuraReaderConfiguration.ExtraAnswer
    ) throws {
        var desk = MiuraDesk { $0.answerAfterRemoval = extra }
        desk.send(.cardStatus(.payments))
        try desk.start("emv-visa-signature")
        _ = desk.outcome()
        _ = desk.events()
        desk.removeCard()
        #expect(desk.events() == [.cardStatus(MiuraCardReport([]))])
        #expect(desk.ask(.displayText(MiuraText("?"))) == .done)
        desk.wait(.seconds(2))
        switch extra {
        case .declined: #expect(desk.outcome()?.tag == .transactionDeclined)
        case .noCard: #expect(desk.statusWords() == [.noCard])
        case .none: #expect(desk.messages.isEmpty)
        }
        #expect(desk.ask(MiuraDesk.approval) == .refused(.notReady, []))
    }

    @Test(arguments: MiuraReaderConfiguration.RemovalAnswer.allCases)
    func aCardPulledOutOfARunningTransactionEndsIt(
        _ removal: MiuraReaderConfiguration.RemovalAnswer
    ) throws {
        for milliseconds in [100, 500, 800] {
            var desk = MiuraDesk { $0.removalAnswer = removal }
            try desk.insert("emv-visa-pin")
            desk.send(.startTransaction(MiuraDesk.sale))
            desk.wait(.milliseconds(Int64(milliseconds)))
            if milliseconds == 800 { try desk.press("1234 enter") }
            desk.removeCard()
            switch removal {
            case .declined: #expect(desk.outcome()?.tag == .transactionDeclined)
            case .noCard: #expect(desk.statusWord() == .noCard)
            case .chipError: #expect(desk.statusWord() == .chipError)
            }
            desk.wait(.seconds(60))
            #expect(!desk.messages.contains { !$0.isUnsolicited })
        }
    }
}

extension MiuraEvent {
    /// A short form of a reader status, `nil` for other events.
    var shortStatus: String? {
        if case .readerStatus(let status) = self { return status.short }
        return nil
    }
}

@Suite("What a simulated Miura reader shows of itself")
struct MiuraSecrecyTests {
    @Test func neitherPINNorNumberIsInAnyDescription() throws {
        var desk = MiuraDesk()
        try desk.start("emv-maestro-pin")
        try desk.press("98765")
        var text = ""
        dump(desk.reader, to: &text)
        dump(MiuraKey.keys("98765"), to: &text)
        text += String(reflecting: desk.reader) + String(reflecting: desk.facts)
        #expect(text.contains("PIN entry"))
        // The digits as bytes, as a mirror of an array shows them.
        let bytes = text.split { !$0.isNumber }.map(String.init)
        let secrets = [["57", "56", "55", "54", "53"], ["9", "8", "7", "6", "5"]]
        for secret in secrets {
            for start in bytes.indices.dropLast(secret.count) {
                #expect(Array(bytes[start..<(start + secret.count)]) != secret)
            }
        }
        let card = try #require(TestCard.named("emv-maestro-pin"))
        let digits = card.unmaskedTrack2.dropFirst().prefix { $0 != 0x3D }
        #expect(!text.contains(String(decoding: digits, as: UTF8.self)))
    }
}
