/// Which reader behind a USB/IP server is meant: `usbip:HOST:PORT` or `usbip:HOST:PORT/BUSID`.
public struct USBIPSelector: Hashable, Sendable, CustomStringConvertible {
    /// The bus id when none is given, which is what `serve` gives its readers.
    public static let usualBusID = "1-1"

    /// The server.
    public let server: TCPSelector
    /// How the server names the device, such as `1-1.4`; 1 to 31 bytes.
    public let busID: String

    /// Reads the text after `--reader`.
    ///
    /// - Throws: ``StreamSelectorError`` with the part that is wrong.
    public init(parsing text: String) throws(StreamSelectorError) {
        guard text.hasPrefix("usbip:") else {
            throw StreamSelectorError(text: text, expected: "usbip: at the beginning")
        }
        let parts = text.dropFirst(6).split(
            separator: "/",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        server = try TCPSelector(address: parts[0], in: text, lowestPort: 1)
        guard parts.count > 1 else {
            busID = Self.usualBusID
            return
        }
        guard (1...31).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(Self.isBusIDByte)
        else {
            throw StreamSelectorError(
                text: text,
                expected: "a bus id after the port, as in usbip:192.168.1.20:3240/1-1.4; "
                    + "`usbip list -r HOST` shows them"
            )
        }
        busID = String(parts[1])
    }

    /// As it is typed after `--reader`.
    public var description: String {
        "usbip:\(server.address)" + (busID == Self.usualBusID ? "" : "/\(busID)")
    }

    private static func isBusIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
