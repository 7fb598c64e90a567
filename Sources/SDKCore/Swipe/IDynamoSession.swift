import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols
import Transports

/// One MagTek reader as the SDK sees it, from attach to detach and again.
///
/// What arrived whole while the reader was attached is delivered before the loss is announced; what
/// was cut gives no event, and its bytes never reach a later session. The same record twice in a
/// row (an equal key serial number; for one without a card, equal throughout) is one swipe; a
/// record with a new counter is a new swipe.
struct IDynamoSession: Sendable {
    /// How long a message of the stream may pause before it counts as cut (assumed; the reader's
    /// two blocks follow each other within milliseconds).
    static let longestStreamSilence = VirtualDuration.milliseconds(500)
    /// Swipes that wait for their callback are bounded; a reader cannot send them faster.
    static let waitingSwipeBound = 64

    let path: ReaderPath
    private(set) var announcement = IDynamoAnnouncement()
    /// The path's decoder during a session; each in a property of its own, so that it works in
    /// place: taking it out of an enum and back costs more than most packets.
    private var stream: MagneSafeStreamDecoder?
    private var assembler: MagneSafeReportAssembler?
    private var swipes: [MagnesafeSwipedCard?] = []
    private var lastKSN: KSN?
    private var lastUnreadable: MagneSafeRecord?
    private var lastStreamPiece = VirtualInstant.zero

    init(path: ReaderPath) { self.path = path }

    mutating func attached(_ attachment: Attachment) {
        startSession(packetByteCount: attachment.maximumPacketByteCount)
        announcement.attached(isUsable: true)
    }

    /// The reader is there and cannot be used.
    mutating func found() {
        endDecoding()
        announcement.attached(isUsable: false)
    }

    mutating func detached() {
        endDecoding()
        lastKSN = nil
        lastUnreadable = nil
        announcement.detached()
    }

    mutating func received(_ unit: TransportUnit, at now: VirtualInstant) {
        switch path {
        case .accessoryStream:
            stream?.append(unit.payload)
            while let reading = stream?.next() { take(reading) }
            lastStreamPiece = now
        case .reports:
            assembler?.append(unit.payload, at: now)
            while let reading = assembler?.next() { take(reading) }
        }
    }

    /// When silence will end a report or message that has begun.
    var deadline: VirtualInstant? {
        switch path {
        case .accessoryStream:
            guard stream?.hasPartialMessage == true else { return nil }
            return lastStreamPiece + Self.longestStreamSilence
        case .reports:
            return assembler?.deadline
        }
    }

    /// Ends a report or message that has begun if its time has passed.
    mutating func advance(to now: VirtualInstant) {
        guard let deadline, now >= deadline else { return }
        switch path {
        case .accessoryStream:
            while let reading = stream?.finish() { take(reading) }
        case .reports:
            assembler?.expire(at: now)
            while let reading = assembler?.next() { take(reading) }
        }
    }

    /// Returns the next event to deliver, or `nil`.
    mutating func nextEvent() -> SwipeEvent.Kind? {
        if announcement.isReadyForSwipe, !swipes.isEmpty {
            return .didSwipeCard(swipes.removeFirst())
        }
        let event = announcement.nextEvent()
        if !announcement.isConnected { swipes.removeAll(keepingCapacity: true) }
        return event
    }

    /// Drops the swipes that wait for their callback.
    mutating func forgetSwipes() { swipes.removeAll(keepingCapacity: true) }

    private mutating func startSession(packetByteCount: Int) {
        lastKSN = nil
        lastUnreadable = nil
        switch path {
        case .accessoryStream:
            stream = MagneSafeStreamDecoder()
        case .reports:
            assembler = MagneSafeReportAssembler(maximumPacketByteCount: packetByteCount)
        }
    }

    private mutating func endDecoding() {
        stream = nil
        assembler = nil
    }

    private mutating func take(_ reading: MagneSafeReading) {
        guard swipes.count < Self.waitingSwipeBound else { return }
        switch reading {
        case .damaged:
            swipes.append(nil)
        case .record(let record):
            guard let number = record.maskedCardNumber else {
                // Whether a bad swipe has a key of its own is not documented: all of it counts.
                if record != lastUnreadable { swipes.append(nil) }
                lastUnreadable = record
                return
            }
            lastUnreadable = nil
            if let ksn = record.ksn {
                if ksn == lastKSN { return }
                lastKSN = ksn
            }
            swipes.append(
                MagnesafeSwipedCard(
                    maskedCardNumber: number,
                    expirationDate: record.expirationDate,
                    cardholderName: record.cardholderName ?? SafeText(""),
                    swipe: MagneSafeSwipeFields(record)
                )
            )
        }
    }
}

extension MagneSafeSwipeFields {
    /// The fields of a swipe, as the reader's own ASCII message writes them.
    init(_ record: MagneSafeRecord) {
        var status: [UInt8] = []
        if let value = record.magnePrintStatus?.rawValue {
            Hexadecimal.append(
                [
                    UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
                    UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 24),
                ],
                to: &status
            )
        }
        self.init(
            track1: Self.digits(record.track1.encrypted),
            track2: Self.digits(record.track2.encrypted),
            track3: Self.digits(record.track3.encrypted),
            ksn: record.ksn.map { Self.digits($0.bytes) } ?? [],
            magnePrint: Self.digits(record.magnePrint),
            magnePrintStatus: status
        )
    }

    private static func digits(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        Hexadecimal.append(bytes, to: &text)
        return text
    }
}
