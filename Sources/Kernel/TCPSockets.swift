import CLinux
import Glibc

/// A TCP connection that is being made.
public struct TCPConnecting: ~Copyable, Sendable {
    private let handle: Descriptor
    private let address: SocketAddress

    /// Begins to connect.
    ///
    /// - Throws: ``KernelError`` with `refused` or `unreachable` when that is known at once.
    public init(to address: SocketAddress) throws(KernelError) {
        var raw = address.raw
        handle = Descriptor(
            adopting: try checked(
                clinux_tcp_connect(&raw),
                "connect to",
                path: address.description
            )
        )
        self.address = address
    }

    /// The descriptor that is writable when the attempt has ended.
    public var descriptor: Int32 { handle.number }

    /// Bounds what the kernel keeps in each direction; smaller ones are for tests.
    package borrowing func setBufferSizes(_ byteCount: Int) {
        _ = clinux_set_buffer_sizes(handle.number, Int32(clamping: byteCount))
    }

    /// Returns the connection, once the descriptor is writable.
    ///
    /// - Throws: ``KernelError`` with `refused`, `unreachable` or `timedOut`.
    public consuming func finish() throws(KernelError) -> ByteStream {
        ByteStream(adopting: try finishedDescriptor(), .tcp)
    }

    consuming func finishedDescriptor() throws(KernelError) -> Descriptor {
        try checked(
            clinux_socket_error(handle.number),
            "connect to",
            path: address.description
        )
        return handle
    }
}

/// A TCP socket that others connect to.
public struct TCPListener: ~Copyable, Sendable {
    private let handle: Descriptor
    /// Where it listens, with the port that the kernel picked for port 0.
    public let address: SocketAddress

    /// Listens.
    ///
    /// - Throws: ``KernelError`` with `accessDenied` (a port below 1,024) or `failed` (somebody
    ///   listens there, or the address is none of this machine's).
    public init(at address: SocketAddress) throws(KernelError) {
        var raw = address.raw
        let number = try checked(clinux_tcp_listen(&raw), "listen at", path: address.description)
        handle = Descriptor(adopting: number)
        var own = clinux_address()
        self.address =
            clinux_socket_address(number, &own) == 0 ? SocketAddress(own) : address
    }

    consuming func takeDescriptor() -> Descriptor { handle }

    /// The descriptor that is readable when somebody waits to be accepted.
    public var descriptor: Int32 { handle.number }

    /// Accepts one connection, or returns `nil` when nobody waits.
    ///
    /// - Throws: ``KernelError`` when the process has no descriptors left.
    public borrowing func accept() throws(KernelError) -> TCPAccepted? {
        var peer = clinux_address()
        let number = clinux_tcp_accept(handle.number, &peer)
        if number == -EAGAIN { return nil }
        try checked(number, "accept a connection at", path: address.description)
        return TCPAccepted(
            stream: ByteStream(adopting: Descriptor(adopting: number), .tcp),
            peer: SocketAddress(peer)
        )
    }

    /// Accepts one connection as a bare descriptor, for a library that reads and closes it itself.
    ///
    /// - Throws: ``KernelError`` when the process has no descriptors left.
    public borrowing func acceptDescriptor() throws(KernelError) -> Descriptor? {
        var peer = clinux_address()
        let number = clinux_tcp_accept(handle.number, &peer)
        if number == -EAGAIN { return nil }
        try checked(number, "accept a connection at", path: address.description)
        return Descriptor(adopting: number)
    }

    /// Bounds what the kernel keeps for the sockets that are accepted; smaller ones are for tests.
    package borrowing func setBufferSizes(_ byteCount: Int) {
        _ = clinux_set_buffer_sizes(handle.number, Int32(clamping: byteCount))
    }
}

/// A connection that was accepted, and from where.
public struct TCPAccepted: ~Copyable, Sendable {
    private let stream: ByteStream
    /// Its other end.
    public let peer: SocketAddress

    init(stream: consuming ByteStream, peer: SocketAddress) {
        self.stream = stream
        self.peer = peer
    }

    /// Hands over the connection.
    public consuming func takeStream() -> ByteStream { stream }
}
