/// A command to a reader of ID TECH: `02 … 03 LRC`, the LRC over everything before it.
///
/// Source: SecureMag User Manual (MS246 manual 80096504-001), Command Protocol. Its key-loading
/// examples (`46 46`) leave the `02` out of the LRC; both are read, and the manual's is written.
public enum IDTechCommand: Hashable, Sendable {
    /// One function and what it is set to; `nil` for functions without a value.
    public struct Setting: Hashable, Sendable {
        /// The number of the function; see ``IDTechFunction``.
        public var function: UInt8
        /// The value, at most 255 bytes.
        public var value: [UInt8]?

        /// Creates a setting from its number.
        public init(number: UInt8, value: [UInt8]? = nil) {
            function = number
            self.value = value
        }

        /// Creates a setting.
        public init(_ function: IDTechFunction, value: [UInt8]? = nil) {
            self.init(number: function.rawValue, value: value)
        }
    }

    /// `53`: sets one function or several; only the last may be without a value.
    case set([Setting])
    /// `52`: asks for one function.
    case get(UInt8)
    /// Anything else between `02` and `03`, such as reset, `46 49`.
    case other([UInt8])

    /// The longest command in bytes.
    public static let maximumByteCount = 512
    /// Restarts the reader.
    public static let reset = IDTechCommand.other([0x46, 0x49])

    /// Sets one function to a value of one byte, often an ASCII digit.
    public static func set(_ function: IDTechFunction, _ value: UInt8) -> IDTechCommand {
        .set([Setting(function, value: [value])])
    }

    /// Asks for one function.
    public static func get(_ function: IDTechFunction) -> IDTechCommand { .get(function.rawValue) }

    /// Reads one whole command and nothing after it.
    ///
    /// - Throws: ``IDTechError`` for everything that is not exactly a command.
    public init(_ command: some Collection<UInt8>) throws(IDTechError) {
        let bytes = Array(command)
        guard let first = bytes.first else { throw IDTechError(.truncated, offset: 0) }
        guard first == IDTechLayout.start else { throw IDTechError(.noStart, offset: 0) }
        guard bytes.count >= 4 else { throw IDTechError(.truncated, offset: bytes.count) }
        guard bytes.count <= Self.maximumByteCount else {
            throw IDTechError(.tooLong, offset: Self.maximumByteCount)
        }
        let end = bytes.count - 2
        guard bytes[end] == IDTechLayout.end else { throw IDTechError(.missingEnd, offset: end) }
        let content = Array(bytes[1..<end])
        let lrc = bytes[...end].reduce(0, ^)
        let isRight =
            bytes[end + 1] == lrc
            || (Self.isKeyLoading(content) && bytes[end + 1] == lrc ^ IDTechLayout.start)
        guard isRight else { throw IDTechError(.lrcMismatch, offset: end + 1) }
        switch content.first {
        case 0x53: self = .set(try Self.settings(content))
        case 0x52:
            guard content.count == 2 else { throw IDTechError(.malformed, offset: 2) }
            self = .get(content[1])
        default: self = .other(content)
        }
    }

    private static func settings(_ content: [UInt8]) throws(IDTechError) -> [Setting] {
        var settings: [Setting] = []
        var index = 1
        while index < content.count {
            guard index + 1 < content.count else {
                settings.append(Setting(number: content[index]))
                break
            }
            let end = index + 2 + Int(content[index + 1])
            guard end <= content.count else {
                throw IDTechError(.wrongLength, offset: index + 2)
            }
            let value = Array(content[(index + 2)..<end])
            settings.append(Setting(number: content[index], value: value))
            index = end
        }
        guard !settings.isEmpty else { throw IDTechError(.malformed, offset: 2) }
        return settings
    }

    /// The command as the host sends it.
    public var packet: [UInt8] {
        switch self {
        case .get(let function): return Self.frame([0x52, function])
        case .other(let content):
            var packet = Self.frame(content[...])
            if Self.isKeyLoading(content) { packet[packet.count - 1] ^= IDTechLayout.start }
            return packet
        case .set(let settings):
            var content: [UInt8] = [0x53]
            for setting in settings {
                content.append(setting.function)
                guard let value = setting.value else { continue }
                content.append(UInt8(clamping: value.count))
                content += value.prefix(255)
            }
            return Self.frame(content[...])
        }
    }

    private static func isKeyLoading(_ content: [UInt8]) -> Bool {
        content.starts(with: [0x46, 0x46])
    }

    /// Puts start, end and LRC around content.
    static func frame(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = [IDTechLayout.start] + content + [IDTechLayout.end]
        bytes.append(bytes.reduce(0, ^))
        return bytes
    }
}
