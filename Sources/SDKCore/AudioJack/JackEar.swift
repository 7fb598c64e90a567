import EventLoops
import ReaderProtocols

/// Cuts what an audio-jack library hears into answers and packets.
///
/// | what is heard | what it is |
/// | --- | --- |
/// | `06`, when an answer is waited for | an answer |
/// | `02` from a Shuttle | a record; it ends with its length, or is cut by a long silence |
/// | `%` from a Shuttle | a text; it ends with CR, or as above |
/// | anything else of a Shuttle, ten bytes at least | a damaged record; it ends as above |
/// | anything from an IPS | a packet; it ends with a short pause, since nothing else says where |
/// | what follows a damaged record before a short pause | the rest of it |
///
/// Read as observed, every packet is what comes between two long silences.
///
/// Source: ID TECH and IPS packets as the gateway's library was observed to take them; how silence
/// is told from a pause is assumed.
struct JackEar: Hashable, Sendable {
    /// What was heard.
    enum Heard: Hashable {
        case answer
        case packet([UInt8])
    }

    /// The fewest bytes that count as a swipe when nothing can be made of them.
    static let shortestPacket = 10
    /// The longest packet; what is longer is damaged.
    static let byteBound = IDTechRecord.maximumByteCount
    /// The answer to a power tone and to a communication test (assumed; neither is published).
    static let answer: UInt8 = 0x06

    let reading: PacketReading
    let longestSilence: VirtualDuration
    let shortestPause: VirtualDuration
    private var bytes: [UInt8] = []
    /// How many bytes the record has by its own length; `nil` when silence ends it.
    private var expectedByteCount: Int?
    /// Whether what comes is the rest of a damaged record.
    private var isSkipping = false
    private var last = VirtualInstant.zero
    private var library = AudioLibrary.uniMag
    private var heard: [Heard] = []

    init(_ profile: AudioJackProfile) {
        reading = profile.reading
        longestSilence = profile.longestSilence
        shortestPause = profile.shortestPause
    }

    /// Whether a packet has begun and not ended.
    var hasPartialPacket: Bool { !bytes.isEmpty }

    /// When silence ends the packet that has begun.
    var deadline: VirtualInstant? { bytes.isEmpty ? nil : last + silence }

    private var silence: VirtualDuration {
        reading == .careful && library == .ips ? shortestPause : longestSilence
    }

    /// Returns the next thing that was heard whole.
    mutating func next() -> Heard? { heard.isEmpty ? nil : heard.removeFirst() }

    /// Forgets what has begun.
    mutating func reset() {
        bytes = []
        expectedByteCount = nil
        isSkipping = false
        heard = []
    }

    /// Takes what a library hears.
    mutating func append(
        _ piece: ArraySlice<UInt8>,
        of library: AudioLibrary,
        expectsAnswer: Bool,
        at now: VirtualInstant
    ) {
        if library != self.library { reset() }
        self.library = library
        expire(at: now)
        if isSkipping, last + shortestPause <= now { isSkipping = false }
        last = now
        for byte in piece {
            if isSkipping { break }
            if bytes.isEmpty, expectsAnswer, byte == Self.answer {
                heard.append(.answer)
            } else {
                append(byte)
            }
        }
    }

    /// Ends a packet that has begun if it has been silent for too long.
    mutating func expire(at now: VirtualInstant) {
        guard let deadline, deadline <= now else { return }
        end()
        isSkipping = false
    }

    private mutating func append(_ byte: UInt8) {
        bytes.append(byte)
        guard bytes.count < Self.byteBound else {
            end()
            isSkipping = true
            return
        }
        guard reading == .careful, library == .uniMag else { return }
        switch bytes[0] {
        case 0x02:
            if bytes.count == 3 {
                expectedByteCount = Int(bytes[1]) + Int(bytes[2]) << 8 + 6
            }
            guard bytes.count == expectedByteCount else { return }
            let isWhole = (try? IDTechRecord(bytes)) != nil
            end()
            isSkipping = !isWhole
        case 0x25:
            if byte == 0x0D { end() }
        case Self.answer:
            // The reader was powered up again, and says so though nobody asked.
            if bytes.count == 1 { bytes = [] }
        default:
            return
        }
    }

    private mutating func end() {
        let isBegun = bytes[0] == 0x02 || bytes[0] == 0x25 || reading == .observed
        if isBegun && bytes != [Self.answer] || bytes.count >= Self.shortestPacket {
            heard.append(.packet(bytes))
        }
        bytes = []
        expectedByteCount = nil
    }
}
