import ReaderProtocols
import Testing

@Suite("CRC-16 of the MagneSafe stream")
struct CRC16Tests {
    @Test func hasThePublishedCheckValue() {
        #expect(CRC16.checksum(of: Array("123456789".utf8)) == 0x29B1)
        #expect(CRC16.checksum(of: []) == 0xFFFF)
    }

    @Test(arguments: 0...9)
    func isThatOfTheDefinitionForEveryLength(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 71 &+ 13) }
        var expected: UInt16 = 0xFFFF
        for byte in bytes {
            expected ^= UInt16(byte) << 8
            for _ in 0..<8 {
                expected = expected & 0x8000 == 0 ? expected << 1 : expected << 1 ^ 0x1021
            }
        }
        #expect(CRC16.checksum(of: bytes) == expected)
    }
}
