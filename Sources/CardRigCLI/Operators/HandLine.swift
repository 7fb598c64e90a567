import CardData
import Journal
import Rig

/// The line that programs and sockets understand: what a hand has to do at which reader.
///
/// | act | line |
/// | --- | --- |
/// | plug in | `plug in READER` |
/// | unplug | `unplug READER` |
/// | swipe | `swipe CARD QUALITY READER` |
enum HandLine {
    /// The words of the line, the reader's name last.
    static func words(_ act: HandAct, readerName: String) -> [String] {
        switch act {
        case .plugIn:
            ["plug", "in", readerName]
        case .unplug:
            ["unplug", readerName]
        case .swipe(_, let card, let quality):
            ["swipe", card, Vocabulary.spelling(of: quality), readerName]
        }
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
