import CardData
import EventLoops
public import Journal
public import SDKCore
import SimulatedReaders
public import Transports

/// What the app does with the SDK, and what becomes of the app.
///
/// | act | records and events, in order |
/// | --- | --- |
/// | call | delegateSet, controllerClosed or misuse, when it takes effect |
/// | close | controllerClosed; the readers' transports are closed |
/// | background | appSentToBackground; accessories are lost as by a detach, then the app sleeps |
/// | foreground | appBroughtToForeground; accessories that are there are announced |
/// | kill | appKilled; no event, the transports are closed; what was sent to the gateway arrives |
/// | launch | appLaunched; readers that are there are announced, unless there is no delegate |
///
/// With a profile that is silent in the background, accessories are not lost: the app is told on its
/// return. Bytes that come while it sleeps are dropped in any case.
extension Rig {
    /// Whether the app runs, in the background or not.
    public var isAppAlive: Bool { app.isAlive }
    /// Whether the app is in the background.
    public var isAppInBackground: Bool { app.isInBackground }
    /// The event from inside whose callback the app may act now; `nil` outside of one.
    public var callback: RecordName? { app.callback?.name }

    /// Calls a method of the SDK.
    ///
    /// From inside a callback it has its effect after the callback, in the order made.
    /// - Parameters:
    ///   - call: The method.
    ///   - reader: The reader on which it is called; `nil` for the controller. A delegate set on
    ///     one reader is a misuse.
    public mutating func call(_ call: SwipeCall, reader: Int? = nil) {
        perform(.call(call, reader: reader))
    }

    /// Sends the app to the background, after the callback that runs.
    public mutating func sendToBackground() { perform(.background) }

    /// Brings the app to the foreground, after the callback that runs.
    public mutating func bringToForeground() { perform(.foreground) }

    /// Kills the app at once: its SDK objects and what it had in memory are gone.
    ///
    /// The ids that it saved, the readers and the gateway are as before.
    public mutating func killApp() {
        touched = .everything
        guard isAppAlive else { return }
        journal.write(.appKilled, at: now)
        app.isAlive = false
        app.isInBackground = false
        app.callback = nil
        app.waitingActs = []
        for reader in stations.indices { stations[reader].lateDisconnect = nil }
        closeLinks { !$0.isPaymentReader }
        losePaymentClient()
        loseStore()
        loseProvider()
        endAppAtJack()
        if let timer = sdkTimer { loop.cancel(timer.id) }
        sdkTimer = nil
    }

    /// Launches the app, which makes a new controller; one that runs comes to the foreground.
    public mutating func launchApp() {
        touched = .everything
        guard !isAppAlive else { return bringToForeground() }
        app.isAlive = true
        var attached = stations.map { $0.isPluggedIn && !$0.isPaymentReader }
        if let jack { attached[jack.reader] = jack.world.plugged != nil }
        controller = app.makeController(
            attached: attached,
            volumePercent: jack?.world.volumePercent
        )
        journal.write(
            .appLaunched,
            at: now,
            Attribute(.delegate, .symbol(Symbol(app.delegateAtLaunch)))
        )
        callAtLaunch()
        openLinks { !$0.isPaymentReader }
        deliverSwipeEvents()
        makeProvider()
        restartTerminalClient()
        recoverAtLaunch()
    }

    /// Returns a reader's properties as the app reads them now; all false when it has none.
    public func flags(of reader: Int) -> ReaderFlags {
        let sdkReader = stations[reader].sdkReader
        let isMeant =
            jack.map { jack in
                sdkReader != jack.reader
                    || jack.reader(as: controller.device(of: sdkReader)) == reader
            } ?? true
        guard isAppAlive, isMeant else {
            return ReaderFlags(isConnected: false, isActivated: false, isReadyForSwipe: false)
        }
        return ReaderFlags(
            isConnected: controller.isConnected(sdkReader),
            isActivated: controller.isActivated(sdkReader),
            isReadyForSwipe: controller.isReadyForSwipe(sdkReader)
        )
    }

    // MARK: Links

    /// Adds a fault of a reader's link; its address counts from the beginning of the run.
    ///
    /// - Returns: Whether the link can be disturbed; that of an audio jack cannot.
    @discardableResult
    public mutating func inject(_ fault: LinkFault, reader: Int) -> Bool {
        guard stations[reader].makeDisturbable() else { return false }
        stations[reader].inject(fault)
        return true
    }

    /// Changes the delays of a reader's link for what arrives from now on.
    ///
    /// - Returns: Whether the link can be disturbed: only those of simulated readers can.
    @discardableResult
    public mutating func setLinkTiming(_ timing: LinkTiming, reader: Int) -> Bool {
        guard !stations[reader].isLive, stations[reader].makeDisturbable() else { return false }
        stations[reader].faulty?.setTiming(timing)
        watchLink(reader)
        return true
    }

    /// How many units and bytes came through a simulated reader's link since the run began; add
    /// them to an address that counts from here.
    public func linkPosition(of reader: Int) -> (unitCount: Int, byteCount: Int) {
        stations[reader].position
    }

    private mutating func closeLinks(where isMeant: (ReaderStation) -> Bool) {
        for reader in stations.indices where isMeant(stations[reader]) {
            stations[reader].close(at: now)
            takeFromLink(reader)
        }
    }

    private mutating func openLinks(where isMeant: (ReaderStation) -> Bool) {
        for reader in stations.indices where isMeant(stations[reader]) {
            stations[reader].open(at: now)
            takeFromLink(reader)
        }
    }

    // MARK: Callbacks

    /// Ends the callback that runs and returns whether one ran.
    ///
    /// What was done inside has its effect now, then the next event is delivered. ``advance()`` and ``takeDue()`` do this first.
    @discardableResult
    public mutating func returnFromCallback() -> Bool {
        guard app.isInCallback, let callback = app.callback else { return false }
        app.callback = nil
        let acts = app.waitingActs
        app.waitingActs = []
        for (act, step) in acts {
            journal.step = step
            carryOut(act)
        }
        journal.step = callback.step
        deliverSwipeEvents()
        if agentcash != nil { carryOutProvider() }
        pollTransports()
        return true
    }

    /// Calls what the app calls right after it made a controller, before anything is told.
    mutating func callAtLaunch() {
        for call in app.callsAtLaunch { carryOut(call, reader: nil) }
    }

    /// Answers a prompt that was just shown, unless it waits for a hand.
    mutating func answerAsSet() {
        switch app.prompts {
        case .accept: perform(.answer(true, isSetting: true))
        case .refuse: perform(.answer(false, isSetting: true))
        case .ask: break
        }
    }

    mutating func perform(_ act: RigApp.Act) {
        touched = .everything
        guard isAppAlive else { return }
        guard app.callback == nil else {
            app.waitingActs.append((act, journal.step))
            return
        }
        carryOut(act)
        deliverSwipeEvents()
    }

    private mutating func carryOut(_ act: RigApp.Act) {
        switch act {
        case .call(let call, let reader): carryOut(call, reader: reader)
        case .answer(let isAccepted, let isSetting): carryOut(answer: isAccepted, isSetting)
        case .pay(let call): carryOut(call)
        case .background: enterBackground()
        case .foreground: enterForeground()
        }
    }

    private mutating func carryOut(answer isAccepted: Bool, _ isSetting: Bool) {
        guard let prompt = controller.openPrompt else { return }
        journal.write(
            .promptAnswered,
            at: now,
            Attribute(.text, .symbol(Symbol(prompt))),
            Attribute(.answer, .symbol(isAccepted ? .yes : .no)),
            Attribute(.by, .symbol(isSetting ? .setting : .user))
        )
        controller.send(.answerPrompt(isAccepted), at: now)
    }

    private mutating func carryOut(_ call: SwipeCall, reader: Int?) {
        var call = call
        if case .setDelegate(let delegate) = call, reader != nil {
            call = .setReaderDelegate(delegate)
        }
        switch call {
        case .setDelegate(let delegate):
            journal.write(
                .delegateSet,
                at: now,
                Attribute(.delegate, .symbol(Symbol(delegate)))
            )
        case .close:
            journal.write(.controllerClosed, at: now)
        case .setReaderDelegate, .answerPrompt:
            break
        case .setAudioJackReaderType, .beginAutodetectAudioJackCardReader, .powerUpDevice,
            .powerDown, .requestSwipe, .cancelSwipeRequest, .setSwipeTimeoutDuration,
            .setActivateReaderOnAttach, .setAutomaticallySetVolumeToMaxOnActivate,
            .setAlwaysAcceptSwipe, .setMessageOptions, .setActivateReaderWithoutPromptingUser,
            .setShowInitializingReaderMessage, .setMessage, .beginTestCommunication, .shutdown:
            noteCall(call)
        }
        if let misuse = controller.send(call, at: now) {
            journal.begin(.misuse, at: now)
            if let reader { journal.add(.reader, .reader(reader)) }
            if let method = call.symbol { journal.add(.method, .symbol(method)) }
            journal.add(.text, .text(SafeText(scrubbing: "\(misuse.text)")))
            journal.end()
        }
        if jack != nil { app.save(call, of: controller) }
        if call == .close { closeLinks { !$0.isPaymentReader } }
    }

    private mutating func enterBackground() {
        guard !app.isInBackground else { return }
        app.isInBackground = true
        journal.write(.appSentToBackground, at: now)
        if !app.profile.isSilentInBackground { closeLinks(where: \.isAccessory) }
        damagePartialArrivals()
        controller.enterBackground()
    }

    private mutating func enterForeground() {
        guard app.isInBackground else { return }
        app.isInBackground = false
        journal.write(.appBroughtToForeground, at: now)
        controller.enterForeground()
        damagePartialArrivals()
        if !app.profile.isSilentInBackground { openLinks(where: \.isAccessory) }
    }
}
