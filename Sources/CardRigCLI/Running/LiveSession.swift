import CardCrypto
import EventLoops
import Journal
import Kernel
import Reporting
import Rig
import ScenarioLanguage
import ScenarioRunner

/// Plays scenarios on a real reader or a gateway outside of this process, one after another.
///
/// When a hand loses the rig (none is there, it gave up or did not come), the scenarios that follow
/// are not begun: they would be lost the same way. When the reader loses it, the next scenario looks
/// for it again, and only a second loss in a row ends the run.
struct LiveSession {
    private let session: RunSession
    private let cache = CryptoCache()
    private var hands: Hands?
    /// What was learnt of the reader; empty until it was asked.
    private(set) var facts: [ReaderFact] = []
    /// The hands of the bench, which can switch.
    private var operating: DeskOperator?
    private var isOver = false
    /// How many scenarios in a row the reader lost.
    private var lossCount = 0
    /// The gateways outside of this process, once they were asked for.
    private var gateways: RemoteGateways?

    /// The operator, or why there is none.
    private enum Hands {
        case ready((any Operator)?)
        case lost(String)
    }

    init(_ session: RunSession) { self.session = session }

    /// Plays one file.
    mutating func play(_ file: String, of fileCount: Int) -> RunSession.Outcome {
        if isOver || session.interruption.hasCome {
            return .notRun(file)
        }
        let loaded = LoadedScenario(file: file, desk: session.options.desk)
        return session.eachCell(of: loaded) { cell, outcome in
            let name = cell.prepared.scenario.name
            guard !isOver else {
                outcome.entries.append(.notRun(file: file, name: name))
                return
            }
            let epoch = Kernel.WallClock.now
            do throws(LiveFailure) {
                if let reason = try skipped(cell.prepared.scenario) {
                    outcome.entries.append(leftOut(cell, of: loaded, reason))
                    return
                }
                try learn(cell.prepared.scenario)
                let result = try play(cell.prepared)
                if case .skipped(let reason, let location) = result.end {
                    outcome.entries.append(leftOut(cell, of: loaded, reason, at: location))
                    return
                }
                note(result)
                session.report(cell, of: loaded, result, of: fileCount, epoch: epoch, in: &outcome)
            } catch {
                lossCount += 1
                if !error.isOfReader || lossCount > 1 { isOver = true }
                if error.isOfReader {
                    let result = RunResult.lostAtStart(error.reason)
                    session.report(
                        cell,
                        of: loaded,
                        result,
                        of: fileCount,
                        epoch: epoch,
                        in: &outcome
                    )
                    return
                }
                outcome.entries.append(.notRun(file: file, name: name))
                outcome.problems.append("\(file): \(error.reason)")
            }
            if session.options.stopsAtFailure, outcome.entries.contains(where: \.isFailure) {
                isOver = true
            }
        }
    }

    /// Leaves what was switched as whoever comes next expects it.
    func finish() { operating?.finish() }

    /// Asks a reader that is there who it is, once; one that does not answer is lost.
    private mutating func learn(_ scenario: Scenario) throws(LiveFailure) {
        guard facts.isEmpty, session.options.endpoint.isLive,
            let wanted = scenario.rig.readers.first?.kind, let kind = kind(of: wanted)
        else { return }
        do {
            guard let transport = try session.options.endpoint.makeTransport() else { return }
            let line = try LiveProbeLine(
                transport,
                readerName: wanted.rawValue,
                hands: nil,
                handTimeout: .zero,
                interruption: session.interruption
            )
            defer { line.close() }
            // One with power of its own is there before the scenario begins, or it never is.
            let isExpected = kind == .miura && !ColdStart.applies(to: scenario)
            let limit = VirtualDuration.milliseconds(isExpected ? 3_000 : 700)
            guard try line.awaitAttach(within: limit) else {
                guard isExpected else { return }
                throw LiveFailure(reason: line.absence, isOfReader: true)
            }
            let found = try kind.probes(on: line).identify()
            if let wrong = found.observations.first(where: { $0.kind == .error }) {
                // Who was unplugged a moment ago may be taken for one that is there until its line
                // ends.
                if session.options.isCold, !line.isAttached { return }
                throw LiveFailure(
                    reason: "\(session.options.endpoint.description): asked who it is, "
                        + "the \(kind.rawValue) gave \(wrong.text); see that it is one, and that "
                        + "nothing else speaks on its line",
                    isOfReader: true
                )
            }
            facts = found.identity.map { ReaderFact(name: $0.name, value: $0.value) }
        } catch let failure as LiveFailure {
            throw failure
        } catch let stop as ProbeStop {
            switch stop {
            case .lost(let reason), .skipped(let reason):
                throw LiveFailure(reason: reason, isOfReader: true)
            case .interrupted: return
            }
        } catch {
            throw LiveFailure(reason: "\(error)")
        }
    }

    /// The kind of reader that is at the endpoint when a scenario wants this one.
    private func kind(of wanted: ReaderKind) -> ServedReaderKind? {
        if wanted == .idynamo, session.options.endpoint.level == .usb { return .dynamag }
        return ServedReaderKind(wanted)
    }

    private mutating func note(_ result: RunResult) {
        guard case .lost = result.end else {
            lossCount = 0
            return
        }
        lossCount += 1
        if result.isLostByHand || lossCount > 1 { isOver = true }
    }

    /// Has the reader unplugged first where `--cold` wants it, and returns why the scenario is left
    /// out, or `nil` when it can be played.
    private mutating func skipped(_ scenario: Scenario) throws(LiveFailure) -> String? {
        let options = session.options
        guard options.isCold, ColdStart.applies(to: scenario) else { return nil }
        let hands = try readyHands()
        let outcome: ColdStart.Outcome
        do throws(KernelError) {
            guard let transport = try options.endpoint.makeTransport() else { return nil }
            let start = ColdStart(
                transport: transport,
                hands: hands,
                interruption: session.interruption,
                handTimeout: options.handTimeout
            )
            outcome = try start.run(scenario)
        } catch {
            throw LiveFailure(reason: "\(error)")
        }
        switch outcome {
        case .cold, .interrupted: return nil
        case .warm(let reason): throw LiveFailure(reason: reason)
        case .skipped(let reason): return reason
        }
    }

    /// Reports a scenario that the person at the desk left out: a skip, and never a pass.
    private func leftOut(
        _ cell: LoadedScenario.Cell,
        of loaded: LoadedScenario,
        _ reason: String,
        at location: SourceLocation? = nil
    ) -> RunReport.Entry {
        let first = cell.prepared.scenario.steps.first?.location
        let refusal = Refusal(
            level: session.options.endpoint.level,
            location: location ?? first ?? SourceLocation(line: 1, column: 1),
            reason: reason
        )
        return .scenario(
            ScenarioReport(
                cell.prepared,
                endpoint: session.options.placeDescription,
                source: loaded.bytes,
                cellNumber: cell.number,
                refusals: [refusal]
            )
        )
    }

    private mutating func play(_ prepared: PreparedScenario) throws(LiveFailure) -> RunResult {
        let hands = session.options.endpoint.isLive ? try readyHands() : nil
        let options = session.options
        let interruption = session.interruption
        do {
            var rigOptions = RigOptions(
                choices: options.choiceSource,
                isRecorded: options.recordPath != nil,
                live: try options.endpoint.makeTransport()
            )
            rigOptions.livePath = options.endpoint.livePath
            if case .simulated(let kind) = options.endpoint {
                rigOptions.simulatedAs = kind
                rigOptions.packetByteCount = options.packetByteCount
                rigOptions.readerSettings = options.profile.map { ($0.kind, $0.settings) }
                rigOptions.library = options.library
            }
            let gateways =
                try gateways
                ?? options.gateways.remoteGateways { ProcessEnvironment.value(of: $0) }
            self.gateways = gateways
            rigOptions.remoteGateways = gateways
            rigOptions.liveAddress = options.endpoint.paymentReaderAddress
            rigOptions.plant = options.plant
            rigOptions.readerKeys = try options.desk?.readerKeys()
            let rig = Rig(
                RigConfiguration(prepared.scenario.rig, options: rigOptions),
                cache: cache,
                hands: hands
            )
            return try LiveDriver().play(
                prepared,
                on: rig,
                handTimeout: options.handTimeout,
                interruptDescriptor: interruption.descriptor,
                isInterrupted: { interruption.hasCome }
            )
        } catch {
            throw LiveFailure(reason: "\(error)")
        }
    }

    private mutating func readyHands() throws(LiveFailure) -> (any Operator)? {
        if hands == nil {
            do throws(KernelError) {
                let inner = try OperatorFactory.make(session.options)
                if let desk = session.options.desk {
                    let operating = try DeskOperator(desk, inner: inner)
                    self.operating = operating
                    hands = .ready(operating)
                } else {
                    hands = .ready(inner)
                }
            } catch {
                hands = .lost("the operator cannot be reached: \(error)")
            }
        }
        switch hands {
        case .ready(let hands): return hands
        case .lost(let reason): throw LiveFailure(reason: reason)
        case nil: return nil
        }
    }
}

/// Why a real reader cannot even be tried.
private struct LiveFailure: Error, CustomStringConvertible {
    var reason: String
    /// Whether the reader is to blame, so that the next scenario may find it again.
    var isOfReader = false

    /// The reason, which is all that people are shown.
    var description: String { reason }
}
