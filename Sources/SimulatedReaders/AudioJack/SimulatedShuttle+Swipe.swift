import CardCrypto
import CardData

extension SimulatedShuttle {
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
        return .lost(.unread)
    }
}
