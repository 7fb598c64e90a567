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

/// Cardholder, app, merchant, link and service at a Miura reader with AgentCASH.
///
/// It plays in one of two ways: as acts that have nothing to do with one another, for the laws
/// (``played(seed:plant:weights:cache:)``), or as a merchant who takes one payment after the other
/// and adds up (``takePayments(_:seed:plant:weights:cache:)``).
package struct CardPaymentPlay: Play {
    /// How many acts a play has.
    private static let actCount = 24

    /// What somebody waits for.
    enum Cue { case card, keys, choice, issuer, signature, removal, end }

    package var stage: Stage
    let weights: CardPaymentWeights
    /// The last record that calls for an act.
    var cue: Cue?
    /// The last units that were disturbed, to the host and to the reader.
    private var disturbedUnits = [0, 0]
    private var transitionCount = 0
    private var webhookNumbers: Set<Int64> = []
    /// How payments and other requests ended, in their order.
    package private(set) var results: [Symbol] = []
    /// What the app knows, where a merchant keeps books.
    var books = MerchantBooks()

    init(seed: UInt64, plant: Plant?, weights: CardPaymentWeights, cache: CryptoCache) {
        self.weights = weights
        var random = SplitMix64(seed: seed)
        var miura = MiuraReaderConfiguration()
        miura.serialNumber = "17000470"
        let carrier: PaymentReaderAddress.Carrier = random.choice([
            .bluetooth, .bluetooth, .network, .serial,
        ])
        miura.announcesPowerOn = carrier != .serial
        miura.wifi = MiuraWiFiConfiguration(listenPort: 6_543)
        var reader = RigReader(name: "miura", endpoint: .miura(miura), isAttachedAtStart: true)
        reader.address = PaymentReaderAddress(carrier)
        var configuration = RigConfiguration(readers: [reader])
        var setup = AgentCASHSetup(.test)
        setup.provider.profile.checksAccountFirst = random.isOne(in: 4)
        if random.isOne(in: 3) { setup.provider.profile.lostReader = .reverses }
        if random.isOne(in: 2) { setup.provider.profile.decline = .error }
        configuration.agentcash = setup
        configuration.plant = plant
        stage = Stage(
            configuration,
            laws: LawBook(lawsOff: [], readerCount: 1, readerKinds: ["miura"]),
            random: random,
            cache: cache
        )
    }

    /// Plays once, for the laws.
    package static func played(
        seed: UInt64,
        plant: Plant? = nil,
        weights: CardPaymentWeights = .rough,
        cache: CryptoCache
    ) -> CardPaymentPlay {
        var play = CardPaymentPlay(seed: seed, plant: plant, weights: weights, cache: cache)
        play.perform(actCount: actCount, eventBound: 16)
        return play
    }

    /// Every payment had an address that is told of each change of its money.
    package var complaints: [String] {
        guard webhookNumbers.count != transitionCount else { return [] }
        return ["\(transitionCount) changes of money, told of \(webhookNumbers.count)"]
    }

    // MARK: Acts

    package mutating func act() {
        if cue != nil, !random.isOne(in: 3) { return follow() }
        switch random.next(below: 20) {
        case 0, 1, 2, 3: authorize()
        case 4, 5, 6, 7, 8, 9, 10: follow()
        case 11: actAsHand()
        case 12: disturbLink()
        case 13, 14: disturbService()
        case 15, 16: actAsApp()
        case 17: wait(.milliseconds(Int64(random.next(below: 4_000))))
        case 18: wait(.seconds(Int64(random.next(below: 90))))
        default: settle()
        }
    }

    package mutating func actInCallback() { actAsApp() }

    /// Whoever is waited for is quick, mostly: the next event may be a minute away.
    package mutating func isInAHurry() -> Bool { cue != nil && !random.isOne(in: 16) }

    private mutating func authorize() {
        if !random.isOne(in: 3) {
            rig.act(.plugIn(reader: 0))
            rig.act(.switchOn(reader: 0))
        }
        var parameters = AuthRequestParams(
            amount: random.isOne(in: 30) ? "1.234" : random.choice(["15.00", "20.00", "20", "15"]),
            currency: "GBP",
            capture: random.isOne(in: 2)
        )
        parameters.externalID = random.isOne(in: 2) ? "order-1" : ""
        parameters.webhookURL = "https://merchant.invalid/events"
        let isLost = random.isOne(in: 20)
        _ = rig.pay(.authorize(parameters, reader: 0, address: isLost ? "AgentCASH 000" : nil))
    }

    /// Lets events pass until somebody is waited for, and does what is wanted, mostly.
    private mutating func follow() {
        var count = 0
        while cue == nil, !rig.isQuiet, count < 400, rig.advance() != .nothing {
            observe()
            count += 1
        }
        answerCue()
    }

    /// Does what somebody waits for, or, as often as the weights say, something else.
    mutating func answerCue() {
        guard let cue else { return }
        self.cue = nil
        if cue != .issuer, random.isOne(in: weights.otherActs) { return actAsHand() }
        switch cue {
        case .card:
            if random.isOne(in: weights.lostAuthorisations) { loseAnswers(.auth) }
            presentCard()
        case .keys: press(random.isOne(in: weights.wrongPINs) ? "4321 enter" : "1234 enter")
        case .choice: press(random.isOne(in: 2) ? "1" : "2")
        case .issuer:
            // While the answer is on its way.
            if random.isOne(in: weights.cancels) { _ = rig.pay(.cancel) }
            if random.isOne(in: weights.losses) { rig.act(.unplug(reader: 0)) }
        case .signature:
            if random.isOne(in: weights.lostConfirmations) { loseAnswers(.update) }
            if random.isOne(in: weights.losses) { return rig.act(.switchOff(reader: 0)) }
            if !random.isOne(in: weights.forgottenSignatures) { sign() }
        case .removal: rig.act(.removeCard(reader: 0))
        case .end: if random.isOne(in: weights.followUps) { followUp() }
        }
    }

    /// Captures or pays back, now and then twice at once.
    private mutating func followUp() {
        let amount = random.choice([
            nil, Amount(minorUnits: 1_200), Amount(minorUnits: 2_500), Amount(minorUnits: 1),
        ])
        let isCapture = random.isOne(in: 2)
        if random.isOne(in: 4) { loseAnswers(isCapture ? .capture : .refund) }
        for _ in 0...random.index(below: 2) {
            _ = rig.pay(isCapture ? .capture(amount) : .refund(amount))
        }
    }

    private mutating func presentCard() {
        let cards = [
            "emv-visa-pin", "emv-visa-signature", "emv-overrules-issuer", "emv-visa-no-cvm",
            "emv-two-applications", "emv-visa-online-pin", "emv-offline-declined",
        ]
        switch random.next(below: 8) {
        case 0: rig.act(.tap(reader: 0, card: "contactless-visa"))
        case 1: rig.act(.swipe(reader: 0, card: "visa", quality: .good))
        default: rig.act(.insert(reader: 0, card: random.choice(cards)))
        }
    }

    private mutating func press(_ words: String) {
        rig.act(.press(reader: 0, MiuraKey.keys(words) ?? [], pause: .milliseconds(50)))
    }

    private mutating func sign() {
        let result: SignatureCollectionResult =
            random.isOne(in: weights.refusedSignatures)
            ? random.choice([.cancelled, .signaturesDontMatch]) : .successful
        let hasImage = !random.isOne(in: weights.missingImages)
        _ = rig.pay(.sign(result, hasImage: hasImage))
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
            rig.pausesAtEvents = [
                random.choice([
                    .progressChanged, .userActionRequired, .completed, .openPaymentSettled,
                ])
            ]
        }
    }

    // MARK: Faults

    /// The answer to the next request of a kind is lost, and now and then those of look-ups too.
    private mutating func loseAnswers(_ kind: GatewayRequestKind) {
        _ = rig.arm(
            GatewayFault(
                kind: kind,
                phase: random.isOne(in: 3) ? .beforeBooking : .afterBooking,
                answer: random.choice([.timeout, .reset, .garbage])
            )
        )
        for _ in 0..<random.choice([0, 0, 1, 3]) {
            _ = rig.arm(GatewayFault(kind: .query, phase: .beforeBooking, answer: .timeout))
        }
    }

    /// Disturbs a unit of the link that comes soon; no unit is disturbed twice.
    mutating func disturbLink() {
        let direction: LinkFault.Direction = random.isOne(in: 2) ? .toHost : .toReader
        let passed =
            direction == .toHost ? rig.linkPosition(of: 0) : rig.hostLinkPosition(of: 0)
        let unit = passed.unitCount + 1 + random.index(below: weights.disturbedUnits)
        guard unit > disturbedUnits[Int(direction.rawValue)] else { return }
        disturbedUnits[Int(direction.rawValue)] = unit
        let action: LinkFault.Action = random.choice([
            .drop, .corrupt(at: 0, xor: 0x20), .delay(.milliseconds(300)), .cut, .duplicate,
        ])
        rig.inject(LinkFault(action, at: .unit(unit), direction: direction), reader: 0)
    }

    /// Lets the service answer the next request of some kind otherwise than it should.
    mutating func disturbService() {
        _ = rig.arm(
            GatewayFault(
                kind: random.choice([.auth, .auth, .update, .void, .capture, .refund, .query]),
                phase: random.isOne(in: 2) ? .beforeBooking : .afterBooking,
                answer: random.choice([
                    .timeout, .reset, .garbage, .httpStatus(500), .httpApproval(500), .refused,
                    .slow(.seconds(20)), .slow(.seconds(40)), .decline(.declined),
                ])
            )
        )
    }

    // MARK: Records

    package mutating func note(_ record: Record) {
        switch record.name {
        case .progressChanged:
            switch stage.rig.journal.value(.state, of: record) {
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
            if case .symbol(let result) = stage.rig.journal.value(.result, of: record) {
                results.append(result)
            }
        case .booked, .captured, .released, .expired, .reversed, .refunded: transitionCount += 1
        case .webhookDelivered:
            if case .integer(let number) = stage.rig.journal.value(.number, of: record) {
                webhookNumbers.insert(number)
            }
        default: break
        }
        books.note(record, in: stage.rig.journal)
    }
}
