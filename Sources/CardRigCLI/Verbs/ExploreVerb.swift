import CardCrypto
import EventLoops
import Exploration
import Kernel
import Reporting
import ScenarioLanguage

/// `cardrig explore`: plays the orders of scenarios' races and says what can come of them.
struct ExploreVerb: Verb {
    static let name = "explore"
    static let summary = "Plays the orders that a scenario's races allow."
    static let help = """
        Usage: cardrig explore FILE... [OPTIONS]

        Plays the orders of a scenario's races and simultaneous events, each from the start to the
        end, and says how many there are, which journals and outcomes they have, with an order for
        each, and makes the first failure small. Ctrl-C ends it with what was found so far.

          --strategy NAME       auto (default): exhaustive with half of the budget, then pct.
                                exhaustive: one order of each set that differ only in independent
                                events. brute-force: all of them. random: drawn from the seed.
                                pct: random priorities, with a bound on the chance to miss a bug.
                                Several with commas between them are compared.
          --runs N              At most so many runs of one scenario (default 20000).
          --time D              At most so long for one scenario, such as 60s.
          --depth N             How many ordered events a bug may need, for pct (default 3).
          --seed N              Where random orders come from (default 1).
          --jobs N              So many workers, each with a scenario or cell of its own; the
                                report is the same for any number.
          --filter TEXT         Only scenarios whose name or path holds the text.
          --cell N              Only this cell of the files' matrix, counted from 1.
          --reader ENDPOINT     sim: (default), sim:idynamo or sim:dynamag.
          --packet-size N       8 (default) or 64 bytes: the packets of simulated USB readers.
          --sdk-profile NAME    careful or observed, as in run.
          --fail-fast           Ends each search with its first failure.
          --check-determinism   Plays each order twice and reports one that is not the same.
          --repro FILE          Writes a scenario that brings the first failure back.
          --record FILE         Records the first failure as pcapng.
          --json                Writes the result as JSON.

          Example: ./cardrig explore Scenarios/idynamo/pulled-out-during-a-swipe.yaml

        """

    let options: ExploreOptions

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        options = try ExploreOptions(reader)
    }

    func run(_ streams: Streams) -> ExitCode {
        let found = ScenarioFiles(options.paths)
        for problem in found.problems { streams.complain(problem) }
        var code = found.problems.isEmpty ? ExitCode.held : .wrong
        var targets: [ExploreSession.Target] = []
        for file in found.files {
            let loaded = LoadedScenario(file: file)
            if loaded.cells.isEmpty {
                if case .unreadable(_, let reason) = loaded.failure { streams.complain(reason) }
                for diagnostic in loaded.diagnostics { streams.writeError("\(diagnostic)\n") }
                code = .wrong
            }
            for cell in loaded.cells(options.filter, only: options.cell) {
                targets.append(ExploreSession.Target(cell: cell, loaded: loaded))
            }
        }
        guard !targets.isEmpty else {
            if code == .held { streams.complain("no scenario of these files is wanted") }
            return .wrong
        }

        let interruption = Interruption()
        // A second signal must not end the process while the report is written.
        defer { withExtendedLifetime(interruption) {} }
        var session = ExploreSession(options: options, interruption: interruption)
        if streams.hasTerminal {
            session.progress = ExploreProgress(
                scenarioCount: targets.count,
                runBudget: options.plan.budget.runCount,
                timeBudget: options.timeNanoseconds
            )
        }
        let explored = session.explore(targets)
        session.progress?.finish()
        for outcome in explored {
            code = code.combined(with: outcome.code)
            if let refusal = outcome.refusal { streams.complain(refusal) }
            if !options.wantsJSON { streams.write(outcome.text(style: streams.style)) }
        }
        if explored.allSatisfy({ $0.refusal != nil }) { code = code.combined(with: .lost) }
        if options.wantsJSON {
            streams.write(ExplorationReport.json(explored.compactMap(\.report)))
        }
        for problem in session.writeArtefacts(explored) {
            streams.complain(problem)
            code = code.combined(with: .lost)
        }
        return interruption.hasCome ? code.combined(with: .interrupted) : code
    }
}
