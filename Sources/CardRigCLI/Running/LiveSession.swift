import CardCrypto
import EventLoops
import Kernel
import Reporting
import Rig
import ScenarioLanguage
import ScenarioRunner

/// Plays scenarios on a real reader or a gateway outside of this process, one after another.
///
/// When the rig is lost once (the reader cannot be used, the hand gave up or did not come), the
/// scenarios that follow are not begun: they would be lost the same way.
struct LiveSession {
    private let session: RunSession
    private let cache = CryptoCache()
    private var hands: Hands?
    private var isOver = false
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
        let loaded = LoadedScenario(file: file)
        return session.eachCell(of: loaded) { cell, outcome in
            let name = cell.prepared.scenario.name
            guard !isOver else {
                outcome.entries.append(.notRun(file: file, name: name))
                return
            }
            let epoch = Kernel.WallClock.now
            do throws(LiveFailure) {
                let result = try play(cell.prepared)
                if case .lost = result.end { isOver = true }
                session.report(cell, of: loaded, result, of: fileCount, epoch: epoch, in: &outcome)
            } catch {
                isOver = true
                outcome.entries.append(.notRun(file: file, name: name))
                outcome.problems.append("\(file): \(error.reason)")
            }
            if session.options.stopsAtFailure, outcome.entries.contains(where: \.isFailure) {
                isOver = true
            }
        }
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
                rigOptions.library = options.library
            }
            let gateways =
                try gateways
                ?? options.gateways.remoteGateways { ProcessEnvironment.value(of: $0) }
            self.gateways = gateways
            rigOptions.remoteGateways = gateways
            rigOptions.liveAddress = options.endpoint.paymentReaderAddress
            rigOptions.plant = options.plant
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
                hands = .ready(try OperatorFactory.make(session.options))
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
private struct LiveFailure: Error {
    var reason: String
}
