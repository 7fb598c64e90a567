/// Up to 32 symbols of four bits each, packed so that copying one is copying two words.
///
/// Values 0 to 9 are decimal digits; 10, 11 and 12 stand for the mask characters `*`, `x` and `X`.
package struct CardDigits: Hashable, Sendable {
    private var high: UInt64 = 0
    private var low: UInt64 = 0
    /// The number of symbols, 0 to 32.
    package private(set) var count = 0

    /// Creates an empty row of symbols.
    package init() {}

    /// Adds a symbol at the end; the caller keeps ``count`` at 31 or below before the call.
    package mutating func append(_ symbol: UInt8) {
        high = high << 4 | low >> 60
        low = low << 4 | UInt64(symbol & 0xF)
        count += 1
    }

    /// The symbol at a position counted from the left; the position is within ``count``.
    package subscript(position: Int) -> UInt8 {
        get {
            let shift = (count - 1 - position) * 4
            return UInt8(truncatingIfNeeded: shift < 64 ? low >> shift : high >> (shift - 64)) & 0xF
        }
        set {
            let shift = (count - 1 - position) * 4
            let symbol = UInt64(newValue & 0xF)
            if shift < 64 {
                low = low & ~(0xF << shift) | symbol << shift
            } else {
                high = high & ~(0xF << (shift - 64)) | symbol << (shift - 64)
            }
        }
    }

    /// Whether the digits pass the Luhn check; mask characters count as 0.
    package var isLuhnValid: Bool { luhnSum % 10 == 0 }

    private var luhnSum: Int {
        var sum = 0
        for position in 0..<count {
            let symbol = self[position]
            let digit = Int(symbol > 9 ? 0 : symbol)
            let isDoubled = (count - 1 - position) & 1 == 1
            sum += isDoubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
        }
        return sum
    }

    /// Puts at a position the one digit that makes the whole pass the Luhn check.
    package mutating func correctLuhn(at position: Int) {
        self[position] = 0
        let missing = UInt8((10 - luhnSum % 10) % 10)
        let isDoubled = (count - 1 - position) & 1 == 1
        self[position] = isDoubled ? (missing & 1 == 0 ? missing / 2 : (missing + 9) / 2) : missing
    }

    /// Adds the symbols as ASCII text at the end of a buffer.
    package func append(to bytes: inout [UInt8]) {
        for position in 0..<count {
            let symbol = self[position]
            switch symbol {
            case 0...9: bytes.append(0x30 + symbol)
            case 11: bytes.append(0x78)
            case 12: bytes.append(0x58)
            default: bytes.append(0x2A)
            }
        }
    }

    /// The symbols as text.
    package var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
