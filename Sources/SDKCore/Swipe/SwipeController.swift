public import EventLoops
import ReaderProtocols
public import Transports

/// What a reader's transport carries.
public enum ReaderPath: Hashable, Sendable {
    /// The accessory connector's byte stream: ASCII messages in 500-byte blocks.
    case accessoryStream
    /// HID reports, in packets or whole.
    case reports
}

/// A call of the app.
public enum SwipeCall: Hashable, Sendable {
    /// Sets the delegate, or takes it away.
    case setDelegate(isPresent: Bool)
    /// Ends the controller; nothing is delivered after it.
    case close
}

/// The SDK's controller of swipe readers.
///
/// It performs no I/O and reads no clock. What the transports report goes in with
/// ``input(_:from:at:)``, the app's calls with ``send(_:)``; events come out of ``nextEvent()`` one
/// at a time: the driver delivers what it returns, lets the app react from inside the callback, and
/// asks again. The flags of a reader hold their new value from the moment an event is returned.
///
/// | what happens | events, in order |
/// | --- | --- |
/// | attach (or attached already when the controller is made with a delegate) | connected, activationFinished(success), becameReadyForSwipe |
/// | good swipe, unreadable swipe | didSwipeCard(card), didSwipeCard(nil) |
/// | detach | becameUnreadyForSwipe(disconnected), deactivated, disconnected, each only if entered |
/// | detach while a swipe is arriving | as detach; the cut swipe gives no event |
/// | anything without a delegate | nothing; a later delegate is told of the states that have changed, not of swipes |
///
/// Source: SDK document, `PGSwipeController`, `PGSwipeDelegate`, section iDynamo.
public struct SwipeController: Sendable {
    private var sessions: [IDynamoSession] = []
    private var hasDelegate: Bool
    private var isClosed = false

    /// Creates a controller for readers on these paths; readers are named by their index.
    public init(readers: [ReaderPath], hasDelegate: Bool = true) {
        self.hasDelegate = hasDelegate
        sessions = readers.map { IDynamoSession(path: $0) }
    }

    /// The longest pause inside a record on a path; after a longer one the record counts as damaged.
    public static func longestSilence(on path: ReaderPath) -> VirtualDuration {
        switch path {
        case .accessoryStream: IDynamoSession.longestStreamSilence
        case .reports: MagneSafeReportAssembler.longestSilence
        }
    }

    /// How many readers the controller knows.
    public var readerCount: Int { sessions.count }

    /// Whether the reader is physically attached, as far as the app has been told.
    public func isConnected(_ reader: Int) -> Bool { sessions[reader].announcement.isConnected }

    /// Whether the reader is initialised, as far as the app has been told.
    public func isActivated(_ reader: Int) -> Bool { sessions[reader].announcement.isActivated }

    /// Whether a swipe gives a didSwipeCard.
    public func isReadyForSwipe(_ reader: Int) -> Bool {
        sessions[reader].announcement.isReadyForSwipe
    }

    /// Takes a call of the app; it has its effect from the next event on.
    public mutating func send(_ call: SwipeCall) {
        switch call {
        case .setDelegate(let isPresent):
            hasDelegate = isPresent
            forgetUnheardSwipes()
        case .close: isClosed = true
        }
    }

    /// Takes what a reader's transport reports.
    public mutating func input(_ event: TransportEvent, from reader: Int, at now: VirtualInstant) {
        guard !isClosed else { return }
        switch event {
        case .attached(let attachment): sessions[reader].attached(attachment)
        case .detached: sessions[reader].detached()
        case .received(let unit): sessions[reader].received(unit, at: now)
        case .unusable: sessions[reader].found()
        case .featureFinished: break
        }
        forgetUnheardSwipes()
    }

    /// When the controller wants ``advance(to:)`` though nothing came in: a report that has begun
    /// ends with a silence.
    public var nextDeadline: VirtualInstant? {
        guard !isClosed else { return nil }
        var earliest: VirtualInstant?
        for reader in sessions.indices {
            guard let deadline = sessions[reader].deadline else { continue }
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    /// Tells the controller that time has passed.
    public mutating func advance(to now: VirtualInstant) {
        guard !isClosed else { return }
        for reader in sessions.indices { sessions[reader].advance(to: now) }
        forgetUnheardSwipes()
    }

    /// Returns the next event to deliver, or `nil` when the app knows all there is to know.
    public mutating func nextEvent() -> SwipeEvent? {
        guard !isClosed, hasDelegate else { return nil }
        for reader in sessions.indices {
            if let kind = sessions[reader].nextEvent() {
                return SwipeEvent(reader: reader, kind: kind)
            }
        }
        return nil
    }

    /// A swipe that nobody listens to is over: it must not surprise a later delegate.
    private mutating func forgetUnheardSwipes() {
        guard !hasDelegate else { return }
        for reader in sessions.indices { sessions[reader].forgetSwipes() }
    }
}
