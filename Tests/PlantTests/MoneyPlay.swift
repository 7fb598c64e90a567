import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Journal
import Laws
import Rig
import SDKCore
import SimulatedGateways
import SimulatedReaders
import Transports

/// A play about money alone: a merchant asks NMI for everything it can be asked for, and any answer
/// of any exchange is lost, late, damaged or untrue, before or after the booking, as a seed says.
///
/// Nothing is refused as a duplicate. One play in eight has the merchant's server between app and
/// gateway, with faults on either hop.
struct MoneyPlay {
    private var rig: Rig
    private var laws: LawBook
    private var random: SplitMix64
    private let isRelayed: Bool
    private var seenCount = 0
    /// Orders that the app was told are paid, and those that were booked.
    private var told: [String] = []
    private var booked: [String] = []

    /// How many acts a play has.
    static let actCount = 12

    private init(seed: UInt64, plant: Plant?, laws off: [LawName], cache: CryptoCache) {
        random = SplitMix64(seed: SplitMix64.mix(seed))
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
        rig = Rig(configuration, cache: cache)
        laws = LawBook(lawsOff: off, readerCount: 1)
    }

    /// Plays once and returns what the laws found, and what the app was told against the books.
    static func violations(
        seed: UInt64,
        plant: Plant? = nil,
        only law: LawName? = nil,
        cache: CryptoCache
    ) -> [String] {
        let off = LawName.allCases.filter { law != nil && $0 != law }
        var play = MoneyPlay(seed: seed, plant: plant, laws: off, cache: cache)
        play.rig.start()
        play.enterCard()
        for _ in 0..<actCount {
            play.act()
            play.pass(Int(play.random.next(below: 6)))
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

    private mutating func enterCard() {
        let isEncrypted = isRelayed && random.next(below: 2) == 0
        _ = rig.enterCard("visa", securityCode: nil, isEncrypted: isEncrypted)
    }

    private mutating func act() {
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
        var answer = answers[Int(random.next(below: UInt64(answers.count)))]
        let kinds = GatewayRequestKind.allCases
        let isBefore = random.next(below: 2) == 0
        if isRelayed, random.next(below: 2) == 0 {
            let own: [GatewayFault.Answer] = [
                .timeout, .reset, .garbage, .httpStatus(503), .refused, .slow(.seconds(40)),
            ]
            answer = own[Int(random.next(below: UInt64(own.count)))]
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
                    ? nil : kinds[Int(random.next(below: UInt64(kinds.count)))],
                phase: isBefore || booksNothing ? .beforeBooking : .afterBooking,
                answer: answer
            )
        )
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
        case .booked where rig.journal.value(.state, of: record) != .symbol(.failed):
            booked.append(id.description)
        case .chargeFinished, .authorizationFinished, .creditFinished, .offlineFinished,
            .refundFinished:
            if rig.journal.value(.result, of: record) == .symbol(.approved) {
                told.append(id.description)
            }
        default: break
        }
    }
}
