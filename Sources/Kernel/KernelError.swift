import CLinux
import Glibc

/// Why the operating system refused something, with the path it was asked about.
public struct KernelError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs.
    public enum Code: Equatable, Sendable {
        /// There is no such file, directory, program, device or host.
        case missing
        /// A regular file was wanted and this is a directory.
        case isDirectory
        /// A regular file was wanted and this is a device, pipe or socket.
        case notRegular
        /// The file is longer than the caller allows.
        case tooLarge
        /// This user may not do that.
        case accessDenied
        /// The other side of a pipe or socket is gone.
        case closed
        /// The deadline came first.
        case timedOut
        /// A line is longer than the caller allows, or is not UTF-8.
        case badLine
        /// Another program has it for itself.
        case busy
        /// The host is there, and nobody listens at its port.
        case refused
        /// No way leads to the host, or it does not answer.
        case unreachable
        /// A serial line was wanted and this is none.
        case notSerial
        /// Any other error; ``KernelError/number`` says which.
        case failed
    }

    /// The kind of failure.
    public var code: Code
    /// The error number of the system call, 0 when no call failed.
    public var number: Int32
    /// What was tried, as a verb and an object: `read file`.
    public var operation: String
    /// The path it was tried on; empty when there is none.
    public var path: String

    /// How many bytes the caller allows, for `tooLarge`; else 0.
    public var byteLimit = 0

    /// Creates an error that no system call reported.
    init(_ code: Code, operation: String, path: String = "", byteLimit: Int = 0) {
        self.code = code
        self.operation = operation
        self.path = path
        self.byteLimit = byteLimit
        number = 0
    }

    /// Creates an error from an error number, positive or negative.
    init(number: Int32, operation: String, path: String = "") {
        self.number = abs(number)
        self.operation = operation
        self.path = path
        code =
            switch self.number {
            case ENOENT, ENOTDIR, ENODEV, ENXIO: .missing
            case EISDIR: .isDirectory
            case EACCES, EPERM: .accessDenied
            case EPIPE, ECONNRESET: .closed
            case ETIMEDOUT: .timedOut
            case EBUSY: .busy
            case ECONNREFUSED: .refused
            case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: .unreachable
            case ENOTTY: .notSerial
            default: .failed
            }
    }

    /// One line for people, such as `cannot read file a.yaml: No such file or directory`.
    public var description: String {
        let object = path.isEmpty ? operation : "\(operation) \(path)"
        return "cannot \(object): \(reason)"
    }

    private var reason: String {
        switch code {
        case .failed where number == EADDRINUSE:
            "somebody listens there, or it is no socket; end that program or take another path"
        case .closed where number == 0: "nobody reads from it"
        case .notSerial: "it is no serial line"
        case .busy: "another program has it open"
        case .missing, .accessDenied, .closed, .failed, .refused, .unreachable:
            number == 0 ? "it failed" : String(cString: clinux_error_text(number))
        case .isDirectory: "it is a directory"
        case .notRegular: "it is not a regular file"
        case .tooLarge: "it is too large, the most is \(byteLimit) bytes"
        case .timedOut: "the time is up"
        case .badLine: "a line is too long or is not UTF-8"
        }
    }
}

/// Returns what a system call returned, or throws its negative error number.
@discardableResult
func checked(
    _ value: Int32,
    _ operation: String,
    path: String = ""
) throws(KernelError) -> Int32 {
    guard value >= 0 else {
        throw KernelError(number: value, operation: operation, path: path)
    }
    return value
}
