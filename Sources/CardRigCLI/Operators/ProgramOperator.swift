import CardData
import EventLoops
import Journal
import Kernel
import Rig

/// A program that is run for each act: a robot arm, a relay, a colleague's terminal.
///
/// Behind its own arguments it gets the words of ``HandLine``, the reader's name last. The
/// environment has the rest:
///
/// | variable | holds |
/// | --- | --- |
/// | `CARDRIG_STEP` | the step's own words, digits of keys as dots |
/// | `CARDRIG_READER` | the reader's name in the scenario |
/// | `CARDRIG_FILE`, `CARDRIG_LINE` | where the scenario says it |
/// | `CARDRIG_HAND_TIMEOUT` | how many seconds the hand may take; then the program is ended |
///
/// It exits with 0 when it has acted, with 75 to be given its time again before it is asked a
/// second time, with 77 to leave the scenario out, and with anything else when it gives up.
final class ProgramOperator: Operator {
    /// How often a program is looked at where the kernel does not tell when it ends.
    private static let pauseNanoseconds: Int64 = 20_000_000

    private let command: [String]
    private let option: String
    private let wakeUp: OperatorWakeUp
    private var request: HandRequest?
    /// The whole command of the act that is under way, and what it is called.
    private var exactly: (command: [String], name: String)?
    private var child: Child?
    private var failure: String?

    /// Creates an operator over a program and its first arguments.
    ///
    /// - Parameters:
    ///   - command: The program, which is not looked for before the first act.
    ///   - option: What named it, for complaints.
    /// - Throws: `KernelError` when the process has no descriptors left.
    init(_ command: [String], option: String) throws(KernelError) {
        self.command = command
        self.option = option
        wakeUp = try OperatorWakeUp()
    }

    /// Creates an operator over a command; its words are separated by blanks.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    convenience init(command: String) throws(KernelError) {
        try self.init(
            command.split(separator: " ").map(String.init),
            option: "--operator program:"
        )
    }

    var wakeDescriptor: Int32? { wakeUp.descriptor }

    /// Runs another command than the operator's own, as it is, for an act.
    func begin(_ request: HandRequest, exactly command: [String], name: String) {
        failure = nil
        child = nil
        exactly = (command, name)
        self.request = request
        start(request)
    }

    func begin(_ request: HandRequest) {
        failure = nil
        child = nil
        exactly = nil
        self.request = request
        guard !command.isEmpty else {
            fail("\(option) names no program")
            return
        }
        start(request)
    }

    func poll() -> OperatorAnswer? {
        if let failure {
            wakeUp.wake(at: nil)
            return .aborted(failure)
        }
        guard let child, let request else { return nil }
        guard let status = child.process.poll() else {
            if child.process.descriptor == nil { lookAgain() }
            return nil
        }
        end()
        switch status {
        case .exited(0): return .done
        case .exited(75):
            start(request)
            return .again
        case .exited(77):
            return .skipped("skipped by \(name) (exit code 77) at '\(shown(request))'")
        case .exited(let code):
            return .aborted("\(name) ended with exit code \(code) at '\(shown(request))'")
        case .signalled(let signal):
            return .aborted("\(name) was ended by signal \(signal) at '\(shown(request))'")
        }
    }

    /// Ends a program that took too long.
    func cancel() { end() }

    private func start(_ request: HandRequest) {
        do throws(KernelError) {
            let settings = [
                "CARDRIG_STEP=\(shown(request))",
                "CARDRIG_READER=\(request.readerName)",
                "CARDRIG_FILE=\(request.file)",
                "CARDRIG_LINE=\(request.location?.line ?? 0)",
                "CARDRIG_HAND_TIMEOUT=\(request.timeLimit.nanoseconds / 1_000_000_000)",
            ]
            let words = HandLine.words(request.act, readerName: request.readerName)
            let child = Child(
                try ChildProcess(exactly?.command ?? command + words, setting: settings)
            )
            self.child = child
            if let descriptor = child.process.descriptor, wakeUp.watch(descriptor) { return }
            lookAgain()
        } catch {
            fail("\(option) \(error)")
        }
    }

    /// Lets go of the program; one that still runs is killed.
    private func end() {
        guard let child else { return }
        if let descriptor = child.process.descriptor { wakeUp.forget(descriptor) }
        wakeUp.wake(at: nil)
        self.child = nil
    }

    private var name: String {
        exactly?.name ?? "the operator's program \(command.first ?? "")"
    }

    private func shown(_ request: HandRequest) -> String {
        SafeText(scrubbing: request.words).description
    }

    private func fail(_ reason: String) {
        failure = reason
        wakeUp.wake(at: 1)
    }

    private func lookAgain() { wakeUp.wake(at: MonotonicClock.now + Self.pauseNanoseconds) }
}

/// A place for a child process, which cannot be copied.
private final class Child {
    var process: ChildProcess

    init(_ process: consuming ChildProcess) { self.process = process }
}
