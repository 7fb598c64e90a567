/// What the bytes of a packet begin with, as numbered in the tcpdump group's registry.
///
/// Source: tcpdump.org, Link-Layer Header Types.
public struct LinkType: RawRepresentable, Hashable, Sendable {
    /// The registered number.
    public let rawValue: UInt16

    /// Creates a link type; any number is one, known or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// LINKTYPE_USB_LINUX: usbmon records with a header of 48 bytes.
    public static let usbLinux = LinkType(rawValue: 189)
    /// LINKTYPE_USB_LINUX_MMAPPED: usbmon records with a header of 64 bytes; what CardRig writes.
    public static let usbLinuxMmapped = LinkType(rawValue: 220)
    /// LINKTYPE_WIRESHARK_UPPER_PDU: bytes with the name of the dissector that shows them.
    public static let exportedPDU = LinkType(rawValue: 252)

    /// LINKTYPE_NULL: the loopback of BSD systems and macOS, its family in the host's byte order.
    public static let null = LinkType(rawValue: 0)
    /// LINKTYPE_ETHERNET.
    public static let ethernet = LinkType(rawValue: 1)
    /// LINKTYPE_RAW: IPv4 or IPv6, by the version in the first byte.
    public static let raw = LinkType(rawValue: 101)
    /// LINKTYPE_LOOP: OpenBSD's loopback, its family big-endian.
    public static let loop = LinkType(rawValue: 108)
    /// LINKTYPE_LINUX_SLL: Linux's "any" device.
    public static let linuxSLL = LinkType(rawValue: 113)
    /// LINKTYPE_BLUETOOTH_HCI_H4: no direction.
    public static let bluetoothH4 = LinkType(rawValue: 187)
    /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR: the direction in front.
    public static let bluetoothH4WithDirection = LinkType(rawValue: 201)
    /// LINKTYPE_IPV4.
    public static let ipv4 = LinkType(rawValue: 228)
    /// LINKTYPE_IPV6.
    public static let ipv6 = LinkType(rawValue: 229)
    /// LINKTYPE_USBPCAP: USBPcap on Windows.
    public static let usbPcap = LinkType(rawValue: 249)
    /// LINKTYPE_RTAC_SERIAL: a serial line with its signals.
    public static let rtacSerial = LinkType(rawValue: 250)
    /// LINKTYPE_BLUETOOTH_LINUX_MONITOR: BlueZ's monitor.
    public static let bluetoothMonitor = LinkType(rawValue: 254)
    /// LINKTYPE_USB_DARWIN: macOS.
    public static let usbDarwin = LinkType(rawValue: 266)
    /// LINKTYPE_LINUX_SLL2: Linux's "any" device, second form.
    public static let linuxSLL2 = LinkType(rawValue: 276)
    /// btsnoop's own number for HCI without H4's first byte; no pcap link type.
    public static let btsnoopH1 = LinkType(rawValue: 1001)
    /// btsnoop's own number for H4; no pcap link type.
    public static let btsnoopH4 = LinkType(rawValue: 1002)
    /// btsnoop's own number for BlueZ's monitor; no pcap link type.
    public static let btsnoopMonitor = LinkType(rawValue: 2001)
    /// Our number for the records of PacketLogger, which have none.
    public static let packetLogger = LinkType(rawValue: 0xFF01)

    /// Whether CardRig decodes what lies below the container.
    public var isSupported: Bool {
        switch rawValue {
        case 0, 1, 101, 108, 113, 187, 189, 201, 220, 228, 229, 249, 250, 252, 254, 266, 276: true
        case 1_001, 1_002, 2_001, 0xFF01: true
        default: false
        }
    }

    /// Checks that packets of this type can be decoded.
    ///
    /// - Throws: ``UnsupportedLinkType``, which names the type found and those supported.
    public func requireSupport() throws(UnsupportedLinkType) {
        guard isSupported else { throw UnsupportedLinkType(linkType: self) }
    }

    /// The registered name without its prefix, or `nil` for a number that is not known here.
    public var name: String? {
        switch rawValue {
        case 0: "NULL"
        case 1: "ETHERNET"
        case 101: "RAW"
        case 108: "LOOP"
        case 113: "LINUX_SLL"
        case 147...162: "USER\(rawValue - 147)"
        case 166: "PPP_PPPD"
        case 173: "GCOM_SERIAL"
        case 186: "USB_FREEBSD"
        case 187: "BLUETOOTH_HCI_H4"
        case 189: "USB_LINUX"
        case 201: "BLUETOOTH_HCI_H4_WITH_PHDR"
        case 213: "X2E_SERIAL"
        case 220: "USB_LINUX_MMAPPED"
        case 228: "IPV4"
        case 229: "IPV6"
        case 236: "MUX27010"
        case 249: "USBPCAP"
        case 250: "RTAC_SERIAL"
        case 252: "WIRESHARK_UPPER_PDU"
        case 254: "BLUETOOTH_LINUX_MONITOR"
        case 266: "USB_DARWIN"
        case 276: "LINUX_SLL2"
        case 288: "USB_2_0"
        case 293: "USB_2_0_LOW_SPEED"
        case 294: "USB_2_0_FULL_SPEED"
        case 295: "USB_2_0_HIGH_SPEED"
        case 1_001: "btsnoop H1"
        case 1_002: "btsnoop H4"
        case 1_003: "btsnoop BCSP"
        case 1_004: "btsnoop H5"
        case 2_001: "btsnoop monitor"
        case 2_002: "btsnoop simulator"
        case 0xFF01: "PacketLogger"
        default: nil
        }
    }
}

extension LinkType: CustomStringConvertible {
    /// The number with its name, as in `288 (USB_2_0)`.
    public var description: String {
        guard let name else { return "\(rawValue)" }
        return "\(rawValue) (\(name))"
    }
}

/// The refusal of packets that are contained in a readable file but cannot be decoded.
public struct UnsupportedLinkType: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type that the packets have.
    public let linkType: LinkType

    /// Creates the refusal of a link type.
    public init(linkType: LinkType) { self.linkType = linkType }

    /// One line that names the type, what it means and which types are decoded.
    public var description: String {
        let meaning =
            switch linkType.rawValue {
            case 288, 293...295: ": raw USB packets of a bus analyser"
            case 147...162: ": private use, its meaning is not in the file"
            default: ""
            }
        return "link type \(linkType)\(meaning) is not supported;"
            + " supported are 189 and 220 (usbmon), 249 (USBPcap), 266 (macOS USB); TCP over 0, 1,"
            + " 101, 108, 113, 228, 229, 276; Bluetooth 187, 201, 254; serial 250 and 252"
    }
}
