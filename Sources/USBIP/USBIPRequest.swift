/// What a USB/IP client asks for before it has a device.
///
/// Source: Linux kernel documentation, usb/usbip_protocol, OP_REQ_DEVLIST and OP_REQ_IMPORT.
public enum USBIPRequest: Hashable, Sendable {
    /// OP_REQ_DEVLIST: which devices are there?
    case list
    /// OP_REQ_IMPORT: the device with this bus id, at most 31 bytes.
    case take(busID: String)

    static let version: UInt16 = 0x0111
    static let headerByteCount = 8
    static let busIDByteCount = 32

    /// The number that names it on the wire.
    var code: UInt16 {
        switch self {
        case .list: 0x8005
        case .take: 0x8003
        }
    }

    /// The bytes that a client sends.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(Self.version)
        bytes.appendBigEndian(code)
        bytes.appendBigEndian(UInt32(0))
        if case .take(let busID) = self { bytes.append(busID, byteCount: Self.busIDByteCount) }
        return bytes
    }
}

/// What the server answers to a ``USBIPRequest``.
///
/// Source: Linux kernel documentation, usb/usbip_protocol, OP_REP_DEVLIST and OP_REP_IMPORT.
public enum USBIPReply: Hashable, Sendable {
    /// OP_REP_DEVLIST: the devices that can be had, each with its interfaces.
    case list([USBIPExport])
    /// OP_REP_IMPORT: the connection carries transfers from now on.
    case taken(USBIPExport)
    /// OP_REP_IMPORT: the device cannot be had.
    case refused(Refusal)

    /// Why a device cannot be had; Debian's `usbip` has a sentence for each.
    public enum Refusal: UInt32, Hashable, Sendable {
        /// "Request Failed".
        case failed = 1
        /// "Device busy (exported)": another client has it.
        case busy = 2
        /// "Device in error state".
        case deviceError = 3
        /// "Device not found".
        case noDevice = 4
    }

    /// The bytes that the server sends.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(USBIPRequest.version)
        switch self {
        case .list(let exports):
            bytes.appendBigEndian(UInt16(0x0005))
            bytes.appendBigEndian(UInt32(0))
            bytes.appendBigEndian(UInt32(exports.count))
            for export in exports { bytes += export.record + export.interfaceRecords }
        case .taken(let export):
            bytes.appendBigEndian(UInt16(0x0003))
            bytes.appendBigEndian(UInt32(0))
            bytes += export.record
        case .refused(let refusal):
            bytes.appendBigEndian(UInt16(0x0003))
            bytes.appendBigEndian(refusal.rawValue)
        }
        return bytes
    }
}

/// A device as the server lists it.
public struct USBIPExport: Hashable, Sendable {
    /// Where it would be in sysfs, for people; at most 255 bytes.
    public var path: String
    /// How clients name it, such as `1-1`; at most 31 bytes.
    public var busID: String
    /// The number of its bus.
    public var busNumber: UInt16
    /// Its number on that bus.
    public var deviceNumber: UInt16
    /// What it is.
    public var model: USBDeviceModel

    /// Lists a device as `1-1`, number 2 on bus 1, unless something else is said.
    public init(
        _ model: USBDeviceModel,
        path: String = "/sys/devices/cardrig/usb1/1-1",
        busID: String = "1-1",
        busNumber: UInt16 = 1,
        deviceNumber: UInt16 = 2
    ) {
        self.model = model
        self.path = path
        self.busID = busID
        self.busNumber = busNumber
        self.deviceNumber = deviceNumber
    }

    /// What transfers name the device by.
    public var deviceID: UInt32 { UInt32(busNumber) << 16 | UInt32(deviceNumber) }

    /// The 312 bytes of both replies.
    var record: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(path, byteCount: 256)
        bytes.append(busID, byteCount: USBIPRequest.busIDByteCount)
        bytes.appendBigEndian(UInt32(busNumber))
        bytes.appendBigEndian(UInt32(deviceNumber))
        bytes.appendBigEndian(model.speed.rawValue)
        bytes.appendBigEndian(model.vendorID)
        bytes.appendBigEndian(model.productID)
        bytes.appendBigEndian(model.release)
        bytes += [
            model.deviceClass.code, model.deviceClass.subclass, model.deviceClass.protocolCode,
        ]
        bytes += [model.configurationValue, 1, UInt8(clamping: model.interfaces.count)]
        return bytes
    }

    /// Four bytes for each interface, in the list only.
    var interfaceRecords: [UInt8] {
        model.interfaces.flatMap {
            [$0.kind.code, $0.kind.subclass, $0.kind.protocolCode, 0]
        }
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ number: UInt16) {
        append(UInt8(truncatingIfNeeded: number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }

    mutating func appendBigEndian(_ number: UInt32) {
        appendBigEndian(UInt16(truncatingIfNeeded: number >> 16))
        appendBigEndian(UInt16(truncatingIfNeeded: number))
    }

    mutating func appendLittleEndian(_ number: UInt16) {
        append(UInt8(truncatingIfNeeded: number))
        append(UInt8(truncatingIfNeeded: number >> 8))
    }

    /// Appends text in a field that ends with at least one NUL.
    mutating func append(_ text: String, byteCount: Int) {
        let field = Array(text.utf8.prefix(byteCount - 1))
        append(contentsOf: field)
        append(contentsOf: repeatElement(0, count: byteCount - field.count))
    }
}
