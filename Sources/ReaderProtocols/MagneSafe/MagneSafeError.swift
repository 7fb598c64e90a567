/// One swipe as it came out of a stream or of reports.
public enum MagneSafeReading: Hashable, Sendable {
    /// A whole message; whether the card could be read is in the record.
    case record(MagneSafeRecord)
    /// A message that was cut, changed or lengthened on its way; nothing of it is used.
    case damaged(MagneSafeError)
}

/// Why the bytes of a swipe are no MagneSafe message.
///
/// The error carries a position and never the bytes: they can be card data.
public struct MagneSafeError: Error, Hashable, Sendable {
    /// The kind of damage.
    public enum Code: Hashable, Sendable {
        /// The stream's checksum is not that of its characters.
        case checksumMismatch
        /// A field is missing or has a length or character that no reader sends.
        case malformed
        /// The message stopped before its end.
        case truncated
        /// The message is longer than any reader's.
        case tooLong
        /// The report has the length of no known generation.
        case wrongReportLength
    }

    /// The kind of damage, for programs.
    public var code: Code
    /// The first byte of the damaged message or field, counted from the start of the stream, or
    /// from the start of the report.
    public var offset: Int

    /// Creates an error at a position.
    public init(_ code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension MagneSafeError: CustomStringConvertible {
    /// One line for people, without card data.
    public var description: String {
        switch code {
        case .checksumMismatch: "the checksum of the message at byte \(offset) is wrong"
        case .malformed: "a field at byte \(offset) is not one that a MagneSafe reader sends"
        case .truncated: "the message at byte \(offset) stops before its end"
        case .tooLong: "the message at byte \(offset) is longer than any reader's"
        case .wrongReportLength: "the report ends at byte \(offset), a length no reader sends"
        }
    }
}
