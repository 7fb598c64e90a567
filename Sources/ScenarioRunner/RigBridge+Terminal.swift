import CardData
import EventLoops
import GatewayProtocols
import Rig
import SDKCore
import ScenarioLanguage
import SimulatedGateways

// What steps ask of Inner Fence's terminal app and of card scanners.
extension Rig {
    /// Does what happens around the terminal app; returns why it cannot be done, or `nil`.
    mutating func perform(_ act: TerminalAct) -> String? {
        switch act {
        case .charge(let plan):
            return charge(TerminalCharge(plan)) ? nil : "the app is not running"
        case .url(let url): return openURL(url) ? nil : "there is no terminal app in `rig:`"
        case .lastAnswer:
            return openLastAnswer() ? nil : "the terminal app gave no answer before this step"
        case .leave:
            return leaveTerminal() ? nil : "the terminal app shows no charge that could be left"
        }
    }

    /// Lets a hand use the card scanner; returns why it cannot, or `nil`.
    mutating func perform(_ plan: ScanPlan) -> String? {
        let result: ScanResult =
            switch plan.result {
            case .scanned: .scanned
            case .manual: .manual
            case .cancelled: .cancelled
            }
        let isDone = scan(
            plan.card,
            delivering: plan.staleCard,
            result,
            date: { date in
                switch plan.expiry {
                case .whole: (Int(date.month), 2000 + Int(date.year))
                case .cut: (Int(date.month), Int(date.year))
                case .none: (0, 0)
                }
            },
            securityCode: plan.securityCode.map { $0 == .right ? "999" : "917" }
        )
        return isDone ? nil : "there is nobody to scan a card for: the app is not running"
    }
}

extension TerminalCharge {
    init(_ plan: TerminalChargePlan) {
        self.init()
        request[.returnURL] = plan.returnURL.isEmpty ? nil : plan.returnURL
        for field in plan.fields {
            guard let name = InnerFenceRequestField(rawValue: field.name) else { continue }
            request[name] = field.value
        }
        orderID = plan.orderID
        extraParameters = plan.extraParameters.map { InnerFenceParameter($0.name, $0.value) }
        isSure = plan.isSure
    }
}

extension TerminalSetup {
    /// The terminal app and the charging app that a scenario's `rig:` asks for; `nil` when it asks
    /// for none.
    init?(_ plan: RigPlan, library: SDKPlan.Library?) {
        guard plan.gateway == .innerfence else { return nil }
        self.init()
        let isObserved = (library ?? plan.sdk.library) == .observed
        client.version = InnerFenceVersion(
            plan.sdk.chargeClass ?? (isObserved ? .observed : .corrected)
        )
        client.declaresTerminalScheme = plan.terminal.isDeclared
        terminal.adopt(plan.terminal)
        callbacks = plan.terminal.callbacks.map { Callback($0) }
    }
}

extension InnerFenceVersion {
    fileprivate init(_ plan: ChargeClass) {
        self =
            switch plan {
            case .corrected: .corrected
            case .before2012: .before2012
            case .june4: .june4
            case .june11: .june11
            case .published2014: .published2014
            case .observed: .head2019
            case .windows: .windows
            }
    }
}

extension SimulatedTerminal.Configuration {
    fileprivate mutating func adopt(_ plan: TerminalPlan) {
        isInstalled = plan.isInstalled
        taxRate = plan.taxRate.flatMap { SimulatedTerminal.TaxRate($0) }
        taxesWithoutRate = plan.taxesWithoutRate
        tip = plan.tip
        enteredAmount = plan.enteredAmount
        currency = plan.currency
        answers = plan.answers.map { answer in
            switch answer {
            case .approved: .approved
            case .declined: .declined
            case .error: .error
            case .lost: .lost
            }
        }
        hasTransactionIDs = plan.hasTransactionIDs
        cardNames = plan.cardNames == .readme ? .readme : .header
        mailsReceipts = plan.mailsReceipts
        rawValues = plan.rawValues.compactMap { raw in
            InnerFenceResponseField(rawValue: raw.name)
                .map { SimulatedTerminal.RawValue($0, raw.value) }
        }
    }
}

extension TerminalSetup.Callback {
    /// How many bytes a damaged answer lacks.
    private static let cutByteCount = 20

    fileprivate init(_ plan: TerminalPlan.Callback) {
        self =
            switch plan {
            case .whole: .whole
            case .lost: .lost
            case .twice: .twice
            case .cut: .cut(byteCount: Self.cutByteCount)
            case .cutThenWhole: .cutThenWhole(byteCount: Self.cutByteCount)
            case .forged: .forged
            case .noNonce: .noNonce
            case .otherNonce: .otherNonce
            case .otherCase: .otherCase
            case .badEscape: .badEscape
            case .late: .late(.seconds(30))
            }
    }
}
