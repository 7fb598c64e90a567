import EventLoops
import Journal
import Kernel
import Rig
import ScenarioLanguage
import Transports

/// What `--cold` asks for: the reader is unplugged before a scenario that begins with `plug in`, so
/// that the scenario sees it come.
///
/// It watches the reader through a transport of its own, and has closed it when the run begins.
struct ColdStart {
    /// How long a reader that is there may take to be seen.
    private static let longestLook: Int64 = 700_000_000
    /// How long one that was pulled out may take to be lost.
    private static let longestLoss: Int64 = 10_000_000_000

    /// What came of it.
    enum Outcome {
        /// The reader is not there.
        case cold
        /// It is there still; the text says why.
        case warm(String)
        /// The person left the scenario out.
        case skipped(String)
        /// Somebody interrupted it.
        case interrupted
    }

    let transport: any LiveTransport
    let hands: (any Operator)?
    let interruption: Interruption
    let handTimeout: VirtualDuration

    /// Whether a scenario begins with the reader's coming.
    static func applies(to scenario: Scenario) -> Bool {
        if case .plugIn = scenario.steps.first?.action { return true }
        return false
    }

    /// Sees that the reader is not there.
    ///
    /// - Throws: `KernelError` when the kernel refuses to wait.
    func run(_ scenario: Scenario) throws(KernelError) -> Outcome {
        var transport = transport
        let poller = try Poller()
        try poller.add(transport.wakeDescriptor, token: 0)
        if let descriptor = interruption.descriptor { try poller.add(descriptor, token: 1) }
        if let descriptor = hands?.wakeDescriptor { try poller.add(descriptor, token: 2) }
        transport.open(at: .zero)
        defer {
            hands?.cancel()
            transport.close(at: .zero)
        }
        var isThere = false
        let look = MonotonicClock.now + Self.longestLook
        while !isThere, MonotonicClock.now < look {
            while let event = transport.nextEvent(at: .zero) {
                if case .attached = event { isThere = true }
            }
            if isThere { break }
            if interruption.hasCome { return .interrupted }
            try poller.wait(untilMonotonicNanoseconds: look) { _ in }
        }
        guard isThere, let step = scenario.steps.first, let act = unplug(step) else { return .cold }
        let words = "unplug (--cold: '\(step.words)' is to bring it)"
        let place = "\(scenario.file):\(step.location.line): "
        guard let hands else {
            return .warm(
                "\(place)'\(words)' needs a hand, and there is none: run it on a terminal, or give "
                    + "--operator or --assume-operator"
            )
        }
        hands.begin(
            HandRequest(
                act,
                readerName: scenario.rig.readers[act.reader].name,
                words: words,
                file: scenario.file,
                location: step.location,
                timeLimit: handTimeout
            )
        )
        return try wait(poller, hands, place)
    }

    private func unplug(_ step: Step) -> HandAct? {
        guard case .plugIn(let reader) = step.action else { return nil }
        return .unplug(reader: reader)
    }

    private func wait(
        _ poller: Poller,
        _ hands: any Operator,
        _ place: String
    ) throws(KernelError) -> Outcome {
        var transport = transport
        var limit = end(of: handTimeout)
        var isDone = false
        var isGone = false
        while true {
            while let event = transport.nextEvent(at: .zero) {
                switch event {
                case .detached:
                    isGone = true
                    hands.readerShowedAct()
                case .attached: isGone = false
                case .received: transport.grant(credits: 1)
                case .featureFinished, .unusable: break
                }
            }
            if !isDone {
                switch hands.poll() {
                case nil: break
                case .again: limit = end(of: handTimeout)
                case .done:
                    isDone = true
                    limit = MonotonicClock.now + Self.longestLoss
                case .skipped(let reason): return .skipped(reason)
                case .aborted(let reason): return .warm(place + reason)
                }
            }
            if isDone, isGone { return .cold }
            if interruption.hasCome { return .interrupted }
            guard MonotonicClock.now < limit else {
                return isDone
                    ? .warm("\(place)the reader is still there after it was pulled out")
                    : .warm("\(place)the hand did not act within its time")
            }
            try poller.wait(untilMonotonicNanoseconds: limit) { _ in }
        }
    }

    private func end(of duration: VirtualDuration) -> Int64 {
        let (sum, overflow) = MonotonicClock.now.addingReportingOverflow(duration.nanoseconds)
        return overflow ? .max : sum
    }
}
