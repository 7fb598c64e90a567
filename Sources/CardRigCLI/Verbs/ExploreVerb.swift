import CardData
import EventLoops
import Exploration
import Journal
import Kernel
import Laws
import Reporting
import ScenarioLanguage
import ScenarioRunner

/// `cardrig explore`: plays every order of a scenario's races.
struct ExploreVerb: Verb {
    static let name = "explore"
    static let summary = "Plays every order that a scenario's races allow."
    static let help = """
        Usage: cardrig explore FILE --brute-force [OPTIONS]

        Plays every order of a scenario's races and simultaneous events, each from the start to
        the end, and says how many orders, different journals and outcomes there are. Ctrl-C ends it
        with what was found so far.

          --brute-force       Plays all of them; none is left out because it looks like another.
          --limit N           Plays at most so many (default 1000000).
          --cell N            This cell of the file's matrix, counted from 1.
          --reader ENDPOINT   sim: (default), sim:idynamo or sim:dynamag.
          --packet-size N     8 (default) or 64 bytes: the packets of simulated USB readers.
          --json              Writes the result as JSON.

          Example: ./cardrig explore Scenarios/idynamo/pulled-out-during-a-swipe.yaml --brute-force

        """

    private let endpoint: Endpoint
    private let limit: Int
    private let packetByteCount: Int
    private let cell: Int?
    private let wantsJSON: Bool
    private let file: String

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        let isBruteForce = try reader.takeFlag("--brute-force")
        limit =
            try reader.takeValue("--limit", expected: "a number of orders from 1 on") {
                RunOptions.number($0).flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
            } ?? 1_000_000
        endpoint = try RunOptions.takeEndpoint(&reader)
        packetByteCount = try RunOptions.takePacketSize(&reader)
        cell = try RunOptions.takeCell(&reader)
        wantsJSON = try reader.takeFlag("--json")
        let paths = try reader.takePositionals()
        guard let path = paths.first, paths.count == 1 else {
            throw .wrong("explore wants one scenario file")
        }
        guard isBruteForce else { throw .wrong("explore wants --brute-force") }
        guard case .simulated = endpoint else {
            throw .wrong("--reader \(endpoint.description): a real reader plays one order only")
        }
        file = path
    }

    func run(_ streams: Streams) -> ExitCode {
        let loaded = LoadedScenario(file: file)
        if loaded.cells.isEmpty {
            if case .unreadable(_, let reason) = loaded.failure { streams.complain(reason) }
            for diagnostic in loaded.diagnostics { streams.writeError("\(diagnostic)\n") }
            return .wrong
        }
        let cells = loaded.cells(nil, only: cell)
        guard let wanted = cells.first, cells.count == 1 else {
            let count = loaded.cells.count
            streams.complain("\(file): its matrix has \(count) cells, name one with --cell")
            return .wrong
        }
        return explore(wanted, of: loaded, streams)
    }

    private func explore(
        _ cell: LoadedScenario.Cell,
        of loaded: LoadedScenario,
        _ streams: Streams
    ) -> ExitCode {
        let prepared = cell.prepared
        let interruption = Interruption()
        var kind: ReaderKind?
        if case .simulated(let wanted) = endpoint { kind = wanted }
        let options = RigOptions(simulatedAs: kind, packetByteCount: packetByteCount)
        let found = BruteForce.search(prepared, options: options, limit: limit) { count in
            if streams.hasTerminal, count.isMultiple(of: 1_000) {
                streams.writeError("\r\(count) orders")
            }
            return !interruption.hasCome
        }
        if streams.hasTerminal, found.orderCount >= 1_000 { streams.writeError("\r\u{1B}[K") }
        let report = ExplorationReport(
            found,
            of: prepared,
            endpoint: endpoint.description,
            cellNumber: cell.number,
            repeatOptions: RunOptions.repeatOptions(endpoint, packetByteCount)
        )
        streams.write(wantsJSON ? report.json : Array(report.text.utf8))
        if let failure = found.firstFailure, !wantsJSON {
            let scenario = ScenarioReport(
                prepared,
                endpoint: endpoint.description,
                source: loaded.bytes,
                cellNumber: cell.number,
                result: failure.result
            )
            let entry = RunReport.Entry.scenario(scenario)
            let run = RunReport(
                version: CardRigCommand.version,
                seed: 0,
                choices: failure.choices,
                endpoint: endpoint.description,
                repeatOptions: RunOptions.repeatOptions(endpoint, packetByteCount),
                entries: [entry]
            )
            streams.write(ConsoleReport(style: streams.style).text(entry, of: run))
        }
        let code = found.failedCount > 0 ? ExitCode.failed : .held
        return found.isStopped ? code.combined(with: .interrupted) : code
    }
}
