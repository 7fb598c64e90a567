import EventLoops
import Journal
import SDKCore
public import SimulatedGateways
import Transports

// The merchant's own server between app and gateway.
extension Rig {
    /// How long the merchant's server waits for the gateway; assumed, and shorter than the app
    /// waits.
    private static let serverTimeout = VirtualDuration.seconds(20)

    /// Arms a fault of the merchant's server; returns whether there is one.
    ///
    /// Its phase says whether it fires before or after the gateway was asked.
    public mutating func armServer(_ fault: GatewayFault) -> Bool {
        touched.formUnion(.payments)
        if store != nil { return armStoreServer(fault) }
        guard payments?.server != nil else { return false }
        payments?.serverFaults.append(fault)
        return true
    }

    /// Takes a request of the app at the merchant's server, and what it asks of the gateway.
    ///
    /// - Returns: What the app sees of it, and what happened at the gateway.
    mutating func relay(_ request: HTTPRequest, of exchange: Int) -> GatewayReply? {
        let now = now
        guard let server = payments?.server, let kind = payments?.exchanges[exchange - 1].kind
        else { return nil }
        let fault = takeServerFault(exchange, GatewayRequestKind(rawValue: kind.rawValue))
        if let fault, fault.answer == .refused {
            write(fault, exchange, Symbol(kind))
            return GatewayReply(wire: .refused, records: [])
        }
        let action = server.take(request)
        var status = 0
        if case .answer(let response) = action { status = response.status }
        journal.write(
            .merchantServerReceived,
            at: now,
            Attribute(.number, .integer(Int64(exchange))),
            Attribute(.kind, .symbol(Symbol(kind))),
            Attribute(.hasClearCardData, .flag(MerchantServer.hasClearCardData(request))),
            Attribute(.status, .integer(Int64(status)))
        )
        if let fault, fault.phase == .beforeBooking {
            write(fault, exchange, Symbol(kind))
            if let wire = Self.wire(of: fault.answer, after: .zero) {
                return GatewayReply(wire: wire, records: [])
            }
        }
        switch action {
        case .answer(let response):
            let wire = GatewayReply.Wire.answer(response, after: .zero)
            return GatewayReply(wire: answer(wire, fault, exchange), records: [])
        case .post(let request):
            if let remote = payments?.remote {
                payments?.exchanges[exchange - 1].serverFault = fault
                payments?.exchanges[exchange - 1].remoteNumber =
                    remote.send(request, within: Self.serverTimeout)
                remote.awaitArrivals()
                takeRecordsFromOutside(step: nil)
                return nil
            }
            armGatewayFault()
            guard var reply = payments?.gateway.receive(request, at: now, cache: cache) else {
                return nil
            }
            let outcome: (HTTPOutcome, VirtualDuration) =
                switch reply.wire {
                case .answer(let response, let delay) where delay < Self.serverTimeout:
                    (.answered(response), delay)
                case .reset(let delay): (.reset, delay)
                case .refused: (.refused, .zero)
                case .answer, .silence: (.timedOut, Self.serverTimeout)
                }
            let wire = GatewayReply.Wire.answer(server.answer(to: outcome.0), after: outcome.1)
            reply.wire = answer(wire, fault, exchange)
            return reply
        }
    }

    /// Answers the app when the merchant's server heard from a gateway outside of this process.
    mutating func relayEnds(_ outcome: HTTPOutcome, of exchange: Int) {
        guard let server = payments?.server else { return }
        let fault = payments?.exchanges[exchange - 1].serverFault.take()
        let wire = GatewayReply.Wire.answer(server.answer(to: outcome), after: .zero)
        end(exchange, with: answer(wire, fault, exchange))
    }

    /// What the app sees of the answer of the merchant's server, with the fault that waited for it.
    private mutating func answer(
        _ wire: GatewayReply.Wire,
        _ fault: GatewayFault?,
        _ exchange: Int
    ) -> GatewayReply.Wire {
        guard let fault, case .answer(let response, let delay) = wire,
            let kind = payments?.exchanges[exchange - 1].kind
        else { return wire }
        if case .slow(let pause) = fault.answer {
            if fault.phase == .afterBooking { write(fault, exchange, Symbol(kind)) }
            return .answer(response, after: delay + pause)
        }
        guard fault.phase == .afterBooking else { return wire }
        write(fault, exchange, Symbol(kind))
        return Self.wire(of: fault.answer, after: delay) ?? wire
    }

    private mutating func takeServerFault(
        _ number: Int,
        _ kind: GatewayRequestKind?
    ) -> GatewayFault? {
        let index = payments?.serverFaults.firstIndex {
            ($0.request == nil || $0.request == number) && ($0.kind == nil || $0.kind == kind)
        }
        return index.flatMap { payments?.serverFaults.remove(at: $0) }
    }

    /// What the app sees of a fault; `nil` of one that only delays.
    private static func wire(
        of answer: GatewayFault.Answer,
        after delay: VirtualDuration
    ) -> GatewayReply.Wire? {
        switch answer {
        case .timeout: .silence
        case .reset: .reset(after: delay)
        case .refused: .refused
        case .garbage:
            .answer(
                HTTPResponse(contentType: "text/html", body: Array("<html></html>".utf8)),
                after: delay
            )
        case .httpStatus(let status):
            .answer(HTTPResponse(status: status, contentType: "", body: []), after: delay)
        case .decline, .error, .httpApproval, .otherOrder, .slow: nil
        }
    }

    private mutating func write(_ fault: GatewayFault, _ number: Int, _ kind: Symbol) {
        journal.write(
            .merchantServerFault,
            at: now,
            Attribute(.number, .integer(Int64(number))),
            Attribute(.kind, .symbol(kind)),
            Attribute(.fault, .symbol(Symbol(fault.answer))),
            Attribute(
                .phase,
                .symbol(fault.phase == .afterBooking ? .afterBooking : .beforeBooking)
            )
        )
    }
}
