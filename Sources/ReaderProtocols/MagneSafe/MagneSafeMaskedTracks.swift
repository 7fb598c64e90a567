/// The run of masked tracks with which a stream message begins.
///
/// A track stands between its start sentinel and `?`; one with a decode error is `E` alone; a
/// blank one is absent. Text between tracks (properties 0x1E to 0x21) is passed over.
/// Source: MagneSafe V5 Communication Reference Manual, properties 0x24 to 0x2F and example 2.
package struct MagneSafeMaskedTracks: Hashable, Sendable {
    /// Track 1, start sentinel `%`.
    package var track1 = MagneSafeRecord.Track.blank
    /// Track 2, start sentinel `;` or `@`.
    package var track2 = MagneSafeRecord.Track.blank
    /// Track 3, start sentinel `+`, `#` or `&`.
    package var track3 = MagneSafeRecord.Track.blank

    /// Reads the text of a whole buffer.
    package init(_ bytes: [UInt8]) throws(MagneSafeError) { try self.init(bytes, bytes.indices) }

    /// Reads a range of a buffer.
    ///
    /// - Throws: ``MagneSafeError`` with `malformed` for a track without end or longer than 112
    ///   characters, and for a second one of the same number.
    package init(_ bytes: [UInt8], _ range: Range<Int>) throws(MagneSafeError) {
        var position = range.lowerBound
        var lastNumber = 0
        while position < range.upperBound {
            let number = Self.trackNumber(bytes[position])
            guard number > lastNumber else {
                position += 1
                continue
            }
            var end = position + 1
            while end < range.upperBound, bytes[end] != MagneSafeStreamLayout.endSentinel {
                end += 1
            }
            guard end < range.upperBound,
                end - position < MagneSafeReportLayout.trackByteCount
            else { throw MagneSafeError(.malformed, offset: position) }
            let isError = end == position + 2 && bytes[position + 1] == 0x45
            let track =
                isError
                ? MagneSafeRecord.Track.failed
                : MagneSafeRecord.Track(status: .read, masked: Array(bytes[position...end]))
            switch number {
            case 1: track1 = track
            case 2: track2 = track
            default: track3 = track
            }
            lastNumber = number
            position = end + 1
        }
    }

    /// The track that begins with a character, or 0.
    static func trackNumber(_ byte: UInt8) -> Int {
        switch byte {
        case 0x25: 1
        case 0x3B, 0x40: 2
        case 0x2B, 0x23, 0x26: 3
        default: 0
        }
    }
}
