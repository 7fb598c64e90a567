public import CardData
import EventLoops
import GatewayProtocols
import Journal
public import SDKCore
public import SimulatedGateways
import Transports

/// The AgentCASH service of a rig, and how its app uses the payment provider.
public struct AgentCASHSetup: Sendable {
    /// The service.
    public var gateway = SimulatedAgentCASHGateway.Configuration()
    /// The payment provider; its credentials are those of the service unless they are changed.
    public var provider: PaymentProvider.Configuration
    /// What the merchant's server answers to webhooks; `nil` does not answer.
    public var merchantStatus: Int? = 200
    /// What it answers to each of them in order, the last one for ever, in the place of
    /// ``merchantStatus``; 0 is no answer.
    public var webhookStatuses: [Int] = []

    /// Creates a service and a provider that has an account there.
    ///
    /// - Parameters:
    ///   - type: How the provider works.
    ///   - remote: The service outside of this process, whose account it is.
    public init(
        _ type: PaymentProviderType = .test,
        remote: (any RemoteGateway<SimulatedAgentCASHGateway>)? = nil
    ) {
        remote?.adoptCredentials(&gateway)
        let credentials = gateway.credentials
        provider = PaymentProvider.Configuration(
            type,
            username: credentials.username,
            password: credentials.password
        )
    }
}

/// What the app asks of its payment provider.
public enum PaymentCall: Hashable, Sendable {
    /// `authorize`, at a reader of the rig, or at the one with another name or address.
    case authorize(AuthRequestParams, reader: Int, address: String?)
    /// `continueWithSignature` for the payment that asked for it last; without one, for the last
    /// payment.
    case sign(SignatureCollectionResult, hasImage: Bool)
    /// `cancel` for the last payment.
    case cancel
    /// `capture` of the last payment with a known id; `nil` is all of it.
    case capture(Amount?)
    /// `refund` of the last payment with a known id; `nil` is all that is left.
    case refund(Amount?)
    /// `paymentInfo` of the last payment with a known id.
    case paymentInfo
    /// `payments` with an external id.
    case payments(externalID: String)
}

/// The app's payment provider, the AgentCASH service opposite it, and what travels between them.
///
/// A class with one owner, the rig: so a rig that has none stays as small as it was.
final class AgentCASHDesk {
    /// A request on its way, at the service, or on its way back; those that are over are forgotten.
    struct Exchange {
        /// The number, counted over all launches.
        let number: Int
        /// The request; empty once it arrived.
        var request: HTTPRequest?
        /// How it ends for the app; `nil` until the service has decided, and for ever in silence.
        var outcome: HTTPOutcome?
        /// The step that caused it.
        let step: Int?
        /// Whether the app no longer waits for it.
        var isOver = false
        /// Its number at a service outside of this process.
        var remoteNumber: Int?
    }

    let setup: AgentCASHSetup
    let plant: Plant?
    var provider: PaymentProvider
    var gateway: SimulatedAgentCASHGateway
    /// The service outside of this process that stands in for it.
    var remote: (any RemoteGateway<SimulatedAgentCASHGateway>)?
    /// What the app saved; it outlives the app.
    var saved = SavedPayments()
    var exchanges: [Exchange] = []
    var exchangeCount = 0
    /// How many exchanges there were before the present provider: its first is the next.
    var earlierExchangeCount = 0
    /// The station to which the provider has a link, or is making one.
    var reader: Int?
    /// Whether the link to ``reader`` was made.
    var isLinked = false
    /// What the requests of this launch that are not over asked for.
    var askedFor: [(payment: Int, kind: Symbol)] = []
    /// The payment that was asked for last in this launch.
    var lastPayment: PaymentRequest?
    /// The payment that waits for a signature, or did last.
    var signing: PaymentRequest?
    /// The service's number of the payment that was told last; the app saves it.
    var lastPaymentID: UInt64?
    /// What the merchant's server answers to webhooks; `nil` does not answer.
    var merchantStatus: Int?
    /// The webhooks that the merchant's server took.
    var webhookCount = 0
    /// The webhooks that were sent, each counted once, and all that were tried.
    var sentWebhookCount = 0
    var webhookAttemptCount = 0
    var isCarryingOut = false
    var deadline: DeskTimer?
    var calendar: DeskTimer?

    init(_ setup: AgentCASHSetup, plant: Plant?, at now: VirtualInstant) {
        self.setup = setup
        self.plant = plant
        gateway = SimulatedAgentCASHGateway(setup.gateway)
        provider = PaymentProvider(Self.configuration(setup, plant), at: now)
        merchantStatus = setup.merchantStatus
    }

    /// Loses what the app had in memory; what it sent goes on its way, and what it saved stays.
    func loseProvider(at now: VirtualInstant) {
        for index in exchanges.indices { exchanges[index].isOver = true }
        askedFor = []
        lastPayment = nil
        signing = nil
        deadline = nil
        isCarryingOut = false
    }

    /// Makes the provider of an app that is launched.
    func makeProvider(at now: VirtualInstant) {
        earlierExchangeCount = exchangeCount
        provider = PaymentProvider(Self.configuration(setup, plant), saved: saved, at: now)
    }

    /// When the provider wants to go on, and whether nobody waits for it.
    func nextWish() -> (wanted: VirtualInstant?, isIdle: Bool) {
        provider.nextWish()
    }

    /// What the merchant's server answers to a webhook that comes now; `nil` is no answer.
    func webhookStatus() -> Int? {
        guard let last = setup.webhookStatuses.indices.last else { return merchantStatus }
        defer { webhookAttemptCount += 1 }
        let status = setup.webhookStatuses[min(webhookAttemptCount, last)]
        return status == 0 ? nil : status
    }

    func index(of exchange: Int) -> Int? { exchanges.firstIndex { $0.number == exchange } }

    private static func configuration(
        _ setup: AgentCASHSetup,
        _ plant: Plant?
    ) -> PaymentProvider.Configuration {
        var configuration = setup.provider
        configuration.plant = plant
        return configuration
    }
}
