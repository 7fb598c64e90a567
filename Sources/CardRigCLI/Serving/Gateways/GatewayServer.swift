import EventLoops
import HTTPServer
import Kernel
import LiveTransports
import Reporting
import SimulatedGateways
import Transports

/// Serves simulated gateways over HTTP until somebody ends it.
final class GatewayServer {
    /// Who woke the loop.
    private enum Token {
        static let signals: UInt64 = 0
        static let webhooks: UInt64 = 1
        static let server: UInt64 = 2
    }

    /// How long answers that are due later are waited for at the end, in nanoseconds.
    private static let patience: Int64 = 5_000_000_000

    private let streams: Streams
    private let poller: Poller
    private let signals: TerminationSignals
    private let server: LiveHTTPServer
    private var gateways: ServedGateways
    private var courier: WebhookCourier
    private var state: GatewayStateFile?
    private let start: Int64
    private var held: [(number: Int, reply: LiveHTTPServer.Reply)] = []
    private var lastInstant = VirtualInstant.zero
    private var isEnding = false
    private var endCode = ExitCode.held

    /// Opens everything; clients can reach the gateways when this returns.
    init(_ options: ServeGatewayOptions, streams: Streams) throws {
        self.streams = streams
        signals = try TerminationSignals()
        poller = try Poller()
        try poller.add(signals.descriptor, token: Token.signals)
        courier = try WebhookCourier()
        try poller.add(courier.client.wakeDescriptor, token: Token.webhooks)
        var settings = options.settings
        settings.epochSeconds = options.clock ?? WallClock.now / 1_000_000_000
        settings.allowsAdmin = options.allowsAdmin || options.address.isLoopback
        gateways = ServedGateways(settings)
        var last = VirtualInstant.zero
        if let path = options.statePath {
            state = try GatewayStateFile(path: path, gateways: &gateways, lastInstant: &last)
            gateways.keepsRequests = true
            if settings.paymill != nil {
                streams.writeError("\(path): PAYMILL and the HoneyStore are not kept in it\n")
            }
            if let count = state?.droppedByteCount, count > 0 {
                streams.writeError(
                    "\(path): the last line was not finished, and its \(count) bytes were dropped\n"
                )
            }
        }
        // The calendar goes on: as far from its beginning as the clock on the wall is.
        // A beginning that lies ahead, or more than a century back, is where it stands still.
        let seconds = WallClock.now / 1_000_000_000 - gateways.settings.epochSeconds
        let passed = min(max(0, seconds), 100 * 366 * 86_400) * 1_000_000_000
        // One that began elsewhere goes on from where it was.
        let present =
            options.clock == nil
            ? max(VirtualInstant(nanoseconds: passed) + gateways.skew, last)
            : max(VirtualInstant.zero + gateways.skew, last)
        start = MonotonicClock.now - (present.nanoseconds - gateways.skew.nanoseconds)
        lastInstant = present
        do {
            server = try LiveHTTPServer(
                at: options.address,
                limits: options.limits,
                certificate: options.certificate,
                poller: poller,
                firstToken: Token.server
            )
        } catch is TransportProblem where options.certificate != nil {
            throw UsageError.wrong(options.unfitting)
        }
        let scheme = server.isEncrypted ? "https" : "http"
        streams.write("listening \(scheme)://\(server.address)\n")
    }

    private var now: VirtualInstant {
        let instant = VirtualInstant(nanoseconds: MonotonicClock.now - start) + gateways.skew
        lastInstant = max(lastInstant, instant)
        return lastInstant
    }

    /// Serves until a signal or a test ends it.
    ///
    /// - Returns: 0 when a test did, 130 after SIGINT or SIGTERM.
    func run() throws -> ExitCode {
        var deadline = Int64.max
        while true {
            var isSignalled = false
            let server = server
            try poller.wait(untilMonotonicNanoseconds: nextWork(before: deadline)) { readiness in
                if server.tokens.contains(readiness.token) {
                    server.note(readiness)
                } else if readiness.token == Token.signals {
                    isSignalled = true
                }
            }
            if isSignalled, signals.take() != nil {
                if isEnding { break }
                end(.interrupted)
            }
            try work()
            if isEnding {
                if deadline == .max { deadline = MonotonicClock.now + Self.patience }
                if server.waitingCount == 0 || MonotonicClock.now >= deadline { break }
            }
        }
        server.work { _ in .silence }
        server.stop()
        try state?.checkpoint(&gateways, at: lastInstant)
        return endCode
    }

    private func end(_ code: ExitCode) {
        isEnding = true
        endCode = code
        server.stopListening()
    }

    private func nextWork(before deadline: Int64) -> Int64? {
        var next = min(server.nextWork, deadline)
        let moments = [
            gateways.nextCalendarInstant(), courier.hasRoom ? gateways.nextWebhookInstant : nil,
        ]
        for case let moment? in moments {
            let wait = moment.nanoseconds - gateways.skew.nanoseconds
            next = min(next, start &+ wait)
        }
        return next == .max ? nil : next
    }

    private func work() throws {
        let instant = now
        gateways.advance(to: instant)
        let server = server
        // One at a time: what a request does must not be seen before the one ahead of it.
        server.work { arrival in take(arrival) }
        try deliverWebhooks()
        try answerHeld()
        if state?.wantsCheckpoint == true { try state?.checkpoint(&gateways, at: lastInstant) }
    }

    private func take(_ arrival: LiveHTTPServer.Arrival) -> LiveHTTPServer.Reply {
        let instant = now
        let handling = gateways.handle(arrival.request, query: arrival.query, at: instant)
        switch handling.effect {
        case .none: break
        case .goDown(let pause): server.goDown(for: pause)
        case .resetConnections(let count): server.connectionsToReset = count
        case .stop: end(.held)
        }
        guard handling.isChange, state != nil else { return handling.reply }
        state?.note(
            gateways.step(arrival.request, query: arrival.query, handling),
            at: instant
        )
        held.append((arrival.number, handling.reply))
        return .later
    }

    /// Answers what is on the medium now.
    private func answerHeld() throws {
        guard state?.hasPending == true else { return }
        try state?.flush()
        for (number, reply) in held { server.reply(reply, to: number) }
        held.removeAll(keepingCapacity: true)
    }

    private func deliverWebhooks() throws {
        let instant = now
        while let (delivery, status) = courier.nextEnd() {
            gateways.webhookEnded(
                delivery.gateway,
                number: delivery.number,
                status: status,
                at: instant
            )
            state?.note(
                .webhookEnded(delivery.gateway, number: delivery.number, status: status),
                at: instant
            )
        }
        guard let due = gateways.nextWebhookInstant, due <= instant else { return }
        for gateway in gateways.served {
            while courier.hasRoom, let delivery = gateways.beginWebhook(gateway, at: instant) {
                state?.note(.webhookBegan(gateway), at: instant)
                courier.send(delivery)
            }
        }
    }
}
