import EventLoops
import GatewayProtocols
import Transports

/// What a provider wants done and told, in order, and the numbers of its exchanges.
struct PaymentOutbox: Hashable {
    private var actions: [PaymentProvider.Action] = []
    private var deliveredCount = 0
    private var exchangeCount = 0
    /// What the next launch has to know.
    private(set) var saved: SavedPayments

    init(_ saved: SavedPayments) { self.saved = saved }

    /// Makes a reference that was never used before.
    mutating func makeReference(_ installation: String) -> String {
        saved.referenceCount += 1
        return "\(installation)-\(saved.referenceCount)"
    }

    /// Keeps a payment for the next launch, before a request leaves that may change it.
    mutating func keep(_ reference: String, captures: Bool, isConfirmed: Bool) {
        var payment = SavedPayments.Open(reference: reference, captures: captures)
        payment.isConfirmed = isConfirmed
        if let index = saved.open.firstIndex(where: { $0.reference == reference }) {
            guard saved.open[index] != payment else { return }
            saved.open[index] = payment
        } else {
            saved.open.append(payment)
            if saved.open.count > SavedPayments.maximumOpenCount { saved.open.removeFirst() }
        }
        actions.append(.save(saved))
    }

    /// Forgets a payment whose end is known.
    mutating func forget(_ reference: String) {
        guard let index = saved.open.firstIndex(where: { $0.reference == reference }) else {
            return
        }
        saved.open.remove(at: index)
        actions.append(.save(saved))
    }

    mutating func tell(_ event: PaymentEvent) { actions.append(.tell(event)) }

    mutating func add(_ action: PaymentProvider.Action) { actions.append(action) }

    /// Sends a request and returns the number of its exchange, and until when it is awaited.
    mutating func send(
        _ request: AgentCASHRequest,
        _ kind: AgentCASHExchangeKind,
        _ configuration: PaymentProvider.Configuration,
        at now: VirtualInstant
    ) -> (exchange: Int, deadline: VirtualInstant) {
        exchangeCount += 1
        let deadline = now + configuration.answerTimeout
        let body = request.body
        let post = HTTPRequest(
            method: request.method,
            path: request.path,
            contentType: body.isEmpty ? "" : AgentCASHRequest.contentType,
            fields: [HTTPField("authorization", configuration.credentials.authorization)],
            body: body
        )
        actions.append(.send(exchange: exchangeCount, kind: kind, post, deadline: deadline))
        return (exchangeCount, deadline)
    }

    mutating func next() -> PaymentProvider.Action? {
        guard deliveredCount < actions.count else {
            if deliveredCount > 0 {
                actions.removeAll(keepingCapacity: true)
                deliveredCount = 0
            }
            return nil
        }
        defer { deliveredCount += 1 }
        return actions[deliveredCount]
    }
}
