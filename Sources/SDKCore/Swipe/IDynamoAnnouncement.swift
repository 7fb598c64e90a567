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
/// | attached, session not open yet | connected |
/// | detached | becameUnreadyForSwipe(disconnected), deactivated, disconnected; each only if entered |
/// | detached and attached again before it was told | as detached, then as attached |
/// | renewed | becameUnreadyForSwipe(swipeDone), becameReadyForSwipe |
///
/// Source: SDK document, section iDynamo.
struct IDynamoAnnouncement: Hashable, Sendable {
    /// How far the app has been told; the raw value orders the states.
    private enum Told: Int, Hashable { case nothing, connected, refused, activated, ready }

    /// What is the case.
    enum Presence: Hashable { case away, opening, unusable, usable }

    private var told = Told.nothing
    private(set) var presence = Presence.away
    /// Whether a loss is to be told down to disconnected, whatever was attached since.
    private var isUnwinding = false
    private var isRenewing = false
    private let plant: Plant?

    /// Creates the announcement of a reader that is not attached.
    init(plant: Plant? = nil) { self.plant = plant }

    var isConnected: Bool { told != .nothing }
    var isActivated: Bool { told.rawValue >= Told.activated.rawValue }
    var isReadyForSwipe: Bool { plant == .staleFlags ? isActivated : told == .ready }
    /// Whether swipes can be told: ready, and nothing has to be told before them.
    var takesSwipes: Bool { told == .ready && !isRenewing }

    /// Records that the transport sees the reader, and whether a session with it is possible.
    mutating func attached(isUsable: Bool) { presence = isUsable ? .usable : .unusable }

    /// Records that the transport sees the reader; a session with it is not open yet.
    mutating func opening() { presence = .opening }

    /// Records that the transport lost the reader, at any point of an announcement.
    mutating func detached() {
        presence = .away
        if plant != .forgetsALoss { isUnwinding = told != .nothing }
        isRenewing = false
    }

    /// Records that a swipe ended the ready period and that the next begins at once.
    mutating func renewed() { isRenewing = told == .ready }

    /// Returns the next event to deliver, or `nil` when the app knows all there is to know.
    mutating func nextEvent() -> SwipeEvent.Kind? {
        if isRenewing {
            isRenewing = false
            told = .activated
            if plant == .neverRenews { presence = .opening }
            return .becameUnreadyForSwipe(.swipeDone)
        }
        switch (isUnwinding ? .away : presence, told) {
        case (.usable, .nothing), (.unusable, .nothing), (.opening, .nothing):
            told = .connected
            return .connected
        case (.usable, .connected):
            if plant == .skipsActivation { return becomeReady() }
            told = .activated
            return .activationFinished(.success)
        case (.unusable, .connected):
            if plant == .readyThoughUnusable { presence = .usable }
            told = plant == .readyThoughUnusable ? .activated : .refused
            let isSuccess = plant == .readyThoughUnusable || plant == .successThoughUnusable
            return .activationFinished(isSuccess ? .success : .failure)
        case (.usable, .activated):
            return plant == .skipsReady ? nil : becomeReady()
        case (.usable, .ready), (.usable, .refused), (.unusable, .refused), (.away, .nothing),
            (.opening, .connected), (.opening, .refused), (.opening, .activated),
            (.opening, .ready):
            return nil
        case (.away, .ready), (.unusable, .ready):
            told = .activated
            if plant == .skipsUnready { return nextEvent() }
            return .becameUnreadyForSwipe(plant == .wrongReason ? .canceled : .disconnected)
        case (.away, .activated), (.unusable, .activated):
            told = .connected
            return plant == .skipsDeactivated ? nextEvent() : .deactivated
        case (.away, .connected), (.away, .refused):
            told = .nothing
            isUnwinding = false
            return plant == .skipsDisconnected ? nextEvent() : .disconnected
        }
    }

    /// Tells everything again from the beginning, as to somebody who knows nothing.
    mutating func forgetWhatWasTold() { told = .nothing }

    private mutating func becomeReady() -> SwipeEvent.Kind? {
        told = .ready
        return .becameReadyForSwipe
    }
}
