/// The text of a SureSwipe keyboard reader, in clear, and of a V5 reader at level 2 that acts as
/// one (property 0x1A).
///
/// Order: `[P18][P11]`, for each track `[P13]` sentinel data sentinel `[P14][P5]`, `[P12][P19]`. A
/// blank track gives nothing; one with an error `E` between its sentinels. The LRC is never sent.
/// Source: USB KB SureSwipe manual 99875206, Magnetic Stripe Card Data; MagneSafe V5 Communication
/// Reference Manual, example 4.
public struct SureSwipeText: Hashable, Sendable {
    /// The strings and characters around the tracks; P-numbers are decimal property ids of the
    /// SureSwipe manual.
    public struct Format: Hashable, Sendable {
        /// P18: before everything, at most 7 characters.
        public var preCardString: [UInt8] = []
        /// P11: after P18; 0 is none.
        public var preCardCharacter: UInt8 = 0
        /// P13: before each track; 0 is none.
        public var preTrackCharacter: UInt8 = 0
        /// P14: after each track; 0 is none.
        public var postTrackCharacter: UInt8 = 0
        /// P5: the end, carriage return; 0 is none.
        public var terminator: UInt8 = 0x0D
        /// P5 bit 7: whether the terminator comes after every track and not only after the last.
        public var terminatesEveryTrack = false
        /// P12: after the last track; 0 is none.
        public var postCardCharacter: UInt8 = 0
        /// P19: after everything, at most 7 characters.
        public var postCardString: [UInt8] = []
        /// Whether a card without any track gives the terminator alone; not published, nothing
        /// else is sent in either case.
        public var terminatesBlankCard = true

        /// The format of the factory.
        public init() {}
    }

    /// The tracks; masked and encrypted field hold the same clear text.
    public var tracks: InlineTracks
    /// Three tracks with one start sentinel each.
    public struct InlineTracks: Hashable, Sendable {
        /// Track 1.
        public var track1 = MagneSafeRecord.Track.blank
        /// Track 2.
        public var track2 = MagneSafeRecord.Track.blank
        /// Track 3.
        public var track3 = MagneSafeRecord.Track.blank

        /// Creates three tracks.
        public init(
            track1: MagneSafeRecord.Track = .blank,
            track2: MagneSafeRecord.Track = .blank,
            track3: MagneSafeRecord.Track = .blank
        ) {
            self.track1 = track1
            self.track2 = track2
            self.track3 = track3
        }
    }

    /// Creates the text of a record's tracks.
    public init(_ record: MagneSafeRecord) {
        tracks = InlineTracks(
            track1: record.track1,
            track2: record.track2,
            track3: record.track3
        )
    }

    /// Reads text; characters between tracks are passed over.
    ///
    /// - Throws: ``MagneSafeError`` with `malformed` for a track without end or longer than 112
    ///   characters, and for text longer than ``MagneSafeStreamLayout/maximumMessageByteCount``.
    public init(_ text: some Collection<UInt8>) throws(MagneSafeError) {
        let bytes = Array(text)
        guard bytes.count <= MagneSafeStreamLayout.maximumMessageByteCount else {
            throw MagneSafeError(.tooLong, offset: MagneSafeStreamLayout.maximumMessageByteCount)
        }
        let read = try MagneSafeMaskedTracks(bytes)
        func clear(_ track: MagneSafeRecord.Track) -> MagneSafeRecord.Track {
            var track = track
            track.encrypted = track.masked
            return track
        }
        tracks = InlineTracks(
            track1: clear(read.track1),
            track2: clear(read.track2),
            track3: clear(read.track3)
        )
    }

    /// The record that a reader without keys would have sent for these tracks.
    public var record: MagneSafeRecord {
        MagneSafeRecord(
            track1: tracks.track1,
            track2: tracks.track2,
            track3: tracks.track3,
            readerStatus: []
        )
    }

    /// Returns the text with its terminator, in clear: for the wire, never for output.
    public func unmaskedText(_ format: Format = Format()) -> [UInt8] {
        var text = format.preCardString
        Self.append(format.preCardCharacter, to: &text)
        var isBlank = true
        for (track, sentinel) in [
            (tracks.track1, UInt8(0x25)), (tracks.track2, 0x3B), (tracks.track3, 0x2B),
        ] where track.status != .blank {
            isBlank = false
            Self.append(format.preTrackCharacter, to: &text)
            switch track.status {
            case .read: text.append(contentsOf: track.encrypted)
            case .failed: text.append(contentsOf: [sentinel, 0x45, 0x3F])
            case .blank: break
            }
            Self.append(format.postTrackCharacter, to: &text)
            if format.terminatesEveryTrack { Self.append(format.terminator, to: &text) }
        }
        let ends = isBlank ? format.terminatesBlankCard : !format.terminatesEveryTrack
        if ends { Self.append(format.terminator, to: &text) }
        Self.append(format.postCardCharacter, to: &text)
        text.append(contentsOf: format.postCardString)
        return text
    }

    private static func append(_ character: UInt8, to text: inout [UInt8]) {
        if character != 0 { text.append(character) }
    }
}

extension SureSwipeText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The decode statuses only.
    public var description: String { "\(tracks.track1), \(tracks.track2), \(tracks.track3)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no track.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
