import Journal
import SDKCore

/// The app under test: what it is made of, and how it stands.
struct RigApp {
    /// What the app or the system does to the SDK, in the order made.
    enum Act: Hashable, Sendable {
        case call(SwipeCall, reader: Int?)
        case answer(Bool, isSetting: Bool)
        case pay(PaymentCall)
        case background
        case foreground
    }

    let readers: [SwipeReader]
    let profile: SwipeProfile
    let plant: Plant?
    /// How it sets the SDK up for the audio jack at its next launch, but for the volume.
    private(set) var audioJack: AudioJackOptions
    /// Which parts of that change with what the app does.
    let savedSettings: SavedSettings
    /// What it calls right after it made a controller.
    let callsAtLaunch: [SwipeCall]
    /// Who answers prompts.
    let prompts: PromptAnswer
    /// The delegate with which it makes its controller.
    let delegateAtLaunch: SwipeDelegate?
    var isAlive = true
    var isInBackground = false
    /// The event whose callback runs, and the step that caused it.
    var callback: (name: RecordName, step: Int?)? {
        didSet { isInCallback = callback != nil }
    }
    /// Whether a callback runs; stored, since it is asked for with every event.
    private(set) var isInCallback = false
    /// What was done from inside the callback; it has its effect after it.
    var waitingActs: [(act: Act, step: Int?)] = []

    init(_ configuration: RigConfiguration) {
        profile = configuration.profile
        plant = configuration.plant
        delegateAtLaunch = configuration.delegateAtStart
        audioJack = configuration.audioJack
        savedSettings = configuration.savedSettings
        callsAtLaunch = configuration.callsAtLaunch
        prompts = configuration.prompts
        let declared = configuration.accessoryProtocols
        var hasJack = false
        readers = configuration.readers.map { reader in
            let isDeclared = declared?.contains(reader.protocolString) ?? true
            var path = reader.endpoint.path
            if path == .audioJack {
                // To the SDK all that is for the jack is one reader; nothing ever comes from others.
                if hasJack { path = .reports }
                hasJack = true
            }
            return SwipeReader(
                path: path,
                isProtocolDeclared: !reader.isAccessory || isDeclared,
                isAttachedAtInit: reader.isAttachedAtStart && !reader.endpoint.isPaymentReader,
                sessionOpenFailureCount: reader.isAccessory ? reader.sessionOpenFailureCount : 0
            )
        }
    }

    /// Makes the controller of an app that is launched when the readers of its configuration are
    /// there.
    func makeController(volumePercent: Int?) -> SwipeController {
        makeController(readers, volumePercent)
    }

    /// Makes the controller of an app that is launched when these readers are there.
    func makeController(attached: [Bool], volumePercent: Int?) -> SwipeController {
        var present = readers
        for index in present.indices { present[index].isAttachedAtInit = attached[index] }
        return makeController(present, volumePercent)
    }

    /// Saves what the app chose with a call, for its next launch.
    mutating func save(_ call: SwipeCall, of controller: SwipeController) {
        switch call {
        case .setAudioJackReaderType(let type, _):
            if savedSettings.hasReaderType { audioJack.readerType = type }
            saveMessageOptions(of: controller)
        case .setMessageOptions, .setActivateReaderWithoutPromptingUser,
            .setShowInitializingReaderMessage, .setMessage:
            saveMessageOptions(of: controller)
        case .setDelegate, .setReaderDelegate, .close, .beginAutodetectAudioJackCardReader,
            .answerPrompt, .powerUpDevice, .powerDown, .requestSwipe, .cancelSwipeRequest,
            .setSwipeTimeoutDuration, .setActivateReaderOnAttach,
            .setAutomaticallySetVolumeToMaxOnActivate, .setAlwaysAcceptSwipe,
            .beginTestCommunication, .shutdown:
            break
        }
    }

    /// Saves what an autodetection found, for the app's next launch; nothing when it failed.
    mutating func save(_ result: AutodetectResult) {
        guard savedSettings.hasReaderType else { return }
        switch result {
        case .uniMag: audioJack.readerType = .uniMag
        case .ips: audioJack.readerType = .ips
        case .fail: break
        }
    }

    private mutating func saveMessageOptions(of controller: SwipeController) {
        guard savedSettings.hasMessageOptions else { return }
        audioJack.uniMag.messageOptions = controller.uniMagOptions.messageOptions
    }

    private func makeController(
        _ readers: [SwipeReader],
        _ volumePercent: Int?
    ) -> SwipeController {
        guard let volumePercent else {
            return SwipeController(
                readers: readers,
                delegate: delegateAtLaunch,
                profile: profile,
                plant: plant
            )
        }
        return SwipeController(
            readers: readers,
            delegate: delegateAtLaunch,
            profile: profile,
            audioJack: AudioJackOptions(
                readerType: audioJack.readerType,
                volumePercent: volumePercent,
                uniMag: audioJack.uniMag
            ),
            plant: plant
        )
    }
}

/// What the app keeps in its saved settings, which outlive it.
///
/// Source: SDK document: the result of an autodetection should be saved and used again at startup.
public struct SavedSettings: Hashable, Sendable {
    /// Whether it saves the kind of audio-jack reader that it chose or an autodetection found.
    public var hasReaderType = false
    /// Whether it saves the message options that it chose.
    public var hasMessageOptions = false

    /// Creates the settings of an app that saves nothing.
    public init() {}
}

/// A reader's properties as the app reads them.
public struct ReaderFlags: Hashable, Sendable {
    /// Whether the reader is attached, as far as the app has been told.
    public var isConnected: Bool
    /// Whether it is initialised.
    public var isActivated: Bool
    /// Whether a swipe gives a didSwipeCard.
    public var isReadyForSwipe: Bool

    /// Creates the properties of a reader.
    public init(isConnected: Bool, isActivated: Bool, isReadyForSwipe: Bool) {
        self.isConnected = isConnected
        self.isActivated = isActivated
        self.isReadyForSwipe = isReadyForSwipe
    }
}
