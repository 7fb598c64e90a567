/// What a USB/IP client sends once it has the device.
///
/// Source: Linux kernel documentation, usb/usbip_protocol, USBIP_CMD_SUBMIT and USBIP_CMD_UNLINK.
public enum USBIPCommand: Hashable, Sendable {
    /// USBIP_CMD_SUBMIT: a transfer.
    case submit(USBIPTransfer)
    /// USBIP_CMD_UNLINK: takes the transfer with a number back.
    case unlink(number: UInt32, transfer: UInt32)

    /// The bytes of every command and every answer before their data.
    public static let headerByteCount = 48

    /// The bytes that a client sends to a device.
    public func bytes(deviceID: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .submit(let transfer):
            bytes.appendBigEndian(UInt32(1))
            bytes.appendBigEndian(transfer.number)
            bytes.appendBigEndian(deviceID)
            bytes.appendBigEndian(UInt32(transfer.isIn ? 1 : 0))
            bytes.appendBigEndian(UInt32(transfer.endpoint))
            bytes.appendBigEndian(transfer.flags)
            bytes.appendBigEndian(UInt32(truncatingIfNeeded: transfer.byteCount))
            bytes.appendBigEndian(transfer.startFrame)
            bytes.appendBigEndian(transfer.packetCount)
            bytes.appendBigEndian(transfer.interval)
            bytes += transfer.request.bytes
            bytes += transfer.data
        case .unlink(let number, let transfer):
            bytes.appendBigEndian(UInt32(2))
            bytes.appendBigEndian(number)
            bytes.appendBigEndian(deviceID)
            bytes.appendBigEndian(UInt32(0))
            bytes.appendBigEndian(UInt32(0))
            bytes.appendBigEndian(transfer)
            bytes += [UInt8](repeating: 0, count: Self.headerByteCount - bytes.count)
        }
        return bytes
    }
}

/// One transfer that a client wants to be made (a URB).
public struct USBIPTransfer: Hashable, Sendable {
    /// The client's number for it.
    public var number: UInt32
    /// Whether data go to the client.
    public var isIn: Bool
    /// The endpoint, 0 to 15.
    public var endpoint: UInt8
    /// The kernel's flags for it, which say nothing to a reader.
    public var flags: UInt32
    /// The size of its buffer: the most that may be returned, or how much is sent.
    public var byteCount: Int
    /// The first frame; returned as it came.
    public var startFrame: UInt32
    /// 0 or 0xFFFFFFFF, whichever the client's kernel uses; returned as it came.
    public var packetCount: UInt32
    /// How often the client would ask, in frames.
    public var interval: UInt32
    /// What a control transfer asks; all zero for the others.
    public var request: USBControlRequest
    /// What is sent, when data go to the reader.
    public var data: ArraySlice<UInt8>

    /// Describes a transfer.
    public init(
        number: UInt32,
        isIn: Bool,
        endpoint: UInt8,
        byteCount: Int,
        request: USBControlRequest = .none,
        data: ArraySlice<UInt8> = [],
        flags: UInt32 = 0,
        startFrame: UInt32 = 0,
        packetCount: UInt32 = 0,
        interval: UInt32 = 0
    ) {
        self.number = number
        self.isIn = isIn
        self.endpoint = endpoint
        self.byteCount = byteCount
        self.request = request
        self.data = data
        self.flags = flags
        self.startFrame = startFrame
        self.packetCount = packetCount
        self.interval = interval
    }
}

/// How the server answers a ``USBIPCommand``.
///
/// Source: Linux kernel documentation, usb/usbip_protocol, USBIP_RET_SUBMIT and USBIP_RET_UNLINK.
public enum USBIPReturn: Hashable, Sendable {
    /// USBIP_RET_SUBMIT: a transfer was made, or was not.
    case finished(USBIPResult)
    /// USBIP_RET_UNLINK: the transfer was taken back (`ECONNRESET`), or had been answered (0).
    case unlinked(number: UInt32, status: Status)

    /// What the client's kernel reports; negative numbers of Linux's errno.
    public enum Status: Int32, Hashable, Sendable {
        /// It was made.
        case done = 0
        /// EPIPE: the reader stalled it.
        case stalled = -32
        /// EOVERFLOW: the reader sent more than there was room for.
        case overflow = -75
        /// ECONNRESET: it was taken back.
        case takenBack = -104
        /// ETIMEDOUT: the reader did not answer it.
        case timedOut = -110
    }

    /// The bytes that the server sends.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .finished(let result):
            bytes.reserveCapacity(USBIPCommand.headerByteCount + result.data.count)
            bytes.appendBigEndian(UInt32(3))
            bytes.appendBigEndian(result.number)
            bytes += [UInt8](repeating: 0, count: 12)
            bytes.appendBigEndian(UInt32(bitPattern: result.status.rawValue))
            bytes.appendBigEndian(UInt32(truncatingIfNeeded: result.actualByteCount))
            bytes.appendBigEndian(result.startFrame)
            bytes.appendBigEndian(result.packetCount)
            bytes += [UInt8](repeating: 0, count: 12)
            bytes += result.data
        case .unlinked(let number, let status):
            bytes.appendBigEndian(UInt32(4))
            bytes.appendBigEndian(number)
            bytes += [UInt8](repeating: 0, count: 12)
            bytes.appendBigEndian(UInt32(bitPattern: status.rawValue))
            bytes += [UInt8](repeating: 0, count: 24)
        }
        return bytes
    }
}

/// What became of a transfer.
public struct USBIPResult: Hashable, Sendable {
    /// The client's number for it.
    public var number: UInt32
    /// How it ended.
    public var status: USBIPReturn.Status
    /// How many bytes were sent or returned, at most its ``USBIPTransfer/byteCount``.
    public var actualByteCount: Int
    /// As it came.
    public var startFrame: UInt32
    /// As it came.
    public var packetCount: UInt32
    /// What is returned, when data go to the client.
    public var data: ArraySlice<UInt8>

    /// Ends a transfer to the client with data, cut to the room that there is.
    init(_ transfer: USBIPTransfer, _ status: USBIPReturn.Status, returning data: ArraySlice<UInt8>)
    {
        let data = transfer.isIn ? data.prefix(transfer.byteCount) : []
        self.init(transfer, status, byteCount: data.count)
        self.data = data
    }

    /// Ends a transfer that returns no data.
    init(_ transfer: USBIPTransfer, _ status: USBIPReturn.Status, byteCount: Int = 0) {
        number = transfer.number
        self.status = status
        actualByteCount = byteCount
        startFrame = transfer.startFrame
        packetCount = transfer.packetCount
        data = []
    }
}
