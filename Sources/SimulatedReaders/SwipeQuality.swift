import CardCrypto
import CardData
public import MagneticStripe
import ReaderProtocols

/// How a card goes past a reader's head.
///
/// The words are names of physical values: what comes of them is the decoder's verdict. With an
/// ordinary card it is the one that stands beside each word.
public enum SwipeQuality: Hashable, Sendable {
    /// 20 inches a second: all tracks are decoded.
    case good
    /// Track 1 has a hole of 3 mm: it cannot be decoded, the others are.
    case partial
    /// From the end of the card to its beginning, at 20 inches a second: all tracks are decoded.
    case reversed
    /// 200 inches a second: too fast for every track.
    case tooFast
    /// All tracks have a hole of 3 mm: none is decoded.
    case unreadable
    /// As the values say.
    case physical(SwipeMotion)

    /// The words, in the order in which they are listed.
    public static let words: [SwipeQuality] = [.good, .partial, .reversed, .tooFast, .unreadable]

    /// How the card moves, and what is wrong with its stripe.
    public var motion: SwipeMotion {
        switch self {
        case .good: Self.ordinary
        case .partial: Self.withHole(in: .one)
        case .reversed: Self.backwards
        case .tooFast: Self.flung
        case .unreadable: Self.withHole(in: nil)
        case .physical(let motion): motion
        }
    }

    private static let ordinary = SwipeMotion()
    private static let backwards: SwipeMotion = {
        var motion = SwipeMotion()
        motion.isReversed = true
        return motion
    }()
    private static let flung: SwipeMotion = {
        var motion = SwipeMotion()
        motion.speedHundredths = 20_000
        motion.endSpeedHundredths = 20_000
        return motion
    }()
    private static let holeInTrack1 = withNewHole(in: .one)
    private static let holeInAll = withNewHole(in: nil)

    private static func withHole(in track: StripeTrack?) -> SwipeMotion {
        track == nil ? holeInAll : holeInTrack1
    }

    /// A hole behind the start sentinel of every track.
    private static func withNewHole(in track: StripeTrack?) -> SwipeMotion {
        var motion = SwipeMotion()
        motion.dropouts = [
            SwipeMotion.Dropout(
                track: track,
                startNanometres: 9_000_000,
                lengthNanometres: 3_000_000
            )
        ]
        return motion
    }

    /// What the reader's heads see of a card.
    func sight(of card: TestCard, cache: CryptoCache) -> StripeSight {
        StripeSight(card, cache.stripes.reading(of: card.stripe, motion: motion))
    }
}

extension TestCard {
    fileprivate var stripe: Stripe {
        Stripe(track1: unmaskedTrack1, track2: unmaskedTrack2, track3: unmaskedTrack3)
    }
}

/// What a reader's heads made of a card that went past them.
struct StripeSight {
    /// The card with the tracks as they were decoded: its own, unless noise made others of them.
    let card: TestCard
    /// The tracks that were decoded or have nothing on them.
    let tracks: StripeTracks
    /// Whether there was nothing but tracks that could not be decoded.
    let isUnread: Bool
    /// Whether the card went from its end to its beginning.
    let isReversed: Bool
    /// Whether a track went past too fast.
    let isTooFast: Bool

    init(_ card: TestCard, _ reading: StripeReading) {
        var tracks: StripeTracks = []
        var hasRead = false
        var hasFailed = false
        var texts = (card.unmaskedTrack1, card.unmaskedTrack2, card.unmaskedTrack3)
        var isOther = false
        func see(_ reading: StripeDecoder.Reading, _ track: StripeTracks, _ text: inout [UInt8]) {
            switch reading {
            case .blank where text.isEmpty: tracks.insert(track)
            case .blank, .failed, .tooFast: hasFailed = true
            case .read(let found, _):
                tracks.insert(track)
                hasRead = true
                if found != text {
                    text = found
                    isOther = true
                }
            }
        }
        see(reading.track1, .track1, &texts.0)
        see(reading.track2, .track2, &texts.1)
        see(reading.track3, .track3, &texts.2)
        self.tracks = tracks
        isUnread = hasFailed && !hasRead
        isReversed = reading.isReversed
        isTooFast = reading.isTooFast
        self.card = isOther ? card.with(texts) : card
    }
}

extension TestCard {
    fileprivate func with(_ texts: ([UInt8], [UInt8], [UInt8])) -> TestCard {
        TestCard(
            name: name,
            track1: String(decoding: texts.0, as: UTF8.self),
            track2: String(decoding: texts.1, as: UTF8.self),
            track3: String(decoding: texts.2, as: UTF8.self),
            chip: chip
        )
    }
}
