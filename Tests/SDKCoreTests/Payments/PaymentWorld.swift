import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import SDKCore
import SimulatedGateways
import Transports

/// A client and a simulated gateway with nothing but time between them.
struct PaymentWorld {
    var client: NMIClient
    var gateway: SimulatedNMIGateway
    let cache = CryptoCache()
    var now = VirtualInstant.zero
    /// What the client told, in order, without the requests it sent.
    var told: [NMIClient.Action] = []
    /// The kinds of the requests that it sent, and when.
    var sent: [(kind: PaymentExchangeKind, instant: VirtualInstant)] = []
    /// The requests themselves.
    var requests: [HTTPRequest] = []
    var arrivals: [(exchange: Int, outcome: HTTPOutcome, instant: VirtualInstant)] = []
    /// Exchanges whose connection is never made.
    var refusedExchanges: [Int] = []

    init(faults: [GatewayFault] = []) {
        gateway = SimulatedNMIGateway(SimulatedNMIGateway.Configuration(), faults: faults)
        client = NMIClient(
            NMIClient.Configuration(
                securityKey: SimulatedNMIGateway.Configuration().securityKey
            )
        )
    }

    /// A swipe of a test card under the published keys.
    static let swipe: MagneSafeSwipeFields = {
        let cache = CryptoCache()
        let key = cache.derive(.publishedTestKey, ksn: .publishedTestKSN, variant: .pin)
        let track2 = cache.encrypt(TestCard.named("visa")!.unmaskedTrack2, key: key)
        return MagneSafeSwipeFields(
            track2: Array(Hexadecimal.encode(track2).utf8),
            ksn: Array(Hexadecimal.encode(KSN.publishedTestKSN.bytes).utf8)
        )
    }()

    static func request(_ minorUnits: Int64, _ orderID: String) -> ChargeRequest {
        ChargeRequest(amount: Amount(minorUnits: minorUnits), orderID: orderID, swipe: swipe)
    }

    mutating func charge(_ minorUnits: Int64, _ orderID: String) {
        client.charge(Self.request(minorUnits, orderID), at: now)
    }

    /// Plays until nothing is awaited any more.
    mutating func run() {
        while true {
            while let action = client.nextAction() { perform(action) }
            let arrival = arrivals.map(\.instant).min()
            guard let next = [arrival, client.nextDeadline].compactMap({ $0 }).min() else { return }
            now = next
            if next == arrival, let index = arrivals.firstIndex(where: { $0.instant == next }) {
                let (exchange, outcome, _) = arrivals.remove(at: index)
                client.outcome(outcome, exchange: exchange, at: now)
            } else {
                client.deadlineReached(at: now)
            }
        }
    }

    private mutating func perform(_ action: NMIClient.Action) {
        guard case .send(let exchange, let kind, let request, _) = action else {
            return told.append(action)
        }
        sent.append((kind, now))
        requests.append(request)
        if refusedExchanges.contains(exchange) {
            return arrivals.append((exchange, .refused, now))
        }
        switch gateway.receive(request, at: now, cache: cache).wire {
        case .answer(let response, let delay):
            arrivals.append((exchange, .answered(response), now + delay))
        case .reset(let delay): arrivals.append((exchange, .reset, now + delay))
        case .refused: arrivals.append((exchange, .refused, now))
        case .silence: break
        }
    }

    /// The fields of a request in their order, without the credentials and what shows a card.
    func fields(of index: Int) -> [String] {
        String(decoding: requests[index].body, as: UTF8.self).split(separator: "&").map(String.init)
            .filter { !$0.hasPrefix("security_key=") && !$0.hasPrefix("magnesafe_") }
    }

    /// The results of the charges, in the order in which they were told.
    var results: [ChargeResult] {
        told.compactMap { action in
            guard case .chargeFinished(_, _, _, let result) = action else { return nil }
            return result
        }
    }

    /// The results of the voids, in the order in which they were told.
    var voidResults: [VoidResult] {
        told.compactMap { action in
            guard case .voidFinished(_, _, let result) = action else { return nil }
            return result
        }
    }

    /// What the exchanges without a usable answer ended with.
    var unanswered: [UnansweredReason] {
        told.compactMap { action in
            guard case .unanswered(_, _, let reason) = action else { return nil }
            return reason
        }
    }
}
