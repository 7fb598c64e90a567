import Kernel
import LiveTransports
import Reporting

/// Serves one simulated reader until somebody ends it.
struct ServeSession {
    /// Who woke the loop.
    private enum Token {
        static let signals: UInt64 = 0
        static let server: UInt64 = 1
        static let hands: UInt64 = 3
        /// A bus has many connections.
        static let bus: UInt64 = 1 << 32
    }

    /// Where a reader is served.
    enum Place {
        case stream(StreamServer.Place)
        case bus(SocketAddress, any ServedUSBReader)
    }

    private let kind: ServedReaderKind
    private let streams: Streams
    private let poller: Poller
    private let signals: TerminationSignals
    private var wire: any ServedPlace
    private var hands: HandConnections
    private var steps: ServeSteps
    private var names: HandNames
    private var isOver = false

    /// Opens everything; programs can reach the reader when this returns.
    ///
    /// - Throws: `KernelError` when a place cannot be had.
    init(
        _ options: ServeOptions,
        _ reader: any ServedReader,
        at place: Place,
        streams: Streams
    ) throws(KernelError) {
        kind = options.kind
        names = HandNames(
            options.kind.rawValue,
            standingInFor: options.kind == .dynamag ? ServedReaderKind.idynamo.rawValue : nil
        )
        steps = options.steps ?? ServeSteps([])
        self.streams = streams
        signals = try TerminationSignals()
        poller = try Poller()
        try poller.add(signals.descriptor, token: Token.signals)
        let say = { (text: String) in streams.writeError("cardrig serve: \(text)\n") }
        switch place {
        case .stream(let place):
            wire = ServedWire(reader, at: place, poller: poller, firstToken: Token.server, say: say)
        case .bus(let address, let device):
            wire = try ServedBus(
                device,
                at: address,
                poller: poller,
                firstToken: Token.bus,
                say: say
            )
        }
        hands = HandConnections(poller: poller, firstToken: Token.hands)
        if !options.isUnplugged { try plugIn() }
        if let control = options.control {
            streams.write("control \(try hands.listen(at: control))\n")
        }
        hands.readStandardInput()
    }

    /// Serves until `quit` or a signal comes.
    ///
    /// - Returns: 0 after `quit`, 130 after SIGINT or SIGTERM.
    /// - Throws: `KernelError` when the kernel refuses to wait.
    mutating func run() throws(KernelError) -> ExitCode {
        workWithHands()
        while !isOver {
            wire.work()
            workOnSteps()
            var isSignalled = false
            var wantsHands = false
            let wire = wire
            try poller.wait(untilMonotonicNanoseconds: nextWork) { readiness in
                if wire.tokens.contains(readiness.token) {
                    wire.note(readiness)
                } else if readiness.token == Token.signals {
                    isSignalled = true
                } else {
                    wantsHands = true
                }
            }
            if isSignalled, signals.take() != nil {
                self.wire.unplug()
                return .interrupted
            }
            if wantsHands { workWithHands() }
        }
        wire.unplug()
        return .held
    }

    private var nextWork: Int64? { [wire.nextWork, steps.nextDue].compactMap(\.self).min() }

    /// Does what is due of the steps; they begin with the first client.
    private mutating func workOnSteps() {
        if wire.client != nil { steps.begin(at: MonotonicClock.now) }
        while !isOver, let line = steps.nextLine(at: MonotonicClock.now) {
            streams.write("\(line): \(answer(to: line))\n")
        }
    }

    private mutating func workWithHands() {
        var hands = hands
        hands.work(echo: { streams.write($0 + "\n") }, answer: { answer(to: $0) })
        self.hands = hands
    }

    private mutating func answer(to line: String) -> String {
        wire.catchUp()
        do throws(HandRefusal) {
            switch try HandCommand(parsing: line, names: &names) {
            case .plugIn:
                do throws(KernelError) {
                    try plugIn()
                } catch {
                    throw HandRefusal(reason: error.description)
                }
            case .unplug: wire.unplug()
            case .status:
                let plug = wire.isPluggedIn ? "plugged in" : "unplugged"
                return "ok \(plug), " + (wire.client.map { "client \($0)" } ?? "no client")
            case .quit: isOver = true
            case let command: try wire.act(command)
            }
            return "ok"
        } catch {
            return "error \(error.reason)"
        }
    }

    /// Plugs the reader in and says where it is reached when that is new.
    private mutating func plugIn() throws(KernelError) {
        guard !wire.isPluggedIn else { return }
        try wire.plugIn()
        streams.write(wire.placeLine + "\n")
    }
}
