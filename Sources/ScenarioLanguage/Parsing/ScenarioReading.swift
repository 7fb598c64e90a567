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
    private var diagnostics: [Diagnostic] = []
    /// The readers of the rig; empty when `rig` itself is wrong.
    var readers: [ReaderPlan] = []
    /// The gateway of the rig.
    var gateway: GatewayKind?
    /// Whether the rig could be read, so that steps can be held against it.
    var isRigKnown = false

    init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// Reports a mistake.
    mutating func complain(at mark: YAMLMark, _ message: String, hint: String? = nil) {
        guard diagnostics.count < ScenarioParser.maximumDiagnosticCount else { return }
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
    private static let topKeys = [
        "scenario", "rig", "steps", "never", "outcome", "events", "laws", "levels", "verdict",
    ]
    private static let laterTopKeys = ["matrix", "choices", "explore"]

    /// Reads the whole file.
    mutating func scenario(_ root: YAMLNode) -> Scenario? {
        guard
            let fields = fields(
                root,
                of: "a scenario",
                known: Self.topKeys,
                later: Self.laterTopKeys
            )
        else { return nil }
        let name = required("scenario", in: fields).flatMap { text($0, "what the scenario shows") }
        if let node = required("rig", in: fields) { rig(node) }
        var steps: [Step] = []
        if let node = required("steps", in: fields) { steps = stepList(node) }
        let never = fields["never"].map { patterns($0) } ?? []
        let outcome = fields["outcome"].flatMap { self.outcome($0) }
        let isLoose = fields["events"].flatMap { word($0, "loose", among: [("loose", true)]) }
        let lawsOff = fields["laws"].map { self.lawsOff($0) } ?? []
        let verdict = fields["verdict"].flatMap { self.verdict($0) }
        let rigPlan = RigPlan(readers: readers, gateway: gateway)
        var refusals = LevelDerivation.refusals(rig: rigPlan, steps: steps)
        if let node = fields["levels"] { narrow(node, &refusals) }
        let levels = Level.allCases.filter { level in !refusals.contains { $0.level == level } }
        guard let name else { return nil }
        return Scenario(
            file: file,
            name: name,
            rig: rigPlan,
            steps: steps,
            never: never,
            outcome: outcome,
            allowsUnexpectedEvents: isLoose ?? false,
            lawsOff: lawsOff,
            verdict: verdict,
            levels: levels,
            refusals: refusals
        )
    }

    private mutating func lawsOff(_ node: YAMLNode) -> [LawName] {
        guard let fields = fields(node, of: "`laws`", known: ["off"]) else { return [] }
        guard let names = required("off", in: fields) else { return [] }
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
        guard let fields = fields(node, of: "`verdict`", known: ["exit", "law", "line"]) else {
            return nil
        }
        let exit = required("exit", in: fields)
            .flatMap { integer($0, "exit code 1, for what did not hold", in: 1...1) }
        let law = fields["law"].flatMap { self.law($0) }
        let lineCount = lineCount()
        let line = fields["line"].flatMap {
            integer($0, "a line of this file, 1 to \(lineCount)", in: 1...Int64(lineCount))
        }
        guard let exit else { return nil }
        return VerdictPlan(exit: Int(exit), law: law, line: line.map(Int.init))
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
