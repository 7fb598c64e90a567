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
    /// - Returns: The scenarios, one for each cell of the matrix, or the mistakes.
    /// - Complexity: O(*n*) in the length of the file, times the cells of its matrix.
    public static func parse(file: String, bytes: [UInt8]) -> ParsedFile {
        // Of a file that is too long not even the lines are found.
        let isTooLong = bytes.count > YAMLDocument.maximumByteCount
        var reading = ScenarioReading(file: file, bytes: isTooLong ? [] : bytes)
        do throws(YAMLError) {
            let document = try YAMLDocument(parsing: bytes)
            for duplicate in document.duplicateKeys {
                reading.complain(
                    at: duplicate.mark,
                    "expected each key once, found '\(duplicate.key)' again",
                    hint: "it stands first at \(duplicate.first.line):\(duplicate.first.column)"
                )
            }
            let scenarios = self.scenarios(document.root, &reading)
            let diagnostics = reading.sortedDiagnostics()
            return ParsedFile(
                scenarios: diagnostics.isEmpty ? scenarios : [],
                diagnostics: diagnostics
            )
        } catch {
            reading.complain(at: error.mark, error.message, hint: hint(for: error.code))
            return ParsedFile(scenarios: [], diagnostics: reading.sortedDiagnostics())
        }
    }

    private static func scenarios(
        _ root: YAMLNode,
        _ reading: inout ScenarioReading
    ) -> [Scenario] {
        guard case .mapping(let entries) = root.content,
            let matrix = entries.first(where: { $0.key.text == "matrix" })
        else { return reading.scenario(root, cell: []).map { [$0] } ?? [] }
        let outside = entries.filter { $0.key.text != "matrix" }
        let cells = reading.cells(matrix.value)
        var scenarios: [Scenario] = []
        var budget = MatrixReading.maximumByteCount
        var merged = CellDiagnostics()
        for cell in cells {
            var substitution = Substitution(cell, budget: budget)
            let node = substitution.apply(
                to: YAMLNode(.mapping(outside), at: root.mark)
            )
            budget = substitution.budget
            if budget <= 0 {
                reading.complain(
                    at: matrix.keyMark,
                    "expected cells of at most \(MatrixReading.maximumByteCount) bytes "
                        + "together, found more"
                )
                return []
            }
            var again = ScenarioReading(again: reading)
            again.complain(substitution, names: cell.map(\.name), at: matrix.keyMark)
            let shown = MatrixReading.shown(cell)
            if let scenario = again.scenario(node, cell: shown) { scenarios.append(scenario) }
            merged.add(again.diagnostics, of: shown)
            if merged.isFull { break }
        }
        for diagnostic in merged.diagnostics { reading.add(diagnostic) }
        return scenarios
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
