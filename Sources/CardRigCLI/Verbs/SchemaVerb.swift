import Reporting
import ScenarioLanguage

/// `cardrig schema`: prints the JSON Schema of scenario files.
struct SchemaVerb: Verb {
    static let name = "schema"
    static let summary = "Prints the JSON Schema of scenario files, for editors."
    static let help = """
        Usage: cardrig schema

        Prints the JSON Schema (draft 2020-12) of scenario files, by which editors complete words
        and underline mistakes while one types. An editor with yaml-language-server takes it from
        the first line of a scenario:

          # yaml-language-server: $schema=../../scenario.schema.json

          Example: ./cardrig schema > scenario.schema.json

        """

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        let rest = try reader.takePositionals()
        guard rest.isEmpty else { throw .wrong("schema takes no arguments") }
    }

    func run(_ streams: Streams) -> ExitCode {
        streams.write(ScenarioSchema.json())
        return .held
    }
}
