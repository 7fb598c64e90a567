import EventLoops
import Journal

/// What the laws know of the audio jack: what the app asked for and allowed, and what is owed.
struct AudioAccount: Sendable {
    /// How much later than its time something may come.
    static let tolerance = VirtualDuration.milliseconds(10)

    /// A request for a swipe, from ready on.
    struct Request: Hashable, Sendable {
        var start: VirtualInstant
        var limit: VirtualDuration
        /// Whether a swipe came in it, so that it may end before its time.
        var hadSwipe = false

        var latestEnd: VirtualInstant { start + limit + AudioAccount.tolerance }
    }

    /// The readers of the rig; `nil` for one that is not there.
    let shuttle: Int?
    let ips: Int?
    private var atLaunch: AudioSettings
    private(set) var settings: AudioSettings

    /// The open request; `nil` while there is none, and after the app did not listen in it.
    var request: Request?
    /// Whether a request was renewed before its time and the swipe that ended it is not told yet.
    var owesSwipe = false
    /// By when that swipe must be told.
    var owesSwipeDeadline = VirtualInstant.zero
    /// By when a request that is being renewed must be ready again.
    var renewalDeadline: VirtualInstant?
    var isDetecting = false
    /// By when the present autodetection must have a result.
    var detectionDeadline = VirtualInstant.zero
    private(set) var loadedUniMag = false
    private(set) var loadedIPS = false
    /// Whether the user, or an autodetection that the app asked for, allowed the power tone.
    var hasPowerConsent = false
    /// Whether the app asked for a communication test whose tone did not come yet.
    var hasTestConsent = false
    /// The reader of whose coming the host was told last, and not of its going; `nil` while the jack
    /// is empty.
    var plugged: Int?
    /// Whether something is in the jack.
    var isPlugged: Bool { plugged != nil }
    /// Whether a power tone sounds and its activation has no result.
    var isPoweringUp = false

    init(_ settings: AudioSettings, readerKinds: [String]) {
        shuttle = readerKinds.firstIndex(of: "shuttle")
        ips = readerKinds.firstIndex(of: "ips")
        atLaunch = settings
        self.settings = settings
    }

    /// Whether there is a reader for the audio jack.
    var isPresent: Bool { shuttle != nil || ips != nil }

    /// Whether it is a reader for the audio jack.
    func owns(_ reader: Int) -> Bool { reader == shuttle || reader == ips }

    /// The reader whose events follow; `nil` while the SDK serves none or finds out which.
    var enabled: Int? {
        switch settings.readerType {
        case .uniMag: shuttle
        case .ips: ips
        default: nil
        }
    }

    /// Begins anew with a new controller.
    mutating func launch() {
        endApp()
        settings = atLaunch
    }

    /// Forgets what died with the app, tones and libraries included.
    mutating func endApp() {
        loadedUniMag = false
        loadedIPS = false
        endController()
        hasPowerConsent = false
        hasTestConsent = false
        isPoweringUp = false
    }

    /// Forgets what a controller owed that is closed.
    mutating func endController() {
        stopListening()
        isDetecting = false
    }

    /// Forgets what is owed now, since the app may not hear of it.
    mutating func stopListening() {
        request = nil
        renewalDeadline = nil
        owesSwipe = false
    }

    /// Takes back what was allowed for what was in the jack.
    mutating func empty() {
        renewalDeadline = nil
        owesSwipe = false
        hasPowerConsent = false
        isPoweringUp = false
    }

    /// Adopts a call of the app.
    mutating func call(_ record: Record, in journal: Journal) {
        guard case .symbol(let method) = journal.value(.method, of: record) else { return }
        let isOn = journal.value(.isOn, of: record)
        switch method {
        case .alwaysAcceptSwipe:
            settings.alwaysAcceptsSwipes = isOn == .flag(true)
            if isOn == .flag(false) { renewalDeadline = nil }
        case .setSwipeTimeoutDuration:
            if case .duration(let limit) = journal.value(.limit, of: record) {
                settings.swipeTimeout = AudioSettings.clamped(limit)
            }
        case .messageOptions:
            if case .flag(let isOn) = isOn { allow(withoutPrompting: isOn) }
        case .setAudioJackReaderType:
            if case .symbol(let type) = journal.value(.audioJackReaderType, of: record) {
                if type != settings.readerType { empty() }
                settings.readerType = type
                if atLaunch.savesReaderType { atLaunch.readerType = type }
            }
            if case .flag(let isOn) = isOn { allow(withoutPrompting: isOn) }
        case .powerDown, .beginAutodetectAudioJackCardReader:
            empty()
        case .beginTestCommunication:
            hasTestConsent = settings.readerType == .ips
        default:
            break
        }
    }

    private mutating func allow(withoutPrompting isOn: Bool) {
        settings.activatesWithoutPrompting = isOn
        if atLaunch.savesMessageOptions { atLaunch.activatesWithoutPrompting = isOn }
    }

    /// Adopts the end of an autodetection; the type is what is enabled from now on, where it is
    /// known.
    mutating func detected(_ type: Symbol?, isFound: Bool) {
        isDetecting = false
        if let type { settings.readerType = type }
        if let type, isFound, atLaunch.savesReaderType { atLaunch.readerType = type }
        hasPowerConsent = isFound && type == .uniMag
    }

    /// Adopts a library; returns whether another one is loaded.
    mutating func load(_ library: Symbol) -> Bool {
        let isOther = library == .uniMag ? loadedIPS : loadedUniMag
        if library == .uniMag { loadedUniMag = true } else { loadedIPS = true }
        return isOther
    }

    /// Adopts that a library let go of everything.
    mutating func unload(_ library: Symbol) {
        if library == .uniMag { loadedUniMag = false } else { loadedIPS = false }
    }
}
