import EventLoops
import GatewayProtocols
import SimulatedGateways

@testable import SDKCore

/// Tills at which a payment has come so far.
extension PaymentTill {
    /// A till at which a card was read and the issuer's answer is on its way.
    static func reading(
        _ card: AgentCASHCard = PaymentTill.card,
        faults: [GatewayFault] = [],
        captures: Bool = true,
        _ change: (inout PaymentProvider.Configuration) -> Void = { _ in }
    ) -> (PaymentTill, PaymentRequest) {
        var till = PaymentTill(.playedSession, faults, change)
        let request = till.authorize(captures: captures)
        till.read(card)
        return (till, request)
    }

    /// A till that waits for a signature.
    static func signing(
        faults: [GatewayFault] = [],
        captures: Bool = true
    ) -> (PaymentTill, PaymentRequest) {
        var (till, request) = reading(signatureCard, faults: faults, captures: captures)
        till.wait(.seconds(1))
        till.report(.completed(isApproved: true))
        return (till, request)
    }
}
