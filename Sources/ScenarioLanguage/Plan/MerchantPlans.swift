public import CardData
public import EventLoops

/// What a merchant asks of NMI beside charges and what follows them.
public enum MerchantAct: Hashable, Sendable {
    /// Pay out without an earlier payment.
    case credit(ChargePlan)
    /// Have what pays looked at; the amount is zero.
    case validate(ChargePlan)
    /// Record a payment that the issuer authorised by telephone, with the issuer's code; `nil` has
    /// none, which the gateway refuses.
    case offline(ChargePlan, code: String?)
    /// Somebody types a bank account in, which pays from then on.
    case enterCheck(EnteredCheckPlan)
    /// Add data to what was approved last.
    case update(MerchantDetails)
    /// Keep, change, forget or use a customer.
    case vault(VaultPlan)
    /// Keep a plan.
    case addPlan(RecurringPlan)
    /// Subscribe what pays to a plan.
    case subscribe(SubscriptionPlan)
    /// End the subscription that began last.
    case unsubscribe
    /// The merchant's server will do something else than it should; what is booked is the gateway's.
    case serverFault(GatewayFaultPlan)
}

/// What a scenario can say with a payment beside money and order; empty texts are not sent.
public struct MerchantDetails: Hashable, Sendable {
    /// Whether the address is the one that the test mode takes for right; `nil` sends none.
    public var hasRightAddress: Bool?
    /// How long the same payment is a duplicate, in whole seconds; `nil` leaves it to the gateway.
    public var duplicateSeconds: Int64?
    /// The customer as whom the gateway is to keep what pays.
    public var storedCustomer = ""
    /// The plan to which what pays is to be subscribed.
    public var plan = ""
    /// The payer's first name.
    public var firstName = ""
    /// The payer's last name.
    public var lastName = ""
    /// The payer's firm.
    public var company = ""
    /// The merchant's words for the order.
    public var description = ""
    /// The number of the purchase order.
    public var purchaseOrder = ""
    /// The carrier's number.
    public var trackingNumber = ""
    /// The carrier.
    public var carrier = ""

    /// Creates what sends nothing.
    public init() {}
}

/// A bank account that somebody types in; its numbers are those of the gateway's test page.
public struct EnteredCheckPlan: Hashable, Sendable {
    /// Whether the routing number's check digit is right.
    public var hasRightRoutingNumber = true
    /// Whether it is a firm's.
    public var isBusiness = false
    /// Whether it is a savings account.
    public var isSavings = false
    /// Under which rules it is collected: PPD, WEB, TEL or CCD.
    public var entryClass = "WEB"
    /// The name on the account.
    public var name = "Ada Lovelace"

    /// Creates a person's current account.
    public init() {}
}

/// What becomes of a customer of the gateway's vault.
public struct VaultPlan: Hashable, Sendable {
    /// What is done.
    public enum Action: String, CaseIterable, Hashable, Sendable {
        /// What pays is kept as this customer.
        case add
        /// What pays replaces what was kept.
        case update
        /// The customer is forgotten.
        case delete
        /// The app lets this customer pay from now on; nothing is sent.
        case use
    }

    /// What is done.
    public var action: Action
    /// The customer's id.
    public var customer: String
    /// Names and the like.
    public var details: MerchantDetails

    /// Creates an action.
    public init(_ action: Action, _ customer: String, details: MerchantDetails = .init()) {
        self.action = action
        self.customer = customer
        self.details = details
    }
}

/// A plan of recurring payments.
public struct RecurringPlan: Hashable, Sendable {
    /// When it charges.
    public enum Schedule: Hashable, Sendable {
        /// Every so many days.
        case days(Int)
        /// Every so many months on a day.
        case months(Int, day: Int)
    }

    /// The plan's id.
    public var id: String
    /// What is charged each time.
    public var amount: Amount
    /// When.
    public var schedule: Schedule
    /// How many times; 0 until it ends.
    public var paymentCount: Int

    /// Creates a plan.
    public init(id: String, amount: Amount, schedule: Schedule, paymentCount: Int) {
        self.id = id
        self.amount = amount
        self.schedule = schedule
        self.paymentCount = paymentCount
    }
}

/// A plan for what pays now.
public struct SubscriptionPlan: Hashable, Sendable {
    /// The plan's id.
    public var plan: String
    /// The first day, `YYYYMMDD`; empty is today.
    public var start: String
    /// The order id; `nil` lets the app number its orders.
    public var orderID: String?
    /// Names and the like.
    public var details: MerchantDetails

    /// Creates a subscription.
    public init(
        plan: String,
        start: String = "",
        orderID: String? = nil,
        details: MerchantDetails = .init()
    ) {
        self.plan = plan
        self.start = start
        self.orderID = orderID
        self.details = details
    }
}

/// How the charge that was approved last is voided.
public struct VoidPlan: Hashable, Sendable {
    /// Why, in the gateway's word; empty says nothing.
    public var reason = ""
    /// Whether it is said to be a check's; `nil` as it is.
    public var isCheck: Bool?

    /// Creates a void without a reason.
    public init() {}
}

/// The NMI account of the run (`rig: { gateway: { kind: nmi, … } }`).
public struct NMIAccountPlan: Hashable, Sendable {
    /// Which cards an account takes.
    public enum Account: String, CaseIterable, Hashable, Sendable {
        /// Cards that are present, and cards that are not.
        case both
        /// Cards that are swiped.
        case retail
        /// Cards that are typed in or stored.
        case moto
    }

    /// With which key the app encrypts what is typed in.
    public enum Key: String, CaseIterable, Hashable, Sendable {
        /// The merchant's.
        case right
        /// That of another merchant.
        case foreign
        /// The merchant's, and what it gives is damaged on its way.
        case damaged
        /// One that cannot be used, so that the SDK gives the text `Encryption Failed`, which the
        /// app posts.
        case unusable
    }

    /// How the app logs in.
    public enum Login: String, CaseIterable, Hashable, Sendable {
        /// With the merchant's key.
        case key
        /// With another key.
        case wrongKey = "wrong key"
        /// With the merchant's name and password.
        case password
        /// With the merchant's name and another password.
        case wrongPassword = "wrong password"
    }

    /// How many requests are taken in how long.
    public struct RateLimit: Hashable, Sendable {
        /// How many.
        public var requestCount: Int
        /// In how long.
        public var window: VirtualDuration

        /// Creates a limit.
        public init(requestCount: Int, window: VirtualDuration) {
            self.requestCount = requestCount
            self.window = window
        }
    }

    /// Which cards it takes.
    public var account = Account.both
    /// How long an approved payment makes the same one a duplicate; zero is never.
    public var duplicateWindow = VirtualDuration.zero
    /// Whether a payment with another order id is no duplicate.
    public var duplicatesNeedSameOrder = true
    /// Whether a request may switch the check for duplicates off.
    public var allowsDuplicateCheckOff = true
    /// Whether answers to duplicates, and to wrong passwords, have the transaction id 0.
    public var answersIDZero = false
    /// Whether money may be paid out without an earlier payment.
    public var allowsCredits = true
    /// Whether a refund is possible before settlement.
    public var refundsBeforeSettlement = true
    /// Whether answers echo the type.
    public var echoesType = true
    /// The limit of the payment interface.
    public var rateLimit: RateLimit?
    /// The limit of the whole system, answered with status 429.
    public var systemRateLimit: RateLimit?
    /// With which key the app encrypts.
    public var key = Key.right
    /// How the app logs in.
    public var login = Login.key
    /// Whether the gateway has the readers' key; without it no swipe can be opened.
    public var hasReaderKey = true
    /// When a day is settled, in seconds after midnight UTC; `nil` never by itself.
    public var settlementSecondsOfDay: Int64? = 82_800
    /// What the merchant's server answers to webhooks, in order, the last one for ever.
    ///
    /// Empty has no webhooks; 0 is no answer.
    public var webhookStatuses: [Int] = []
    /// The webhooks that are sent; empty sends all.
    public var webhookEvents: [String] = []

    /// Creates the usual account.
    public init() {}
}

/// The merchant's own server (`rig: { merchantServer: … }`).
public enum MerchantServerPlan: String, CaseIterable, Hashable, Sendable {
    /// The app asks the gateway itself.
    case none
    /// The app sends encrypted card data to the merchant's server, which asks the gateway.
    case relay
}
