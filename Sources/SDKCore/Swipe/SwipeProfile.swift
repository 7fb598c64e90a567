public import CardData
public import EventLoops

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
    /// The reading at the audio jack.
    public var audioJack: AudioJackProfile

    /// Creates the usual reading.
    public init(
        isUnreadyAfterSwipe: Bool = false,
        reportsCutSwipes: Bool = false,
        isSilentInBackground: Bool = false,
        audioJack: AudioJackProfile = AudioJackProfile()
    ) {
        self.isUnreadyAfterSwipe = isUnreadyAfterSwipe
        self.reportsCutSwipes = reportsCutSwipes
        self.isSilentInBackground = isSilentInBackground
        self.audioJack = audioJack
    }
}

/// What a reader's transport carries.
public enum ReaderPath: Hashable, Sendable {
    /// The accessory connector's byte stream: ASCII messages in 500-byte blocks.
    case accessoryStream
    /// HID reports of a MagTek reader, in packets or whole.
    case reports
    /// HID reports of an ID TECH reader, in packets or whole: the records of a Shuttle, announced as
    /// on every USB reader.
    case idTechReports
    /// The audio jack: what is plugged in and pulled out, and the bytes that its library hears. A
    /// controller has one at most.
    case audioJack
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

    // PGSwipeController, the audio jack.

    /// `setAudioJackReaderType:messageOptions:`; options are for the Shuttle only, and replace its
    /// options. A change unwinds the old reader's states as a detach does, then tells the new one.
    indirect case setAudioJackReaderType(
        AudioJackReaderType,
        messageOptions: UniMagMessageOptions? = nil
    )
    /// `beginAutodetectAudioJackCardReader`; ignored while one is under way.
    case beginAutodetectAudioJackCardReader

    // PGSwipeUniMag. Each is ignored while the Shuttle is not the reader at the jack, but the
    // settings, which are kept.

    /// `powerUpDevice:`; `false` cancels a power-up, the prompt before it included.
    case powerUpDevice(Bool)
    /// `powerDown`
    case powerDown
    /// `requestSwipe`
    case requestSwipe
    /// `cancelSwipeRequest`
    case cancelSwipeRequest
    /// `setSwipeTimeoutDuration:`, 3 s to 20 s; it counts from the next request on.
    case setSwipeTimeoutDuration(VirtualDuration)
    /// `activateReaderOnAttach`; it counts from the next connected on.
    case setActivateReaderOnAttach(Bool)
    /// `automaticallySetVolumeToMaxOnActivate`
    case setAutomaticallySetVolumeToMaxOnActivate(Bool)
    /// `alwaysAcceptSwipe`; switched on it requests a swipe at once, switched off it leaves a
    /// request that is open to its time limit.
    case setAlwaysAcceptSwipe(Bool)

    // PGSwipeUniMagMessageOptions.

    /// `messageOptions`, all at once.
    indirect case setMessageOptions(UniMagMessageOptions)
    /// `messageOptions.activateReaderWithoutPromptingUser`
    case setActivateReaderWithoutPromptingUser(Bool)
    /// `messageOptions.showInitializingReaderMessage`
    case setShowInitializingReaderMessage(Bool)
    /// One text of `messageOptions`; `nil` silences it.
    indirect case setMessage(UniMagMessage, SafeText?)
    /// What the user answers to the prompt that is shown; ignored when none is.
    case answerPrompt(Bool)

    // PGSwipeIps. Each is ignored while the IPS is not the reader at the jack.

    /// `beginTestCommunication:`; ignored while one is under way.
    case beginTestCommunication
    /// `shutdown`, which the document forbids to the app; it is ignored.
    case shutdown

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
    /// A swipe was requested while alwaysAcceptSwipe is on; the call is ignored.
    /// Source: SDK document, `PGSwipeUniMag`: "you should not use requestSwipe or
    /// cancelSwipeRequest".
    case requestInAlwaysMode
    /// A request was canceled while alwaysAcceptSwipe is on; the call is ignored.
    case cancelInAlwaysMode
    /// A request was canceled that the app had not made; the call is ignored.
    /// Source: SDK document, `cancelSwipeRequest`.
    case cancelWithoutRequest
    /// The app powered up or canceled while activateReaderOnAttach is on; the call is ignored.
    /// Source: SDK document, `powerUpDevice:`.
    case powerUpDespiteActivateOnAttach
    /// A time limit outside 3 s to 20 s; it was clamped.
    /// Source: SDK document, `setSwipeTimeoutDuration:`.
    case swipeTimeoutOutOfRange
    /// Message options for a type that has none; they are ignored, the type is set.
    /// Source: SDK document, `setAudioJackReaderType:messageOptions:`.
    case messageOptionsWithoutShuttle
    /// The app shut the IPS down; the call is ignored.
    /// Source: SDK document, `PGSwipeIps`, `shutdown`: "You should not call this directly."
    case shutdownByApp

    /// What was misused, for people.
    public var text: StaticString {
        switch self {
        case .delegateOfOneReader: "a delegate was set on one reader; set it on the controller"
        case .requestInAlwaysMode: "a swipe was requested while alwaysAcceptSwipe is on"
        case .cancelInAlwaysMode: "a swipe request was canceled while alwaysAcceptSwipe is on"
        case .cancelWithoutRequest: "a swipe request was canceled that the app had not made"
        case .powerUpDespiteActivateOnAttach:
            "powerUpDevice was called while activateReaderOnAttach is on"
        case .swipeTimeoutOutOfRange: "a time limit of a swipe request lies outside 3 s to 20 s"
        case .messageOptionsWithoutShuttle:
            "message options were given for a reader that is no Shuttle"
        case .shutdownByApp: "the app shut the IPS reader down; the controller does that"
        }
    }
}
