public import CardData

/// What is charged again and again: an amount, how often, and how many times.
///
/// Source: Direct Post API manual, "Recurring variables".
public struct NMIPlan: Hashable, Sendable {
    /// When a plan charges.
    public enum Schedule: Hashable, Sendable {
        /// Every so many days, `day_frequency`; 1 or more.
        case days(Int)
        /// Every so many months, `month_frequency` (1 to 24), on a day, `day_of_month` (1 to 31);
        /// in a shorter month on its last day (assumed).
        case months(Int, day: Int)
    }

    /// The merchant's name for the plan, `plan_id`; empty for one that belongs to a subscription.
    public var id: String
    /// What people call it, `plan_name`.
    public var name: String
    /// What is charged each time, `plan_amount`.
    public var amount: Amount
    /// How many times, `plan_payments`; 0 until it is canceled.
    public var paymentCount: Int
    /// When.
    public var schedule: Schedule

    /// Creates a plan.
    public init(
        id: String = "",
        name: String = "",
        amount: Amount,
        paymentCount: Int,
        schedule: Schedule
    ) {
        self.id = id
        self.name = name
        self.amount = amount
        self.paymentCount = paymentCount
        self.schedule = schedule
    }

    func append(to form: inout FormEncoder) {
        if !id.isEmpty { form.append("plan_id", id) }
        if !name.isEmpty { form.append("plan_name", name) }
        form.append("plan_amount", amount.description)
        form.append("plan_payments", UInt64(max(0, paymentCount)))
        switch schedule {
        case .days(let count): form.append("day_frequency", UInt64(max(0, count)))
        case .months(let count, let day):
            form.append("month_frequency", UInt64(max(0, count)))
            form.append("day_of_month", UInt64(max(0, day)))
        }
    }
}

/// A plan for one customer from a day on.
public struct NMISubscriptionOrder: Hashable, Sendable {
    /// What is charged.
    public enum Plan: Hashable, Sendable {
        /// A plan that the gateway knows, by its `plan_id`.
        case known(String)
        /// A plan of its own.
        case own(NMIPlan)
    }

    /// What is charged.
    public var plan: Plan
    /// The first day, `start_date`: `YYYYMMDD`; empty is today.
    public var startDate: String

    /// Creates an order.
    public init(_ plan: Plan, startDate: String = "") {
        self.plan = plan
        self.startDate = startDate
    }

    func append(to form: inout FormEncoder) {
        switch plan {
        case .known(let id): form.append("plan_id", id)
        case .own(let plan): plan.append(to: &form)
        }
        if !startDate.isEmpty { form.append("start_date", startDate) }
    }
}

/// A request about plans and subscriptions.
public enum NMIRecurringRequest: Hashable, Sendable {
    /// Keep a plan, `add_plan`.
    case addPlan(NMIPlan)
    /// Subscribe a card, an account or a stored customer, `add_subscription`.
    case subscribe(NMISubscriptionOrder, card: NMICardData?, orderID: String, details: NMIDetails)
    /// Change who pays or the details, `update_subscription`.
    case update(subscriptionID: String, card: NMICardData?, details: NMIDetails)
    /// End a subscription, `delete_subscription`.
    case delete(subscriptionID: String)

    func append(to form: inout FormEncoder) {
        switch self {
        case .addPlan(let plan):
            form.append("recurring", "add_plan")
            plan.append(to: &form)
        case .subscribe(let order, let card, let orderID, let details):
            form.append("recurring", "add_subscription")
            order.append(to: &form)
            if !orderID.isEmpty { form.append("orderid", orderID) }
            card?.append(to: &form)
            details.append(to: &form)
        case .update(let id, let card, let details):
            form.append("recurring", "update_subscription")
            form.append("subscription_id", id)
            card?.append(to: &form)
            details.append(to: &form)
        case .delete(let id):
            form.append("recurring", "delete_subscription")
            form.append("subscription_id", id)
        }
    }
}
