import CaptureAnalysis
import CardCrypto
import EventLoops
import Exploration
import Journal
import Kernel
import Reporting
import Rig
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// Explores the scenarios of one `explore`.
struct ExploreSession: Sendable {
    /// One scenario to explore.
    struct Target: Sendable {
        var cell: LoadedScenario.Cell
        var loaded: LoadedScenario
    }

    /// What became of one scenario.
    struct Outcome: Sendable {
        var target: Target
        /// Why it was not explored; `nil` when it was.
        var refusal: String?
        var report: ExplorationReport?
        var failure: ExploredFailure?
        var code = ExitCode.held

        /// The report for people.
        func text(style: Style) -> String {
            if let report { return report.text(style: style) }
            let scenario = target.cell.prepared.scenario
            return
                "\(scenario.file)  not explored\(refusal == nil ? ": its turn did not come" : "")\n"
        }
    }

    /// The most runs for each way to make a failure small.
    static let shrinkLimit = 5_000
    /// The same after a signal, when somebody waits for the end.
    static let interruptedShrinkLimit = 200

    let options: ExploreOptions
    let interruption: Interruption
    /// What a terminal sees meanwhile; `nil` without one.
    var progress: ExploreProgress?

    init(options: ExploreOptions, interruption: Interruption) {
        self.options = options
        self.interruption = interruption
    }

    /// Explores the scenarios, spread over workers, and returns what became of them in their order.
    func explore(_ targets: [Target]) -> [Outcome] {
        let next = Atomic<Int>(0)
        let outcomes = Mutex(targets.map { Outcome(target: $0) })
        runInParallel(count: min(options.jobs, targets.count)) { _ in
            let cache = CryptoCache()
            while !interruption.hasCome {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < targets.count else { return }
                let outcome = explore(targets[index], cache)
                outcomes.withLock { $0[index] = outcome }
            }
        }
        return outcomes.withLock { $0 }
    }

    private func explore(_ target: Target, _ cache: CryptoCache) -> Outcome {
        var outcome = Outcome(target: target)
        let prepared = target.cell.prepared
        if let refusal = options.endpoint.refusals(of: prepared.scenario).first {
            let file = prepared.scenario.file
            outcome.refusal = "\(file):\(refusal.location.line): \(refusal.reason)"
            return outcome
        }
        let began = MonotonicClock.now
        let isMeantToFail = prepared.scenario.verdict != nil
        var failedCount = 0
        func hasTime(_ phase: Exploration.Phase, at now: Int64) -> Bool {
            guard let time = options.timeNanoseconds else { return true }
            return now - began < (phase == .firstHalf ? time / 2 : time)
        }
        let found = Exploration.play(
            prepared,
            options: options.rigOptions,
            plan: options.plan,
            cache: cache,
            isWanted: {
                !interruption.hasCome && !(options.stopsAtFailure && failedCount > 0)
                    && hasTime(.whole, at: MonotonicClock.now)
            },
            goesOn: { found, phase in
                let now = MonotonicClock.now
                let hasFailed = found.failedCount != failedCount
                failedCount = found.failedCount
                progress?.note(hasFailed: hasFailed, at: now)
                if interruption.hasCome || (options.stopsAtFailure && failedCount > 0) {
                    return false
                }
                return hasTime(phase, at: now)
            }
        )
        if let failing = found.firstFailure, !isMeantToFail {
            outcome.failure = ExploredFailure(
                failing,
                of: prepared,
                options: options.rigOptions,
                cache: cache,
                limit: interruption.hasCome ? Self.interruptedShrinkLimit : Self.shrinkLimit
            )
        }
        if found.failedCount > 0 && !isMeantToFail || found.nondeterminism != nil {
            outcome.code = .failed
        }
        if let reduction = found.reduction, !reduction.isSame { outcome.code = .failed }
        outcome.report = ExplorationReport(
            found,
            of: prepared,
            plan: options.plan,
            failure: outcome.failure,
            endpoint: options.endpoint.description,
            cellNumber: target.cell.number,
            repeatOptions: options.repeatOptions,
            isInterrupted: interruption.hasCome
        )
        progress?.noteDone()
        return outcome
    }

    // MARK: Artefacts

    /// Writes what was wanted of the first failure; returns what went wrong, one line each.
    func writeArtefacts(_ outcomes: [Outcome]) -> [String] {
        guard let outcome = outcomes.first(where: { $0.failure != nil }),
            let failure = outcome.failure
        else { return [] }
        let prepared = outcome.target.cell.prepared
        var problems: [String] = []
        func write(_ path: String, _ bytes: [UInt8]) {
            do throws(KernelError) {
                try Recorder.makeFolder(of: path)
                try FileBytes.write(bytes, to: path)
            } catch {
                problems.append("\(error)")
            }
        }
        if let path = options.reproPath {
            let repro = ReproFile(
                source: outcome.target.loaded.bytes,
                of: prepared,
                failure: failure,
                options: options.rigOptions,
                cache: CryptoCache()
            )
            write(path, repro.bytes)
        }
        if let path = options.recordPath {
            var rigOptions = options.rigOptions
            rigOptions.choices = .keyed(failure.failing.deviations)
            rigOptions.isRecorded = true
            let result = play(
                prepared,
                on: Rig(
                    RigConfiguration(prepared.scenario.rig, options: rigOptions),
                    cache: CryptoCache()
                )
            )
            let loaded = outcome.target.loaded
            let schedule = Schedule(
                scenarioHash: Schedule.hash(of: prepared.scenario),
                deviations: failure.failing.deviations
            )
            let header = RecordingHeader(
                keepsCardData: false,
                beginNanoseconds: Recorder.scenarioEpoch,
                scenarioPath: loaded.file,
                cell: outcome.target.cell.number,
                options: options.repeatOptions.split(separator: " ").map(String.init)
                    + ["--schedule", schedule.text],
                scenarioText: String(decoding: loaded.bytes, as: UTF8.self)
            )
            let recorder = Recorder(prepared, header: header)
            if let tap = result.wireTap { write(path, recorder.bytes(tap, result.journal)) }
        }
        return problems
    }
}
