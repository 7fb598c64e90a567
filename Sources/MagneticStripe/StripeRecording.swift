/// Finds the passes of a card in a recording of a magnetic head, however long, and decodes each.
///
/// Samples are taken piece by piece. A block of a hundredth of a second is loud when its energy is
/// twice that of the quietest block within ``neighbourhoodSeconds`` on both sides; loud blocks with
/// less than a tenth of a second between them are one pass. So hum and noise are nothing, as long
/// as the card is not always before the head; a recording that is all one pass is taken as one.
///
/// Memory does not grow with the recording: it holds two neighbourhoods and one pass.
public struct StripeRecording: Sendable {
    /// One pass of a card, or what looked like one.
    public struct Pass: Hashable, Sendable {
        /// The first sample of the pass, counted from the recording's start.
        public var startSample: Int
        /// How many samples the head gave something.
        public var sampleCount: Int
        /// What was read.
        public var reading: StripeDecoder.Reading
        /// The track whose text was read, by its characters and their number; `nil` when none was.
        public var track: StripeTrack?
        /// The mean speed while the track passed, in hundredths of an inch a second.
        public var speedHundredths: Int
    }

    /// How far around a block the quietest one is looked for.
    public static let neighbourhoodSeconds = 4
    /// A pass is cut after so long.
    public static let longestPassSeconds = 8
    /// The rates of samples that are taken: below, track 1 could pass at 10 inches a second at most.
    public static let sampleRates = 8_000...384_000

    private static let blocksPerSecond = 100
    private static let neighbourCount = neighbourhoodSeconds * blocksPerSecond
    /// So many quiet blocks end a pass.
    private static let gapBlockCount = 10
    /// What is taken with a pass on both sides.
    private static let marginBlockCount = 3
    /// The energy a sample, squared, below which nothing is loud: 8 of 32,767.
    private static let leastEnergy = 64

    private let decoder: StripeDecoder
    private let sampleRate: Int
    private let blockLength: Int
    /// The samples from block ``firstBlock`` on.
    private var samples: [Int16] = []
    /// The energies of the blocks from ``firstEnergy`` on.
    private var energies: [Int] = []
    private var firstBlock = 0
    private var firstEnergy = 0
    /// How many blocks were judged.
    private var judgedCount = 0
    private var passStart: Int?
    private var lastLoud = 0
    private var sampleCount = 0
    private var hasFoundPass = false

    /// Starts at the beginning of a recording of one head.
    ///
    /// - Parameters:
    ///   - sampleRate: Samples in a second; within ``sampleRates``, others are taken for the nearest.
    ///   - track: The track to look for; `nil` is any.
    public init(sampleRate: Int, track: StripeTrack? = nil) {
        decoder = StripeDecoder(track: track)
        self.sampleRate = min(
            Self.sampleRates.upperBound,
            max(Self.sampleRates.lowerBound, sampleRate)
        )
        blockLength = self.sampleRate / Self.blocksPerSecond
    }

    /// How many samples are held at the moment.
    var heldSampleCount: Int { samples.count }

    /// Takes the next samples and returns the passes that have ended.
    public mutating func append(_ piece: some Collection<Int16>) -> [Pass] {
        samples.append(contentsOf: piece)
        sampleCount += piece.count
        measure()
        var passes: [Pass] = []
        while judgedCount + Self.neighbourCount < firstEnergy + energies.count { judge(&passes) }
        forget()
        return passes
    }

    /// Ends the recording and returns the passes that are left.
    public mutating func finish() -> [Pass] {
        var passes: [Pass] = []
        let measured = firstEnergy + energies.count
        while judgedCount < measured { judge(&passes) }
        endPass(&passes, at: measured)
        if !hasFoundPass, firstBlock == 0, sampleCount <= Self.longestPassSeconds * sampleRate {
            let pass = pass(0, samples[...])
            if pass.reading != .blank { passes.append(pass) }
        }
        samples = []
        return passes
    }

    private mutating func measure() {
        var place = (firstEnergy + energies.count - firstBlock) * blockLength
        while place + blockLength <= samples.count {
            var sum = 0
            var squares = 0
            for sample in samples[place..<(place + blockLength)] {
                sum += Int(sample)
                squares += Int(sample) * Int(sample)
            }
            energies.append((squares - sum * sum / blockLength) / blockLength)
            place += blockLength
        }
    }

    private mutating func judge(_ passes: inout [Pass]) {
        let block = judgedCount
        judgedCount += 1
        let index = block - firstEnergy
        // The quietest of every eighth block is as good as that of all.
        var quietest = energies[index]
        let last = min(energies.count, index + Self.neighbourCount)
        for other in stride(from: max(0, index - Self.neighbourCount), to: last, by: 8) {
            quietest = min(quietest, energies[other])
        }
        let isLoud = energies[index] > max(Self.leastEnergy, 2 * quietest)
        if isLoud {
            if passStart == nil { passStart = max(firstBlock, block - Self.marginBlockCount) }
            lastLoud = block
        }
        guard let start = passStart else { return }
        let isOver = block - lastLoud >= Self.gapBlockCount
        let isLong = block - start >= Self.longestPassSeconds * Self.blocksPerSecond
        if isOver || isLong { endPass(&passes, at: block + 1) }
    }

    private mutating func endPass(_ passes: inout [Pass], at end: Int) {
        guard let start = passStart else { return }
        passStart = nil
        let last = min(end, lastLoud + 1 + Self.marginBlockCount)
        let from = (start - firstBlock) * blockLength
        let to = min(samples.count, (last - firstBlock) * blockLength)
        guard from < to else { return }
        let pass = pass(start * blockLength, samples[from..<to])
        guard pass.reading != .blank else { return }
        hasFoundPass = true
        passes.append(pass)
    }

    private func pass(_ start: Int, _ samples: ArraySlice<Int16>) -> Pass {
        let finding = decoder.finding(in: samples)
        var track: StripeTrack?
        var speed = 0
        if case .read(let text, _) = finding.reading {
            let found = decoder.track ?? Self.track(of: text)
            track = found
            // Cells of so many 64ths of a sample, in an inch so many.
            let inch = finding.cellLength * found.bitsPerInch
            speed = inch > 0 ? sampleRate * PeakFinder.stepsPerSample * 100 / inch : 0
        }
        return Pass(
            startSample: start,
            sampleCount: samples.count,
            reading: finding.reading,
            track: track,
            speedHundredths: speed
        )
    }

    /// Characters of seven bits are on track 1, and more of five than track 2 holds on track 3.
    private static func track(of text: [UInt8]) -> StripeTrack {
        if text.first == StripeAlphabet.sevenBits.startSentinel { return .one }
        return text.count < StripeTrack.two.maximumCharacterCount ? .two : .three
    }

    /// Drops what neither a pass nor a neighbourhood needs.
    private mutating func forget() {
        let needed = min(passStart ?? judgedCount, judgedCount) - Self.marginBlockCount
        // A recording that may be one pass as a whole is kept until it is longer than one.
        let isShort = !hasFoundPass && sampleCount <= Self.longestPassSeconds * sampleRate
        if needed > firstBlock, !isShort {
            samples.removeFirst((needed - firstBlock) * blockLength)
            firstBlock = needed
        }
        let oldest = judgedCount - Self.neighbourCount
        if oldest > firstEnergy {
            energies.removeFirst(oldest - firstEnergy)
            firstEnergy = oldest
        }
    }
}
