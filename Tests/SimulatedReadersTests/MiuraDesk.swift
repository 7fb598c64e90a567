import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing
import Transports

/// A host with a link to a Miura reader, at which a test can act.
struct MiuraDesk {
    var reader: SimulatedMiura
    let cache = CryptoCache()
    var now = VirtualInstant.zero
    /// What the reader sent and nobody has looked at.
    var messages: [MiuraMessage] = []
    var facts: [MiuraFact] = []
    var dropCount = 0
    var reachableCount = 0
    private var decoder = MiuraDecoder(.fromReader)

    init(_ change: (inout MiuraReaderConfiguration) -> Void = { _ in }, isLinked: Bool = true) {
        var configuration = MiuraReaderConfiguration()
        change(&configuration)
        reader = SimulatedMiura(configuration)
        if isLinked {
            connect()
            messages = []
        }
    }

    mutating func connect() { collect(reader.connected(at: now, cache: cache)) }

    mutating func disconnect() {
        collect(reader.disconnected(at: now, cache: cache))
        decoder.reset()
    }

    mutating func collect(_ effects: [MiuraReaderEffect]) {
        for effect in effects {
            switch effect {
            case .send(let transmission): decoder.append(transmission.unit.payload)
            case .dropLink: dropCount += 1
            case .reachable: reachableCount += 1
            case .noted(let fact): facts.append(fact)
            }
        }
        while let reading = decoder.next() {
            guard case .message(let message) = reading else {
                Issue.record("the reader sent something else than messages")
                return
            }
            messages.append(message)
        }
    }

    // MARK: The host

    mutating func send(_ bytes: [UInt8]) {
        collect(reader.receive(bytes[...], cache: cache, at: now))
    }

    mutating func send(_ command: MiuraCommand, to node: MiuraNode = .reader) {
        send(command.message(to: node).bytes)
    }

    /// Sends a command and waits for its answer, five seconds at most.
    mutating func ask(_ command: MiuraCommand, to node: MiuraNode = .reader) -> MiuraAnswer? {
        send(command, to: node)
        return answer(to: command)
    }

    /// Waits for the answer to a command, five seconds at most.
    mutating func answer(to command: MiuraCommand) -> MiuraAnswer? {
        let end = now + .seconds(5)
        while true {
            if let index = messages.firstIndex(where: { !$0.isUnsolicited }) {
                let message = messages.remove(at: index)
                return try? MiuraAnswer(MiuraResponse(message), to: command)
            }
            guard let next = reader.nextDeadline, next <= end else { return nil }
            wait(until: next)
        }
    }

    mutating func wait(until instant: VirtualInstant) {
        now = max(now, instant)
        collect(reader.advance(to: now, cache: cache))
    }

    /// Lets happen what is on its way within so long.
    mutating func wait(_ duration: VirtualDuration) {
        let end = now + duration
        while let next = reader.nextDeadline, next <= end { wait(until: next) }
        wait(until: end)
    }

    /// The events among what came, which are taken.
    mutating func events() -> [MiuraEvent] {
        let events = messages.filter(\.isUnsolicited).map { MiuraEvent(MiuraResponse($0)) }
        messages.removeAll(where: \.isUnsolicited)
        return events
    }

    /// The status words of the answers that came, which are taken.
    mutating func statusWords() -> [MiuraStatusWord] {
        let words = messages.filter { !$0.isUnsolicited }.map { MiuraResponse($0).statusWord }
        messages.removeAll { !$0.isUnsolicited }
        return words
    }

    /// The outcome of a transaction that runs, or its status word.
    mutating func outcome() -> MiuraOutcome? {
        if case .transaction(let outcome) = answer(to: .startTransaction(Self.sale)) {
            return outcome
        }
        return nil
    }

    /// The outcome of a transaction that runs; something else fails the test.
    mutating func knownOutcome() throws -> MiuraOutcome {
        let outcome = outcome()
        return try #require(outcome)
    }

    /// The status word of the next answer.
    mutating func statusWord() -> MiuraStatusWord? {
        switch answer(to: .startTransaction(Self.sale)) {
        case .refused(let word, _): word
        case nil: nil
        default: .success
        }
    }

    static let sale = MiuraTransaction(
        amountMinorUnits: 15_00,
        currency: 826,
        clock: MiuraClock(year: 24, month: 6, day: 3, hour: 9)
    )

    static let approval = MiuraCommand.continueTransaction(
        [TLV(.authorisationResponseCode, text: "00")]
    )
    static let refusal = MiuraCommand.continueTransaction(
        [TLV(.authorisationResponseCode, text: "05")]
    )

    // MARK: The hands

    mutating func insert(_ name: String) throws {
        let card = try #require(TestCard.named(name))
        collect(reader.insert(card, cache: cache, at: now))
    }

    mutating func removeCard() { collect(reader.removeCard(cache: cache, at: now)) }

    mutating func tap(_ name: String) throws {
        let card = try #require(TestCard.named(name))
        collect(reader.tap(card, cache: cache, at: now))
    }

    mutating func swipe(_ name: String, _ quality: SwipeQuality = .good) throws {
        let card = try #require(TestCard.named(name))
        collect(reader.swipe(card, quality: quality, cache: cache, at: now))
    }

    mutating func press(_ text: String) throws {
        let keys = try #require(MiuraKey.keys(text))
        collect(reader.press(keys, cache: cache, at: now))
    }

    /// Inserts a card, starts a sale and waits until keys or nothing more are asked.
    mutating func start(_ name: String, _ sale: MiuraTransaction = MiuraDesk.sale) throws {
        try insert(name)
        send(.startTransaction(sale))
        wait(.milliseconds(500))
    }
}

extension MiuraOutcome {
    /// The value of an object as hexadecimal digits.
    func text(_ tag: TLVTag) -> String? {
        objects.first(tag).map { Hexadecimal.encode($0.value) }
    }
}

extension MiuraReaderStatus {
    /// A short form for comparisons.
    var short: String {
        var parts = [Hexadecimal.encode([code.rawValue])]
        if let pinDigitCount { parts.append("digits \(pinDigitCount)") }
        if let pinEntry { parts.append("\(pinEntry)") }
        return parts.joined(separator: " ")
    }
}
