import CLinux
import Glibc

/// How a child process ended.
public enum ExitStatus: Hashable, Sendable {
    /// It returned a status of 0 to 255.
    case exited(Int32)
    /// A signal ended it.
    case signalled(Int32)

    /// The status a shell would report: 128 and the signal's number for one that was ended.
    public var shellCode: Int32 {
        switch self {
        case .exited(let code): code
        case .signalled(let signal): 128 + signal
        }
    }
}

/// A running child process; when its owner goes before it ended, it is killed and reaped.
public struct ChildProcess: ~Copyable {
    /// The number of the process.
    public let processID: Int32
    private let ending: Descriptor?
    private var status: ExitStatus?

    /// Starts a program, found along `PATH` when its name has no slash.
    ///
    /// It inherits standard input, output and error and no other descriptor of ours. The settings
    /// are variables in the form `NAME=value` that replace or extend our own.
    ///
    /// - Throws: ``KernelError`` with `missing` or `accessDenied` when it cannot be started.
    public init(
        _ arguments: [String],
        setting settings: [String] = []
    ) throws(KernelError) {
        precondition(!arguments.isEmpty, "the first argument is the program")
        var environment = ProcessEnvironment.all
        for setting in settings {
            let name = setting.prefix { $0 != "=" } + "="
            environment.removeAll { $0.hasPrefix(name) }
            environment.append(setting)
        }
        var pid: pid_t = 0
        let code = withCStrings(arguments) { argv in
            withCStrings(environment) { envp in clinux_spawn(arguments[0], argv, envp, &pid) }
        }
        try checked(code, "start", path: arguments[0])
        processID = pid
        let descriptor = clinux_process_descriptor(pid)
        ending = descriptor >= 0 ? Descriptor(adopting: descriptor) : nil
        status = nil
    }

    deinit {
        if status == nil {
            _ = kill(processID, SIGKILL)
            var raw: Int32 = 0
            while waitpid(processID, &raw, 0) < 0, errno == EINTR {}
        }
    }

    /// The descriptor that becomes readable when the process ends, or `nil` on a kernel before 5.3.
    public var descriptor: Int32? {
        switch ending {
        case .some(let handle): handle.number
        case .none: nil
        }
    }

    /// Returns how the process ended, or `nil` while it runs.
    public mutating func poll() -> ExitStatus? {
        if let status { return status }
        var raw: Int32 = 0
        guard waitpid(processID, &raw, WNOHANG) == processID else { return nil }
        let signal = raw & 0x7F
        status = signal == 0 ? .exited((raw >> 8) & 0xFF) : .signalled(signal)
        return status
    }

    /// Waits for the end and returns how it came.
    ///
    /// - Parameter deadline: Nanoseconds of ``MonotonicClock``; `nil` waits without limit.
    /// - Returns: How the process ended.
    /// - Throws: ``KernelError`` with `timedOut`; the process still runs then.
    public mutating func wait(
        untilMonotonicNanoseconds deadline: Int64? = nil
    ) throws(KernelError) -> ExitStatus {
        while true {
            if let status = poll() { return status }
            let left = deadline.map { $0 - MonotonicClock.now }
            if let left, left <= 0 {
                throw KernelError(.timedOut, operation: "wait for", path: "process \(processID)")
            }
            var pause = Int32(clamping: left.map { $0 / 1_000_000 + 1 } ?? -1)
            if descriptor == nil { pause = pause < 0 ? 5 : min(pause, 5) }
            var watched = pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
            _ = Glibc.poll(&watched, 1, pause)
        }
    }

    /// Sends a signal; one that has ended is left alone.
    public mutating func signal(_ number: Int32) {
        if poll() == nil { _ = kill(processID, number) }
    }
}

/// Calls the closure with a null-terminated array of C strings.
private func withCStrings(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
) -> Int32 {
    var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return -EINVAL }
        return body(base)
    }
}
