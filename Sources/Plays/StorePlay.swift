package import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
package import Journal
import Laws
import Rig
package import SDKCore
import SimulatedGateways
import Transports

/// A customer types in cards and buys at PAYMILL's HoneyStore, its office takes, holds and pays back
/// money, and any answer of the bridge, the gateway or the backend is lost, late, damaged or untrue.
package struct StorePlay: Play {
    /// How many acts a play has.
    private static let actCount = 14

    package var stage: Stage
    private var orders = PaidOrders()
    /// How purchases ended.
    package private(set) var results: [Symbol] = []
    /// How many tokens paid for something.
    package private(set) var usedTokenCount = 0

    private init(seed: UInt64, plant: Plant?, cache: CryptoCache) {
        var random = SplitMix64(seed: SplitMix64.mix(seed &+ 77))
        var setup = HoneyStoreSetup()
        setup.backend.takesFreeAmounts = true
        if random.isOne(in: 2) { setup.backend.version = .v2point1 }
        if random.isOne(in: 2) { setup.gateway.declineStatus = 200 }
        if random.isOne(in: 3) { setup.gateway.lateTokens = .failedTransaction }
        var configuration = RigConfiguration(readers: [])
        configuration.store = setup
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
    ) -> StorePlay {
        var play = StorePlay(seed: seed, plant: plant, cache: cache)
        play.perform(actCount: actCount, eventBound: 12)
        return play
    }

    /// Orders of which the app was told that they are paid, though nothing was booked.
    package var complaints: [String] { orders.complaints }

    package mutating func begin() { enterCard() }

    package mutating func act() {
        let amount = Amount(minorUnits: Int64(random.next(below: 4)) * 700 + 50)
        switch random.next(below: 20) {
        case 0, 1, 2, 3, 4: disturb()
        case 5, 6, 7: _ = rig.buy(amount: amount)
        case 8: _ = rig.buy(product: "acacia")
        case 9:
            let payer: HoneyStorePurchase.Payer = random.isOne(in: 2) ? .storedCard : .sdk
            _ = rig.buy(amount: amount, payer: payer)
        case 10: _ = rig.buy(amount: amount, payer: .token)
        case 11: _ = rig.call(.token(amount))
        case 12: _ = rig.buy(amount: amount, isHeld: true)
        case 13: _ = rig.orderOffice(random.isOne(in: 2) ? .capture : .void, nil)
        case 14: _ = rig.orderOffice(.refund, random.isOne(in: 2) ? nil : amount)
        case 15: enterCard()
        case 16:
            rig.killApp()
            rig.launchApp()
            enterCard()
        case 17: wait(.seconds(Int64(random.next(below: 400))))
        case 18: _ = rig.buy(product: "forest", amount: amount)
        default: settle()
        }
    }

    private mutating func enterCard() {
        if random.isOne(in: 8) {
            let account = random.choice(PAYMILLTestCards.accounts)
            let name = PAYMILLAccount.Name.national(
                unmaskedNumber: account.number,
                bankCode: random.isOne(in: 4) ? "70070010" : account.bankCode,
                country: "DE"
            )
            _ = rig.enterStoreAccount(PAYMILLAccount(name, holder: "Chris Hansen"))
            return
        }
        let number = random.choice(PAYMILLTestCards.numbers)
        let isAmex = PAYMILLCardBrand(number: number) == .amex
        _ = rig.enterStoreCard(
            PAYMILLCard(
                unmaskedNumber: number,
                expiryMonth: random.isOne(in: 6) ? "5" : "12",
                expiryYear: random.isOne(in: 6) ? "2020" : "2018",
                unmaskedCode: isAmex ? "1234" : "123",
                holder: "Ada Byron"
            )
        )
    }

    private mutating func disturb() {
        let answers: [GatewayFault.Answer] = [
            .timeout, .reset, .garbage, .httpStatus(500), .httpApproval(502), .otherOrder, .refused,
            .slow(.seconds(2)), .slow(.seconds(40)), .decline(.declined), .error(.rejected),
        ]
        let kinds: [GatewayRequestKind?] = [
            nil, .validate, .sale, .sale, .query, .vault, .auth, .capture, .void, .refund, .update,
        ]
        let fault = GatewayFault(
            kind: random.choice(kinds),
            phase: random.isOne(in: 2) ? .beforeBooking : .afterBooking,
            answer: random.choice(answers)
        )
        switch fault.answer {
        case .decline, .error, .httpApproval, .otherOrder: _ = rig.arm(fault)
        case .timeout, .reset, .garbage, .httpStatus, .refused, .slow:
            if random.isOne(in: 2) {
                _ = rig.arm(fault)
            } else {
                let own: [GatewayRequestKind?] = [nil, .sale, .query, .auth]
                let count = random.isOne(in: 4) ? 4 : 1
                for _ in 0..<count {
                    _ = rig.armServer(
                        GatewayFault(
                            kind: random.choice(own),
                            phase: fault.phase,
                            answer: fault.answer
                        )
                    )
                }
            }
        }
    }

    package mutating func isInAHurry() -> Bool { rig.isQuiet }

    package mutating func note(_ record: Record) {
        switch record.name {
        case .tokenUsed: usedTokenCount += 1
        case .booked:
            guard rig.journal.value(.state, of: record) != .symbol(.failed),
                case .text(let order) = rig.journal.value(.orderID, of: record)
            else { return }
            orders.booked.append(order.description)
        case .chargeRecovered:
            guard case .text(let order) = rig.journal.value(.orderID, of: record) else { return }
            orders.told.append(order.description)
        case .chargeFinished, .authorizationFinished:
            guard case .symbol(let result) = rig.journal.value(.result, of: record) else { return }
            results.append(result)
            guard result == .approved,
                case .text(let order) = rig.journal.value(.orderID, of: record)
            else { return }
            orders.told.append(order.description)
        default: break
        }
    }
}
