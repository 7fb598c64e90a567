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

/// A play at a payment reader without a scenario: cardholder, app, merchant, link and service act
/// at random, as a seed says, and only the laws judge.
struct PayPlay {
    /// How many acts a play has.
    static let actCount = 24

    private var rig: Rig
    private var laws: LawBook
    private var random: SplitMix64
    private var seenCount = 0
    /// What somebody waits for: the last record that calls for an act.
    private var cue: Cue?
    /// The last units that were disturbed, to the host and to the reader.
    private var disturbedUnits = [0, 0]
    private(set) var bookedCount = 0
    private(set) var transitionCount = 0
    private(set) var webhookNumbers: Set<Int64> = []
    private(set) var results: [Symbol] = []

    private enum Cue { case card, keys, choice, issuer, signature, removal, end }

    private init(seed: UInt64, plant: Plant?, cache: CryptoCache) {
        random = SplitMix64(seed: seed)
        var miura = MiuraReaderConfiguration()
        miura.serialNumber = "17000470"
        let carriers: [PaymentReaderAddress.Carrier] = [.bluetooth, .bluetooth, .network, .serial]
        let carrier = carriers[random.index(below: 4)]
        miura.announcesPowerOn = carrier != .serial
        miura.wifi = MiuraWiFiConfiguration(listenPort: 6_543)
        var reader = RigReader(name: "miura", endpoint: .miura(miura), isAttachedAtStart: true)
        reader.address = PaymentReaderAddress(carrier)
        var configuration = RigConfiguration(readers: [reader])
        var setup = AgentCASHSetup(.test)
        setup.provider.profile.checksAccountFirst = random.next(below: 4) == 0
        if random.next(below: 3) == 0 { setup.provider.profile.lostReader = .reverses }
        if random.next(below: 2) == 0 { setup.provider.profile.decline = .error }
        configuration.agentcash = setup
        configuration.plant = plant
        rig = Rig(configuration, cache: cache)
        laws = LawBook(lawsOff: [], readerCount: 1, readerKinds: ["miura"])
    }

    /// Plays once.
    static func play(seed: UInt64, plant: Plant? = nil, cache: CryptoCache) -> PayPlay {
        var play = PayPlay(seed: seed, plant: plant, cache: cache)
        play.rig.start()
        for _ in 0..<actCount {
            play.act()
            play.pass(play.random.index(below: 16))
        }
        play.rig.pausesAtEvents = []
        play.settle()
        play.laws.finish(in: play.rig.journal)
        return play
    }

    /// What the laws found.
    var violations: [LawViolation] { laws.violations }

    // MARK: Acts

    private mutating func act() {
        if cue != nil, random.next(below: 3) != 0 { return follow() }
        switch random.next(below: 20) {
        case 0, 1, 2, 3: authorize()
        case 4, 5, 6, 7, 8, 9, 10: follow()
        case 11: actAsHand()
        case 12: disturb()
        case 13, 14: armService()
        case 15, 16: actAsApp()
        case 17: wait(.milliseconds(Int64(random.next(below: 4_000))))
        case 18: wait(.seconds(Int64(random.next(below: 90))))
        default: settle()
        }
    }

    private mutating func authorize() {
        if random.next(below: 3) != 0 {
            rig.act(.plugIn(reader: 0))
            rig.act(.switchOn(reader: 0))
        }
        let amounts = ["15.00", "20.00", "20", "15"]
        var parameters = AuthRequestParams(
            amount: random.next(below: 30) == 0 ? "1.234" : amounts[random.index(below: 4)],
            currency: "GBP",
            capture: random.next(below: 2) == 0
        )
        parameters.externalID = random.next(below: 2) == 0 ? "order-1" : ""
        parameters.webhookURL = "https://merchant.invalid/events"
        let isLost = random.next(below: 20) == 0
        _ = rig.pay(.authorize(parameters, reader: 0, address: isLost ? "AgentCASH 000" : nil))
    }

    /// Lets events pass until somebody is waited for, and does what is wanted, mostly.
    private mutating func follow() {
        var count = 0
        while cue == nil, !rig.isQuiet, count < 400, rig.advance() != .nothing {
            observe()
            count += 1
        }
        guard let cue else { return }
        self.cue = nil
        if cue != .issuer, random.next(below: 6) == 0 { return actAsHand() }
        switch cue {
        case .card:
            if random.next(below: 5) == 0 { loseAnswers(.auth) }
            presentCard()
        case .keys: press(["1234 enter", "1234 enter", "4321 enter"][random.index(below: 3)])
        case .choice: press(random.next(below: 2) == 0 ? "1" : "2")
        case .issuer:
            // While the answer is on its way.
            switch random.next(below: 6) {
            case 0: _ = rig.pay(.cancel)
            case 1: rig.act(.unplug(reader: 0))
            default: break
            }
        case .signature:
            if random.next(below: 4) == 0 { loseAnswers(.update) }
            switch random.next(below: 6) {
            case 0: rig.act(.switchOff(reader: 0))
            case 1: break
            default: sign()
            }
        case .end: if random.next(below: 2) == 0 { followUp() }
        case .removal: rig.act(.removeCard(reader: 0))
        }
    }

    /// The answer to the next request of a kind is lost, and now and then those of look-ups too.
    private mutating func loseAnswers(_ kind: GatewayRequestKind) {
        let answers: [GatewayFault.Answer] = [.timeout, .reset, .garbage]
        _ = rig.arm(
            GatewayFault(
                kind: kind,
                phase: random.next(below: 3) == 0 ? .beforeBooking : .afterBooking,
                answer: answers[random.index(below: 3)]
            )
        )
        for _ in 0..<[0, 0, 1, 3][random.index(below: 4)] {
            _ = rig.arm(GatewayFault(kind: .query, phase: .beforeBooking, answer: .timeout))
        }
    }

    /// Captures or pays back, now and then twice at once.
    private mutating func followUp() {
        let amounts: [Amount?] = [
            nil, Amount(minorUnits: 1_200), Amount(minorUnits: 2_500), Amount(minorUnits: 1),
        ]
        let amount = amounts[random.index(below: 4)]
        let call: PaymentCall = random.next(below: 2) == 0 ? .capture(amount) : .refund(amount)
        if random.next(below: 4) == 0 {
            if case .capture = call { loseAnswers(.capture) } else { loseAnswers(.refund) }
        }
        for _ in 0...random.index(below: 2) { _ = rig.pay(call) }
    }

    private mutating func presentCard() {
        let cards = [
            "emv-visa-pin", "emv-visa-signature", "emv-overrules-issuer", "emv-visa-no-cvm",
            "emv-two-applications", "emv-visa-online-pin", "emv-offline-declined",
        ]
        switch random.next(below: 8) {
        case 0: rig.act(.tap(reader: 0, card: "contactless-visa"))
        case 1: rig.act(.swipe(reader: 0, card: "visa", quality: .good))
        default: rig.act(.insert(reader: 0, card: cards[random.index(below: 7)]))
        }
    }

    private mutating func press(_ words: String) {
        rig.act(.press(reader: 0, MiuraKey.keys(words) ?? [], pause: .milliseconds(50)))
    }

    private mutating func sign() {
        let results: [SignatureCollectionResult] = [
            .successful, .successful, .cancelled, .signaturesDontMatch,
        ]
        _ = rig.pay(
            .sign(results[random.index(below: 4)], hasImage: random.next(below: 4) != 0)
        )
    }

    private mutating func actAsHand() {
        switch random.next(below: 12) {
        case 0, 1, 2: rig.act(.removeCard(reader: 0))
        case 3: press("cancel")
        case 4: press("clear")
        case 5: rig.act(.unplug(reader: 0))
        case 6, 7: rig.act(.plugIn(reader: 0))
        case 8: rig.act(.switchOff(reader: 0))
        case 9, 10: rig.act(.switchOn(reader: 0))
        default: rig.act(.reboot(reader: 0))
        }
    }

    private mutating func disturb() {
        let actions: [LinkFault.Action] = [
            .drop, .corrupt(at: 0, xor: 0x20), .delay(.milliseconds(300)), .cut, .duplicate,
        ]
        let distance = random.index(below: 6)
        let direction: LinkFault.Direction = distance % 2 == 0 ? .toHost : .toReader
        let passed =
            direction == .toHost
            ? rig.linkPosition(of: 0) : rig.hostLinkPosition(of: 0)
        let unit = passed.unitCount + 1 + distance
        guard unit > disturbedUnits[Int(direction.rawValue)] else { return }
        disturbedUnits[Int(direction.rawValue)] = unit
        rig.inject(
            LinkFault(actions[random.index(below: 5)], at: .unit(unit), direction: direction),
            reader: 0
        )
    }

    private mutating func armService() {
        let kinds: [GatewayRequestKind] = [.auth, .auth, .update, .void, .capture, .refund, .query]
        let answers: [GatewayFault.Answer] = [
            .timeout, .reset, .garbage, .httpStatus(500), .httpApproval(500), .refused,
            .slow(.seconds(20)), .slow(.seconds(40)), .decline(.declined),
        ]
        _ = rig.arm(
            GatewayFault(
                kind: kinds[random.index(below: 7)],
                phase: random.next(below: 2) == 0 ? .beforeBooking : .afterBooking,
                answer: answers[random.index(below: 9)]
            )
        )
    }

    private mutating func actAsApp() {
        switch random.next(below: 16) {
        case 0, 1: _ = rig.pay(.cancel)
        case 2, 3, 4, 5, 6, 7: followUp()
        case 8: _ = rig.pay(.paymentInfo)
        case 9: _ = rig.pay(.payments(externalID: "order-1"))
        case 10: sign()
        case 11: authorize()
        case 12: rig.killApp()
        case 13: rig.launchApp()
        default:
            let events: [RecordName] = [
                .progressChanged, .userActionRequired, .completed, .openPaymentSettled,
            ]
            rig.pausesAtEvents = [events[random.index(below: 4)]]
        }
    }

    // MARK: Time

    private mutating func pass(_ eventCount: Int) {
        observe()
        for _ in 0..<eventCount {
            // Whoever is waited for is quick, mostly: the next event may be a minute away.
            if cue != nil, random.next(below: 16) != 0 { break }
            if rig.callback != nil, random.next(below: 3) == 0 { actAsApp() }
            if rig.advance() == .nothing { break }
            observe()
        }
    }

    /// Lets time pass, whatever is pending.
    private mutating func wait(_ duration: VirtualDuration) {
        rig.setScriptTimer(1, at: rig.now + duration)
        while true {
            switch rig.advance() {
            case .script, .nothing: return
            case .handled: observe()
            }
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
        switch record.name {
        case .progressChanged:
            switch rig.journal.value(.state, of: record) {
            case .symbol(.waitingForCard), .symbol(.cardRetryRequested), .symbol(.insertRequested):
                cue = .card
            case .symbol(.removeCard): if cue != .signature { cue = .removal }
            case .symbol(.onlineAuthorisation): cue = .issuer
            default: break
            }
        case .pinAsked: cue = .keys
        case .choiceAsked: cue = .choice
        case .userActionRequired: cue = .signature
        case .completed:
            cue = .end
            if case .symbol(let result) = rig.journal.value(.result, of: record) {
                results.append(result)
            }
        case .booked:
            bookedCount += 1
            transitionCount += 1
        case .captured, .released, .expired, .reversed, .refunded: transitionCount += 1
        case .webhookDelivered:
            if case .integer(let number) = rig.journal.value(.number, of: record) {
                webhookNumbers.insert(number)
            }
        default: break
        }
    }
}

extension SplitMix64 {
    /// Returns a number from 0 to below the count.
    fileprivate mutating func index(below count: UInt64) -> Int { Int(next(below: count)) }
}
