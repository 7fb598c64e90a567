/// A USB device with one configuration: what it says of itself, and what it answers.
///
/// All is a value. What every USB device answers is answered here, what its class answers by its
/// ``USBFunction``; whatever neither knows is stalled.
///
/// Source: USB 2.0, sections 9.4 (requests) and 9.6 (descriptors).
public struct USBDeviceModel: Hashable, Sendable {
    /// A class, subclass and protocol, of a device or an interface.
    public struct Kind: Hashable, Sendable {
        /// bDeviceClass or bInterfaceClass.
        public var code: UInt8
        /// bDeviceSubClass or bInterfaceSubClass.
        public var subclass: UInt8
        /// bDeviceProtocol or bInterfaceProtocol.
        public var protocolCode: UInt8

        /// Names a class.
        public init(_ code: UInt8, _ subclass: UInt8 = 0, _ protocolCode: UInt8 = 0) {
            self.code = code
            self.subclass = subclass
            self.protocolCode = protocolCode
        }
    }

    /// How fast it is; the number that USB/IP has for it.
    public enum Speed: UInt32, Hashable, Sendable {
        /// 12 Mbit/s.
        case full = 2
        /// 480 Mbit/s.
        case high = 3
    }

    /// An interface with its endpoints.
    public struct Interface: Hashable, Sendable {
        /// What it is.
        public var kind: Kind
        /// The number of its name among the strings; 0 for none.
        public var nameIndex: UInt8
        /// Descriptors that stand between it and its endpoints.
        public var classDescriptors: [UInt8]
        /// Its endpoints.
        public var endpoints: [Endpoint]

        /// Describes an interface; it has the number of its place.
        public init(
            _ kind: Kind,
            nameIndex: UInt8 = 0,
            classDescriptors: [UInt8] = [],
            endpoints: [Endpoint]
        ) {
            self.kind = kind
            self.nameIndex = nameIndex
            self.classDescriptors = classDescriptors
            self.endpoints = endpoints
        }

        /// Describes the interface of a HID reader: one interrupt endpoint, to the host.
        public init(
            _ kind: Kind,
            of function: HIDFunction,
            endpointNumber: UInt8,
            packetByteCount: UInt16
        ) {
            self.init(
                kind,
                classDescriptors: function.classDescriptor,
                endpoints: [
                    Endpoint(
                        address: 0x80 | endpointNumber,
                        .interrupt,
                        packetByteCount: packetByteCount,
                        interval: 1
                    )
                ]
            )
        }
    }

    /// An endpoint besides the one for control transfers.
    public struct Endpoint: Hashable, Sendable {
        /// How it transfers; the number in bmAttributes.
        public enum Kind: UInt8, Hashable, Sendable {
            /// A stream of bytes.
            case bulk = 2
            /// Packets that are asked for at an interval.
            case interrupt = 3
        }

        /// Its number, with bit 7 set when data go to the host.
        public var address: UInt8
        /// How it transfers.
        public var kind: Kind
        /// The largest packet, in bytes.
        public var packetByteCount: UInt16
        /// bInterval.
        public var interval: UInt8

        /// Describes an endpoint.
        public init(address: UInt8, _ kind: Kind, packetByteCount: UInt16, interval: UInt8 = 0) {
            self.address = address
            self.kind = kind
            self.packetByteCount = packetByteCount
            self.interval = interval
        }

        /// Whether data go to the host.
        public var isIn: Bool { address & 0x80 != 0 }

        var descriptor: [UInt8] {
            var bytes: [UInt8] = [7, 5, address, kind.rawValue]
            bytes.appendLittleEndian(packetByteCount)
            return bytes + [interval]
        }
    }

    /// idVendor.
    public var vendorID: UInt16
    /// idProduct.
    public var productID: UInt16
    /// bcdDevice.
    public var release: UInt16
    /// bcdUSB.
    public var usbRelease: UInt16
    /// Its class; 0 when the interfaces say it.
    public var deviceClass: Kind
    /// The largest packet of endpoint 0: 8, 16, 32 or 64 bytes.
    public var controlPacketByteCount: UInt8
    /// How fast it is.
    public var speed: Speed
    /// Its strings in American English, from number 1 on: manufacturer, product, serial number and
    /// those that interfaces name.
    public var strings: [String]
    /// bConfigurationValue of the one configuration.
    public var configurationValue: UInt8
    /// The number of the configuration's name among the strings; 0 for none.
    public var configurationNameIndex: UInt8
    /// What it may draw, in milliampere, 0 to 500.
    public var milliamperes: Int
    /// Whether it has power of its own.
    public var isSelfPowered: Bool
    /// Descriptors that stand before the first interface, such as an association.
    public var leadingDescriptors: [UInt8]
    /// Its interfaces, numbered from 0.
    public var interfaces: [Interface]
    /// What answers for its class.
    public var function: USBFunction

    /// Describes a device.
    public init(
        vendorID: UInt16,
        productID: UInt16,
        release: UInt16,
        strings: [String],
        interfaces: [Interface],
        function: USBFunction,
        usbRelease: UInt16 = 0x0110,
        deviceClass: Kind = Kind(0),
        controlPacketByteCount: UInt8 = 8,
        speed: Speed = .full,
        configurationValue: UInt8 = 1,
        configurationNameIndex: UInt8 = 0,
        milliamperes: Int = 100,
        isSelfPowered: Bool = false,
        leadingDescriptors: [UInt8] = []
    ) {
        self.vendorID = vendorID
        self.productID = productID
        self.release = release
        self.usbRelease = usbRelease
        self.deviceClass = deviceClass
        self.controlPacketByteCount = controlPacketByteCount
        self.speed = speed
        self.strings = strings
        self.configurationValue = configurationValue
        self.configurationNameIndex = configurationNameIndex
        self.milliamperes = milliamperes
        self.isSelfPowered = isSelfPowered
        self.leadingDescriptors = leadingDescriptors
        self.interfaces = interfaces
        self.function = function
    }

    /// The endpoint with this number and direction, if there is one.
    public func endpoint(number: UInt8, isIn: Bool) -> Endpoint? {
        let address = number | (isIn ? 0x80 : 0)
        for interface in interfaces {
            if let found = interface.endpoints.first(where: { $0.address == address }) {
                return found
            }
        }
        return nil
    }

    /// The first endpoint of a kind towards the host.
    func endpointTowardsHost(_ kind: Endpoint.Kind) -> Endpoint? {
        for interface in interfaces {
            if let found = interface.endpoints.first(where: { $0.isIn && $0.kind == kind }) {
                return found
            }
        }
        return nil
    }
}
