public import CardCrypto
public import CardData
import EventLoops
public import ReaderProtocols
import Transports

/// A MagTek swipe reader at security level 3, as seen from its transport.
///
/// It sends nothing until a swipe, and for each swipe exactly one report or message, whether the
/// card could be read or not. Every swipe, a bad one too, uses one key (the session id is
/// encrypted under it even when no track is; assumed). With its keys used up it answers a swipe
/// with a message without tracks and the status bit that says so.
/// Source: MagneSafe V5 Communication Reference Manual 99875475; iDynamo manual 99875483.
public struct SimulatedMagneSafeReader: Hashable, Sendable {
    /// How the reader was made.
    public let configuration: MagneSafeReaderConfiguration
    /// The key serial number of the last swipe, or the initial one.
    public private(set) var ksn: KSN
    /// Whether all keys are used up.
    public private(set) var hasExhaustedKeys = false

    /// The session id of a reader to which no host gave one.
    private static let session: [UInt8] = Array(repeating: 0, count: 8)

    /// MagnePrint capable, with the product revision of the manual's examples.
    private static let magnePrintStatus = MagnePrintStatus(rawValue: 0x05A1)

    /// Creates a reader that has just been made.
    public init(_ configuration: MagneSafeReaderConfiguration) {
        self.configuration = configuration
        ksn = configuration.initialKSN
    }

    /// Reads a card and returns what the reader puts on its transport, in order.
    ///
    /// The units share one buffer. Blocks of an iDynamo are `.bytes`, packets of a Dynamag
    /// `.report(id: 0)`.
    public mutating func swipe(
        card: TestCard,
        quality: SwipeQuality,
        cache: CryptoCache
    ) -> [ReaderTransmission] {
        let record = record(card: card, quality: quality, cache: cache)
        let size: Int
        let buffer: [UInt8]
        let kind: TransportUnit.Kind
        var offset: VirtualDuration
        let interval: VirtualDuration
        switch configuration.model {
        case .idynamo:
            buffer = record.streamBlocks()
            size = MagneSafeStreamLayout.blockByteCount
            kind = .bytes
            offset = configuration.firstBlockDelay
            interval = configuration.blockInterval
        case .dynamag(let packetByteCount):
            buffer = record.report(byteCount: configuration.reportByteCount)
            size = min(max(1, packetByteCount), 64)
            kind = .report(id: 0)
            offset = configuration.pollInterval
            interval = configuration.pollInterval
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

    /// Reads a card and returns what the reader made of it, before it is put into a report.
    public mutating func record(
        card: TestCard,
        quality: SwipeQuality,
        cache: CryptoCache
    ) -> MagneSafeRecord {
        if configuration.ksnStep == .beforeUse { advanceKSN() }
        guard !hasExhaustedKeys else { return exhaustedRecord() }
        let variant: DUKPT.Variant = configuration.encryptsUnderDataVariant ? .dataRequest : .pin
        let key = cache.derive(configuration.baseDerivationKey, ksn: ksn, variant: variant)
        var record = MagneSafeRecord(
            readerStatus: configuration.encryptsUnderDataVariant
                ? [.initialKeyInjected, .encryptionEnabled, .dataVariant]
                : [.initialKeyInjected, .encryptionEnabled],
            magnePrintStatus: Self.magnePrintStatus,
            magnePrint: encrypted(configuration.magnePrint, key, cache),
            serial: configuration.serial,
            sessionID: encrypted(Self.session, key, cache).reduce(0) { $0 << 8 | UInt64($1) },
            ksn: ksn
        )
        readTracks(of: card, quality, into: &record, key, cache)
        switch quality {
        case .good, .partial, .unreadable: break
        case .reversed: record.magnePrintStatus?.insert(.reversed)
        case .tooFast: record.magnePrintStatus?.insert(.tooFast)
        }
        if configuration.ksnStep == .afterUse { advanceKSN() }
        return record
    }

    private mutating func advanceKSN() {
        guard let next = ksn.next else {
            hasExhaustedKeys = true
            return
        }
        ksn = next
    }

    private func exhaustedRecord() -> MagneSafeRecord {
        MagneSafeRecord(
            encodeType: .blank,
            readerStatus: [.keysExhausted, .initialKeyInjected, .encryptionEnabled],
            serial: configuration.serial,
            ksn: ksn
        )
    }

    private func readTracks(
        of card: TestCard,
        _ quality: SwipeQuality,
        into record: inout MagneSafeRecord,
        _ key: CipherKey,
        _ cache: CryptoCache
    ) {
        var track3 = card.unmaskedTrack3
        if configuration.isStream, !track3.isEmpty { track3[0] = 0x2B }
        let isRead: Bool
        switch quality {
        case .good, .partial, .reversed: isRead = true
        case .tooFast, .unreadable: isRead = false
        }
        let mask = configuration.mask
        record.track1 = track(card.unmaskedTrack1, isRead && quality != .partial, key, cache) {
            mask.track1($0)
        }
        record.track2 = track(card.unmaskedTrack2, isRead, key, cache) { mask.track2($0) }
        record.track3 = track(track3, isRead, key, cache) { mask.track3($0) }
        let statuses = [record.track1.status, record.track2.status, record.track3.status]
        if statuses.contains(.read) {
            record.encodeType = .iso
        } else if statuses.contains(.failed) {
            record.encodeType = statuses.contains(.blank) ? .undetermined : .unreadable
        } else {
            record.encodeType = .blank
        }
    }

    private func track(
        _ clear: [UInt8],
        _ isRead: Bool,
        _ key: CipherKey,
        _ cache: CryptoCache,
        mask: ([UInt8]) -> [UInt8]
    ) -> MagneSafeRecord.Track {
        if clear.isEmpty { return .blank }
        guard isRead else { return .failed }
        return MagneSafeRecord.Track(
            status: .read,
            masked: mask(clear),
            encrypted: encrypted(clear, key, cache)
        )
    }

    private func encrypted(_ clear: [UInt8], _ key: CipherKey, _ cache: CryptoCache) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((clear.count + 7) / 8 * 8)
        cache.encrypt(clear.span, key: key, into: &output)
        return output
    }
}
