public import CardCrypto
public import CardData
public import EventLoops
import ReaderProtocols

extension SimulatedMiura {
    /// Puts a card into the slot; a slot that is not empty takes none.
    public mutating func insert(
        _ card: TestCard,
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            guard reader.slot == nil else {
                reader.effects.append(.noted(.cardIgnored))
                return
            }
            reader.slot = card
            reader.reportCard()
            if case .contactless(let run) = reader.activity, run.isPolling {
                reader.endContactless(.cardInserted, cache)
            }
        }
    }

    /// Pulls the card out of the slot.
    ///
    /// | the reader | what it says beside the card report |
    /// | --- | --- |
    /// | runs a chip transaction | ``MiuraReaderConfiguration/removalAnswer`` |
    /// | waits for CONTINUE | ``MiuraReaderConfiguration/answerAfterRemoval``, to no command |
    /// | does something else | nothing |
    public mutating func removeCard(
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            guard reader.slot != nil else {
                reader.effects.append(.noted(.cardIgnored))
                return
            }
            reader.slot = nil
            reader.reportCard()
            if case .chip = reader.activity {
                reader.endChip(reader.removalResponse, cache)
            } else if let pending = reader.pending, !pending.run.isContactless {
                reader.pending = nil
                reader.show(Self.idleDisplay)
                reader.scheduleExtraAnswer(reader.configuration.answerAfterRemoval)
            }
        }
    }

    /// Swipes a card.
    ///
    /// Nothing comes of it unless the host asked for reports of changes; the tracks that it did not
    /// ask for are left out. A swipe ends a contactless transaction that waits for a tap.
    public mutating func swipe(
        _ card: TestCard,
        quality: SwipeQuality,
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            var isBusy = reader.pending != nil
            switch reader.activity {
            case .idle, .contactless, .input, .streaming, .initialising: break
            case .chip, .pin: isBusy = true
            }
            guard reader.power == .on, reader.isLinked, !isBusy,
                reader.cardReports.contains(.changes)
            else {
                reader.effects.append(.noted(.cardIgnored))
                return
            }
            reader.tell(.cardStatus(reader.report(ofSwipe: card, quality, cache: cache)))
            if case .contactless(let run) = reader.activity, run.isPolling {
                reader.endContactless(.cardSwiped, cache)
            }
        }
    }

    // MARK: Reports

    private mutating func reportCard() {
        guard power == .on, cardReports.contains(.changes) else { return }
        tell(.cardStatus(cardReport(cardReports)))
    }

    /// What is in the slot.
    func cardReport(_ reports: MiuraCardReports) -> MiuraCardReport {
        guard let card = slot else { return MiuraCardReport([]) }
        guard let chip = card.chip, chip.answersReset else { return MiuraCardReport(.present) }
        var objects: [TLV] = []
        if reports.contains(.answerToReset) {
            objects.append(TLV(.answerToReset, Self.answerToReset))
        }
        return MiuraCardReport([.present, .chip], objects: objects)
    }

    /// An answer to reset as many payment cards give it: T=0, eight historical bytes (invented).
    private static let answerToReset: [UInt8] = [
        0x3B, 0x68, 0x00, 0x00, 0x00, 0x73, 0xC8, 0x40, 0x12, 0x00, 0x90, 0x00,
    ]

    private mutating func report(
        ofSwipe card: TestCard,
        _ quality: SwipeQuality,
        cache: CryptoCache
    ) -> MiuraCardReport {
        var status: MiuraCardReport.Status = .swiped
        var tracks: [TLV] = []
        let sight = quality.sight(of: card, cache: cache)
        if sight.isUnread { return MiuraCardReport(status) }
        let card = sight.card
        let asked = cardReports
        if asked.contains(.track1), sight.tracks.contains(.track1), !card.unmaskedTrack1.isEmpty {
            status.insert(.track1)
            tracks.append(TLV(.track1, card.unmaskedTrack1))
        }
        var objects: [TLV] = []
        if asked.contains(.track2), sight.tracks.contains(.track2), !card.unmaskedTrack2.isEmpty {
            status.insert(.track2)
            tracks.append(TLV(.track2, Self.withLRC(card.unmaskedTrack2)))
            objects.append(TLV(.maskedTrack2, Self.masked(card.unmaskedTrack2)))
        }
        if asked.contains(.track3), sight.tracks.contains(.track3), !card.unmaskedTrack3.isEmpty {
            status.insert(.track3)
            tracks.append(TLV(.track3, Self.withLRC(card.unmaskedTrack3)))
        }
        lastSwipe = card
        if keyStatus.contains(.sredReady) {
            objects = encryptedSRED(tracks.tlvBytes, cache) + objects
        } else {
            objects = tracks + objects
        }
        if asked.contains(.cardholderName), status.contains(.track1),
            let name = Track1(parsing: card.unmaskedTrack1)?.name
        {
            objects.append(TLV(.cardholderName, name))
        }
        return MiuraCardReport(status, objects: objects)
    }

    /// A track 2 or 3 with its LRC character.
    static func withLRC(_ track: [UInt8]) -> [UInt8] {
        track + [0x30 + track.reduce(UInt8(0)) { $0 ^ (($1 &- 0x30) & 0x0F) }]
    }

    /// A track 2 as DFAE22 shows it: first six and last four digits, date and service code.
    ///
    /// Source: Miura Android SDK, CardDataTest.
    static func masked(_ track: [UInt8]) -> [UInt8] {
        guard let separator = track.firstIndex(of: 0x3D), separator > 11 else {
            return [UInt8](repeating: 0x2A, count: track.count + 1)
        }
        var text = [UInt8](repeating: 0x2A, count: track.count + 1)
        text[0] = track[0]
        text[track.count - 1] = track[track.count - 1]
        let shown = [
            1..<7, (separator - 4)..<min(separator + 8, track.count - 1),
        ]
        for range in shown {
            for index in range { text[index] = track[index] }
        }
        return text
    }

    // MARK: Keys for card data

    /// Encrypts card data under the next key: DFAE02 and DFAE03; nothing once the keys are used up.
    ///
    /// Padded with zeros to whole blocks, under the data variant (assumed).
    mutating func encryptedSRED(_ clear: [UInt8], _ cache: CryptoCache) -> [TLV] {
        guard let next = sredKSN.next else { return [] }
        sredKSN = next
        let key = cache.derive(
            configuration.baseDerivationKey,
            ksn: next,
            variant: .dataRequest
        )
        return [TLV(.sredData, cache.encrypt(clear, key: key)), TLV(.sredKSN, next.bytes)]
    }

    /// Encrypts a PIN for the issuer under the next key: DFAE04 and DFAE05.
    ///
    /// Source: ISO 9564-1, format 0; ANSI X9.24-1:2004, PIN variant.
    mutating func encryptedPIN(
        _ digits: [UInt8],
        of card: TestCard,
        _ cache: CryptoCache
    ) -> [TLV] {
        guard let next = pinKSN.next, let track = Track2(parsing: card.unmaskedTrack2) else {
            return []
        }
        pinKSN = next
        var pan: [UInt8] = []
        track.pan.appendUnmasked(to: &pan)
        var block: [UInt8] = [UInt8(digits.count & 0x0F)]
        let padded = digits.map { $0 & 0x0F } + [UInt8](repeating: 0x0F, count: 14)
        for index in 0..<7 { block.append(padded[index * 2] << 4 | padded[index * 2 + 1]) }
        let number = pan.dropLast().suffix(12).map { $0 & 0x0F }
        for index in 0..<6 where number.count == 12 {
            block[index + 2] ^= number[index * 2] << 4 | number[index * 2 + 1]
        }
        let key = cache.derive(configuration.baseDerivationKey, ksn: next, variant: .pin)
        return [
            TLV(.onlinePINBlock, cache.encrypt(block, key: key)), TLV(.onlinePINKSN, next.bytes),
        ]
    }

    // MARK: Answers to no command

    /// The answer of a running transaction whose card is gone.
    private var removalResponse: MiuraResponse {
        switch configuration.removalAnswer {
        case .declined: MiuraAnswer.transaction(.declined([TLV]())).response
        case .noCard: MiuraResponse(refusal: .noCard)
        case .chipError: MiuraResponse(refusal: .chipError)
        }
    }

    mutating func scheduleExtraAnswer(_ extra: MiuraReaderConfiguration.ExtraAnswer) {
        let response: MiuraResponse
        switch extra {
        case .none: return
        case .declined: response = MiuraAnswer.transaction(.declined([TLV]())).response
        case .noCard: response = MiuraResponse(refusal: .noCard)
        }
        let due = now + max(.zero, configuration.extraAnswerDelay)
        extraAnswer = ExtraAnswer(response: response, due: due)
    }
}
