import CardCrypto
import EventLoops
import ReaderProtocols

/// One step at a time: what is told, and what begins when nothing is left to tell.
extension AudioJackSession {
    /// An event, and the device that sends it.
    struct Told {
        var device: SwipeDevice?
        var kind: SwipeEvent.Kind
    }

    /// Returns the next event, or `nil` when the app knows all there is to know or a command waits.
    ///
    /// | first | what |
    /// | --- | --- |
    /// | 1 | the dismissal of an alert whose time is over |
    /// | 2 | swipes of the present ready period |
    /// | 3 | the result of a communication test |
    /// | 4 | the states, down and up again |
    /// | 5 | the result of an activation that failed, and its alert |
    /// | 6 | what the phase does next |
    mutating func nextEvent() -> Told? {
        while commands.isEmpty {
            if let event = nextUrgentEvent() { return event }
            if let event = nextStateEvent() { return event }
            if case .failed(let result) = phase { return fail(result) }
            if let alert = waitingAlert {
                waitingAlert = nil
                shownAlert = alert
                return Told(device: .uniMag, kind: .alertShown(alert))
            }
            let before = phase
            if let event = beginNext() { return event }
            if phase == before { return nil }
        }
        return nil
    }

    private mutating func nextUrgentEvent() -> Told? {
        if let alert = shownAlert, alert != .initializingReaderMessage || !isPoweringUp {
            shownAlert = nil
            return Told(device: .uniMag, kind: .alertDismissed)
        }
        if !swipes.isEmpty, canTellSwipes {
            return Told(device: device, kind: .didSwipeCard(swipes.removeFirst()))
        }
        if let result = testResult {
            testResult = nil
            return Told(device: .ips, kind: .communicationTestCompleted(result))
        }
        return nil
    }

    private var isPoweringUp: Bool {
        switch phase {
        case .checking, .powering: true
        case .away, .arrived, .resting, .starting, .prompting, .consented, .raised, .failed,
            .activated,
            .ready, .listening, .detecting:
            false
        }
    }

    private var canTellSwipes: Bool {
        guard profile.isUnreadyBeforeSwipe, announcement.device == .uniMag else {
            return announcement.told == .ready
        }
        return announcement.told == .activated
    }

    private mutating func nextStateEvent() -> Told? {
        let goalDevice = Self.device(of: readerType)
        // A device of which the app was told is gone before it hears of another.
        let isOther = announcement.isConnected && announcement.device != goalDevice
        if isOther { announcement.falls(to: .nothing, .disconnected) }
        guard let kind = announcement.nextEvent(goal: phase.goal, device: goalDevice) else {
            return nil
        }
        let teller = announcement.device
        switch kind {
        case .becameReadyForSwipe:
            beginRequest()
        case .deactivated, .disconnected:
            forgetSwipes()
        default:
            break
        }
        return Told(device: teller, kind: kind)
    }

    /// Begins the time of a request that was told, unless a swipe has ended it already.
    private mutating func beginRequest() {
        guard case .ready = phase else { return }
        phase = .ready(until: now + requestLength)
        if !swipes.isEmpty { endRequest(.swipeDone) }
    }

    /// How long a request is open.
    var requestLength: VirtualDuration {
        switch plant {
        case .endsRequestsEarly: uniMag.swipeTimeout + .milliseconds(-100)
        case .endsRequestsLate: uniMag.swipeTimeout + .milliseconds(100)
        default: uniMag.swipeTimeout
        }
    }

    /// Tells how an activation failed; its alert follows.
    private mutating func fail(_ result: ActivationResult) -> Told {
        phase = .resting
        let alert: UniMagMessage? =
            switch result {
            case .timeout: .cardReaderTimeoutMessage
            case .volumeTooLow: .volumeTooLowMessage
            case .success, .failure: nil
            }
        if let alert, uniMag.messageOptions[alert] != nil { waitingAlert = alert }
        return Told(device: .uniMag, kind: .activationFinished(result))
    }

    /// Does what the phase does when all was told; a phase that has nothing to do stays.
    private mutating func beginNext() -> Told? {
        switch phase {
        case .arrived:
            phase = powersUpByItself ? .starting : .resting
        case .starting:
            guard let prompt = prompt, !isPromptRemembered, plant != .neverAsks else {
                isPromptRemembered = false
                phase = .consented
                return nil
            }
            guard uniMag.messageOptions[prompt] != nil else {
                phase = .resting
                return nil
            }
            phase = .prompting(prompt)
            return Told(device: .uniMag, kind: .promptShown(prompt))
        case .consented:
            if uniMag.automaticallySetVolumeToMaxOnActivate, volumePercent < 100 {
                commands.append(.setVolume(percent: 100))
            }
            phase = .raised
        case .raised:
            phase = .checking
            let message = UniMagMessage.initializingReaderMessage
            let options = uniMag.messageOptions
            guard options.showInitializingReaderMessage, options[message] != nil else { return nil }
            shownAlert = message
            return Told(device: .uniMag, kind: .alertShown(message))
        case .checking:
            if volumePercent < profile.lowestVolumePercent {
                phase = .failed(.volumeTooLow)
            } else {
                phase = .powering(until: now + profile.activationTimeout)
                settle()
            }
        case .detecting(let detection):
            if plant == .tellsConnectedInDetection, detection == .checking, !isPromptRemembered {
                isPromptRemembered = true
                return Told(device: .uniMag, kind: .connected)
            }
            isPromptRemembered = isPromptRemembered && plant == .promptsInDetection
            return continueDetection(detection)
        case .away, .resting, .prompting, .powering, .failed, .activated, .ready, .listening:
            break
        }
        return nil
    }

    /// Whether the SDK powers up what was plugged in without a call of the app.
    var powersUpByItself: Bool {
        uniMag.activateReaderOnAttach
            && (!profile.appPowersUpInsteadOfPrompt
                || uniMag.messageOptions.activateReaderWithoutPromptingUser)
    }

    /// The prompt before a power-up; `nil` when the user is not asked.
    ///
    /// | activateReaderWithoutPromptingUser | the SDK raises the volume | prompt |
    /// | --- | --- | --- |
    /// | yes | either | none |
    /// | no | yes: auto-volume is on, the volume below its maximum | cardReaderActivationPrompt |
    /// | no | no | cardReaderActivationAtMaxVolumePrompt |
    ///
    /// A prompt without a text is not shown, so nobody agrees, and nothing is powered up.
    private var prompt: UniMagMessage? {
        let options = uniMag.messageOptions
        guard !options.activateReaderWithoutPromptingUser else { return nil }
        let raises = uniMag.automaticallySetVolumeToMaxOnActivate && volumePercent < 100
        return raises ? .cardReaderActivationPrompt : .cardReaderActivationAtMaxVolumePrompt
    }

    // MARK: Time

    /// Ends what its time has ended.
    mutating func advance() {
        ear.expire(at: now)
        hear()
        if let deadline = testDeadline, deadline <= now {
            testDeadline = nil
            testResult = false
        }
        guard let deadline = phase.deadline, deadline <= now else { return }
        switch phase {
        case .powering:
            phase = .failed(.timeout)
        case .ready:
            if plant == .holdsRequestsForRecords, ear.hasPartialPacket {
                phase = .ready(until: now + .milliseconds(1_000))
                return
            }
            endRequest(.timedOut)
        case .detecting(let detection):
            expireDetection(detection)
        case .away, .arrived, .resting, .starting, .prompting, .consented, .raised, .checking,
            .failed,
            .activated, .listening:
            break
        }
        settle()
    }

    /// Ends the swipe request: in always mode it is renewed, and nobody is told why it ended.
    mutating func endRequest(_ reason: UnreadyReason) {
        if uniMag.alwaysAcceptSwipe {
            announcement.falls(to: .activated, .refreshing)
            renewalCause = reason
            phase = .ready(until: nil)
            if forgetsRenewal(reason) {
                phase = .activated
                announcement.forgetRenewal()
            }
        } else {
            announcement.falls(to: .activated, reason)
            phase = .activated
        }
    }

    private func forgetsRenewal(_ cause: UnreadyReason) -> Bool {
        switch plant {
        case .forgetsRenewal: cause == .timedOut
        case .forgetsRenewalAfterSwipe: cause == .swipeDone
        case .forgetsRenewalInMidRecord: cause == .timedOut && ear.hasPartialPacket
        default: false
        }
    }

    // MARK: What is heard

    /// Takes bytes; what they say is acted on.
    mutating func received(_ bytes: ArraySlice<UInt8>) {
        guard isPlugged, !isInterrupted, let loaded else { return }
        if isRouteStuck, loaded != profile.stuckLibrary { return }
        ear.append(bytes, of: loaded, expectsAnswer: expectsAnswer, at: now)
        hear()
    }

    private var expectsAnswer: Bool {
        switch phase {
        case .powering, .detecting(.ips), .detecting(.uniMag): true
        case .listening: testDeadline != nil
        case .away, .arrived, .resting, .starting, .prompting, .consented, .raised, .checking,
            .failed,
            .activated, .ready, .detecting:
            false
        }
    }

    private mutating func hear() {
        while let heard = ear.next() {
            switch heard {
            case .answer: answered()
            case .packet(let bytes): take(bytes)
            }
        }
    }

    private mutating func answered() {
        switch phase {
        case .powering:
            phase = uniMag.alwaysAcceptSwipe ? .ready(until: nil) : .activated
        case .listening:
            guard testDeadline != nil else { return }
            testDeadline = nil
            testResult = true
        case .detecting(let detection):
            detectionAnswered(detection)
        case .away, .arrived, .resting, .starting, .prompting, .consented, .raised, .checking,
            .failed,
            .activated, .ready:
            break
        }
    }

    /// Takes a packet; only what comes in a ready period of the present reader is a swipe.
    private mutating func take(_ bytes: [UInt8]) {
        guard announcement.told == .ready || announcement.owesReady else { return }
        guard announcement.device == Self.device(of: readerType) else { return }
        if announcement.fall?.floor == .nothing { return }
        switch announcement.device {
        case .uniMag:
            let card = IDTechRecord.card(fromPacket: bytes, reading: profile.reading)
            if let ksn = card?.ksn ?? (try? IDTechRecord(bytes))?.ksn?.bytes {
                if ksn == lastKSN { return }
                lastKSN = ksn
            }
            add(card.map { .encrypted(EncryptedSwipedCard($0)) })
            if case .ready = phase { endRequest(.swipeDone) }
        case .ips:
            guard let card = IPSPacket.card(fromPacket: bytes, reading: profile.reading),
                card.ksn != lastKSN
            else { return }
            lastKSN = card.ksn
            add(.encrypted(EncryptedSwipedCard(card)))
        case .iDynamo, nil:
            break
        }
    }

    mutating func add(_ card: SwipedCard?) {
        guard swipes.count < Self.waitingSwipeBound else { return }
        swipes.append(card)
    }
}
