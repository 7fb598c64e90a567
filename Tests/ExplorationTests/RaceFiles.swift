import Kernel
import Rig
import ScenarioLanguage
import ScenarioRunner
import Testing

/// The scenarios of `Scenarios/races`.
enum RaceFiles {
    private static let root = String(
        #filePath.dropLast("Tests/ExplorationTests/RaceFiles.swift".count)
    )

    /// Every one of them by its name without `.yaml`, in the order of the names.
    static let names: [String] = {
        let paths = try? Paths.files(under: root + "Scenarios/races", withSuffix: ".yaml")
        return (paths ?? []).map { path in
            String(path.dropFirst((root + "Scenarios/races/").count).dropLast(".yaml".count))
        }
    }()

    /// Reads one of them.
    static func prepared(_ name: String) throws -> PreparedScenario {
        let file = "Scenarios/races/\(name).yaml"
        let bytes = try FileBytes.read(path: root + file, limit: 1 << 20)
        let parsed = ScenarioParser.parse(file: file, bytes: bytes)
        #expect(parsed.diagnostics.map(\.description) == [])
        return PreparedScenario(try #require(parsed.scenario))
    }
}
