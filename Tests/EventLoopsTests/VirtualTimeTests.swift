import EventLoops
import Testing

@Suite("Virtual time")
struct VirtualTimeTests {
    @Test(
        arguments: [
            (0, "0 s"), (1, "1 ns"), (999, "999 ns"), (1_000, "1 µs"), (1_050, "1.05 µs"),
            (999_999, "999.999 µs"), (1_000_000, "1 ms"), (12_345_000, "12.345 ms"),
            (12_345_678, "12.345678 ms"), (1_000_000_000, "1 s"), (1_500_000_000, "1.5 s"),
            (60_000_000_000, "60 s"), (1_000_000_001, "1.000000001 s"), (-1, "-1 ns"),
            (-2_500_000, "-2.5 ms"), (.max, "9223372036.854775807 s"),
            (.min, "-9223372036.854775808 s"),
        ] as [(Int64, String)]
    )
    func aLengthIsWrittenExactly(nanoseconds: Int64, text: String) {
        #expect(VirtualDuration(nanoseconds: nanoseconds).text == text)
    }

    @Test func sumsEndAtTheLongestTimeThereIs() {
        let longest = VirtualDuration(nanoseconds: .max)
        #expect(VirtualInstant.seconds(1) + longest == .distantFuture)
        #expect(.seconds(1) + longest == longest)
        #expect(VirtualDuration.seconds(1_000_000) * 1_000_000 == longest)
        #expect(.seconds(2) * 3 == VirtualDuration.seconds(6))
        #expect(VirtualInstant.seconds(1) - .seconds(3) == .milliseconds(-2_000))
    }
}
