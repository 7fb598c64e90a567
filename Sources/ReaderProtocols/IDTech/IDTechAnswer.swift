/// What a reader of the UniMag family answers to a command.
///
/// Only the form with data says where it ends; the others end with silence, and what their bytes
/// mean depends on the command.
/// Source: ID TECH UniMag demo for Android, handling of command results; SecureMag User Manual,
/// Command Protocol.
public enum IDTechAnswer: Hashable, Sendable {
    /// `06`: done.
    case acknowledged
    /// `06 02 data 03 LRC`: done, with settings, a version, a serial number or a KSN.
    case data([UInt8])
    /// `06 56` and two characters: the reader is in its bootloader; the file version, high and low.
    case bootloader(high: UInt8, low: UInt8)
    /// `06 EE`: calibration failed; another second byte says that it did not.
    case calibrationFailed
    /// `06` and one to three bytes, such as the battery level.
    case bytes([UInt8])
    /// `15`: refused, for a wrong function, length or value.
    case refused

    /// The first byte of an answer that is no refusal.
    static let acknowledgement: UInt8 = 0x06
    /// The only byte of a refusal.
    static let refusal: UInt8 = 0x15
    /// The longest answer in bytes; the longest published one has about a hundred.
    public static let maximumByteCount = 512
    /// The longest answer that ends with silence.
    static let maximumBareByteCount = 4

    /// Reads one whole answer and nothing after it.
    ///
    /// - Throws: ``IDTechError`` for everything that is not exactly an answer.
    public init(_ answer: some Collection<UInt8>) throws(IDTechError) {
        let bytes = Array(answer)
        guard let first = bytes.first else { throw IDTechError(.truncated, offset: 0) }
        if first == Self.refusal {
            guard bytes.count == 1 else { throw IDTechError(.trailingBytes, offset: 1) }
            self = .refused
            return
        }
        guard first == Self.acknowledgement else { throw IDTechError(.noStart, offset: 0) }
        guard bytes.count > 1 else {
            self = .acknowledged
            return
        }
        guard bytes[1] == IDTechLayout.start else {
            self = try Self.bare(bytes)
            return
        }
        guard let end = Self.endOfData(in: bytes, from: 1) else {
            let isWhole = bytes.count > 4 && bytes[bytes.count - 2] == IDTechLayout.end
            throw isWhole
                ? IDTechError(.lrcMismatch, offset: bytes.count - 1)
                : IDTechError(.truncated, offset: bytes.count)
        }
        guard end == bytes.count else { throw IDTechError(.trailingBytes, offset: end) }
        self = .data(Array(bytes[2..<(end - 2)]))
    }

    /// Reads an answer that ends with silence.
    private static func bare(_ bytes: [UInt8]) throws(IDTechError) -> IDTechAnswer {
        guard bytes.count <= maximumBareByteCount else {
            throw IDTechError(.malformed, offset: 1)
        }
        if bytes[1] == 0x56, bytes.count == 4 {
            return .bootloader(high: bytes[2], low: bytes[3])
        }
        if bytes[1...] == [0xEE] { return .calibrationFailed }
        return .bytes(Array(bytes[1...]))
    }

    /// The end of the framed data that begins with `02` at a position: after the first `03` that is
    /// followed by the exclusive or of everything from `02` to `03`.
    static func endOfData(in bytes: [UInt8], from start: Int) -> Int? {
        var lrc: UInt8 = 0
        for index in start..<max(start, bytes.count - 1) {
            lrc ^= bytes[index]
            if index > start, bytes[index] == IDTechLayout.end, bytes[index + 1] == lrc {
                return index + 2
            }
        }
        return nil
    }

    /// The answer as the reader sends it; at most 500 bytes of data.
    public var packet: [UInt8] {
        switch self {
        case .acknowledged: [Self.acknowledgement]
        case .data(let data): [Self.acknowledgement] + IDTechCommand.frame(data.prefix(500))
        case .bootloader(let high, let low): [Self.acknowledgement, 0x56, high, low]
        case .calibrationFailed: [Self.acknowledgement, 0xEE]
        case .bytes(let bytes): [Self.acknowledgement] + bytes.prefix(3)
        case .refused: [Self.refusal]
        }
    }
}
