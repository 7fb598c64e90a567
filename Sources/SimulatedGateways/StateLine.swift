import CardData

/// One line of a saved state: a word, and fields `name=value` after it.
///
/// Bytes of values that are blanks, `%`, `=`, control characters or beyond ASCII are written as `%`
/// and two hexadecimal digits, so that a line is a line and a field a field.
struct StateLine {
    let word: String
    private var fields: [(name: String, value: String)] = []

    init(_ word: String) { self.word = word }

    /// Reads a line without its line feed, or returns `nil`.
    init?(_ bytes: ArraySlice<UInt8>) {
        let parts = bytes.split(separator: 0x20, omittingEmptySubsequences: false)
        guard let first = parts.first, !first.isEmpty else { return nil }
        word = String(decoding: first, as: UTF8.self)
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")),
                let value = Self.unescape(part[(equals + 1)...])
            else { return nil }
            fields.append((String(decoding: part[..<equals], as: UTF8.self), value))
        }
    }

    /// Adds a field; an empty value is left out.
    mutating func add(_ name: String, _ value: String) {
        if !value.isEmpty { fields.append((name, value)) }
    }

    /// Adds a number.
    mutating func add(_ name: String, _ value: some BinaryInteger) { add(name, String(value)) }

    /// Adds a number where there is one.
    mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
        if let value { add(name, String(value)) }
    }

    /// The value of a field; empty without it.
    func text(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }

    /// The number of a field, or `nil` when it is missing or no number.
    func number<Number: FixedWidthInteger>(_ name: String) -> Number? { Number(text(name)) }

    /// The fields whose names begin with a text, without it.
    func fields(after prefix: String) -> [(name: String, value: String)] {
        fields.filter { $0.name.hasPrefix(prefix) }
            .map { (String($0.name.dropFirst(prefix.count)), $0.value) }
    }

    /// Adds the line and a line feed at the end of a buffer.
    func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: word.utf8)
        for (name, value) in fields {
            bytes.append(0x20)
            bytes.append(contentsOf: name.utf8)
            bytes.append(UInt8(ascii: "="))
            for byte in value.utf8 {
                if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%"), byte != UInt8(ascii: "=") {
                    bytes.append(byte)
                } else {
                    bytes.append(UInt8(ascii: "%"))
                    bytes.append(Hexadecimal.digit(byte >> 4))
                    bytes.append(Hexadecimal.digit(byte & 0xF))
                }
            }
        }
        bytes.append(0x0A)
    }

    private static func unescape(_ bytes: ArraySlice<UInt8>) -> String? {
        var decoded: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.endIndex,
                    let high = Hexadecimal.value(of: bytes[index + 1]),
                    let low = Hexadecimal.value(of: bytes[index + 2])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

/// Why bytes are no saved state of a gateway.
public struct GatewayStateError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The first line is not that of a state.
        case notAState
        /// The version is one that this program does not read.
        case unknownVersion
        /// The last line is missing: the file was cut.
        case incomplete
        /// The text is not the one that was saved.
        case changed
        /// The state is that of a merchant with another key.
        case otherMerchant
        /// A line is none that can be read.
        case malformedLine
        /// There are more transactions than the configuration allows.
        case tooManyTransactions
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The line, from 1; 0 when it is about the whole.
    public var line: Int

    /// Creates an error.
    public init(code: Code, line: Int) {
        self.code = code
        self.line = line
    }
}

extension GatewayStateError: CustomStringConvertible {
    /// One sentence without a full stop, and without the line.
    public var description: String {
        switch code {
        case .notAState: "this is no saved state of a gateway"
        case .unknownVersion: "the state is of a version that is not read here"
        case .incomplete: "the state is cut: its last line is missing"
        case .changed: "the state is not the one that was saved"
        case .otherMerchant: "the state was saved with another security key"
        case .malformedLine: "this line cannot be read"
        case .tooManyTransactions: "there are more transactions than are allowed"
        }
    }
}
