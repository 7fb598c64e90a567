import Transports

/// What a device does as a member of its class.
///
/// A new kind of reader that is a HID or a serial device needs no case of its own: it is another
/// value of these.
public enum USBFunction: Hashable, Sendable {
    /// Reports in packets of an interrupt endpoint, and feature reports.
    case hid(HIDFunction)
    /// A serial line over two bulk endpoints.
    case serialLine(ACMFunction)

    /// The kind of endpoint on which the reader's units travel to the host.
    var carrier: USBDeviceModel.Endpoint.Kind {
        switch self {
        case .hid: .interrupt
        case .serialLine: .bulk
        }
    }

    /// A descriptor of an interface, or `nil`.
    func descriptor(_ value: UInt16, interface: UInt16) -> [UInt8]? {
        switch self {
        case .hid(let hid) where interface == 0: hid.descriptor(value)
        case .hid, .serialLine: nil
        }
    }

    /// Answers a request of its class.
    mutating func answer(
        _ request: USBControlRequest,
        _ data: ArraySlice<UInt8>
    ) -> USBControlAnswer {
        switch self {
        case .hid(var hid):
            defer { self = .hid(hid) }
            return hid.answer(request, data)
        case .serialLine(var line):
            defer { self = .serialLine(line) }
            return line.answer(request, data)
        }
    }

    /// Forgets what hosts have set, as without power.
    mutating func reset() {
        switch self {
        case .hid(var hid):
            hid.idleRate = 0
            self = .hid(hid)
        case .serialLine(let line): self = .serialLine(ACMFunction(coding: line.initialCoding))
        }
    }
}

/// A HID interface with number 0 and without report ids.
///
/// | request | answer |
/// | --- | --- |
/// | SET_REPORT, GET_REPORT of feature report 0 | the reader's |
/// | SET_IDLE, GET_IDLE | kept and returned, without effect: reports come when there is one |
/// | a keyboard's output report and protocol | taken, without effect |
/// | other input and output reports, other protocols | stalled |
///
/// Source: HID 1.11, sections 6.2.1 (descriptor), 7.1 and 7.2 (requests).
public struct HIDFunction: Hashable, Sendable {
    /// Describes the reports.
    public var reportDescriptor: [UInt8]
    /// bcdHID.
    public var release: UInt16
    /// Whether it is a keyboard of the boot subclass, which has lights and a boot protocol.
    public var isKeyboard: Bool
    /// What SET_IDLE was last given.
    var idleRate: UInt8 = 0

    /// Describes the interface.
    public init(reportDescriptor: [UInt8], release: UInt16 = 0x0110, isKeyboard: Bool = false) {
        self.reportDescriptor = reportDescriptor
        self.release = release
        self.isKeyboard = isKeyboard
    }

    /// The HID descriptor, 9 bytes.
    public var classDescriptor: [UInt8] {
        var bytes: [UInt8] = [9, 0x21]
        bytes.appendLittleEndian(release)
        bytes += [0, 1, 0x22]
        bytes.appendLittleEndian(UInt16(clamping: reportDescriptor.count))
        return bytes
    }

    func descriptor(_ value: UInt16) -> [UInt8]? {
        switch value {
        case 0x2100: classDescriptor
        case 0x2200: reportDescriptor
        default: nil
        }
    }

    mutating func answer(
        _ request: USBControlRequest,
        _ data: ArraySlice<UInt8>
    ) -> USBControlAnswer {
        guard request.index == 0 else { return .stalled }
        switch (request.type, request.code, request.value) {
        case (0x21, 0x09, 0x0300): return .ask(TransportUnit(.featureSet(id: 0), data))
        case (0xA1, 0x01, 0x0300):
            let count = Int(request.byteCount)
            return .ask(TransportUnit(.featureGet(id: 0, byteCount: count), []))
        case (0x21, 0x0A, _):
            idleRate = UInt8(request.value >> 8)
            return .data([])
        case (0xA1, 0x02, _): return .data([idleRate])
        // A keyboard's lights, and its one protocol: boot and report are the same.
        case (0x21, 0x09, 0x0200) where isKeyboard: return .data([])
        case (0x21, 0x0B, _) where isKeyboard: return .data([])
        case (0xA1, 0x03, _) where isKeyboard: return .data([1])
        default: return .stalled
        }
    }
}

/// A serial line of the class CDC-ACM: interface 0 controls it, interface 1 carries the bytes.
///
/// The line's speed is kept and returned and changes nothing, since no bit is really sent. DTR and
/// RTS are told to the reader.
///
/// Source: USB Class Definitions for Communications Devices 1.2, PSTN subclass 1.2, section 6.3.
public struct ACMFunction: Hashable, Sendable {
    /// Seven bytes: speed (little-endian), stop bits, parity, data bits.
    public private(set) var coding: [UInt8]
    /// The coding that it begins with.
    public let initialCoding: [UInt8]
    /// Whether DTR is on: a program has the line open.
    public private(set) var isDataTerminalReady = false
    /// Whether RTS is on.
    public private(set) var isRequestingToSend = false

    /// 115,200 bit/s, 8 data bits, no parity, 1 stop bit.
    public static let usualCoding: [UInt8] = [0x00, 0xC2, 0x01, 0x00, 0, 0, 8]

    /// Starts with DTR and RTS off.
    public init(coding: [UInt8] = Self.usualCoding) {
        precondition(coding.count == 7, "a line coding has seven bytes")
        self.coding = coding
        initialCoding = coding
    }

    /// The functional descriptors: header, call management, ACM with line coding, union.
    public static let functionalDescriptors: [UInt8] =
        [5, 0x24, 0x00, 0x10, 0x01]
        + [5, 0x24, 0x01, 0x00, 0x01]
        + [4, 0x24, 0x02, 0x02]
        + [5, 0x24, 0x06, 0x00, 0x01]

    mutating func answer(
        _ request: USBControlRequest,
        _ data: ArraySlice<UInt8>
    ) -> USBControlAnswer {
        guard request.index == 0 else { return .stalled }
        switch (request.type, request.code) {
        case (0x21, 0x20):
            guard data.count == 7 else { return .stalled }
            coding = Array(data)
            return .data([])
        case (0xA1, 0x21): return .data(coding)
        case (0x21, 0x22):
            isDataTerminalReady = request.value & 1 != 0
            isRequestingToSend = request.value & 2 != 0
            let kind = TransportUnit.Kind.lineState(
                dataTerminalReady: isDataTerminalReady,
                requestToSend: isRequestingToSend
            )
            return .tell(TransportUnit(kind, []))
        default: return .stalled
        }
    }
}
