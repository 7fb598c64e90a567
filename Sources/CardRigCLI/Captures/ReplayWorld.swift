import CaptureAnalysis
import CardCrypto
import EventLoops
import Exploration
import Journal
import Reporting
import Rig
import ScenarioLanguage
import ScenarioRunner
import Transports

/// A capture made ready to be played at the SDK core: the scenario, and the readers in it.
struct ReplayWorld {
    /// What is played: the scenario that the recording holds, or one made for the capture.
    let cell: LoadedScenario.Cell
    /// The scenario's file, parsed.
    let loaded: LoadedScenario
    /// What the run decides, the recorded readers among it.
    let rigOptions: RigOptions
    /// The replays, one for each reader of which the capture holds the bytes.
    let replays: [CaptureReplay]
    /// What the recording says of its own run; empty for captures of others.
    let run: RecordedRun
    /// What is to be known besides, such as a reader that is simulated.
    private(set) var notes: [String] = []

    /// Makes the world out of a capture.
    ///
    /// - Parameters:
    ///   - content: What was read of it.
    ///   - choice: The number of the conversation and the protocol that the user names.
    ///   - library: Whose library plays the SDK; `nil` leaves it to the recording.
    /// - Throws: ``CaptureProblem`` when it cannot be played.
    init(
        _ content: CaptureContent,
        choice: ConversationChoice,
        library: SDKPlan.Library? = nil
    ) throws(CaptureProblem) {
        let path = content.path
        run = content.run
        if choice.isEmpty, let header = run.header, !header.scenarioText.isEmpty {
            let own = try Self.own(header, path)
            loaded = own.loaded
            cell = own.cell
            var options = own.options
            options.library = library ?? options.library
            (replays, notes) = try Self.addReaders(of: content, own.cell, to: &options)
            rigOptions = options
        } else {
            let surveyed = try choice.pick(from: content.survey, of: path)
            let conversation = try content.conversation(surveyed, as: choice.wire)
            guard let text = ScenarioDraft(conversation, source: path)?.text else {
                throw CaptureProblem(
                    "\(path): the SDK core takes \(surveyed.key) only at the audio "
                        + "jack; a conversation of MagneSafe or Miura can be played"
                )
            }
            loaded = LoadedScenario(file: path, bytes: Array(text.utf8))
            guard let cell = loaded.cells.first else {
                let reason = loaded.diagnostics.first.map { "\($0.message)" } ?? "no scenario"
                throw CaptureProblem("\(path): the scenario made for it is wrong: \(reason)")
            }
            self.cell = cell
            let replay = CaptureReplay(conversation)
            var options = RigOptions(choices: .seeded(1))
            options.library = library
            options.recorded = [
                RecordedEndpoint(
                    reader: 0,
                    transport: replay,
                    path: conversation.wire?.livePath ?? .reports
                )
            ]
            rigOptions = options
            replays = [replay]
        }
    }

    /// Plays it, in virtual time or as slowly as it was.
    func play(inRealTime isReal: Bool = false) -> RunResult {
        let rig = Rig(
            RigConfiguration(cell.prepared.scenario.rig, options: rigOptions),
            cache: CryptoCache()
        )
        guard isReal else { return ScenarioRunner.play(cell.prepared, on: rig) }
        do throws(WallClockError) {
            return try LiveDriver().play(
                cell.prepared,
                on: rig,
                handTimeout: RunOptions.defaultHandTimeout,
                interruptDescriptor: nil,
                isInterrupted: { false }
            )
        } catch {
            return .lostAtStart("\(error)")
        }
    }

    // MARK: Our own recordings

    private static func own(
        _ header: RecordingHeader,
        _ path: String
    ) throws(CaptureProblem) -> (
        loaded: LoadedScenario, cell: LoadedScenario.Cell, options: RigOptions
    ) {
        let loaded = LoadedScenario(
            file: header.scenarioPath ?? path,
            bytes: Array(header.scenarioText.utf8)
        )
        let number = header.cell ?? 1
        guard let cell = loaded.cells.first(where: { ($0.number ?? 1) == number }) else {
            let reason = loaded.diagnostics.first.map { "\($0)" } ?? "it has no cell \(number)"
            throw CaptureProblem("\(path): the scenario in it cannot be played: \(reason)")
        }
        let options: RunOptions
        do throws(UsageError) {
            options = try RunOptions(ArgumentReader(header.options))
        } catch {
            throw CaptureProblem("\(path): the options in it are wrong: \(error)")
        }
        guard case .simulated(let kind) = options.endpoint else {
            throw CaptureProblem(
                "\(path): it was recorded at \(options.endpoint.description); name "
                    + "the conversation with --conversation"
            )
        }
        let session = RunSession(options: options, interruption: Interruption())
        var schedule = options.schedule
        if schedule == nil { schedule = session.namedOrder(of: cell).schedule }
        return (loaded, cell, session.rigOptions(schedule, as: kind))
    }

    /// Puts what the capture holds in the place of the scenario's readers.
    private static func addReaders(
        of content: CaptureContent,
        _ cell: LoadedScenario.Cell,
        to options: inout RigOptions
    ) throws(CaptureProblem) -> (replays: [CaptureReplay], notes: [String]) {
        var replays: [CaptureReplay] = []
        var notes: [String] = []
        let readers = cell.prepared.scenario.rig.readers
        for (index, reader) in readers.enumerated() {
            let own = content.survey.conversations.filter {
                !$0.key.isJournal && $0.interfaceName == reader.name
            }
            let kind = options.simulatedAs ?? reader.kind
            let wire = WireProtocol(kind)
            if kind.isAudioJack {
                guard let surveyed = own.first else { continue }
                let conversation = try content.conversation(surveyed, as: .idTech)
                let pieces = conversation.events.compactMap { event -> ArraySlice<UInt8>? in
                    if case .fromReader(let unit) = event.content { return unit.payload }
                    return nil
                }
                options.recordedPieces.append((index, pieces))
                notes.append("\(reader.name): the sounds at the jack are simulated")
                continue
            }
            var conversation = Conversation(name: reader.name, wire: wire)
            if let surveyed = own.first {
                conversation = try content.conversation(surveyed, as: wire)
                conversation.shift(toBegin: content.run.header?.beginNanoseconds ?? 0)
            }
            let replay = CaptureReplay(conversation)
            replays.append(replay)
            options.recorded.append(
                RecordedEndpoint(reader: index, transport: replay, path: wire.livePath)
            )
        }
        let flat = cell.prepared.flat
        let step = { (line: Int) in flat.firstIndex { $0.step.location.line == line } }
        let simulated = readers.filter { (options.simulatedAs ?? $0.kind).isAudioJack }
        options.foreignFacts = content.run.foreignFacts(
            readerNames: readers.map(\.name),
            except: simulated.map(\.name),
            step: step
        )
        options.recordedSteps = content.run.records.map {
            RecordedStep(
                time: VirtualInstant(nanoseconds: $0.time),
                name: Vocabulary.record(spelled: $0.name)?.name,
                step: $0.line.flatMap(step)
            )
        }
        options.ownsRecordedCards = true
        return (replays, notes)
    }
}

extension WireProtocol {
    /// What a reader of the scenario language speaks.
    init(_ kind: ReaderKind) {
        switch kind {
        case .idynamo: self = .magneSafeStream
        case .dynamag: self = .magneSafeReports
        case .miura: self = .miura
        case .securemag, .shuttle, .ips: self = .idTech
        }
    }

    /// What carries it to the SDK core.
    var livePath: ReaderEndpoint.LivePath {
        switch self {
        case .magneSafeReports: .reports
        case .magneSafeStream, .idTech: .accessoryStream
        case .miura: .frames
        }
    }
}
