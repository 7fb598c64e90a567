import Kernel
import Laws
import Testing

@Suite("Bounds document")
struct BoundsDocumentTests {
    @Test func theDocumentIsWhatTheTableSays() throws {
        let root = String(#filePath.dropLast("Tests/LawsTests/BoundsDocumentTests.swift".count))
        let path = root + "Docs/bounds.md"
        if ProcessEnvironment.value(of: "CARDRIG_GOLDEN") == "record" {
            try FileBytes.write(Array(SettlingBound.document.utf8), to: path)
        }
        let kept = String(decoding: try FileBytes.read(path: path, limit: 1 << 20), as: UTF8.self)
        #expect(kept == SettlingBound.document)
    }
}
