import Journal
import Reporting
import ScenarioLanguage

/// `cardrig check`: reads scenarios and reports every mistake, without playing anything.
struct CheckVerb: Verb {
    static let name = "check"
    static let summary = "Reads scenarios and reports every mistake; plays nothing."
    static let help = """
        Usage: cardrig check [PATH...] [--json]

        Reads scenario files and the .yaml files in folders (without a path the folder Scenarios)
        and reports every mistake with its place. Exit code 2 when there is one.

          --json  Writes the mistakes as JSON.

          Example: ./cardrig check Scenarios/idynamo/good-swipe.yaml

        """

    private let wantsJSON: Bool
    private let paths: [String]

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        wantsJSON = try reader.takeFlag("--json")
        paths = try reader.takePositionals()
    }

    func run(_ streams: Streams) -> ExitCode {
        let found = ScenarioFiles(paths)
        for problem in found.problems { streams.complain(problem) }
        var hasMistakes = found.files.isEmpty || !found.problems.isEmpty
        var mistakeCount = 0
        var unreadable: [(file: String, reason: String)] = []
        var json = JSONWriter(isIndented: true)
        json.beginObject()
        json.member("fileCount", Int64(found.files.count))
        json.key("diagnostics")
        json.beginArray()
        for file in found.files {
            let loaded = LoadedScenario(file: file)
            if case .unreadable(_, let reason) = loaded.failure {
                streams.complain(reason)
                unreadable.append((file, reason))
                hasMistakes = true
            }
            for diagnostic in loaded.diagnostics {
                mistakeCount += 1
                JSONReport.write(diagnostic, to: &json)
                if !wantsJSON { streams.write("\(diagnostic)\n") }
            }
        }
        json.endArray()
        json.key("unreadableFiles")
        json.beginArray()
        for (file, reason) in unreadable {
            json.beginObject()
            json.member("file", file)
            json.member("reason", reason)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endLine()
        if wantsJSON {
            streams.write(json.bytes)
        } else if !found.files.isEmpty {
            let files = found.files.count == 1 ? "1 file" : "\(found.files.count) files"
            let mistakes = mistakeCount == 1 ? "1 mistake" : "\(mistakeCount) mistakes"
            let unread = unreadable.isEmpty ? "" : ", \(unreadable.count) not readable"
            streams.write("\(files), \(mistakes)\(unread)\n")
        }
        return hasMistakes || mistakeCount > 0 ? .wrong : .held
    }
}
