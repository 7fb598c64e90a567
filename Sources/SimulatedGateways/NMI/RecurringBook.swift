import EventLoops
import CardData
import GatewayProtocols

/// A plan for one customer, and how far it has come.
struct Subscription: Hashable {
    let id: String
    var plan: NMIPlan
    var card: PayingCard
    var orderID: String
    var details: NMIDetails
    /// The next day to charge, in days since 1970; `nil` when all was charged.
    var nextDay: Int64?
    var attemptedCount = 0
    var completedCount = 0
}

/// The plans and subscriptions that the gateway keeps.
struct RecurringBook: Hashable {
    /// The greatest number of plans, and of subscriptions, kept.
    static let maximumCount = 10_000

    var plans: [NMIPlan] = []
    var subscriptions: [Subscription] = []
    var nextNumber: UInt64 = 20_000_000_001

    func plan(_ id: String) -> NMIPlan? { plans.first { $0.id == id } }

    func index(_ id: String) -> Int? { subscriptions.firstIndex { $0.id == id } }

    mutating func makeID() -> String {
        defer { nextNumber &+= 1 }
        return String(nextNumber)
    }

    /// The day after a payment on a day, in days since 1970.
    static func day(after day: Int64, _ schedule: NMIPlan.Schedule) -> Int64 {
        switch schedule {
        case .days(let count): return day + Int64(count)
        case .months(let count, let dayOfMonth):
            let date = CivilDate(daysSince1970: day)
            let months = date.year * 12 + date.month - 1 + Int64(count)
            return Self.day(months / 12, months % 12 + 1, dayOfMonth)
        }
    }

    /// The first day of a schedule from a day on.
    static func day(from day: Int64, _ schedule: NMIPlan.Schedule) -> Int64 {
        switch schedule {
        case .days: return day
        case .months(_, let dayOfMonth):
            let date = CivilDate(daysSince1970: day)
            let thisMonth = Self.day(date.year, date.month, dayOfMonth)
            guard thisMonth < day else { return thisMonth }
            return date.month == 12
                ? Self.day(date.year + 1, 1, dayOfMonth)
                : Self.day(date.year, date.month + 1, dayOfMonth)
        }
    }

    /// A day of a month, or its last day where it is shorter.
    private static func day(_ year: Int64, _ month: Int64, _ dayOfMonth: Int) -> Int64 {
        var date = CivilDate(year: year, month: month, day: 1)
        date.day = min(Int64(dayOfMonth), date.dayCountOfMonth)
        return date.daysSince1970
    }
}
