import EventLoops
import GatewayProtocols
import Kernel
import SimulatedGateways

/// What the served gateways are made of.
struct ServedGatewaySettings {
    /// `nil` when it is not served.
    var nmi: SimulatedNMIGateway.Configuration?
    /// `nil` when it is not served.
    var agentcash: SimulatedAgentCASHGateway.Configuration?
    /// `nil` when it is not served; the HoneyStore's functions are beside it.
    var paymill: SimulatedPAYMILLGateway.Configuration?
    /// The HoneyStore's functions beside PAYMILL; the private key is PAYMILL's.
    var store = HoneyStoreBackend.Configuration(privateKey: "")
    /// Whether the paths under `/cardrig` are there.
    var allowsAdmin = true

    /// The calendar at the moment zero, in seconds since 1970 UTC.
    var epochSeconds: Int64 {
        get {
            nmi?.startSecondsSince1970 ?? agentcash?.startSecondsSince1970
                ?? paymill?.startSecondsSince1970 ?? 0
        }
        set {
            nmi?.startSecondsSince1970 = newValue
            agentcash?.startSecondsSince1970 = newValue
            paymill?.startSecondsSince1970 = newValue
        }
    }

    /// The secret under which the state file is sealed.
    var secret: String {
        (nmi?.securityKey ?? "") + "\n" + (agentcash?.credentials.password ?? "")
    }

    /// Gateways that answer without delay, with the credentials of the environment.
    init(_ gateways: [ServedGateway], environment: (String) -> String?) {
        let credentials = GatewayCredentials(environment: environment)
        if gateways.contains(.nmi) {
            var configuration = SimulatedNMIGateway.Configuration()
            configuration.latency = .zero
            SimulatedNMIGateway.adopt(credentials, &configuration)
            configuration.webhookSigningKey =
                environment("CARDRIG_NMI_WEBHOOK_KEY") ?? configuration.webhookSigningKey
            nmi = configuration
        }
        if gateways.contains(.agentcash) {
            var configuration = SimulatedAgentCASHGateway.Configuration()
            configuration.latency = .zero
            SimulatedAgentCASHGateway.adopt(credentials, &configuration)
            agentcash = configuration
        }
        if gateways.contains(.paymill) {
            var configuration = SimulatedPAYMILLGateway.Configuration()
            configuration.latency = .zero
            configuration.hasThreeDSecure = true
            configuration.publicKey = credentials.paymillPublicKey ?? configuration.publicKey
            configuration.privateKey = credentials.paymillPrivateKey ?? configuration.privateKey
            paymill = configuration
            store.privateKey = configuration.privateKey
            // Each service has sessions of its own, which nobody can know beforehand.
            var generator = SystemRandomNumberGenerator()
            store.seed = generator.next()
        }
    }

    /// What can be set by name, with its form; the rest of PAYMILL's are in
    /// ``PAYMILLServeOption``.
    static let options: [(name: String, form: String)] =
        [
            ("latency", "how long an answer takes, as in 150ms"),
            ("duplicate-window", "how long a payment makes the same one a duplicate, as in 1200s"),
            ("repeated-fields", "last or refused"),
        ] + PAYMILLServeOption.all.map { ($0.name, $0.form) }

    /// Sets an option; `false` when the text is none of its values.
    mutating func set(_ name: String, to text: String) -> Bool {
        switch name {
        case "latency":
            guard let latency = Self.duration(text), latency <= .seconds(60) else { return false }
            nmi?.latency = latency
            agentcash?.latency = latency
            paymill?.latency = latency
        case "duplicate-window":
            guard let window = Self.duration(text) else { return false }
            nmi?.duplicateWindow = window
        case "repeated-fields":
            guard text == "last" || text == "refused" else { return false }
            nmi?.repeatedFields = text == "last" ? .lastCounts : .refused
        default:
            guard paymill != nil,
                let option = PAYMILLServeOption.all.first(where: { $0.name == name })
            else { return false }
            return option.set(&self, to: text)
        }
        return true
    }

    private static func duration(_ text: String) -> VirtualDuration? {
        ["0", "0s", "0ms"].contains(text) ? .zero : RunOptions.duration(text)
    }
}

/// Who the merchant is at real servers, from the environment alone; never printed.
struct GatewayCredentials {
    /// From `CARDRIG_NMI_SECURITY_KEY`.
    var nmiSecurityKey: String?
    /// From `CARDRIG_NMI_USERNAME` and `CARDRIG_NMI_PASSWORD`, the older login.
    var nmiUsername: String?, nmiPassword: String?
    /// From `CARDRIG_PAYMILL_PUBLIC_KEY` and `CARDRIG_PAYMILL_PRIVATE_KEY`.
    var paymillPublicKey: String?, paymillPrivateKey: String?
    /// From `CARDRIG_AGENTCASH_USERNAME` and `CARDRIG_AGENTCASH_PASSWORD`.
    var agentcashUsername: String?, agentcashPassword: String?

    init(environment: (String) -> String?) {
        func value(_ name: String) -> String? {
            environment("CARDRIG_" + name).flatMap { $0.isEmpty ? nil : $0 }
        }
        nmiSecurityKey = value("NMI_SECURITY_KEY")
        nmiUsername = value("NMI_USERNAME")
        nmiPassword = value("NMI_PASSWORD")
        agentcashUsername = value("AGENTCASH_USERNAME")
        agentcashPassword = value("AGENTCASH_PASSWORD")
        paymillPublicKey = value("PAYMILL_PUBLIC_KEY")
        paymillPrivateKey = value("PAYMILL_PRIVATE_KEY")
    }
}

extension GatewayCredentials: CustomStringConvertible, CustomReflectable {
    /// No part of the secrets.
    var description: String { "credentials" }

    /// A mirror without children, so that no dump shows them.
    var customMirror: Mirror { Mirror(self, children: []) }
}
