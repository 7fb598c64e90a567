import EventLoops
import ReaderProtocols

/// What the app calls.
extension AudioJackSession {
    /// Takes a call; calls to a reader that is not served are ignored, settings are kept.
    ///
    /// - Returns: What the call was if the document forbids it.
    mutating func send(_ call: SwipeCall) -> SwipeMisuse? {
        defer { settle() }
        switch call {
        case .setAudioJackReaderType(let type, let options):
            return setReaderType(type, options)
        case .beginAutodetectAudioJackCardReader:
            if !isDetecting { beginDetection() }
        case .powerUpDevice(let isUp):
            return isShuttleServed ? powerUp(isUp) : nil
        case .powerDown:
            if isShuttleServed { powerDown() }
        case .requestSwipe:
            return isShuttleServed ? requestSwipe() : nil
        case .cancelSwipeRequest:
            return isShuttleServed ? cancelSwipeRequest() : nil
        case .setSwipeTimeoutDuration(let timeout):
            uniMag.swipeTimeout = UniMagOptions.clamped(timeout)
            if plant == .limitsOpenRequests, case .ready(.some) = phase {
                phase = .ready(until: now + uniMag.swipeTimeout)
            }
            return uniMag.swipeTimeout == timeout ? nil : .swipeTimeoutOutOfRange
        case .setActivateReaderOnAttach(let isOn):
            uniMag.activateReaderOnAttach = isOn
        case .setAutomaticallySetVolumeToMaxOnActivate(let isOn):
            uniMag.automaticallySetVolumeToMaxOnActivate = isOn
        case .setAlwaysAcceptSwipe(let isOn):
            setAlwaysAcceptSwipe(isOn)
        case .setMessageOptions(let options):
            uniMag.messageOptions = options
        case .setActivateReaderWithoutPromptingUser(let isOn):
            uniMag.messageOptions.activateReaderWithoutPromptingUser = isOn
        case .setShowInitializingReaderMessage(let isOn):
            uniMag.messageOptions.showInitializingReaderMessage = isOn
        case .setMessage(let message, let text):
            uniMag.messageOptions[message] = text
        case .answerPrompt(let isYes):
            let isAgreed = isYes || plant == .ignoresRefusals
            if case .prompting = phase { phase = isAgreed ? .consented : .resting }
        case .beginTestCommunication:
            if readerType == .ips, !isDetecting { beginTest() }
        case .shutdown:
            return readerType == .ips ? .shutdownByApp : nil
        case .setDelegate, .setReaderDelegate, .close:
            break
        }
        return nil
    }

    private var isShuttleServed: Bool { readerType == .uniMag && !isDetecting }

    // MARK: The type

    private mutating func setReaderType(
        _ type: AudioJackReaderType,
        _ options: UniMagMessageOptions?
    ) -> SwipeMisuse? {
        let isMisuse = options != nil && type != .uniMag
        if let options, type == .uniMag { uniMag.messageOptions = options }
        change(to: type)
        return isMisuse ? .messageOptionsWithoutShuttle : nil
    }

    private mutating func change(to type: AudioJackReaderType) {
        if isDetecting {
            // The one that was chosen last is served when the detection is over.
            typeBefore = type == .none ? .autodetectOnConnect : .none
            readerType = type
            failDetection()
            return
        }
        guard type != readerType else { return }
        readerType = type
        announcement.falls(to: .nothing, .disconnected)
        forgetSession()
        phase = .away
        if isPlugged { arrive() }
    }

    // MARK: The Shuttle's power

    private mutating func powerUp(_ isUp: Bool) -> SwipeMisuse? {
        if powersUpByItself { return .powerUpDespiteActivateOnAttach }
        switch phase {
        case .arrived, .resting:
            if isUp { phase = .starting }
        case .starting, .prompting, .consented, .raised, .checking:
            if !isUp { phase = .resting }
        case .powering:
            if !isUp { cancelPowerUp() }
        case .failed, .away, .activated, .ready, .listening, .detecting:
            break
        }
        return nil
    }

    private mutating func cancelPowerUp() {
        phase = profile.canceledActivationResult.map { .failed($0) } ?? .resting
    }

    private mutating func powerDown() {
        switch phase {
        case .activated, .ready:
            announcement.owesNothing()
            if profile.disconnectsAtPowerDown {
                announcement.falls(to: .nothing, .canceled)
            } else {
                fallInactive(.canceled, isToldAgain: true)
            }
            hasAppRequested = false
            phase = .arrived
        case .arrived, .starting, .prompting, .consented, .raised, .checking:
            phase = .resting
        case .powering:
            cancelPowerUp()
        case .away, .resting, .failed, .listening, .detecting:
            break
        }
    }

    // MARK: Swipe requests

    private mutating func requestSwipe() -> SwipeMisuse? {
        if uniMag.alwaysAcceptSwipe { return .requestInAlwaysMode }
        if phase == .activated {
            hasAppRequested = true
            phase = .ready(until: nil)
        }
        return nil
    }

    private mutating func cancelSwipeRequest() -> SwipeMisuse? {
        if uniMag.alwaysAcceptSwipe { return .cancelInAlwaysMode }
        guard hasAppRequested else { return .cancelWithoutRequest }
        if case .ready = phase {
            announcement.falls(to: .activated, .canceled)
            phase = .activated
        }
        return nil
    }

    private mutating func setAlwaysAcceptSwipe(_ isOn: Bool) {
        guard isOn != uniMag.alwaysAcceptSwipe else { return }
        uniMag.alwaysAcceptSwipe = isOn
        switch phase {
        case .activated:
            if isOn { phase = .ready(until: nil) }
        case .ready(nil):
            // Not told yet: without the mode there is no request, but one of the app's own.
            if !isOn, !hasAppRequested {
                phase = .activated
                announcement.renewalIsOff(renewalCause)
            }
        case .ready(.some), .away, .arrived, .resting, .starting, .prompting, .consented,
            .raised, .checking, .powering, .failed, .listening, .detecting:
            break
        }
    }

    // MARK: The IPS

    private mutating func beginTest() {
        guard testDeadline == nil, testResult == nil else { return }
        guard isPlugged else {
            testResult = false
            return
        }
        testDeadline = now + profile.communicationTestTimeout
        if !isInterrupted { commands.append(.startTone(.communicationTest)) }
    }
}
