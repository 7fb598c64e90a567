/// Two decimal digits in a byte.
package enum BCD {
    /// The byte of a number from 0 to 99; higher ones are taken modulo 100.
    package static func byte(_ number: UInt8) -> UInt8 { ((number / 10) % 10) << 4 | (number % 10) }

    /// The number of a byte, or `nil` when a half of it is no digit.
    package static func number(_ byte: UInt8) -> UInt8? {
        byte >> 4 < 10 && byte & 0xF < 10 ? (byte >> 4) * 10 + (byte & 0xF) : nil
    }

    /// The low digits of a number, two a byte.
    package static func bytes(_ number: Int, byteCount: Int) -> [UInt8] {
        var rest = number.magnitude
        var bytes: [UInt8] = []
        for _ in 0..<byteCount {
            bytes.append(byte(UInt8(rest % 100)))
            rest /= 100
        }
        return bytes.reversed()
    }

    /// The number of up to nine bytes, or `nil` for more and for other halves than digits.
    package static func number(_ bytes: [UInt8]) -> Int? {
        guard bytes.count <= 9 else { return nil }
        var number = 0
        for byte in bytes {
            guard let digits = Self.number(byte) else { return nil }
            number = number * 100 + Int(digits)
        }
        return number
    }
}
