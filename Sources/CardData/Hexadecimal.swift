/// Bytes as upper-case hexadecimal text and back, in plain byte loops.
public enum Hexadecimal {
    /// Adds two upper-case characters for each byte at the end of a buffer.
    @inlinable
    public static func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
        text.append(addingCapacity: bytes.count * 2) { output in
            for byte in bytes {
                output.append(digit(byte >> 4))
                output.append(digit(byte & 0xF))
            }
        }
    }

    /// Returns two upper-case characters for each byte.
    @inlinable
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text of either case, or `nil` for an odd length or another character.
    public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    /// Returns the bytes of ASCII text of either case, or `nil` for an odd length or another
    /// character.
    @inlinable
    public static func decode(_ ascii: some Collection<UInt8>) -> [UInt8]? {
        guard ascii.count & 1 == 0 else { return nil }
        var isHexadecimal = true
        let bytes = [UInt8](capacity: ascii.count / 2) { output in
            var characters = ascii.makeIterator()
            while let first = characters.next(), let second = characters.next() {
                guard let high = value(of: first), let low = value(of: second) else {
                    isHexadecimal = false
                    return
                }
                output.append(high << 4 | low)
            }
        }
        return isHexadecimal ? bytes : nil
    }

    /// The upper-case character of a value from 0 to 15.
    @inlinable
    public static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

    /// The value of a character of either case, or `nil`.
    @inlinable
    public static func value(of character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }
}
