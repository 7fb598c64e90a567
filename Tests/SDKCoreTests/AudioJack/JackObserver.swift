import EventLoops
import ReaderProtocols
import SDKCore

/// Watches commands and events of an audio jack, and says what the SDK's promises forbid.
struct JackObserver: Hashable {
    /// Whether a swipe may end a request before it is told.
    private let isUnreadyBeforeSwipe: Bool
    /// How long a packet without a length waits for its end.
    let packetPause: VirtualDuration
    private(set) var violations: [String] = []

    private var level = 0
    private var device: SwipeDevice?
    private var isPlugged = false
    private var isDetecting = false
    private var hasPoweredDown = false
    private var mustRenew = false
    private var alert: UniMagMessage?
    private var libraries: [AudioLibrary] = []
    private var isToneOn = false
    private var hasConsent = false
    /// Whether the app asked for what is loud: an autodetection or a test.
    private var isLoudAllowed = false
    private(set) var readySince: VirtualInstant?

    init(profile: AudioJackProfile) {
        packetPause = profile.shortestPause
        isUnreadyBeforeSwipe = profile.isUnreadyBeforeSwipe
    }

    /// The same without its times, to compare states.
    var timeless: JackObserver {
        var copy = self
        copy.readySince = readySince == nil ? nil : .zero
        return copy
    }

    private mutating func break_(_ law: String, _ what: String) {
        violations.append("\(law): \(what)")
    }

    mutating func plugged(_ isPlugged: Bool) {
        self.isPlugged = isPlugged
        if !isPlugged {
            mustRenew = false
            hasConsent = false
            hasPoweredDown = false
        }
    }

    mutating func noticed(_ notice: JackNotice) {
        if notice == .interrupted { isToneOn = false }
    }

    mutating func called(_ call: SwipeCall, prompt: UniMagMessage?) {
        switch call {
        case .answerPrompt(let isYes):
            if prompt != nil { hasConsent = isYes }
        case .powerDown:
            mustRenew = false
            hasPoweredDown = true
        case .setAudioJackReaderType(let type, _):
            mustRenew = false
            if type == .autodetectOnConnect { isLoudAllowed = true }
        case .beginAutodetectAudioJackCardReader:
            mustRenew = false
            isLoudAllowed = true
        case .beginTestCommunication:
            isLoudAllowed = true
        case .close:
            mustRenew = false
        case .setAlwaysAcceptSwipe(false):
            mustRenew = false
        default:
            break
        }
    }

    mutating func carriedOut(_ command: JackCommand, options: UniMagOptions) {
        switch command {
        case .load(let library):
            libraries.append(library)
            if libraries.count > 1 { break_("one-audio-reader", "\(libraries) loaded") }
        case .unload(let library):
            libraries.removeAll { $0 == library }
        case .startTone(.power):
            isToneOn = true
            let isAsked = !options.messageOptions.activateReaderWithoutPromptingUser
            if isAsked, !hasConsent, !isDetecting {
                break_("no-tone-without-consent", "a power tone")
            }
            if !isPlugged { break_("no-tone-without-consent", "a tone into the empty jack") }
        case .startTone(.communicationTest):
            if !isLoudAllowed, !isDetecting { break_("no-tone-without-consent", "a test tone") }
        case .stopTone(.power):
            isToneOn = false
            hasConsent = false
        case .stopTone, .setVolume:
            break
        }
    }

    mutating func told(_ event: SwipeEvent, _ controller: SwipeController, at now: VirtualInstant) {
        let flags = [
            controller.isConnected(0), controller.isActivated(0), controller.isReadyForSwipe(0),
        ].count { $0 }
        if isDetecting {
            switch event.kind {
            case .autodetectComplete: break
            default: break_("autodetect-silent", JackDesk.word(event.kind))
            }
        }
        switch event.kind {
        case .connected:
            if level > 0, !hasPoweredDown { break_("nesting", "connected twice") }
            hasPoweredDown = false
            level = 1
            device = event.device
        case .activationFinished(let result):
            if level != 1 { break_("nesting", "activated at \(level)") }
            if result == .success { level = 2 }
        case .becameReadyForSwipe:
            if level != 2 { break_("nesting", "ready at \(level)") }
            level = 3
            mustRenew = false
            readySince = now
        case .becameUnreadyForSwipe(let reason):
            if level != 3 { break_("nesting", "unready at \(level)") }
            level = 2
            mustRenew = reason == .refreshing
            if reason == .timedOut || reason == .refreshing { checkLimit(controller, reason, now) }
            readySince = nil
        case .deactivated:
            if level != 2 { break_("nesting", "deactivated at \(level)") }
            if mustRenew { break_("refresh-renews", "deactivated") }
            level = 1
            hasConsent = false
        case .disconnected:
            if level != 1 { break_("nesting", "disconnected at \(level)") }
            level = 0
        case .didSwipeCard:
            if level < 2 { break_("swipe-only-while-ready", "at \(level)") }
            if let readySince {
                let limit = controller.uniMagOptions.swipeTimeout + .milliseconds(10)
                if event.device == .uniMag, now - readySince > limit {
                    break_("timeout-honoured", "a swipe after the limit")
                }
            }
            readySince = nil
        case .promptShown: hasConsent = false
        case .alertShown(let shown):
            if alert != nil { break_("alerts", "two at once") }
            alert = shown
        case .alertDismissed:
            if alert == nil { break_("alerts", "none to dismiss") }
            alert = nil
        case .autodetectStarted:
            if level != 0 { break_("autodetect-silent", "started at \(level)") }
            isDetecting = true
        case .autodetectComplete:
            if !isDetecting { break_("autodetect-silent", "complete without start") }
            isDetecting = false
            hasConsent = true
            level = flags
            readySince = flags == 3 ? now : nil
        case .communicationTestCompleted: break
        }
        if flags != level { break_("flags-agree", "\(flags) at \(level)") }
    }

    /// The end of a request that nobody ended comes at its limit.
    private mutating func checkLimit(
        _ controller: SwipeController,
        _ reason: UnreadyReason,
        _ now: VirtualInstant
    ) {
        guard let readySince else { return }
        let waited = now - readySince
        let limit = controller.uniMagOptions.swipeTimeout
        let isEarly = waited < limit && !isUnreadyBeforeSwipe
        if isEarly || waited > limit + .milliseconds(10) {
            break_("timeout-honoured", "\(reason) after \(waited.nanoseconds / 1_000_000) ms")
        }
    }

    /// What must not be left when nothing is to be told.
    mutating func rested() {
        if mustRenew { break_("refresh-renews", "never ready again") }
    }

    /// What must not be left when time has passed too.
    mutating func ended() {
        rested()
        if isDetecting { break_("autodetect-silent", "never complete") }
        if alert != nil { break_("alerts", "never dismissed") }
        if isToneOn, !isPlugged { break_("no-tone-without-consent", "a tone that never ends") }
    }
}
