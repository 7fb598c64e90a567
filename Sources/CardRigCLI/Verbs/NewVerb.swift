import Kernel
import Reporting
import ScenarioLanguage

/// `cardrig new`: writes a scenario to start from.
struct NewVerb: Verb {
    static let name = "new"
    static let summary = "Writes a commented scenario that passes, to start from."
    static let help = """
        Usage: cardrig new NAME [--reader KIND] [--gateway KIND]

        Writes a scenario that passes, with comments that say what else its lines could be. NAME is
        a file (with a slash, or ending in .yaml; without an ending it gets .yaml), or the
        scenario's name in words: its file is then named after it, in Scenarios/KIND of the reader
        when the folder Scenarios is here. A file that is there already is left alone.

          --reader KIND   \(list(ReaderKind.allCases.map(\.rawValue))); idynamo is the default.
          --gateway KIND  nmi (default; agentcash at a miura), or none for a scenario without
                          charges.

          Example: ./cardrig new "A card that was read is charged" --reader dynamag

        """

    private let reader: ReaderKind
    private let gateway: GatewayKind?
    private let name: String

    init(_ arguments: consuming ArgumentReader) throws(UsageError) {
        reader =
            try arguments.takeValue(
                "--reader",
                expected: Self.list(ReaderKind.allCases.map(\.rawValue))
            ) { ReaderKind(rawValue: $0) } ?? .idynamo
        let gateways = GatewayKind.allCases.map(\.rawValue) + ["none"]
        let wanted = try arguments.takeValue("--gateway", expected: Self.list(gateways)) {
            gateways.contains($0) ? $0 : nil
        }
        let usual = ScenarioTemplate.gateways(of: reader)
        gateway = wanted.map { GatewayKind(rawValue: $0) } ?? usual.first
        if let gateway, !usual.contains(gateway) {
            throw .wrong(
                "--gateway \(gateway.rawValue): cards of a \(reader.rawValue) are charged at "
                    + Self.list(usual.map(\.rawValue))
            )
        }
        if gateway == nil, reader == .miura {
            throw .wrong("--gateway none: a miura reads no card unless it is charged")
        }
        let names = try arguments.takePositionals()
        guard let name = names.first, names.count == 1, !name.isEmpty else {
            throw .wrong("new wants one name; quote it when it has blanks")
        }
        self.name = name
    }

    func run(_ streams: Streams) -> ExitCode {
        let template = ScenarioTemplate(reader: reader, gateway: gateway)
        let isFile = name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        guard !isFile || !name.hasSuffix("/") else {
            streams.complain("\(name): this names a folder; a file's name is expected after it")
            return .wrong
        }
        let file = isFile ? Self.withEnding(name) : Self.file(named: name, reader)
        let title = isFile ? ScenarioTemplate.title(ofFile: name) : name
        guard Paths.kind(of: file) == nil else {
            streams.complain("\(file): it is there already; choose another name")
            return .wrong
        }
        let bytes = Array(template.text(title: title).utf8)
        let parsed = ScenarioParser.parse(file: file, bytes: bytes)
        guard parsed.diagnostics.isEmpty else {
            for diagnostic in parsed.diagnostics { streams.writeError("\(diagnostic)\n") }
            return .wrong
        }
        do throws(KernelError) {
            if let slash = file.lastIndex(of: "/") {
                try FileBytes.makeDirectory(String(file[..<slash]))
            }
            try FileBytes.write(bytes, to: file)
        } catch {
            streams.complain("\(error)")
            return .wrong
        }
        streams.write("\(file)\n  play it: ./cardrig run \(RunReport.shellWord(file))\n")
        return .held
    }

    private static func list(_ words: [String]) -> String {
        let last = words.last ?? ""
        return words.count < 2 ? last : words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// A file's name, with `.yaml` where it has no ending that scenarios have.
    static func withEnding(_ file: String) -> String {
        file.hasSuffix(".yaml") || file.hasSuffix(".yml") ? file : file + ".yaml"
    }

    /// The file for a name in words: small letters and digits with dashes between.
    static func file(named name: String, _ reader: ReaderKind) -> String {
        var words = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                words.append(Character(Unicode.Scalar(byte | 0x20)))
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                words.append(Character(Unicode.Scalar(byte)))
            default:
                if !words.isEmpty, !words.hasSuffix("-") { words.append("-") }
            }
        }
        while words.hasSuffix("-") { words.removeLast() }
        let base = (words.isEmpty ? "scenario" : String(words.prefix(100))) + ".yaml"
        let hasFolder = Paths.kind(of: "Scenarios") == .directory
        return hasFolder ? "Scenarios/\(reader.rawValue)/\(base)" : base
    }
}
