import CardCrypto
import CardData
import EventLoops
import ReaderProtocols

extension SimulatedIPS {
    /// Reads a card.
    ///
    /// | decoded | sent |
    /// | --- | --- |
    /// | tracks 1 and 2 | one packet with both tracks |
    /// | without track 1 | one packet whose track 1 is zeros and whose name is blank |
    /// | none, or no payment card | nothing, or with an option a part of a packet |
    ///
    /// A key is used up by each whole packet.
    mutating func swipe(
        card: TestCard,
        quality: SwipeQuality,
        isBusy: Bool,
        cache: CryptoCache,
        at now: VirtualInstant
    ) -> JackSwipe {
        guard batteryPercent > 0 else { return .lost(.emptyBattery) }
        if isAsleep {
            switch configuration.waking {
            case .swipeIsRead: break
            case .swipeIsLost:
                stayAwake(from: now)
                return .lost(.asleep)
            case .toneOnly: return .lost(.asleep)
            }
        }
        stayAwake(from: now)
        drain()
        guard !isBusy else { return .lost(.busy) }
        let sight = quality.sight(of: card, cache: cache)
        guard !sight.isUnread else { return unread() }
        guard !hasExhaustedKeys, let next = ksn.next else {
            hasExhaustedKeys = true
            return .lost(.keysExhausted)
        }
        let packet = IPSPacket(
            card: sight.card,
            settings: configuration.settings,
            read: sight.tracks,
            key: configuration.baseDerivationKey,
            ksn: next,
            cache: cache
        )
        guard let packet else { return unread() }
        ksn = next
        return .record(packet.packet, paddingByteCount: 0, ksn: next)
    }

    private mutating func drain() {
        swipesInPercent += 1
        guard swipesInPercent >= max(1, configuration.swipesPerPercent) else { return }
        swipesInPercent = 0
        batteryPercent -= 1
    }

    private func unread() -> JackSwipe {
        guard configuration.sendsDamagedPackets else { return .lost(.unread) }
        let part = [UInt8](repeating: 0, count: IPSPacket.byteCount / 3)
        return .record(part, paddingByteCount: 0, ksn: nil)
    }
}
