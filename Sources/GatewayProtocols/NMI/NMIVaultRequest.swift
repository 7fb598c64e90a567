/// A request about the customers that the gateway keeps.
///
/// Source: Direct Post API manual, "Customer Vault variables".
public struct NMIVaultRequest: Hashable, Sendable {
    /// What is to be done; the raw values are those of the field `customer_vault`.
    public enum Action: String, CaseIterable, Hashable, Sendable {
        /// Keep a new customer.
        case add = "add_customer"
        /// Change what is kept.
        case update = "update_customer"
        /// Forget a customer.
        case delete = "delete_customer"
    }

    /// What is to be done, `customer_vault`.
    public var action: Action
    /// The customer, `customer_vault_id`: any text; empty lets the gateway number a new one.
    public var customerID: String
    /// What the customer pays with, or `nil` when the request has no payment data.
    public var card: NMICardData?
    /// Name, address and the like.
    public var details: NMIDetails

    /// Creates a request.
    public init(
        _ action: Action,
        customerID: String = "",
        card: NMICardData? = nil,
        details: NMIDetails = NMIDetails()
    ) {
        self.action = action
        self.customerID = customerID
        self.card = card
        self.details = details
    }

    func append(to form: inout FormEncoder) {
        form.append("customer_vault", action.rawValue)
        if !customerID.isEmpty { form.append("customer_vault_id", customerID) }
        card?.append(to: &form)
        details.append(to: &form)
    }
}

/// What a payment asks the vault to do when it is approved.
public struct NMIVaultOrder: Hashable, Sendable {
    /// Whether the customer is new; else one that is known is changed.
    public var isNew: Bool
    /// The customer, `customer_vault_id`; empty lets the gateway number a new one.
    public var customerID: String

    /// Creates an order.
    public init(isNew: Bool, customerID: String = "") {
        self.isNew = isNew
        self.customerID = customerID
    }

    func append(to form: inout FormEncoder) {
        let action = isNew ? NMIVaultRequest.Action.add : .update
        form.append("customer_vault", action.rawValue)
        if !customerID.isEmpty { form.append("customer_vault_id", customerID) }
    }
}
