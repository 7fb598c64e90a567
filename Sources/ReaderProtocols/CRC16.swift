/// The checksum of the MagneSafe stream: polynomial 0x1021, start value 0xFFFF, nothing reflected,
/// no final exclusive-or (often called CCITT-FALSE).
///
/// Source: MagneSafe V5 Communication Reference Manual, clear-text CRC; the check value of
/// `123456789` is 0x29B1.
public enum CRC16 {
    /// Four tables of 256: the checksum of a byte followed by no, one, two and three zero bytes.
    private static let tables: [UInt16] = {
        var tables: [UInt16] = []
        for index in 0..<1_024 {
            var value = index < 256 ? UInt16(index) << 8 : tables[index - 256]
            for _ in 0..<8 { value = value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021 }
            tables.append(value)
        }
        return tables
    }()

    /// Returns the checksum of a range of a buffer; the range is within the buffer.
    public static func checksum(of bytes: [UInt8], in range: Range<Int>) -> UInt16 {
        let tables = tables
        var value: UInt16 = 0xFFFF
        var index = range.lowerBound
        // Four bytes at a time: each table lookup stands for a byte, and they do not wait for one
        // another.
        while range.upperBound - index >= 4 {
            let high = Int(value >> 8) ^ Int(bytes[index])
            let low = Int(value & 0xFF) ^ Int(bytes[index + 1])
            value = tables[768 + high] ^ tables[512 + low]
            value ^= tables[256 + Int(bytes[index + 2])] ^ tables[Int(bytes[index + 3])]
            index += 4
        }
        while index < range.upperBound {
            value = value << 8 ^ tables[Int(value >> 8 ^ UInt16(bytes[index]))]
            index += 1
        }
        return value
    }

    /// Returns the checksum of a whole buffer.
    public static func checksum(of bytes: [UInt8]) -> UInt16 {
        checksum(of: bytes, in: 0..<bytes.count)
    }
}
