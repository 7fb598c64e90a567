/// A request to an NMI gateway: who asks, and for what.
///
/// Source: Direct Post API manual, "Transaction variables"; Query API manual, "Variables".
public struct NMIRequest: Hashable, Sendable {
    /// The path of payments.
    public static let transactPath = "/api/transact.php"
    /// The path of reports.
    public static let queryPath = "/api/query.php"

    /// What is asked for.
    public enum Operation: Hashable, Sendable {
        /// New money, or a look at a card (`sale`, `auth`, `credit`, `validate`, `offline`).
        case payment(NMIPayment)
        /// A change of an earlier transaction (`capture`, `void`, `refund`, `update`).
        case followUp(NMIFollowUp)
        /// Change what the gateway keeps of customers (`customer_vault` without a type).
        case vault(NMIVaultRequest)
        /// Change plans and subscriptions (`recurring` without a type).
        case recurring(NMIRecurringRequest)
        /// End a payment in parts (`complete_partial_payment`) by its `partial_payment_id`.
        case completePartialPayment(id: String)
        /// Report (`report_type`).
        case query(NMIQuery)
    }

    /// Who asks.
    public var credentials: NMICredentials
    /// What is asked for.
    public var operation: Operation

    /// Creates a request.
    public init(_ credentials: NMICredentials, operation: Operation) {
        self.credentials = credentials
        self.operation = operation
    }

    /// Creates a request of a merchant with a key.
    public init(securityKey: String, operation: Operation) {
        self.init(.securityKey(securityKey), operation: operation)
    }

    /// The path to post the body to.
    public var path: String {
        switch operation {
        case .payment, .followUp, .vault, .recurring, .completePartialPayment: Self.transactPath
        case .query: Self.queryPath
        }
    }

    /// The body of type ``FormEncoder/contentType``.
    public var body: [UInt8] {
        switch operation {
        case .payment(let payment):
            var form = FormEncoder(reserving: 96 + payment.encodedByteCount)
            credentials.append(to: &form)
            payment.append(to: &form)
            return form.bytes
        case .followUp(let followUp):
            var form = FormEncoder()
            credentials.append(to: &form)
            followUp.append(to: &form)
            return form.bytes
        case .vault(let request):
            var form = FormEncoder()
            credentials.append(to: &form)
            request.append(to: &form)
            return form.bytes
        case .recurring(let request):
            var form = FormEncoder()
            credentials.append(to: &form)
            request.append(to: &form)
            return form.bytes
        case .completePartialPayment(let id):
            var form = FormEncoder()
            credentials.append(to: &form)
            form.append("type", "complete_partial_payment")
            form.append("partial_payment_id", id)
            return form.bytes
        case .query(let query):
            var form = FormEncoder()
            credentials.append(to: &form)
            query.append(to: &form)
            return form.bytes
        }
    }
}
