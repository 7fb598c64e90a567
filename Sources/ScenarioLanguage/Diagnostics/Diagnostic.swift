public import CardData
public import Journal

/// A mistake in a scenario file.
///
/// Its texts are scrubbed: a card number in clear in the file does not get into the terminal.
public struct Diagnostic: Hashable, Sendable {
    /// The file's path, as it was given.
    public var file: String
    /// Where the mistake is.
    public var location: SourceLocation
    /// What was expected and what was found.
    public var message: SafeText
    /// One thing to try, when there is one.
    public var hint: SafeText?
    /// The line as it stands in the file; of a long line the part around the mistake.
    public var sourceLine: SafeText
    /// How many characters of ``sourceLine`` stand before the mistake.
    public var caretOffset: Int

    /// Creates a diagnostic from texts that are scrubbed here.
    public init(
        file: String,
        location: SourceLocation,
        message: String,
        hint: String? = nil,
        sourceLine: String = "",
        caretOffset: Int = 0
    ) {
        self.file = file
        self.location = location
        self.message = SafeText(scrubbing: message)
        self.hint = hint.map(SafeText.init(scrubbing:))
        self.sourceLine = SafeText(scrubbing: sourceLine)
        self.caretOffset = caretOffset
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The place and the message, then the source line, a caret and the hint, without a line break
    /// at the end.
    public var description: String {
        var text = "\(file):\(location.line):\(location.column): error: \(message)"
        let line = sourceLine.description
        if !line.isEmpty {
            text += "\n    \(line)\n    " + String(repeating: " ", count: caretOffset) + "^"
        }
        if let hint { text += "\nhint: \(hint)" }
        return text
    }
}
