/// Why bytes are no BER-TLV.
///
/// The error carries a position and never the bytes: values can be card data.
public struct TLVError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The tag has more than four bytes.
        case tagTooLong
        /// The bytes end inside a tag or a length.
        case truncatedHeader
        /// The length is in a form other than one byte, 81 xx or 82 xx xx.
        case lengthFieldTooWide
        /// The value would go on behind the end of the object around it, or of the bytes.
        case valueTooLong
        /// Objects stand deeper in one another than ``TLV/maximumDepth``.
        case nestedTooDeeply
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The first bad byte, counted from the start of the bytes that were read.
    public var offset: Int

    /// Creates an error at a position.
    public init(_ code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension TLVError: CustomStringConvertible {
    /// What is wrong and what would be right, without the place and any value.
    public var reason: String {
        switch code {
        case .tagTooLong: "the tag has more than four bytes"
        case .truncatedHeader: "the object ends inside its tag or length"
        case .lengthFieldTooWide: "the length is not one byte, 81 and one, or 82 and two"
        case .valueTooLong: "the value is longer than what there is"
        case .nestedTooDeeply: "the object stands deeper than \(TLV.maximumDepth) levels"
        }
    }

    /// One line for people: where, what, and what would be right.
    public var description: String { "byte \(offset): \(reason)" }
}
