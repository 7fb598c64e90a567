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
        /// A prompt is shown; it waits for ``SwipeCall/answerPrompt(_:)``. Only the Shuttle's
        /// library asks.
        case promptShown(UniMagMessage)
        /// An alert is shown. Its dismissal follows: at once for one with a button, which nobody
        /// waits for, and before activationFinished for the initializing one.
        case alertShown(UniMagMessage)
        /// The alert that was shown last is gone.
        case alertDismissed
        /// `deviceAutodetectStarted`
        case autodetectStarted
        /// `deviceAutodetectComplete:`; on success the three states are entered without events of
        /// their own, and after `fail` at most the first: the flags tell.
        case autodetectComplete(AutodetectResult)
        /// `ipsCommunicationTestCompleteWithResult:`
        case communicationTestCompleted(Bool)
    }

    /// The reader it concerns, an index in the order in which the controller was told of them; the
    /// audio jack is one, whichever library serves it.
    public var reader: Int
    /// The object that sends it: at the audio jack the library that is loaded, whatever is plugged
    /// in; `nil` where the document names no sender (autodetection) and for what an autodetection
    /// that failed left connected.
    public var device: SwipeDevice?
    /// What happened.
    public var kind: Kind

    /// Creates an event.
    public init(reader: Int, device: SwipeDevice? = .iDynamo, kind: Kind) {
        self.reader = reader
        self.device = device
        self.kind = kind
    }
}
