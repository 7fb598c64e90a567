/// Reads any capture that CardRig knows, from bytes that come in pieces, as units of conversations.
///
/// The format is found by content, never by name. Feed pieces with ``append(_:)`` (64 KiB serve),
/// take items with ``next()`` until it returns `nil`, call ``finish()`` behind the last piece and
/// take the rest. Nothing throws: what is damaged or not understood is a ``CaptureNotice`` with its
/// block, packet or line, and the rest goes on. Memory is bounded whatever the file; any division
/// into pieces gives the same items. It is not copied, since the unpacker has state outside Swift.
///
/// | what | formats |
/// | --- | --- |
/// | containers | pcapng, pcap, btsnoop 1001/1002/2001, PacketLogger; gzip around any of all |
/// | USB | link types 189, 220 (usbmon), 249 (USBPcap), 266 (macOS), usbmon text `1u` and `1t` |
/// | TCP | link types 0, 1, 101, 108, 113, 228, 229, 276 |
/// | Bluetooth | link types 187, 201, 254: RFCOMM over L2CAP |
/// | serial | link types 250, 252; logs of socat, jpnevulator, interceptty, pyserial, Portmon |
/// | other text | umockdev scripts and ioctl records, hex dumps with marks of direction |
public struct CaptureImporter: ~Copyable {
    /// How the times of a file are to be understood.
    public enum Clock: Hashable, Sendable {
        /// Seconds since 1970-01-01 UTC (logs without a time zone are taken as UTC).
        case utc
        /// Counted from an unknown moment: only differences mean something.
        case relative
        /// The file has no times.
        case none
    }

    /// The conversations found so far; a unit's ``FlowUnit/flow`` is an index here.
    public private(set) var flows: [Flow] = []
    /// What was learnt of USB devices so far: descriptors that the capture holds.
    public private(set) var usbDevices: [USBDeviceSeen] = []
    /// The file's format in a few words, such as `pcapng`; `nil` until it is found.
    public private(set) var formatName: String?
    /// Whether the file was compressed with gzip.
    public private(set) var isCompressed = false
    /// How times are to be understood.
    public private(set) var clock = Clock.utc
    /// How many packets (or, in text, blocks of bytes) were read.
    public private(set) var packetCount = 0

    /// Creates an importer at the beginning of a file.
    public init() {}

    /// Adds the next bytes of the file.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {}

    /// Says that there are no more bytes; take the last items with ``next()``.
    public mutating func finish() {}

    /// Returns the next item, or `nil` when more bytes are needed or, once finished, no more come.
    public mutating func next() -> CaptureItem? { nil }
}

/// What a capture tells of one USB device: what its descriptors say, as far as they are in it.
public struct USBDeviceSeen: Hashable, Sendable {
    /// One interface descriptor.
    public struct Interface: Hashable, Sendable {
        /// bInterfaceNumber.
        public var number: UInt8
        /// bInterfaceClass: 3 is HID, 2 and 10 are those of a CDC-ACM line.
        public var interfaceClass: UInt8
        /// bInterfaceSubClass.
        public var subclass: UInt8
        /// bInterfaceProtocol.
        public var interfaceProtocol: UInt8
        /// The addresses of its endpoints.
        public var endpoints: [UInt8]
    }

    /// The bus.
    public var bus: UInt16
    /// The address on it.
    public var device: UInt16
    /// idVendor; `nil` when the device descriptor is not in the capture.
    public var vendorID: UInt16?
    /// idProduct.
    public var productID: UInt16?
    /// The interfaces of its configuration, in order.
    public var interfaces: [Interface]
    /// Strings by their index in the descriptors, at most 64 characters each; iSerialNumber is
    /// left out unless it was asked for, since it names a single device.
    public var product: String?
    /// The manufacturer's name.
    public var manufacturer: String?
}
