/// Who in a Miura installation shall do what a frame says, or did: the frame's first byte, NAD.
///
/// Source: Miura Android SDK, MpiPacket.
public enum MiuraNode: UInt8, Hashable, Sendable, CaseIterable {
    /// 01: the reader itself (PED), running MPI.
    case reader = 0x01
    /// 02: the point-of-sale hub (POSzle, RPI).
    case hub = 0x02

    /// Its place in ``allCases``.
    var index: Int { Int(rawValue) - 1 }
}

/// One frame of the Miura Payment Interface: NAD, PCB, LEN, payload, LRC.
///
/// The payload is a command, an answer, or a slice of either when frames are chained; it is
/// never shown by a description.
/// Source: Miura Android SDK, MpiPacket and MpiPacketTest.
public struct MiuraFrame: Hashable, Sendable {
    /// How many bytes a payload may have: 2 to 254.
    public static let payloadByteCounts = 2...254
    /// The most bytes of a whole frame: 258.
    public static let maximumByteCount = 258
    /// PCB bit 0: further frames of the same message follow.
    static let chainedBit: UInt8 = 0x01
    /// PCB bit 6: the reader speaks without having been asked.
    static let unsolicitedBit: UInt8 = 0x40

    /// Who shall act on a command, or who sent an answer.
    public var node: MiuraNode
    /// Whether another frame of the same message follows.
    public var isChained: Bool
    /// Whether the reader sent it on its own.
    public var isUnsolicited: Bool
    /// The payload, 2 to 254 bytes.
    public var payload: [UInt8]

    /// Creates a frame.
    ///
    /// - Precondition: `payload` has 2 to 254 bytes; ``MiuraMessage/frames`` cuts longer ones.
    public init(
        node: MiuraNode = .reader,
        isChained: Bool = false,
        isUnsolicited: Bool = false,
        payload: [UInt8]
    ) {
        precondition(Self.payloadByteCounts.contains(payload.count), "a payload of 2 to 254 bytes")
        self.node = node
        self.isChained = isChained
        self.isUnsolicited = isUnsolicited
        self.payload = payload
    }

    /// The protocol control byte: 00, 01, 40 or 41.
    public var control: UInt8 {
        (isChained ? Self.chainedBit : 0) | (isUnsolicited ? Self.unsolicitedBit : 0)
    }

    /// The frame as it goes over the wire, 6 to 258 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 4)
        append(to: &bytes)
        return bytes
    }

    /// Adds the frame at the end of a buffer.
    public func append(to bytes: inout [UInt8]) {
        let length = UInt8(payload.count)
        bytes.append(node.rawValue)
        bytes.append(control)
        bytes.append(length)
        bytes.append(contentsOf: payload)
        bytes.append(node.rawValue ^ control ^ length ^ Self.checksum(payload))
    }

    /// The exclusive-or of bytes: the LRC of what it is computed over, 0 over a whole frame.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0, ^) }
}

extension MiuraFrame: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Node, kind and length; the payload may hold card data.
    public var description: String {
        "frame of the \(node), \(isUnsolicited ? "unsolicited" : "solicited")"
            + "\(isChained ? ", chained" : ""), \(payload.count) bytes"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
