package import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
package import Journal
import Laws
import Rig
package import SDKCore
import SimulatedGateways
import SimulatedReaders
import Transports

/// A merchant asks NMI for everything it can be asked for, and any answer of any exchange is lost,
/// late, damaged or untrue, before or after the booking.
///
/// Nothing is refused as a duplicate. One play in eight has the merchant's server between app and
/// gateway, with faults on either hop.
package struct MoneyPlay: Play {
    /// How many acts a play has.
    private static let actCount = 12

    package var stage: Stage
    private let isRelayed: Bool
    private var orders = PaidOrders()

    private init(seed: UInt64, plant: Plant?, cache: CryptoCache) {
        var random = SplitMix64(seed: SplitMix64.mix(seed))
        isRelayed = random.next(below: 8) == 0
        var configuration = RigConfiguration(
            readers: [
                RigReader(
                    name: "reader",
                    endpoint: .simulated(MagneSafeReaderConfiguration(.idynamo))
                )
            ],
            gateway: SimulatedNMIGateway.Configuration()
        )
        configuration.merchant.isRelayed = isRelayed
        configuration.plant = plant
        stage = Stage(
            configuration,
            laws: LawBook(lawsOff: [], readerCount: 1),
            random: random,
            cache: cache
        )
    }

    /// Plays once.
    package static func played(
        seed: UInt64,
        plant: Plant? = nil,
        cache: CryptoCache
    ) -> MoneyPlay {
        var play = MoneyPlay(seed: seed, plant: plant, cache: cache)
        play.perform(actCount: actCount, eventBound: 6)
        return play
    }

    /// Orders of which the app was told more than was booked.
    package var complaints: [String] { orders.complaints }

    package mutating func begin() { enterCard() }

    private mutating func enterCard() {
        let isEncrypted = isRelayed && random.next(below: 2) == 0
        _ = rig.enterCard("visa", securityCode: nil, isEncrypted: isEncrypted)
    }

    package mutating func act() {
        let amount = Amount(minorUnits: Int64(random.next(below: 4)) * 700 + 50)
        switch random.next(below: 16) {
        case 0, 1, 2, 3, 4: disturb()
        case 5, 6: _ = rig.charge(amount, orderID: nil)
        case 7: _ = rig.authorize(amount, orderID: nil)
        case 8: _ = rig.capture(random.next(below: 2) == 0 ? nil : amount)
        case 9: _ = rig.refund(random.next(below: 2) == 0 ? nil : amount)
        case 10: _ = rig.voidLastCharge()
        case 11: _ = rig.credit(amount, orderID: nil)
        case 12: _ = rig.recordOffline(amount, code: "A1", orderID: nil)
        case 13: _ = rig.validate(orderID: nil)
        case 14: enterCard()
        default: settle()
        }
    }

    private mutating func disturb() {
        let answers: [GatewayFault.Answer] = [
            .timeout, .reset, .garbage, .httpStatus(500), .httpApproval(502), .otherOrder, .refused,
            .slow(.seconds(2)), .slow(.seconds(40)), .decline(.declined), .error(.rejected),
        ]
        var answer = random.choice(answers)
        let kinds = GatewayRequestKind.allCases
        let isBefore = random.next(below: 2) == 0
        if isRelayed, random.next(below: 2) == 0 {
            let own: [GatewayFault.Answer] = [
                .timeout, .reset, .garbage, .httpStatus(503), .refused, .slow(.seconds(40)),
            ]
            answer = random.choice(own)
            _ = rig.armServer(
                GatewayFault(phase: isBefore ? .beforeBooking : .afterBooking, answer: answer)
            )
            return
        }
        // A gateway that declines or refuses books nothing.
        let booksNothing =
            switch answer {
            case .decline, .error, .refused: true
            default: false
            }
        _ = rig.arm(
            GatewayFault(
                kind: random.next(below: 2) == 0
                    ? nil : random.choice(kinds),
                phase: isBefore || booksNothing ? .beforeBooking : .afterBooking,
                answer: answer
            )
        )
    }

    package mutating func isInAHurry() -> Bool { rig.isQuiet }

    package mutating func note(_ record: Record) {
        guard case .text(let id) = rig.journal.value(.orderID, of: record) else { return }
        switch record.name {
        case .booked where rig.journal.value(.state, of: record) != .symbol(.failed):
            orders.booked.append(id.description)
        case .chargeFinished, .authorizationFinished, .creditFinished, .offlineFinished,
            .refundFinished:
            if rig.journal.value(.result, of: record) == .symbol(.approved) {
                orders.told.append(id.description)
            }
        default: break
        }
    }
}
