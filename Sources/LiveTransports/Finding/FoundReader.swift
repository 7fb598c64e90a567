/// A reader, or a serial port at which one may be, as `cardrig devices` lists it.
public struct FoundReader: Hashable, Sendable {
    /// Why it cannot be opened, and what to do.
    public struct Trouble: Hashable, Sendable {
        /// The kinds of trouble.
        public enum Kind: String, Hashable, Sendable {
            /// There is no node for it below `/dev`.
            case noNode
            /// This user may not open its node.
            case denied
            /// Another process has it.
            case held
        }

        /// The kind, for programs.
        public var kind: Kind
        /// What is in the way, in one line.
        public var reason: String
        /// What to do about it, in one line.
        public var remedy: String
    }

    /// What `--reader` takes for it: `usb:0801:0011:B000795`, `serial:/dev/serial/by-id/…`.
    public var endpoint: String
    /// Its node, as in `/dev/bus/usb/001/004` or `/dev/ttyACM0`.
    public var node: String
    /// What it is, for people.
    public var name: String
    /// The table's row, when its ids are known.
    public var known: KnownReader?
    /// Its USB ids; `nil` for a serial port that is not on USB.
    public var ids: USBIDs?
    /// The serial number that it says; `nil` when it says none.
    public var serialNumber: String?
    /// Where it is plugged in, as in `1-2.4`; `nil` when it is not on USB.
    public var port: String?
    /// The kernel's driver of its first interface, or of its port.
    public var driver: String?
    /// Why it cannot be opened; `nil` when nothing is in the way.
    public var trouble: Trouble?

    /// Whether it is a serial port; else it is opened through libusb.
    public var isSerialPort: Bool { endpoint.hasPrefix("serial:") }

    /// Whether a scenario can be played on it now.
    public var isUsable: Bool { trouble == nil && (isSerialPort || known?.playsAs != nil) }
}

/// The two numbers by which a USB device says what it is.
public struct USBIDs: Hashable, Sendable, CustomStringConvertible {
    /// The vendor id.
    public var vendorID: UInt16
    /// The product id.
    public var productID: UInt16

    /// Creates a pair.
    public init(vendorID: UInt16, productID: UInt16) {
        self.vendorID = vendorID
        self.productID = productID
    }

    /// As udev and lsusb write them.
    public var description: String { "\(hexadecimal(vendorID)):\(hexadecimal(productID))" }
}
