import EventLoops

/// Counts requests against a limit.
///
/// A window begins with the first request after the last one ended. A request in a full window is
/// refused and begins the window anew, so that one who does not wait is refused for longer. Each
/// ten failures to authenticate in a window halve the limit until it ends (assumed: the manual says
/// only that failures lower it).
struct RateLimiter: Hashable {
    var windowEnd: VirtualInstant?
    var count = 0
    var failureCount = 0

    /// Takes a request; returns whether it is within the limit.
    mutating func take(
        at now: VirtualInstant,
        _ limit: SimulatedNMIGateway.Configuration.RateLimit?
    ) -> Bool {
        guard let limit else { return true }
        if windowEnd.map({ now >= $0 }) ?? true {
            self = RateLimiter()
            windowEnd = now + limit.window
        }
        let lowered = max(1, limit.requestCount >> min(20, failureCount / 10))
        guard count < lowered else {
            windowEnd = now + limit.window
            return false
        }
        count += 1
        return true
    }

    /// Notes that somebody was not who they said.
    mutating func noteFailure() { failureCount += 1 }
}
