import Kernel
import MagneticStripe

/// How fast recordings of 48,000 samples a second are decoded, as times of real time.
struct DecodingSpeed {
    private static let seconds = 60
    private static let sampleRate = 48_000

    /// One row for each kind of recording, in Markdown.
    static var markdown: String {
        var lines = ["| recording of a minute | times real time |", "|---|---:|"]
        let recordings: [(name: String, motion: (inout SwipeMotion) -> Void)] = [
            ("a swipe a second, clean", { _ in }),
            ("a swipe a second, noise of a tenth of a pulse", { $0.noisePerMille = 100 }),
            (
                "a swipe a second, none of which can be read",
                {
                    $0.noisePerMille = 200
                    $0.dropouts = [
                        SwipeMotion.Dropout(
                            startNanometres: 30_000_000,
                            lengthNanometres: 3_000_000
                        )
                    ]
                }
            ),
        ]
        for recording in recordings {
            let times = times(of: recording.motion)
            lines.append("| \(recording.name) | \(times) |")
        }
        return lines.joined(separator: "\n")
    }

    private static func times(of change: (inout SwipeMotion) -> Void) -> Int {
        var samples: [Int16] = []
        for second in 0..<seconds {
            let track: StripeTrack = second & 1 == 0 ? .one : .two
            var motion = SwipeMotion()
            motion.seed = UInt64(second)
            change(&motion)
            guard let flux = StripeFlux(track: track, text: Measurement.text(of: track)) else {
                continue
            }
            samples += HeadSignal(flux: flux, track: track, motion: motion).samples
            let rest = (second + 1) * sampleRate - samples.count
            samples += [Int16](repeating: 0, count: max(0, rest))
        }
        let begun = MonotonicClock.now
        var recording = StripeRecording(sampleRate: sampleRate)
        var passCount = 0
        for start in stride(from: 0, to: samples.count, by: 16_384) {
            passCount += recording.append(samples[start..<min(samples.count, start + 16_384)]).count
        }
        passCount += recording.finish().count
        let elapsed = max(1, Int(MonotonicClock.now - begun))
        return passCount < seconds ? 0 : seconds * 1_000_000_000 / elapsed
    }
}
