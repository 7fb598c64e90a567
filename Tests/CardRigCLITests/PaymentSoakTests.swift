import CardCrypto
import Plays
import SDKCore
import Testing

@testable import CardRigCLI

/// A long play of card payments: what the app was told is what the service booked.
@Suite("Soak of card payments")
struct PaymentSoakTests {
    @Test func whatIsToldIsWhatIsBooked() {
        let soak = PaymentSoak(paymentCount: 600)
        #expect(soak.total.complaints == [])
        #expect(soak.total.booked > 0)
        #expect(soak.total.told == soak.total.booked)
        // Each way in which an authorisation can end is played.
        #expect(soak.total.capturedCount > 50)
        #expect(soak.total.refundedCount > 5)
        #expect(soak.total.letGoCount > 5)
        #expect(
            soak.total.capturedCount + soak.total.refundedCount + soak.total.letGoCount
                == soak.total.authorisedCount
        )
    }

    @Test func sumsThatDifferAreTold() {
        var result = PaymentSums()
        result.told = 1_000
        result.booked = 1_000
        #expect(result.difference == nil)
        result.told = 2_000
        #expect(result.difference == "the app was told 20.00, the service booked 10.00")
    }

    @Test func oneRigIsEnough() {
        let soak = PaymentSoak(paymentCount: 1)
        #expect(soak.total.paymentCount == 25)
        #expect(soak.summary.hasPrefix("25 card payments, "))
    }

    @Test func theSamePaymentsAreTakenEachTime() {
        let first = PaymentSoak(paymentCount: 100).total
        let second = PaymentSoak(paymentCount: 100).total
        #expect(first.told == second.told && first.booked == second.booked)
        #expect(first.authorisedCount == second.authorisedCount)
    }

    @Test(arguments: [
        (Plant.authorisesAgain, "charged-at-most-once: "),
        (.refundsAgain, "refunded-within-captured: "),
    ])
    func aMistakeOfTheProviderIsFound(plant: Plant, complaint: String) {
        #expect(isFound(plant, complaint))
    }

    private func isFound(_ plant: Plant, _ complaint: String) -> Bool {
        let cache = CryptoCache()
        return (UInt64(1)...200).contains { seed in
            CardPaymentPlay.takePayments(25, seed: seed, plant: plant, cache: cache).complaints
                .contains { $0.hasPrefix(complaint) }
        }
    }
}
