/// What one frame or a chain of frames carries: a command, an answer or an unsolicited message.
public struct MiuraMessage: Hashable, Sendable {
    /// The most payload bytes that a decoder joins; longer chains are damage.
    ///
    /// The vendor's SDK sets no limit, and no answer it knows comes near.
    public static let maximumByteCount = 65_536

    /// Who shall act on a command, or who sent an answer.
    public var node: MiuraNode
    /// Whether the reader sent it on its own.
    public var isUnsolicited: Bool
    /// All payload bytes, the status word of an answer included; at least two.
    public var payload: [UInt8]

    /// Creates a message.
    ///
    /// - Precondition: `payload` has at least two bytes.
    public init(node: MiuraNode = .reader, isUnsolicited: Bool = false, payload: [UInt8]) {
        precondition(payload.count >= 2, "a payload of two bytes or more")
        self.node = node
        self.isUnsolicited = isUnsolicited
        self.payload = payload
    }

    /// The message cut into frames: all but the last chained, and full.
    ///
    /// A last frame of a single byte would be illegal: then the one before it has 253 bytes
    /// (assumed; no source shows such an answer).
    public var frames: [MiuraFrame] {
        let longest = MiuraFrame.payloadByteCounts.upperBound
        guard payload.count > longest else {
            return [MiuraFrame(node: node, isUnsolicited: isUnsolicited, payload: payload)]
        }
        var frames: [MiuraFrame] = []
        var position = 0
        while position < payload.count {
            var end = min(position + longest, payload.count)
            if payload.count - end == 1 { end -= 1 }
            frames.append(
                MiuraFrame(
                    node: node,
                    isChained: end < payload.count,
                    isUnsolicited: isUnsolicited,
                    payload: Array(payload[position..<end])
                )
            )
            position = end
        }
        return frames
    }

    /// All frames one after the other, as they go over the wire.
    public var bytes: [UInt8] {
        guard payload.count > MiuraFrame.payloadByteCounts.upperBound else {
            return MiuraFrame(node: node, isUnsolicited: isUnsolicited, payload: payload).bytes
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + payload.count / 32 + 8)
        for frame in frames { frame.append(to: &bytes) }
        return bytes
    }
}

extension MiuraMessage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Node, kind and length; the payload may hold card data.
    public var description: String {
        "message of the \(node), \(isUnsolicited ? "unsolicited" : "solicited"), "
            + "\(payload.count) bytes"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
