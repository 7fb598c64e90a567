import CardCrypto
import EventLoops
import Kernel
import LiveTransports
import Reporting
import Rig
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// Plays the files of one `run` at one endpoint.
struct RunSession: Sendable {
    /// What became of one file, and what else went wrong on the way.
    struct Outcome: Sendable {
        var entry: RunReport.Entry
        /// Recordings that could not be written.
        var problems: [String] = []
    }

    /// From how many files on another worker is worth its start.
    static let fileCountPerWorker = 16

    let options: RunOptions
    let interruption: Interruption

    /// A report without entries.
    var emptyReport: RunReport {
        RunReport(
            version: CardRigCommand.version,
            seed: options.seed,
            choices: options.choices,
            endpoint: options.endpoint.description,
            repeatOptions: options.repeatOptions,
            entries: []
        )
    }

    /// Plays the files and hands out what became of them, in their order.
    func play(_ files: [String], each body: (Outcome) -> Void) {
        switch options.endpoint {
        case .simulated(let kind):
            playSimulated(files, as: kind).forEach(body)
        case .usb(let selector):
            var live = LiveSession(self, selector: selector)
            for file in files { body(live.play(file, of: files.count)) }
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
        runInParallel(count: jobs) { _ in
            let cache = CryptoCache()
            while !interruption.hasCome {
                let index = next.take()
                guard index < files.count else { return }
                let outcome = playSimulated(files[index], as: kind, of: files.count, cache: cache)
                outcomes.withLock { $0[index] = outcome }
            }
        }
        return zip(files, outcomes.withLock { $0 }).map { file, outcome in
            outcome ?? Outcome(entry: .notRun(file: file))
        }
    }

    private func playSimulated(
        _ file: String,
        as kind: ReaderKind?,
        of fileCount: Int,
        cache: CryptoCache
    ) -> Outcome {
        let loaded = LoadedScenario(file: file)
        guard let prepared = loaded.prepared else { return Outcome(entry: loaded.failure) }
        if let refused = loaded.refusal(at: options.endpoint) { return Outcome(entry: refused) }
        var rigOptions = RigOptions(
            simulatedAs: kind,
            packetByteCount: options.packetByteCount,
            choices: options.choiceSource,
            isRecorded: options.recordPath != nil
        )
        rigOptions.plant = options.plant
        let configuration = RigConfiguration(prepared.scenario.rig, options: rigOptions)
        let result = ScenarioRunner.play(prepared, on: Rig(configuration, cache: cache))
        return outcome(of: loaded, prepared, result, of: fileCount, epoch: Recorder.scenarioEpoch)
    }

    /// Reports a run, and writes its recording when one is wanted.
    func outcome(
        of loaded: LoadedScenario,
        _ prepared: PreparedScenario,
        _ result: RunResult,
        of fileCount: Int,
        epoch: Int64
    ) -> Outcome {
        let report = ScenarioReport(
            prepared,
            endpoint: options.endpoint.description,
            source: loaded.bytes,
            result: result
        )
        var outcome = Outcome(entry: .scenario(report))
        if let path = options.recordPath, let tap = result.wireTap {
            let recorder = Recorder(prepared, epochNanoseconds: epoch)
            do throws(KernelError) {
                let target = Recorder.target(path, scenario: loaded.file, count: fileCount)
                try Recorder.makeFolder(of: target)
                try FileBytes.write(recorder.bytes(tap, result.journal), to: target)
            } catch {
                outcome.problems.append("\(error)")
            }
        }
        return outcome
    }
}

/// Hands out 0, 1, 2, … to whoever asks, on any thread.
private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func take() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
