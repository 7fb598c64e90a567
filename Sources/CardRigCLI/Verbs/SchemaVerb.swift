import Reporting
import ScenarioLanguage

/// `cardrig schema`: prints the JSON Schema of scenario files.
struct SchemaVerb: Verb {
    static let name = "schema"
    static let summary = "Prints the JSON Schema of scenario or bench files, for editors."
    static let help = """
        Usage: cardrig schema [scenario|bench]

        Prints the JSON Schema (draft 2020-12) of scenario files, or of bench files, by which editors
        complete words and underline mistakes while one types. An editor with yaml-language-server takes it from
        the first line of a scenario:

          # yaml-language-server: $schema=../../scenario.schema.json

          Example: ./cardrig schema > scenario.schema.json

        """

    private let isOfBench: Bool

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        let rest = try reader.takePositionals()
        switch rest {
        case [], ["scenario"]: isOfBench = false
        case ["bench"]: isOfBench = true
        default:
            let found = rest.joined(separator: " ")
            throw .wrong("schema takes scenario or bench, found '\(found)'")
        }
    }

    func run(_ streams: Streams) -> ExitCode {
        streams.write(isOfBench ? BenchSchema.json() : ScenarioSchema.json())
        return .held
    }
}
