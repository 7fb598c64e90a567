public import EventLoops
public import GatewayProtocols

extension NMIClient {
    /// Which change of plans and subscriptions it was.
    public enum RecurringChange: Hashable, Sendable {
        /// A plan was to be kept.
        case plan(id: String)
        /// Something that pays was to be subscribed, under an order.
        case subscription(orderID: String)
        /// A subscription was to be changed.
        case change(subscriptionID: String)
        /// A subscription was to be ended.
        case end(subscriptionID: String)

        init(_ request: NMIRecurringRequest) {
            self =
                switch request {
                case .addPlan(let plan): .plan(id: plan.id)
                case .subscribe(_, _, let orderID, _): .subscription(orderID: orderID)
                case .update(let id, _, _): .change(subscriptionID: id)
                case .delete(let id): .end(subscriptionID: id)
                }
        }
    }
}

extension NMIClient {
    /// Has what pays looked at, without money; the amount of the request is not sent.
    ///
    /// - Returns: The payment's number; see ``charge(_:at:)``.
    @discardableResult
    public mutating func validate(_ request: ChargeRequest, at now: VirtualInstant) -> Int {
        take(.validate(request), at: now)
    }

    /// Records a payment that the issuer authorised by telephone; its code is the request's detail
    /// `authorizationCode`.
    ///
    /// - Returns: The payment's number; see ``charge(_:at:)``.
    @discardableResult
    public mutating func recordOffline(_ request: ChargeRequest, at now: VirtualInstant) -> Int {
        take(.offline(request), at: now)
    }

    /// Adds data of the order to an earlier transaction.
    ///
    /// - Returns: The payment's number; see ``charge(_:at:)``.
    @discardableResult
    public mutating func update(
        _ id: NMITransactionID,
        _ details: NMIDetails,
        at now: VirtualInstant
    ) -> Int {
        take(.update(id, details), at: now)
    }

    /// Changes the customers that the gateway keeps.
    ///
    /// - Returns: The payment's number; see ``charge(_:at:)``.
    @discardableResult
    public mutating func change(_ request: NMIVaultRequest, at now: VirtualInstant) -> Int {
        take(.vault(request), at: now)
    }

    /// Changes plans and subscriptions.
    ///
    /// - Returns: The payment's number; see ``charge(_:at:)``.
    @discardableResult
    public mutating func change(_ request: NMIRecurringRequest, at now: VirtualInstant) -> Int {
        take(.recurring(request), at: now)
    }
}

/// What is kept at the gateway and moves no money by itself: customers, plans and subscriptions.
extension NMIClient.Payment {
    /// How to look a change of the customers up, or `nil` when no look-up can tell.
    static func query(_ request: NMIVaultRequest) -> NMIQuery? {
        switch request.action {
        case .add, .delete:
            request.customerID.isEmpty ? nil : .report(.customerVault, id: request.customerID)
        case .update: nil
        }
    }

    /// How to look a change of plans and subscriptions up, or `nil` when no look-up can tell.
    static func query(_ request: NMIRecurringRequest) -> NMIQuery? {
        switch request {
        case .addPlan: .report(.recurringPlans, id: "")
        case .subscribe(_, _, let orderID, _):
            orderID.isEmpty ? nil : .report(.recurring, id: "")
        case .update: nil
        case .delete(let id): .report(.recurring, id: id)
        }
    }

    static func reading(_ report: NMIQueryResponse, _ request: NMIVaultRequest) -> LookUpAnswer {
        let isKept = report.customers.contains { $0["customer_vault_id"] == request.customerID }
        return isKept ? .kept(id: request.customerID) : .notFound
    }

    static func reading(
        _ report: NMIQueryResponse,
        _ request: NMIRecurringRequest
    ) -> LookUpAnswer {
        switch request {
        case .addPlan(let plan):
            return report.plans.contains { $0["plan_id"] == plan.id }
                ? .kept(id: plan.id) : .notFound
        case .subscribe(_, _, let orderID, _):
            let own = report.subscriptions.last { $0["orderid"] == orderID }
            return own?["subscription_id"].map { .kept(id: $0) } ?? .notFound
        case .update(let id, _, _), .delete(let id):
            return report.subscriptions.contains { $0["subscription_id"] == id }
                ? .kept(id: id) : .notFound
        }
    }

    /// The id that an approval names, or the one that was asked for.
    func registeredID(in response: NMIResponse) -> String {
        func field(_ name: String) -> String? {
            response.otherFields.first { $0.name == name && !$0.value.isEmpty }?.value
        }
        switch work {
        case .vault(let request): return field("customer_vault_id") ?? request.customerID
        case .recurring(.addPlan(let plan)): return plan.id
        case .recurring(.subscribe): return field("subscription_id") ?? ""
        case .recurring(.update(let id, _, _)), .recurring(.delete(let id)): return id
        case .charge, .authorize, .credit, .refund, .capture, .void, .validate, .offline, .update:
            return ""
        }
    }

    func verdict(of answer: LookUpAnswer, _ request: NMIVaultRequest) -> LookUpVerdict {
        switch (answer, request.action) {
        case (.kept(let id), .add): .final(.registered(id: id))
        case (.notFound, .add): .soFar(.error(nil, "the gateway keeps no such customer"))
        case (.kept, .delete): .soFar(.error(nil, "the gateway still keeps the customer"))
        case (.notFound, .delete): .final(.registered(id: request.customerID))
        case (.found, _), (.error, _), (_, .update): .soFar(.unknown)
        }
    }

    func verdict(of answer: LookUpAnswer, _ request: NMIRecurringRequest) -> LookUpVerdict {
        switch (answer, request) {
        case (.kept(let id), .addPlan), (.kept(let id), .subscribe):
            .final(.registered(id: id))
        case (.notFound, .addPlan): .soFar(.error(nil, "the gateway keeps no such plan"))
        case (.notFound, .subscribe):
            .soFar(.error(nil, "the gateway keeps no such subscription"))
        case (.kept, .delete): .soFar(.error(nil, "the gateway still keeps the subscription"))
        case (.notFound, .delete(let id)): .final(.registered(id: id))
        case (.found, _), (.error, _), (_, .update): .soFar(.unknown)
        }
    }
}

extension RegisterResult {
    init(_ verdict: NMIClient.Payment.Verdict) {
        self =
            switch verdict {
            case .registered(let id): .approved(id: id)
            case .declined(let code, let text): .error(code: code, text: text)
            case .error(let code, let text): .error(code: code, text: text)
            case .approved, .notCharged, .unknown: .unknown
            }
    }
}
