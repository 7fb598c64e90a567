import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Transports

@testable import SDKCore

/// Watches a till and says which promises about payments were broken.
struct TillLaws {
    /// The names of broken laws, each once.
    private(set) var broken: [String] = []
    private var completed: Set<PaymentRequest> = []
    private var actions: Set<PaymentRequest> = []
    /// References whose authorisation has no end yet, and exchanges that carry one.
    private var openAuthorisations: [Int: String] = [:]
    private var doubts: Set<String> = []
    private var askedFor: Set<String> = []
    private var isWithdrawn = false
    private var isSigned = false

    private mutating func breaks(_ law: String, unless holds: Bool) {
        if !holds, !broken.contains(law) { broken.append(law) }
    }

    mutating func cancelled() { isWithdrawn = true }
    mutating func refusedByCard() { isWithdrawn = true }

    /// The first answer to the question counts; others are misuse.
    mutating func signed(_ result: SignatureCollectionResult) {
        guard !actions.isEmpty, !isSigned, !isWithdrawn else { return }
        if result == .successful { isSigned = true } else { isWithdrawn = true }
    }

    /// The app was killed, and with it its requests and its doubts.
    mutating func relaunched() {
        completed = []
        actions = []
        openAuthorisations = [:]
        doubts = []
    }

    mutating func told(_ event: PaymentEvent) {
        switch event {
        case .progressChanged(let request, _):
            breaks("one-completion", unless: !completed.contains(request))
        case .userActionRequired(let request, _):
            breaks("one-completion", unless: !completed.contains(request))
            breaks("one-user-action", unless: actions.insert(request).inserted)
        case .completed(let request, let completion):
            breaks("one-completion", unless: completed.insert(request).inserted)
            guard actions.contains(request) || !openAuthorisations.isEmpty || !doubts.isEmpty else {
                return
            }
            breaks("doubt-is-looked-up", unless: openAuthorisations.isEmpty)
            let isKnown = doubts.isEmpty || completion.result == .unknown && !askedFor.isEmpty
            breaks("doubt-is-looked-up", unless: isKnown)
            doubts = []
            askedFor = []
        case .openPaymentSettled, .misuse: break
        }
    }

    mutating func sent(
        _ exchange: Int,
        _ kind: AgentCASHExchangeKind,
        _ request: HTTPRequest,
        _ gateway: SimulatedAgentCASHGateway
    ) {
        let asked = try? AgentCASHRequest(
            method: request.method,
            path: request.path,
            contentType: request.contentType,
            body: request.body
        )
        switch asked {
        case .authorise(let authorisation):
            breaks("doubt-is-looked-up", unless: !doubts.contains(authorisation.reference))
            openAuthorisations[exchange] = authorisation.reference
        case .search(.reference(let reference)): askedFor.insert(reference)
        case .capture(let id, let amount):
            let known = gateway.ledger.entry(id)?.transaction
            let isAllowed =
                known.map { $0.state == .authorised && amount ?? $0.amount <= $0.amount } ?? true
            breaks("captured-within-authorised", unless: isAllowed)
        case .refund(let id, let amount):
            guard let known = gateway.ledger.entry(id)?.transaction else { return }
            let isAllowed =
                known.state == .authorised
                || known.state == .captured
                    && amount ?? known.refundableAmount <= known.refundableAmount
            breaks("refunded-within-captured", unless: isAllowed)
        case .confirm, .reverse, .transaction, .search, nil: break
        }
    }

    /// An exchange was answered with something that can be used.
    mutating func answered(_ exchange: Int, _ kind: AgentCASHExchangeKind) {
        if let reference = openAuthorisations.removeValue(forKey: exchange) {
            doubts.remove(reference)
        }
        if kind == .lookUp { doubts.subtract(askedFor) }
    }

    mutating func unanswered(_ exchange: Int, _ reason: UnansweredReason) {
        if let reference = openAuthorisations.removeValue(forKey: exchange), reason != .refused {
            doubts.insert(reference)
        }
    }

    /// Judges the books at the end.
    mutating func judge(_ ledger: AgentCASHLedger) {
        var standing: [String: Int] = [:]
        for entry in ledger.entries {
            let payment = entry.transaction
            switch payment.state {
            case .captured, .refunded, .authorised: standing[payment.reference, default: 0] += 1
            case .declined, .expired, .failed, .released, .reversed: break
            }
            let isTaken = payment.state == .captured
            breaks("no-charge-without-consent", unless: !(isTaken && isWithdrawn))
            let needsSignature = payment.verification == .signature
            breaks(
                "no-charge-without-consent",
                unless: !(isTaken && needsSignature && !isSigned)
            )
            breaks(
                "captured-within-authorised",
                unless: payment.capturedAmount <= payment.amount
            )
            breaks(
                "refunded-within-captured",
                unless: payment.refundedAmount <= payment.capturedAmount
            )
        }
        let isOnce = standing.values.allSatisfy { $0 == 1 }
        breaks("charged-at-most-once", unless: isOnce)
    }
}
