import AudioFiles
import CardData
import MagneticStripe
import Reporting
import SimulatedReaders

/// `cardrig encode`: makes what `cardrig decode` reads.
struct EncodeVerb: Verb {
    static let name = "encode"
    static let summary = "Makes a recording of a test card's swipe, a WAV file."
    static let help = """
        Usage: cardrig encode swipe-audio FILE.wav --card NAME [--track N] [--quality WORD]
                              [--speed N] [--to N] [--backward] [--noise PERCENT]
                              [--jitter PERCENT] [--strength PERCENT] [--passes N] [--seed N]
                              [--rate N]

        Moves the stripe of a test card past a simulated magnetic head and writes what the head
        gives as a WAV file with 16 bits, half a second of silence before, between and after the
        passes. The same options give the same samples on every machine. `cardrig decode
        swipe-audio` reads the file again.

          --card NAME         One of: \(TestCard.names.joined(separator: ", "))
          --track N           The track under the head, 1 to 3; 2 unless said.
          --quality WORD      \(words.map(\.word).joined(separator: ", ")); else the values below.
          --speed N           Inches a second at the first edge, 1 to 400; 20 unless said.
          --to N              Inches a second at the other edge.
          --backward          The card goes from its end to its beginning.
          --noise PERCENT     White noise, root mean square, of a pulse at 20 inches a second.
          --jitter PERCENT    How far the flux's turns are off, of half a cell.
          --strength PERCENT  What is left of the stripe's magnetism.
          --passes N          How often the card passes, 1 to 100.
          --seed N            The first number of noise and jitter.
          --rate N            Samples a second, 8000 to 192000; 48000 unless said.

          Example: ./cardrig encode swipe-audio swipe.wav --card visa --speed 30 --noise 5

        """

    /// The words of scenarios for how a card goes.
    static let words: [(word: String, quality: SwipeQuality)] = [
        ("good", .good), ("partial", .partial), ("reversed", .reversed), ("tooFast", .tooFast),
        ("unreadable", .unreadable),
    ]

    private let path: String
    private let track: StripeTrack
    private let flux: StripeFlux
    private let motion: SwipeMotion
    private let passCount: Int
    private let sampleRate: Int

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        let name = try reader.takeValue("--card", expected: "the name of a test card") { $0 }
        let number = try reader.takeValue("--track", expected: "1, 2 or 3") {
            Int($0).flatMap { StripeTrack(rawValue: $0) }
        }
        track = number ?? .two
        motion = try Self.motion(&reader)
        passCount = try Self.number("--passes", 1...100, &reader) ?? 1
        sampleRate = try Self.number("--rate", 8_000...192_000, &reader) ?? 48_000
        let positionals = try reader.takePositionals()
        guard positionals.first == "swipe-audio" else {
            throw .wrong("encode makes one thing: encode swipe-audio FILE.wav --card NAME")
        }
        guard positionals.count == 2 else {
            throw .wrong("encode swipe-audio wants one file to write, such as swipe.wav")
        }
        path = positionals[1]
        guard let name else {
            throw .wrong("encode wants --card: " + TestCard.names.joined(separator: ", "))
        }
        guard let card = TestCard.named(name) else {
            let hint = nearest(to: name, among: TestCard.names).map { "; did you mean '\($0)'?" }
            let rest = "; the cards are " + TestCard.names.joined(separator: ", ")
            throw .wrong("there is no test card '\(name)'" + (hint ?? rest))
        }
        let text =
            switch track {
            case .one: card.unmaskedTrack1
            case .two: card.unmaskedTrack2
            case .three: card.unmaskedTrack3
            }
        guard !text.isEmpty, let flux = StripeFlux(track: track, text: text) else {
            throw .wrong("the test card '\(name)' has nothing on track \(track.rawValue)")
        }
        self.flux = flux
    }

    private static func number(
        _ option: String,
        _ range: ClosedRange<Int>,
        _ reader: inout ArgumentReader
    ) throws(UsageError) -> Int? {
        try reader.takeValue(
            option,
            expected: "a number from \(range.lowerBound) to \(range.upperBound)"
        ) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    private static func motion(_ reader: inout ArgumentReader) throws(UsageError) -> SwipeMotion {
        let quality = try reader.takeValue(
            "--quality",
            expected: words.map(\.word).joined(separator: ", ")
        ) { text in words.first { $0.word == text }?.quality }
        let speed = try number("--speed", 1...400, &reader)
        let end = try number("--to", 1...400, &reader)
        let isBackward = try reader.takeFlag("--backward")
        let noise = try number("--noise", 0...100, &reader)
        let jitter = try number("--jitter", 0...100, &reader)
        let strength = try number("--strength", 1...100, &reader)
        let seed = try reader.takeValue("--seed", expected: "an unsigned integer") { UInt64($0) }
        let isValued = [speed, end, noise, jitter, strength].contains { $0 != nil } || isBackward
        guard quality == nil || !isValued else {
            throw .wrong("--quality is a set of values; it does not go with values of its own")
        }
        var motion = quality?.motion ?? SwipeMotion()
        if let speed {
            motion.speedHundredths = speed * 100
            motion.endSpeedHundredths = speed * 100
        }
        if let end { motion.endSpeedHundredths = end * 100 }
        if isBackward { motion.isReversed = true }
        if let noise { motion.noisePerMille = noise * 10 }
        if let jitter { motion.jitterPerMille = jitter * 10 }
        if let strength { motion.strengthPercent = strength }
        if let seed { motion.seed = seed }
        return motion
    }

    func run(_ streams: Streams) -> ExitCode {
        let pause = [Int16](repeating: 0, count: sampleRate / 2)
        var samples = pause
        for pass in 0..<passCount {
            var motion = motion
            motion.seed &+= UInt64(pass)
            samples +=
                HeadSignal(flux: flux, track: track, motion: motion, sampleRate: sampleRate).samples
            samples += pause
        }
        do throws(AudioFileError) {
            try AudioFileWriter.write(samples, sampleRate: sampleRate, to: path)
        } catch {
            streams.complain("\(path): \(error)")
            return .wrong
        }
        let milliseconds = samples.count * 1_000 / sampleRate
        streams.write(
            "\(path): \(passCount == 1 ? "one pass" : "\(passCount) passes") of track "
                + "\(track.rawValue) in \(milliseconds) ms\n"
        )
        return .held
    }
}
