/// A reader's `wifi.cfg`, checked: without one a reader does not listen on TCP.
///
/// INI text. `[general]` has `dhcp` (`true` or `false`), with `false` also `address`, `netmask` and
/// `gateway`, and always `listen_port`; `[ap_00]` has `ssid` and `psk`, and up to `[ap_09]` may
/// follow. Lines that begin with `#` or `;` are comments, other keys are not looked at.
/// Source: AgentCASH SDK document, section on Wi-Fi readers.
public struct MiuraWiFiConfiguration: Hashable, Sendable {
    /// What is wrong with a file.
    public enum Problem: Error, Hashable, Sendable {
        /// The file is not UTF-8, or longer than 64 kB.
        case noText
        /// A line is neither a section, a key with a value, a comment nor empty; counted from 1.
        case malformedLine(Int)
        /// A key is missing.
        case missing(section: String, key: String)
        /// A key has a value that it cannot have.
        case malformed(section: String, key: String)
    }

    /// The port on which the reader listens, 1 to 65535.
    public var listenPort: Int
    /// Whether the reader asks for its address.
    public var usesDHCP: Bool
    /// The names of the networks, in their order.
    public var networks: [String]
    /// The reader's address; `nil` where it asks for one.
    public var address: String?

    /// The name under which a reader takes it.
    public static let fileName = "wifi.cfg"
    /// A valid file with DHCP, one network and the usual port.
    public static let usualText = """
        [general]
        dhcp = true
        listen_port = \(usualPort)
        [ap_00]
        ssid = cardrig
        psk = not a secret

        """
    /// The port of the vendor's SDK and of the published example.
    public static let usualPort = 6543

    /// Creates a valid configuration with DHCP and one network.
    public init(listenPort: Int = MiuraWiFiConfiguration.usualPort) {
        self.listenPort = listenPort
        usesDHCP = true
        networks = ["cardrig"]
    }

    /// Reads a file.
    ///
    /// - Throws: ``Problem``, the first one.
    public init(_ bytes: [UInt8]) throws(Problem) {
        guard bytes.count <= 65_536 else { throw .noText }
        var section = ""
        var values: [(section: String, key: String, value: String)] = []
        let text = String(decoding: bytes, as: UTF8.self)
        guard !text.unicodeScalars.contains("\u{FFFD}") else { throw .noText }
        var number = 0
        for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let line = Self.trimmed(part)
            guard let first = line.first, first != "#", first != ";" else { continue }
            if first == "[" {
                guard line.last == "]" else { throw .malformedLine(number) }
                section = String(line.dropFirst().dropLast())
                continue
            }
            guard let equals = line.firstIndex(of: "=") else { throw .malformedLine(number) }
            let key = String(Self.trimmed(line[..<equals]))
            values.append((section, key, String(Self.trimmed(line[line.index(after: equals)...]))))
        }
        func value(_ section: String, _ key: String) throws(Problem) -> String {
            guard let found = values.last(where: { $0.section == section && $0.key == key }) else {
                throw .missing(section: section, key: key)
            }
            return found.value
        }
        switch try value("general", "dhcp") {
        case "true": usesDHCP = true
        case "false": usesDHCP = false
        default: throw .malformed(section: "general", key: "dhcp")
        }
        if !usesDHCP {
            for key in ["address", "netmask", "gateway"] {
                guard Self.isAddress(try value("general", key)) else {
                    throw .malformed(section: "general", key: key)
                }
            }
            address = try value("general", "address")
        }
        guard let port = Int(try value("general", "listen_port")), 1...65_535 ~= port else {
            throw .malformed(section: "general", key: "listen_port")
        }
        listenPort = port
        networks = []
        for index in 0..<10 {
            let section = "ap_0\(index)"
            guard index == 0 || values.contains(where: { $0.section == section }) else { continue }
            let name = try value(section, "ssid")
            _ = try value(section, "psk")
            guard !name.isEmpty, name.utf8.count <= 32 else {
                throw .malformed(section: section, key: "ssid")
            }
            networks.append(name)
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        return text
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { $0.utf8.count <= 3 && UInt8($0) != nil }
    }
}

extension MiuraWiFiConfiguration.Problem: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .noText: "wifi.cfg is no text of at most 64 kB"
        case .malformedLine(let line): "line \(line) of wifi.cfg is no section, key or comment"
        case .missing(let section, let key): "wifi.cfg has no \(key) in [\(section)]"
        case .malformed(let section, let key):
            "\(key) in [\(section)] of wifi.cfg has a value it cannot have"
        }
    }
}
