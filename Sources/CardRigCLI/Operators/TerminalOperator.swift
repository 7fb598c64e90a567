import CardData
import EventLoops
import Kernel
import Rig

/// A person at a terminal: a prompt with the step's own words, a bell, and a countdown.
///
/// | key | says |
/// | --- | --- |
/// | Enter, blank | it is done |
/// | r | ask again: the time limit begins anew, with its bell |
/// | s | leave this scenario out; it counts as skipped |
/// | a | give up: the run ends, exit code 3 |
///
/// What the reader shows by itself (it comes, leaves, or sends its first byte) needs no key.
final class TerminalOperator: Operator {
    private let keys: TerminalKeys
    private let write: (String) -> Void
    private let wakeUp: OperatorWakeUp
    private var limit = VirtualDuration.zero
    private var words = ""
    private var deadline: Int64 = 0
    private var isBusy = false
    private var isShownByReader = false

    private static let choices = "Enter: done, r: ask again, s: skip the scenario, a: give up"

    /// Creates an operator.
    ///
    /// - Parameters:
    ///   - keys: What the person presses.
    ///   - write: Where the prompt goes.
    /// - Throws: `KernelError` when the process has no descriptors left.
    init(_ keys: TerminalKeys, write: @escaping (String) -> Void) throws(KernelError) {
        self.keys = keys
        self.write = write
        wakeUp = try OperatorWakeUp()
    }

    var wakeDescriptor: Int32? { wakeUp.descriptor }

    func begin(_ request: HandRequest) {
        words = SafeText(scrubbing: request.words).description
        limit = request.timeLimit
        isShownByReader = false
        isBusy = true
        // What was typed before the prompt is no answer to it.
        keys.begin()
        ask()
        _ = wakeUp.watch(keys.descriptor)
    }

    func poll() -> OperatorAnswer? {
        guard isBusy else { return nil }
        guard let answer = answer() else {
            prompt()
            return nil
        }
        if answer == .again {
            ask()
        } else {
            finish()
        }
        return answer
    }

    /// The reader came, left or sent something: the person need not say so.
    func readerShowedAct() {
        guard isBusy else { return }
        isShownByReader = true
        wakeUp.wake(at: 1)
    }

    /// Ends the line of a prompt that nobody answers, so that what follows begins one of its own.
    func cancel() {
        if isBusy { finish() }
    }

    private func finish() {
        write("\n")
        isBusy = false
        wakeUp.forget(keys.descriptor)
        keys.end()
    }

    private func answer() -> OperatorAnswer? {
        if isShownByReader { return .done }
        switch keys.read() {
        case .nothing: return nil
        case .end: return .aborted("the terminal was closed at '\(words)'")
        case .keys(let bytes):
            // Arrows and the like come as an escape and more bytes.
            guard bytes.first != 0x1B else { return nil }
            for byte in bytes {
                switch byte {
                case 0x0A, 0x0D, 0x20: return .done
                case UInt8(ascii: "r"): return .again
                case UInt8(ascii: "s"):
                    return .skipped("skipped by the person at the desk at '\(words)'")
                case UInt8(ascii: "a"):
                    return .aborted("the person at the desk gave up at '\(words)'")
                case 0x04: return .aborted("the terminal was closed at '\(words)'")
                default: write("\u{07}\r\u{1B}[K   \(Self.choices)\n")
                }
            }
            return nil
        }
    }

    /// Begins the countdown, with the bell.
    private func ask() {
        let (sum, overflow) = MonotonicClock.now.addingReportingOverflow(limit.nanoseconds)
        deadline = overflow ? .max : sum
        write("\u{07}")
        prompt()
    }

    /// Writes the prompt over itself, and again when the next second is over.
    private func prompt() {
        let left = max(0, deadline - MonotonicClock.now)
        let seconds = (left + 999_999_999) / 1_000_000_000
        write("\r>> \(words)   [\(Self.choices)] \(seconds) s \u{1B}[K")
        wakeUp.wake(at: left == 0 ? nil : deadline - (seconds - 1) * 1_000_000_000)
    }
}
