import EventLoops
import Journal
import ScenarioLanguage
import ScenarioRunner

/// What hands do at a served reader by themselves: the hand's steps of a scenario file, and its waits.
///
/// They begin when the first client has the reader.
struct ServeSteps {
    /// A line as hands say it, and how long after the one before.
    struct Line: Equatable {
        var pause: VirtualDuration
        var text: String
    }

    private let lines: [Line]
    private var next = 0
    /// When the next one is due, in nanoseconds of `MonotonicClock`; `nil` before they begin.
    private var due: Int64?

    init(_ lines: [Line]) { self.lines = lines }

    /// Reads a scenario file with nothing in it but what a hand can do.
    ///
    /// - Throws: ``UsageError`` for a file that is no scenario, that has a matrix, or that has other
    ///   steps, which need an app.
    init(file: String) throws(UsageError) {
        let loaded = LoadedScenario(file: file)
        guard let cell = loaded.cells.first else {
            throw .wrong("--steps: \(file) is no scenario; `./cardrig check \(file)` says why")
        }
        guard loaded.cells.count == 1 else {
            throw .wrong("--steps: \(file) has a matrix; give a file with one scenario")
        }
        var lines: [Line] = []
        var pause = VirtualDuration.zero
        for index in cell.prepared.order {
            let step = cell.prepared.flat[index].step
            if case .wait(let duration) = step.action {
                pause = pause + duration
            } else if let act = step.action.handAct {
                let words = HandLine.words(act, readerName: "")
                let text = words.filter { !$0.isEmpty }.joined(separator: " ")
                lines.append(Line(pause: pause, text: text))
                pause = .zero
            } else {
                throw .wrong(
                    "--steps: \(file) line \(step.location.line) is no act of a hand and no wait; "
                        + "what an app does is played by `run --operator control:PLACE`"
                )
            }
        }
        self.init(lines)
    }

    /// When there is something to do.
    var nextDue: Int64? { next < lines.count ? due : nil }

    /// Begins, unless they have begun.
    mutating func begin(at now: Int64) {
        guard due == nil, let first = lines.first else { return }
        due = now + first.pause.nanoseconds
    }

    /// Returns the next line that is due, or `nil`.
    mutating func nextLine(at now: Int64) -> String? {
        guard let due, next < lines.count, due <= now else { return nil }
        let text = lines[next].text
        next += 1
        if next < lines.count { self.due = due + lines[next].pause.nanoseconds }
        return text
    }
}
