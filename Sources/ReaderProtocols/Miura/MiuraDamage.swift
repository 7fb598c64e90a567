import CardData

/// Why bytes from a Miura link are no message, and where.
///
/// The error carries positions and header bytes, never a payload.
public struct MiuraDamage: Error, Hashable, Sendable {
    /// The kind of damage.
    public enum Code: Hashable, Sendable {
        /// The first byte of a frame is neither 01 nor 02.
        case illegalNode(UInt8)
        /// The control byte has other bits than 01 and 40.
        case illegalControl(UInt8)
        /// The length is 00, 01 or FF.
        case illegalLength(UInt8)
        /// The last byte is not the exclusive-or of those before it.
        case wrongChecksum
        /// The stream ended, or a time limit did, inside a frame.
        case truncated
        /// Frames of another message came inside a chain, and the rule forbids it.
        case chainInterrupted
        /// A chain is longer than ``MiuraMessage/maximumByteCount``.
        case messageTooLong
    }

    /// The kind of damage, for programs.
    public var code: Code
    /// The byte that is wrong, counted from the start of the stream; for a wrong LRC, the LRC's.
    public var offset: Int
    /// Where the damaged frame begins, counted from the start of the stream.
    public var frameOffset: Int

    /// Creates a damage report.
    public init(_ code: Code, offset: Int, frameOffset: Int) {
        self.code = code
        self.offset = offset
        self.frameOffset = frameOffset
    }
}

extension MiuraDamage: CustomStringConvertible {
    /// What is wrong and what would be right, without the place.
    public var reason: String {
        switch code {
        case .illegalNode(let byte): "NAD \(hexadecimal(byte)) is neither 01 nor 02"
        case .illegalControl(let byte):
            "PCB \(hexadecimal(byte)) is neither 00 nor 01, nor 40 or 41 from a reader"
        case .illegalLength(let byte): "LEN \(hexadecimal(byte)) is not from 02 to FE"
        case .wrongChecksum: "the LRC is not the exclusive-or of the frame's other bytes"
        case .truncated: "the bytes end before the last frame does, or the last of its chain"
        case .chainInterrupted: "the frame comes inside another chain of its node"
        case .messageTooLong: "the chain is longer than \(MiuraMessage.maximumByteCount) bytes"
        }
    }

    /// One line for people: where, what, and what would be right.
    public var description: String {
        "byte \(offset): \(reason) (frame at byte \(frameOffset))"
    }

    private func hexadecimal(_ byte: UInt8) -> String { Hexadecimal.encode([byte]) }
}

/// What a decoder does after damage.
public enum MiuraDamagePolicy: String, Hashable, Sendable, CaseIterable {
    /// Reads nothing more: the link is to be dropped. The vendor's SDK does this.
    case dropLink
    /// Looks for the next whole frame with a right LRC, and says how many bytes it passed over.
    case resync
}

/// Which frames may stand between those of a chain.
public enum MiuraChainRule: String, Hashable, Sendable, CaseIterable {
    /// Those of other messages may: unsolicited between solicited ones, and the reverse.
    case interleaved
    /// Only those of the other node may; anything else is damage, as in the vendor's SDK.
    case unbroken
}
