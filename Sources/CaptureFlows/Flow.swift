public import CaptureFiles

/// One conversation in a capture: an endpoint, a TCP connection, an RFCOMM channel or a serial log.
public struct Flow: Hashable, Sendable {
    /// Names a flow within one file: its index in ``CaptureImporter/flows``.
    public typealias ID = Int

    /// What tells one conversation from another.
    public let key: FlowKey
    /// The name of the first interface it was seen on (if_name), such as `usbmon1` or a reader's
    /// name in our own recordings; empty where the file has none.
    public let interfaceName: String
    /// The number of the packet or line in which it was first seen, from 1.
    public let firstPacketNumber: Int
    /// Whether the file does not say who is host and who is reader, so that the directions of its
    /// units are a guess that may be wrong as a whole.
    public internal(set) var isDirectionGuessed: Bool
    /// The payload bytes seen so far: from the host to the reader.
    public internal(set) var byteCountToReader = 0
    /// The payload bytes seen so far: from the reader to the host.
    public internal(set) var byteCountFromReader = 0
    /// The payload bytes seen so far whose direction the file does not tell.
    public internal(set) var byteCountOfUnknownDirection = 0
    /// The units with payload so far; pieces of one unit count once.
    public internal(set) var unitCount = 0
    /// The units that say that bytes are missing or cut.
    public internal(set) var damageCount = 0
}

/// What tells one conversation from another.
public enum FlowKey: Hashable, Sendable {
    /// One endpoint of a USB device; IN and OUT endpoints are flows of their own, and endpoint 0 is
    /// one flow (its address is 0 here).
    case usb(USBEndpointKey)
    /// One TCP connection.
    case tcp(TCPConnectionKey)
    /// One RFCOMM channel of one Bluetooth connection.
    case rfcomm(RFCOMMChannelKey)
    /// Bytes that our own recordings (or others) hold as exported PDUs, link type 252.
    ///
    /// `data` units of one interface are one flow, that of a serial line or the loopback.
    case exported(interface: String, dissector: String)
    /// A journal inside a capture: each unit is one record as JSON.
    case journal(interface: String)
    /// A serial line as a text log or a link type of its own has it; the name is the log's.
    case serial(name: String)
}

/// A USB endpoint on a bus.
public struct USBEndpointKey: Hashable, Sendable {
    /// The bus; on macOS the top byte of the location.
    public var bus: UInt16
    /// The device's address on its bus.
    public var device: UInt16
    /// The endpoint's address: bit 7 is set for IN; 0 for the control endpoint, both ways.
    public var endpoint: UInt8
    /// The kind of transfer.
    public var transfer: USBMonPacket.TransferType

    /// Creates a key.
    public init(
        bus: UInt16,
        device: UInt16,
        endpoint: UInt8,
        transfer: USBMonPacket.TransferType
    ) {
        self.bus = bus
        self.device = device
        self.endpoint = endpoint
        self.transfer = transfer
    }
}

/// An address and port, IPv4 or IPv6.
public struct SocketEnd: Hashable, Sendable, CustomStringConvertible {
    /// The upper 64 bits of an IPv6 address; 0 for IPv4.
    public var high: UInt64
    /// The lower 64 bits of an IPv6 address, or the 32 bits of an IPv4 one.
    public var low: UInt64
    /// Whether the address is an IPv6 one.
    public var isIPv6: Bool
    /// The TCP port.
    public var port: UInt16

    /// Creates an IPv4 end.
    public init(ipv4 address: UInt32, port: UInt16) {
        high = 0
        low = UInt64(address)
        isIPv6 = false
        self.port = port
    }

    /// Creates an IPv6 end.
    public init(ipv6High high: UInt64, low: UInt64, port: UInt16) {
        self.high = high
        self.low = low
        isIPv6 = true
        self.port = port
    }

    /// `192.0.2.1:6543`, or `[2001:db8:0:0:0:0:0:1]:6543` with all eight groups.
    public var description: String {
        if isIPv6 {
            var text = "["
            for group in 0..<8 {
                let half = group < 4 ? high : low
                let value = UInt16(truncatingIfNeeded: half >> UInt64(48 - 16 * (group % 4)))
                text += (group == 0 ? "" : ":") + String(value, radix: 16)
            }
            return "\(text)]:\(port)"
        }
        let bytes = [24, 16, 8, 0].map { String(UInt8(truncatingIfNeeded: low >> UInt64($0))) }
        return "\(bytes.joined(separator: ".")):\(port)"
    }
}

/// The two ends of a TCP connection, and which of several with the same ends it is.
public struct TCPConnectionKey: Hashable, Sendable {
    /// The end that opened the connection, or seems to.
    public var host: SocketEnd
    /// The end that listened: the reader, or a gateway.
    public var reader: SocketEnd
    /// Counts connections with the same ends, from 0: a new SYN after the end begins the next.
    public var generation: UInt32

    /// Creates a key.
    public init(host: SocketEnd, reader: SocketEnd, generation: UInt32 = 0) {
        self.host = host
        self.reader = reader
        self.generation = generation
    }
}

/// An RFCOMM channel: the connection to a Bluetooth device, and the channel's number in it.
public struct RFCOMMChannelKey: Hashable, Sendable {
    /// The adapter's index in a monitor log; 0 elsewhere.
    public var adapter: UInt16
    /// The HCI connection handle, 12 bits.
    public var handle: UInt16
    /// Counts the connections that had this handle, from 0.
    public var generation: UInt32
    /// The device's address as 48 bits, most significant byte first as printed, or `nil` when the
    /// log begins after the connection was made.
    public var address: UInt64?
    /// The L2CAP channel, by the CID that the host allocated (0 when it is not known).
    public var channel: UInt16
    /// The data link connection identifier, 2 to 61; the server channel is `dlci >> 1`.
    public var dlci: UInt8

    /// Creates a key.
    public init(
        adapter: UInt16 = 0,
        handle: UInt16,
        generation: UInt32 = 0,
        address: UInt64? = nil,
        channel: UInt16 = 0,
        dlci: UInt8
    ) {
        self.adapter = adapter
        self.handle = handle
        self.generation = generation
        self.address = address
        self.channel = channel
        self.dlci = dlci
    }
}

extension FlowKey: CustomStringConvertible {
    /// One line without blanks around, such as `usb 1.11 endpoint 0x81 interrupt`.
    public var description: String {
        switch self {
        case .usb(let key):
            "usb \(key.bus).\(key.device) endpoint 0x\(hex(UInt64(key.endpoint), width: 2))"
                + " \(key.transfer)"
        case .tcp(let key):
            "tcp \(key.host) to \(key.reader)"
                + (key.generation == 0 ? "" : " (\(key.generation + 1))")
        case .rfcomm(let key):
            "rfcomm \(key.address.map(address) ?? "handle \(key.handle)") channel \(key.dlci >> 1)"
                + " dlci \(key.dlci)" + (key.generation == 0 ? "" : " (\(key.generation + 1))")
        case .exported(let interface, let dissector): "\(dissector) \(interface)"
        case .journal(let interface): "journal \(interface)"
        case .serial(let name): "serial \(name)"
        }
    }

    private func hex(_ value: UInt64, width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private func address(_ value: UInt64) -> String {
        (0..<6).map { hex(value >> UInt64(40 - 8 * $0) & 0xFF, width: 2) }.joined(separator: ":")
    }
}
