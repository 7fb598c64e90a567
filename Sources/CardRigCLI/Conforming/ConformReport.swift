import EventLoops
import Journal
import Reporting
import ScenarioLanguage

/// What `conform` found.
struct ConformReport {
    let kind: ServedReaderKind
    let endpoint: String
    private(set) var results: [ProbeResult] = []
    private(set) var differences: [ReaderDifference] = []
    private var identity: [(name: String, value: String)] = []
    private(set) var profile: ReaderProfile?
    private var unexplained: [ReaderDifference] = []

    init(kind: ServedReaderKind, endpoint: String) {
        self.kind = kind
        self.endpoint = endpoint
    }

    mutating func add(_ result: ProbeResult, _ differences: [ReaderDifference]) {
        results.append(result)
        identity += result.identity
        self.differences += differences
    }

    mutating func conclude(
        _ settings: [ReaderProfile.Setting],
        _ remaining: [ReaderDifference]
    ) {
        unexplained = remaining
        guard let readerKind = kind.readerKind else { return }
        let firmware = identity.filter { $0.name != "serial" }.map(\.value).joined(separator: " ")
        profile = ReaderProfile(
            file: "",
            kind: readerKind,
            firmware: firmware,
            settings: settings
        )
    }

    /// The lines of one probe.
    func text(_ result: ProbeResult, _ differences: [ReaderDifference]) -> String {
        if let reason = result.skipped { return "skip  \(result.name): \(reason)\n" }
        var text = differences.isEmpty ? "same  \(result.name)\n" : "DIFF  \(result.name)\n"
        for fact in result.identity { text += "      \(fact.name): \(fact.value)\n" }
        for difference in differences {
            text +=
                "      \(difference.kind.rawValue): the reader: \(difference.reader); the "
                + "simulator: \(difference.simulator)\n"
        }
        return text
    }

    /// The numbers, and what explains the differences.
    var summary: String {
        let skipped = results.count { $0.skipped != nil }
        let probes = Set(differences.map(\.probe)).count
        var text = "\(results.count) probes of \(kind.rawValue) at \(endpoint): "
        text += "\(results.count - probes - skipped) the same, \(probes) differ"
        let kinds = ReaderDifference.Kind.allCases.compactMap { kind -> String? in
            let count = differences.count { $0.kind == kind }
            return count > 0 ? "\(count) \(kind.rawValue)" : nil
        }
        if !kinds.isEmpty { text += " (\(kinds.joined(separator: ", ")))" }
        if skipped > 0 { text += ", \(skipped) skipped" }
        text += "\n"
        guard !differences.isEmpty, let profile, !profile.settings.isEmpty else { return text }
        let settings = profile.settings.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
        return text + "a simulator with \(settings) leaves \(unexplained.count) of them\n"
    }

    /// The report for programs.
    var json: [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.beginObject()
        writer.member("version", CardRigCommand.version)
        writer.member("reader", kind.rawValue)
        writer.member("endpoint", endpoint)
        writer.key("identity")
        writer.beginObject()
        for fact in identity { writer.member(fact.name, fact.value) }
        writer.endObject()
        writer.key("probes")
        writer.beginArray()
        for result in results {
            writer.beginObject()
            writer.member("name", result.name)
            writer.member("skipped", result.skipped)
            writer.key("observations")
            writer.beginArray()
            for observation in result.observations {
                writer.beginObject()
                writer.member("text", observation.text)
                writer.member("isError", observation.kind == .error ? 1 : 0)
                writer.member("delayNanoseconds", observation.delay.nanoseconds)
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.key("differences")
        writer.beginArray()
        for difference in differences {
            writer.beginObject()
            writer.member("kind", difference.kind.rawValue)
            writer.member("probe", difference.probe)
            writer.member("reader", difference.reader)
            writer.member("simulator", difference.simulator)
            writer.member("explained", unexplained.contains(difference) ? "no" : "yes")
            writer.endObject()
        }
        writer.endArray()
        writer.key("settings")
        writer.beginObject()
        for setting in profile?.settings ?? [] { writer.member(setting.name, setting.value) }
        writer.endObject()
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}
