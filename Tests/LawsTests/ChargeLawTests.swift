import CardData
import Journal
import Laws
import Testing

@Suite("charged-at-most-once")
struct ChargeLawTests {
    @Test func anOrderIsBookedOnceForEachRequest() {
        var stream = RecordStream()
        for _ in 0..<2 {
            stream.requested("A-1")
            stream.booked("A-1")
        }
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func aSecondBookingForOneRequestIsReported() {
        var stream = RecordStream()
        stream.requested("A-1")
        stream.booked("A-1")
        stream.booked("A-1")
        #expect(stream.broken == [.chargedAtMostOnce])
        #expect(stream.laws.violations.first?.sequence == 2)
        #expect(
            stream.laws.violations.first?.explanation
                == """
                a charge that is asked for is booked at most once, but order A-1 was asked for \
                once and booked 2 times
                """
        )
    }

    @Test func aBookingThatNobodyAskedForIsReported() {
        var stream = RecordStream()
        stream.requested("A-1")
        stream.booked("A-2")
        #expect(stream.broken == [.chargedAtMostOnce])
    }

    @Test func ordersThatInterleaveAreCountedApart() {
        var stream = RecordStream()
        stream.requested("A-1")
        stream.requested("A-2")
        stream.booked("A-2")
        stream.booked("A-1")
        #expect(stream.laws.violations == [])
        stream.booked("A-2")
        #expect(stream.broken == [.chargedAtMostOnce])
    }

    @Test func aVoidedBookingStillCounts() {
        var stream = RecordStream()
        stream.requested("A-1")
        stream.booked("A-1")
        stream.write(.canceled, [Attribute(.orderID, .text(SafeText("A-1")))])
        stream.booked("A-1")
        #expect(stream.broken == [.chargedAtMostOnce])
    }

    @Test func declinedSalesAndVoidsAreNoCharges() {
        var stream = RecordStream()
        stream.requested("A-1")
        stream.booked("A-1", state: .failed)
        stream.booked("A-1")
        stream.booked("A-1", type: .void)
        #expect(stream.laws.violations == [])
    }

    @Test(arguments: [
        (RecordName.authorizationRequested, Symbol.auth, "charge"),
        (.refundRequested, .refund, "refund"),
    ])
    func authorisationsAndRefundsAreHeldToItToo(
        request: RecordName,
        type: Symbol,
        noun: String
    ) {
        var stream = RecordStream()
        stream.write(request, [Attribute(.orderID, .text(SafeText("A-1")))])
        stream.booked("A-1", type: type)
        #expect(stream.laws.violations == [])
        stream.booked("A-1", type: type)
        #expect(stream.broken == [.chargedAtMostOnce])
        #expect(stream.laws.violations.first?.explanation.hasPrefix("a \(noun) that") == true)
    }

    @Test func aLongRunForgetsOldOrdersWithoutBlamingThem() {
        var stream = RecordStream()
        for order in 0..<10_000 { stream.requested(SafeText(order)) }
        stream.booked(SafeText(0))
        stream.booked(SafeText(9_999))
        #expect(stream.laws.violations == [])
        stream.booked(SafeText(9_999))
        stream.booked(SafeText(6_000))
        stream.booked(SafeText(6_000))
        #expect(stream.broken == [.chargedAtMostOnce, .chargedAtMostOnce])
    }
}
