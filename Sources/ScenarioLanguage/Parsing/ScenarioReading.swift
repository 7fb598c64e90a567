import CardData
import Journal
import YAML

/// One pass over the nodes of a scenario file, with the mistakes found so far.
///
/// What is wrong is reported and left out, and reading goes on, so that one run shows all mistakes.
struct ScenarioReading {
    let file: String
    private let bytes: [UInt8]
    private var lines: SourceLines?
    private(set) var diagnostics: [Diagnostic] = []
    /// Places at which nothing more is reported: the placeholder there was wrong already.
    private var settledMarks: [YAMLMark] = []
    /// The readers of the rig; empty when `rig` itself is wrong.
    var readers: [ReaderPlan] = []
    /// The gateway of the rig.
    var gateway: GatewayKind?
    /// The account at NMI.
    var account = NMIAccountPlan()
    /// PAYMILL and the HoneyStore.
    var store = StorePlan()
    /// The merchant's own server.
    var merchantServer = MerchantServerPlan.none
    /// Inner Fence's terminal app.
    var terminal = TerminalPlan()
    /// What the links of the rig do.
    var link = LinkPlan()
    /// What the app declares.
    var app = AppPlan()
    /// How the app uses the SDK.
    var sdk = SDKPlan()
    /// The audio of the phone.
    var host = HostPlan()
    /// How far card payments go.
    var mode = PaymentMode.test
    /// The calendar at the beginning.
    var clockSecondsSince1970: Int64?
    /// The card that a step used last.
    var lastCard: String?
    /// The fields of cards that checks name.
    var cardReferences: [CardReference] = []
    /// Whether the rig could be read, so that steps can be held against it.
    var isRigKnown = false

    init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// Begins to read the same file again, for another cell of its matrix.
    init(again other: ScenarioReading) {
        file = other.file
        bytes = other.bytes
        lines = other.lines
    }

    /// Whether no more mistakes are reported.
    var isFull: Bool { diagnostics.count >= ScenarioParser.maximumDiagnosticCount }

    /// Reports a mistake.
    mutating func complain(at mark: YAMLMark, _ message: String, hint: String? = nil) {
        guard !isFull, !settledMarks.contains(mark) else { return }
        let location = SourceLocation(mark)
        let (text, caretOffset) = sourceLines().excerpt(at: location)
        diagnostics.append(
            Diagnostic(
                file: file,
                location: location,
                message: message,
                hint: hint,
                sourceLine: text,
                caretOffset: caretOffset
            )
        )
    }

    /// Adds a mistake of a cell.
    mutating func add(_ diagnostic: Diagnostic) {
        guard diagnostics.count < ScenarioParser.maximumDiagnosticCount else { return }
        diagnostics.append(diagnostic)
    }

    /// Reports what the values of a cell were used for in vain.
    mutating func complain(
        _ substitution: Substitution,
        names: [String],
        at mark: YAMLMark
    ) {
        for mistake in substitution.mistakes {
            let isKnown = names.contains(mistake.name)
            let suggestion = Suggestion.closest(to: mistake.name, among: names)
            complain(
                at: mistake.mark,
                mistake.message,
                hint: isKnown
                    ? "a list or a map has to stand alone"
                    : suggestion.map { "did you mean `<\($0)>`?" }
                        ?? "the matrix has \(Words.list(names))"
            )
            settledMarks.append(mistake.mark)
        }
        for (name, isUsed) in zip(names, substitution.isUsed) where !isUsed {
            complain(
                at: mark,
                "expected `<\(name)>` somewhere outside of `matrix`, found none",
                hint: "cells that differ in nothing else would be the same"
            )
        }
    }

    /// How many lines the file has.
    mutating func lineCount() -> Int { sourceLines().count }

    /// The mistakes in the order of the file; those at one place in the order of their finding.
    func sortedDiagnostics() -> [Diagnostic] {
        diagnostics.enumerated().sorted { left, right in
            let (first, second) = (left.element.location, right.element.location)
            return (first.line, first.column, left.offset)
                < (second.line, second.column, right.offset)
        }.map(\.element)
    }

    private mutating func sourceLines() -> SourceLines {
        if let lines { return lines }
        let found = SourceLines(bytes)
        lines = found
        return found
    }
}

extension SourceLocation {
    /// Creates the place of a YAML mark.
    init(_ mark: YAMLMark) { self.init(line: mark.line, column: mark.column) }
}

extension ScenarioReading {
    /// Reads the whole file, for one cell of its matrix.
    mutating func scenario(_ root: YAMLNode, cell: [CellValue]) -> Scenario? {
        guard let fields = fields(root, Grammar.scenario) else { return nil }
        let name = fields["scenario"].flatMap { text($0, "what the scenario shows") }
        if let node = fields["rig"] { rig(node) }
        var steps: [Step] = []
        if let node = fields["steps"] { steps = stepList(node) }
        let never = fields["never"].map { patterns($0) } ?? []
        let counts = fields["count"].map { self.counts($0) } ?? []
        let outcome = fields["outcome"].flatMap { self.outcome($0) }
        let isLoose = fields["events"].flatMap { word($0, "loose", among: [("loose", true)]) }
        let lawsOff = fields["laws"].map { self.lawsOff($0) } ?? []
        let verdict = fields["verdict"].flatMap { self.verdict($0) }
        let explore = fields["explore"].flatMap { self.explore($0) }
        let choices = fields["choices"].flatMap { self.choices($0) }
        var rigPlan = RigPlan(
            readers: readers,
            gateway: gateway,
            link: link,
            app: app,
            sdk: sdk,
            host: host,
            clockSecondsSince1970: clockSecondsSince1970
        )
        rigPlan.mode = mode
        rigPlan.account = account
        rigPlan.merchantServer = merchantServer
        rigPlan.terminal = terminal
        rigPlan.store = store
        var refusals = LevelDerivation.refusals(rig: rigPlan, steps: steps)
        refusals += PaymentLevelDerivation.refusals(
            rig: rigPlan,
            steps: steps,
            never: never,
            counts: counts
        )
        if let node = fields["levels"] { narrow(node, &refusals) }
        let levels = Level.allCases.filter { level in !refusals.contains { $0.level == level } }
        guard let name else { return nil }
        var scenario = Scenario(
            file: file,
            name: name + MatrixReading.suffix(cell),
            cell: cell,
            rig: rigPlan,
            steps: steps,
            never: never,
            counts: counts,
            outcome: outcome,
            allowsUnexpectedEvents: isLoose ?? false,
            lawsOff: lawsOff,
            verdict: verdict,
            explore: explore,
            choices: choices,
            levels: levels,
            refusals: refusals
        )
        scenario.cardReferences = cardReferences
        return scenario
    }

    private mutating func lawsOff(_ node: YAMLNode) -> [LawName] {
        guard let fields = fields(node, Grammar.laws), let names = fields["off"] else { return [] }
        var laws: [LawName] = []
        for name in items(names) {
            if let law = law(name) { laws.append(law) }
        }
        return laws
    }

    private mutating func law(_ node: YAMLNode) -> LawName? {
        word(node, "the name of a law", among: LawName.allCases.map { ($0.spelling, $0) })
    }

    private mutating func verdict(_ node: YAMLNode) -> VerdictPlan? {
        guard let fields = fields(node, Grammar.verdict) else { return nil }
        let exit = fields["exit"].flatMap {
            integer($0, "exit code 1, for what did not hold", in: 1...1)
        }
        let law = fields["law"].flatMap { self.law($0) }
        let lineCount = lineCount()
        let line = fields["line"].flatMap {
            integer($0, "a line of this file, 1 to \(lineCount)", in: 1...Int64(lineCount))
        }
        guard let exit else { return nil }
        return VerdictPlan(exit: Int(exit), law: law, line: line.map(Int.init))
    }

    private mutating func explore(_ node: YAMLNode) -> ExplorePlan? {
        guard let fields = fields(node, Grammar.explore) else { return nil }
        let runs = fields["runs"].flatMap {
            integer($0, "how many orders, 1 to 1000000", in: 1...1_000_000)
        }
        let seed = fields["seed"].flatMap {
            integer($0, "a seed, a whole number", in: 0...Int64.max)
        }
        return runs.map { ExplorePlan(runCount: Int($0), seed: UInt64(seed ?? 1)) }
    }

    private mutating func choices(_ node: YAMLNode) -> SchedulePlan? {
        text(node, "a schedule as a failure prints it").map {
            SchedulePlan(text: $0, location: SourceLocation(node.mark))
        }
    }

    /// Holds `levels:` against what the steps allow.
    private mutating func narrow(_ node: YAMLNode, _ refusals: inout [Refusal]) {
        var allowed: [Level] = []
        for item in items(node) {
            let levels = Level.allCases.map { ($0.rawValue, $0) }
            guard let level = word(item, "a level", among: levels) else { continue }
            if let refusal = refusals.first(where: { $0.level == level }) {
                complain(
                    at: item.mark,
                    "expected a level at which every step can be done, found '\(level.rawValue)'",
                    hint: "line \(refusal.location.line): \(refusal.reason)"
                )
            }
            if !allowed.contains(level) { allowed.append(level) }
        }
        guard !allowed.isEmpty else { return }
        let words = allowed.map(\.rawValue).joined(separator: ", ")
        for level in Level.allCases where !allowed.contains(level) {
            let refusal = Refusal(
                level: level,
                location: SourceLocation(node.mark),
                reason: "the scenario says levels: [\(words)]"
            )
            refusals.append(refusal)
        }
    }
}
