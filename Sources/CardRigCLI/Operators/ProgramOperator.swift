import Kernel
import Rig

/// A program that is run for each act, with the act's words as arguments; exit 0 means done.
final class ProgramOperator: Operator {
    /// How often a program is looked at where the kernel does not tell when it ends.
    private static let pauseNanoseconds: Int64 = 20_000_000

    private let command: [String]
    private let wakeUp: OperatorWakeUp
    private var child: Child?
    private var failure: String?

    /// Creates an operator over a command; its words are separated by blanks.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    init(command: String) throws(KernelError) {
        self.command = command.split(separator: " ").map(String.init)
        wakeUp = try OperatorWakeUp()
    }

    var wakeDescriptor: Int32? { wakeUp.descriptor }

    func begin(_ act: HandAct, readerName: String, words: String) {
        failure = nil
        child = nil
        guard !command.isEmpty else {
            fail("--operator program: names no program")
            return
        }
        do throws(KernelError) {
            let child = Child(
                try ChildProcess(command + HandLine.words(act, readerName: readerName))
            )
            self.child = child
            if let descriptor = child.process.descriptor, wakeUp.watch(descriptor) { return }
            lookAgain()
        } catch {
            fail("\(error)")
        }
    }

    func poll() -> OperatorAnswer? {
        if let failure {
            wakeUp.wake(at: nil)
            return .aborted(failure)
        }
        guard let child else { return nil }
        guard let status = child.process.poll() else {
            if child.process.descriptor == nil { lookAgain() }
            return nil
        }
        if let descriptor = child.process.descriptor { wakeUp.forget(descriptor) }
        wakeUp.wake(at: nil)
        self.child = nil
        switch status {
        case .exited(0): return .done
        case .exited(let code):
            return .aborted("the operator's program ended with exit code \(code)")
        case .signalled(let signal):
            return .aborted("the operator's program was ended by signal \(signal)")
        }
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
