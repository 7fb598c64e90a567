import CardData
import EventLoops
import GatewayProtocols
import Rig
import ScenarioLanguage
import SimulatedGateways

// What steps ask of NMI beside charges.
extension Rig {
    /// Does what the merchant wants; returns why it cannot be done, or `nil` when it was done.
    mutating func perform(_ act: MerchantAct) -> String? {
        let noCard = "there is nothing that pays: no card and no account was given before this step"
        let noApp = "the app is not running"
        switch act {
        case .credit(let plan):
            let extras = PaymentExtras(plan.details)
            return credit(plan.amount, orderID: plan.orderID, extras: extras) ? nil : noCard
        case .validate(let plan):
            let extras = PaymentExtras(plan.details)
            return validate(orderID: plan.orderID, extras: extras) ? nil : noCard
        case .offline(let plan, let code):
            let isDone = recordOffline(
                plan.amount,
                code: code,
                orderID: plan.orderID,
                extras: PaymentExtras(plan.details)
            )
            return isDone ? nil : noCard
        case .enterCheck(let plan): return enterCheck(NMICheck(plan)) ? nil : noApp
        case .update(let details):
            return update(NMIDetails(details))
                ? nil : "there is nothing to update: nothing was approved before this step"
        case .vault(let plan):
            if plan.action == .use { return useCustomer(plan.customer) ? nil : noApp }
            let action: NMIVaultRequest.Action =
                switch plan.action {
                case .add, .use: .add
                case .update: .update
                case .delete: .delete
                }
            let details = NMIDetails(plan.details)
            return changeCustomer(action, plan.customer, details: details) ? nil : noCard
        case .addPlan(let plan): return addPlan(NMIPlan(plan)) ? nil : noApp
        case .subscribe(let plan):
            let isDone = subscribe(
                to: plan.plan,
                startDate: plan.start,
                orderID: plan.orderID,
                details: NMIDetails(plan.details)
            )
            return isDone ? nil : noCard
        case .unsubscribe:
            return unsubscribe() ? nil : "there is no subscription that began before this step"
        case .serverFault(let fault):
            return armServer(fault.gatewayFault)
                ? nil : "there is no merchant's server: `rig:` names none"
        }
    }
}

extension PaymentExtras {
    init(_ plan: MerchantDetails) {
        self.init()
        details = NMIDetails(plan)
        let customer = plan.storedCustomer
        vault = customer.isEmpty ? nil : NMIVaultOrder(isNew: true, customerID: customer)
        subscription = plan.plan.isEmpty ? nil : NMISubscriptionOrder(.known(plan.plan))
    }
}

extension NMIDetails {
    /// The address is that of the manual's triggers, or another one.
    init(_ plan: MerchantDetails) {
        self.init()
        if let isRight = plan.hasRightAddress {
            self[.address1] = isRight ? "888" : "1 Long Lane"
            self[.zip] = isRight ? "77777" : "12345"
        }
        self[.duplicateSeconds] = plan.duplicateSeconds.map { String($0) }
        self[.firstName] = plan.firstName
        self[.lastName] = plan.lastName
        self[.company] = plan.company
        self[.orderDescription] = plan.description
        self[.purchaseOrder] = plan.purchaseOrder
        self[.trackingNumber] = plan.trackingNumber
        self[.shippingCarrier] = plan.carrier
    }
}

extension NMICheck {
    /// The account of the manual's test page, or one whose routing number has a wrong check digit.
    init(_ plan: EnteredCheckPlan) {
        self.init(
            name: plan.name,
            routingNumber: Array((plan.hasRightRoutingNumber ? "490000018" : "490000019").utf8),
            unmaskedAccount: Array("24413815".utf8),
            holderType: plan.isBusiness ? .business : .personal,
            accountType: plan.isSavings ? .savings : .checking,
            standardEntryClass: StandardEntryClass(rawValue: plan.entryClass) ?? .internet
        )
    }
}

extension NMIPlan {
    init(_ plan: RecurringPlan) {
        let schedule: Schedule =
            switch plan.schedule {
            case .days(let count): .days(count)
            case .months(let count, let day): .months(count, day: day)
            }
        self.init(
            id: plan.id,
            name: plan.id,
            amount: plan.amount,
            paymentCount: plan.paymentCount,
            schedule: schedule
        )
    }
}

extension SimulatedNMIGateway.Configuration {
    /// Takes over what a scenario's `rig:` says of the account.
    mutating func adopt(_ plan: NMIAccountPlan) {
        switch plan.account {
        case .both: accountKind = .retailAndMOTO
        case .retail: accountKind = .retail
        case .moto: accountKind = .moto
        }
        duplicateWindow = plan.duplicateWindow
        duplicatesNeedSameOrder = plan.duplicatesNeedSameOrder
        allowsDuplicateCheckOff = plan.allowsDuplicateCheckOff
        duplicatesAnswerIDZero = plan.answersIDZero
        usesOlderLoginText = plan.answersIDZero
        allowsCredits = plan.allowsCredits
        refundsBeforeSettlement = plan.refundsBeforeSettlement
        echoesType = plan.echoesType
        rateLimit = plan.rateLimit.map { RateLimit($0) }
        systemRateLimit = plan.systemRateLimit.map { RateLimit($0) }
        if !plan.hasReaderKey { loseReaderKeys() }
        cutOffSecondsOfDay = plan.settlementSecondsOfDay
        webhookEvents = plan.webhookEvents
    }
}

extension SimulatedNMIGateway.Configuration.RateLimit {
    fileprivate init(_ plan: NMIAccountPlan.RateLimit) {
        self.init(requestCount: plan.requestCount, window: plan.window)
    }
}

extension MerchantSetup {
    init(_ plan: RigPlan, _ gateway: SimulatedNMIGateway.Configuration?) {
        self.init()
        isRelayed = plan.merchantServer == .relay
        webhookStatuses = plan.account.webhookStatuses
        key =
            switch plan.account.key {
            case .right: .right
            case .foreign: .foreign
            case .damaged: .damaged
            case .unusable: .unusable
            }
        guard let gateway else { return }
        credentials =
            switch plan.account.login {
            case .key: nil
            case .wrongKey: .securityKey("AnotherMerchantsKeyThatIsNotKnown")
            case .password: .login(username: gateway.username, password: gateway.password)
            case .wrongPassword: .login(username: gateway.username, password: "wrong")
            }
    }
}
