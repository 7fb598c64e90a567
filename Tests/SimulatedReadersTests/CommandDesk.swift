import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Transports

/// A simulated reader and the hand and host that use it in tests.
struct CommandDesk {
    var reader: SimulatedMagneSafeReader
    let cache = CryptoCache()
    var now = VirtualInstant.zero

    init(
        _ model: MagneSafeModel,
        level: MagneSafeSecurityLevel = .three,
        counter: UInt32 = 0,
        _ change: (inout MagneSafeReaderConfiguration) -> Void = { _ in }
    ) {
        var configuration = MagneSafeReaderConfiguration(model)
        configuration.securityLevel = level
        configuration.initialKSN = KSN.publishedTestKSN.withCounter(counter)
        change(&configuration)
        reader = SimulatedMagneSafeReader(configuration)
    }

    /// Lets seconds pass.
    mutating func wait(_ seconds: Int64) { now = now + .milliseconds(seconds * 1_000) }

    /// Sends command bytes in hexadecimal, blanks ignored, the way of the reader's transport; a
    /// reset is carried out.
    ///
    /// - Returns: Result, length and data of the answer in hexadecimal, or a word for a failure.
    mutating func send(_ hexadecimal: String) -> String {
        let text = hexadecimal.utf8.filter { $0 != 0x20 }
        guard let bytes = Hexadecimal.decode(text) else { return "not hexadecimal" }
        if reader.configuration.isStream {
            let unit = TransportUnit(.bytes, (text + [0x0D])[...])
            return perform(reader.receive(unit, cache: cache, at: now)) ?? "silent"
        }
        let size = reader.featureByteCount
        let report = bytes + [UInt8](repeating: 0, count: max(0, size - bytes.count))
        let set = TransportUnit(.featureSet(id: 0), report[...])
        if let problem = perform(reader.receive(set, cache: cache, at: now)) { return problem }
        // A reset may have changed the size.
        let get = TransportUnit(
            .featureGet(id: 0, byteCount: reader.featureByteCount),
            []
        )
        return perform(reader.receive(get, cache: cache, at: now)) ?? "silent"
    }

    /// Sends a command with its MAC under the key that the reader tells.
    mutating func sendAuthenticated(_ hexadecimal: String) -> String {
        let text = hexadecimal.utf8.filter { $0 != 0x20 }
        guard let bytes = Hexadecimal.decode(text), bytes.count >= 2 else { return "too short" }
        let plain = MagneSafeCommand(number: bytes[0], data: Array(bytes[2...]))
        let shown = reader.ksn.counter == 0 ? reader.ksn.withCounter(1) : reader.ksn
        let key = cache.derive(.publishedTestKey, ksn: shown, variant: .macRequest)
        let whole = plain.authenticated { cache.mac($0, key: key) }
        return send(Hexadecimal.encode(whole.bytes))
    }

    private mutating func perform(_ reactions: [MagneSafeReaction]) -> String? {
        var said: String?
        for reaction in reactions {
            switch reaction {
            case .finishFeature(.set): break
            case .finishFeature(.got(let report)):
                let bytes = Array(report)
                said = Hexadecimal.encode(bytes.prefix(2 + Int(bytes[1])))
            case .finishFeature(.stalled): said = "stalled"
            case .finishFeature(.timedOut): said = "timed out"
            case .send(let transmission):
                said = String(decoding: transmission.unit.payload.dropLast(), as: UTF8.self)
            case .reattach: reader.powerUp()
            }
        }
        return said
    }

    /// Swipes a card and returns all bytes that leave the reader.
    mutating func swipe(_ card: TestCard?, quality: SwipeQuality = .good) -> [UInt8] {
        guard let card else { return [] }
        return reader.swipe(card: card, quality: quality, cache: cache, at: now)
            .flatMap { Array($0.unit.payload) }
    }

    /// Swipes a card and returns the text that a keyboard reader types.
    mutating func typed(_ card: TestCard?) -> String {
        var decoder = KeyboardTextDecoder()
        return String(decoding: decoder.append(swipe(card).span), as: UTF8.self)
    }

    /// Swipes a card and returns a stream's text up to its terminator.
    mutating func message(_ card: TestCard?, quality: SwipeQuality = .good) -> String {
        let bytes = swipe(card, quality: quality)
        return String(decoding: bytes.prefix { $0 != 0x0D }, as: UTF8.self)
    }
}
