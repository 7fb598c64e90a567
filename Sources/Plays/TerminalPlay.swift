package import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
package import Journal
import Laws
import Rig
package import SDKCore
import SimulatedGateways

/// A merchant charges orders through Inner Fence's terminal app, some of them again; answers are
/// lost, come twice, late, cut, forged or with another nonce; the app is killed and launched;
/// somebody hands old answers and made-up ones to the system.
package struct TerminalPlay: Play {
    /// How many acts a play has.
    private static let actCount = 20

    package var stage: Stage
    private var orderCount = 0
    private var orders = PaidOrders()

    private init(seed: UInt64, plant: Plant?, cache: CryptoCache) {
        var random = SplitMix64(seed: SplitMix64.mix(seed))
        var setup = TerminalSetup()
        // The class for Windows takes what is cut for an error: a scenario of its own shows it.
        let versions: [InnerFenceVersion] = [.corrected, .corrected, .published2014, .head2019]
        setup.client.version = random.choice(versions)
        for _ in 0..<8 {
            // A gateway that loses its answers lets the terminal's user pay twice: not the app's.
            let answers: [SimulatedTerminal.Answer] = [.approved, .declined, .error]
            setup.terminal.answers.append(random.choice(answers))
            setup.callbacks.append(Self.callback(&random))
        }
        if random.isOne(in: 2) { setup.terminal.tip = Amount(minorUnits: 150) }
        var configuration = RigConfiguration(readers: [], choices: .seeded(seed))
        configuration.terminal = setup
        configuration.plant = plant
        stage = Stage(
            configuration,
            laws: LawBook(lawsOff: [], readerCount: 0),
            random: random,
            cache: cache
        )
    }

    /// Plays once.
    package static func played(
        seed: UInt64,
        plant: Plant? = nil,
        cache: CryptoCache
    ) -> TerminalPlay {
        var play = TerminalPlay(seed: seed, plant: plant, cache: cache)
        play.perform(actCount: actCount, eventBound: 5)
        return play
    }

    /// Orders of which the app was told more than was booked.
    package var complaints: [String] { orders.complaints }

    private static func callback(_ random: inout SplitMix64) -> TerminalSetup.Callback {
        switch random.next(below: 12) {
        case 0: .lost
        case 1: .twice
        case 2: .cut(byteCount: Int(random.next(below: 200)))
        case 3: .forged
        case 4: .noNonce
        case 5: .otherNonce
        case 6: .otherCase
        case 7: .badEscape
        case 8: .cutThenWhole(byteCount: Int(random.next(below: 200)))
        case 9: .late(.seconds(Int64(random.next(below: 90))))
        default: .whole
        }
    }

    package mutating func act() {
        switch random.next(below: 12) {
        case 0, 1: charge(isNew: true)
        case 2: charge(isNew: false)
        case 3, 4, 5:
            let cards = ["visa", "amex", "mastercard", "discover"]
            _ = rig.payAtTerminal(random.choice(cards))
        case 6, 7, 8: _ = rig.leaveTerminal()
        case 9: if rig.isAppAlive { rig.killApp() } else { rig.launchApp() }
        case 10: _ = rig.openLastAnswer()
        default:
            _ = rig.openURL(
                "com-innerfence-ChargeDemo://chargeResponse?record_id=1"
                    + "&ifcc_responseType=approved&ifcc_amount=0.01&ifcc_redactedCardNumber=1111"
            )
        }
    }

    private mutating func charge(isNew: Bool) {
        if isNew || orderCount == 0 { orderCount += 1 }
        var charge = TerminalCharge()
        charge.orderID = "\(orderCount)"
        charge.request[.amount] =
            Amount(
                minorUnits: Int64(random.next(below: 4)) * 700 + 50
            ).description
        if random.next(below: 3) == 0 { charge.request[.taxRate] = "8.5" }
        if random.next(below: 3) == 0 { charge.request[.returnImmediately] = "1" }
        _ = rig.charge(charge)
    }

    package mutating func isInAHurry() -> Bool { rig.isQuiet }

    package mutating func note(_ record: Record) {
        guard case .text(let id) = rig.journal.value(.orderID, of: record) else { return }
        switch record.name {
        case .booked: orders.booked.append(id.description)
        case .chargeResponse:
            if rig.journal.value(.result, of: record) == .symbol(.approved) {
                orders.told.append(id.description)
            }
        default: break
        }
    }
}
