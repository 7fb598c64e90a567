public import CardCrypto
public import CardData
public import EventLoops
import ReaderProtocols
public import Transports

/// A MagTek swipe reader as seen from its transport.
///
/// It sends nothing until a swipe or a command, and for each swipe exactly one report or message,
/// whether the card could be read or not; at security level 4 nothing unless an authentication
/// preceded it. Every swipe, a bad one too, uses one key (the session id is encrypted under it even
/// when no track is; assumed). With its keys or its encryption counter used up it answers a swipe
/// with a message without tracks and the status bit that says so.
/// Source: MagneSafe V5 Communication Reference Manual 99875475; iDynamo manual 99875483; USB HID
/// SureSwipe manual 99875191.
public struct SimulatedMagneSafeReader: Hashable, Sendable {
    /// How the reader was made.
    public var configuration: MagneSafeReaderConfiguration { make.value }
    /// The key serial number of the last swipe or command, or the initial one.
    public internal(set) var ksn: KSN
    /// Whether all keys are used up.
    public internal(set) var hasExhaustedKeys = false
    /// How far the reader is locked.
    public internal(set) var securityLevel: MagneSafeSecurityLevel
    /// How many encryptions are left; `nil` when they are not counted.
    public internal(set) var encryptionCounter: UInt32?

    let make: Shared<MagneSafeReaderConfiguration>
    private var sharedSettings: Shared<MagneSafeSettings>
    private var sharedState: Shared<CommandState>
    /// The session id, big-endian; 0 for a reader to which no host gave one.
    var sessionID: UInt64 = 0
    var authentication = MagneSafeAuthentication()

    /// What the properties amount to since the last reset.
    var settings: MagneSafeSettings { sharedSettings.value }

    /// What commands leave behind.
    var state: CommandState {
        get { sharedState.value }
        set { sharedState = Shared(newValue) }
    }

    /// What commands leave behind.
    struct CommandState: Hashable {
        /// Properties as they are stored; they hold from the next reset on.
        var properties: [MagneSafePropertyValue] = []
        var hasNewProperties = false
        var keymap: [KeymapItem] = []
        var savedKeymap: [KeymapItem] = []
        /// The feature report that GET_REPORT returns; empty before the first command.
        var answer: [UInt8] = []
        /// A command line that has begun on a stream.
        var line: [UInt8] = []
        var isLineTooLong = false
        var challengeCount: UInt64 = 0
    }

    private static let untouched = Shared(CommandState())

    /// A changed key of the keyboard.
    struct KeymapItem: Hashable {
        var character: UInt8
        var stroke: KeyStroke
    }

    /// Creates a reader that has just been made and powered.
    public init(_ configuration: MagneSafeReaderConfiguration) {
        make = Shared(configuration)
        ksn = configuration.initialKSN
        securityLevel = configuration.securityLevel
        encryptionCounter = configuration.encryptionCounter
        if configuration.properties.isEmpty {
            sharedState = Self.untouched
            sharedSettings = Shared(MagneSafeSettings(configuration))
        } else {
            sharedState = Shared(CommandState(properties: configuration.properties))
            sharedSettings = Shared(MagneSafeSettings(configuration, configuration.properties))
        }
    }

    /// Whether fields are encrypted.
    var isEncrypting: Bool { configuration.hasKeys && securityLevel > .two }

    /// Whether it reports as a SureSwipe reader does, by nature or by property 0x38.
    var isSureSwipeReport: Bool {
        configuration.model.isSureSwipe
            || (settings.interface == .report && securityLevel == .two
                && settings.sendsSureSwipeReport)
    }

    /// What a host learns when the reader is attached, as its properties are since the last reset.
    public var attachment: Attachment {
        let productID: UInt16
        switch settings.interface {
        case .stream: return Attachment()
        case .keyboard: productID = 0x0001
        case .report: productID = isSureSwipeReport ? 0x0002 : 0x0011
        }
        return Attachment(
            maximumPacketByteCount: settings.packetByteCount,
            vendorID: 0x0801,
            productID: productID
        )
    }

    /// The HID report descriptor, as its properties are since the last reset; empty for a stream.
    public var reportDescriptor: [UInt8] {
        switch settings.interface {
        case .stream: []
        case .keyboard:
            KeyboardReports.reportDescriptor(
                featureByteCount: UInt8(clamping: configuration.featureByteCount)
            )
        case .report:
            isSureSwipeReport
                ? MagneSafeReportLayout.sureSwipe.reportDescriptor
                : (MagneSafeReportLayout.ofReports(byteCount: configuration.reportByteCount)
                    ?? .v5).reportDescriptor
        }
    }

    /// The length of its feature reports, in bytes.
    public var featureByteCount: Int {
        isSureSwipeReport
            ? MagneSafeReportLayout.sureSwipe.featureByteCount : configuration.featureByteCount
    }

    /// Starts the reader after its power was gone: settings take effect, the session id is lost.
    public mutating func powerUp() {
        sessionID = 0
        authentication.powerUp()
        guard sharedState !== Self.untouched else { return }
        var state = state
        if state.hasNewProperties {
            sharedSettings = Shared(MagneSafeSettings(configuration, state.properties))
            state.hasNewProperties = false
        }
        state.keymap = state.savedKeymap
        state.answer = []
        state.line = []
        state.isLineTooLong = false
        self.state = state
    }

    /// Reads a card and returns what the reader puts on its transport, in order.
    ///
    /// The units share one buffer. Blocks of an iDynamo are `.bytes`, packets of a Dynamag and
    /// reports of a keyboard `.report(id: 0)`. Nothing comes from a reader at level 4 that is not
    /// authenticated.
    /// - Parameters:
    ///   - card: What goes through the head.
    ///   - quality: How.
    ///   - cache: Keys and texts of earlier swipes.
    ///   - now: The time, which only the authenticated mode looks at.
    /// - Returns: The units with their times after the swipe.
    public mutating func swipe(
        card: TestCard,
        quality: SwipeQuality,
        cache: CryptoCache,
        at now: VirtualInstant = .zero
    ) -> [ReaderTransmission] {
        let sight = quality.sight(of: card, cache: cache)
        if securityLevel == .four {
            advance(to: now)
            guard authentication.swiped(isGood: !sight.isUnread) else { return [] }
        } else {
            authentication.noteSwipe(isGood: !sight.isUnread)
        }
        return transmissions(
            of: record(sight, cache: cache),
            cache: cache
        )
    }

    /// Lets the time of the authenticated mode pass.
    mutating func advance(to now: VirtualInstant) {
        if authentication.advance(to: now) { advanceKSN() }
    }

    func transmissions(of record: MagneSafeRecord, cache: CryptoCache) -> [ReaderTransmission] {
        let settings = settings
        let configuration = configuration
        let size: Int
        let buffer: [UInt8]
        let kind: TransportUnit.Kind
        var offset: VirtualDuration
        let interval: VirtualDuration
        switch settings.interface {
        case .stream:
            buffer = record.streamBlocks(
                format: settings.format,
                terminator: configuration.terminatorPlacement,
                encryptingCRC: encryptionOfCRC(of: record, cache)
            )
            size = MagneSafeStreamLayout.blockByteCount
            kind = .bytes
            offset = configuration.firstBlockDelay
            interval = configuration.blockInterval
        case .report:
            buffer = record.report(
                byteCount: isSureSwipeReport
                    ? MagneSafeReportLayout.sureSwipeByteCount : configuration.reportByteCount
            )
            size = settings.packetByteCount
            kind = .report(id: 0)
            offset = settings.pollInterval
            interval = settings.pollInterval
        case .keyboard:
            let keymap = state.keymap
            buffer = KeyboardReports.reports(
                typing: text(of: record, cache),
                settings.keyConversion,
                keymap: { character in
                    keymap.first { $0.character == character }?.stroke
                        ?? KeyboardReports.stroke(for: character)
                }
            )
            size = KeyboardReports.byteCount
            kind = .report(id: 0)
            offset = settings.pollInterval
            interval = settings.pollInterval
        }
        var transmissions: [ReaderTransmission] = []
        transmissions.reserveCapacity((buffer.count + size - 1) / size)
        var start = 0
        while start < buffer.count {
            let end = min(start + size, buffer.count)
            let unit = TransportUnit(kind, buffer[start..<end])
            transmissions.append(ReaderTransmission(offset: offset, unit: unit))
            offset = offset + interval
            start = end
        }
        return transmissions
    }

    /// What a keyboard types: SureSwipe text at level 2 unless property 0x1A says otherwise.
    private func text(of record: MagneSafeRecord, _ cache: CryptoCache) -> [UInt8] {
        if securityLevel == .two, settings.sendsSureSwipeText {
            return SureSwipeText(record).unmaskedText()
        }
        return record.streamMessage(
            format: settings.format,
            encryptingCRC: encryptionOfCRC(of: record, cache)
        )
    }

    private func encryptionOfCRC(
        of record: MagneSafeRecord,
        _ cache: CryptoCache
    ) -> (([UInt8]) -> [UInt8])? {
        guard settings.format.sendsEncryptedCRC, isEncrypting, let ksn = record.ksn else {
            return nil
        }
        let key = cache.derive(configuration.baseDerivationKey, ksn: ksn, variant: .pin)
        return { cache.encrypt($0, key: key) }
    }
}
