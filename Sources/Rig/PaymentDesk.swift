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
    }

    var client: NMIClient
    var gateway: SimulatedNMIGateway
    /// The gateway outside of this process that stands in for it.
    var remote: (any RemoteGateway)?
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
    /// The pending event at which the client wants to go on, and for when.
    var deadline: (id: EventLoop<RigEvent>.EventID, instant: VirtualInstant)?

    init(_ configuration: SimulatedNMIGateway.Configuration, seed: UInt64, plant: Plant?) {
        generator = SplitMix64(seed: seed)
        gateway = SimulatedNMIGateway(configuration)
        client = Self.makeClient(configuration, plant: plant)
    }

    var isBusy: Bool { client.isBusy }

    /// Loses what the app had in memory; what it sent goes on its way, and the ids that it saved
    /// stay known.
    mutating func loseClient(plant: Plant?) {
        for index in exchanges.indices { exchanges[index].isOver = true }
        earlierExchangeCount = exchanges.count
        client = Self.makeClient(gateway.configuration, plant: plant)
        card = nil
    }

    private static func makeClient(
        _ configuration: SimulatedNMIGateway.Configuration,
        plant: Plant?
    ) -> NMIClient {
        var client = NMIClient.Configuration(securityKey: configuration.securityKey)
        client.plant = plant
        return NMIClient(client)
    }
}
