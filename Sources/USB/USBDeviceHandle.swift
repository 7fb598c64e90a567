import CLibUSB

/// An open device; it is closed once, when the last owner or transfer that needs it goes.
///
/// A class, since a submitted transfer must keep it open: libusb abandons what is in flight on a
/// handle that is closed. All calls belong to the thread that handles the context's events. The
/// last owner must not go inside a transfer's closure: libusb holds a lock there that closing needs.
public final class USBDeviceHandle {
    let raw: OpaquePointer
    private let context: USBContext
    private let serialNumberIndex: UInt8

    init(adopting raw: OpaquePointer, context: USBContext, serialNumberIndex: UInt8) {
        self.raw = raw
        self.context = context
        self.serialNumberIndex = serialNumberIndex
    }

    deinit { libusb_close(raw) }

    /// Takes the interface from the kernel's driver and tells whether one had it.
    ///
    /// - Throws: ``USBError``; `other` and `notSupported` also come where the platform cannot
    ///   even say whether a driver is there, and claiming may work all the same.
    public func detachKernelDriver(interface: Int32) throws(USBError) -> Bool {
        let code = libusb_detach_kernel_driver(raw, interface)
        if code == LIBUSB_ERROR_NOT_FOUND.rawValue { return false }
        try checked(code, .detachDriver)
        return true
    }

    /// Gives the interface back to the kernel's driver.
    ///
    /// - Throws: ``USBError`` of kind `noDevice`, `busy` or `other`.
    public func attachKernelDriver(interface: Int32) throws(USBError) {
        try checked(libusb_attach_kernel_driver(raw, interface), .attachDriver)
    }

    /// Claims an interface for this process.
    ///
    /// - Throws: ``USBError`` of kind `busy`, `noDevice`, `notFound` or `other`.
    public func claim(interface: Int32) throws(USBError) {
        try checked(libusb_claim_interface(raw, interface), .claimInterface)
    }

    /// Gives up an interface; one that is not claimed, or whose device left, is ignored.
    public func release(interface: Int32) { _ = libusb_release_interface(raw, interface) }

    /// Ends the halt of an endpoint that stalled.
    ///
    /// - Throws: ``USBError`` of kind `noDevice` or `other`.
    public func clearHalt(endpoint: UInt8) throws(USBError) {
        try checked(libusb_clear_halt(raw, endpoint), .clearHalt)
    }

    /// Reads from the control endpoint and waits for the answer; only before transfers are pending.
    ///
    /// - Throws: ``USBError`` of kind `stalled`, `timedOut`, `noDevice` or `other`.
    public func controlRead(
        _ setup: USBSetup,
        timeoutMilliseconds: UInt32
    ) throws(USBError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(setup.length))
        let count = libusb_control_transfer(
            raw,
            setup.requestType,
            setup.request,
            setup.value,
            setup.index,
            &bytes,
            setup.length,
            timeoutMilliseconds
        )
        try checked(count, .controlTransfer)
        return Array(bytes.prefix(Int(count)))
    }

    /// The serial number's string, or `nil` when the device has none.
    ///
    /// - Throws: ``USBError`` when the device does not answer.
    public func serialNumber() throws(USBError) -> String? {
        guard serialNumberIndex != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = libusb_get_string_descriptor_ascii(raw, serialNumberIndex, &bytes, 256)
        try checked(count, .readDescriptors)
        return String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
    }
}

/// The eight bytes that begin a control request.
public struct USBSetup: Hashable, Sendable {
    /// `bmRequestType`: direction, type and recipient.
    public var requestType: UInt8
    /// `bRequest`.
    public var request: UInt8
    /// `wValue`.
    public var value: UInt16
    /// `wIndex`: the interface for requests to one.
    public var index: UInt16
    /// `wLength`: how many bytes follow, or are wanted.
    public var length: UInt16

    /// Creates a setup packet from its five fields.
    public init(requestType: UInt8, request: UInt8, value: UInt16, index: UInt16, length: UInt16) {
        self.requestType = requestType
        self.request = request
        self.value = value
        self.index = index
        self.length = length
    }

    /// GET_DESCRIPTOR for the report descriptor of an interface; HID 1.11 section 7.1.1.
    public static func reportDescriptor(interface: UInt16, length: UInt16) -> Self {
        Self(requestType: 0x81, request: 6, value: 0x2200, index: interface, length: length)
    }

    /// SET_REPORT with a report type of 2 (output) or 3 (feature); HID 1.11 section 7.2.2.
    public static func setReport(type: UInt8, id: UInt8, interface: UInt16, length: UInt16) -> Self
    {
        let value = UInt16(type) << 8 | UInt16(id)
        return Self(requestType: 0x21, request: 9, value: value, index: interface, length: length)
    }

    /// GET_REPORT with a report type of 1 (input) or 3 (feature); HID 1.11 section 7.2.1.
    public static func getReport(type: UInt8, id: UInt8, interface: UInt16, length: UInt16) -> Self
    {
        let value = UInt16(type) << 8 | UInt16(id)
        return Self(requestType: 0xA1, request: 1, value: value, index: interface, length: length)
    }
}
