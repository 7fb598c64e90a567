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
/// Each is answered by `ok`, or by `error` and the reason. The reader's name may follow, which is
/// what `serve` calls it, what it stands in for, or the name under which a scenario plugged it in.
enum HandCommand: Equatable {
    case plugIn
    case unplug
    case swipe(card: String, quality: SwipeQuality)
    case status
    case quit
    /// What only the reader itself may know, word by word.
    case other([String])

    /// Reads a line behind which the reader's name may stand; what `plug in` and `unplug` call it is
    /// added to the names: that is the scenario's name for it.
    ///
    /// - Throws: ``HandRefusal`` with what would be right.
    init(parsing line: String, names: inout HandNames) throws(HandRefusal) {
        var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        names.learn(words)
        if words.count > 1, let last = words.last, names.contains(last) { words.removeLast() }
        switch words.first {
        case nil:
            throw HandRefusal(reason: "expected what the hand does, such as plug in or swipe visa")
        case "plug" where words == ["plug", "in"]: self = .plugIn
        case "plug": throw HandRefusal(reason: "expected plug in, and the reader's name")
        case "unplug" where words.count == 1: self = .unplug
        case "status" where words.count == 1: self = .status
        case "quit" where words.count == 1: self = .quit
        case "swipe": self = try Self.swipe(words.dropFirst(), names)
        default: self = .other(words)
        }
    }

    private static func swipe(
        _ words: ArraySlice<String>,
        _ names: HandNames
    ) throws(HandRefusal) -> HandCommand {
        guard let card = words.first else {
            throw HandRefusal(reason: "expected the card after swipe, such as visa")
        }
        let quality: SwipeQuality
        switch Array(words.dropFirst()) {
        case [], ["good"]: quality = .good
        case ["partial"]: quality = .partial
        case ["reversed"]: quality = .reversed
        case ["tooFast"], ["too", "fast"]: quality = .tooFast
        case ["unreadable"]: quality = .unreadable
        default:
            throw HandRefusal(
                reason: "a swipe is good, partial, reversed, too fast or unreadable, and the "
                    + "reader's name may follow, which is \(names)"
            )
        }
        return .swipe(card: card, quality: quality)
    }
}

/// What the reader is called that a hand acts at.
struct HandNames: Equatable, CustomStringConvertible {
    private let own: String
    /// The name of what it stands in for.
    private let other: String?
    private var ofScenario: String?

    /// Begins with the name that `serve` has for it, and that of the kind whose scenarios are played
    /// on it as well.
    init(_ own: String, standingInFor other: String? = nil) {
        self.own = own
        self.other = other
    }

    /// Takes the name that follows `plug in` or `unplug`, in place of the one before.
    mutating func learn(_ words: [String]) {
        if words.count == 3, words.starts(with: ["plug", "in"]) { ofScenario = words[2] }
        if words.count == 2, words[0] == "unplug" { ofScenario = words[1] }
    }

    func contains(_ word: String) -> Bool {
        word == own || word == other || word == ofScenario
    }

    var description: String { own }
}
