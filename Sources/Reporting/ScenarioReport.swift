public import Exploration
import Journal
public import ScenarioLanguage
public import ScenarioRunner

/// What became of one scenario at one endpoint.
public struct ScenarioReport: Sendable {
    /// What became of it, in one word of the reports.
    public enum Status: String, CaseIterable, Hashable, Sendable {
        /// Everything held, or it failed exactly as its verdict says.
        case passed
        /// Something did not hold.
        case failed
        /// The endpoint cannot do one of its steps; nothing was started.
        case refused
        /// The rig could not be built or was lost.
        case lost
        /// Somebody interrupted it.
        case interrupted
    }

    /// What was played, or was not.
    public let prepared: PreparedScenario
    /// The endpoint, as on the command line: `sim:`, `usb:0801:0011`.
    public let endpoint: String
    /// The file's bytes, for excerpts.
    public let source: [UInt8]
    /// What came of it; `nil` when it was refused.
    public let result: RunResult?
    /// What the run means; `nil` when it was refused.
    public let judgement: Judgement?
    /// Why the endpoint cannot do it; empty when it was played.
    public let refusals: [Refusal]

    /// Which cell of its file's matrix it is, counted from 1; `nil` without a matrix.
    public let cellNumber: Int?
    /// Where a second run went another way; `nil` when there was none or it was the same.
    public let difference: RunDifference?
    /// The order that was played, where neither the seed nor the command line names it: one that the
    /// scenario's `explore` found.
    public let schedule: Schedule?

    /// Reports a scenario that was played.
    public init(
        _ prepared: PreparedScenario,
        endpoint: String,
        source: [UInt8],
        cellNumber: Int? = nil,
        result: RunResult,
        difference: RunDifference? = nil,
        schedule: Schedule? = nil
    ) {
        self.schedule = schedule
        self.cellNumber = cellNumber
        self.difference = difference
        self.prepared = prepared
        self.endpoint = endpoint
        self.source = source
        self.result = result
        judgement = Judgement(result, verdict: prepared.scenario.verdict)
        refusals = []
    }

    /// Reports a scenario that the endpoint cannot do.
    public init(
        _ prepared: PreparedScenario,
        endpoint: String,
        source: [UInt8],
        cellNumber: Int? = nil,
        refusals: [Refusal]
    ) {
        self.cellNumber = cellNumber
        difference = nil
        schedule = nil
        self.prepared = prepared
        self.endpoint = endpoint
        self.source = source
        self.refusals = refusals
        result = nil
        judgement = nil
    }

    /// What became of it.
    public var status: Status {
        switch judgement {
        case .held, .failedAsItMust: difference == nil ? .passed : .failed
        case .failed, .failedOtherwise: .failed
        case .lost: .lost
        case .interrupted: .interrupted
        case nil: .refused
        }
    }

    /// The scenario.
    public var scenario: Scenario { prepared.scenario }

    /// Its name in a list of allowed skips: `scenario:FILE@ENDPOINT`.
    public var skipName: String { "scenario:\(scenario.file)@\(endpoint)" }

    /// The names of its readers, by their index.
    public var readerNames: [String] { scenario.rig.readers.map(\.name) }

    /// A branch of an `expect-any`, by the line of the step and its number from 1.
    public struct Branch: Hashable, Sendable {
        /// The step's line.
        public var line: Int
        /// Which branch, counted from 1.
        public var number: Int
        /// How many branches the step has.
        public var count: Int
    }

    /// The branches of `expect-any` steps that the run took, in the order taken.
    public var takenBranches: [Branch] {
        (result?.takenBranches ?? []).map { branch($0.branch, of: $0.step) }
    }

    /// The branches that the run did not take, in the order of the file; every one of them is
    /// listed only when the run came to an end.
    public var untakenBranches: [Branch] {
        guard let result, case .finished = result.end else { return [] }
        var untaken: [Branch] = []
        for (index, flat) in prepared.flat.enumerated() {
            guard case .expectAny(let branches, _, _) = flat.step.action else { continue }
            for number in branches.indices
            where !result.takenBranches.contains(where: { $0 == (index, number) }) {
                untaken.append(branch(number, of: index))
            }
        }
        return untaken
    }

    private func branch(_ index: Int, of step: Int) -> Branch {
        var count = 0
        if case .expectAny(let branches, _, _) = prepared.flat[step].step.action {
            count = branches.count
        }
        return Branch(line: prepared.flat[step].step.location.line, number: index + 1, count: count)
    }

    /// The place to show for a failure: the one it blames, or else the step that caused the record
    /// which broke it.
    func place(of failure: RunFailure) -> SourceLocation? {
        if let location = failure.location { return location }
        guard let sequence = failure.sequence, let record = result?.journal.record(sequence),
            let step = record.step, prepared.flat.indices.contains(step)
        else { return nil }
        return prepared.flat[step].step.location
    }

    /// The line of the step that caused a record; `nil` before the first.
    func line(of record: Record) -> Int? {
        guard let step = record.step, prepared.flat.indices.contains(step) else { return nil }
        return prepared.flat[step].step.location.line
    }
}
