import CLinux
import Glibc

/// A thread with a stack of 8 MiB that runs one closure.
public final class WorkerThread: Sendable {
    /// The size of each worker's stack, in bytes.
    public static let stackByteCount = 8 * 1_024 * 1_024

    private let thread: pthread_t

    /// Starts the thread.
    ///
    /// - Throws: ``KernelError`` when the machine has no room for another thread.
    public init(_ body: @escaping @Sendable () -> Void) throws(KernelError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackByteCount)
        let box = Unmanaged.passRetained(WorkerBody(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<WorkerBody>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            box.toOpaque()
        )
        guard code == 0 else {
            box.release()
            throw KernelError(number: code, operation: "start a thread")
        }
        self.thread = thread
    }

    /// Waits for the closure's end; call it exactly once, from another thread, or ``detach()``.
    public func join() { pthread_join(thread, nil) }

    /// Leaves the closure to itself; nobody can wait for its end then.
    public func detach() { pthread_detach(thread) }
}

private final class WorkerBody: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Runs the closure once for each index from 0 to `count - 1`, each on a thread of its own, and
/// returns when all have ended.
///
/// One index runs on the caller's thread; so do those for which the machine has no thread left.
public func runInParallel(count: Int, body: @Sendable (Int) -> Void) {
    guard count > 1 else {
        if count == 1 { body(0) }
        return
    }
    withoutActuallyEscaping(body) { body in
        var threads: [WorkerThread] = []
        var leftOver: [Int] = []
        for index in 0..<count {
            if let thread = try? WorkerThread({ body(index) }) {
                threads.append(thread)
            } else {
                leftOver.append(index)
            }
        }
        for index in leftOver { body(index) }
        for thread in threads { thread.join() }
    }
}
