import CLinux
import Glibc

/// The process's standard output and standard error.
public enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes the text as it is, without a buffer of our own.
    ///
    /// - Throws: ``KernelError`` with `closed` when the reader of the pipe is gone (as in
    ///   `cardrig list | head`), `failed` when the disk is full.
    public func write(_ text: String) throws(KernelError) { try write(Array(text.utf8)) }

    /// Writes the bytes as they are, without a buffer of our own.
    ///
    /// - Throws: ``KernelError`` as for text.
    public func write(_ bytes: [UInt8]) throws(KernelError) {
        _ = Self.ignoresBrokenPipes
        let number = writeAll(bytes, to: rawValue)
        guard number == 0 else {
            let name = self == .output ? "standard output" : "standard error"
            throw KernelError(number: number, operation: "write to", path: name)
        }
    }

    /// Keeps the numbers 0, 1 and 2 from files and sockets when the process began without them.
    ///
    /// Writing to them (`cardrig run >&-`) stays an error. Call it before anything is opened.
    public static func keepNumbers() { clinux_keep_standard_descriptors() }

    /// SIGPIPE would end the process before it can finish its reports; done once, when needed.
    static let ignoresBrokenPipes: Bool = {
        clinux_ignore_broken_pipes()
        return true
    }()
}

/// Tells whether a descriptor is a terminal: 0 standard input, 1 output, 2 error.
public func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
