import CardData
import EventLoops
import GatewayProtocols
import SDKCore
import SimulatedGateways
import Transports

/// The app's payment client, the gateway opposite it, and what travels between them.
struct PaymentDesk {
    /// A request on its way, at the gateway, or on its way back.
    struct Exchange {
        /// What it is about.
        var kind: PaymentExchangeKind
        /// The request; empty once it arrived.
        var request: HTTPRequest?
        /// How it ends for the app; `nil` until the gateway has decided, and for ever in silence.
        var outcome: HTTPOutcome?
        /// The step that caused it.
        var step: Int?
        /// Whether the app no longer waits for it.
        var isOver = false
        /// Its number at a gateway outside of this process.
        var remoteNumber: Int?
        /// The fault of the merchant's server that waits for the gateway's answer.
        var serverFault: GatewayFault?
    }

    var client: NMIClient
    var gateway: SimulatedNMIGateway
    /// The gateway outside of this process that stands in for it.
    var remote: (any RemoteGateway<SimulatedNMIGateway>)?
    /// By number, from 1: exchange *n* stands at index *n* - 1.
    var exchanges: [Exchange] = []
    /// The card that was swiped last.
    var card: NMICardData? { didSet { securityCode = nil } }
    /// The security code that was typed with the card and is sent beside it.
    var securityCode: CardSecurityCode?
    /// Where the app takes keys, vectors and padding from when it encrypts a card.
    var generator: SplitMix64
    /// The transaction of the charge or authorisation that was approved last.
    var lastApproved: NMITransactionID?
    /// The authorisation that was approved last, and its amount.
    var lastAuthorized: (id: NMITransactionID, amount: Amount)?
    var orderCount = 0
    var refundCount = 0
    /// How many exchanges there were before the present client: its first is the next.
    var earlierExchangeCount = 0
    /// The subscription that began last.
    var lastSubscription: String?
    /// Orders and customers for which a check pays.
    var checkNames: Set<String> = []
    /// Whether a check paid for ``lastApproved``.
    var isLastByCheck = false
    /// How the merchant's app is set up.
    let merchant: MerchantSetup
    /// The merchant's own server between app and gateway, where there is one.
    let server: MerchantServer?
    /// The faults of the merchant's server that have not fired yet.
    var serverFaults: [GatewayFault] = []
    /// How often the merchant's server was sent a webhook.
    private var webhookCount = 0
    /// How many webhooks it was sent, each counted once.
    var sentWebhookCount = 0
    /// The pending event at which the gateway does something by itself.
    var calendar: DeskTimer?
    /// The pending event at which the client wants to go on, and for when.
    var deadline: (id: EventLoop<RigEvent>.EventID, instant: VirtualInstant)?

    init(
        _ configuration: SimulatedNMIGateway.Configuration,
        merchant: MerchantSetup,
        seed: UInt64,
        plant: Plant?
    ) {
        generator = SplitMix64(seed: seed)
        self.merchant = merchant
        gateway = SimulatedNMIGateway(configuration)
        let key = NMICredentials.securityKey(configuration.securityKey)
        server = merchant.isRelayed ? MerchantServer(credentials: key) : nil
        client = Self.makeClient(configuration, merchant, plant: plant)
    }

    /// What the merchant's server answers to the next webhook; 0 is no answer.
    mutating func webhookStatus() -> Int {
        let statuses = merchant.webhookStatuses
        guard let last = statuses.indices.last else { return 200 }
        defer { webhookCount += 1 }
        return statuses[min(webhookCount, last)]
    }

    /// Notes who pays for an order, so that its void and its refund can say so.
    mutating func note(_ card: NMICardData, paysFor orderID: String) {
        switch card {
        case .check: checkNames.insert(orderID)
        case .stored(let customer) where checkNames.contains(customer.customerID):
            checkNames.insert(orderID)
        case .stored, .keyed, .tracks, .magneSafe, .encrypted, .encryptedPayment: break
        }
    }

    var isBusy: Bool { client.isBusy }

    /// Loses what the app had in memory; what it sent goes on its way, and the ids that it saved
    /// stay known.
    mutating func loseClient(plant: Plant?) {
        for index in exchanges.indices { exchanges[index].isOver = true }
        earlierExchangeCount = exchanges.count
        client = Self.makeClient(gateway.configuration, merchant, plant: plant)
        card = nil
    }

    private static func makeClient(
        _ configuration: SimulatedNMIGateway.Configuration,
        _ merchant: MerchantSetup,
        plant: Plant?
    ) -> NMIClient {
        var client = NMIClient.Configuration(securityKey: configuration.securityKey)
        if let credentials = merchant.credentials { client.credentials = credentials }
        if merchant.isRelayed { client.route = .merchantServer }
        client.plant = plant
        return NMIClient(client)
    }
}
