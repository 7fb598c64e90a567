import YAML

/// Reads scenario files.
public enum ScenarioParser {
    /// The most mistakes that are reported of one file.
    public static let maximumDiagnosticCount = 100

    /// Reads a file of at most ``YAML/YAMLDocument/maximumByteCount`` bytes.
    ///
    /// All mistakes are reported in the order of the file, at most ``maximumDiagnosticCount`` of
    /// them; only where the text is no YAML at all reading ends there. There is a scenario exactly
    /// when there are no diagnostics. No bytes make it trap.
    ///
    /// - Parameters:
    ///   - file: The path to show; it is not opened.
    ///   - bytes: What the file holds.
    /// - Returns: The scenario, or the mistakes.
    /// - Complexity: O(*n*) in the length of the file.
    public static func parse(
        file: String,
        bytes: [UInt8]
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        var reading = ScenarioReading(file: file, bytes: bytes)
        do throws(YAMLError) {
            let document = try YAMLDocument(parsing: bytes)
            for duplicate in document.duplicateKeys {
                reading.complain(
                    at: duplicate.mark,
                    "expected each key once, found '\(duplicate.key)' again",
                    hint: "it stands first at \(duplicate.first.line):\(duplicate.first.column)"
                )
            }
            let scenario = reading.scenario(document.root)
            let diagnostics = reading.sortedDiagnostics()
            return (diagnostics.isEmpty ? scenario : nil, diagnostics)
        } catch {
            reading.complain(at: error.mark, error.message, hint: hint(for: error.code))
            return (nil, reading.sortedDiagnostics())
        }
    }

    private static func hint(for code: YAMLError.Code) -> String? {
        switch code {
        case .tooLong, .tooDeep, .tooManyNodes, .memory: nil
        case .invalidUTF8: "save the file as UTF-8"
        case .controlCharacter: "remove the character"
        case .empty: "a scenario has at least `scenario`, `rig` and `steps`"
        case .severalDocuments: "put each scenario into a file of its own and remove the `---`"
        case .anchor, .alias: "write the value out; quote it if it is meant to begin so"
        case .tag: "leave the tag out; quote the value if it is meant to begin so"
        case .complexKey: "quote the key if it is meant to begin so"
        case .tab: "indent with blanks"
        case .syntax: "check indentation, brackets, and the blank after each colon"
        }
    }
}
