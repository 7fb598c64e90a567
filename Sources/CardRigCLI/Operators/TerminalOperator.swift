import CardData
import EventLoops
import Kernel
import Rig

/// A person at a terminal: a prompt with the step's own words, a bell, and a countdown.
///
/// Enter says that it is done, `a` and Enter that the person gives up.
final class TerminalOperator: Operator {
    private let lines: LineStream
    private let limit: VirtualDuration
    private let write: (String) -> Void
    private let wakeUp: OperatorWakeUp
    private var words = ""
    private var deadline: Int64 = 0
    private var isBusy = false

    /// Creates an operator.
    ///
    /// - Parameters:
    ///   - lines: What the person types.
    ///   - limit: How long a hand may take, for the countdown.
    ///   - write: Where the prompt goes.
    /// - Throws: `KernelError` when the process has no descriptors left.
    init(
        _ lines: LineStream,
        limit: VirtualDuration,
        write: @escaping (String) -> Void
    ) throws(KernelError) {
        self.lines = lines
        self.limit = limit
        self.write = write
        wakeUp = try OperatorWakeUp()
    }

    var wakeDescriptor: Int32? { wakeUp.descriptor }

    func begin(_ act: HandAct, readerName: String, words: String) {
        self.words = SafeText(scrubbing: words).description
        // What was typed before the prompt is no answer to it.
        while let line = try? lines.nextLine(), !line.isEmpty || !lines.isFinished {}
        let (sum, overflow) = MonotonicClock.now.addingReportingOverflow(limit.nanoseconds)
        deadline = overflow ? .max : sum
        isBusy = true
        write("\u{07}")
        prompt()
        _ = wakeUp.watch(lines.descriptor)
    }

    func poll() -> OperatorAnswer? {
        guard isBusy else { return nil }
        guard let answer = answer() else {
            prompt()
            return nil
        }
        if lines.isFinished { write("\n") }
        isBusy = false
        wakeUp.forget(lines.descriptor)
        return answer
    }

    /// Ends the line of a prompt that nobody answers, so that what follows begins one of its own.
    func cancel() {
        guard isBusy else { return }
        write("\n")
        isBusy = false
        wakeUp.forget(lines.descriptor)
    }

    private func answer() -> OperatorAnswer? {
        do throws(KernelError) {
            while let line = try lines.nextLine() {
                switch line {
                case "", "d", "done": return .done
                case "a", "abort": return .aborted("the person at the desk gave up at '\(words)'")
                default: write("  Enter when it is done, or a and Enter to give up\n")
                }
            }
        } catch {
            return .aborted("the terminal cannot be read: \(error)")
        }
        return lines.isFinished ? .aborted("the terminal was closed at '\(words)'") : nil
    }

    /// Writes the prompt over itself, and again when the next second is over.
    private func prompt() {
        let left = max(0, deadline - MonotonicClock.now)
        let seconds = (left + 999_999_999) / 1_000_000_000
        write("\r>> \(words)   [Enter: done, a: give up] \(seconds) s \u{1B}[K")
        wakeUp.wake(at: left == 0 ? nil : deadline - (seconds - 1) * 1_000_000_000)
    }
}
