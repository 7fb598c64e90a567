import EventLoops
import Testing

@Suite("Lateness tally")
struct LatenessTallyTests {
    @Test func anEmptyTallyIsInTime() {
        let tally = LatenessTally()
        #expect(tally.percentile(99) == .zero)
        #expect(!tally.isBusy)
    }

    @Test(arguments: [0, 1, 63, 64, 1_000, 12_345, 999_999, 5_000_000, 1_000_000_007] as [Int64])
    func aPercentileIsAtMostASixteenthTooLarge(nanoseconds: Int64) {
        var tally = LatenessTally()
        tally.note(.nanoseconds(nanoseconds))
        tally.note(.seconds(1_000))
        let found = tally.percentile(50).nanoseconds
        #expect(found >= nanoseconds)
        #expect(found - nanoseconds <= max(64, nanoseconds / 16 + 1))
    }

    @Test func percentilesAreThoseOfTheSortedTimes() {
        var tally = LatenessTally()
        for number in (1...1_000).reversed() { tally.note(.microseconds(Int64(number))) }
        for percent in [1, 50, 90, 99, 100] {
            let exact = Int64(percent) * 10_000
            let found = tally.percentile(percent).nanoseconds
            #expect(found >= exact && found <= exact + exact / 16 + 64)
        }
        #expect(tally.largest == .milliseconds(1))
        #expect(tally.count == 1_000)
    }

    @Test func whatComesEarlyIsInTimeAndWhatComesInAYearIsCounted() {
        var tally = LatenessTally()
        tally.note(.nanoseconds(-5))
        #expect(tally.largest == .zero)
        tally.note(.nanoseconds(.max))
        #expect(tally.count == 2)
        #expect(tally.percentile(100) <= .nanoseconds(.max))
    }

    @Test func aMachineIsTooBusyWhenOneOfAHundredIsMoreThanFiveMillisecondsLate() {
        var tally = LatenessTally()
        for _ in 0..<99 { tally.note(.milliseconds(1)) }
        tally.note(.milliseconds(50))
        #expect(!tally.isBusy)
        tally.note(.milliseconds(50))
        #expect(tally.isBusy)
    }

    @Test func addingGivesWhatNotingAllWouldHaveGiven() {
        var one = LatenessTally()
        var other = LatenessTally()
        var both = LatenessTally()
        for number in 0..<100 {
            let late = VirtualDuration.microseconds(Int64(number * number))
            if number % 3 == 0 { one.note(late) } else { other.note(late) }
            both.note(late)
        }
        one.add(other)
        #expect(one == both)
    }
}
