import CaptureFiles
public import CaptureFlows

/// Looks for card numbers in clear in what goes past, so that none gets into a file by accident.
///
/// Found are numbers of 13 to 19 digits with a right check digit that are not masked: in ASCII, over
/// the borders of units too, typed by a keyboard reader, and packed two digits to a byte behind the
/// EMV tags `5A` and `57`. It keeps the last bytes of each flow and direction and nothing else.
public struct ClearCardScreen: Sendable {
    /// A place at which a number was found; never the number.
    public struct Finding: Hashable, Sendable {
        /// The packet or line in which it ended.
        public var packetNumber: Int
        /// How it was written.
        public var encoding: Encoding
    }

    /// How a number was written.
    public enum Encoding: String, Hashable, Sendable {
        /// Digits as text.
        case ascii = "as text"
        /// Two digits to a byte, behind a tag of EMV.
        case packed = "as packed digits"
        /// Typed by a reader that plays a keyboard.
        case keys = "as key strokes"
    }

    /// The most findings that are kept.
    public static let findingLimit = 64
    /// The longest number with its separators, and what stands around it.
    private static let tailByteCount = 48

    /// Where numbers were found, in order.
    public private(set) var findings: [Finding] = []

    private struct Lane: Hashable, Sendable {
        var flow: Flow.ID
        var direction: FlowDirection
    }

    private var tails: [Lane: [UInt8]] = [:]
    private var keys: [Lane: [UInt8]] = [:]

    /// Creates a screen that has seen nothing.
    public init() {}

    /// Looks at the next unit.
    public mutating func note(_ unit: FlowUnit, flows: [Flow]) {
        guard !unit.bytes.isEmpty, flows.indices.contains(unit.flow),
            findings.count < Self.findingLimit
        else { return }
        if case .journal = flows[unit.flow].key { return }
        let lane = Lane(flow: unit.flow, direction: unit.direction)
        let tail = tails[lane] ?? []
        let bytes = tail + unit.bytes
        if Self.hasNumber(in: bytes, endingBehind: tail.count) {
            findings.append(Finding(packetNumber: unit.packetNumber, encoding: .ascii))
        } else if Self.hasPackedNumber(in: bytes, endingBehind: tail.count) {
            findings.append(Finding(packetNumber: unit.packetNumber, encoding: .packed))
        }
        tails[lane] = Array(bytes.suffix(Self.tailByteCount))
        if case .usb(let key) = flows[unit.flow].key, key.transfer == .interrupt,
            unit.bytes.count == 8, let digit = Self.digit(typedBy: unit.bytes)
        {
            var typed = keys[lane] ?? []
            typed.append(digit)
            typed = Array(typed.suffix(Self.tailByteCount))
            if digit < 0x30 || digit > 0x39 {
                if Self.hasNumber(in: typed, endingBehind: 0) {
                    findings.append(Finding(packetNumber: unit.packetNumber, encoding: .keys))
                }
                typed = []
            }
            keys[lane] = typed
        }
    }

    /// The character that a report of a boot keyboard types; `nil` for a released key.
    private static func digit(typedBy report: ArraySlice<UInt8>) -> UInt8? {
        guard let usage = report.dropFirst(2).first(where: { $0 != 0 }) else { return nil }
        switch usage {
        case 0x1E...0x26: return 0x31 + usage - 0x1E
        case 0x27: return 0x30
        default: return 0x7C
        }
    }

    /// Whether a number stands in ASCII, its last digit not before an index.
    private static func hasNumber(in bytes: [UInt8], endingBehind first: Int) -> Bool {
        var index = 0
        while index < bytes.count {
            guard isDigit(bytes[index]) else {
                index += 1
                continue
            }
            var digits: [UInt8] = []
            var end = index
            while end < bytes.count {
                if isDigit(bytes[end]) {
                    digits.append(bytes[end] - 0x30)
                } else if bytes[end] != 0x20 && bytes[end] != 0x2D || end + 1 >= bytes.count
                    || !isDigit(bytes[end + 1])
                {
                    break
                }
                end += 1
            }
            if end > first, isCardNumber(digits) { return true }
            index = end
        }
        return false
    }

    /// Whether a number stands behind one of EMV's tags for it, two digits to a byte.
    ///
    /// Source: EMV Book 3, annex A: 5A is the PAN, 57 begins with it.
    private static func hasPackedNumber(in bytes: [UInt8], endingBehind first: Int) -> Bool {
        for index in bytes.indices where bytes[index] == 0x5A || bytes[index] == 0x57 {
            guard index + 1 < bytes.count else { break }
            let byteCount = Int(bytes[index + 1])
            let end = index + 2 + byteCount
            guard (7...19).contains(byteCount), end <= bytes.count, end > first else { continue }
            var digits: [UInt8] = []
            digits: for byte in bytes[(index + 2)..<end] {
                for digit in [byte >> 4, byte & 0x0F] {
                    guard digit <= 9 else { break digits }
                    digits.append(digit)
                }
            }
            if isCardNumber(digits) { return true }
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// 13 to 19 digits, the check digit right, the middle not masked.
    private static func isCardNumber(_ digits: [UInt8]) -> Bool {
        guard (13...19).contains(digits.count), (2...6).contains(digits[0]) else { return false }
        var sum = 0
        for (index, digit) in digits.reversed().enumerated() {
            let value = index % 2 == 0 ? Int(digit) : Int(digit) * 2
            sum += value > 9 ? value - 9 : value
        }
        guard sum % 10 == 0 else { return false }
        // Readers mask with zeros and one digit that keeps the check right.
        return digits.dropFirst(6).dropLast(4).filter { $0 != 0 }.count > 1
    }
}
