import EventLoops
import Testing

/// Sources: the first outputs of the reference `splitmix64.c` (Sebastiano Vigna, 2015) for the
/// seeds 0 and 1234567, and Rosetta Code, "Pseudo-random numbers/Splitmix64", for 1234567 and for
/// the counts of 987654321.
@Suite("SplitMix64")
struct SplitMix64Tests {
    @Test(
        arguments: [
            (
                0,
                [
                    0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F,
                    0xF88B_B8A8_724C_81EC, 0x1B39_896A_51A8_749B,
                ]
            ),
            (
                1_234_567,
                [
                    6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                    4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
                ]
            ),
        ] as [(UInt64, [UInt64])]
    )
    func givesThePublishedNumbers(seed: UInt64, numbers: [UInt64]) {
        var random = SplitMix64(seed: seed)
        #expect(numbers.map { _ in random.next() } == numbers)
    }

    @Test func drawsBelowABoundAsOftenAsPublished() {
        var random = SplitMix64(seed: 987_654_321)
        var counts = [0, 0, 0, 0, 0]
        for _ in 0..<100_000 { counts[Int(random.next(below: 5))] += 1 }
        #expect(counts == [20_027, 19_892, 20_073, 19_978, 20_030])
    }
}
