public import CardCrypto
public import CardData
public import ReaderProtocols

extension SimulatedMagneSafeReader {
    /// Reads a card and returns what the reader made of it, before it is put into a report.
    public mutating func record(
        card: TestCard,
        quality: SwipeQuality,
        cache: CryptoCache
    ) -> MagneSafeRecord {
        record(quality.sight(of: card, cache: cache), cache: cache)
    }

    /// The record of what the heads saw.
    mutating func record(_ sight: StripeSight, cache: CryptoCache) -> MagneSafeRecord {
        guard isEncrypting else { return clearRecord(sight) }
        let configuration = configuration
        let settings = settings
        if configuration.ksnStep == .beforeUse { advanceKSN() }
        guard !hasExhaustedKeys else { return exhaustedRecord(.keysExhausted, cache) }
        if encryptionCounter == 0 { return exhaustedRecord(.encryptionCounterExpired, cache) }
        countEncryption()
        let pinKey = cache.derive(configuration.baseDerivationKey, ksn: ksn, variant: .pin)
        let trackKey =
            settings.usesDataVariant
            ? cache.derive(configuration.baseDerivationKey, ksn: ksn, variant: .dataRequest)
            : pinKey
        var status: ReaderEncryptionStatus = [.initialKeyInjected, .encryptionEnabled]
        if settings.usesDataVariant { status.insert(.dataVariant) }
        if securityLevel == .four { status.insert(.authenticationRequired) }
        var record = MagneSafeRecord(
            readerStatus: status,
            magnePrintStatus: configuration.magnePrintStatus,
            magnePrint: encrypted(configuration.magnePrint, pinKey, cache),
            serial: serial,
            sessionID: encrypted(sessionID, trackKey, cache),
            ksn: ksn,
            encryptionCounter: shownCounter,
            formatCode: settings.formatCode
        )
        if !configuration.track2Hash.isEmpty { record.track2Hash = configuration.track2Hash }
        readTracks(of: sight, into: &record) {
            $0.encrypted = encrypted($1, trackKey, cache)
        }
        note(sight, in: &record)
        if configuration.ksnStep == .afterUse { advanceKSN() }
        return record
    }

    /// The record of a reader at level 2, or without keys: everything in clear.
    private func clearRecord(_ sight: StripeSight) -> MagneSafeRecord {
        let sendsMagnePrint = settings.sendsMagnePrintAtLevelTwo
        let isReport = settings.interface == .report
        var record = MagneSafeRecord(
            readerStatus: configuration.hasKeys ? .initialKeyInjected : [],
            serial: serial,
            sessionID: sessionID,
            encryptionCounter: shownCounter,
            formatCode: settings.formatCode
        )
        if sendsMagnePrint {
            record.magnePrintStatus = configuration.magnePrintStatus
            // In clear only the useful bytes are sent as text; reports keep whole blocks.
            record.magnePrint =
                isReport ? configuration.magnePrint : Array(configuration.magnePrint.prefix(54))
            note(sight, in: &record)
        } else if isReport {
            record.magnePrintStatus = []
        }
        let pads = configuration.padsClearTracks
        readTracks(of: sight, into: &record) { track, clear in
            track.encrypted = clear
            if pads { while track.encrypted.count % 8 != 0 { track.encrypted.append(0) } }
        }
        return record
    }

    /// The encryption counter as this reader's swipes carry it; a stream only if asked to.
    private var shownCounter: UInt32? {
        if settings.interface == .report { return encryptionCounter }
        return settings.sendsEncryptionCounter ? encryptionCounter ?? 0xFF_FFFF : nil
    }

    private func note(_ sight: StripeSight, in record: inout MagneSafeRecord) {
        if sight.isReversed { record.magnePrintStatus?.insert(.reversed) }
        if sight.isTooFast { record.magnePrintStatus?.insert(.tooFast) }
    }

    /// Moves on to the next key.
    mutating func advanceKSN() {
        guard let next = ksn.next else {
            hasExhaustedKeys = true
            return
        }
        ksn = next
    }

    /// Counts one swipe or activation.
    mutating func countEncryption() {
        if let counter = encryptionCounter, counter > 0 { encryptionCounter = counter - 1 }
    }

    /// A message without tracks and MagnePrint.
    func exhaustedRecord(_ bit: ReaderEncryptionStatus, _ cache: CryptoCache) -> MagneSafeRecord {
        let key = cache.derive(configuration.baseDerivationKey, ksn: ksn, variant: .pin)
        return MagneSafeRecord(
            encodeType: .blank,
            readerStatus: [bit, .initialKeyInjected, .encryptionEnabled],
            serial: serial,
            sessionID: encrypted(sessionID, key, cache),
            ksn: ksn,
            encryptionCounter: shownCounter,
            formatCode: settings.formatCode
        )
    }

    /// Property 0x05: two bits a track from the lowest: 0 off, 1 on, 2 required.
    private func isEnabled(_ index: Int) -> (isOn: Bool, isRequired: Bool) {
        let bits = settings.trackEnable >> UInt8(index * 2) & 3
        return (bits != 0, bits == 2)
    }

    private func readTracks(
        of sight: StripeSight,
        into record: inout MagneSafeRecord,
        _ fill: (inout MagneSafeRecord.Track, [UInt8]) -> Void
    ) {
        let card = sight.card
        let kind = MagneSafeMasking.kind(
            track1: card.unmaskedTrack1,
            track2: card.unmaskedTrack2,
            track3: card.unmaskedTrack3
        )
        let masking = settings.masking
        let masks =
            isEncrypting || (configuration.masksAtLevelTwo ?? (settings.interface != .report))
        let track1 = formed(card.unmaskedTrack1, 1, kind)
        let track2 = formed(card.unmaskedTrack2, 2, kind)
        let track3 = formed(card.unmaskedTrack3, 3, kind)
        record.track1 = track(track1, 0, sight.tracks.contains(.track1)) {
            $0.masked = masks ? masking.track1(track1, of: kind) : track1
            $0.absoluteByteCount = track1.count
            fill(&$0, track1)
        }
        record.track2 = track(track2, 1, sight.tracks.contains(.track2)) {
            $0.masked = masks ? masking.track2(track2, of: kind) : track2
            $0.absoluteByteCount = track2.count
            fill(&$0, track2)
        }
        record.track3 = track(track3, 2, sight.tracks.contains(.track3)) {
            $0.masked = masks ? masking.track3(track3, of: kind) : track3
            $0.absoluteByteCount = track3.count
            fill(&$0, track3)
        }
        let one = record.track1.status
        let two = record.track2.status
        let three = record.track3.status
        if one == .read || two == .read || three == .read {
            switch kind {
            case .payment: record.encodeType = .iso
            case .licence: record.encodeType = .aamva
            case .other: record.encodeType = .other
            }
        } else if one == .failed || two == .failed || three == .failed {
            let hasBlank = one == .blank || two == .blank || three == .blank
            record.encodeType = hasBlank ? .undetermined : .unreadable
        } else {
            record.encodeType = .blank
        }
    }

    private func track(
        _ clear: [UInt8],
        _ index: Int,
        _ isRead: Bool,
        _ fill: (inout MagneSafeRecord.Track) -> Void
    ) -> MagneSafeRecord.Track {
        let (isOn, isRequired) = isEnabled(index)
        guard isOn else { return .blank }
        guard !clear.isEmpty else { return isRequired ? .failed : .blank }
        guard isRead else { return .failed }
        var track = MagneSafeRecord.Track(status: .read)
        fill(&track)
        return track
    }

    /// A track with the sentinels of the reader's format; reports keep those of the card.
    ///
    /// The change comes before encryption: the manual's examples 11 and 12 differ in it.
    private func formed(
        _ clear: [UInt8],
        _ number: Int,
        _ kind: MagneSafeMasking.CardKind
    ) -> [UInt8] {
        guard settings.interface != .report, !clear.isEmpty else { return clear }
        let sentinels = settings.format.startSentinels
        let start =
            switch number {
            case 1: sentinels.track1
            case 2: clear[0] == 0x25 ? sentinels.track2SevenBit : sentinels.track2
            default:
                kind == .licence && clear[0] != 0x3B
                    ? sentinels.track3AAMVA
                    : (clear[0] == 0x25 ? sentinels.track3SevenBit : sentinels.track3)
            }
        let end = settings.format.endSentinel(ofTrack: number)
        guard clear[0] != start || clear[clear.count - 1] != end else { return clear }
        var track = clear
        track[0] = start
        track[track.count - 1] = end
        return track
    }

    /// The session id of a reader to which no host gave one.
    private static let noSession: [UInt8] = Array(repeating: 0, count: 8)

    private func encrypted(_ block: UInt64, _ key: CipherKey, _ cache: CryptoCache) -> UInt64 {
        let clear =
            block == 0
            ? Self.noSession
            : (0..<8).map { UInt8(truncatingIfNeeded: block >> UInt64(56 - $0 * 8)) }
        return encrypted(clear, key, cache).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func encrypted(_ clear: [UInt8], _ key: CipherKey, _ cache: CryptoCache) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((clear.count + 7) / 8 * 8)
        cache.encrypt(clear.span, key: key, into: &output)
        return output
    }
}
