import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols
import SDKCore
import Transports

/// How a swipe travels from a reader to the host.
enum WirePath: Hashable, CaseIterable, Sendable {
    case stream
    case packetsOf8
    case packetsOf64
    case wholeReports

    var readerPath: ReaderPath { self == .stream ? .accessoryStream : .reports }

    /// The size of a transfer; 0 for a report in one.
    var packetByteCount: Int {
        switch self {
        case .stream: MagneSafeStreamLayout.blockByteCount
        case .packetsOf8: 8
        case .packetsOf64: 64
        case .wholeReports: MagneSafeReportLayout.byteCount
        }
    }

    var attachment: Attachment {
        switch self {
        case .stream, .wholeReports: Attachment()
        case .packetsOf8: Attachment(maximumPacketByteCount: 8)
        case .packetsOf64: Attachment(maximumPacketByteCount: 64)
        }
    }

    func units(_ record: MagneSafeRecord) -> [TransportUnit] {
        let bytes = self == .stream ? record.streamBlocks() : record.report()
        return stride(from: 0, to: bytes.count, by: packetByteCount).map { start in
            let end = min(start + packetByteCount, bytes.count)
            return TransportUnit(self == .stream ? .bytes : .report(id: 0), bytes[start..<end])
        }
    }
}

/// What a reader of the tests makes of its swipes.
enum Swipe {
    static func ksn(_ counter: UInt32) -> KSN { KSN.publishedTestKSN.withCounter(counter) }

    static func good(
        _ counter: UInt32,
        number: String = "4111000010001111"
    ) -> MagneSafeRecord {
        let track1 = Array("%B\(number)^TEST CARD^25120000000000000?".utf8)
        let track2 = Array(";\(number)=25120000000000000?".utf8)
        return MagneSafeRecord(
            track1: .init(
                status: .read,
                masked: track1,
                encrypted: [UInt8](repeating: UInt8(truncatingIfNeeded: counter), count: 56)
            ),
            track2: .init(
                status: .read,
                masked: track2,
                encrypted: [UInt8](repeating: 0xA5, count: 40)
            ),
            serial: Array("B000795".utf8),
            sessionID: 0x0123_4567_89AB_CDEF,
            ksn: ksn(counter)
        )
    }

    static func unreadable(_ counter: UInt32) -> MagneSafeRecord {
        MagneSafeRecord(track1: .failed, track2: .failed, ksn: ksn(counter))
    }
}

/// A controller, and readers that are attached and swiped at by hand.
struct SwipeWorld {
    let paths: [WirePath]
    var controller: SwipeController
    var now = VirtualInstant.zero

    init(_ paths: WirePath..., hasDelegate: Bool = true) {
        self.paths = paths
        controller = SwipeController(readers: paths.map(\.readerPath), hasDelegate: hasDelegate)
    }

    /// Returns a world whose readers are attached and announced.
    static func ready(_ path: WirePath) -> SwipeWorld {
        var world = SwipeWorld(path)
        world.attach()
        _ = world.events()
        return world
    }

    mutating func attach(_ reader: Int = 0) {
        controller.input(.attached(paths[reader].attachment), from: reader, at: now)
    }

    mutating func detach(_ reader: Int = 0) {
        controller.input(.detached(.left), from: reader, at: now)
    }

    mutating func receive(_ units: some Sequence<TransportUnit>, _ reader: Int = 0) {
        for unit in units {
            now = now + .milliseconds(1)
            controller.input(.received(unit), from: reader, at: now)
        }
    }

    mutating func swipe(_ record: MagneSafeRecord, _ reader: Int = 0) {
        receive(paths[reader].units(record), reader)
    }

    /// Lets so much time pass, waking the controller when it wants.
    mutating func pass(_ duration: VirtualDuration) {
        now = now + duration
        if let deadline = controller.nextDeadline, deadline <= now { controller.advance(to: now) }
    }

    mutating func next() -> Told? { controller.nextEvent().map(Told.init) }

    mutating func events() -> [Told] {
        var told: [Told] = []
        while let event = next() { told.append(event) }
        return told
    }
}

/// An event in a form that is easily compared: a card by the counter of its key.
enum Told: Hashable {
    case connected(Int)
    case activated(Int, ActivationResult)
    case ready(Int)
    case unready(Int, UnreadyReason)
    case deactivated(Int)
    case disconnected(Int)
    case card(Int, UInt32)
    case noCard(Int)
    /// What only the audio jack tells.
    case ofTheJack(Int)

    init(_ event: SwipeEvent) {
        switch event.kind {
        case .connected: self = .connected(event.reader)
        case .activationFinished(let result): self = .activated(event.reader, result)
        case .becameReadyForSwipe: self = .ready(event.reader)
        case .becameUnreadyForSwipe(let reason): self = .unready(event.reader, reason)
        case .deactivated: self = .deactivated(event.reader)
        case .disconnected: self = .disconnected(event.reader)
        case .didSwipeCard(nil), .didSwipeCard(.encrypted): self = .noCard(event.reader)
        case .didSwipeCard(.magnesafe(let card)):
            let ksn = Hexadecimal.decode(card.swipe.ksn[...]).flatMap { KSN($0) }
            self = .card(event.reader, ksn?.counter ?? .max)
        case .promptShown, .alertShown, .alertDismissed, .autodetectStarted, .autodetectComplete,
            .communicationTestCompleted:
            self = .ofTheJack(event.reader)
        }
    }

    static func attaching(_ reader: Int = 0) -> [Told] {
        [.connected(reader), .activated(reader, .success), .ready(reader)]
    }

    static func detaching(_ reader: Int = 0) -> [Told] {
        [.unready(reader, .disconnected), .deactivated(reader), .disconnected(reader)]
    }
}
