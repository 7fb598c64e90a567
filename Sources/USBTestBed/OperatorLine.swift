import SimulatedReaders

/// One line of the hand.
///
/// | line | effect |
/// | --- | --- |
/// | `plug in [READER]`, `unplug [READER]` | the reader comes or goes |
/// | `plug in silently` | it comes, and no hotplug event tells of it |
/// | `open busy [MS] [READER]` | after the next plug the interface is busy, for so long or for good |
/// | `open denied [MS] [READER]`, `open late MS [READER]` | nobody may open the node then |
/// | `swipe CARD QUALITY [READER]` | the reader sends the report of a swipe, packet by packet |
/// | `send HEX` | the reader sends these bytes as one report |
/// | `refuse claims N` | the next N claims of the interface find it busy |
/// | `miss claims N` | the next N claims find that there is no such interface yet |
/// | `pending`, `driver` | answered by `ok` and the transfers that wait, or the kernel's driver |
/// | `outputs` | answered by `ok` and the output reports since the last time, in hex |
enum OperatorLine: Equatable {
    case plugIn(isSilent: Bool)
    case unplug
    case obstruct(isDenied: Bool, milliseconds: Int?)
    case swipe(card: String, quality: SwipeQuality)
    case send([UInt8])
    case refuseClaims(Int, isMissing: Bool)
    case pending
    case driver
    case outputs

    /// The names under which a scenario may know the reader.
    static let readerNames = ["dynamag", "idynamo", "securemag"]

    /// Reads a line.
    ///
    /// - Throws: ``HandError`` with the reason that is sent back.
    init(parsing line: String) throws(HandError) {
        var words = line.split(separator: " ").map(String.init)
        if let last = words.last, Self.readerNames.contains(last) { words.removeLast() }
        switch (words.first, words.count) {
        case ("plug", 2) where words[1] == "in": self = .plugIn(isSilent: false)
        case ("plug", 3) where words[1...] == ["in", "silently"]: self = .plugIn(isSilent: true)
        case ("open", 2), ("open", 3): self = try Self.obstacle(words[1...])
        case ("unplug", 1): self = .unplug
        case ("swipe", 3), ("swipe", 4):
            self = .swipe(card: words[1], quality: try Self.quality(words[2...]))
        case ("send", 2): self = .send(try Self.bytes(words[1]))
        case ("refuse", 3) where words[1] == "claims", ("miss", 3) where words[1] == "claims":
            guard let count = Int(words[2]), count >= 0 else {
                throw HandError(reason: "expected a number of claims")
            }
            self = .refuseClaims(count, isMissing: words[0] == "miss")
        case ("pending", 1): self = .pending
        case ("driver", 1): self = .driver
        case ("outputs", 1): self = .outputs
        default: throw HandError(reason: "this hand cannot do that")
        }
    }

    private static func obstacle(_ words: ArraySlice<String>) throws(HandError) -> OperatorLine {
        var milliseconds: Int?
        if let text = words.dropFirst().first {
            guard let number = Int(text), 1...600_000 ~= number else {
                throw HandError(reason: "expected 1 to 600000 milliseconds")
            }
            milliseconds = number
        }
        switch words.first {
        case "busy": return .obstruct(isDenied: false, milliseconds: milliseconds)
        case "denied": return .obstruct(isDenied: true, milliseconds: milliseconds)
        case "late" where milliseconds != nil:
            return .obstruct(isDenied: true, milliseconds: milliseconds)
        default: throw HandError(reason: "expected busy, denied or late with its milliseconds")
        }
    }

    private static func quality(_ words: ArraySlice<String>) throws(HandError) -> SwipeQuality {
        switch words.joined(separator: " ") {
        case "good": .good
        case "partial": .partial
        case "reversed": .reversed
        case "too fast", "tooFast": .tooFast
        case "unreadable": .unreadable
        default:
            throw HandError(
                reason: "a swipe is good, partial, reversed, too fast or unreadable"
            )
        }
    }

    private static func bytes(_ text: String) throws(HandError) -> [UInt8] {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count % 2 == 0, !digits.contains(nil) else {
            throw HandError(reason: "expected pairs of hex digits")
        }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8((digits[$0] ?? 0) * 16 + (digits[$0 + 1] ?? 0))
        }
    }
}
