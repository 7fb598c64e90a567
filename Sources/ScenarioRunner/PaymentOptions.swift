import GatewayProtocols
import Rig
import SDKCore
import ScenarioLanguage
import SimulatedGateways
import SimulatedReaders

extension AgentCASHSetup {
    /// The service and the payment provider that a scenario's `rig:` asks for; `nil` when it asks
    /// for none.
    init?(_ plan: RigPlan, remote: (any RemoteGateway<SimulatedAgentCASHGateway>)?) {
        guard plan.gateway == .agentcash || (plan.mode == .mock && plan.hasPaymentReader) else {
            return nil
        }
        self.init(PaymentProviderType(plan.mode), remote: remote)
        if let seconds = plan.clockSecondsSince1970 { gateway.startSecondsSince1970 = seconds }
        webhookStatuses = plan.account.webhookStatuses
        let sdk = plan.sdk.payments
        if let username = sdk.username { provider.credentials.username = username }
        if sdk.hasWrongPassword { provider.credentials.password = "wrong" }
        if sdk.declineIsError { provider.profile.decline = .error }
        if !sdk.lostReaderCompletes { provider.profile.lostReader = .reverses }
        if let drops = sdk.damageDropsLink { provider.dropsLinkOnDamage = drops }
        provider.allowsPINBypass = sdk.allowsPINBypass
        if let limit = sdk.signatureTimeout { provider.signatureTimeout = limit }
        if let limit = sdk.cardTimeout { provider.cardTimeout = limit }
        if let declared = plan.app.accessoryProtocols { provider.accessoryProtocols = declared }
    }
}

extension PaymentProviderType {
    fileprivate init(_ mode: PaymentMode) {
        self =
            switch mode {
            case .mock: .mock
            case .test: .test
            case .production: .production
            }
    }
}

extension MiuraReaderConfiguration {
    /// The reader of a plan, the one with this number in its rig.
    init(_ plan: ReaderPlan, _ index: Int, carrier: PaymentReaderAddress.Carrier) {
        let miura = plan.miura
        self.init(miura.model == .m006 ? .m006 : .m010)
        if let serial = plan.audio.serial { serialNumber = serial }
        if index > 0, plan.audio.serial == nil, let number = Int(serialNumber) {
            serialNumber = "\(number + index)"
        }
        switch miura.cancelKey {
        case nil: break
        case .endsTransaction: cancelKey = .endsTransaction
        case .contactlessOff: cancelKey = .firstSwitchesContactlessOff
        }
        hasSREDKey = miura.hasKeys
        hasPINKey = miura.hasKeys
        allowsPINBypass = miura.allowsPINBypass
        answersAbortLast = miura.answersAbortLast
        wifi = miura.hasWiFi ? MiuraWiFiConfiguration(listenPort: 6_543) : nil
        if let percent = plan.audio.batteryPercent { batteryPercent = percent }
        announcesPowerOn = carrier != .serial
        seed = UInt64(index)
    }
}

extension PaymentReaderAddress {
    /// Where the provider finds the reader with this number in a rig.
    init(_ link: LinkKind, number: Int) {
        self.init(Carrier(link), number: number)
    }
}

extension PaymentReaderAddress.Carrier {
    /// A link of which nothing is said is Bluetooth's, the first of the SDK document.
    init(_ link: LinkKind) {
        self =
            switch link {
            case .direct, .bluetooth: .bluetooth
            case .tcp: .network
            case .serial: .serial
            }
    }
}
