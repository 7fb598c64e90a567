/// What the three heads of a reader made of one pass of a card.
public struct StripeReading: Hashable, Sendable {
    /// Track 1.
    public var track1: StripeDecoder.Reading
    /// Track 2.
    public var track2: StripeDecoder.Reading
    /// Track 3.
    public var track3: StripeDecoder.Reading

    /// Moves a card past three heads and decodes what they give.
    ///
    /// - Parameters:
    ///   - stripe: The texts of the card's tracks.
    ///   - motion: How it goes.
    ///   - sampleRate: Samples in a second.
    /// - Complexity: O(samples); about a millisecond at 20 inches a second.
    public init(stripe: Stripe, motion: SwipeMotion, sampleRate: Int = 48_000) {
        track1 = Self.reading(.one, stripe.track1, motion, sampleRate)
        track2 = Self.reading(.two, stripe.track2, motion, sampleRate)
        track3 = Self.reading(.three, stripe.track3, motion, sampleRate)
    }

    /// Whether any track was read from the card's end to its beginning.
    public var isReversed: Bool {
        for case .read(_, let isReversed) in [track1, track2, track3] where isReversed {
            return true
        }
        return false
    }

    /// Whether any track went past too fast.
    public var isTooFast: Bool { track1 == .tooFast || track2 == .tooFast || track3 == .tooFast }

    private static func reading(
        _ track: StripeTrack,
        _ text: [UInt8],
        _ motion: SwipeMotion,
        _ sampleRate: Int
    ) -> StripeDecoder.Reading {
        // Nothing is on that track, or nothing that a stripe can hold.
        guard !text.isEmpty else { return .blank }
        guard let flux = StripeFlux(track: track, text: text) else { return .failed }
        let signal = HeadSignal(flux: flux, track: track, motion: motion, sampleRate: sampleRate)
        return StripeDecoder(track: track).reading(of: signal)
    }
}

/// What is written on a card's stripe: texts with sentinels and without LRC, empty where none is.
///
/// Card data in clear: no description shows it.
public struct Stripe: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// Track 1.
    public var track1: [UInt8]
    /// Track 2.
    public var track2: [UInt8]
    /// Track 3.
    public var track3: [UInt8]

    /// Takes the texts.
    public init(track1: [UInt8], track2: [UInt8], track3: [UInt8]) {
        self.track1 = track1
        self.track2 = track2
        self.track3 = track3
    }

    /// How many characters each track has.
    public var description: String {
        "a stripe of \(track1.count), \(track2.count) and \(track3.count) characters"
    }

    /// A mirror without children, so that reflection shows no card data.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What one worker decoded lately: the same card moved in the same way is decoded once.
///
/// Decoding is pure, so what is remembered is right. It holds as many readings as there are slots;
/// a new one takes the place of the oldest. Not shared between threads.
public final class StripeMemory {
    private struct Entry {
        var stripe: Stripe
        var motion: SwipeMotion
        var reading: StripeReading
    }

    private static let slotCount = 64
    private var entries: [Entry] = []
    private var oldest = 0

    /// Creates an empty memory.
    public init() {}

    /// Returns what comes of a swipe; ``StripeReading/init(stripe:motion:sampleRate:)``.
    public func reading(of stripe: Stripe, motion: SwipeMotion) -> StripeReading {
        for entry in entries where entry.motion == motion && entry.stripe == stripe {
            return entry.reading
        }
        let reading = StripeReading(stripe: stripe, motion: motion)
        let entry = Entry(stripe: stripe, motion: motion, reading: reading)
        if entries.count < Self.slotCount {
            entries.append(entry)
        } else {
            entries[oldest] = entry
            oldest = (oldest + 1) % Self.slotCount
        }
        return reading
    }
}
