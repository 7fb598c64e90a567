/// Why a text is not a YAML document that we take, with the place.
public struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The text has more than ``YAMLDocument/maximumByteCount`` bytes.
        case tooLong
        /// A byte sequence that is not UTF-8.
        case invalidUTF8
        /// A control character that YAML does not allow.
        case controlCharacter
        /// There is no document, only blanks and comments.
        case empty
        /// A second document begins.
        case severalDocuments
        /// Nodes are nested deeper than ``YAMLDocument/maximumDepth``.
        case tooDeep
        /// There are more than ``YAMLDocument/maximumNodeCount`` nodes.
        case tooManyNodes
        /// An anchor (`&name`).
        case anchor
        /// An alias (`*name`).
        case alias
        /// A tag (`!name`).
        case tag
        /// A key that is a list or a map.
        case complexKey
        /// A tab where indentation is expected.
        case tab
        /// Anything else that the grammar does not allow.
        case syntax
        /// Memory ran out in libyaml.
        case memory
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// Where it is.
    public var mark: YAMLMark
    /// What was expected and what was found, in one line for people.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, at mark: YAMLMark, _ message: String) {
        self.code = code
        self.mark = mark
        self.message = message
    }

    /// The place and the message.
    public var description: String { "\(mark.line):\(mark.column): \(message)" }
}
