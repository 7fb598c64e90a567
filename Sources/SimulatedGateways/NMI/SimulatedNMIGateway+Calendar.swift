public import EventLoops
import GatewayProtocols

extension SimulatedNMIGateway {
    /// The next moment at which the gateway does something by itself: a cut-off with something to
    /// charge or to settle; `nil` while there is none.
    ///
    /// Whoever drives the gateway calls ``advance(to:)`` then. Nobody has to: ``receive(_:at:cache:)``
    /// does first what is overdue.
    public var nextCalendarInstant: VirtualInstant? {
        guard configuration.cutOffSecondsOfDay != nil, hasCalendarWork else { return nil }
        return nextCutOff
    }

    /// Does what the calendar wants done up to a moment: at each day's cut-off the subscriptions
    /// that are due are charged, then all that awaits settlement is settled.
    ///
    /// - Returns: What happened, in order; the numbers in it are 0.
    /// - Complexity: O(*d* · *n*) for *d* cut-offs with something to do and *n* transactions.
    @discardableResult
    public mutating func advance(to now: VirtualInstant) -> [GatewayRecord] {
        guard configuration.cutOffSecondsOfDay != nil, now >= nextCutOff else { return [] }
        var records: [GatewayRecord] = []
        while nextCutOff <= now, nextCutOff < .distantFuture {
            guard hasCalendarWork else {
                skipCutOffs(until: now)
                break
            }
            let cutOff = nextCutOff
            chargeSubscriptions(of: day(of: cutOff), at: cutOff, &records)
            records += settle(at: cutOff)
            nextCutOff = cutOff + .seconds(86_400)
        }
        return records
    }

    private var hasCalendarWork: Bool {
        recurring.subscriptions.contains { $0.nextDay != nil }
            || ledger.awaitingSettlementCount > 0
    }

    private mutating func skipCutOffs(until now: VirtualInstant) {
        let passed = (now - nextCutOff).nanoseconds / VirtualDuration.seconds(86_400).nanoseconds
        nextCutOff = nextCutOff + .seconds(86_400) * (passed + 1)
    }

    /// The first cut-off after a moment.
    static func firstCutOff(
        after now: VirtualInstant,
        _ configuration: Configuration
    ) -> VirtualInstant {
        guard let cutOff = configuration.cutOffSecondsOfDay else { return .distantFuture }
        let seconds = configuration.startSecondsSince1970 &+ now.nanoseconds / 1_000_000_000
        let sinceMidnight = ((seconds % 86_400) + 86_400) % 86_400
        let wait = cutOff - sinceMidnight
        return now + .seconds(wait > 0 ? wait : wait + 86_400)
    }

    /// The day of a moment, counted from 1970.
    func day(of instant: VirtualInstant) -> Int64 {
        max(0, secondsSince1970(instant)) / 86_400
    }

    /// A moment in seconds since 1970 UTC.
    func secondsSince1970(_ instant: VirtualInstant) -> Int64 {
        configuration.startSecondsSince1970 &+ instant.nanoseconds / 1_000_000_000
    }

    /// A moment as reports and events write it.
    func date(_ instant: VirtualInstant) -> String {
        UTCDate.digits(secondsSince1970: secondsSince1970(instant))
    }
}
