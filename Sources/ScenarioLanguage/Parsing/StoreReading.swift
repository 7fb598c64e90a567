import CardData
import Journal
import YAML

// What scenarios say of PAYMILL and the HoneyStore.
extension ScenarioReading {
    /// The user of a scenario that names none.
    private static let defaultUser = "maya"

    /// Reads one of the steps that only the store has.
    mutating func storeAct(_ shape: StepShape) -> StoreAct? {
        if isRigKnown, gateway != .paymill {
            complain(
                at: shape.mark,
                "expected `gateway: paymill` in `rig` for `\(shape.word.rawValue)`, found "
                    + (gateway.map { "`gateway: \($0.rawValue)`" } ?? "none")
            )
        }
        switch shape.word {
        case .signUp: return signUp(shape)
        case .logIn: return logIn(shape)
        case .saveUser:
            guard let argument = argument(of: shape, "an address"),
                let fields = fields(argument, Grammar.saveUser)
            else { return nil }
            return .saveUser(email: storeText(fields, "email"))
        case .enterAccount: return enterAccount(shape).map { .enterAccount($0) }
        case .makeToken:
            return argument(of: shape, "an amount").flatMap { amount($0) }.map { .makeToken($0) }
        case .list:
            guard let argument = argument(of: shape, "`cards` or `products`") else { return nil }
            return word(
                argument,
                "what is listed",
                among: [("cards", StoreAct.listCards), ("products", .listProducts)]
            )
        default: return buy(shape).map { .buy($0) }
        }
    }

    private mutating func signUp(_ shape: StepShape) -> StoreAct? {
        guard let argument = shape.argument else {
            return .signUp(user: Self.defaultUser, email: "maya@store.example")
        }
        guard let fields = fields(argument, Grammar.signUp) else { return nil }
        let user = fields["user"] == nil ? Self.defaultUser : storeText(fields, "user")
        let email = fields["email"] == nil ? "\(user)@store.example" : storeText(fields, "email")
        return .signUp(user: user, email: email)
    }

    private mutating func logIn(_ shape: StepShape) -> StoreAct? {
        guard let argument = shape.argument else {
            return .logIn(user: Self.defaultUser, hasRightPassword: true)
        }
        guard let fields = fields(argument, Grammar.logIn) else { return nil }
        let isRight = fields["password"].flatMap {
            word($0, "`right` or `wrong`", among: [("right", true), ("wrong", false)])
        }
        return .logIn(
            user: fields["user"] == nil ? Self.defaultUser : storeText(fields, "user"),
            hasRightPassword: isRight ?? true
        )
    }

    private mutating func enterAccount(_ shape: StepShape) -> EnteredAccountPlan? {
        var plan = EnteredAccountPlan()
        guard let argument = shape.argument else { return plan }
        guard let fields = fields(argument, Grammar.enterAccount) else { return nil }
        plan.isByIBAN = storeChoice(fields, "by", "iban", "number") ?? false
        plan.hasWrongNumber = storeChoice(fields, "number", "wrong", "right") ?? false
        plan.hasUnknownBank = storeChoice(fields, "bank", "unknown", "known") ?? false
        if fields["holder"] != nil { plan.holder = storeText(fields, "holder") }
        return plan
    }

    private mutating func buy(_ shape: StepShape) -> BuyPlan? {
        guard let argument = argument(of: shape, "a product") else { return nil }
        let products = Grammar.products.map { ($0, $0) }
        if case .scalar = argument.content {
            return word(argument, "a product", among: products).map { BuyPlan(product: $0) }
        }
        guard let fields = fields(argument, Grammar.buy),
            let product = fields["product"].flatMap({ word($0, "a product", among: products) })
        else { return nil }
        var plan = BuyPlan(
            product: product,
            amount: fields["amount"].flatMap { amount($0) },
            payer: payer(fields) ?? .card,
            orderID: fields["order"].flatMap { text($0, "an order") }
        )
        plan.price = fields["price"].flatMap { amount($0) }
        return plan
    }

    /// Reads what pays.
    mutating func payer(_ fields: Fields) -> StorePayer? {
        guard let entry = fields.entry("with") else { return nil }
        if isRigKnown, gateway != .paymill {
            complain(
                at: entry.keyMark,
                "expected `gateway: paymill` in `rig` for `with`, found "
                    + (gateway.map { "`gateway: \($0.rawValue)`" } ?? "none")
            )
        }
        return word(
            entry.value,
            "what pays",
            among: StorePayer.allCases.map { ($0.rawValue, $0) }
        )
    }

    private mutating func storeText(_ fields: Fields, _ name: String) -> String {
        fields[name].flatMap { safeText($0, name) }?.description ?? ""
    }

    // MARK: The rig

    /// Reads the keys of `gateway` that PAYMILL has.
    mutating func readStore(_ fields: Fields) {
        for name in Grammar.storeKeys.map(\.name) where gateway != .paymill {
            guard let entry = fields.entry(name) else { continue }
            complain(
                at: entry.keyMark,
                "expected `kind: paymill` for `\(name)`, found "
                    + (gateway.map { "'\($0.rawValue)'" } ?? "none")
            )
        }
        if let node = fields["api"] {
            let known = StorePlan.API.allCases.map { ($0.rawValue, $0) }
            store.api = word(node, "a version of the interface", among: known) ?? .v2
        }
        if storeChoice(fields, "profile", "observed", "correct") ?? false {
            store.defects = StorePlan.Defect.allCases
        }
        if let node = fields["defects"] {
            let known = StorePlan.Defect.allCases.map { ($0.rawValue, $0) }
            store.defects += items(node).compactMap { word($0, "a mistake", among: known) }
        }
        store.hasUser = storeChoice(fields, "user", "logged in", "none") ?? true
        if storeChoice(fields, "declineStatus", "200", "403") ?? false {
            store.declineStatus = 200
        }
        store.writesCodesAsText =
            storeChoice(fields, "responseCodes", "text", "number") ?? false
        store.hasThreeDSecure = storeChoice(fields, "threeDSecure", "on", "off") ?? false
        store.tellsBeginningsLast =
            storeChoice(fields, "webhookOrder", "beginnings last", "as begun") ?? false
        store.tellsTwice = storeChoice(fields, "webhookCopies", "two", "one") ?? false
        store.takesFreeAmounts =
            storeChoice(fields, "freeAmounts", "allowed", "refused") ?? true
        store.hasShortTokens = storeChoice(fields, "tokens", "2013", "2017") ?? false
        store.failsLateTokens = storeChoice(fields, "lateTokens", "failed", "refused") ?? false
        store.comparesTokenAmounts =
            storeChoice(fields, "tokenAmounts", "compared", "free") ?? false
    }

    private mutating func storeChoice(
        _ fields: Fields,
        _ name: String,
        _ yes: String,
        _ no: String
    ) -> Bool? {
        fields[name].flatMap { word($0, "`\(no)` or `\(yes)`", among: [(yes, true), (no, false)]) }
    }
}
