import Kernel
import Testing

/// The table of field failures in `Docs/miura.md` is whole, and what it names is there.
@Suite("Miura field failures")
struct MiuraFieldFailuresTests {
    private static let root = String(
        #filePath.dropLast("Tests/ScenarioLanguageTests/MiuraFieldFailuresTests.swift".count)
    )

    private static func text(_ path: String) throws -> String {
        String(decoding: try FileBytes.read(path: root + path, limit: 1 << 20), as: UTF8.self)
    }

    /// The rows under the heading: where it was reported, what happens, scenarios.
    private static func rows() throws -> [[String]] {
        let lines = try text("Docs/miura.md").split(separator: "\n")
        let heading = lines.firstIndex { $0 == "## Failures of the field" }
        guard let heading else { return [] }
        return lines[heading...].filter { $0.hasPrefix("| ") }.dropFirst(2).map { line in
            line.split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    @Test func eachNamesScenariosThatAreThere() throws {
        let rows = try Self.rows()
        #expect(rows.count == 11)
        for row in rows {
            try #require(row.count == 3)
            let names = row[2].split(separator: ",").map { $0.filter { $0 != "`" && $0 != " " } }
            #expect(!names.isEmpty, "\(row[0])")
            for name in names {
                let file = try Self.text("Scenarios/miura/\(name).yaml")
                #expect(!file.isEmpty, "\(row[0]) names \(name)")
            }
        }
    }
}
