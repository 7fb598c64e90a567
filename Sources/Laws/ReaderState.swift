import Journal

/// What the SDK's events so far say of one reader, and where they broke the nesting.
///
/// Each event is adopted whatever came before it, with all that it implies (ready implies
/// activated, activated implies connected), so that one mistake is reported once.
///
/// | event | may come when | state after |
/// | --- | --- | --- |
/// | connected | not connected, or powered down since the last connected | connected |
/// | activationFinished(success) | connected, not activated | activated |
/// | activationFinished(other) | connected | as before |
/// | becameReady | activated, not ready | ready |
/// | becameUnready | ready | activated |
/// | deactivated | activated, not ready | connected |
/// | disconnected | connected, not activated | none |
///
/// After becameUnready(disconnected) nothing is entered before disconnected.
struct ReaderState: Hashable, Sendable {
    private(set) var isConnected = false
    private(set) var isActivated = false
    private(set) var isReady = false
    /// Whether a didSwipeCard can belong to a ready period: from becameReady to deactivated.
    private(set) var isSwipePeriodOpen = false
    private var isPoweredDown = false
    /// Whether becameUnready(disconnected) came, and disconnected not yet.
    private(set) var isUnwinding = false

    /// Adopts a connected event; returns what was broken.
    mutating func connect() -> StaticString? {
        let broken: StaticString? =
            if isUnwinding {
                "a loss unwinds down to deviceDisconnected, but deviceConnected came before it"
            } else if isConnected && !isPoweredDown {
                """
                deviceConnected comes once until deviceDisconnected or a power-down, but it came \
                again
                """
            } else {
                nil
            }
        self = ReaderState()
        isConnected = true
        return broken
    }

    /// A state that an autodetection enters without an event.
    enum Entered { case connected, activated, ready }

    /// Enters a state of which no event tells.
    mutating func enter(_ entered: Entered) {
        self = ReaderState()
        isConnected = true
        isActivated = entered != .connected
        isReady = entered == .ready
        isSwipePeriodOpen = isReady
    }

    /// Adopts the end of an activation; returns what was broken.
    mutating func finishActivation(isSuccess: Bool) -> StaticString? {
        let broken: StaticString? =
            if isUnwinding {
                """
                a loss unwinds down to deviceDisconnected, but deviceActivationFinished came \
                before it
                """
            } else if !isConnected {
                """
                a reader is activated only while it is connected, but deviceActivationFinished \
                came without deviceConnected
                """
            } else if isSuccess && isActivated {
                """
                a reader is activated once until deviceDeactivated, but \
                deviceActivationFinished(success) came again
                """
            } else {
                nil
            }
        isConnected = true
        isPoweredDown = false
        isUnwinding = false
        if isSuccess { isActivated = true }
        return broken
    }

    /// Adopts that the reader became ready; returns what was broken.
    mutating func becomeReady() -> StaticString? {
        let broken: StaticString? =
            if isUnwinding {
                """
                a loss unwinds down to deviceDisconnected, but deviceBecameReadyForSwipe came \
                before it
                """
            } else if !isActivated {
                """
                a reader is ready only while it is activated, but deviceBecameReadyForSwipe came \
                without deviceActivationFinished(success)
                """
            } else if isReady {
                """
                a ready period ends before the next begins, but deviceBecameReadyForSwipe came \
                again without deviceBecameUnreadyForSwipe
                """
            } else {
                nil
            }
        isConnected = true
        isActivated = true
        isReady = true
        isSwipePeriodOpen = true
        isPoweredDown = false
        isUnwinding = false
        return broken
    }

    /// Adopts that the reader became unready; returns what was broken.
    mutating func becomeUnready(isLoss: Bool) -> StaticString? {
        let broken: StaticString? =
            isReady
            ? nil
            : "deviceBecameUnreadyForSwipe comes only to a ready reader, but it was not ready"
        isReady = false
        isUnwinding = isLoss
        return broken
    }

    /// Adopts that the reader was deactivated; returns what was broken.
    mutating func deactivate() -> StaticString? {
        let broken: StaticString? =
            if isReady {
                """
                deviceBecameUnreadyForSwipe comes before deviceDeactivated, but the reader was \
                still ready
                """
            } else if !isActivated {
                "deviceDeactivated comes only to an activated reader, but it was not activated"
            } else {
                nil
            }
        isReady = false
        isActivated = false
        isSwipePeriodOpen = false
        isPoweredDown = true
        return broken
    }

    /// Adopts that the reader was disconnected; returns what was broken.
    mutating func disconnect() -> StaticString? {
        let broken: StaticString? =
            if isReady || isActivated {
                "deviceDeactivated comes before deviceDisconnected, but the reader was still active"
            } else if !isConnected {
                "deviceDisconnected comes only to a connected reader, but it was not connected"
            } else {
                nil
            }
        self = ReaderState()
        return broken
    }
}
