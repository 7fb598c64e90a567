import CardCrypto
import EventLoops
import ReaderProtocols
import SDKCore
import Transports

/// A controller with readers that send one block for a swipe, and what its app hears.
struct SwipeDesk {
    var controller: SwipeController
    var now = VirtualInstant.zero

    init(
        _ readers: [SwipeReader] = [SwipeReader(path: .accessoryStream)],
        delegate: SwipeDelegate? = .app,
        profile: SwipeProfile = SwipeProfile()
    ) {
        controller = SwipeController(readers: readers, delegate: delegate, profile: profile)
    }

    /// A desk whose only reader is attached and announced.
    static func ready(profile: SwipeProfile = SwipeProfile()) -> SwipeDesk {
        var desk = SwipeDesk(profile: profile)
        desk.attach()
        _ = desk.events()
        return desk
    }

    mutating func attach(_ reader: Int = 0, connection: Int = 1) {
        controller.input(
            .attached(Attachment()),
            from: reader,
            connection: connection,
            at: now
        )
    }

    mutating func detach(_ reader: Int = 0, connection: Int = 1) {
        controller.input(.detached(.left), from: reader, connection: connection, at: now)
    }

    /// Gives the controller a swipe, or the first bytes of one.
    mutating func swipe(_ reader: Int = 0, counter: UInt32, byteCount: Int? = nil) {
        let bytes = Self.record(counter).streamBlocks()
        receive(bytes[..<(byteCount ?? bytes.count)], reader)
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, _ reader: Int = 0) {
        controller.input(.received(TransportUnit(.bytes, bytes)), from: reader, at: now)
    }

    /// Lets so much time pass, waking the controller when it wants.
    mutating func pass(_ duration: VirtualDuration) {
        let end = now + duration
        while let deadline = controller.nextDeadline, deadline < end {
            now = max(now, deadline) + .nanoseconds(1)
            controller.advance(to: now)
        }
        now = max(now, end)
    }

    /// What the app hears until it knows all there is to know.
    mutating func events() -> [SwipeEvent.Kind] {
        var heard: [SwipeEvent.Kind] = []
        while let event = controller.nextEvent() { heard.append(event.kind) }
        return heard
    }

    /// The readers of the events that the app hears.
    mutating func readers() -> [Int] {
        var heard: [Int] = []
        while let event = controller.nextEvent() { heard.append(event.reader) }
        return heard
    }

    var flags: [Bool] {
        [controller.isConnected(0), controller.isActivated(0), controller.isReadyForSwipe(0)]
    }

    static let attaching: [SwipeEvent.Kind] = [
        .connected, .activationFinished(.success), .becameReadyForSwipe,
    ]
    static let detaching: [SwipeEvent.Kind] = [
        .becameUnreadyForSwipe(.disconnected), .deactivated, .disconnected,
    ]

    static func record(_ counter: UInt32) -> MagneSafeRecord {
        MagneSafeRecord(
            track2: .init(
                status: .read,
                masked: Array(";4111000010001111=25120000000000000?".utf8),
                encrypted: [UInt8](repeating: UInt8(truncatingIfNeeded: counter), count: 40)
            ),
            serial: Array("B000795".utf8),
            ksn: KSN.publishedTestKSN.withCounter(counter)
        )
    }
}

extension [SwipeEvent.Kind] {
    /// How many swipes with a card are among them.
    var cardCount: Int {
        count { if case .didSwipeCard(.some) = $0 { true } else { false } }
    }
}
