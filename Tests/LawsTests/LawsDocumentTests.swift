import Journal
import Kernel
import Testing

@Suite("Laws document")
struct LawsDocumentTests {
    @Test func everyLawThatIsCheckedHasARowThatSaysSo() throws {
        let root = String(#filePath.dropLast("Tests/LawsTests/LawsDocumentTests.swift".count))
        let bytes = try FileBytes.read(path: root + "Docs/laws.md", limit: 1 << 20)
        let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
            .map { $0.split(separator: "|").map { $0.drop { $0 == " " } } }
        let checked = rows.filter { $0[2].hasPrefix("yes") }.map { $0[0].filter { $0 != " " } }
        let others = rows.filter { $0[2].hasPrefix("no:") }
        #expect(checked.count + others.count == rows.count)
        #expect(Set(checked) == Set(LawName.allCases.map { "`\($0.spelling)`" }))
    }
}
