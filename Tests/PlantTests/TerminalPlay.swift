import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Journal
import Laws
import Rig
import SDKCore
import SimulatedGateways

/// A play about Inner Fence's terminal app: a merchant charges orders, some of them again; answers
/// are lost, come twice, late, cut, forged or with another nonce; the app is killed and launched;
/// somebody hands old answers and made-up ones to the system, as a seed says.
struct TerminalPlay {
    private var rig: Rig
    private var laws: LawBook
    private var random: SplitMix64
    private var seenCount = 0
    private var orderCount = 0
    /// Orders that the app was told are paid, and those that were booked.
    private var told: [String] = []
    private var booked: [String] = []

    /// How many acts a play has.
    static let actCount = 20

    private init(seed: UInt64, plant: Plant?, laws off: [LawName], cache: CryptoCache) {
        random = SplitMix64(seed: SplitMix64.mix(seed))
        var setup = TerminalSetup()
        // The class for Windows takes what is cut for an error: a scenario of its own shows it.
        let versions: [InnerFenceVersion] = [.corrected, .corrected, .published2014, .head2019]
        setup.client.version = versions[Int(random.next(below: UInt64(versions.count)))]
        for _ in 0..<8 {
            // A gateway that loses its answers lets the terminal's user pay twice: not the app's.
            let answers: [SimulatedTerminal.Answer] = [.approved, .declined, .error]
            setup.terminal.answers.append(answers[Int(random.next(below: UInt64(answers.count)))])
            setup.callbacks.append(Self.callback(&random))
        }
        if random.next(below: 2) == 0 { setup.terminal.tip = Amount(minorUnits: 150) }
        var configuration = RigConfiguration(readers: [], choices: .seeded(seed))
        configuration.terminal = setup
        configuration.plant = plant
        rig = Rig(configuration, cache: cache)
        laws = LawBook(lawsOff: off, readerCount: 0)
    }

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

    /// Plays once and returns what the laws found, and what the app was told against the books.
    static func violations(
        seed: UInt64,
        plant: Plant? = nil,
        only law: LawName? = nil,
        cache: CryptoCache
    ) -> [String] {
        let off = LawName.allCases.filter { law != nil && $0 != law }
        var play = TerminalPlay(seed: seed, plant: plant, laws: off, cache: cache)
        play.rig.start()
        for _ in 0..<actCount {
            play.act()
            play.pass(Int(play.random.next(below: 5)))
        }
        play.settle()
        play.laws.finish(in: play.rig.journal)
        var found = play.laws.violations.map { $0.law.spelling }
        if law == nil {
            for order in play.told where !play.booked.contains(order) {
                found.append("the app was told that \(order) is paid, and nothing was booked")
            }
        }
        return found
    }

    private mutating func act() {
        switch random.next(below: 12) {
        case 0, 1: charge(isNew: true)
        case 2: charge(isNew: false)
        case 3, 4, 5:
            let cards = ["visa", "amex", "mastercard", "discover"]
            _ = rig.payAtTerminal(cards[Int(random.next(below: 4))])
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

    private mutating func pass(_ eventCount: Int) {
        observe()
        for _ in 0..<eventCount {
            if rig.isQuiet || rig.advance() == .nothing { break }
            observe()
        }
    }

    private mutating func settle() {
        observe()
        var count = 0
        while !rig.isQuiet, rig.advance() != .nothing, count < 10_000 {
            observe()
            count += 1
        }
    }

    private mutating func observe() {
        while seenCount < rig.journal.count {
            if let record = rig.journal.record(seenCount) {
                laws.observe(record, in: rig.journal)
                note(record)
            }
            seenCount += 1
        }
    }

    private mutating func note(_ record: Record) {
        guard case .text(let id) = rig.journal.value(.orderID, of: record) else { return }
        switch record.name {
        case .booked: booked.append(id.description)
        case .chargeResponse:
            if rig.journal.value(.result, of: record) == .symbol(.approved) {
                told.append(id.description)
            }
        default: break
        }
    }
}
