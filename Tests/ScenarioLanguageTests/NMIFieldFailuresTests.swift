import Kernel
import ScenarioLanguage
import Testing

/// The table of field failures in `Docs/nmi.md` is whole, and what it names is there.
@Suite("NMI field failures")
struct NMIFieldFailuresTests {
    private static let root = String(
        #filePath.dropLast("Tests/ScenarioLanguageTests/NMIFieldFailuresTests.swift".count)
    )

    private static func text(_ path: String) throws -> String {
        String(decoding: try FileBytes.read(path: root + path, limit: 1 << 20), as: UTF8.self)
    }

    /// The rows that begin with F or S and a number: number, words, scenarios or reason.
    private static func rows() throws -> [[String]] {
        try text("Docs/nmi.md").split(separator: "\n").map { line in
            line.split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
        .filter { row in
            guard row.count == 3, let first = row[0].first else { return false }
            return (first == "F" || first == "S") && Int(row[0].dropFirst()) != nil
        }
    }

    @Test func everyFailureHasARowInOrder() throws {
        let numbers = (1...31).map { "F\($0)" } + (1...8).map { "S\($0)" }
        #expect(try Self.rows().map { $0[0] } == numbers)
    }

    @Test func eachNamesScenariosThatAreThereOrSaysWhyNot() throws {
        var notExpressedCount = 0
        for row in try Self.rows() {
            if row[2].hasPrefix("not expressed") {
                notExpressedCount += 1
                continue
            }
            let names = row[2].split(separator: ",").map { $0.filter { $0 != "`" && $0 != " " } }
            #expect(!names.isEmpty, "\(row[0])")
            for name in names {
                let file = try Self.text("Scenarios/nmi/\(name).yaml")
                #expect(!file.isEmpty, "\(row[0]) names \(name)")
            }
        }
        #expect(notExpressedCount == 8)
    }

    @Test func thereAreFarMoreThanFortyScenarios() throws {
        let files = try Paths.files(under: Self.root + "Scenarios/nmi", withSuffix: ".yaml")
        #expect(files.count >= 90)
    }
}
