import CardData
import YAML

/// Reads `matrix` and makes one document of each of its cells.
///
/// Two forms: a map of names with their values, whose combinations are run (the last name changes
/// fastest), and a list of rows, each a map of the same names. `<name>` stands for the value: alone
/// it may be anything, inside a text it must be text. The keys of maps are not replaced.
enum MatrixReading {
    /// The most cells of a file.
    static let maximumCellCount = 1_000
    /// The most bytes that all cells of a file may come to.
    static let maximumByteCount = 4 << 20

    /// A value of a cell.
    struct Value {
        var name: String
        var node: YAMLNode
    }

    /// Returns what a scenario's name gets behind it, such as ` [card: visa, code: 202]`.
    static func suffix(_ cell: [CellValue]) -> String {
        guard !cell.isEmpty else { return "" }
        return " [" + cell.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "]"
    }

    /// Returns the values as reports show them.
    static func shown(_ cell: [Value]) -> [CellValue] {
        cell.map {
            let text = Words.oneLine($0.node, isOutermost: false)
            return CellValue(name: $0.name, value: SafeText(scrubbing: text).description)
        }
    }
}

extension ScenarioReading {
    /// Reads the cells of a matrix, in their order; empty when the matrix is wrong.
    mutating func cells(_ node: YAMLNode) -> [[MatrixReading.Value]] {
        let cells: [[MatrixReading.Value]]
        switch node.content {
        case .mapping(let entries): cells = combinations(entries, node)
        case .sequence(let nodes): cells = rows(nodes, node)
        case .scalar:
            complain(
                at: node.mark,
                "expected a map of names with lists, or a list of rows, found \(Words.found(node))",
                hint: "write `matrix: { card: [visa, mastercard] }` and use it as `<card>`"
            )
            return []
        }
        if cells.count > MatrixReading.maximumCellCount {
            complain(
                at: node.mark,
                "expected at most \(MatrixReading.maximumCellCount) cells, found more"
            )
            return []
        }
        return cells
    }

    private mutating func combinations(
        _ entries: [YAMLEntry],
        _ node: YAMLNode
    ) -> [[MatrixReading.Value]] {
        guard !entries.isEmpty else {
            complain(at: node.mark, "expected at least one name in `matrix`, found none")
            return []
        }
        var cells: [[MatrixReading.Value]] = [[]]
        for entry in entries {
            complainBadName(entry)
            guard case .sequence(let values) = entry.value.content, !values.isEmpty else {
                complain(
                    at: entry.value.mark,
                    "expected a list of values for `\(entry.key.text)`, found "
                        + Words.found(entry.value),
                    hint: "write `\(entry.key.text): [first, second]`"
                )
                return []
            }
            let (count, isTooLarge) = cells.count.multipliedReportingOverflow(by: values.count)
            // One cell too many is enough to be refused.
            if isTooLarge || count > MatrixReading.maximumCellCount {
                return Array(repeating: [], count: MatrixReading.maximumCellCount + 1)
            }
            cells = cells.flatMap { cell in
                values.map { cell + [MatrixReading.Value(name: entry.key.text, node: $0)] }
            }
        }
        return cells
    }

    private mutating func rows(_ nodes: [YAMLNode], _ node: YAMLNode) -> [[MatrixReading.Value]] {
        guard !nodes.isEmpty else {
            complain(at: node.mark, "expected at least one row in `matrix`, found none")
            return []
        }
        var cells: [[MatrixReading.Value]] = []
        for row in nodes.prefix(MatrixReading.maximumCellCount + 1) {
            guard case .mapping(let entries) = row.content, !entries.isEmpty else {
                complain(
                    at: row.mark,
                    "expected a row as a map of names and values, found \(Words.found(row))"
                )
                return []
            }
            for entry in entries { complainBadName(entry) }
            let names = entries.map(\.key.text)
            if let first = cells.first?.map(\.name), first != names {
                complain(
                    at: row.mark,
                    "expected the names of the first row, \(Words.list(first)), found "
                        + Words.list(names)
                )
                return []
            }
            cells.append(entries.map { MatrixReading.Value(name: $0.key.text, node: $0.value) })
        }
        return cells
    }

    private mutating func complainBadName(_ entry: YAMLEntry) {
        guard !Self.isName(entry.key.text) else { return }
        complain(
            at: entry.keyMark,
            "expected a name, found \(Words.quoted(entry.key.text))",
            hint: "a name has letters, digits, - and _, and begins with a letter"
        )
    }
}
