public import CardData
public import EventLoops

/// What the Shuttle's library may ask and tell the user.
///
/// A text that is `nil` is not shown. For a prompt that means that nobody agrees, so that nothing is
/// powered up (assumed: the document names `nil` for the alerts only).
///
/// Source: SDK document, `PGSwipeUniMagMessageOptions`; it gives the wording of the initializing
/// alert only, the others are ours.
public struct UniMagMessageOptions: Hashable, Sendable {
    /// Whether the reader is powered up without asking the user; `false` by default.
    public var activateReaderWithoutPromptingUser: Bool
    /// Whether an alert is shown while the reader powers up; `false` by default (assumed: the
    /// document names none).
    public var showInitializingReaderMessage: Bool
    /// The prompt that warns that the volume will be set to the maximum.
    public var cardReaderActivationPrompt: SafeText?
    /// The prompt without that warning.
    public var cardReaderActivationAtMaxVolumePrompt: SafeText?
    /// The alert while the reader powers up.
    public var initializingReaderMessage: SafeText?
    /// The alert that the reader did not answer in time.
    public var cardReaderTimeoutMessage: SafeText?
    /// The alert that the volume is too low.
    public var volumeTooLowMessage: SafeText?

    /// Creates the default options.
    public init() {
        activateReaderWithoutPromptingUser = false
        showInitializingReaderMessage = false
        cardReaderActivationPrompt = SafeText(
            "Power up the card reader? The volume will be set to maximum."
        )
        cardReaderActivationAtMaxVolumePrompt = SafeText("Power up the card reader?")
        initializingReaderMessage = SafeText("Initializing Card Reader…")
        cardReaderTimeoutMessage = SafeText("The card reader did not answer.")
        volumeTooLowMessage = SafeText("The volume is too low for the card reader.")
    }

    /// The text of a message; `nil` silences it.
    public subscript(message: UniMagMessage) -> SafeText? {
        get {
            switch message {
            case .cardReaderActivationPrompt: cardReaderActivationPrompt
            case .cardReaderActivationAtMaxVolumePrompt: cardReaderActivationAtMaxVolumePrompt
            case .initializingReaderMessage: initializingReaderMessage
            case .cardReaderTimeoutMessage: cardReaderTimeoutMessage
            case .volumeTooLowMessage: volumeTooLowMessage
            }
        }
        set {
            switch message {
            case .cardReaderActivationPrompt: cardReaderActivationPrompt = newValue
            case .cardReaderActivationAtMaxVolumePrompt:
                cardReaderActivationAtMaxVolumePrompt = newValue
            case .initializingReaderMessage: initializingReaderMessage = newValue
            case .cardReaderTimeoutMessage: cardReaderTimeoutMessage = newValue
            case .volumeTooLowMessage: volumeTooLowMessage = newValue
            }
        }
    }
}

/// The settings of the Shuttle, as the app makes them.
///
/// Source: SDK document, `PGSwipeUniMag`.
public struct UniMagOptions: Hashable, Sendable {
    /// The shortest time limit of a swipe request, 3 s.
    public static let shortestSwipeTimeout = VirtualDuration.milliseconds(3_000)
    /// The longest time limit of a swipe request, and the default: 20 s.
    public static let longestSwipeTimeout = VirtualDuration.milliseconds(20_000)

    /// Whether the SDK powers the reader up when something is attached; `true` by default.
    public var activateReaderOnAttach: Bool
    /// Whether the volume is set to its maximum immediately before a power-up; `true` by default.
    public var automaticallySetVolumeToMaxOnActivate: Bool
    /// Whether the SDK requests a swipe by itself and renews the request for ever; `true` by
    /// default.
    public var alwaysAcceptSwipe: Bool
    /// How long a swipe request waits: 3 s to 20 s, 20 s by default.
    public var swipeTimeout: VirtualDuration
    /// What the user is asked and told.
    public var messageOptions: UniMagMessageOptions

    /// Creates the default settings.
    ///
    /// The time limit is brought between ``shortestSwipeTimeout`` and ``longestSwipeTimeout``.
    public init(
        activateReaderOnAttach: Bool = true,
        automaticallySetVolumeToMaxOnActivate: Bool = true,
        alwaysAcceptSwipe: Bool = true,
        swipeTimeout: VirtualDuration = UniMagOptions.longestSwipeTimeout,
        messageOptions: UniMagMessageOptions = UniMagMessageOptions()
    ) {
        self.activateReaderOnAttach = activateReaderOnAttach
        self.automaticallySetVolumeToMaxOnActivate = automaticallySetVolumeToMaxOnActivate
        self.alwaysAcceptSwipe = alwaysAcceptSwipe
        self.swipeTimeout = Self.clamped(swipeTimeout)
        self.messageOptions = messageOptions
    }

    static func clamped(_ timeout: VirtualDuration) -> VirtualDuration {
        max(shortestSwipeTimeout, min(timeout, longestSwipeTimeout))
    }
}

/// The audio jack as the app sets the SDK up for it when it makes its controller.
public struct AudioJackOptions: Hashable, Sendable {
    /// The reader that is served; the Shuttle by default, as in the SDK's header.
    public var readerType: AudioJackReaderType
    /// The output volume at that moment, in percent of the maximum: 0 to 100.
    public var volumePercent: Int
    /// The Shuttle's settings.
    public var uniMag: UniMagOptions

    /// Creates the default options.
    ///
    /// The volume is brought between 0 and 100.
    public init(
        readerType: AudioJackReaderType = .uniMag,
        volumePercent: Int = 100,
        uniMag: UniMagOptions = UniMagOptions()
    ) {
        self.readerType = readerType
        self.volumePercent = max(0, min(volumePercent, 100))
        self.uniMag = uniMag
    }
}
