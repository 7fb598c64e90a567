import Journal

/// How the app stands: whether somebody can hear events.
struct AppState: Hashable, Sendable {
    private(set) var isAlive = true
    private(set) var hasDelegate = true
    private(set) var isClosed = false
    private(set) var isInBackground = false
    /// Whether the controller was made without a delegate, and so misses readers that are there.
    private(set) var wasMadeWithoutDelegate = false

    /// Whether an event can be delivered: the app runs, its controller is open and has a delegate.
    var isListening: Bool { isAlive && hasDelegate && !isClosed }

    /// Whether what happens now has to be told now.
    var isAwake: Bool { isListening && !isInBackground }

    /// Why nothing may be delivered, for people.
    var reasonForSilence: StaticString {
        if !isAlive { return "the app was killed" }
        return isClosed ? "the controller was closed" : "the controller has no delegate"
    }

    /// Adopts what became of the app.
    mutating func adopt(_ record: Record, in journal: Journal) {
        let hasNone = journal.value(.delegate, of: record) == .symbol(.none)
        switch record.name {
        case .appLaunched:
            self = AppState()
            hasDelegate = !hasNone
            wasMadeWithoutDelegate = hasNone
        case .appKilled: isAlive = false
        case .appSentToBackground: isInBackground = true
        case .appBroughtToForeground: isInBackground = false
        case .delegateSet: hasDelegate = !hasNone
        case .controllerClosed: isClosed = true
        default: break
        }
    }
}
