public import Transports

/// The eight bytes that begin a control transfer.
///
/// Source: USB 2.0, section 9.3.
public struct USBControlRequest: Hashable, Sendable {
    /// bmRequestType: direction, kind and recipient.
    public var type: UInt8
    /// bRequest.
    public var code: UInt8
    /// wValue.
    public var value: UInt16
    /// wIndex.
    public var index: UInt16
    /// wLength: how many bytes follow or may be returned.
    public var byteCount: UInt16

    /// What transfers have that are no control transfers.
    public static let none = USBControlRequest(type: 0, code: 0, value: 0, index: 0, byteCount: 0)

    /// Describes a request.
    public init(type: UInt8, code: UInt8, value: UInt16, index: UInt16, byteCount: UInt16) {
        self.type = type
        self.code = code
        self.value = value
        self.index = index
        self.byteCount = byteCount
    }

    /// Reads exactly eight bytes; their words are little-endian on every wire.
    init(_ bytes: ArraySlice<UInt8>) {
        precondition(bytes.count == 8, "a request has eight bytes")
        let first = bytes.startIndex
        func word(_ offset: Int) -> UInt16 {
            UInt16(bytes[first + offset]) | UInt16(bytes[first + offset + 1]) << 8
        }
        type = bytes[first]
        code = bytes[first + 1]
        value = word(2)
        index = word(4)
        byteCount = word(6)
    }

    /// Its eight bytes.
    public var bytes: [UInt8] {
        var bytes = [type, code]
        bytes.appendLittleEndian(value)
        bytes.appendLittleEndian(index)
        bytes.appendLittleEndian(byteCount)
        return bytes
    }

    /// Whether data go to the client.
    public var isIn: Bool { type & 0x80 != 0 }
    /// Whether it belongs to a class of devices, and not to all USB devices.
    var isOfClass: Bool { type & 0x60 == 0x20 }
    /// Whether it is one that all USB devices have.
    var isStandard: Bool { type & 0x60 == 0 }
}

/// What a device does about a control request.
public enum USBControlAnswer: Hashable, Sendable {
    /// It returns these bytes, or as many as are asked for; none for a request without data.
    case data([UInt8])
    /// It stalls: it has no such thing.
    case stalled
    /// The reader behind it takes this unit, and answers later.
    case ask(TransportUnit)
    /// It is done, and the reader behind it is told.
    case tell(TransportUnit)
}
