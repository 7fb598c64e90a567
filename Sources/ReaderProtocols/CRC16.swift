/// The checksum of the MagneSafe stream: polynomial 0x1021, start value 0xFFFF, nothing reflected,
/// no final exclusive-or (often called CCITT-FALSE).
///
/// Source: MagneSafe V5 Communication Reference Manual, clear-text CRC; the check value of
/// `123456789` is 0x29B1.
public enum CRC16 {
    private static let table: [UInt16] = (0..<256).map { index in
        var value = UInt16(index) << 8
        for _ in 0..<8 { value = value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021 }
        return value
    }

    /// Returns the checksum of a range of a buffer; the range is within the buffer.
    public static func checksum(of bytes: [UInt8], in range: Range<Int>) -> UInt16 {
        let table = table
        var value: UInt16 = 0xFFFF
        for index in range {
            value = value << 8 ^ table[Int(value >> 8 ^ UInt16(bytes[index]))]
        }
        return value
    }

    /// Returns the checksum of a whole buffer.
    public static func checksum(of bytes: [UInt8]) -> UInt16 {
        checksum(of: bytes, in: 0..<bytes.count)
    }
}
