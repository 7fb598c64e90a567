/// Why bytes are no packet of an ID TECH reader.
///
/// The error carries a position and never the bytes: they can be card data.
public struct IDTechError: Error, Hashable, Sendable {
    /// The kind of damage.
    public enum Code: Hashable, Sendable {
        /// The packet stopped before its end.
        case truncated
        /// The length field does not fit the fields that the flags announce, or no reader sends it.
        case wrongLength
        /// Where the end byte `03` must stand stands another.
        case missingEnd
        /// The exclusive or of the card data, or of a command answer, is another.
        case lrcMismatch
        /// The sum of the card data is another.
        case checksumMismatch
        /// A field holds what no reader sends.
        case malformed
        /// The packet is longer than any reader's.
        case tooLong
        /// Bytes follow the end of the packet.
        case trailingBytes
        /// No packet, answer or text begins with this byte.
        case noStart
    }

    /// The kind of damage, for programs.
    public var code: Code
    /// The first wrong byte, counted from the start of the stream, or of the packet that was read
    /// alone; for `truncated` the place of the first missing byte.
    public var offset: Int

    /// Creates an error at a position.
    public init(_ code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension IDTechError: CustomStringConvertible {
    /// One line for people, without card data.
    public var description: String {
        switch code {
        case .truncated: "the packet stops at byte \(offset), before its end"
        case .wrongLength: "the length at byte \(offset) does not fit the fields of the packet"
        case .missingEnd: "byte \(offset) is not the end byte 03"
        case .lrcMismatch: "the LRC at byte \(offset) is wrong"
        case .checksumMismatch: "the checksum at byte \(offset) is wrong"
        case .malformed: "what stands at byte \(offset) is not what an ID TECH reader sends"
        case .tooLong: "the packet goes on after byte \(offset), longer than any reader's"
        case .trailingBytes: "bytes follow the end of the packet at byte \(offset)"
        case .noStart: "byte \(offset) begins no packet, no answer and no text"
        }
    }
}
