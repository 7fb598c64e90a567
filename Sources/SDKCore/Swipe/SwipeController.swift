public import EventLoops
import ReaderProtocols
public import Transports

/// The SDK's controller of swipe readers.
///
/// It performs no I/O and reads no clock. What the transports report goes in with
/// ``input(_:from:connection:at:)``, the app's calls with ``send(_:)``; events come out of
/// ``nextEvent()`` one at a time: the driver delivers what it returns, lets the app react from
/// inside the callback, and asks again. The flags of a reader hold their new value from the moment
/// an event is returned.
///
/// | what happens | events, in order |
/// | --- | --- |
/// | attach (or attached already when the controller is made with a delegate) | connected, activationFinished(success), becameReadyForSwipe |
/// | attached already when the controller is made without a delegate | nothing until the next attach |
/// | attach, protocol string not declared | connected, activationFinished(failure) |
/// | good swipe, unreadable swipe | didSwipeCard(card), didSwipeCard(nil) |
/// | detach | becameUnreadyForSwipe(disconnected), deactivated, disconnected, each only if entered |
/// | detach while a swipe is arriving | as detach; the cut swipe gives no event |
/// | background, foreground | what is left to tell, then nothing; what came meanwhile |
/// | anything without a delegate | nothing; a later delegate is told of the states that have changed, not of swipes |
/// | close | nothing any more |
///
/// Source: SDK document, `PGSwipeController`, `PGSwipeDelegate`, section iDynamo.
public struct SwipeController: Sendable {
    /// How the app stands.
    private enum Wakefulness: Hashable { case awake, fallingAsleep, asleep }

    private(set) var sessions: [IDynamoSession]
    /// The session of the audio jack, or nothing; in an array, so that it costs others no room.
    var jacks: [AudioJackSession] = []
    /// The index of the jack among the readers; its session among the others is not used.
    let jackReader: Int?
    private let plant: Plant?
    /// The object that receives events; `nil` when there is none.
    public private(set) var delegate: SwipeDelegate?
    private(set) var isClosed = false
    private var wakefulness = Wakefulness.awake
    /// Whether there may be something to tell; most packets bring nothing, and
    /// ``nextEvent()`` need not be asked.
    public internal(set) var mayTell = false

    /// Creates a controller; readers are named by their index.
    ///
    /// `audioJack` says how the app sets the SDK up for the jack; without a reader on the path
    /// ``ReaderPath/audioJack`` it is not used.
    public init(
        readers: [SwipeReader],
        delegate: SwipeDelegate?,
        profile: SwipeProfile = SwipeProfile(),
        audioJack: AudioJackOptions = AudioJackOptions(),
        plant: Plant? = nil
    ) {
        self.delegate = delegate
        self.plant = plant
        sessions = readers.map {
            IDynamoSession(
                $0,
                profile: profile,
                missesReaderThatIsThere: delegate == nil && plant != .seesReadersWithoutDelegate,
                plant: plant
            )
        }
        jackReader = readers.firstIndex { $0.path == .audioJack }
        guard let jackReader else { return }
        jacks = [
            AudioJackSession(
                readers[jackReader],
                audioJack,
                profile: profile,
                missesReaderThatIsThere: delegate == nil && plant != .seesReadersWithoutDelegate,
                plant: plant
            )
        ]
        mayTell = true
    }

    /// Creates a controller for readers on these paths, with the usual reading of the document.
    public init(readers: [ReaderPath], hasDelegate: Bool = true) {
        self.init(
            readers: readers.map { SwipeReader(path: $0) },
            delegate: hasDelegate ? .app : nil
        )
    }

    /// The longest pause inside a record on a path; after a longer one the record counts as damaged.
    public static func longestSilence(on path: ReaderPath) -> VirtualDuration {
        switch path {
        case .accessoryStream: IDynamoSession.longestStreamSilence
        case .reports: MagneSafeReportAssembler.longestSilence
        case .idTechReports: IDTechReportAssembler.longestSilence
        case .audioJack: AudioJackProfile().longestSilence
        }
    }

    /// How many readers the controller knows.
    public var readerCount: Int { sessions.count }

    /// Whether the reader is physically attached, as far as the app has been told.
    public func isConnected(_ reader: Int) -> Bool {
        guard reader != jackReader else { return jacks[0].announcement.isConnected }
        return sessions[reader].announcement.isConnected
    }

    /// Whether the reader is initialised, as far as the app has been told.
    public func isActivated(_ reader: Int) -> Bool {
        guard reader != jackReader else { return jacks[0].announcement.isActivated }
        return sessions[reader].announcement.isActivated
    }

    /// Whether a swipe gives a didSwipeCard.
    public func isReadyForSwipe(_ reader: Int) -> Bool {
        guard reader != jackReader else { return jacks[0].announcement.isReadyForSwipe }
        return sessions[reader].announcement.isReadyForSwipe
    }

    /// Whether bytes of readers are read: the controller is not closed and the app not asleep.
    public var isReading: Bool { !isClosed && wakefulness == .awake }

    // MARK: The app

    /// Takes a call of the app; it has its effect from the next event on.
    ///
    /// Times before one that was told already count as that one.
    /// - Returns: What the call was if the document forbids it.
    @discardableResult
    public mutating func send(
        _ call: SwipeCall,
        at now: VirtualInstant = .zero
    ) -> SwipeMisuse? {
        mayTell = true
        switch call {
        case .setDelegate(let delegate):
            setDelegate(delegate)
            return nil
        case .setReaderDelegate(let delegate):
            if plant == .obeysReaderDelegate { setDelegate(delegate) }
            return .delegateOfOneReader
        case .close:
            close()
            return nil
        case .setAudioJackReaderType, .beginAutodetectAudioJackCardReader, .powerUpDevice,
            .powerDown, .requestSwipe, .cancelSwipeRequest, .setSwipeTimeoutDuration,
            .setActivateReaderOnAttach, .setAutomaticallySetVolumeToMaxOnActivate,
            .setAlwaysAcceptSwipe, .setMessageOptions, .setActivateReaderWithoutPromptingUser,
            .setShowInitializingReaderMessage, .setMessage, .answerPrompt,
            .beginTestCommunication, .shutdown:
            guard jackReader != nil, !isClosed else { return nil }
            jacks[0].pass(to: now)
            return jacks[0].send(call)
        }
    }

    /// Tells the controller that the app goes to the background: what is left to tell is told
    /// before it sleeps, and bytes that come from now on are dropped.
    public mutating func enterBackground() {
        guard !isClosed, wakefulness == .awake else { return }
        wakefulness = .fallingAsleep
        mayTell = true
        forgetPartialSwipes()
    }

    /// Tells the controller that the app is in the foreground again.
    public mutating func enterForeground() {
        guard !isClosed, wakefulness != .awake else { return }
        wakefulness = .awake
        mayTell = true
        forgetPartialSwipes()
    }

    private mutating func forgetPartialSwipes() {
        if plant == .readsWhileAsleep { return }
        for reader in sessions.indices { sessions[reader].forgetPartialSwipe() }
        if jackReader != nil { jacks[0].ear.reset() }
    }

    private mutating func setDelegate(_ delegate: SwipeDelegate?) {
        if plant == .tellsNewDelegateAgain, delegate != nil, delegate != self.delegate {
            for reader in sessions.indices { sessions[reader].forgetWhatWasTold() }
        }
        self.delegate = delegate
        forgetUnheardSwipes()
    }

    private mutating func close() {
        guard !isClosed, plant != .tellsAfterClose else { return }
        isClosed = true
        sessions = sessions.map { IDynamoSession($0.reader) }
        if jackReader != nil { jacks[0].close() }
    }

    // MARK: The readers

    /// Takes what a reader's transport reports.
    ///
    /// - Parameters:
    ///   - event: What it reports.
    ///   - reader: The reader's index.
    ///   - connection: The number that the system gave the connection: a notification that names
    ///     another one than the present is late or told twice.
    ///   - now: The present moment.
    public mutating func input(
        _ event: TransportEvent,
        from reader: Int,
        connection: Int = 0,
        at now: VirtualInstant
    ) {
        guard !isClosed else { return }
        if case .received(let unit) = event {
            guard isReading || plant == .readsWhileAsleep else { return }
            if reader == jackReader {
                jacks[0].pass(to: now)
                jacks[0].received(unit.payload)
                mayTell = true
                forgetUnheardSwipes()
            } else if sessions[reader].received(unit, at: now) {
                mayTell = true
                forgetUnheardSwipes()
            }
            return
        }
        mayTell = true
        if reader == jackReader {
            inputPlug(event, connection: connection, at: now)
            return
        }
        switch event {
        case .attached(let attachment):
            sessions[reader].attached(attachment, connection: connection, at: now)
        case .detached:
            sessions[reader].detached(connection: connection)
        case .unusable: sessions[reader].found()
        case .received, .featureFinished: break
        }
        forgetUnheardSwipes()
    }

    /// When the controller wants ``advance(to:)`` though nothing came in: a report that has begun
    /// ends with a silence, and opening a session is tried again.
    public var nextDeadline: VirtualInstant? {
        guard !isClosed, wakefulness != .asleep else { return nil }
        var earliest: VirtualInstant?
        for reader in sessions.indices {
            // Through the span, so that the session is not copied.
            guard let deadline = sessions.span[reader].deadline else { continue }
            earliest = min(earliest ?? deadline, deadline)
        }
        if jackReader != nil, let deadline = jacks[0].deadline {
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    /// Tells the controller that time has passed.
    public mutating func advance(to now: VirtualInstant) {
        guard !isClosed, wakefulness != .asleep else { return }
        mayTell = true
        for reader in sessions.indices { sessions[reader].advance(to: now) }
        if jackReader != nil {
            jacks[0].pass(to: now)
            jacks[0].advance()
        }
        forgetUnheardSwipes()
    }

    /// Returns the next event to deliver, or `nil`.
    ///
    /// It is `nil` when the app knows all there is to know or a command to the audio jack waits;
    /// ``mayTell`` says which. A swipe request counts from `now`; times before one that was told
    /// already count as that one.
    public mutating func nextEvent(at now: VirtualInstant = .zero) -> SwipeEvent? {
        guard mayTell else { return nil }
        guard !isClosed, wakefulness != .asleep || plant == .tellsWhileAsleep else {
            mayTell = hasJackCommand
            return nil
        }
        if delegate != nil {
            for reader in sessions.indices {
                guard let kind = sessions[reader].nextEvent() else { continue }
                return SwipeEvent(
                    reader: plant == .confusesReaders ? 0 : reader,
                    device: usbDevice(of: reader),
                    kind: kind
                )
            }
            if let event = nextJackEvent(at: now) { return event }
        } else if plant == .losesEventsWithoutDelegate {
            for reader in sessions.indices {
                while sessions[reader].nextEvent() != nil {}
            }
        }
        mayTell = hasJackCommand
        if wakefulness == .fallingAsleep, !mayTell { wakefulness = .asleep }
        return nil
    }

    /// The device of a reader that is not at the audio jack: a SecureMag is a Shuttle's sibling.
    func usbDevice(of reader: Int) -> SwipeDevice {
        sessions.span[reader].reader.path == .idTechReports ? .uniMag : .iDynamo
    }

    /// A swipe that nobody listens to is over: it must not surprise a later delegate.
    mutating func forgetUnheardSwipes() {
        guard delegate == nil, plant != .keepsUnheardSwipes else { return }
        for reader in sessions.indices { sessions[reader].forgetSwipes() }
        if jackReader != nil { jacks[0].forgetSwipes() }
    }
}
