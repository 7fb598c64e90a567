/// How far the app has been told of the reader at the audio jack, and what is left to tell.
///
/// What is the case is the goal; what was told decides what is left to tell. A fall is a way down
/// that must be told though the goal may be above it, such as a request that ended and was renewed.
///
/// | told | a fall below it | the goal is below | above | the same |
/// | --- | --- | --- | --- | --- |
/// | nothing | - | - | connected | nothing |
/// | connected | disconnected | disconnected | activationFinished(success) | nothing |
/// | activated | deactivated | deactivated | becameReady | nothing |
/// | ready | becameUnready(its reason) | becameUnready(disconnected) | - | nothing |
///
/// After becameUnready(refreshing) becameReady comes first, whatever happened meanwhile, but for
/// what takes the renewal back: ``owesNothing()``. A fall that is told again ends with connected.
///
/// Source: SDK document, `PGSwipeDelegate`, `powerDown`.
struct JackAnnouncement: Hashable, Sendable {
    /// What the app knows; the raw value orders the states.
    enum Level: Int, Hashable, Comparable, CaseIterable {
        case nothing, connected, activated, ready

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// A way down that is to be told.
    struct Fall: Hashable {
        var floor: Level
        var reason: UnreadyReason
        /// Whether connected is told once more at the end.
        var isToldAgain = false
    }

    private(set) var told = Level.nothing
    /// The device of which it was told.
    private(set) var device: SwipeDevice?
    private(set) var fall: Fall?
    private(set) var owesReady = false
    /// A planted mistake: the next renewal is not owed.
    private var forgetsRenewal = false

    var isConnected: Bool { told >= .connected }
    var isActivated: Bool { told >= .activated }
    var isReadyForSwipe: Bool { told == .ready }

    /// Records a way down; one that goes lower replaces one that is not told yet, and of two that
    /// end at the same level the first holds.
    mutating func falls(to floor: Level, _ reason: UnreadyReason, isToldAgain: Bool = false) {
        guard told > floor else { return }
        if let fall, fall.floor <= floor { return }
        fall = Fall(floor: floor, reason: reason, isToldAgain: isToldAgain)
    }

    /// Records that what took the request away also took its renewal back.
    mutating func owesNothing() { owesReady = false }

    /// Records that a request is not renewed after all; this ended it.
    mutating func renewalIsOff(_ cause: UnreadyReason) {
        owesReady = false
        if fall?.reason == .refreshing { fall?.reason = cause }
    }

    /// Plants the mistake that the renewal that is to be told does not come.
    mutating func forgetRenewal() { forgetsRenewal = true }

    /// Enters a state of which the app learns by other means: an autodetection.
    mutating func enter(_ level: Level, _ device: SwipeDevice?) {
        told = level
        self.device = device
        fall = nil
        owesReady = false
    }

    /// Returns the next event, or `nil` when the app knows all there is to know.
    mutating func nextEvent(goal: Level, device goalDevice: SwipeDevice?) -> SwipeEvent.Kind? {
        if owesReady, told == .activated { return becomeReady() }
        if let fall {
            guard told > fall.floor else {
                self.fall = nil
                return .connected
            }
            let event = descend(fall.reason)
            if told == fall.floor, !fall.isToldAgain { self.fall = nil }
            return event
        }
        if told > goal { return descend(.disconnected) }
        guard told < goal else { return nil }
        switch told {
        case .nothing:
            told = .connected
            device = goalDevice
            return .connected
        case .connected:
            told = .activated
            return .activationFinished(.success)
        case .activated, .ready:
            return becomeReady()
        }
    }

    private mutating func becomeReady() -> SwipeEvent.Kind {
        told = .ready
        owesReady = false
        return .becameReadyForSwipe
    }

    private mutating func descend(_ reason: UnreadyReason) -> SwipeEvent.Kind? {
        switch told {
        case .ready:
            told = .activated
            owesReady = reason == .refreshing && !forgetsRenewal
            forgetsRenewal = false
            return .becameUnreadyForSwipe(reason)
        case .activated:
            told = .connected
            owesReady = false
            return .deactivated
        case .connected:
            told = .nothing
            return .disconnected
        case .nothing:
            return nil
        }
    }
}
