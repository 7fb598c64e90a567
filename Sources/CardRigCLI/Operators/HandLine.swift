import CardData
import EventLoops
import Journal
import Rig
import SimulatedReaders
import Transports

/// The line that programs and sockets understand: what a hand has to do at which reader.
///
/// | act | line |
/// | --- | --- |
/// | plug in | `plug in READER` |
/// | unplug | `unplug READER` |
/// | swipe | `swipe CARD QUALITY READER` |
/// | insert, tap, remove card | `insert CARD READER`, `tap CARD READER`, `remove card READER` |
/// | keys, press | `keys DIGITS KEY… READER`, such as `keys 1234 enter miura`; with a pause `keys 1234 enter pause 2000 miura` (milliseconds from one key to the next) |
/// | switch off, switch on, reboot | `switch off READER`, `switch on READER`, `reboot READER` |
/// | set battery | `battery PERCENT READER` |
/// | put something in the way of opening | `open busy READER`, `open late 100 READER` (milliseconds) |
///
/// The line of `keys` is the only place where digits are written that may be a PIN's: whoever
/// presses them must know them. A person is told with dots.
enum HandLine {
    /// The words of the line, the reader's name last.
    static func words(_ act: HandAct, readerName: String) -> [String] {
        switch act {
        case .plugIn:
            ["plug", "in", readerName]
        case .unplug:
            ["unplug", readerName]
        case .swipe(_, let card, let quality):
            ["swipe", card, Vocabulary.spelling(of: quality.symbol), readerName]
        case .insert(_, let card): ["insert", card, readerName]
        case .tap(_, let card): ["tap", card, readerName]
        case .removeCard: ["remove", "card", readerName]
        case .press(_, let keys, let pause):
            ["keys"] + words(keys) + words(pause) + [readerName]
        case .switchOff: ["switch", "off", readerName]
        case .switchOn: ["switch", "on", readerName]
        case .reboot: ["reboot", readerName]
        case .setBattery(_, let percent): ["battery", "\(percent)", readerName]
        case .obstruct(_, let fault): obstacle(fault) + [readerName]
        }
    }

    /// The time between two keys; without one they are pressed as fast as can be.
    private static func words(_ pause: VirtualDuration) -> [String] {
        pause > .zero ? ["pause", milliseconds(pause)] : []
    }

    /// What stands in the way, with its time in milliseconds.
    private static func obstacle(_ fault: OpeningFault) -> [String] {
        ["open", fault.cause.rawValue] + [fault.duration.map(milliseconds)].compactMap(\.self)
    }

    /// Whole milliseconds, rounded up.
    private static func milliseconds(_ duration: VirtualDuration) -> String {
        let (whole, rest) = duration.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return "\(whole + (rest > 0 ? 1 : 0))"
    }

    /// The keys as words; digits that follow one another are one word.
    private static func words(_ keys: [MiuraKey]) -> [String] {
        var words: [String] = []
        var isInDigits = false
        for key in keys {
            if case .digit(let digit) = key {
                if isInDigits {
                    words[words.count - 1] += "\(digit)"
                } else {
                    words.append("\(digit)")
                }
                isInDigits = true
            } else {
                words.append(key.description)
                isInDigits = false
            }
        }
        return words
    }

    /// Reads the other side's answer: `ok`, or `error` and a text for people.
    static func answer(_ line: String) -> OperatorAnswer {
        if line == "ok" { return .done }
        if line == "error" || line.hasPrefix("error ") {
            let text = SafeText(scrubbing: String(line.dropFirst(6)))
            return .aborted("the operator gave up\(line.count > 6 ? ": \(text)" : "")")
        }
        return .aborted(
            "the operator answered '\(SafeText(scrubbing: String(line.prefix(80))))', not ok or "
                + "error"
        )
    }
}
