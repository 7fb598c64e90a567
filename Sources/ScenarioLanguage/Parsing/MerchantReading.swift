import CardData
import EventLoops
import Journal
import YAML

// What scenarios say of NMI beside charges.
extension ScenarioReading {
    /// Reads one of the steps that NMI has beside charges.
    mutating func merchantAct(_ shape: StepShape) -> MerchantAct? {
        requireGateway(shape)
        switch shape.word {
        case .credit: return merchantPayment(shape).map { .credit($0.plan) }
        case .validate: return merchantPayment(shape).map { .validate($0.plan) }
        case .offline: return merchantPayment(shape).map { .offline($0.plan, code: $0.code) }
        case .enterCheck: return enterCheck(shape).map { .enterCheck($0) }
        case .update:
            guard let argument = argument(of: shape, "the data"),
                let fields = fields(argument, Grammar.update)
            else { return nil }
            return .update(merchantDetails(fields))
        case .vault: return vault(shape).map { .vault($0) }
        case .addPlan: return plan(shape).map { .addPlan($0) }
        case .subscribe: return subscription(shape).map { .subscribe($0) }
        case .merchantServer:
            if isRigKnown, gateway == .nmi, merchantServer == .none {
                complain(
                    at: shape.mark,
                    "expected `merchantServer: relay` in `rig` for `merchant server`, found none"
                )
            }
            return serverFault(shape).map { .serverFault($0) }
        default:
            if let argument = shape.argument {
                complain(
                    at: argument.mark,
                    "expected nothing behind `unsubscribe`, found \(Words.found(argument))",
                    hint: "the subscription that began last is ended"
                )
                return nil
            }
            return .unsubscribe
        }
    }

    private mutating func merchantPayment(
        _ shape: StepShape
    ) -> (plan: ChargePlan, code: String?)? {
        if shape.word == .validate, shape.argument == nil {
            return (ChargePlan(amount: Amount(minorUnits: 0)), nil)
        }
        guard let argument = argument(of: shape, "an amount") else { return nil }
        if case .scalar = argument.content, shape.word != .validate {
            return amount(argument).map { (ChargePlan(amount: $0), nil) }
        }
        guard let fields = fields(argument, Grammar.merchantPayment(shape.word)) else { return nil }
        var plan = ChargePlan(amount: Amount(minorUnits: 0))
        if shape.word != .validate {
            guard let amount = fields["amount"].flatMap({ self.amount($0) }) else { return nil }
            plan.amount = amount
        }
        plan.orderID = fields["order"].flatMap { text($0, "an order id") }
        plan.details = merchantDetails(fields)
        return (plan, fields["code"].flatMap { text($0, "the issuer's code") })
    }

    /// Reads what stands with a payment beside money and order.
    mutating func merchantDetails(_ fields: Fields) -> MerchantDetails {
        var details = MerchantDetails()
        details.hasRightAddress = fields["address"].flatMap {
            word($0, "`right` or `wrong`", among: [("right", true), ("wrong", false)])
        }
        details.duplicateSeconds = fields["duplicateSeconds"].flatMap {
            integer($0, "a window of 0 to 7862400 seconds", in: 0...7_862_400)
        }
        details.storedCustomer = words(fields, "store")
        details.plan = words(fields, "plan")
        details.firstName = words(fields, "firstName")
        details.lastName = words(fields, "lastName")
        details.company = words(fields, "company")
        details.description = words(fields, "description")
        details.purchaseOrder = words(fields, "purchaseOrder")
        details.trackingNumber = words(fields, "tracking")
        details.carrier =
            fields["carrier"].flatMap {
                word($0, "a carrier", among: ["ups", "fedex", "dhl", "usps"].map { ($0, $0) })
            } ?? ""
        return details
    }

    /// Reads a fault of the merchant's server, which books nothing and declines nothing by itself.
    private mutating func serverFault(_ shape: StepShape) -> GatewayFaultPlan? {
        guard let plan = gatewayFault(shape) else { return nil }
        switch plan.answer {
        case .timeout, .reset, .garbage, .http, .refused, .slow: return plan
        case .decline, .error, .httpApproval, .otherOrder:
            complain(
                at: shape.argument?.mark ?? shape.mark,
                "expected timeout, reset, garbage, http, slow or refused of the merchant's server, "
                    + "found another answer",
                hint: "what the gateway says is a fault of `gateway`"
            )
            return nil
        }
    }

    private mutating func words(_ fields: Fields, _ name: String) -> String {
        fields[name].flatMap { safeText($0, name) }?.description ?? ""
    }

    private mutating func enterCheck(_ shape: StepShape) -> EnteredCheckPlan? {
        guard let argument = shape.argument else { return EnteredCheckPlan() }
        guard let fields = fields(argument, Grammar.enterCheck) else { return nil }
        var plan = EnteredCheckPlan()
        plan.hasRightRoutingNumber = choice(fields, "routing", "wrong", "right") ?? true
        plan.isSavings = choice(fields, "account", "checking", "savings") ?? false
        plan.isBusiness = choice(fields, "holder", "personal", "business") ?? false
        plan.entryClass =
            fields["class"].flatMap {
                word($0, "a class of entries", among: Grammar.entryClasses.map { ($0, $0) })
            } ?? "WEB"
        if fields["name"] != nil { plan.name = words(fields, "name") }
        return plan
    }

    private mutating func vault(_ shape: StepShape) -> VaultPlan? {
        guard let argument = argument(of: shape, "what becomes of a customer"),
            let fields = fields(argument, Grammar.vault)
        else { return nil }
        let found = VaultPlan.Action.allCases.filter { fields[$0.rawValue] != nil }
        guard found.count == 1, let action = found.first else {
            let count = found.isEmpty ? "none" : "\(found.count)"
            complain(
                at: argument.mark,
                "expected one of `add`, `update`, `delete` and `use` in `vault`, found \(count)"
            )
            return nil
        }
        let customer = words(fields, action.rawValue)
        return VaultPlan(action, customer, details: merchantDetails(fields))
    }

    private mutating func plan(_ shape: StepShape) -> RecurringPlan? {
        guard let argument = argument(of: shape, "a plan"),
            let fields = fields(argument, Grammar.addPlan),
            let amount = fields["amount"].flatMap({ self.amount($0) })
        else { return nil }
        let days = fields["days"].flatMap { integer($0, "days, 1 to 3650", in: 1...3_650) }
        let months = fields["months"].flatMap { integer($0, "months, 1 to 24", in: 1...24) }
        let day = fields["day"].flatMap { integer($0, "a day, 1 to 31", in: 1...31) }
        let schedule: RecurringPlan.Schedule
        switch (days, months) {
        case (let days?, nil): schedule = .days(Int(days))
        case (nil, let months?): schedule = .months(Int(months), day: Int(day ?? 1))
        case (nil, nil), (_?, _?):
            complain(at: argument.mark, "expected either `days` or `months` in `add plan`")
            return nil
        }
        let count = fields["payments"].flatMap {
            integer($0, "how many times, 0 to 1000", in: 0...1_000)
        }
        return RecurringPlan(
            id: words(fields, "plan"),
            amount: amount,
            schedule: schedule,
            paymentCount: Int(count ?? 0)
        )
    }

    private mutating func subscription(_ shape: StepShape) -> SubscriptionPlan? {
        guard let argument = argument(of: shape, "a plan"),
            let fields = fields(argument, Grammar.subscribe)
        else { return nil }
        var details = merchantDetails(fields)
        details.plan = ""
        let start = words(fields, "start")
        if !start.isEmpty, Int64(start) == nil || start.utf8.count != 8, let node = fields["start"]
        {
            complain(at: node.mark, "expected a day such as 20240610, found \(Words.found(node))")
            return nil
        }
        return SubscriptionPlan(
            plan: words(fields, "plan"),
            start: start,
            orderID: fields["order"].flatMap { text($0, "an order id") },
            details: details
        )
    }

    /// Reads `void` or `void: { reason, as }`.
    mutating func void(_ shape: StepShape) -> StepAction? {
        requireGateway(shape)
        guard let argument = shape.argument else { return .void(VoidPlan()) }
        guard case .mapping = argument.content else {
            return alone(
                shape,
                .void(VoidPlan()),
                hint: "the charge that was approved last is voided"
            )
        }
        guard let fields = fields(argument, Grammar.void) else { return nil }
        var plan = VoidPlan()
        plan.reason =
            fields["reason"].flatMap {
                word($0, "a reason of the gateway", among: Grammar.voidReasons.map { ($0, $0) })
            } ?? ""
        plan.isCheck = checkWord(fields)
        return .void(plan)
    }

    /// Reads what a transaction is said to be.
    mutating func checkWord(_ fields: Fields) -> Bool? {
        fields["as"].flatMap {
            word($0, "`card` or `check`", among: [("card", false), ("check", true)])
        }
    }
}

// What scenarios say of the NMI account.
extension ScenarioReading {
    /// Reads `nmi`, `agentcash` or `{ kind: nmi, … }`.
    mutating func gatewayAccount(_ node: YAMLNode) {
        let kinds = GatewayKind.allCases.map { ($0.rawValue, $0) }
        guard case .mapping = node.content else {
            gateway = word(node, "a gateway", among: kinds)
            return
        }
        guard let fields = fields(node, Grammar.gatewayAccount) else { return }
        gateway = fields["kind"].flatMap {
            word($0, "a gateway", among: kinds)
        }
        if let gateway, gateway != .nmi {
            for name in Grammar.accountKeys.map(\.name)
            where name != "webhooks" || gateway != .agentcash {
                guard let entry = fields.entry(name) else { continue }
                if gateway == .paymill, name == "webhooks" { continue }
                complain(
                    at: entry.keyMark,
                    "expected `kind: nmi` for `\(name)`, found '\(gateway.rawValue)'"
                )
            }
        }
        readStore(fields)
        readDuplicates(fields)
        readRules(fields)
        if let node = fields["webhooks"] { webhooks(node) }
    }

    private mutating func readDuplicates(_ fields: Fields) {
        account.duplicateWindow = fields["duplicateWindow"].flatMap { duration($0) } ?? .zero
        account.duplicatesNeedSameOrder =
            choice(fields, "duplicates", "any order", "same order") ?? true
        account.allowsDuplicateCheckOff = allowed(fields, "duplicateCheckOff")
        account.answersIDZero = fields["answersIdZero"].flatMap { flag($0) } ?? false
    }

    private mutating func readRules(_ fields: Fields) {
        if let node = fields["account"] {
            let known = NMIAccountPlan.Account.allCases.map { ($0.rawValue, $0) }
            account.account = word(node, "which cards it takes", among: known) ?? .both
        }
        account.allowsCredits = allowed(fields, "credits")
        account.refundsBeforeSettlement =
            choice(fields, "refunds", "after settlement", "any time") ?? true
        account.echoesType = fields["echoesType"].flatMap { flag($0) } ?? true
        account.rateLimit = fields["rateLimit"].flatMap { rateLimit($0, "`rateLimit`") }
        account.systemRateLimit = fields["systemRateLimit"].flatMap {
            rateLimit($0, "`systemRateLimit`")
        }
        if let node = fields["key"] {
            let known = NMIAccountPlan.Key.allCases.map { ($0.rawValue, $0) }
            account.key = word(node, "a key", among: known) ?? .right
        }
        if let node = fields["login"] {
            let known = NMIAccountPlan.Login.allCases.map { ($0.rawValue, $0) }
            account.login = word(node, "how the app logs in", among: known) ?? .key
        }
        account.hasReaderKey = choice(fields, "readerKey", "foreign", "right") ?? true
        if let node = fields["settlement"] { settlement(node) }
    }

    private mutating func choice(
        _ fields: Fields,
        _ name: String,
        _ no: String,
        _ yes: String
    ) -> Bool? {
        fields[name].flatMap { word($0, "`\(no)` or `\(yes)`", among: [(no, false), (yes, true)]) }
    }

    private mutating func allowed(_ fields: Fields, _ name: String) -> Bool {
        choice(fields, name, "refused", "allowed") ?? true
    }

    private mutating func rateLimit(
        _ node: YAMLNode,
        _ subject: String
    ) -> NMIAccountPlan.RateLimit? {
        guard let fields = fields(node, Grammar.rateLimit(subject)) else { return nil }
        let count = fields["requests"].flatMap {
            integer($0, "a number of requests, 1 to 100000", in: 1...100_000)
        }
        let window = fields["in"].flatMap { duration($0) }
        guard let count, let window else { return nil }
        return NMIAccountPlan.RateLimit(requestCount: Int(count), window: window)
    }

    private mutating func settlement(_ node: YAMLNode) {
        guard let word = text(node, "a time of day such as 23:00, or none") else { return }
        if word == "none" {
            account.settlementSecondsOfDay = nil
            return
        }
        let bytes = Array(word.utf8)
        let digits = bytes.filter { $0 >= 0x30 && $0 <= 0x39 }.map { Int64($0 - 0x30) }
        guard bytes.count == 5, bytes[2] == 0x3A, digits.count == 4,
            digits[0] * 10 + digits[1] < 24, digits[2] < 6
        else {
            complain(
                at: node.mark,
                "expected a time of day such as 23:00, or none, found \(Words.quoted(word))"
            )
            return
        }
        let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
        account.settlementSecondsOfDay = minutes * 60
    }

    private mutating func webhooks(_ node: YAMLNode) {
        guard let fields = fields(node, Grammar.webhooks) else { return }
        if let node = fields["answers"] {
            account.webhookStatuses = items(node).compactMap { item in
                let form = "a status of 200 to 599, or 0 for no answer"
                guard let status = integer(item, form, in: 0...599).map(Int.init) else {
                    return nil
                }
                if 1..<200 ~= status {
                    complain(at: item.mark, "expected \(form), found \(status)")
                    return nil
                }
                return status
            }
        }
        if gateway == .agentcash, let entry = fields.entry("events") {
            complain(
                at: entry.keyMark,
                "expected `kind: nmi` for `events`, found 'agentcash'",
                hint: "AgentCASH tells every event of a charge with a `webhook`"
            )
        } else if let node = fields["events"] {
            account.webhookEvents = items(node).compactMap { text($0, "an event") }
        }
    }
}
