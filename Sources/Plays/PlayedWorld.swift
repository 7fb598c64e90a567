package import CardCrypto
package import Journal
import Laws
import Rig
package import SDKCore

/// The worlds that are played at random.
///
/// One row is all that `cardrig soak --plays` and the tests need of a play.
package enum PlayedWorld: String, CaseIterable, Sendable {
    /// Two MagTek readers, an app and a merchant: ``SwipePlay``.
    case swipes
    /// A Shuttle and an IPS at the audio jack: ``JackPlay``.
    case audioJack
    /// NMI and everything that it can be asked for: ``MoneyPlay``.
    case money
    /// A Miura reader and AgentCASH: ``CardPaymentPlay``.
    case cardPayments
    /// Inner Fence's terminal app, and an app that charges through it: ``TerminalPlay``.
    case terminal
    /// PAYMILL and the HoneyStore with its backend: ``StorePlay``.
    case store

    /// What is played, in a few words.
    package var title: String {
        switch self {
        case .swipes: "swipes, app and merchant"
        case .audioJack: "the audio jack"
        case .money: "money at NMI"
        case .cardPayments: "card payments at AgentCASH"
        case .terminal: "Inner Fence's terminal app"
        case .store: "purchases at PAYMILL's HoneyStore"
        }
    }

    /// Plays once and returns what did not hold, in plain words.
    ///
    /// - Parameters:
    ///   - seed: What is played.
    ///   - plant: A mistake planted on purpose.
    ///   - law: The only law that is asked; `nil` asks all, and what the play itself knows.
    ///   - cache: The crypto cache of the worker.
    /// - Returns: One sentence for each thing that did not hold.
    package func complaints(
        seed: UInt64,
        plant: Plant? = nil,
        only law: LawName? = nil,
        cache: CryptoCache
    ) -> [String] {
        let played = play(seed, plant, cache)
        let violations = played.violations.filter { law == nil || $0.law == law }
        return violations.map { "\($0.law.spelling): \($0.explanation)" }
            + (law == nil ? played.complaints : [])
    }

    /// How many records a play has; as good as a fingerprint of it.
    package func recordCount(seed: UInt64, cache: CryptoCache) -> Int {
        play(seed, nil, cache).stage.rig.journal.count
    }

    private func play(_ seed: UInt64, _ plant: Plant?, _ cache: CryptoCache) -> any Play {
        switch self {
        case .swipes: SwipePlay.played(seed: seed, plant: plant, cache: cache)
        case .audioJack: JackPlay.played(seed: seed, plant: plant, cache: cache)
        case .money: MoneyPlay.played(seed: seed, plant: plant, cache: cache)
        case .cardPayments: CardPaymentPlay.played(seed: seed, plant: plant, cache: cache)
        case .terminal: TerminalPlay.played(seed: seed, plant: plant, cache: cache)
        case .store: StorePlay.played(seed: seed, plant: plant, cache: cache)
        }
    }
}
