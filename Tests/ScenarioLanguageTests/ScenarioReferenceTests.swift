import Kernel
import ScenarioLanguage
import Testing

@Suite("Scenario reference")
struct ScenarioReferenceTests {
    @Test func theDocumentIsWhatTheTablesSay() throws {
        let suffix = "Tests/ScenarioLanguageTests/ScenarioReferenceTests.swift"
        let path = String(#filePath.dropLast(suffix.count)) + "Docs/scenario-language.md"
        if ProcessEnvironment.value(of: "CARDRIG_GOLDEN") == "record" {
            try FileBytes.write(Array(ScenarioReference.document.utf8), to: path)
        }
        let kept = String(decoding: try FileBytes.read(path: path, limit: 1 << 20), as: UTF8.self)
        #expect(kept == ScenarioReference.document)
    }
}
