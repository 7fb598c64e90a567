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
    }

    var client: NMIClient
    var gateway: SimulatedNMIGateway
    /// By number, from 1: exchange *n* stands at index *n* - 1.
    var exchanges: [Exchange] = []
    /// The card that was swiped last.
    var card: MagnesafeSwipedCard?
    /// The transaction of the charge that was approved last.
    var lastApproved: NMITransactionID?
    var orderCount = 0
    /// The pending event at which the client wants to go on, and for when.
    var deadline: (id: EventLoop<RigEvent>.EventID, instant: VirtualInstant)?

    init(_ configuration: SimulatedNMIGateway.Configuration) {
        gateway = SimulatedNMIGateway(configuration)
        client = NMIClient(NMIClient.Configuration(securityKey: configuration.securityKey))
    }

    var isBusy: Bool { client.isBusy }
}
