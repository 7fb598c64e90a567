package import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Journal
import Laws
import Rig
package import SDKCore
import SimulatedGateways

// A merchant who takes payments one after the other, captures and refunds, and in the end compares
// what the app was told with what the service booked.
extension CardPaymentPlay {
    private static let eightDays = VirtualDuration.seconds(8 * 86_400)
    /// How often the app asks about what it does not know, when questions are lost too.
    private static let questionCount = 8

    /// Takes so many payments and adds up.
    package static func takePayments(
        _ paymentCount: Int,
        seed: UInt64,
        plant: Plant? = nil,
        weights: CardPaymentWeights = .customers,
        cache: CryptoCache
    ) -> PaymentSums {
        var play = CardPaymentPlay(seed: seed, plant: plant, weights: weights, cache: cache)
        play.rig.start()
        for _ in 0..<paymentCount { play.takePayment() }
        play.clearUp()
        play.finish()
        return play.sums
    }

    // MARK: One payment

    private mutating func takePayment() {
        if random.isOne(in: weights.disturbedCustomers) {
            if random.isOne(in: 3) { disturbLink() } else { disturbService() }
        }
        cue = nil
        let isSale = !random.isOne(in: 3)
        var parameters = AuthRequestParams(
            amount: Amount(minorUnits: 100 + Int64(random.next(below: 9_900))).description,
            currency: "GBP",
            capture: isSale
        )
        parameters.externalID = books.openPayment()
        _ = rig.pay(.authorize(parameters, reader: 0, address: nil))
        serve()
        tidyUp()
        guard books.isLastApproved else { return }
        if !isSale, !random.isOne(in: 4) { followUp(.capture(amount())) }
        if random.isOne(in: 3) { followUp(.refund(amount())) }
        if random.isOne(in: 8) { followUp(.refund(nil)) }
    }

    /// Does what is waited for, mostly, until the payment is over.
    private mutating func serve() {
        observe()
        while !books.isLastOver, !rig.isQuiet, rig.advance() != .nothing {
            observe()
            answerCue()
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

    // MARK: What follows a payment

    /// All, some, or more than there is.
    private mutating func amount() -> Amount? {
        random.isOne(in: 2) ? nil : Amount(minorUnits: 1 + Int64(random.next(below: 6_000)))
    }

    private mutating func followUp(_ call: PaymentCall) {
        books.asksAboutLast()
        _ = rig.pay(call)
        settle()
        books.isAnswered()
    }

    /// Asks about what is not known, and lets what is held expire.
    private mutating func clearUp() {
        tidyUp()
        for _ in 0..<Self.questionCount {
            for externalID in books.doubts {
                books.asks(about: externalID)
                _ = rig.pay(.payments(externalID: externalID))
                settle()
            }
        }
        books.isAnswered()
        wait(Self.eightDays)
        settle()
    }

    // MARK: The sums

    private var sums: PaymentSums {
        var sums = PaymentSums()
        sums.paymentCount = books.paymentCount
        sums.told = books.told
        for entry in rig.serviceEntries { sums.add(entry.transaction) }
        let doubtCount = books.doubts.count
        if doubtCount > 0 { sums.complaints.append("\(doubtCount) payments stay in doubt") }
        if let difference = sums.difference { sums.complaints.append(difference) }
        for violation in violations {
            sums.complaints.append("\(violation.law.spelling): \(violation.explanation)")
        }
        return sums
    }
}
