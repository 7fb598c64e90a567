import Kernel
import Reporting
import ScenarioLanguage
import Testing

@testable import CardRigCLI

@Suite("new")
struct NewVerbTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: [String]) -> (code: Int32, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(arguments, streams: streams)
        return (
            code.rawValue, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    @Test(
        arguments: [
            ("idynamo", "nmi"), ("idynamo", "none"), ("dynamag", "nmi"), ("dynamag", "none"),
            ("miura", "agentcash"),
        ]
    )
    func whatIsNewPasses(reader: String, gateway: String) throws {
        let file = folder.path + "/\(reader)-on-\(gateway).yaml"
        defer { FileBytes.remove(path: file) }
        let result = run(["new", file, "--reader", reader, "--gateway", gateway])
        #expect(result.code == 0, "\(result.error)")
        #expect(result.output == "\(file)\n  play it: ./cardrig run \(file)\n")
        let played = run(["run", file])
        #expect(played.code == 0)
        #expect(played.output.hasPrefix("ok   \(file)  \(reader) on \(gateway)\n1 scenario"))
        let text = String(decoding: try FileBytes.read(path: file, limit: 1 << 16), as: UTF8.self)
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 100 })
        #expect(text.contains("gateway:") == (gateway != "none"))
    }

    @Test(arguments: [("idynamo", "agentcash"), ("miura", "nmi")])
    func aGatewayThatTheReaderHasNotIsRefused(reader: String, gateway: String) {
        let result = run(["new", "never written.yaml", "--reader", reader, "--gateway", gateway])
        #expect(result.code == 2)
        #expect(result.error.contains("cards of a \(reader) are charged at"))
    }

    @Test(arguments: ["shuttle", "ips"], ["nmi", "none"])
    func whatIsNewPassesAtTheAudioJack(reader: String, gateway: String) throws {
        let file = folder.path + "/\(reader)-on-\(gateway).yaml"
        defer { FileBytes.remove(path: file) }
        #expect(run(["new", file, "--reader", reader, "--gateway", gateway]).code == 0)
        #expect(run(["run", file]).code == 0)
    }

    @Test func aFileThatIsThereIsLeftAlone() throws {
        let file = try folder.write("mine.yaml", "mine")
        let result = run(["new", file])
        #expect(result.code == 2)
        #expect(result.error.contains("\(file): it is there already"))
        #expect(try FileBytes.read(path: file, limit: 100) == Array("mine".utf8))
    }

    @Test func aFileGetsItsEnding() throws {
        let file = folder.path + "/zz"
        let result = run(["new", file])
        defer { FileBytes.remove(path: file + ".yaml") }
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("\(file).yaml\n"))
        #expect(Paths.kind(of: file) == nil)
    }

    @Test(arguments: ["///", "a/", "/"])
    func aFolderIsNoFile(name: String) {
        let result = run(["new", name])
        #expect(result.code == 2)
        #expect(
            result.error
                == "cardrig: \(name): this names a folder; a file's name is expected after it\n"
        )
    }

    @Test(arguments: ReaderKind.allCases.filter { $0 != .miura })
    func aStripeReadersCommentsAreTrue(reader: ReaderKind) {
        let text = ScenarioTemplate(reader: reader, gateway: nil).text(title: "a")
        #expect(!text.contains("emv-"))
        #expect(!text.contains("contactless-"))
        #expect(text.contains("`didSwipeCard: { card: none }`") == (reader != .ips))
    }

    @Test func theHelpNamesEveryReader() {
        let help = run(["new", "--help"]).output
        for reader in ReaderKind.allCases { #expect(help.contains(reader.rawValue)) }
    }

    @Test func aNameInWordsNamesTheFile() throws {
        #expect(
            NewVerb.file(named: "  It's 1 \"é\" Card!", .dynamag)
                == "Scenarios/dynamag/it-s-1-card.yaml"
        )
        #expect(NewVerb.file(named: "é", .idynamo) == "Scenarios/idynamo/scenario.yaml")
    }

    @Test(arguments: ["a \"b\" \\ c: #d", "- x", "é 😀", "line\nbreak\ttab", "{a: b}", "'"])
    func anyNameIsTheScenariosName(name: String) {
        let text = ScenarioTemplate(reader: .idynamo, gateway: .nmi).text(title: name)
        let parsed = ScenarioParser.parse(file: "a.yaml", bytes: Array(text.utf8))
        #expect(parsed.diagnostics.isEmpty)
        #expect(parsed.scenario?.name == name)
    }

    @Test(arguments: [[], ["a", "b"], ["a", "--reader", "x"], ["a", "--gateway", "x"], [""]])
    func aWrongCommandLineIsExitTwo(arguments: [String]) {
        #expect(run(["new"] + arguments).code == 2)
    }
}
