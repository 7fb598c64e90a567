import CardData
import EventLoops
import GatewayProtocols
import Journal
import SDKCore
import SimulatedGateways
import Transports

// What travels between the HoneyStore app, its backend and PAYMILL, and what becomes of it.
extension Rig {
    mutating func send(
        _ route: HoneyStoreDesk.Route,
        _ kind: Symbol,
        _ request: HTTPRequest
    ) {
        guard let store else { return }
        store.exchangeCount += 1
        store.exchanges.append(
            HoneyStoreDesk.Exchange(
                number: store.exchangeCount,
                route: route,
                launch: store.launch,
                kind: kind,
                request: request
            )
        )
        loop.post(
            RigEvent(.storeRequestArrives(exchange: store.exchangeCount), step: journal.step),
            to: RigComponent.requestArrival,
            at: now
        )
    }

    mutating func storeRequestArrives(_ number: Int) {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard let store, let index = store.index(of: number),
            let request = store.exchanges[index].request.take()
        else { return }
        switch store.exchanges[index].route {
        case .bridge, .gateway, .sdk:
            armGatewayFault()
            let reply = store.gateway.receive(request, at: now)
            for record in reply.records {
                note(record, of: index)
                write(record)
            }
            watchStoreCalendar()
            answer(number, with: reply.wire)
        case .backend: backendReceives(request, number, index)
        }
    }

    private mutating func note(_ record: PAYMILLRecord, of index: Int) {
        switch record {
        case .requestReceived(let request):
            store?.exchanges[index].gatewayNumber = request.number
        case .faultFired(let number, _, _): store?.exchanges[index].gatewayNumber = number
        case .tokenCreated, .tokenRefused, .tokenUsed, .tokenRejected, .booked, .captured,
            .canceled, .expired, .refunded, .consumed:
            break
        }
    }

    private mutating func backendReceives(_ request: HTTPRequest, _ number: Int, _ index: Int) {
        guard let store else { return }
        store.serverRequestCount += 1
        let kind = store.exchanges[index].kind
        let place = store.serverFaults.firstIndex { fault in
            (fault.request == nil || fault.request == store.serverRequestCount)
                && (fault.kind == nil || Symbol(fault.kind) == kind)
        }
        let fault = place.map { store.serverFaults.remove(at: $0) }
        if let fault, fault.answer == .refused {
            writeServerFault(fault, kind)
            return answer(number, with: .refused)
        }
        journal.begin(.merchantServerReceived, at: now)
        journal.add(.number, .integer(Int64(store.serverRequestCount)))
        journal.add(.kind, .symbol(kind))
        journal.add(.hasClearCardData, .flag(Self.hasClearCardData(request)))
        journal.add(.status, .integer(0))
        if let token = Self.token(in: request).flatMap({ tokenNumber($0) }) {
            journal.add(.token, .integer(Int64(token)))
        }
        journal.end()
        if let fault {
            let isBefore = fault.phase == .beforeBooking
            if isBefore, let wire = Self.wireOfServer(fault.answer) {
                writeServerFault(fault, kind)
                return answer(number, with: wire)
            }
            store.exchanges[index].fault = fault
        }
        store.backend.take(request, call: number, at: now)
        carryOutBackend()
    }

    /// Whether a request to the backend has a card in it: a number, a code or a name for one.
    private static func hasClearCardData(_ request: HTTPRequest) -> Bool {
        HoneyStoreBackend.hasClearCardData(request)
    }

    private static func token(in request: HTTPRequest) -> String? {
        let asked = try? HoneyStoreRequest(
            method: request.method,
            path: request.path,
            body: request.body
        )
        switch asked {
        case .createTransactionWithToken(let token, _),
            .createPreauthorizationWithToken(let token, _):
            return token
        case .signUp, .logIn, .saveUser, .products, .currentUserID, .createTransactionWithPayment,
            .payments, .transactions, nil:
            return nil
        }
    }

    static func wireOfServer(_ answer: GatewayFault.Answer) -> GatewayReply.Wire? {
        switch answer {
        case .timeout: .silence
        case .reset: .reset(after: .zero)
        case .refused: .refused
        case .garbage:
            .answer(
                HTTPResponse(contentType: "text/html", body: Array("<html></html>".utf8)),
                after: .zero
            )
        case .httpStatus(let status):
            .answer(HTTPResponse(status: status, contentType: "", body: []), after: .zero)
        case .decline, .error, .httpApproval, .otherOrder, .slow: nil
        }
    }

    mutating func writeServerFault(_ fault: GatewayFault, _ kind: Symbol) {
        journal.write(
            .merchantServerFault,
            at: now,
            Attribute(.number, .integer(Int64(store?.serverRequestCount ?? 0))),
            Attribute(.kind, .symbol(kind)),
            Attribute(.fault, .symbol(Symbol(fault.answer))),
            Attribute(
                .phase,
                .symbol(fault.phase == .afterBooking ? .afterBooking : .beforeBooking)
            )
        )
    }

    mutating func answer(_ number: Int, with wire: GatewayReply.Wire) {
        guard let store, let index = store.index(of: number) else { return }
        let delay: VirtualDuration
        switch wire {
        case .silence: return
        case .answer(let response, let after):
            store.exchanges[index].outcome = .answered(response)
            delay = after
        case .reset(let after):
            store.exchanges[index].outcome = .reset
            delay = after
        case .refused:
            store.exchanges[index].outcome = .refused
            delay = .zero
        }
        loop.post(
            RigEvent(.storeExchangeEnds(exchange: number), step: journal.step),
            to: RigComponent.exchangeEnd,
            at: now + delay
        )
    }

    mutating func storeExchangeEnds(_ number: Int) {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        guard let store, let index = store.index(of: number),
            let outcome = store.exchanges[index].outcome
        else { return }
        let exchange = store.exchanges.remove(at: index)
        switch exchange.route {
        case .bridge(let own), .backend(let own):
            guard isAppAlive, exchange.launch == store.launch else { return }
            store.app.outcome(outcome, exchange: own, at: now)
            carryOutStore()
        case .sdk(let own):
            guard isAppAlive, exchange.launch == store.launch else { return }
            store.millNumber = exchange.gatewayNumber
            store.mill.outcome(outcome, exchange: own, at: now)
            carryOutMill()
        case .gateway(let post):
            store.doneNumbers = (post, exchange.gatewayNumber)
            store.backend.outcome(outcome, post: post, at: now)
            carryOutBackend()
        }
    }
}
