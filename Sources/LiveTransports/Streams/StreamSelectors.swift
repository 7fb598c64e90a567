/// Which reader on the network is meant: `tcp:HOST:PORT`.
public struct TCPSelector: Hashable, Sendable, CustomStringConvertible {
    /// A name, an IPv4 address, or an IPv6 address without its brackets.
    public let host: String
    /// The port, 1 to 65,535.
    public let port: UInt16

    /// Reads the text after `--reader`.
    ///
    /// - Throws: ``StreamSelectorError`` with the part that is wrong.
    public init(parsing text: String) throws(StreamSelectorError) {
        guard text.hasPrefix("tcp:") else {
            throw StreamSelectorError(text: text, expected: "tcp: at the beginning")
        }
        try self.init(address: text.dropFirst(4), in: text, lowestPort: 1)
    }

    /// Reads `HOST:PORT`, as `serve --tcp` takes it, where port 0 lets the system pick one.
    ///
    /// - Throws: ``StreamSelectorError`` with the part that is wrong.
    public init(listeningAt text: String) throws(StreamSelectorError) {
        try self.init(address: text[...], in: text, lowestPort: 0)
    }

    init(
        address: Substring,
        in text: String,
        lowestPort: UInt16
    ) throws(StreamSelectorError) {
        guard let colon = address.lastIndex(of: ":") else {
            throw StreamSelectorError(text: text, expected: "HOST:PORT, as in 192.168.1.20:6543")
        }
        let digits = address[address.index(after: colon)...]
        guard let port = Self.port(digits), port >= lowestPort else {
            throw StreamSelectorError(
                text: text,
                expected: "a port from \(lowestPort) to 65535 after the last colon"
            )
        }
        var host = address[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard isBracketed || !host.contains(":") else {
            throw StreamSelectorError(
                text: text,
                expected: "an IPv6 address in brackets, as in [::1]:6543"
            )
        }
        guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy({ Self.isHostByte($0) })
        else {
            throw StreamSelectorError(
                text: text,
                expected: "a host name or address before the port"
            )
        }
        self.host = String(host)
        self.port = port
    }

    /// `HOST:PORT`, an IPv6 address in brackets.
    public var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// As it is typed after `--reader`.
    public var description: String { "tcp:\(address)" }

    private static func port(_ digits: Substring) -> UInt16? {
        let isPlain = digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isPlain ? UInt16(digits) : nil
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}

/// Which serial line of another machine is meant: `rfc2217:HOST:PORT` or `rfc2217:HOST:PORT?baud=N`.
public struct RFC2217Selector: Hashable, Sendable, CustomStringConvertible {
    /// The server that has the line.
    public let server: TCPSelector
    /// The speed, 50 to 4,000,000 bit/s; 115,200 when none is given.
    public let baud: UInt32

    /// Reads the text after `--reader`.
    ///
    /// - Throws: ``StreamSelectorError`` with the part that is wrong.
    public init(parsing text: String) throws(StreamSelectorError) {
        guard text.hasPrefix("rfc2217:") else {
            throw StreamSelectorError(text: text, expected: "rfc2217: at the beginning")
        }
        let parts = text.dropFirst(8).split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        server = try TCPSelector(address: parts[0], in: text, lowestPort: 1)
        baud = try SerialSelector.baud(parts.dropFirst().first, in: text, after: "the port")
    }

    /// As it is typed after `--reader`.
    public var description: String {
        "rfc2217:\(server.address)" + (baud == SerialSelector.usualBaud ? "" : "?baud=\(baud)")
    }
}

/// Which serial line is meant: `serial:PATH` or `serial:PATH?baud=N`.
public struct SerialSelector: Hashable, Sendable, CustomStringConvertible {
    /// The speed when none is given, in bit/s; readers on USB take any.
    public static let usualBaud: UInt32 = 115_200

    /// Its device, such as `/dev/ttyACM0` or `/dev/rfcomm0`, or a pty.
    public let path: String
    /// The speed, 50 to 4,000,000 bit/s.
    public let baud: UInt32

    /// Reads the text after `--reader`.
    ///
    /// - Throws: ``StreamSelectorError`` with the part that is wrong.
    public init(parsing text: String) throws(StreamSelectorError) {
        guard text.hasPrefix("serial:") else {
            throw StreamSelectorError(text: text, expected: "serial: at the beginning")
        }
        let parts = text.dropFirst(7).split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts[0].hasPrefix("/"), parts[0].utf8.count > 1, !parts[0].contains("\0") else {
            throw StreamSelectorError(
                text: text,
                expected: "the path of a device, as in serial:/dev/ttyACM0"
            )
        }
        path = String(parts[0])
        baud = try Self.baud(parts.dropFirst().first, in: text, after: "the path")
    }

    /// Reads `baud=N`, the usual speed where nothing stands.
    fileprivate static func baud(
        _ setting: Substring?,
        in text: String,
        after place: String
    ) throws(StreamSelectorError) -> UInt32 {
        guard let setting else { return usualBaud }
        let digits = setting.hasPrefix("baud=") ? setting.dropFirst(5) : ""
        guard let baud = UInt32(digits), digits.first != "+", (50...4_000_000).contains(baud) else {
            throw StreamSelectorError(
                text: text,
                expected: "?baud= and a speed from 50 to 4000000 after \(place)"
            )
        }
        return baud
    }

    /// As it is typed after `--reader`.
    public var description: String {
        "serial:\(path)" + (baud == Self.usualBaud ? "" : "?baud=\(baud)")
    }
}

/// What is wrong with the text that names a reader on the network or on a serial line.
public struct StreamSelectorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as it was given.
    public let text: String
    /// What would be right.
    public let expected: String

    /// One line for people.
    public var description: String { "\(text): expected \(expected)" }
}
