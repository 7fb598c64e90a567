import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

/// Every state of a Miura reader and every event that can arrive in it.
@Suite("Simulated Miura reader, state by event")
struct MiuraStateTableTests {
    enum Event: String, CaseIterable {
        case insert, remove, tap, swipe, digit, enter, cancel
        case abort, start, contactless, proceed, clock, damage
        case unlink, empty, off, roam, time
    }

    enum State: String, CaseIterable {
        case idle, inserted, selecting, choosing, typing, checking, deciding, waiting, closing
        case polling, tapped, tapWaiting, input, swipePIN, streaming, initialising, leaving
        case rebooting, off
    }

    @Test(arguments: State.allCases)
    func whatEachEventDoesToAReader(_ state: State) throws {
        for event in Event.allCases {
            var desk = try desk(state)
            try act(event, &desk)
            var expected = Self.table[state]?[event] ?? ""
            if state != .rebooting, state != .off { expected = Self.always[event] ?? expected }
            #expect(desk.short == expected, "\(state), \(event)")
        }
    }

    // MARK: The tables; what is not in them causes nothing that a host sees

    /// While there is a link.
    static let always: [Event: String] = [
        .empty: "status:0A dropped",
        .off: "status:0A dropped",
        .roam: "dropped",
    ]

    static let table: [State: [Event: String]] = [
        .idle: [
            .insert: "card:0300",
            .remove: "card-ignored",
            .tap: "card-ignored",
            .swipe: "card:0007",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .abort: "9000",
            .start: "9F23",
            .proceed: "9F22",
            .clock: "9000",
            .damage: "6F00",
        ],
        .inserted: [
            .insert: "card-ignored",
            .remove: "card:0000",
            .tap: "card-ignored",
            .swipe: "card:0007",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .abort: "9000",
            .contactless: "9F43",
            .proceed: "9F22",
            .clock: "9000",
            .damage: "6F00",
        ],
        .selecting: [
            .insert: "card-ignored",
            .remove: "card:0000 E5",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "9F41",
            .abort: "9000 9F41",
            .damage: "6F00",
            .time: "status:02 digits 0 9F42",
        ],
        .choosing: [
            .insert: "card-ignored",
            .remove: "card:0000 E5",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .digit: "status:02 digits 0",
            .enter: "status:02 digits 0",
            .cancel: "9F41",
            .abort: "9000 9F41",
            .damage: "6F00",
            .time: "9F42",
        ],
        .typing: [
            .insert: "card-ignored",
            .remove: "card:0000 E5",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .cancel: "9F41",
            .abort: "9000 9F41",
            .damage: "6F00",
            .time: "9F42",
        ],
        .checking: [
            .insert: "card-ignored",
            .remove: "card:0000 E5",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .abort: "9000 9F41",
            .damage: "6F00",
            .time: "status:02 correct E4",
        ],
        .deciding: [
            .insert: "card-ignored",
            .remove: "card:0000 E5",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .abort: "9000 9F41",
            .damage: "6F00",
            .time: "E4",
        ],
        .waiting: [
            .insert: "card-ignored",
            .remove: "card:0000",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .abort: "9000",
            .start: "9F26",
            .contactless: "9F26",
            .clock: "9000",
            .damage: "6F00",
        ],
        .closing: [
            .insert: "card-ignored",
            .remove: "card:0000 E5",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .abort: "9000 9F41",
            .damage: "6F00",
            .time: "E3",
        ],
        .polling: [
            .insert: "card:0300 9F43",
            .remove: "card-ignored",
            .tap: "status:CB",
            .swipe: "card:0007 9F44",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "9F41",
            .abort: "9000 9F41",
            .damage: "6F00",
            .time: "9F42",
        ],
        .tapped: [
            .insert: "card:0300",
            .remove: "card-ignored",
            .tap: "card-ignored",
            .swipe: "card:0007",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .abort: "9000 9F41",
            .damage: "6F00",
            .time: "E4",
        ],
        .tapWaiting: [
            .insert: "card:0300",
            .remove: "card-ignored",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .abort: "9000",
            .start: "9F26",
            .contactless: "9F26",
            .clock: "9000",
            .damage: "6F00",
        ],
        .input: [
            .insert: "card:0300",
            .remove: "card-ignored",
            .tap: "card-ignored",
            .swipe: "card:0007",
            .cancel: "9F41",
            .abort: "9000 9F41",
            .damage: "6F00",
        ],
        .swipePIN: [
            .insert: "card:0300",
            .remove: "card-ignored",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .cancel: "9000",
            .abort: "9000 9F41",
            .damage: "6F00",
            .time: "9000",
        ],
        .streaming: [
            .insert: "card:0300",
            .remove: "card-ignored",
            .tap: "card-ignored",
            .swipe: "card:0007",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .time: "9F0D",
        ],
        .initialising: [
            .insert: "card:0300",
            .remove: "card-ignored",
            .tap: "card-ignored",
            .swipe: "card:0007",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .abort: "9000",
            .damage: "6F00",
            .time: "9000",
        ],
        .leaving: [
            .insert: "card:0300",
            .remove: "card-ignored",
            .tap: "card-ignored",
            .swipe: "card:0007",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .time: "dropped reachable",
        ],
        .rebooting: [
            .remove: "card-ignored",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
            .time: "reachable",
        ],
        .off: [
            .remove: "card-ignored",
            .tap: "card-ignored",
            .swipe: "card-ignored",
            .digit: "key-ignored",
            .enter: "key-ignored",
            .cancel: "key-ignored",
        ],
    ]

    // MARK: States

    private func desk(_ state: State) throws -> MiuraDesk {
        var desk = MiuraDesk()
        desk.send(.cardStatus(.payments))
        let card = state == .choosing ? "emv-two-applications" : "emv-maestro-pin"
        switch state {
        case .idle: break
        case .inserted: try desk.insert(card)
        case .selecting:
            try desk.insert(card)
            desk.send(.startTransaction(MiuraDesk.sale))
        case .choosing, .typing: try desk.start(card)
        case .checking:
            try desk.start(card)
            try desk.press("1234 enter")
        case .deciding: try desk.start("emv-visa-signature")
        case .waiting:
            try desk.start("emv-visa-signature")
            desk.wait(.seconds(1))
        case .closing:
            try desk.start("emv-visa-signature")
            desk.wait(.seconds(1))
            desk.send(MiuraDesk.approval)
        case .polling: desk.send(.startContactless(MiuraDesk.sale))
        case .tapped, .tapWaiting:
            desk.send(.startContactless(MiuraDesk.sale))
            try desk.tap("contactless-visa")
            if state == .tapWaiting { desk.wait(.seconds(1)) }
        case .input:
            desk.send(.input(MiuraInput(.numericData, objects: [TLV(0xDFA206, [0, 0])])))
        case .swipePIN:
            let masked = try MiuraStripeTests.swipe(&desk)
            desk.send(.onlinePIN(MiuraStripeTests.request(masked)))
        case .streaming:
            desk.send(.selectFile(MiuraFileSelection("a", .truncate)))
            desk.send(.streamBinary(MiuraStream(offset: 0, byteCount: 400, timeLimit: 9)))
        case .initialising: desk.send(.p2peInitialise)
        case .leaving: desk.send(.resetDevice(.hard))
        case .rebooting:
            desk.send(.resetDevice(.hard))
            desk.wait(.seconds(1))
        case .off:
            desk.collect(desk.reader.switchOff(cache: desk.cache, at: desk.now))
        }
        desk.forget()
        return desk
    }

    // MARK: Events

    private func act(_ event: Event, _ desk: inout MiuraDesk) throws {
        switch event {
        case .insert: try desk.insert("emv-visa-pin")
        case .remove: desk.removeCard()
        case .tap: try desk.tap("contactless-visa")
        case .swipe: try desk.swipe("visa")
        case .digit: try desk.press("1")
        case .enter: try desk.press("enter")
        case .cancel: try desk.press("cancel")
        case .abort: desk.send(.abort)
        case .start: desk.send(.startTransaction(MiuraDesk.sale))
        case .contactless: desk.send(.startContactless(MiuraDesk.sale))
        case .proceed: desk.send(MiuraDesk.approval)
        case .clock: desk.send(.readClock)
        case .damage: desk.send([0x01, 0x00, 0x04, 0xD0, 0x00, 0x00, 0x00, 0x00])
        case .unlink: desk.disconnect()
        case .empty: desk.battery(0)
        case .off: desk.collect(desk.reader.switchOff(cache: desk.cache, at: desk.now))
        case .roam:
            desk.collect(desk.reader.roam(for: .seconds(1), cache: desk.cache, at: desk.now))
        case .time: desk.wait(.seconds(300))
        }
    }
}

extension MiuraDesk {
    mutating func forget() {
        messages = []
        facts = []
        dropCount = 0
        reachableCount = 0
    }

    /// What came, in a short form: events in lower case, answers as template or status word.
    var short: String {
        var words: [String] = []
        for message in messages {
            let response = MiuraResponse(message)
            if message.isUnsolicited {
                switch MiuraEvent(response) {
                case .readerStatus(let status): words.append("status:\(status.short)")
                case .cardStatus(let report):
                    words.append(
                        "card:"
                            + Hexadecimal.encode([
                                UInt8(report.status.rawValue >> 8),
                                UInt8(report.status.rawValue & 0xFF),
                            ])
                    )
                default: words.append("event")
                }
            } else if let first = response.body.first, first >= 0xE2, first <= 0xE5 {
                words.append(Hexadecimal.encode([first]))
            } else {
                words.append("\(response.statusWord)")
            }
        }
        if dropCount > 0 { words.append("dropped") }
        if reachableCount > 0 { words.append("reachable") }
        for fact in facts {
            if fact == .cardIgnored { words.append("card-ignored") }
            if fact == .keyIgnored { words.append("key-ignored") }
        }
        return words.joined(separator: " ")
    }
}
