/// Which reading of the SDK document holds where it leaves a question open.
///
/// The defaults are CardRig's own, those of its semantics, section 2.
public struct SwipeProfile: Hashable, Sendable {
    /// Whether a swipe is followed by becameUnready(swipeDone) and becameReady; swipes that arrived
    /// at once are told in one ready period.
    public var isUnreadyAfterSwipe: Bool
    /// Whether a swipe that a detach cut gives a didSwipeCard without card before the unready.
    public var reportsCutSwipes: Bool
    /// Whether the background is silent: no detach before the app sleeps, and on return what came
    /// meanwhile, a connect and a disconnect cancelling out.
    public var isSilentInBackground: Bool

    /// Creates the usual reading.
    public init(
        isUnreadyAfterSwipe: Bool = false,
        reportsCutSwipes: Bool = false,
        isSilentInBackground: Bool = false
    ) {
        self.isUnreadyAfterSwipe = isUnreadyAfterSwipe
        self.reportsCutSwipes = reportsCutSwipes
        self.isSilentInBackground = isSilentInBackground
    }
}

/// What a reader's transport carries.
public enum ReaderPath: Hashable, Sendable {
    /// The accessory connector's byte stream: ASCII messages in 500-byte blocks.
    case accessoryStream
    /// HID reports, in packets or whole.
    case reports
}

/// A reader as the controller knows it before it is attached.
public struct SwipeReader: Hashable, Sendable {
    /// What its transport carries.
    public var path: ReaderPath
    /// Whether the app declares the reader's protocol string ("Supported external accessory
    /// protocols"); without it activation fails.
    public var isProtocolDeclared: Bool
    /// Whether it is attached when the controller is made; a controller that is made without a
    /// delegate misses it.
    public var isAttachedAtInit: Bool
    /// How often opening a session gives nothing after each attach; the accessory framework does
    /// that at random right after a connect.
    public var sessionOpenFailureCount: Int

    /// Creates a reader that is not attached and whose protocol is declared.
    public init(
        path: ReaderPath,
        isProtocolDeclared: Bool = true,
        isAttachedAtInit: Bool = false,
        sessionOpenFailureCount: Int = 0
    ) {
        self.path = path
        self.isProtocolDeclared = isProtocolDeclared
        self.isAttachedAtInit = isAttachedAtInit
        self.sessionOpenFailureCount = sessionOpenFailureCount
    }
}

/// An object of the app that receives events.
public enum SwipeDelegate: Hashable, Sendable {
    /// The one that the app sets when it makes the controller.
    case app
    /// Another one.
    case other
}

/// A call of the app.
public enum SwipeCall: Hashable, Sendable {
    /// Sets the controller's delegate, or takes it away.
    case setDelegate(SwipeDelegate?)
    /// Sets the delegate of one reader, which the document forbids; it is ignored.
    case setReaderDelegate(SwipeDelegate?)
    /// Ends the controller; nothing is delivered after it.
    case close

    /// Sets the app's delegate, or takes it away.
    public static func setDelegate(isPresent: Bool) -> SwipeCall {
        .setDelegate(isPresent ? .app : nil)
    }
}

/// A use of the SDK against its document; what it does is defined.
public enum SwipeMisuse: Hashable, Sendable {
    /// A delegate was set on one reader; the call is ignored.
    /// Source: SDK document, `PGSwipeDevice`: "You should not set the delegate directly."
    case delegateOfOneReader

    /// What was misused, for people.
    public var text: StaticString {
        switch self {
        case .delegateOfOneReader: "a delegate was set on one reader; set it on the controller"
        }
    }
}
