/// Why bytes are no packet of an IPS reader; a position, never the bytes.
public struct IPSError: Error, Hashable, Sendable {
    /// The kind of damage.
    public enum Code: Hashable, Sendable {
        /// Silence came before the packet's 128th byte.
        case truncated
        /// Bytes follow the packet before the silence.
        case trailingBytes
        /// A digit, a length, a month or a name that no reader sends.
        case malformed
    }

    /// The kind of damage, for programs.
    public var code: Code
    /// The first wrong byte, counted from the start of the packet; for `truncated` the place of the
    /// first missing byte.
    public var offset: Int

    /// Creates an error at a position.
    public init(_ code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension IPSError: CustomStringConvertible {
    /// One line for people, without card data.
    public var description: String {
        switch code {
        case .truncated: "the packet stops at byte \(offset) of \(IPSPacket.byteCount)"
        case .trailingBytes: "bytes follow the end of the packet at byte \(offset)"
        case .malformed: "what stands at byte \(offset) is not what an IPS reader sends"
        }
    }
}
