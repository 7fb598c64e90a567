import EventLoops
import ReaderProtocols
import Transports

/// The audio jack as the SDK sees it: which library is loaded, what is plugged in, what the reader
/// is doing, and what the app was told of it.
///
/// Nothing is decided before the app has heard what came before: ``nextEvent(at:)`` takes one step
/// at a time, and what a callback changes counts for the next. Without a delegate the session rests
/// at its next event. While a command waits it takes no step, so that the answer of the host, above
/// all the volume, is known before the next.
///
/// | invariant | held by |
/// | --- | --- |
/// | a library is unloaded before another is loaded | ``settle()`` |
/// | the power tone ends with the phase that needs it | ``settle()`` |
/// | no power tone but after consent in the same power-up | the phases: starting or prompting, then consented |
/// | a swipe is told in the ready period in which it came | ``nextEvent(at:)``: swipes go first |
///
/// Source: SDK document, sections IDTECH Shuttle and IPS, `PGSwipeUniMag`, `PGSwipeIps`.
struct AudioJackSession: Hashable, Sendable {
    /// Swipes that wait for their callback are bounded.
    static let waitingSwipeBound = 64

    let profile: AudioJackProfile
    let reportsCutSwipes: Bool
    let plant: Plant?
    var now = VirtualInstant.zero

    // What the app chose.
    var uniMag: UniMagOptions
    var readerType: AudioJackReaderType
    /// Whether the app has requested a swipe since the activation.
    var hasAppRequested = false
    /// What the renewal that is being told hides: the time limit or a swipe.
    var renewalCause = UnreadyReason.timedOut

    // What the host told.
    var volumePercent: Int
    var isPlugged = false
    var connection = 0
    var isInterrupted = false
    /// Whether the next attach is missed: it was there before anybody listened.
    var missesAttach: Bool

    // What is the case.
    var phase = JackPhase.away
    var announcement = JackAnnouncement()
    var ear: JackEar
    var commands: [JackCommand] = []
    var loaded: AudioLibrary?
    var isToneOn = false
    /// Whether the stuck library has had the audio route.
    var isRouteStuck = false
    /// Whether a Shuttle that other audio deactivated powers up when the route is back.
    var powersUpOnResume = false
    var detectionCount = 0
    /// The type to which an autodetection that finds nothing goes back.
    var typeBefore = AudioJackReaderType.none
    /// Whether the present detection hears no answer.
    var isDetectionDeaf = false
    /// Whether what is plugged in is another object than the one under detection.
    var isPlugNew = false

    // What is left to tell beside the states.
    var swipes: [SwipedCard?] = []
    var lastKSN: [UInt8]?
    var shownAlert: UniMagMessage?
    var waitingAlert: UniMagMessage?
    var testDeadline: VirtualInstant?
    var testResult: Bool?
    /// A planted mistake: a prompt counts as shown or answered.
    var isPromptRemembered = false

    init(
        _ reader: SwipeReader,
        _ options: AudioJackOptions,
        profile: SwipeProfile,
        missesReaderThatIsThere: Bool,
        plant: Plant?
    ) {
        self.profile = profile.audioJack
        reportsCutSwipes = profile.reportsCutSwipes
        self.plant = plant
        uniMag = options.uniMag
        readerType = options.readerType
        volumePercent = options.volumePercent
        missesAttach = missesReaderThatIsThere && reader.isAttachedAtInit
        ear = JackEar(profile.audioJack)
        settle()
    }

    // MARK: What it is now

    /// The device that is served, or, while the app is still told of another, that one.
    var device: SwipeDevice? {
        announcement.isConnected ? announcement.device : Self.device(of: readerType)
    }

    static func device(of type: AudioJackReaderType) -> SwipeDevice? {
        switch type {
        case .uniMag: .uniMag
        case .ips: .ips
        case .none, .autodetectOnConnect: nil
        }
    }

    var isDetecting: Bool { if case .detecting = phase { true } else { false } }

    var openPrompt: UniMagMessage? {
        if case .prompting(let prompt) = phase { prompt } else { nil }
    }

    /// Whether nothing but the time limit of a request that renews itself is waited for.
    var awaitsOnlyRenewal: Bool {
        guard case .ready(.some) = phase, uniMag.alwaysAcceptSwipe else { return false }
        return ear.deadline == nil && testDeadline == nil
    }

    /// When ``advance(to:)`` is due.
    var deadline: VirtualInstant? {
        var earliest = phase.deadline
        if let deadline = ear.deadline { earliest = min(earliest ?? deadline, deadline) }
        if let deadline = testDeadline { earliest = min(earliest ?? deadline, deadline) }
        return earliest
    }

    mutating func pass(to now: VirtualInstant) { self.now = max(self.now, now) }

    // MARK: The plug

    mutating func attached(connection: Int) {
        if isPlugged {
            if connection == self.connection { return }
            detached(connection: self.connection)
        }
        self.connection = connection
        if missesAttach {
            missesAttach = false
            return
        }
        isPlugged = true
        if isDetecting { isPlugNew = true } else { arrive() }
        settle()
    }

    mutating func detached(connection: Int) {
        missesAttach = false
        guard isPlugged, connection == self.connection else { return }
        isPlugged = false
        if reportsCutSwipes, ear.hasPartialPacket, case .ready = phase { add(nil) }
        forgetSession()
        if plant == .remembersWithdrawnPrompts, openPrompt != nil { isPromptRemembered = true }
        if isDetecting {
            failDetection()
        } else {
            announcement.falls(to: .nothing, .disconnected)
            phase = .away
        }
        settle()
    }

    /// Begins what the present type does with what is plugged in.
    mutating func arrive() {
        phase =
            switch readerType {
            case .none: .away
            case .uniMag: .arrived
            case .ips: .listening
            case .autodetectOnConnect: .detecting(.opening)
            }
        if isDetecting { beginDetection() }
    }

    /// Forgets what belongs to the object that was plugged in.
    mutating func forgetSession() {
        ear.reset()
        lastKSN = nil
        hasAppRequested = false
        powersUpOnResume = false
        waitingAlert = nil
        announcement.owesNothing()
        withdraw(.communicationTest)
        if testDeadline != nil {
            testDeadline = nil
            testResult = false
        }
    }

    // MARK: The host

    mutating func notice(_ notice: JackNotice) {
        switch notice {
        case .volumeChanged(let percent):
            volumePercent = max(0, min(percent, 100))
        case .interrupted:
            guard !isInterrupted else { return }
            isInterrupted = true
            isToneOn = false
            for tone in JackTone.allCases { withdraw(tone) }
            ear.reset()
            guard profile.interruption == .deactivates else { return }
            switch phase {
            case .activated, .ready:
                fallInactive(.canceled)
                phase = .resting
                powersUpOnResume = true
            case .away, .arrived, .resting, .starting, .prompting, .consented, .raised, .checking,
                .powering, .failed, .listening, .detecting:
                break
            }
        case .resumed:
            guard isInterrupted else { return }
            isInterrupted = false
            if powersUpOnResume, phase == .resting, uniMag.activateReaderOnAttach {
                phase = plant == .resumesWithoutAsking ? .consented : .starting
            }
            powersUpOnResume = false
            settle()
        }
    }

    /// Tells an activated reader down to connected.
    mutating func fallInactive(_ reason: UnreadyReason, isToldAgain: Bool = false) {
        announcement.falls(to: .connected, reason, isToldAgain: isToldAgain)
        hasAppRequested = false
    }

    /// Forgets swipes that nobody listens to.
    mutating func forgetSwipes() { swipes.removeAll(keepingCapacity: true) }

    // MARK: The end

    /// Ends everything; commands that take the jack back are left to carry out.
    mutating func close() {
        phase = .away
        readerType = .none
        isPlugged = false
        announcement = JackAnnouncement()
        swipes = []
        shownAlert = nil
        forgetSession()
        testResult = nil
        settle()
    }

    // MARK: Commands

    /// Brings the power tone and the library to what the phase and the type need.
    mutating func settle() {
        if isToneOn, !phase.needsPowerTone {
            isToneOn = false
            if !withdraw(.power) { commands.append(.stopTone(.power)) }
        }
        let wanted = wantedLibrary
        if loaded != wanted {
            if let wanted, plant == .loadsBeforeUnloading { commands.append(.load(wanted)) }
            if let loaded, !keepsLibrary { commands.append(.unload(loaded)) }
            if let wanted, plant != .loadsBeforeUnloading { commands.append(.load(wanted)) }
            loaded = wanted
            ear.reset()
        }
        if let stuck = profile.stuckLibrary, loaded == stuck { isRouteStuck = true }
        if phase.needsPowerTone, !isToneOn, !isInterrupted { startPowerTone() }
    }

    /// Whether a planted mistake leaves a library loaded.
    private var keepsLibrary: Bool {
        switch plant {
        case .keepsLibrariesInDetection: isDetecting
        case .keepsLibraryOfOldType: !isDetecting
        default: false
        }
    }

    /// Takes back a tone that waits to begin; returns whether one did.
    @discardableResult
    private mutating func withdraw(_ tone: JackTone) -> Bool {
        guard let index = commands.firstIndex(of: .startTone(tone)) else { return false }
        commands.remove(at: index)
        return true
    }

    private mutating func startPowerTone() {
        isToneOn = true
        commands.append(.startTone(.power))
    }

    private var wantedLibrary: AudioLibrary? {
        switch phase {
        case .detecting(.ips), .detecting(.done(.ips)): .ips
        case .detecting(.checking), .detecting(.uniMag), .detecting(.done(.uniMag)): .uniMag
        case .detecting(.opening), .detecting(.enterprise), .detecting(.done(.fail)): nil
        case .away, .arrived, .resting, .starting, .prompting, .consented, .raised, .checking,
            .powering,
            .failed, .activated, .ready, .listening:
            switch readerType {
            case .uniMag: .uniMag
            case .ips: .ips
            case .none, .autodetectOnConnect: nil
            }
        }
    }
}
