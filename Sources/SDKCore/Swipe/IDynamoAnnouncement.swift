/// How far the app has been told of one iDynamo, and what is left to tell.
///
/// What was told decides what is left to tell: a detach in the middle of the announcement, and a
/// `close()` from inside a callback, need no case of their own. The flags hold their new value from
/// the moment an event is returned.
///
/// | input | events, in order |
/// | --- | --- |
/// | attached | connected, activationFinished(success), becameReadyForSwipe |
/// | attached, not usable | connected, activationFinished(failure) |
/// | detached | becameUnreadyForSwipe(disconnected), deactivated, disconnected; each only if entered |
///
/// Source: SDK document, section iDynamo.
struct IDynamoAnnouncement: Hashable, Sendable {
    /// How far the app has been told; the raw value orders the states.
    private enum Told: Int, Hashable { case nothing, connected, refused, activated, ready }

    /// What is the case.
    private enum Presence: Hashable { case away, unusable, usable }

    private var told = Told.nothing
    private var presence = Presence.away

    /// Creates the announcement of a reader that is not attached.
    init() {}

    var isConnected: Bool { told != .nothing }
    var isActivated: Bool { told.rawValue >= Told.activated.rawValue }
    var isReadyForSwipe: Bool { told == .ready }

    /// Records that the transport sees the reader, and whether a session with it is possible.
    mutating func attached(isUsable: Bool) { presence = isUsable ? .usable : .unusable }

    /// Records that the transport lost the reader, at any point of an announcement.
    mutating func detached() { presence = .away }

    /// Returns the next event to deliver, or `nil` when the app knows all there is to know.
    mutating func nextEvent() -> SwipeEvent.Kind? {
        switch (presence, told) {
        case (.usable, .nothing), (.unusable, .nothing):
            told = .connected
            return .connected
        case (.usable, .connected):
            told = .activated
            return .activationFinished(.success)
        case (.unusable, .connected):
            told = .refused
            return .activationFinished(.failure)
        case (.usable, .activated):
            told = .ready
            return .becameReadyForSwipe
        case (.usable, .ready), (.usable, .refused), (.unusable, .refused), (.away, .nothing):
            return nil
        case (.away, .ready), (.unusable, .ready):
            told = .activated
            return .becameUnreadyForSwipe(.disconnected)
        case (.away, .activated), (.unusable, .activated):
            told = .connected
            return .deactivated
        case (.away, .connected), (.away, .refused):
            told = .nothing
            return .disconnected
        }
    }
}
