import Kernel
import MagneticStripe
import Synchronization

/// A track as the command line names it.
enum StripeTrackName: String {
    case track1, track2

    var track: StripeTrack { self == .track1 ? .one : .two }
}

/// Ends the program with one line on standard error.
func usage(_ message: String) -> Never {
    try? StandardStream.error.write("cardrig-stripe: error: \(message)\n")
    ProcessEnvironment.exit(2)
}

/// How often one kind of swipe is read, over many seeds.
struct Measurement: Sendable {
    var track: StripeTrack
    var sampleRate = 44_100
    var motion: @Sendable (inout SwipeMotion) -> Void = { _ in }
    var samples: @Sendable (inout [Int16]) -> Void = { _ in }

    /// ID TECH's test card; the tolerance of a decoder does not depend on whose card it is.
    static func text(of track: StripeTrack) -> [UInt8] {
        track == .two
            ? Array(";5999990000000000=4912101000000000?".utf8)
            : Array("%B5999990000000000^PLOT/TOLERANCE             ^491210100000000000000?".utf8)
    }

    /// Reads as many swipes as there are seeds.
    ///
    /// - Returns: How many gave the text, how many another text.
    func run(seedCount: Int) -> (read: Int, wrong: Int) {
        let text = Self.text(of: track)
        guard let flux = StripeFlux(track: track, text: text) else { return (0, 0) }
        var read = 0
        var wrong = 0
        for seed in 0..<seedCount {
            var motion = SwipeMotion()
            motion.seed = UInt64(seed)
            self.motion(&motion)
            var samples = HeadSignal(
                flux: flux,
                track: track,
                motion: motion,
                sampleRate: sampleRate
            ).samples
            self.samples(&samples)
            let signal = HeadSignal(samples: samples, sampleRate: sampleRate)
            if case .read(let found, _) = StripeDecoder(track: track).reading(of: signal) {
                if found == text { read += 1 } else { wrong += 1 }
            }
        }
        return (read, wrong)
    }

    /// Measures several things on two threads, in whatever order, and returns them in theirs.
    static func inParallel<Value: Sendable>(
        _ count: Int,
        _ measure: @Sendable (Int) -> Value
    ) -> [Value] {
        let next = Mutex(0)
        let values = Mutex([Value?](repeating: nil, count: count))
        runInParallel(count: 2) { _ in
            while true {
                let index = next.withLock { next in
                    next += 1
                    return next - 1
                }
                guard index < count else { return }
                let value = measure(index)
                values.withLock { $0[index] = value }
            }
        }
        return values.withLock { $0.compactMap { $0 } }
    }
}
