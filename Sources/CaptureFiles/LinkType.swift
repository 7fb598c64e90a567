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

    /// Whether this package decodes what lies below the container.
    public var isSupported: Bool {
        self == .usbLinux || self == .usbLinuxMmapped || self == .exportedPDU
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

    /// One line that names the type, what it means and which types are decoded.
    public var description: String {
        let meaning =
            switch linkType.rawValue {
            case 288, 293...295: ": raw USB packets of a bus analyser"
            case 147...162: ": private use, its meaning is not in the file"
            default: ""
            }
        return "link type \(linkType)\(meaning) is not supported;"
            + " supported are 189 and 220 (usbmon) and 252 (exported PDU)"
    }
}
