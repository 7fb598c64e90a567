import Kernel
import ScenarioLanguage
import Testing

@Suite("Scenario files")
struct ScenarioFilesTests {
    private static let root = String(
        #filePath.dropLast("Tests/ScenarioLanguageTests/ScenarioFilesTests.swift".count)
    )

    private func scenarios() throws -> [Scenario] {
        try Paths.files(under: Self.root + "Scenarios", withSuffix: ".yaml").compactMap { path in
            let bytes = try FileBytes.read(path: path, limit: 1 << 20)
            let file = String(path.dropFirst(Self.root.count))
            let (scenario, diagnostics) = ScenarioParser.parse(file: file, bytes: bytes)
            for diagnostic in diagnostics { Issue.record("\(diagnostic)") }
            return scenario
        }
    }

    @Test func everyFileIsAScenarioWithANameOfItsOwn() throws {
        let scenarios = try scenarios()
        #expect(scenarios.count >= 12)
        #expect(Set(scenarios.map(\.name)).count == scenarios.count)
    }

    @Test func onlyThoseThatMustFailHaveAVerdict() throws {
        for scenario in try scenarios() {
            let isNegative = scenario.file.hasPrefix("Scenarios/negative/")
            #expect((scenario.verdict != nil) == isNegative, "\(scenario.file)")
        }
    }

    @Test func allButTheseCanRunOnUSB() throws {
        let simulatedOnly = try scenarios().filter { !$0.levels.contains(.usb) }.map(\.file)
        #expect(
            simulatedOnly == [
                "Scenarios/idynamo/attached-at-start.yaml",
                "Scenarios/idynamo/pulled-out-and-put-back-during-a-swipe.yaml",
                "Scenarios/idynamo/pulled-out-during-a-swipe.yaml",
                "Scenarios/idynamo/swipe-while-unplugged.yaml",
                "Scenarios/two-readers/left-and-right.yaml",
            ]
        )
    }

    @Test(arguments: [
        ("charged", DesignExamples.charged),
        ("pulled-out-during-a-swipe", DesignExamples.pulledOutDuringASwipe),
    ])
    func theExamplesOfTheDesignAreVerbatim(name: String, text: String) throws {
        let path = Self.root + "Scenarios/idynamo/\(name).yaml"
        let bytes = try FileBytes.read(path: path, limit: 1 << 20)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
