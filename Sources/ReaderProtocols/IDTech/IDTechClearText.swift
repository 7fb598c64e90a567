import CardData

/// The text of a reader that does not encrypt: tracks one after the other and a carriage return.
///
/// No description or mirror shows it.
/// Source: UniMag User Manual 80110505-001, Decoded Data Format; ID TECH's sample parser.
public struct IDTechClearText: Hashable, Sendable {
    /// Track 1 with its sentinels, `%` and `?`; empty when it is not there.
    public var unmaskedTrack1: [UInt8]
    /// Track 2, `;` and `?`, or a JIS track, `7F` and `7F`.
    public var unmaskedTrack2: [UInt8]
    /// Track 3, `;` and `?`.
    public var unmaskedTrack3: [UInt8]

    /// The longest text in bytes, carriage return included.
    public static let maximumByteCount = 512
    /// What ends the text.
    static let terminator: UInt8 = 0x0D
    /// What a reader sends for a swipe that it could not read, when it is set to tell (assumed beyond
    /// the first two characters).
    public static let swipeErrorPacket: [UInt8] = Array("%E?;E?\r".utf8)

    /// Creates a text from its tracks.
    public init(
        unmaskedTrack1: [UInt8] = [],
        unmaskedTrack2: [UInt8] = [],
        unmaskedTrack3: [UInt8] = []
    ) {
        self.unmaskedTrack1 = unmaskedTrack1
        self.unmaskedTrack2 = unmaskedTrack2
        self.unmaskedTrack3 = unmaskedTrack3
    }

    /// Whether a packet is the reader's report of a bad swipe: `%E` and at least four bytes more.
    ///
    /// Source: ID TECH UniMag demo for Android, handling of swipe data.
    public static func isSwipeError(_ packet: some Collection<UInt8>) -> Bool {
        packet.count > 5 && packet.prefix(2).elementsEqual([0x25, 0x45])
    }

    /// Reads one whole text with its carriage return.
    ///
    /// - Throws: ``IDTechError`` with `truncated` without the carriage return, `malformed` for what
    ///   is no track, `tooLong`.
    public init(_ text: some Collection<UInt8>) throws(IDTechError) {
        let bytes = Array(text)
        guard bytes.count <= Self.maximumByteCount else {
            throw IDTechError(.tooLong, offset: Self.maximumByteCount)
        }
        guard bytes.last == Self.terminator else {
            throw IDTechError(.truncated, offset: bytes.count)
        }
        self.init()
        var position = 0
        while position < bytes.count - 1 {
            let first = bytes[position]
            let end: UInt8 = first == 0x7F ? 0x7F : 0x3F
            let rest = bytes[(position + 1)..<(bytes.count - 1)]
            guard let last = rest.firstIndex(of: end) else {
                throw IDTechError(.malformed, offset: position)
            }
            let track = Array(bytes[position...last])
            switch first {
            case 0x25 where position == 0: unmaskedTrack1 = track
            case 0x3B, 0x7F:
                if unmaskedTrack2.isEmpty {
                    unmaskedTrack2 = track
                } else if unmaskedTrack3.isEmpty {
                    unmaskedTrack3 = track
                } else {
                    throw IDTechError(.malformed, offset: position)
                }
            default: throw IDTechError(.malformed, offset: position)
            }
            position = last + 1
        }
        guard position > 0 else { throw IDTechError(.malformed, offset: 0) }
    }

    /// The text with its carriage return, in clear: for the wire, never for output.
    public var unmaskedPacket: [UInt8] {
        unmaskedTrack1 + unmaskedTrack2 + unmaskedTrack3 + [Self.terminator]
    }
}

extension IDTechClearText: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// No part of a track.
    public var description: String { "clear text of an ID TECH reader" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no track.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
