/// Reads a track from what a magnetic head gave.
///
/// Pulses, then cells, then characters with parity and LRC. The signal is looked at with several
/// sensitivities and degrees of smoothing, the likeliest first, until two give the same text with a
/// good LRC: parity and LRC alone let one noisy swipe in a thousand through with a wrong character.
/// A stripe that went past from its end to its beginning is read backwards.
public struct StripeDecoder: Hashable, Sendable {
    /// What came of one track.
    public enum Reading: Hashable, Sendable {
        /// The head saw no stripe: nothing that looks like a row of pulses.
        case blank
        /// There are pulses, and no track in them.
        case failed
        /// The card went faster than this rate of samples can tell: a cell has less than
        /// ``leastSamplesPerCell`` of them.
        case tooFast
        /// The text with sentinels and without the LRC, and whether the card went backwards.
        case read([UInt8], isReversed: Bool)
    }

    /// The track to look for; `nil` is any, as the text tells.
    public var track: StripeTrack?

    /// Creates a decoder of one track, or with `nil` of whatever passes a single head.
    public init(track: StripeTrack?) { self.track = track }

    /// A cell needs this many samples, two for each half: the border of what can be told apart.
    ///
    /// At 48,000 samples a second track 1 may pass at 57.1 inches/s, track 2 at 160 inches/s.
    public static let leastSamplesPerCell = 4

    /// Fewer pulses than this are no stripe.
    private static let leastPulseCount = 24

    private static let sensitivities: [PeakFinder.Sensitivity] = [
        PeakFinder.Sensitivity(ofLastSwing: 96, ofGreatestSwing: 64),
        PeakFinder.Sensitivity(ofLastSwing: 48, ofGreatestSwing: 24),
        PeakFinder.Sensitivity(ofLastSwing: 0, ofGreatestSwing: 12),
        PeakFinder.Sensitivity(ofLastSwing: 0, ofGreatestSwing: 150),
        PeakFinder.Sensitivity(ofLastSwing: 128, ofGreatestSwing: 250),
    ]

    /// Reads the track out of the samples.
    ///
    /// - Complexity: O(samples) for each way of looking at them, of which there are at most twenty.
    public func reading(of signal: HeadSignal) -> Reading { finding(in: signal.samples).reading }

    /// What was found, and how long the cells were that gave it.
    struct Finding: Hashable {
        var reading: Reading
        /// The mean cell of the track that was read, in 64ths of a sample; 0 when none was.
        var cellLength = 0
    }

    /// Reads the track out of samples at any rate.
    func finding(in signal: some Collection<Int16>) -> Finding {
        let samples = signal.map(Int32.init)
        var hasPulses = false
        var isTooFast = false
        var typical = 0
        var found: [Reading] = []
        for smoothing in 0..<4 {
            let width: Int
            switch smoothing {
            case 0: width = 1
            case 1: width = typical / (6 * PeakFinder.stepsPerSample) | 1
            case 2: width = typical / (3 * PeakFinder.stepsPerSample) | 1
            default: width = typical / (2 * PeakFinder.stepsPerSample) | 1
            }
            if smoothing > 0, width == 1 { continue }
            let looked = PeakFinder.smoothed(samples, width: width)
            for sensitivity in Self.sensitivities {
                let places = PeakFinder.peaks(in: looked, sensitivity)
                guard places.count >= Self.leastPulseCount else { continue }
                let distances = zip(places.dropFirst(), places).map { max(1, $0 - $1) }
                let sorted = distances.sorted()
                let median = sorted[distances.count / 2]
                if !hasPulses {
                    // A zero's length: few distances are longer.
                    isTooFast = sorted[distances.count * 9 / 10] < Self.shortestCell
                    hasPulses = true
                }
                typical = max(typical, median)
                if let finding = finding(in: distances) {
                    if found.contains(finding.reading) { return finding }
                    found.append(finding.reading)
                }
            }
        }
        guard hasPulses else { return Finding(reading: .blank) }
        return Finding(reading: isTooFast ? .tooFast : .failed)
    }

    private static let shortestCell = leastSamplesPerCell * PeakFinder.stepsPerSample

    /// Reads the track out of distances between pulses.
    ///
    /// No text may go across a cell that is like the cells neither before nor after it: pulses are
    /// missing there, or noise took the place of some.
    private func finding(in distances: [Int]) -> Finding? {
        let cells = CellFinder.cells(of: distances)
        var start = 0
        for index in 0...cells.count where index == cells.count || !isPlausible(cells, index) {
            if index - start >= Self.leastPulseCount {
                let part = cells[start..<index]
                if let reading = reading(of: part.map(\.isOne)) {
                    let length = part.reduce(0) { $0 + $1.length }
                    return Finding(
                        reading: length < part.count * Self.shortestCell ? .tooFast : reading,
                        cellLength: length / part.count
                    )
                }
            }
            start = index + 1
        }
        return nil
    }

    /// Whether a cell has about the mean length of the three before it or the three after it.
    private func isPlausible(_ cells: [CellFinder.Cell], _ index: Int) -> Bool {
        isLike(cells[max(0, index - 3)..<index], cells[index].length)
            || isLike(cells[(index + 1)..<min(cells.count, index + 4)], cells[index].length)
    }

    private func isLike(_ cells: ArraySlice<CellFinder.Cell>, _ length: Int) -> Bool {
        let whole = cells.reduce(0) { $0 + $1.length }
        let own = length * cells.count
        return own * 8 >= whole * 5 && own * 5 <= whole * 8
    }

    private func reading(of bits: [Bool]) -> Reading? {
        if let text = text(in: bits) { return .read(text, isReversed: false) }
        if let text = text(in: bits.reversed()) { return .read(text, isReversed: true) }
        return nil
    }

    private func text(in bits: [Bool]) -> [UInt8]? {
        guard let track else {
            return StripeTrack.one.text(in: bits) ?? StripeTrack.three.text(in: bits)
        }
        return track.text(in: bits)
    }
}
