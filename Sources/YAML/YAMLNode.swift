/// A place in a YAML text, counted from 1; libyaml counts from 0.
public struct YAMLMark: Hashable, Sendable {
    /// The line; CR, LF, CR LF, NEL, LS and PS end a line, as in libyaml.
    public var line: Int
    /// The column, in Unicode scalars.
    public var column: Int

    /// Creates a place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A node of a YAML document, with the place where it begins.
///
/// Scalars are not typed: `1225`, `yes` and `~` stay the text that they are, since only the reader
/// of the document knows what it wants there.
public struct YAMLNode: Hashable, Sendable {
    /// What a node holds.
    public indirect enum Content: Hashable, Sendable {
        /// Text.
        case scalar(YAMLScalar)
        /// Nodes in order.
        case sequence([YAMLNode])
        /// Keys with their values, in the order of the text.
        case mapping([YAMLEntry])
    }

    /// What the node holds.
    public var content: Content
    /// Where it begins.
    public var mark: YAMLMark

    /// Creates a node.
    public init(_ content: Content, at mark: YAMLMark) {
        self.content = content
        self.mark = mark
    }
}

/// A scalar as the text says it.
public struct YAMLScalar: Hashable, Sendable {
    /// The text, escapes resolved; an absent value is empty and plain.
    public var text: String
    /// Whether it stands there without quotes and without a block indicator.
    public var isPlain: Bool

    /// Creates a scalar.
    public init(_ text: String, isPlain: Bool) {
        self.text = text
        self.isPlain = isPlain
    }

    /// Whether there is nothing at all: `key:` without a value.
    public var isAbsent: Bool { isPlain && text.isEmpty }
}

/// A key of a mapping with its value.
public struct YAMLEntry: Hashable, Sendable {
    /// The key.
    public var key: YAMLScalar
    /// Where the key begins.
    public var keyMark: YAMLMark
    /// The value.
    public var value: YAMLNode

    /// Creates an entry.
    public init(key: YAMLScalar, keyMark: YAMLMark, value: YAMLNode) {
        self.key = key
        self.keyMark = keyMark
        self.value = value
    }
}

/// A key that stands twice in one mapping.
public struct YAMLDuplicateKey: Hashable, Sendable {
    /// The key.
    public var key: String
    /// Where it stands first.
    public var first: YAMLMark
    /// Where it stands again.
    public var mark: YAMLMark
}
