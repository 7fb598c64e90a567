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

/// One rig's payments in a soak: a merchant who takes them one after the other, captures and
/// refunds, and in the end compares what the app was told with what the service booked.
///
/// Cards, acts, link and service are played as a seed says. The app keeps its own books, from
/// nothing but what `completed` and `openPaymentSettled` tell; where an answer was lost it asks
/// with `payments(externalID:)`, as the SDK document says an app should.
struct PaymentPlay {
    /// What came of it.
    struct Result {
        /// How many payments were asked for.
        var paymentCount = 0
        /// How many authorisations the service granted.
        var authorisedCount = 0
        /// How many of them were captured, refunded in part or not.
        var capturedCount = 0
        /// How many of them were refunded whole.
        var refundedCount = 0
        /// How many of them were released, reversed or expired.
        var letGoCount = 0
        /// What the service captured less what it refunded, in minor units.
        var booked: Int64 = 0
        /// The same by what the app was told.
        var told: Int64 = 0
        /// What did not hold, in plain words.
        var complaints: [String] = []

        /// By how much the two sums differ, in plain words; `nil` when they agree.
        var difference: String? {
            guard told != booked else { return nil }
            return "the app was told \(Amount(minorUnits: told)), the service booked "
                + "\(Amount(minorUnits: booked))"
        }
    }

    /// What somebody waits for.
    private enum Cue { case card, keys, choice, signature, removal }

    /// What the app knows of one payment.
    private struct Known {
        var id: String?
        var captured: Int64 = 0
        var refunded: Int64 = 0
        /// Whether an answer is due or was lost.
        var isInDoubt = true
    }

    private static let eightDays = VirtualDuration.seconds(8 * 86_400)
    /// How often the app asks about what it does not know, when questions are lost too.
    private static let questionCount = 8

    private var rig: Rig
    private var laws: LawBook
    private var random: SplitMix64
    private var seenCount = 0
    private var cue: Cue?
    /// The payments in the order in which they were asked for; the external id is the index.
    private var payments: [Known] = []
    /// The payment that is asked about, while a question is.
    private var asked: Int?
    private var isOver = false
    private var lastResult: Symbol?

    private init(seed: UInt64, plant: Plant?, cache: CryptoCache) {
        random = SplitMix64(seed: seed)
        var miura = MiuraReaderConfiguration()
        miura.wifi = MiuraWiFiConfiguration(listenPort: 6_543)
        let carriers: [PaymentReaderAddress.Carrier] = [.bluetooth, .network, .serial]
        let carrier = carriers[random.index(below: 3)]
        miura.announcesPowerOn = carrier != .serial
        var reader = RigReader(name: "miura", endpoint: .miura(miura), isAttachedAtStart: true)
        reader.address = PaymentReaderAddress(carrier)
        var configuration = RigConfiguration(readers: [reader])
        var setup = AgentCASHSetup(.test)
        if random.next(below: 3) == 0 { setup.provider.profile.lostReader = .reverses }
        configuration.agentcash = setup
        configuration.plant = plant
        rig = Rig(configuration, cache: cache)
        laws = LawBook(lawsOff: [], readerCount: 1, readerKinds: ["miura"])
    }

    /// Plays so many payments and adds up.
    static func play(
        paymentCount: Int,
        seed: UInt64,
        plant: Plant? = nil,
        cache: CryptoCache
    ) -> Result {
        var play = PaymentPlay(seed: seed, plant: plant, cache: cache)
        play.rig.start()
        for _ in 0..<paymentCount { play.takePayment() }
        play.clearUp()
        play.laws.finish(in: play.rig.journal)
        return play.addUp()
    }

    // MARK: One payment

    private mutating func takePayment() {
        if random.next(below: 8) == 0 { disturb() }
        isOver = false
        lastResult = nil
        cue = nil
        let isSale = random.next(below: 3) != 0
        var parameters = AuthRequestParams(
            amount: Amount(minorUnits: 100 + Int64(random.next(below: 9_900))).description,
            currency: "GBP",
            capture: isSale
        )
        parameters.externalID = "\(payments.count)"
        payments.append(Known())
        _ = rig.pay(.authorize(parameters, reader: 0, address: nil))
        serve()
        tidyUp()
        guard lastResult == .approved, let known = payments.last, known.id != nil else { return }
        if !isSale, random.next(below: 4) != 0 { followUp(.capture(amount())) }
        if random.next(below: 3) == 0 { followUp(.refund(amount())) }
        if random.next(below: 8) == 0 { followUp(.refund(nil)) }
    }

    /// Does what is waited for, mostly, until the payment is over.
    private mutating func serve() {
        observe()
        while !isOver, !rig.isQuiet, rig.advance() != .nothing {
            observe()
            guard let cue else { continue }
            self.cue = nil
            if random.next(below: 40) == 0 { misbehave() }
            switch cue {
            case .card: presentCard()
            case .keys: press(random.next(below: 8) == 0 ? "4321 enter" : "1234 enter")
            case .choice: press(random.next(below: 2) == 0 ? "1" : "2")
            case .signature: sign()
            case .removal: rig.act(.removeCard(reader: 0))
            }
            observe()
        }
    }

    /// Leaves the reader, the link and the app as the next customer finds them.
    private mutating func tidyUp() {
        rig.act(.removeCard(reader: 0))
        rig.act(.plugIn(reader: 0))
        rig.act(.switchOn(reader: 0))
        rig.launchApp()
        settle()
    }

    private mutating func presentCard() {
        let cards = [
            "emv-visa-pin", "emv-visa-pin", "emv-visa-signature", "emv-visa-no-cvm",
            "emv-visa-online-pin", "emv-two-applications", "emv-offline-declined",
        ]
        switch random.next(below: 6) {
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
            .successful, .successful, .successful, .successful, .cancelled, .signaturesDontMatch,
        ]
        _ = rig.pay(.sign(results[random.index(below: 6)], hasImage: true))
    }

    private mutating func misbehave() {
        switch random.next(below: 7) {
        case 0: rig.act(.removeCard(reader: 0))
        case 1: press("cancel")
        case 2: rig.act(.unplug(reader: 0))
        case 3: rig.act(.switchOff(reader: 0))
        case 4: rig.killApp()
        default: _ = rig.pay(.cancel)
        }
    }

    private mutating func disturb() {
        let kinds: [GatewayRequestKind] = [.auth, .auth, .update, .void, .capture, .refund, .query]
        let answers: [GatewayFault.Answer] = [
            .timeout, .reset, .garbage, .httpStatus(500), .refused, .slow(.seconds(20)),
            .decline(.declined), .decline(.declined),
        ]
        if random.next(below: 3) == 0 {
            let unit = rig.linkPosition(of: 0).unitCount + 1 + random.index(below: 20)
            _ = rig.inject(LinkFault(.cut, at: .unit(unit)), reader: 0)
            return
        }
        _ = rig.arm(
            GatewayFault(
                kind: kinds[random.index(below: 7)],
                phase: random.next(below: 2) == 0 ? .beforeBooking : .afterBooking,
                answer: answers[random.index(below: 8)]
            )
        )
    }

    // MARK: What follows a payment

    /// All, some, or more than there is.
    private mutating func amount() -> Amount? {
        random.next(below: 2) == 0
            ? nil : Amount(minorUnits: 1 + Int64(random.next(below: 6_000)))
    }

    private mutating func followUp(_ call: PaymentCall) {
        payments[payments.count - 1].isInDoubt = true
        asked = payments.count - 1
        _ = rig.pay(call)
        settle()
        asked = nil
    }

    /// Asks about what is not known, and lets what is held expire.
    private mutating func clearUp() {
        tidyUp()
        for _ in 0..<Self.questionCount {
            for index in payments.indices where payments[index].isInDoubt {
                asked = index
                _ = rig.pay(.payments(externalID: "\(index)"))
                settle()
            }
        }
        asked = nil
        rig.setScriptTimer(1, at: rig.now + Self.eightDays)
        while case .handled = rig.advance() { observe() }
        settle()
    }

    private mutating func settle() {
        observe()
        while !rig.isQuiet, rig.advance() != .nothing { observe() }
    }

    // MARK: What is told

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
            case .symbol(.removeCard): cue = .removal
            default: break
            }
        case .pinAsked: cue = .keys
        case .choiceAsked: cue = .choice
        case .userActionRequired: cue = .signature
        case .completed: noteCompletion(record)
        case .openPaymentSettled: noteMoney(record)
        case .appKilled: isOver = true
        default: break
        }
    }

    private mutating func noteCompletion(_ record: Record) {
        isOver = true
        guard case .symbol(let result) = rig.journal.value(.result, of: record) else { return }
        lastResult = result
        let index = asked ?? payments.count - 1
        if case .text(let id) = rig.journal.value(.transactionID, of: record) {
            payments[index].id = id.description
        }
        noteMoney(record)
        let isQuestion = rig.journal.value(.kind, of: record) == .symbol(.payments)
        payments[index].isInDoubt = result == .unknown || (isQuestion && result != .approved)
    }

    private mutating func noteMoney(_ record: Record) {
        guard case .text(let id) = rig.journal.value(.transactionID, of: record),
            let index = payments.lastIndex(where: { $0.id == id.description }),
            case .amount(let captured) = rig.journal.value(.capturedAmount, of: record),
            case .amount(let refunded) = rig.journal.value(.refundedAmount, of: record)
        else { return }
        payments[index].captured = captured.minorUnits
        payments[index].refunded = refunded.minorUnits
    }

    // MARK: The sums

    private func addUp() -> Result {
        var result = Result()
        result.paymentCount = payments.count
        for known in payments { result.told += known.captured - known.refunded }
        for entry in rig.serviceEntries {
            let transaction = entry.transaction
            result.booked +=
                transaction.capturedAmount.minorUnits - transaction.refundedAmount.minorUnits
            switch transaction.state {
            case .captured: result.capturedCount += 1
            case .refunded: result.refundedCount += 1
            case .released, .reversed, .expired: result.letGoCount += 1
            case .declined, .failed: continue
            case .authorised:
                result.complaints.append("authorisation \(transaction.id) is held for ever")
            }
            result.authorisedCount += 1
        }
        let doubtCount = payments.count(where: \.isInDoubt)
        if doubtCount > 0 { result.complaints.append("\(doubtCount) payments stay in doubt") }
        if let difference = result.difference { result.complaints.append(difference) }
        for violation in laws.violations {
            result.complaints.append("\(violation.law.spelling): \(violation.explanation)")
        }
        return result
    }
}

extension SplitMix64 {
    /// Returns a number from 0 to below the count.
    fileprivate mutating func index(below count: UInt64) -> Int { Int(next(below: count)) }
}
