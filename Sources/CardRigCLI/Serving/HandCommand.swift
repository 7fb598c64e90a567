import SimulatedReaders

/// One line of whoever plays the hands at a served reader.
///
/// | line | does |
/// | --- | --- |
/// | `plug in [READER]`, `unplug [READER]` | the reader can be reached, or not |
/// | `swipe CARD [QUALITY] [READER]` | a card goes through; good, partial, reversed, too fast, unreadable |
/// | `insert CARD`, `tap CARD`, `remove card`, `keys DIGITS`, `press KEY`, … `[READER]` | readers that have such parts |
/// | `status` | answered by `ok` and who has the reader |
/// | `quit` | the server ends with exit code 0 |
///
/// Each is answered by `ok`, or by `error` and the reason. The name under which a scenario knows the
/// reader may follow, and is not looked at, since one reader is served.
enum HandCommand: Equatable {
    case plugIn
    case unplug
    case swipe(card: String, quality: SwipeQuality)
    case status
    case quit
    /// What only the reader itself may know, word by word.
    case other([String])

    /// Reads a line.
    ///
    /// - Throws: ``HandRefusal`` with what would be right.
    init(parsing line: String) throws(HandRefusal) {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        switch words.first {
        case nil:
            throw HandRefusal(reason: "expected what the hand does, such as plug in or swipe visa")
        case "plug" where (2...3).contains(words.count) && words[1] == "in": self = .plugIn
        case "plug": throw HandRefusal(reason: "expected plug in")
        case "unplug" where words.count <= 2: self = .unplug
        case "status" where words.count == 1: self = .status
        case "quit" where words.count == 1: self = .quit
        case "swipe": self = try Self.swipe(words.dropFirst())
        default: self = .other(words)
        }
    }

    private static func swipe(_ words: ArraySlice<String>) throws(HandRefusal) -> HandCommand {
        guard let card = words.first else {
            throw HandRefusal(reason: "expected the card after swipe, such as visa")
        }
        let rest = Array(words.dropFirst())
        let (quality, count): (SwipeQuality, Int) =
            switch rest.first {
            case "good": (.good, 1)
            case "partial": (.partial, 1)
            case "reversed": (.reversed, 1)
            case "tooFast": (.tooFast, 1)
            case "too" where rest.dropFirst().first == "fast": (.tooFast, 2)
            case "unreadable": (.unreadable, 1)
            default: (.good, 0)
            }
        guard rest.count - count <= 1 else {
            throw HandRefusal(
                reason: "a swipe is good, partial, reversed, too fast or unreadable, and the "
                    + "reader's name may follow"
            )
        }
        return .swipe(card: card, quality: quality)
    }
}
