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
///
/// | notification | what becomes of it |
/// | --- | --- |
/// | connect with the number of the present connection | nothing: it was told twice |
/// | connect with another number while attached | the present connection is lost, the new one begins |
/// | disconnect with another number | nothing: that connection is over already |
///
/// A session that cannot be opened is tried again three times, 1.5 s apart, before activation
/// fails (assumed; libraries in the field wait between 1.5 s and 9.5 s and try three times).
struct IDynamoSession: Sendable {
    /// How long a message of the stream may pause before it counts as cut (assumed; the reader's
    /// two blocks follow each other within milliseconds).
    static let longestStreamSilence = VirtualDuration.milliseconds(500)
    /// Swipes that wait for their callback are bounded; a reader cannot send them faster.
    static let waitingSwipeBound = 64
    /// The pause before a session that could not be opened is tried again.
    static let openingPause = VirtualDuration.milliseconds(1_500)
    /// How often opening a session is tried after an attach.
    static let openingAttemptBound = 4

    /// A swipe that waits for its callback, with the connection on which it came.
    private struct WaitingSwipe: Sendable {
        var connection: Int
        var card: SwipedCard?
    }

    let reader: SwipeReader
    // Of the profile only what is asked for here, so that a session stays small.
    private let isUnreadyAfterSwipe: Bool
    private let reportsCutSwipes: Bool
    private let plant: Plant?
    private(set) var announcement: IDynamoAnnouncement
    /// The number of the present connection, or of the last one.
    private var connection = 0
    /// The connection of which the app was told.
    private var toldConnection = 0
    private var isAttached = false
    /// Whether the next attach is missed: the reader was there before anybody listened.
    private var missesAttach = false
    /// The connection whose attach was missed; that it is told again changes nothing.
    private var missedConnection: Int?
    private var packetByteCount = 0
    private var openingAttemptCount = 0
    private var openingDeadline: VirtualInstant?
    /// When silence will end a report or message that has begun, or when opening a session is tried
    /// again; stored, since it is asked for with every packet.
    private(set) var deadline: VirtualInstant?
    /// The path's decoder during a session; each in a property of its own, so that it works in
    /// place: taking it out of an enum and back costs more than most packets.
    private var stream: MagneSafeStreamDecoder?
    private var assembler: MagneSafeReportAssembler?
    private var records: IDTechReportAssembler?
    private var swipes: [WaitingSwipe] = []
    private var lastKSN: KSN?
    private var lastUnreadable: MagneSafeRecord?
    private var lastNumber: MaskedCardNumber?
    private var lastStreamPiece = VirtualInstant.zero

    init(
        _ reader: SwipeReader,
        profile: SwipeProfile = SwipeProfile(),
        missesReaderThatIsThere: Bool = false,
        plant: Plant? = nil
    ) {
        self.reader = reader
        isUnreadyAfterSwipe = profile.isUnreadyAfterSwipe
        reportsCutSwipes = profile.reportsCutSwipes
        self.plant = plant
        missesAttach = missesReaderThatIsThere && reader.isAttachedAtInit
        announcement = IDynamoAnnouncement(plant: plant)
    }

    // MARK: What the transport reports

    mutating func attached(_ attachment: Attachment, connection: Int, at now: VirtualInstant) {
        defer { updateDeadline() }
        if isAttached {
            if connection == self.connection, plant != .believesRepeatedConnect { return }
            detached(connection: self.connection)
        }
        self.connection = connection
        if missesAttach {
            missesAttach = false
            missedConnection = connection
            return
        }
        if connection == missedConnection, plant != .believesRepeatedConnect { return }
        isAttached = true
        packetByteCount = attachment.maximumPacketByteCount
        openingAttemptCount = 0
        if reader.isProtocolDeclared {
            openSession(at: now)
        } else {
            announcement.attached(isUsable: false)
        }
    }

    /// The reader is there and cannot be used.
    mutating func found() {
        if isAttached { detached(connection: connection) }
        isAttached = true
        announcement.attached(isUsable: false)
    }

    mutating func detached(connection: Int) {
        missesAttach = false
        missedConnection = nil
        guard isAttached else { return }
        guard connection == self.connection || plant == .believesStaleDisconnect else { return }
        isAttached = false
        if reportsCutSwipes || plant == .reportsCutSwipes, hasPartialSwipe { add(nil) }
        if plant != .keepsBytesAcrossSessions {
            stream = nil
            assembler = nil
            records = nil
        }
        if plant == .losesSwipesAtDetach { forgetSwipes() }
        openingDeadline = nil
        updateDeadline()
        forgetRecords()
        announcement.detached()
    }

    /// Takes a unit; returns whether a swipe waits for its callback.
    mutating func received(_ unit: TransportUnit, at now: VirtualInstant) -> Bool {
        switch reader.path {
        case .accessoryStream:
            stream?.append(unit.payload)
            while let reading = stream?.next() { take(reading) }
            lastStreamPiece = now
        case .reports:
            assembler?.append(unit.payload, at: now)
            while let reading = assembler?.next() { take(reading) }
        case .idTechReports:
            records?.append(unit.payload, at: now)
            while let packet = records?.next() { take(packet) }
        case .audioJack: break
        }
        updateDeadline()
        return !swipes.isEmpty
    }

    // MARK: Time

    private mutating func updateDeadline() { deadline = openingDeadline ?? silenceDeadline }

    private var silenceDeadline: VirtualInstant? {
        if plant == .ignoresSilence { return nil }
        switch reader.path {
        case .accessoryStream:
            guard stream?.hasPartialMessage == true else { return nil }
            return lastStreamPiece + Self.longestStreamSilence
        case .reports:
            return assembler?.deadline
        case .idTechReports:
            return records?.deadline
        case .audioJack:
            return nil
        }
    }

    /// Ends a report or message that has begun if its time has passed, and tries again to open a
    /// session.
    mutating func advance(to now: VirtualInstant) {
        defer { updateDeadline() }
        if let openingDeadline, openingDeadline <= now { openSession(at: now) }
        guard let silenceDeadline, now >= silenceDeadline else { return }
        switch reader.path {
        case .accessoryStream:
            while let reading = stream?.finish() { take(reading) }
        case .reports:
            assembler?.expire(at: now)
            while let reading = assembler?.next() { take(reading) }
        case .idTechReports:
            records?.expire(at: now)
            while let packet = records?.next() { take(packet) }
        case .audioJack: break
        }
    }

    // MARK: Events

    /// Returns the next event to deliver, or `nil`.
    mutating func nextEvent() -> SwipeEvent.Kind? {
        if let swipe = swipes.first, canTell(swipe) {
            swipes.removeFirst()
            // Swipes that arrived in one ready period are told in it (assumed).
            let isLast = swipes.first.map { !canTell($0) } ?? true
            if isLast, isUnreadyAfterSwipe || plant == .renewsAfterSwipe {
                announcement.renewed()
            }
            return .didSwipeCard(swipe.card)
        }
        let event = announcement.nextEvent()
        switch event {
        case .connected:
            toldConnection = connection
        case .disconnected:
            let told = toldConnection
            swipes.removeAll { $0.connection == told }
        default:
            break
        }
        return event
    }

    private func canTell(_ swipe: WaitingSwipe) -> Bool {
        announcement.takesSwipes && swipe.connection == toldConnection
    }

    /// Drops the swipes that wait for their callback.
    mutating func forgetSwipes() { swipes.removeAll(keepingCapacity: true) }

    /// Drops what has begun and is not complete: the bytes that would complete it are lost.
    mutating func forgetPartialSwipe() {
        if hasDecoder { startDecoder() }
        updateDeadline()
    }

    /// Tells everything again from the beginning.
    mutating func forgetWhatWasTold() { announcement.forgetWhatWasTold() }

    // MARK: The session

    private mutating func openSession(at now: VirtualInstant) {
        openingAttemptCount += 1
        if openingAttemptCount > reader.sessionOpenFailureCount {
            openingDeadline = nil
            forgetRecords()
            if plant != .keepsBytesAcrossSessions || !hasDecoder { startDecoder() }
            announcement.attached(isUsable: true)
            return
        }
        let isLast =
            openingAttemptCount >= Self.openingAttemptBound && plant != .retriesForEver
        if isLast || plant == .neverRetries {
            openingDeadline = nil
            announcement.attached(isUsable: false)
        } else {
            openingDeadline = now + Self.openingPause
            announcement.opening()
        }
    }

    private mutating func startDecoder() {
        switch reader.path {
        case .accessoryStream:
            stream = MagneSafeStreamDecoder()
        case .reports:
            assembler = MagneSafeReportAssembler(maximumPacketByteCount: packetByteCount)
        case .idTechReports:
            records = IDTechReportAssembler(maximumPacketByteCount: packetByteCount)
        case .audioJack: break
        }
    }

    private mutating func forgetRecords() {
        lastKSN = nil
        lastUnreadable = nil
        lastNumber = nil
    }

    private var hasPartialSwipe: Bool {
        stream?.hasPartialMessage == true || assembler?.deadline != nil || records?.deadline != nil
    }

    private var hasDecoder: Bool { stream != nil || assembler != nil || records != nil }

    private mutating func add(_ card: SwipedCard?) {
        guard swipes.count < Self.waitingSwipeBound else { return }
        swipes.append(WaitingSwipe(connection: connection, card: card))
    }

    /// Takes what a report of an ID TECH reader holds; it is read as a Shuttle's record is.
    private mutating func take(_ packet: [UInt8]) {
        let card = IDTechRecord.card(fromPacket: packet)
        if card == nil, plant == .dropsUnreadable { return }
        if let ksn = (try? IDTechRecord(packet))?.ksn {
            if ksn == lastKSN, plant != .repeatsARecord { return }
            lastKSN = ksn
        }
        add(card.map { .encrypted(EncryptedSwipedCard($0)) })
    }

    private mutating func take(_ reading: MagneSafeReading) {
        switch reading {
        case .damaged:
            if plant != .dropsDamaged { add(nil) }
        case .record(let record):
            guard let number = record.maskedCardNumber else {
                // Whether a bad swipe has a key of its own is not documented: all of it counts.
                if record != lastUnreadable, plant != .dropsUnreadable { add(nil) }
                lastUnreadable = record
                return
            }
            lastUnreadable = nil
            if let ksn = record.ksn {
                if ksn == lastKSN, plant != .repeatsARecord { return }
                lastKSN = ksn
            }
            if plant == .dropsTheSameCard {
                if number == lastNumber { return }
                lastNumber = number
            }
            let card = MagnesafeSwipedCard(
                maskedCardNumber: number,
                expirationDate: record.expirationDate,
                cardholderName: record.cardholderName ?? SafeText(""),
                swipe: MagneSafeSwipeFields(record)
            )
            add(.magnesafe(card))
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
