import CardData

/// The mistakes of all cells of a matrix: one for each, with the cell in the hint where not every
/// cell has it.
struct CellDiagnostics {
    private struct Found {
        var diagnostic: Diagnostic
        var cell: [CellValue]
        var count: Int
    }

    private var found: [Found] = []
    private var cellCount = 0

    /// Whether no more mistakes would be shown.
    var isFull: Bool { found.count >= ScenarioParser.maximumDiagnosticCount }

    /// Adds the mistakes of one cell.
    mutating func add(_ diagnostics: [Diagnostic], of cell: [CellValue]) {
        cellCount += 1
        for diagnostic in diagnostics {
            let same = found.firstIndex {
                $0.diagnostic.location == diagnostic.location
                    && $0.diagnostic.message == diagnostic.message
            }
            if let same {
                found[same].count += 1
            } else {
                found.append(Found(diagnostic: diagnostic, cell: cell, count: 1))
            }
        }
    }

    /// The mistakes, in the order of their finding.
    var diagnostics: [Diagnostic] {
        found.map { found in
            guard found.count < cellCount else { return found.diagnostic }
            var diagnostic = found.diagnostic
            let cell = "in the cell" + MatrixReading.suffix(found.cell)
            let hint = diagnostic.hint.map { "\($0); \(cell)" } ?? cell
            diagnostic.hint = SafeText(scrubbing: hint)
            return diagnostic
        }
    }
}
