import CardCrypto
import CardData
import EventLoops

extension SimulatedIPS {
    mutating func swipe(
        card: TestCard,
        quality: SwipeQuality,
        isBusy: Bool,
        cache: CryptoCache,
        at now: VirtualInstant
    ) -> JackSwipe {
        guard batteryPercent > 0 else { return .lost(.emptyBattery) }
        return .lost(.unread)
    }
}
