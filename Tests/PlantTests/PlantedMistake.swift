import CardCrypto
import Journal
import Plays
import SDKCore
import Testing

/// A mistake that a play must find, and the law that it breaks.
struct PlantedMistake: Sendable, CustomTestStringConvertible {
    var plant: Plant
    var law: LawName
    /// Whether it shows only when two events race.
    var isRace: Bool

    init(_ plant: Plant, _ law: LawName, isRace: Bool = false) {
        self.plant = plant
        self.law = law
        self.isRace = isRace
    }

    var testDescription: String { "\(plant.name), \(law.spelling)" }

    /// Whether its law finds it in one of so many plays.
    func isCaught(in world: PlayedWorld, plays: UInt64) -> Bool {
        let cache = CryptoCache()
        return (1...plays).contains { seed in
            !world.complaints(seed: seed, plant: plant, only: law, cache: cache).isEmpty
        }
    }
}

extension [PlantedMistake] {
    /// The laws that catch fewer than three mistakes here, or none that needs a race.
    func lawsWithTooFew(among laws: [LawName]) -> [String] {
        laws.filter { law in
            let own = filter { $0.law == law }
            return own.count < 3 || !own.contains(where: \.isRace)
        }
        .map(\.spelling)
    }
}
