/// Base 64 with the standard alphabet and padding, without line breaks.
///
/// Source: RFC 4648, section 4.
public enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    /// Returns the characters of bytes, in ASCII.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var start = 0
        while start < bytes.count {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for index in 0..<3 {
                group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0)
            }
            for index in 0..<4 {
                let isData = index <= count
                let value = Int(group >> UInt32(18 - index * 6)) & 0x3F
                output.append(isData ? alphabet[value] : UInt8(ascii: "="))
            }
            start += 3
        }
        return output
    }

    /// Returns the characters of bytes as text.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public static func text(of bytes: [UInt8]) -> String {
        String(decoding: encode(bytes), as: UTF8.self)
    }

    /// Returns the bytes that characters stand for, or `nil`.
    ///
    /// The length must be a multiple of 4, `=` stands at the end only, and the bits that padding
    /// leaves over must be zero, so that each text has one reading.
    /// - Complexity: O(*n*), where *n* is the number of characters.
    public static func decode(_ characters: some Collection<UInt8>) -> [UInt8]? {
        let characters = Array(characters)
        guard characters.count % 4 == 0 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(characters.count / 4 * 3)
        var start = 0
        while start < characters.count {
            let isLast = start + 4 == characters.count
            var group: UInt32 = 0
            var paddingCount = 0
            for index in 0..<4 {
                let character = characters[start + index]
                if let value = value(of: character), paddingCount == 0 {
                    group = group << 6 | UInt32(value)
                } else if character == UInt8(ascii: "="), isLast, index >= 2 {
                    group <<= 6
                    paddingCount += 1
                } else {
                    return nil
                }
            }
            guard group & ((1 << UInt32(paddingCount * 8)) - 1) == 0 else { return nil }
            for index in 0..<(3 - paddingCount) {
                output.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - index * 8)))
            }
            start += 4
        }
        return output
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
