public import CardCrypto
import EventLoops
import Journal
import Rig
import ScenarioLanguage
public import ScenarioRunner

/// A scenario file that brings a failure back: the source without the lines of steps that the
/// failure does not need, and the order in its `choices:`.
public struct ReproFile: Sendable {
    /// The file's bytes.
    public let bytes: [UInt8]
    /// The order that fails, for this file.
    public let schedule: Schedule

    /// Writes a repro file.
    ///
    /// A step is cut out only where it stands on lines of its own. What is left is parsed and
    /// played again; when it does not fail in the same way, the whole source is kept.
    ///
    /// - Parameters:
    ///   - source: The bytes of the scenario's file.
    ///   - prepared: The scenario.
    ///   - failure: The failure.
    ///   - options: What the scenario leaves open; its source of choices is replaced.
    ///   - cache: The worker's crypto cache.
    public init(
        source: [UInt8],
        of prepared: PreparedScenario,
        failure: ExploredFailure,
        options: RigOptions,
        cache: CryptoCache
    ) {
        let scenario = prepared.scenario
        var writer = Writer(scenario: scenario, options: options, cache: cache)
        writer.kind = failure.failing.result.failures.first?.kind
        let lines = Self.lines(of: source)
        let cut = Self.cut(lines, scenario.steps, keeping: failure.smallest.scenario.steps)
        if cut.count < lines.count,
            let schedule = writer.schedule(cut, failure.smallest.deviations)
        {
            self.schedule = schedule
            bytes = writer.withChoices(cut, schedule)
        } else {
            schedule = Schedule(
                scenarioHash: Schedule.hash(of: scenario),
                deviations: failure.failing.deviations
            )
            bytes = writer.withChoices(lines, schedule)
        }
    }

    // MARK: Lines

    /// The lines of a text, each with its line feed.
    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
            lines.append(bytes[start...index])
            start = index + 1
        }
        if start < bytes.count { lines.append(bytes[start...] + [UInt8(ascii: "\n")]) }
        return lines
    }

    private static func cut(
        _ lines: [ArraySlice<UInt8>],
        _ steps: [Step],
        keeping kept: [Step]
    ) -> [ArraySlice<UInt8>] {
        var isCut = lines.map { _ in false }
        markCut(lines, steps, keeping: kept, &isCut)
        return lines.indices.filter { !isCut[$0] }.map { lines[$0] }
    }

    private static func markCut(
        _ lines: [ArraySlice<UInt8>],
        _ steps: [Step],
        keeping kept: [Step],
        _ isCut: inout [Bool]
    ) {
        for step in steps {
            if let same = kept.first(where: { $0.location == step.location }) {
                let inner = step.action.innerSteps
                markCut(lines, inner, keeping: same.action.innerSteps, &isCut)
                continue
            }
            guard let range = range(of: step, in: lines) else { continue }
            for line in range { isCut[line] = true }
        }
    }

    /// The lines of a step with the comments right above it, or `nil` when it does not stand on lines of its own.
    private static func range(of step: Step, in lines: [ArraySlice<UInt8>]) -> Range<Int>? {
        let first = step.location.line - 1
        let indent = step.location.column - 1
        guard lines.indices.contains(first) else { return nil }
        let before = lines[first].prefix(indent)
        guard before.count(where: { $0 == UInt8(ascii: "-") }) == 1,
            before.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") })
        else { return nil }
        var end = first + 1
        while end < lines.count {
            let content = lines[end].drop { $0 == UInt8(ascii: " ") }
            let isBlank = content.isEmpty || content.first == UInt8(ascii: "\n")
            guard isBlank || lines[end].count - content.count >= indent else { break }
            end += 1
        }
        var start = first
        while start > 0,
            lines[start - 1].first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "#")
        {
            start -= 1
        }
        return start..<end
    }
}

/// Turns lines into a file that is known to fail.
private struct Writer {
    let scenario: Scenario
    let options: RigOptions
    let cache: CryptoCache
    var kind: RunFailure.Kind?

    init(scenario: Scenario, options: RigOptions, cache: CryptoCache) {
        self.scenario = scenario
        self.options = options
        self.cache = cache
    }

    /// Returns an order of the text in which it fails in the same way, or `nil`.
    func schedule(_ lines: [ArraySlice<UInt8>], _ wanted: [ScheduleDeviation]) -> Schedule? {
        let parsed = ScenarioParser.parse(file: scenario.file, bytes: lines.flatMap(\.self))
        guard let cut = parsed.scenarios.first(where: { $0.cell == scenario.cell }) else {
            return nil
        }
        let hash = Schedule.hash(of: cut)
        var natural = options
        natural.choices = .keyed(wanted)
        let result = play(
            PreparedScenario(cut),
            on: Rig(RigConfiguration(cut.rig, options: natural), cache: cache)
        )
        if result.failures.first?.kind == kind, result.choices.missingDeviations.isEmpty {
            return Schedule(scenarioHash: hash, deviations: wanted)
        }
        let found = Search.play(
            PreparedScenario(cut),
            options: options,
            strategy: .exhaustive,
            budget: SearchBudget(runCount: 2_000),
            cache: cache
        ) { $0.firstFailure == nil }
        guard let failing = found.firstFailure?.result, failing.failures.first?.kind == kind,
            let small = Shrinker.shrink(
                cut,
                choices: failing.choices.taken,
                result: failing,
                options: options,
                cache: cache,
                extent: .choices
            )
        else { return nil }
        return Schedule(scenarioHash: hash, deviations: small.deviations)
    }

    /// Returns the text with the order in it; as a comment where files cannot hold one.
    func withChoices(_ lines: [ArraySlice<UInt8>], _ schedule: Schedule) -> [UInt8] {
        let key = Array("choices: \"\(schedule.text)\"\n".utf8)
        let text = lines.flatMap(\.self)
        let parsed = ScenarioParser.parse(file: scenario.file, bytes: text + key)
        return text + (parsed.scenarios.isEmpty ? Array("# ".utf8) : []) + key
    }
}
