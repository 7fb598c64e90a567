/// What a magnetic head gives while a track passes it: samples of 16 bits.
///
/// Each turn of the flux is a Lorentzian pulse, its sign the opposite of the one before; its height
/// goes with the speed, as induction does. Everything is done in integers.
///
/// Assumed: a pulse is 40 µm wide at half its height and reaches 10,000 at 20 inches/s (heads and
/// amplifiers differ; only the ratio to the noise and to the cell's length matters).
public struct HeadSignal: Hashable, Sendable {
    /// The samples.
    public let samples: [Int16]
    /// Samples in a second.
    public let sampleRate: Int

    /// Takes samples as they were recorded.
    public init(samples: [Int16], sampleRate: Int) {
        self.samples = samples
        self.sampleRate = sampleRate
    }

    /// The height of a pulse at 20 inches a second.
    public static let pulseHeight = 10_000
    /// A pulse is followed as far as this many half widths.
    private static let reach = 24
    /// Steps of the pulse's table in a half width.
    private static let steps = 64

    /// `2^15 / (1 + u²)` for u in steps of a 64th.
    private static let lorentzian: [Int32] = (0...(reach * steps)).map { step in
        Int32(32_768 * steps * steps / (steps * steps + step * step))
    }

    /// Moves a track past a head.
    ///
    /// - Parameters:
    ///   - flux: The track.
    ///   - track: Which one it is; it decides the scale of the jitter and which dropouts hold.
    ///   - motion: How.
    ///   - sampleRate: Samples in a second.
    /// - Complexity: O(samples); a swipe at 1 inch/s takes 3.4 s.
    public init(flux: StripeFlux, track: StripeTrack, motion: SwipeMotion, sampleRate: Int = 48_000)
    {
        self.sampleRate = sampleRate
        samples = Self.samples(flux, track, motion, sampleRate)
    }

    private struct Pulse {
        var nanometres: Int
        var strength: Int
    }

    private static func pulses(
        _ flux: StripeFlux,
        _ track: StripeTrack,
        _ motion: SwipeMotion
    ) -> [Pulse] {
        var noise = GaussianNoise(seed: motion.seed, stream: UInt64(track.rawValue))
        let halfCell = 12_700_000 / track.bitsPerInch
        var pulses: [Pulse] = []
        pulses.reserveCapacity(flux.turnNanometres.count)
        let length = StripeFlux.cardLengthNanometres
        for turn in flux.turnNanometres {
            var strength = motion.strengthPercent
            for dropout in motion.dropouts
            where dropout.track == nil || dropout.track == track {
                if turn >= dropout.startNanometres,
                    turn < dropout.startNanometres + dropout.lengthNanometres
                {
                    strength = strength * dropout.strengthPercent / 100
                }
            }
            var place = motion.isReversed ? length - turn : turn
            if motion.jitterPerMille > 0 {
                place += noise.next(scale: halfCell * motion.jitterPerMille / 1_000)
            }
            pulses.append(Pulse(nanometres: place, strength: strength))
        }
        if motion.isReversed { pulses.reverse() }
        return pulses
    }

    private static func samples(
        _ flux: StripeFlux,
        _ track: StripeTrack,
        _ motion: SwipeMotion,
        _ sampleRate: Int
    ) -> [Int16] {
        let pulses = pulses(flux, track, motion)
        let limit = min(32_767, pulseHeight * motion.clipPerMille / 1_000)
        let noiseScale = pulseHeight * motion.noisePerMille / 1_000
        var noise = GaussianNoise(seed: motion.seed, stream: 16 + UInt64(track.rawValue))
        var travel = Travel(motion: motion, sampleRate: sampleRate)
        let halfWidth = max(1_000, min(500_000, motion.halfWidthNanometres))
        let margin = reach * halfWidth
        var output: [Int16] = []
        output.reserveCapacity(travel.estimatedSampleCount)
        var first = 0
        while travel.nanometres < StripeFlux.cardLengthNanometres + margin * 2 {
            let place = travel.nanometres - margin
            while first < pulses.count, pulses[first].nanometres < place - margin { first += 1 }
            var sum = 0
            var index = first
            while index < pulses.count, pulses[index].nanometres <= place + margin {
                let distance = abs(pulses[index].nanometres - place)
                let step = distance * steps / halfWidth
                if step < lorentzian.count {
                    let height = Int(lorentzian[step]) * pulses[index].strength
                    sum += index & 1 == 0 ? height : -height
                }
                index += 1
            }
            // 2^15 × percent × hundredths of an inch a second, of which 2,000 give the height.
            var value = ((sum / 100 * pulseHeight) >> 15) * travel.speedHundredths / 2_000
            if noiseScale > 0 { value += noise.next(scale: noiseScale) }
            output.append(Int16(clamping: max(-limit, min(limit, value))))
            travel.advance()
        }
        return output
    }
}

/// Where the card is at each sample, in fixed point.
private struct Travel {
    /// How far the card has come, in nanometres.
    var nanometres: Int { position >> Self.fraction }
    /// How fast it goes, in hundredths of an inch a second.
    var speedHundredths: Int { (step >> Self.fraction) * sampleRate / 254_000 }
    let estimatedSampleCount: Int

    private static let fraction = 20
    private let sampleRate: Int
    private var position = 0
    /// Nanometres a sample.
    private var step: Int
    /// What is added to the step at each sample.
    private let acceleration: Int
    private var smallestStep: Int
    private let joltPercent: Int
    private var isJolted = false

    init(motion: SwipeMotion, sampleRate: Int) {
        self.sampleRate = sampleRate
        let from = max(100, min(40_000, motion.speedHundredths))
        let to = max(100, min(40_000, motion.endSpeedHundredths))
        // A hundredth of an inch is 254,000 nm.
        step = (from * 254_000 << Self.fraction) / sampleRate
        let last = (to * 254_000 << Self.fraction) / sampleRate
        // An even change takes (length / mean step) samples.
        let mean = max(1, (step + last) / 2)
        let count = (StripeFlux.cardLengthNanometres << Self.fraction) / mean
        acceleration = (last - step) / max(1, count)
        smallestStep = min(step, last)
        joltPercent = max(10, min(1_000, motion.joltPercent))
        estimatedSampleCount = min(count + count / 8, sampleRate * 4)
    }

    mutating func advance() {
        position += step
        step = max(smallestStep, step + acceleration)
        if joltPercent != 100, !isJolted, nanometres > StripeFlux.cardLengthNanometres / 2 {
            isJolted = true
            step = step * joltPercent / 100
            smallestStep = smallestStep * joltPercent / 100
        }
    }
}
