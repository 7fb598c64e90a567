/// One usbmon record: an URB as the Linux kernel submitted it or completed it.
///
/// Sources: tcpdump.org, LINKTYPE_USB_LINUX and LINKTYPE_USB_LINUX_MMAPPED; Linux,
/// Documentation/usb/usbmon.rst, "Raw binary format and API".
public struct USBMonPacket: Hashable, Sendable {
    /// What happened to the URB.
    public enum EventType: UInt8, Hashable, Sendable {
        /// `S`: a driver submitted it.
        case submission = 0x53
        /// `C`: it came back.
        case completion = 0x43
        /// `E`: the submission failed.
        case submissionError = 0x45
    }

    /// The kind of transfer, numbered as in the record.
    public enum TransferType: UInt8, Hashable, Sendable {
        /// Isochronous.
        case isochronous = 0
        /// Interrupt: HID reports.
        case interrupt = 1
        /// Control, on endpoint 0.
        case control = 2
        /// Bulk: serial bytes over CDC-ACM.
        case bulk = 3
    }

    /// One packet of an isochronous transfer; its bytes lie in ``USBMonPacket/data``.
    public struct IsochronousDescriptor: Hashable, Sendable {
        /// 0 or a negative errno.
        public var status: Int32
        /// Where the packet begins, in bytes from the beginning of the transfer's buffer.
        public var offset: UInt32
        /// How long it is, in bytes.
        public var byteCount: UInt32
    }

    /// The length of a link type 220 header.
    public static let headerByteCount = 64
    /// The length of a link type 189 header.
    public static let shortHeaderByteCount = 48

    /// The kernel's number for the URB; a completion belongs to the last submission with the same
    /// number and endpoint, and numbers are used again at once.
    public internal(set) var urbID: UInt64
    /// What happened.
    public internal(set) var event: EventType
    /// The kind of transfer.
    public internal(set) var transfer: TransferType
    /// The endpoint's address: bit 7 is set for IN, the low bits number it.
    public internal(set) var endpointAddress: UInt8
    /// The device's address on its bus.
    public internal(set) var deviceAddress: UInt8
    /// The bus.
    public internal(set) var busNumber: UInt16
    /// The setup packet; only control submissions have one.
    public internal(set) var setup: USBSetupPacket?
    /// 0 exactly when ``setup`` is there, else why it is not: `-` or `Z`.
    public internal(set) var setupFlag: UInt8
    /// 0 when the record holds data, else why not: `<`, `>`, `Z`, `D` or `E`.
    public internal(set) var dataFlag: UInt8
    /// The record's own time; the record holds microseconds, finer parts are cut when encoded.
    public internal(set) var time: CaptureTime
    /// 0, -115 (in progress) for a submission, or the negative errno of a completion.
    public internal(set) var status: USBStatus
    /// Bytes asked for by a submission, bytes moved by a completion.
    public internal(set) var urbByteCount: Int
    /// What the header says of the bytes that follow it, isochronous descriptors included; more
    /// than there are when the capture was cut.
    public internal(set) var capturedByteCount: Int
    /// Interrupt and isochronous: the polling interval in (micro)frames; 0 in link type 189.
    public internal(set) var interval: UInt32
    /// Isochronous: the first frame; 0 in link type 189.
    public internal(set) var startFrame: UInt32
    /// The kernel's flags for the transfer, not interpreted; 0 in link type 189.
    public internal(set) var transferFlags: UInt32
    /// Isochronous: the number of packets that failed.
    public internal(set) var isochronousErrorCount: UInt32
    /// Isochronous: the packets, as far as the record holds their descriptors.
    public internal(set) var isochronousDescriptors: [IsochronousDescriptor]
    /// The bytes that were moved, as far as the capture holds them.
    public internal(set) var data: ArraySlice<UInt8>

    /// Whether the device sends in this transfer.
    public var isIn: Bool { endpointAddress & 0x80 != 0 }
    /// The endpoint's number, 0 to 15.
    public var endpointNumber: Int { Int(endpointAddress & 0x0F) }
    /// Whether the record should hold data, be it none.
    public var hasData: Bool { dataFlag == 0 }
    /// Whether fewer bytes were captured than moved; never true of isochronous transfers.
    public var isCut: Bool { hasData && transfer != .isochronous && data.count < urbByteCount }

    /// Decodes the record in a captured packet of link type 189 or 220.
    ///
    /// - Throws: ``CaptureError`` with `unsupportedLinkType`, `headerTooShort` or `badField`; its
    ///   offset is in the file.
    public init(decoding packet: CapturedPacket) throws(CaptureError) {
        let bytes = packet.data
        let linkType = packet.linkType
        func error(_ code: CaptureError.Code, at offset: Int) -> CaptureError {
            CaptureError(
                code,
                byteOffset: packet.dataByteOffset + offset,
                blockNumber: packet.blockNumber
            )
        }
        guard linkType == .usbLinuxMmapped || linkType == .usbLinux else {
            throw error(.unsupportedLinkType(linkType), at: 0)
        }
        let isLong = linkType == .usbLinuxMmapped
        let needed = isLong ? Self.headerByteCount : Self.shortHeaderByteCount
        guard bytes.count >= needed else {
            let code = CaptureError.Code.headerTooShort(
                linkType,
                byteCount: bytes.count,
                needed: needed
            )
            throw error(code, at: 0)
        }
        func byte(_ offset: Int) -> UInt8 { bytes[bytes.startIndex + offset] }
        func number(_ offset: Int) -> UInt32 {
            bytes.load32(atOffset: offset, packet.byteOrder)
        }
        guard let event = EventType(rawValue: byte(8)) else {
            let code = CaptureError.Code.badField(
                linkType,
                field: "the event type",
                value: Int(byte(8))
            )
            throw error(code, at: 8)
        }
        guard let transfer = TransferType(rawValue: byte(9)) else {
            let code = CaptureError.Code.badField(
                linkType,
                field: "the transfer type",
                value: Int(byte(9))
            )
            throw error(code, at: 9)
        }
        let isIsochronous = transfer == .isochronous
        let captured = Int(number(36))
        var rest = bytes.dropFirst(needed).prefix(captured)
        isochronousDescriptors = []
        if isIsochronous, isLong {
            let count = Int(number(60))
            guard count <= captured / 16 else {
                let code = CaptureError.Code.badField(
                    linkType,
                    field: "the number of isochronous descriptors",
                    value: count
                )
                throw error(code, at: 60)
            }
            for _ in 0..<min(count, rest.count / 16) {
                isochronousDescriptors.append(
                    IsochronousDescriptor(
                        status: Int32(bitPattern: rest.load32(atOffset: 0, packet.byteOrder)),
                        offset: rest.load32(atOffset: 4, packet.byteOrder),
                        byteCount: rest.load32(atOffset: 8, packet.byteOrder)
                    )
                )
                rest = rest.dropFirst(16)
            }
        }
        data = rest
        urbID = bytes.load64(atOffset: 0, packet.byteOrder)
        self.event = event
        self.transfer = transfer
        endpointAddress = byte(10)
        deviceAddress = byte(11)
        busNumber = bytes.load16(atOffset: 12, packet.byteOrder)
        setupFlag = byte(14)
        setup = setupFlag == 0 ? USBSetupPacket(bytes.dropFirst(40).prefix(8)) : nil
        dataFlag = byte(15)
        let seconds = Int64(bitPattern: bytes.load64(atOffset: 16, packet.byteOrder))
        let microseconds = Int64(Int32(bitPattern: number(24)))
        time = CaptureTime(
            seconds: seconds.addingSaturating(microseconds / 1_000_000),
            nanoseconds: UInt32(max(0, microseconds % 1_000_000)) * 1_000
        )
        status = USBStatus(rawValue: Int32(bitPattern: number(28)))
        urbByteCount = Int(number(32))
        capturedByteCount = captured
        interval = isLong ? number(48) : 0
        startFrame = isLong ? number(52) : 0
        transferFlags = isLong ? number(56) : 0
        isochronousErrorCount = isIsochronous ? number(40) : 0
    }
}

/// How an URB ended: 0, or a negative Linux errno.
public struct USBStatus: RawRepresentable, Hashable, Sendable {
    /// 0 or a negative errno.
    public let rawValue: Int32

    /// Creates a status; any number is one.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// It ended well.
    public static let success = USBStatus(rawValue: 0)
    /// -115, EINPROGRESS: what a submission shows.
    public static let inProgress = USBStatus(rawValue: -115)
    /// -32, EPIPE: the endpoint stalled.
    public static let stalled = USBStatus(rawValue: -32)
    /// -2, ENOENT: the driver took it back.
    public static let unlinked = USBStatus(rawValue: -2)
    /// -108, ESHUTDOWN: the device or its bus went away.
    public static let shutDown = USBStatus(rawValue: -108)
    /// -71, EPROTO: no answer; often the first sign that a device was pulled out.
    public static let protocolError = USBStatus(rawValue: -71)
}

/// The eight bytes that begin a control transfer.
///
/// Source: USB 2.0, section 9.3.
public struct USBSetupPacket: Hashable, Sendable {
    /// bmRequestType: bit 7 is set when the device sends, bits 5 and 6 are the kind.
    public var requestType: UInt8
    /// bRequest.
    public var request: UInt8
    /// wValue.
    public var value: UInt16
    /// wIndex.
    public var index: UInt16
    /// wLength: the most bytes that may follow.
    public var byteCount: UInt16

    /// Whether the device sends the data.
    public var isIn: Bool { requestType & 0x80 != 0 }

    /// Creates a setup packet from its fields.
    public init(
        requestType: UInt8,
        request: UInt8,
        value: UInt16,
        index: UInt16,
        byteCount: UInt16
    ) {
        self.requestType = requestType
        self.request = request
        self.value = value
        self.index = index
        self.byteCount = byteCount
    }

    /// Reads a setup packet from its bytes, or returns `nil` when there are not eight.
    public init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 8 else { return nil }
        requestType = bytes[bytes.startIndex]
        request = bytes[bytes.startIndex + 1]
        value = bytes.load16(atOffset: 2, .littleEndian)
        index = bytes.load16(atOffset: 4, .littleEndian)
        byteCount = bytes.load16(atOffset: 6, .littleEndian)
    }

    /// The eight bytes as they go over the bus.
    public var bytes: [UInt8] {
        var bytes = [requestType, request]
        for field in [value, index, byteCount] { bytes.store(field, .littleEndian) }
        return bytes
    }
}
