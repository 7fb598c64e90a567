import USB

/// Which USB device is meant: `usb:VID:PID`, `usb:VID:PID:SERIAL` or `usb:BUS-PORT.PORT`.
public enum USBSelector: Hashable, Sendable, CustomStringConvertible {
    /// The first device with these ids, or the one of them with this serial number.
    case ids(vendorID: UInt16, productID: UInt16, serialNumber: String?)
    /// Whatever is plugged into this port.
    case port(bus: UInt8, ports: [UInt8])

    /// Reads the text after `--reader`.
    ///
    /// - Throws: ``USBSelectorError`` with the part that is wrong.
    public init(parsing text: String) throws(USBSelectorError) {
        guard text.hasPrefix("usb:") else {
            throw USBSelectorError(text: text, expected: "usb: at the beginning")
        }
        let rest = text.dropFirst(4)
        if rest.contains(":") {
            self = try Self.ids(rest, in: text)
        } else {
            self = try Self.port(rest, in: text)
        }
    }

    private static func ids(_ rest: Substring, in text: String) throws(USBSelectorError) -> Self {
        let parts = rest.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard let vendorID = hex(parts[0]) else {
            throw USBSelectorError(text: text, expected: "a vendor id of four hex digits")
        }
        guard let productID = hex(parts[1]) else {
            throw USBSelectorError(text: text, expected: "a product id of four hex digits")
        }
        guard parts.count < 3 || !parts[2].isEmpty else {
            throw USBSelectorError(text: text, expected: "a serial number after the last colon")
        }
        let serialNumber = parts.count == 3 ? String(parts[2]) : nil
        return .ids(vendorID: vendorID, productID: productID, serialNumber: serialNumber)
    }

    private static func port(_ rest: Substring, in text: String) throws(USBSelectorError) -> Self {
        let parts = rest.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let bus = UInt8(parts[0]), bus > 0 else {
            throw USBSelectorError(
                text: text,
                expected: "VID:PID, or a bus from 1 to 255 and a port, as in 1-2.4"
            )
        }
        let ports = parts[1].split(separator: ".", omittingEmptySubsequences: false)
            .map { UInt8($0) ?? 0 }
        guard ports.count <= 7, ports.allSatisfy({ $0 > 0 }) else {
            throw USBSelectorError(text: text, expected: "one to seven port numbers from 1 to 255")
        }
        return .port(bus: bus, ports: ports)
    }

    private static func hex(_ digits: Substring) -> UInt16? {
        let isPlain = digits.utf8.count == 4 && digits.utf8.allSatisfy { $0 != UInt8(ascii: "+") }
        return isPlain ? UInt16(digits, radix: 16) : nil
    }

    /// The selector as it is written on the command line.
    public var description: String {
        switch self {
        case .ids(let vendorID, let productID, let serialNumber):
            "usb:\(hexadecimal(vendorID)):\(hexadecimal(productID))"
                + (serialNumber.map { ":\($0)" } ?? "")
        case .port(let bus, let ports):
            "usb:\(bus)-\(ports.map { String($0) }.joined(separator: "."))"
        }
    }

    /// The line for udev that lets the user at the seat open the device.
    var udevRule: String {
        let match =
            switch self {
            case .ids(let vendorID, let productID, _):
                "ATTR{idVendor}==\"\(hexadecimal(vendorID))\", "
                    + "ATTR{idProduct}==\"\(hexadecimal(productID))\""
            case .port:
                "KERNEL==\"\(description.dropFirst(4))\""
            }
        return "SUBSYSTEM==\"usb\", \(match), MODE=\"0660\", TAG+=\"uaccess\""
    }

    /// Whether the device may be meant; a serial number is compared only when it is open.
    func matches(_ device: USBDevice) -> Bool {
        switch self {
        case .ids(let vendorID, let productID, _):
            device.vendorID == vendorID && device.productID == productID
        case .port(let bus, let ports):
            device.place.bus == bus && device.place.ports == ports
        }
    }
}

/// A text that names no USB device.
public struct USBSelectorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The whole text.
    public var text: String
    /// What was expected instead, without the word.
    public var expected: String

    /// One line for people.
    public var description: String { "\(text): expected \(expected)" }
}

/// Returns four lower-case hex digits, as udev and lsusb write ids.
func hexadecimal(_ id: UInt16) -> String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
}
