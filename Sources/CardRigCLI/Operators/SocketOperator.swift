import Kernel
import Rig

/// Whoever is at the other end of a socket, such as `serve --control`: a line for each act, and a
/// line back.
final class SocketOperator: Operator {
    private let lines: LineStream
    private let wakeUp: OperatorWakeUp
    private var failure: String?

    /// Connects to a socket.
    ///
    /// - Throws: `KernelError` when nobody listens there.
    convenience init(_ place: ControlPlace) throws(KernelError) {
        try self.init(LineStream(connectingTo: place))
    }

    /// Speaks over a connected stream.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    init(_ lines: LineStream) throws(KernelError) {
        self.lines = lines
        wakeUp = try OperatorWakeUp()
    }

    var wakeDescriptor: Int32? { wakeUp.descriptor }

    func begin(_ request: HandRequest) {
        failure = nil
        do throws(KernelError) {
            while try lines.nextLine() != nil {}  // late answers to an older act
            let words = HandLine.words(request.act, readerName: request.readerName)
            try lines.send(words.joined(separator: " "))
        } catch {
            failure = "the operator is gone: \(error)"
        }
        if failure != nil || !wakeUp.watch(lines.descriptor) { wakeUp.wake(at: 1) }
    }

    func poll() -> OperatorAnswer? {
        guard let answer = answer() else { return nil }
        wakeUp.forget(lines.descriptor)
        return answer
    }

    private func answer() -> OperatorAnswer? {
        if let failure { return .aborted(failure) }
        do throws(KernelError) {
            if let line = try lines.nextLine() { return HandLine.answer(line) }
        } catch {
            return .aborted("the operator is gone: \(error)")
        }
        return lines.isFinished ? .aborted("the operator hung up without an answer") : nil
    }
}
