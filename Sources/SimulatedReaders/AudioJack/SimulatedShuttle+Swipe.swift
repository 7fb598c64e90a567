import CardCrypto
import CardData
import ReaderProtocols

extension SimulatedShuttle {
    /// Reads a card.
    ///
    /// | decoded | sent |
    /// | --- | --- |
    /// | all tracks | one record with them |
    /// | some | one record without the others, whose status says that they could not be decoded |
    /// | none | ``ShuttleConfiguration/badSwipe`` |
    ///
    /// A key is used up by each record that is encrypted, and by nothing else (assumed).
    mutating func swipe(
        card: TestCard,
        quality: SwipeQuality,
        isBusy: Bool,
        cache: CryptoCache
    ) -> JackSwipe {
        switch state {
        case .off: return .lost(.unpowered)
        case .booting: return .lost(.booting)
        case .on: break
        }
        guard !isBusy else { return .lost(.busy) }
        let sight = quality.sight(of: card, cache: cache)
        return sight.isUnread
            ? unread(card, cache) : read(sight.card, sight.tracks, cache)
    }

    private mutating func read(
        _ card: TestCard,
        _ reading: StripeTracks,
        _ cache: CryptoCache
    ) -> JackSwipe {
        let configuration = configuration
        guard configuration.hasKeys else {
            let track1 = reading.contains(.track1) ? card.unmaskedTrack1 : []
            let track2 = reading.contains(.track2) ? card.unmaskedTrack2 : []
            let text = track1 + track2
            guard !text.isEmpty else { return .lost(.unread) }
            return .record(text + [0x0D], paddingByteCount: 0, ksn: nil)
        }
        guard !hasExhaustedKeys, let next = ksn.next else {
            hasExhaustedKeys = true
            return .lost(.keysExhausted)
        }
        var record = IDTechRecord(
            card: card,
            settings: configuration.settings,
            read: reading,
            key: configuration.baseDerivationKey,
            ksn: next,
            cache: cache
        )
        if record.ksn != nil { ksn = next }
        return send(&record)
    }

    private mutating func unread(_ card: TestCard, _ cache: CryptoCache) -> JackSwipe {
        switch configuration.badSwipe {
        case .nothing: return .lost(.unread)
        case .errorText:
            return .record(configuration.errorText + [0x0D], paddingByteCount: 0, ksn: nil)
        case .emptyRecord:
            guard configuration.hasKeys else { return .lost(.unread) }
            return read(card, [], cache)
        }
    }

    private func send(_ record: inout IDTechRecord) -> JackSwipe {
        let quirks = configuration.quirks
        if quirks.contains(.omitsKSN) { record.ksn = nil }
        if quirks.contains(.omitsTrack1) { record.track1 = IDTechRecord.Track() }
        var bytes = record.packet
        var paddingByteCount = 0
        if quirks.contains(.truncatesRecord) { bytes.removeLast(bytes.count / 3) }
        if quirks.contains(.omitsTrailer) { bytes.removeLast(min(3, bytes.count)) }
        if quirks.contains(.appendsLineEnd) {
            bytes += [0x0D, 0x0A]
            paddingByteCount = 2
        }
        return .record(bytes, paddingByteCount: paddingByteCount, ksn: record.ksn)
    }
}
