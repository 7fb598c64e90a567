/// Finds the pulses of a head's signal: the places where it turns from rising to falling and back.
///
/// A turn counts when the signal went back by a threshold since; so neither an offset nor a
/// wandering baseline matters, and a pulse needs no sign. The threshold follows the signal: it is a
/// part of the swing before, and never less than a part of the greatest one.
struct PeakFinder {
    /// How a pulse is told from noise.
    struct Sensitivity: Hashable {
        /// The part of the last swing by which the signal must go back, in 256ths.
        var ofLastSwing: Int
        /// The part of the greatest swing by which it must go back at least, in 1024ths.
        var ofGreatestSwing: Int
    }

    /// Steps of a place between two samples.
    static let stepsPerSample = 64

    /// Returns the pulses' places in ascending order, in 64ths of a sample.
    ///
    /// - Complexity: O(samples).
    static func peaks(in samples: [Int32], _ sensitivity: Sensitivity) -> [Int] {
        guard samples.count >= 3 else { return [] }
        let greatest = greatestSwing(samples)
        let floor = max(2, greatest * sensitivity.ofGreatestSwing / 1_024)
        var places: [Int] = []
        var threshold = floor
        var extreme = (value: Int(samples[0]), first: 0, last: 0)
        var opposite = Int(samples[0])
        // +1 rising, -1 falling, 0 not known yet.
        var direction = 0
        for index in 1..<samples.count {
            let value = Int(samples[index])
            if direction == 0 {
                if value > extreme.value { extreme = (value, index, index) }
                if value < opposite { opposite = value }
                if value - opposite > threshold {
                    direction = 1
                    extreme = (value, index, index)
                } else if extreme.value - value > threshold {
                    direction = -1
                    extreme = (value, index, index)
                }
                continue
            }
            let lead = (value - extreme.value) * direction
            if lead > 0 {
                extreme = (value, index, index)
            } else if lead == 0, index == extreme.last + 1 {
                extreme.last = index
            } else if -lead > threshold {
                places.append(place(of: extreme.first, extreme.last, samples))
                let swing = abs(extreme.value - opposite)
                threshold = max(floor, (swing * sensitivity.ofLastSwing) >> 8)
                opposite = extreme.value
                direction = -direction
                extreme = (value, index, index)
            }
        }
        return places
    }

    /// The middle of a flat top, or the top of the parabola through three samples.
    private static func place(of first: Int, _ last: Int, _ samples: [Int32]) -> Int {
        guard first == last else { return (first + last) * stepsPerSample / 2 }
        guard first > 0, first + 1 < samples.count else { return first * stepsPerSample }
        let before = Int(samples[first - 1])
        let middle = Int(samples[first])
        let after = Int(samples[first + 1])
        let bend = 2 * (before - 2 * middle + after)
        guard bend != 0 else { return first * stepsPerSample }
        let offset = (before - after) * stepsPerSample / bend
        return first * stepsPerSample + max(-stepsPerSample / 2, min(stepsPerSample / 2, offset))
    }

    /// The greatest distance between two samples that are less than 256 apart.
    static func greatestSwing(_ samples: [Int32]) -> Int {
        var greatest = 0
        var start = 0
        while start < samples.count {
            var low = samples[start]
            var high = samples[start]
            for index in start..<min(samples.count, start + 256) {
                low = min(low, samples[index])
                high = max(high, samples[index])
            }
            greatest = max(greatest, Int(high) - Int(low))
            start += 256
        }
        return greatest
    }

    /// The signal with each sample replaced by the sum of those around it, twice: a triangle.
    ///
    /// - Parameters:
    ///   - samples: The signal.
    ///   - width: How many samples, odd; 1 leaves the signal as it is.
    /// - Returns: As many samples.
    static func smoothed(_ samples: [Int32], width: Int) -> [Int32] {
        guard width > 1 else { return samples }
        return boxed(boxed(samples, width), width)
    }

    private static func boxed(_ samples: [Int32], _ width: Int) -> [Int32] {
        let half = width / 2
        guard samples.count > width else { return samples }
        var output = [Int32](repeating: 0, count: samples.count)
        var sum = 0
        for index in 0..<half { sum += Int(samples[index]) }
        for index in 0..<samples.count {
            if index + half < samples.count { sum += Int(samples[index + half]) }
            if index - half - 1 >= 0 { sum -= Int(samples[index - half - 1]) }
            output[index] = Int32(clamping: sum / width)
        }
        return output
    }
}
