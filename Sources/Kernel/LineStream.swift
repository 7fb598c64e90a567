import CLinux
import Glibc

/// Lines of text in both directions over a socket, or from a terminal.
public final class LineStream {
    /// The longest line accepted where nothing else is said, in bytes without its end.
    public static let maximumLineByteCount = 4_096
    /// After how many further bytes a line without an end is said to be too long once more, so that
    /// nobody is kept reading it.
    private static let passingOverByteLimit = 1_048_576
    /// How long a peer that does not read may hold up ``send(_:)``, in nanoseconds.
    public static let sendLimitNanoseconds: Int64 = 2_000_000_000

    /// The longest line accepted, in bytes without its end; more than that is never kept.
    public var lineByteLimit = maximumLineByteCount
    private let handle: Descriptor
    private var pending: [UInt8] = []
    private var isAtEnd = false
    /// How many bytes of a line that is too long were passed over since it was said; `nil` outside.
    private var passedByteCount: Int?

    /// Takes the ownership of an open descriptor.
    public init(adopting descriptor: consuming Descriptor) { handle = descriptor }

    /// Connects to a unix stream socket.
    ///
    /// - Throws: ``KernelError`` with `missing`, `accessDenied` or `failed` (nobody listens).
    public convenience init(connectingTo path: String) throws(KernelError) {
        let number = try checked(clinux_unix_connect(path), "connect to", path: path)
        self.init(adopting: Descriptor(adopting: number))
    }

    /// Connects to a unix socket, by a path with a slash in it, or to `HOST:PORT` on this machine.
    ///
    /// - Throws: ``KernelError`` with `missing`, `accessDenied`, `refused` (nobody listens) or
    ///   `failed` (neither a path nor an address of this machine).
    public convenience init(connectingTo place: ControlPlace) throws(KernelError) {
        switch place {
        case .path(let path):
            try self.init(connectingTo: path)
        case .address(let address):
            let connecting = try TCPConnecting(to: address)
            // On this machine a connection is made, or refused, without waiting for anybody.
            var watched = pollfd(fd: connecting.descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&watched, 1, 2_000)
            self.init(adopting: try connecting.finishedDescriptor())
        }
    }

    /// The descriptor that is readable when ``nextLine()`` may have more.
    public var descriptor: Int32 { handle.number }

    /// Tells whether the peer is gone and all its lines were taken.
    public var isFinished: Bool { isAtEnd && pending.isEmpty }

    /// Returns the next line without its end, or `nil` when none is complete yet; never waits.
    ///
    /// At the end of the stream a last line without a newline counts as one.
    ///
    /// - Throws: ``KernelError`` with `badLine` for one that is too long or not UTF-8, which is
    ///   passed over, so that the next call goes on behind it; `failed` when the socket fails, after
    ///   which the stream is of no use.
    public func nextLine() throws(KernelError) -> String? {
        while true {
            if let line = try takeLine() { return line }
            guard !isAtEnd, isReadable(waitingMilliseconds: 0) else { return nil }
            try fill()
        }
    }

    /// Waits for the next line.
    ///
    /// - Parameter deadline: Nanoseconds of ``MonotonicClock``; `nil` waits without limit.
    /// - Returns: The line without its end, or `nil` at the end of the stream.
    /// - Throws: ``KernelError`` with `timedOut`, or as ``nextLine()``.
    public func nextLine(
        untilMonotonicNanoseconds deadline: Int64?
    ) throws(KernelError) -> String? {
        while true {
            if let line = try nextLine() { return line }
            if isAtEnd { return nil }
            let left = deadline.map { $0 - MonotonicClock.now }
            if let left, left <= 0 { throw KernelError(.timedOut, operation: "read a line") }
            let pause = Int32(clamping: left.map { $0 / 1_000_000 + 1 } ?? -1)
            _ = isReadable(waitingMilliseconds: pause)
        }
    }

    /// Sends one line and its end.
    ///
    /// - Throws: ``KernelError`` with `closed` when the peer is gone, `timedOut` when it does not
    ///   read for ``sendLimitNanoseconds``.
    public func send(_ line: String) throws(KernelError) {
        _ = StandardStream.ignoresBrokenPipes
        let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
        let deadline = MonotonicClock.now + Self.sendLimitNanoseconds
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                write(handle.number, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                let left = deadline - MonotonicClock.now
                guard left > 0 else { throw KernelError(.timedOut, operation: "send a line") }
                var watched = pollfd(fd: handle.number, events: Int16(POLLOUT), revents: 0)
                _ = poll(&watched, 1, Int32(clamping: left / 1_000_000 + 1))
            } else if errno != EINTR {
                throw KernelError(number: errno, operation: "send a line")
            }
        }
    }

    /// Sends one line and its end if the peer has room for it; never waits.
    ///
    /// - Throws: ``KernelError`` with `closed` when the peer is gone, `timedOut` when it does not
    ///   read what it is sent; the stream is of no use after that.
    public func sendAtOnce(_ line: String) throws(KernelError) {
        _ = StandardStream.ignoresBrokenPipes
        let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
        guard try writeBytes(bytes[...], to: handle.number) == bytes.count else {
            throw KernelError(.timedOut, operation: "send a line")
        }
    }

    private func takeLine() throws(KernelError) -> String? {
        let newline = pending.firstIndex(of: UInt8(ascii: "\n"))
        if let passed = passedByteCount {
            passedByteCount = newline == nil ? passed + pending.count : nil
            pending.removeFirst(newline.map { $0 + 1 } ?? pending.count)
            if newline != nil { return try takeLine() }
            guard passed >= Self.passingOverByteLimit else { return nil }
            passedByteCount = 0
            throw KernelError(.badLine, operation: "read a line")
        }
        guard newline ?? pending.count <= lineByteLimit else {
            passedByteCount = newline == nil ? 0 : nil
            pending.removeFirst(newline.map { $0 + 1 } ?? pending.count)
            throw KernelError(.badLine, operation: "read a line")
        }
        guard let end = newline ?? (isAtEnd && !pending.isEmpty ? pending.count : nil) else {
            return nil
        }
        var text = pending[..<end]
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        let line = String(validating: text, as: UTF8.self)
        pending.removeFirst(min(end + 1, pending.count))
        guard let line else { throw KernelError(.badLine, operation: "read a line") }
        return line
    }

    private func isReadable(waitingMilliseconds pause: Int32) -> Bool {
        var watched = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, pause) > 0
    }

    private func fill() throws(KernelError) {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = read(handle.number, &buffer, buffer.count)
        if count > 0 {
            pending.append(contentsOf: buffer[..<count])
        } else if count == 0 || errno == ECONNRESET {
            isAtEnd = true
        } else if errno != EINTR, errno != EAGAIN {
            throw KernelError(number: errno, operation: "read a line")
        }
    }
}

/// Where lines are spoken on one machine: a unix socket, or a TCP port of a loopback address.
public enum ControlPlace: Hashable, Sendable, CustomStringConvertible {
    /// A unix stream socket.
    case path(String)
    /// A TCP port that only this machine can reach.
    case address(SocketAddress)

    /// What is right, for error messages.
    public static let forms = "the path of a unix socket with a slash in it, or 127.0.0.1:PORT"

    /// Reads a place; `nil` when it is neither a path with a slash nor a loopback address and port.
    public init?(parsing text: String) {
        if text.contains("/") {
            self = .path(text)
            return
        }
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = String(text[..<colon])
        if host == "localhost" { host = "127.0.0.1" }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard let address = SocketAddress.inDigits(host: host, port: port).first,
            address.isLoopback
        else { return nil }
        self = .address(address)
    }

    /// As it is typed.
    public var description: String {
        switch self {
        case .path(let path): path
        case .address(let address): address.description
        }
    }
}

/// A stream socket that others speak lines with; a unix socket's path is removed when the listener
/// goes.
public final class LineListener {
    private let handle: Descriptor
    private let path: String
    private let isPath: Bool
    /// Where it listens, with the port that the kernel picked for port 0.
    public let place: ControlPlace

    /// Listens at a place.
    ///
    /// - Throws: ``KernelError`` as ``init(path:)`` does.
    public init(at place: ControlPlace) throws(KernelError) {
        switch place {
        case .path(let path):
            handle = Descriptor(
                adopting: try checked(clinux_unix_listen(path), "listen at", path: path)
            )
            self.path = path
            isPath = true
            self.place = place
        case .address(let address):
            let listener = try TCPListener(at: address)
            path = listener.address.description
            self.place = .address(listener.address)
            handle = listener.takeDescriptor()
            isPath = false
        }
    }

    /// Listens at a path, which must not exist.
    ///
    /// - Throws: ``KernelError`` with `accessDenied`, `missing` (the directory) or `failed` (the
    ///   path exists, or is longer than 107 bytes).
    public convenience init(path: String) throws(KernelError) { try self.init(at: .path(path)) }

    deinit { if isPath { _ = unlink(path) } }

    /// Removes a socket at which nobody listens, as a process that was killed leaves it; anything
    /// else is left alone.
    public static func removeStale(at path: String) {
        guard clinux_file_kind(path) == Int32(UInt8(ascii: "s")) else { return }
        let number = clinux_unix_connect(path)
        if number >= 0 {
            Descriptor(adopting: number).close()
        } else if number == -ECONNREFUSED {
            _ = unlink(path)
        }
    }

    /// The descriptor that is readable when somebody waits to be accepted.
    public var descriptor: Int32 { handle.number }

    /// Accepts one connection, or returns `nil` when nobody waits.
    ///
    /// - Throws: ``KernelError`` when the process has no descriptors left.
    public func accept() throws(KernelError) -> LineStream? {
        let number = clinux_unix_accept(handle.number)
        if number == -EAGAIN { return nil }
        try checked(number, "accept a connection at", path: path)
        return LineStream(adopting: Descriptor(adopting: number))
    }
}
