/// How an attempt to activate a reader ended.
///
/// Source: SDK document, `SwipeActivationResult`.
public enum ActivationResult: Hashable, Sendable {
    /// The reader is activated.
    case success
    /// The reader cannot be used, as when the app does not declare its protocol.
    case failure
    /// The reader did not answer in time.
    case timeout
    /// The volume is too low to power the reader.
    case volumeTooLow
}

/// Why swipes are no longer accepted.
///
/// Source: SDK document, `SwipeReasonUnreadyForSwipe`.
public enum UnreadyReason: Hashable, Sendable {
    /// The reader was disconnected.
    case disconnected
    /// The swipe request reached its time limit.
    case timedOut
    /// The swipe request was canceled.
    case canceled
    /// The swipe request is being renewed; ready follows with nobody's help.
    case refreshing
    /// A swipe ended the request.
    case swipeDone
}

/// One event of the SDK, as the app's delegate receives it.
public struct SwipeEvent: Hashable, Sendable {
    /// What happened, named as in the SDK document.
    public enum Kind: Hashable, Sendable {
        /// `deviceConnected:`
        case connected
        /// `deviceActivationFinished:result:`
        case activationFinished(ActivationResult)
        /// `deviceBecameReadyForSwipe:`
        case becameReadyForSwipe
        /// `deviceBecameUnreadyForSwipe:reason:`
        case becameUnreadyForSwipe(UnreadyReason)
        /// `deviceDeactivated:`
        case deactivated
        /// `deviceDisconnected:`
        case disconnected
        /// `didSwipeCard:device:`; no card when the swipe could not be read.
        case didSwipeCard(SwipedCard?)
    }

    /// The reader it concerns, an index in the order in which the controller was told of them.
    public var reader: Int
    /// What happened.
    public var kind: Kind

    /// Creates an event.
    public init(reader: Int, kind: Kind) {
        self.reader = reader
        self.kind = kind
    }
}
