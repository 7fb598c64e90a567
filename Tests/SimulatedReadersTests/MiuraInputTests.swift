import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

@Suite("Input at a simulated Miura reader")
struct MiuraInputTests {
    private static let prompt = TLV(0xDFA206, [0, 0, 0, 1, 0, 2])

    private func input(
        _ kind: MiuraInput.Kind,
        p1: UInt8 = 0,
        p2: UInt8 = 0,
        _ objects: [TLV] = [MiuraInputTests.prompt]
    ) -> MiuraCommand {
        .input(MiuraInput(kind, p1: p1, p2: p2, objects: objects))
    }

    private func text(_ answer: MiuraAnswer?) -> String? {
        guard case .input(let objects) = answer else { return nil }
        return objects.first(.numericData)?.text
    }

    // MARK: Typing

    @Test(arguments: [MiuraInput.Kind.numericData, .alphanumericData])
    func whatIsTypedIsTheAnswer(_ kind: MiuraInput.Kind) throws {
        var desk = MiuraDesk()
        desk.send(input(kind))
        #expect(desk.reader.isAskingForKeys)
        try desk.press("99 clear 12 enter")
        #expect(text(desk.answer(to: input(kind))) == "12")
    }

    @Test func emptyAndTooLongInputIsNotTakenUnlessAllowed() throws {
        var desk = MiuraDesk()
        let short = input(.numericData, [Self.prompt, TLV(0xDFA207, [2, 1])])
        desk.send(short)
        try desk.press("enter 1234 enter")
        #expect(desk.reader.isAskingForKeys)
        try desk.press("clear 123 enter")
        #expect(text(desk.answer(to: short)) == "123")
        let empty = input(.numericData, p2: 0x04)
        desk.send(empty)
        try desk.press("enter")
        #expect(text(desk.answer(to: empty)) == "")
    }

    @Test func aDateHasFourDigits() throws {
        var desk = MiuraDesk()
        desk.send(input(.expirationDate))
        try desk.press("251 enter")
        #expect(desk.reader.isAskingForKeys)
        try desk.press("2 enter")
        #expect(text(desk.answer(to: input(.expirationDate))) == "2512")
    }

    @Test func aMenuAndATipAreChosenByNumber() throws {
        var desk = MiuraDesk()
        let menu = input(
            .menuOption,
            [TLV(0xDFA501, text: "Pay"), TLV(0xDFA502, text: "Now"), TLV(0xDFA502, text: "Later")]
        )
        desk.send(menu)
        try desk.press("3 enter clear 2 enter")
        #expect(text(desk.answer(to: menu)) == "Later")
        let tip = input(.dynamicTip, [TLV(0xDFA217, [5, 10, 0xFE, 0xFF])])
        desk.send(tip)
        try desk.press("5 enter clear 4 enter")
        #expect(text(desk.answer(to: tip)) == "4")
    }

    // MARK: Ends

    @Test(arguments: MiuraInput.Kind.allCases)
    func everyInputCanBeCancelledAbortedAndTimesOut(_ kind: MiuraInput.Kind) throws {
        let objects = [
            Self.prompt, TLV(0xDFA502, text: "a"), TLV(0xDFA217, [1, 2, 3, 4]),
            TLV(0xDFA210, [1]), TLV(.timeLimit, [0x00, 0x0A]),
        ]
        let command = input(kind, p1: 1, objects)
        var desk = MiuraDesk()
        desk.send(command)
        try desk.press("1 cancel")
        #expect(desk.statusWords() == [.cancelled])
        desk.send(command)
        desk.send(.abort)
        #expect(desk.statusWords() == [.success, .cancelled])
        desk.send(command)
        desk.wait(.milliseconds(9_999))
        #expect(desk.messages.isEmpty)
        desk.wait(.milliseconds(1))
        #expect(desk.statusWords() == [.timedOut])
    }

    @Test(arguments: MiuraInput.Kind.allCases)
    func everyInputNeedsItsObjects(_ kind: MiuraInput.Kind) {
        var desk = MiuraDesk()
        desk.send(input(kind, p1: 1, [TLV(.timeLimit, [0, 1])]))
        #expect(desk.statusWords() == [.invalidReference])
        #expect(!desk.reader.isAskingForKeys)
    }

    // MARK: Secure data

    @Test func aTypedNumberComesEncrypted() throws {
        let card = try #require(TestCard.named("visa"))
        let track = try #require(Track2(parsing: card.unmaskedTrack2))
        var desk = MiuraDesk()
        let command = input(.securePAN)
        desk.send(command)
        try desk.press(track.pan.unmasked + " enter")
        guard case .input(let objects) = desk.answer(to: command) else {
            Issue.record("no answer")
            return
        }
        #expect(objects.first(.numericData)?.text == "411111******1111")
        #expect(try clear(objects, desk).first(0xDFA211)?.text == track.pan.unmasked)
    }

    @Test func elementsAreCollectedAndEncryptedTogether() throws {
        let card = try #require(TestCard.named("visa"))
        let track = try #require(Track2(parsing: card.unmaskedTrack2))
        var desk = MiuraDesk()
        let empty = input(.secureData, p1: 2, [])
        desk.send(empty)
        #expect(desk.statusWords() == [MiuraStatusWord(0x9F, 0xE2)])
        for (code, keys) in [(1, track.pan.unmasked), (4, "2512"), (6, "999")] as [(UInt8, String)]
        {
            desk.send(input(.secureData, p1: 1, [Self.prompt, TLV(0xDFA210, [code])]))
            try desk.press(keys + " enter")
            #expect(desk.statusWords() == [.success])
        }
        desk.send(empty)
        guard case .input(let objects) = desk.answer(to: empty) else {
            Issue.record("no answer")
            return
        }
        let elements = try clear(objects, desk)
        #expect(elements.map(\.tag) == [0xDFA211, 0xDFA214, 0xDFA216])
        #expect(elements.first(0xDFA216)?.text == "999")
        desk.send(input(.secureData, p1: 0, []))
        desk.send(empty)
        #expect(desk.statusWords() == [.success, MiuraStatusWord(0x9F, 0xE2)])
    }

    @Test func aWrongNumberIsNotTakenAndWithoutAKeyNoneIs() throws {
        var desk = MiuraDesk()
        let command = input(.secureData, p1: 1, [Self.prompt, TLV(0xDFA210, [1])])
        desk.send(command)
        try desk.press("4111111111111112 enter")
        #expect(desk.reader.isAskingForKeys)
        var keyless = MiuraDesk { $0.hasSREDKey = false }
        #expect(keyless.ask(command) == .refused(.keysNotReady, []))
    }

    private func clear(_ objects: [TLV], _ desk: MiuraDesk) throws -> [TLV] {
        let ksn = try #require(objects.first(.sredKSN).flatMap { KSN($0.value) })
        let key = desk.cache.derive(.publishedTestKey, ksn: ksn, variant: .dataRequest)
        let block = try #require(objects.first(.sredData)?.value)
        return try TLV.objects(in: try #require(desk.cache.decrypt(block, key: key)))
    }
}
