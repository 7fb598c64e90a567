import CaptureAnalysis
import CardCrypto
import EventLoops
import Exploration
import Kernel
import LiveTransports
import Reporting
import Rig
import SDKCore
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// Plays the files of one `run` at one endpoint.
struct RunSession: Sendable {
    /// What became of one file, and what else went wrong on the way.
    struct Outcome: Sendable {
        /// One for each of its scenarios; empty when the filter leaves none.
        var entries: [RunReport.Entry]
        /// Recordings that could not be written.
        var problems: [String] = []

        static func notRun(_ file: String) -> Outcome { Outcome(entries: [.notRun(file: file)]) }
    }

    /// From how many files on another worker is worth its start.
    static let fileCountPerWorker = 16

    let options: RunOptions
    let interruption: Interruption
    /// What a terminal sees meanwhile; `nil` without one.
    var progress: Progress?

    /// A report without entries.
    var emptyReport: RunReport {
        var report = RunReport(
            version: CardRigCommand.version,
            seed: options.seed,
            choices: options.choices,
            schedule: options.schedule?.text,
            endpoint: options.placeDescription,
            repeatOptions: options.repeatOptions,
            plant: options.plant?.name,
            sdkProfile: options.library?.rawValue,
            entries: []
        )
        if options.isRealTime { report.epochSeconds = WallClock.now / 1_000_000_000 }
        return report
    }

    /// Plays the files and hands out what became of them, in their order.
    ///
    /// Returns what was learnt of a real reader: its serial number, firmware and versions.
    func play(_ files: [String], each body: (Outcome) -> Void) -> [ReaderFact] {
        switch options.endpoint {
        case .simulated(let kind) where !options.isRealTime:
            playSimulated(files, as: kind).forEach(body)
            return []
        case .simulated, .usb, .usbip, .serial, .tcp, .rfc2217:
            var live = LiveSession(self)
            for file in files { body(live.play(file, of: files.count)) }
            live.finish()
            return live.facts
        }
    }

    /// Plays simulated readers, spread over workers; each has its own cache and its own scenarios.
    private func playSimulated(_ files: [String], as kind: ReaderKind?) -> [Outcome] {
        let automatic = max(
            1,
            min(ProcessEnvironment.coreCount, files.count / Self.fileCountPerWorker)
        )
        let jobs = min(options.jobs ?? automatic, files.count)
        let next = Counter()
        let outcomes = Mutex([Outcome?](repeating: nil, count: files.count))
        // With `--fail-fast` nobody begins a file behind the first that failed.
        let firstFailure = Atomic<Int>(.max)
        runInParallel(count: jobs) { _ in
            let cache = CryptoCache()
            while !interruption.hasCome {
                let index = next.take()
                guard index < files.count, index < firstFailure.load(ordering: .relaxed) else {
                    return
                }
                let outcome = playSimulated(files[index], as: kind, of: files.count, cache: cache)
                progress?.note(outcome.entries)
                if options.stopsAtFailure, outcome.entries.contains(where: \.isFailure) {
                    _ = firstFailure.min(index, ordering: .relaxed)
                }
                outcomes.withLock { $0[index] = outcome }
            }
        }
        // What another worker has played behind the failure is dropped: the report is the same for
        // any number of workers.
        let last = firstFailure.load(ordering: .relaxed)
        return zip(files, outcomes.withLock { $0 }).enumerated().map { index, played in
            index <= last ? played.1 ?? .notRun(played.0) : .notRun(played.0)
        }
    }

    private func playSimulated(
        _ file: String,
        as kind: ReaderKind?,
        of fileCount: Int,
        cache: CryptoCache
    ) -> Outcome {
        let loaded = LoadedScenario(file: file)
        return eachCell(of: loaded) { cell, outcome in
            let order = namedOrder(of: cell)
            if let reason = order.complaint {
                outcome.entries.append(.unreadable(file: file, reason: reason))
                return
            }
            let played = play(cell, order.schedule, as: kind, cache: cache)
            let result = played.result
            if let missing = result.choices.missingDeviations.first {
                let reason =
                    "\(order.origin): the event \(Schedule.text(missing.chosen)) did not come up "
                    + "where \(Schedule.text(missing.natural)) comes for the "
                    + "\(missing.occurrence + 1). time; it is of another version or other options"
                outcome.entries.append(.unreadable(file: file, reason: reason))
                return
            }
            let difference =
                options.isTwice
                ? RunDifference(
                    between: result,
                    and: play(cell, order.schedule, as: kind, cache: CryptoCache()).result,
                    of: cell.prepared
                ) : nil
            report(
                cell,
                of: loaded,
                result,
                difference: difference,
                schedule: played.schedule,
                of: fileCount,
                epoch: Recorder.scenarioEpoch,
                in: &outcome
            )
        }
    }

    private func play(
        _ cell: LoadedScenario.Cell,
        _ schedule: Schedule?,
        as kind: ReaderKind?,
        cache: CryptoCache
    ) -> Played {
        let rigOptions = rigOptions(schedule, as: kind)
        let own = ScenarioRunner.play(
            cell.prepared,
            on: Rig(
                RigConfiguration(cell.prepared.scenario.rig, options: rigOptions),
                cache: cache
            ),
            goesOn: { !interruption.hasCome }
        )
        guard schedule == nil, options.choices == nil, options.recordPath == nil else {
            return Played(result: own)
        }
        return explored(own, of: cell, rigOptions, cache: cache)
    }

    /// What a run of simulated readers decides that the scenario leaves open.
    func rigOptions(_ schedule: Schedule?, as kind: ReaderKind?) -> RigOptions {
        var rigOptions = RigOptions(
            simulatedAs: kind,
            packetByteCount: options.packetByteCount,
            choices: options.choiceSource,
            isRecorded: options.recordPath != nil
        )
        rigOptions.plant = options.plant
        rigOptions.library = options.library
        rigOptions.readerSettings = options.profile.map { ($0.kind, $0.settings) }
        if let schedule { rigOptions.choices = .keyed(schedule.deviations) }
        return rigOptions
    }

    /// Goes through the scenarios of a file that the options want, and has those played that the
    /// endpoint can do.
    func eachCell(
        of loaded: LoadedScenario,
        play: (LoadedScenario.Cell, inout Outcome) -> Void
    ) -> Outcome {
        var outcome = Outcome(entries: [])
        guard !loaded.cells.isEmpty else {
            if options.filter?.matches(file: loaded.file) != false {
                outcome.entries.append(loaded.failure)
            }
            return outcome
        }
        for cell in loaded.cells(options.filter, only: options.cell) {
            let isOver = options.stopsAtFailure && outcome.entries.contains(where: \.isFailure)
            if isOver || interruption.hasCome {
                let name = cell.prepared.scenario.name
                outcome.entries.append(.notRun(file: loaded.file, name: name))
            } else if let refused = loaded.refusal(of: cell, options) {
                outcome.entries.append(refused)
            } else {
                play(cell, &outcome)
            }
        }
        return outcome
    }

    /// Reports a run, and writes its recording when one is wanted.
    func report(
        _ cell: LoadedScenario.Cell,
        of loaded: LoadedScenario,
        _ result: RunResult,
        difference: RunDifference? = nil,
        schedule: Schedule? = nil,
        of fileCount: Int,
        epoch: Int64,
        in outcome: inout Outcome
    ) {
        let report = ScenarioReport(
            cell.prepared,
            endpoint: options.placeDescription,
            source: loaded.bytes,
            cellNumber: cell.number,
            result: result,
            difference: difference,
            schedule: schedule
        )
        outcome.entries.append(.scenario(report))
        guard let path = options.recordPath, let tap = result.wireTap else { return }
        let header = RecordingHeader(
            keepsCardData: options.keepsCardData,
            beginNanoseconds: epoch,
            scenarioPath: loaded.file,
            cell: loaded.cells.count > 1 ? cell.number : nil,
            options: options.wordsToRepeat,
            scenarioText: String(decoding: loaded.bytes, as: UTF8.self)
        )
        let recorder = Recorder(cell.prepared, header: header)
        do throws(KernelError) {
            let target = Recorder.target(
                path,
                scenario: loaded.file,
                cell: loaded.cells.count > 1 ? cell.number : nil,
                count: fileCount
            )
            try Recorder.makeFolder(of: target)
            try FileBytes.write(recorder.bytes(tap, result.journal), to: target)
        } catch {
            outcome.problems.append("\(error)")
        }
    }
}

/// Hands out 0, 1, 2, … to whoever asks, on any thread.
private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func take() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
