/// One YAML document, read whole.
///
/// Anchors, aliases and tags are refused, so that a document is never larger than its text.
public struct YAMLDocument: Hashable, Sendable {
    /// The longest text accepted, in bytes.
    public static let maximumByteCount = 1 << 20
    /// How deep lists and maps may be nested.
    public static let maximumDepth = 64
    /// How many nodes a document may have, keys included.
    public static let maximumNodeCount = 100_000

    /// The outermost node.
    public var root: YAMLNode
    /// Keys that stand twice in one mapping, in the order of the text.
    public var duplicateKeys: [YAMLDuplicateKey]

    /// Reads the only document of a UTF-8 text; a byte order mark in front is skipped.
    ///
    /// - Throws: ``YAMLError`` for the first thing that the grammar or the limits do not allow.
    /// - Complexity: O(*n*) in the length of the text.
    public init(parsing bytes: [UInt8]) throws(YAMLError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw YAMLError(
                .tooLong,
                at: YAMLMark(line: 1, column: 1),
                "expected at most \(Self.maximumByteCount) bytes, found \(bytes.count)"
            )
        }
        let hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = hasByteOrderMark ? Array(bytes.dropFirst(3)) : bytes
        self = try text.withUnsafeBufferPointer { (buffer) throws(YAMLError) in
            var builder = DocumentBuilder(EventParser(reading: buffer))
            return try builder.document()
        }
    }

    init(root: YAMLNode, duplicateKeys: [YAMLDuplicateKey]) {
        self.root = root
        self.duplicateKeys = duplicateKeys
    }
}
