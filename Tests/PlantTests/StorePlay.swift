import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Journal
import Laws
import Rig
import SDKCore
import SimulatedGateways
import Transports

/// A play at PAYMILL and the HoneyStore without a scenario: cards are typed in, products bought,
/// money held, taken and paid back, and any answer of the bridge, the gateway or the backend is
/// lost, late, damaged or untrue, as a seed says.
struct StorePlay {
    /// How many acts a play has.
    static let actCount = 14

    private var rig: Rig
    private var laws: LawBook
    private var random: SplitMix64
    private var seenCount = 0
    /// Orders that the app was told are paid, and those that were booked.
    private var told: [String] = []
    private var booked: [String] = []
    /// How purchases ended.
    private(set) var results: [Symbol] = []
    private(set) var usedTokenCount = 0

    private init(seed: UInt64, plant: Plant?, cache: CryptoCache) {
        random = SplitMix64(seed: SplitMix64.mix(seed &+ 77))
        var configuration = RigConfiguration(readers: [])
        var setup = HoneyStoreSetup()
        if random.next(below: 2) == 0 { setup.backend.version = .v2point1 }
        if random.next(below: 2) == 0 { setup.gateway.declineStatus = 200 }
        if random.next(below: 3) == 0 { setup.gateway.lateTokens = .failedTransaction }
        configuration.store = setup
        configuration.plant = plant
        rig = Rig(configuration, cache: cache)
        laws = LawBook(lawsOff: [], readerCount: 0)
    }

    /// Plays once.
    static func play(seed: UInt64, plant: Plant? = nil, cache: CryptoCache) -> StorePlay {
        var play = StorePlay(seed: seed, plant: plant, cache: cache)
        play.rig.start()
        play.enterCard()
        for _ in 0..<actCount {
            play.act()
            play.pass(play.random.index(below: 12))
        }
        play.settle()
        play.laws.finish(in: play.rig.journal)
        return play
    }

    /// What the laws found.
    var violations: [LawViolation] { laws.violations }

    /// Orders of which the app was told that they are paid, though nothing was booked.
    var untruths: [String] { told.filter { !booked.contains($0) } }

    // MARK: Acts

    private mutating func act() {
        let amount = Amount(minorUnits: Int64(random.next(below: 4)) * 700 + 50)
        switch random.next(below: 20) {
        case 0, 1, 2, 3, 4: disturb()
        case 5, 6, 7: _ = rig.buy(amount: amount)
        case 8: _ = rig.buy(product: "acacia")
        case 9: _ = rig.buy(amount: amount, payer: .storedCard)
        case 10: _ = rig.buy(amount: amount, payer: .token)
        case 11: _ = rig.call(.token(amount))
        case 12: _ = rig.buy(amount: amount, isHeld: true)
        case 13: _ = rig.orderOffice(random.next(below: 2) == 0 ? .capture : .void, nil)
        case 14: _ = rig.orderOffice(.refund, random.next(below: 2) == 0 ? nil : amount)
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
        let numbers = PAYMILLTestCards.numbers
        let number = numbers[random.index(below: UInt64(numbers.count))]
        let isAmex = PAYMILLCardBrand(number: number) == .amex
        _ = rig.enterStoreCard(
            PAYMILLCard(
                unmaskedNumber: number,
                expiryMonth: random.next(below: 6) == 0 ? "5" : "12",
                expiryYear: random.next(below: 6) == 0 ? "2020" : "2018",
                unmaskedCode: isAmex ? "1234" : "123",
                holder: "Ada"
            )
        )
    }

    private mutating func disturb() {
        let answers: [GatewayFault.Answer] = [
            .timeout, .reset, .garbage, .httpStatus(500), .httpApproval(502), .otherOrder, .refused,
            .slow(.seconds(2)), .slow(.seconds(40)), .decline(.declined), .error(.rejected),
        ]
        let kinds: [GatewayRequestKind?] = [
            nil, .validate, .sale, .sale, .query, .vault, .auth, .capture, .void, .refund,
        ]
        let fault = GatewayFault(
            kind: kinds[random.index(below: UInt64(kinds.count))],
            phase: random.next(below: 2) == 0 ? .beforeBooking : .afterBooking,
            answer: answers[random.index(below: UInt64(answers.count))]
        )
        switch fault.answer {
        case .decline, .error, .httpApproval, .otherOrder: _ = rig.arm(fault)
        case .timeout, .reset, .garbage, .httpStatus, .refused, .slow:
            if random.next(below: 2) == 0 {
                _ = rig.arm(fault)
            } else {
                let own: [GatewayRequestKind?] = [nil, .sale, .query, .auth]
                let count = random.next(below: 4) == 0 ? 4 : 1
                for _ in 0..<count {
                    _ = rig.armServer(
                        GatewayFault(
                            kind: own[random.index(below: 4)],
                            phase: fault.phase,
                            answer: fault.answer
                        )
                    )
                }
            }
        }
    }

    // MARK: Time

    private mutating func pass(_ count: Int) {
        observe()
        for _ in 0..<count {
            if rig.isQuiet || rig.advance() == .nothing { break }
            observe()
        }
    }

    private mutating func wait(_ duration: VirtualDuration) {
        rig.setScriptTimer(1, at: rig.now + duration)
        while true {
            let advance = rig.advance()
            observe()
            if advance == .nothing || advance == .script(1) { return }
        }
    }

    private mutating func settle() {
        while !rig.isQuiet, rig.advance() != .nothing { observe() }
        observe()
    }

    private mutating func observe() {
        while seenCount < rig.journal.count {
            guard let record = rig.journal.record(seenCount) else {
                seenCount += 1
                continue
            }
            laws.observe(record, in: rig.journal)
            note(record)
            seenCount += 1
        }
    }

    private mutating func note(_ record: Record) {
        switch record.name {
        case .tokenUsed: usedTokenCount += 1
        case .booked:
            guard rig.journal.value(.state, of: record) != .symbol(.failed),
                case .text(let order) = rig.journal.value(.orderID, of: record)
            else { return }
            booked.append(order.description)
        case .chargeFinished, .authorizationFinished:
            guard case .symbol(let result) = rig.journal.value(.result, of: record) else { return }
            results.append(result)
            guard result == .approved,
                case .text(let order) = rig.journal.value(.orderID, of: record)
            else { return }
            told.append(order.description)
        default: break
        }
    }
}

extension SplitMix64 {
    /// Returns a number from 0 to below the count.
    fileprivate mutating func index(below count: UInt64) -> Int { Int(next(below: count)) }
}
