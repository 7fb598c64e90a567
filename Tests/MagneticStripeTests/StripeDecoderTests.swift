import EventLoops
import Testing

@testable import MagneticStripe

@Suite struct StripeDecoderTests {
    private func swipe(
        _ track: StripeTrack,
        _ text: String,
        sampleRate: Int = 48_000,
        _ change: (inout SwipeMotion) -> Void = { _ in }
    ) throws -> StripeDecoder.Reading {
        var motion = SwipeMotion()
        change(&motion)
        let flux = try #require(StripeFlux(track: track, text: text.utf8))
        let signal = HeadSignal(flux: flux, track: track, motion: motion, sampleRate: sampleRate)
        return StripeDecoder(track: track).reading(of: signal)
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func anAcceleratingSwipeIsReadBothWays() throws {
        // The published recipe: cells of 60 to 20 samples at 44.1 kHz.
        for isReversed in [false, true] {
            let reading = try swipe(.two, StripeVectors.track2, sampleRate: 44_100) {
                $0.speedHundredths = 980
                $0.endSpeedHundredths = 2_940
                $0.isReversed = isReversed
            }
            #expect(reading == .read(bytes(StripeVectors.track2), isReversed: isReversed))
        }
    }

    @Test func raisingSpeedAloneTurnsGoodIntoTooFastAtOneBorder() throws {
        var borders: [Int] = []
        var wasRead = true
        for speed in stride(from: 500, through: 8_000, by: 25) {
            let reading = try swipe(.one, StripeVectors.track1) {
                $0.speedHundredths = speed
                $0.endSpeedHundredths = speed
            }
            let isRead = reading == .read(bytes(StripeVectors.track1), isReversed: false)
            if !isRead { #expect(reading == .tooFast) }
            if isRead != wasRead { borders.append(speed) }
            wasRead = isRead
        }
        print("track 1 is read up to \(borders.map { $0 - 25 }) hundredths of an inch a second")
        #expect(borders == [5_725])
    }

    /// One row of the tolerance table: what every seed must survive.
    static let rows:
        [(name: String, track: StripeTrack, change: @Sendable (inout SwipeMotion) -> Void)] =
            [
                ("noise of a tenth", .two, { $0.noisePerMille = 100 }),
                (
                    "noise and acceleration", .two,
                    {
                        $0.noisePerMille = 150
                        $0.speedHundredths = 1_000
                        $0.endSpeedHundredths = 3_000
                    }
                ),
                ("a jolt to half the speed", .two, { $0.joltPercent = 50 }),
                ("a jolt to twice the speed", .two, { $0.joltPercent = 200 }),
                ("clipped to a quarter", .two, { $0.clipPerMille = 250 }),
                ("a demagnetised stripe", .two, { $0.strengthPercent = 2 }),
                (
                    "seven weak pulses", .two,
                    {
                        $0.dropouts = [
                            SwipeMotion.Dropout(
                                startNanometres: 30_000_000,
                                lengthNanometres: 1_750_000,
                                strengthPercent: 5
                            )
                        ]
                    }
                ),
                ("a worn encoder", .one, { $0.jitterPerMille = 50 }),
                ("wide pulses", .two, { $0.halfWidthNanometres = 200_000 }),
                (
                    "at 5 inches a second", .one,
                    {
                        $0.speedHundredths = 500
                        $0.endSpeedHundredths = 500
                    }
                ),
            ]

    @Test(arguments: rows.indices)
    func aSwipeOfTheToleranceTableIsRead(row: Int) throws {
        let (_, track, change) = Self.rows[row]
        let text = track == .one ? StripeVectors.track1 : StripeVectors.track2
        for seed in 0..<10 {
            let reading = try swipe(track, text) {
                $0.seed = UInt64(seed)
                change(&$0)
            }
            #expect(reading == .read(bytes(text), isReversed: false))
        }
    }

    @Test func aHoleInTheDataFailsTheTrackAndOnlyThat() throws {
        let hole = SwipeMotion.Dropout(
            track: .one,
            startNanometres: 30_000_000,
            lengthNanometres: 3_000_000
        )
        #expect(try swipe(.one, StripeVectors.track1) { $0.dropouts = [hole] } == .failed)
        let other = try swipe(.two, StripeVectors.track2) { $0.dropouts = [hole] }
        #expect(other == .read(bytes(StripeVectors.track2), isReversed: false))
    }

    @Test func zerosThatAreMissingInTheMiddleAreNoShorterText() throws {
        let text = ";5999990000000000=4912101000000000?"
        for strength in [0, 2, 5, 20] {
            for start in stride(from: 10_000_000, to: 50_000_000, by: 700_000) {
                let reading = try swipe(.two, text) {
                    $0.noisePerMille = 10
                    $0.dropouts = [
                        SwipeMotion.Dropout(
                            startNanometres: start,
                            lengthNanometres: 1_750_000,
                            strengthPercent: strength
                        )
                    ]
                }
                if case .read(let found, _) = reading { #expect(found == bytes(text)) }
            }
        }
    }

    @Test func noStripeIsBlankAndNoiseIsNoCard() throws {
        #expect(try swipe(.two, "") == .blank)
        for seed in 0..<50 {
            let reading = try swipe(.two, "") {
                $0.noisePerMille = 300
                $0.seed = UInt64(seed)
            }
            #expect(reading == .failed || reading == .tooFast)
        }
    }

    @Test func samplesOfAnyKindNeverTrap() {
        var generator = SplitMix64(seed: 5)
        for length in [0, 1, 2, 3, 24, 100, 5_000] {
            for kind in 0..<6 {
                let samples = (0..<length).map { index -> Int16 in
                    switch kind {
                    case 0: Int16(truncatingIfNeeded: Int(generator.next() & 0xFFFF))
                    case 1: index & 1 == 0 ? .min : .max
                    case 2: .min
                    case 3: index % 7 == 0 ? .max : 0
                    case 4: Int16(truncatingIfNeeded: index * 997)
                    default: index & 4 == 0 ? .max : .min
                    }
                }
                for track in StripeTrack.allCases {
                    let signal = HeadSignal(samples: samples, sampleRate: 48_000)
                    let reading = StripeDecoder(track: track).reading(of: signal)
                    if case .read = reading { Issue.record("\(kind) gave a card") }
                }
            }
        }
    }

    @Test func theSameSwipeGivesTheSameSamplesOnEveryMachine() throws {
        var motion = SwipeMotion()
        motion.endSpeedHundredths = 3_000
        motion.noisePerMille = 50
        motion.jitterPerMille = 30
        motion.seed = 7
        let flux = try #require(StripeFlux(track: .two, text: StripeVectors.track2.utf8))
        let signal = HeadSignal(flux: flux, track: .two, motion: motion)
        let sum = signal.samples.reduce(UInt64(0)) {
            SplitMix64.mix($0 ^ UInt64(UInt16(bitPattern: $1)))
        }
        #expect(signal.samples.count == 6_532)
        #expect(sum == 15_871_198_606_141_128_588)
    }
}
