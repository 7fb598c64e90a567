import CardData
public import EventLoops
public import GatewayProtocols
public import SDKCore
public import SimulatedGateways

/// Inner Fence's terminal app, the app that charges through it, and what becomes of the answers.
public struct TerminalSetup: Hashable, Sendable {
    /// What becomes of an answer on its way to the app.
    public enum Callback: Hashable, Sendable {
        /// It arrives.
        case whole
        /// It never arrives.
        case lost
        /// It arrives twice.
        case twice
        /// It lacks so many of its last bytes.
        case cut(byteCount: Int)
        /// Somebody who does not know the nonce tells of an approval first.
        case forged
        /// Its nonce is left out.
        case noNonce
        /// Its nonce is another one.
        case otherNonce
        /// The letters of its nonce have the other case.
        case otherCase
        /// A `%` in it is followed by no digits.
        case badEscape
        /// It arrives whole after it arrived without so many of its last bytes.
        case cutThenWhole(byteCount: Int)
        /// It arrives so much later.
        case late(VirtualDuration)
    }

    /// The app that charges.
    public var client = InnerFenceClient.Configuration()
    /// The terminal app.
    public var terminal = SimulatedTerminal.Configuration()
    /// What becomes of the answers, in order, the last one for ever; empty lets them arrive.
    public var callbacks: [Callback] = []

    /// Creates both with their usual settings.
    public init() {}
}

/// A charge through the terminal app, as the merchant asks for it.
public struct TerminalCharge: Hashable, Sendable {
    /// The fields of the request; the return URL before the app's own parameters among them.
    public var request = InnerFenceChargeRequest()
    /// The order id; `nil` lets the app number its orders.
    public var orderID: String?
    /// Parameters of the app that come back with the answer.
    public var extraParameters: [InnerFenceParameter] = []
    /// Whether somebody saw at the terminal that the order was not charged.
    public var isSure = false

    /// Creates a charge that is answered to the sample app.
    public init() {
        request[.returnURL] = "com-innerfence-ChargeDemo://chargeResponse"
        request[.returnAppName] = "ChargeDemo"
    }
}

/// The two apps of a rig, and the URLs on their way between them.
struct TerminalDesk {
    /// A URL that was handed to the system.
    struct Handover {
        /// Whose scheme it has.
        enum Target { case terminal, app, browser, nothing }

        var url: String
        var target: Target
        var isFromTerminal = false
    }

    var client: InnerFenceClient
    var terminal: SimulatedTerminal
    /// By number, from 1: the URL of number *n* stands at index *n* - 1, empty once it was taken.
    var handovers: [Handover?] = []
    /// The terminal's last answer, as it was meant.
    var lastAnswer: String?
    var orderCount = 0
    /// The order that the terminal shows, by the request that it was opened with.
    var shownOrder = ""
    /// What stays when the app is killed.
    private let callbacks: [TerminalSetup.Callback]
    private var callbackCount = 0

    init(_ setup: TerminalSetup, seed: UInt64, plant: Plant?) {
        var client = setup.client
        client.seed = seed
        client.plant = plant
        self.client = InnerFenceClient(client)
        terminal = SimulatedTerminal(setup.terminal)
        callbacks = setup.callbacks
    }

    /// What becomes of the next answer.
    mutating func nextCallback() -> TerminalSetup.Callback {
        defer { callbackCount += 1 }
        guard let last = callbacks.indices.last else { return .whole }
        return callbacks[min(callbackCount, last)]
    }

    /// Whose scheme a URL has; the web's is the browser's.
    func target(of url: String) -> Handover.Target {
        guard let parts = try? InnerFenceURL(url) else {
            // The system looks no further than the scheme.
            return url.hasPrefix("\(client.configuration.scheme):") ? .app : .nothing
        }
        if parts.hasScheme(InnerFenceChargeRequest.terminalScheme) {
            return terminal.configuration.isInstalled ? .terminal : .nothing
        }
        if parts.hasScheme(client.configuration.scheme) { return .app }
        return parts.hasScheme("https") || parts.hasScheme("http") ? .browser : .nothing
    }
}
