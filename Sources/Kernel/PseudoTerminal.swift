import CLinux

/// A pty made by us: programs open its far side as a serial line, we hold the near side.
///
/// The far side is raw from the start. What a program left in it unread is not given to the next.
public final class PseudoTerminal {
    private let handle: Descriptor
    private let openings: Descriptor
    /// The far side's path, such as `/dev/pts/3`.
    public let path: String

    /// Makes one.
    ///
    /// - Throws: ``KernelError`` when the system has no ptys or descriptors left.
    public init() throws(KernelError) {
        var text = [CChar](repeating: 0, count: 64)
        handle = Descriptor(adopting: try checked(clinux_pty_open(&text, 64), "make a pty"))
        path = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
        openings = Descriptor(
            adopting: try checked(clinux_watch_openings(path), "watch", path: path)
        )
    }

    /// The near side, to be watched only while ``hasPeer``: without a peer it is always ready.
    public var descriptor: Int32 { handle.number }

    /// The descriptor that is readable when a program has opened or closed the far side.
    public var openingsDescriptor: Int32 { openings.number }

    /// Makes ``openingsDescriptor`` quiet.
    public func forgetOpenings() { clinux_forget_openings(openings.number) }

    /// Whether a program has the far side open.
    public var hasPeer: Bool { clinux_pty_has_peer(handle.number) == 1 }

    /// Drops what waits on the far side; `false` when a program that was killed left it exclusive,
    /// so that nobody can open it any more and another pty is needed.
    public func clean() -> Bool { clinux_pty_clean(path) == 0 }

    /// Reads what has come; `end` means that no program has the far side open.
    public func read(upTo byteCount: Int) -> ByteStream.Reading {
        readBytes(from: handle.number, upTo: byteCount, isTerminal: true)
    }

    /// Writes as much as fits and returns how many bytes that was; 0 when nothing fits.
    ///
    /// - Throws: ``KernelError`` when the line failed.
    public func write(_ bytes: ArraySlice<UInt8>) throws(KernelError) -> Int {
        try writeBytes(bytes, to: handle.number)
    }
}
