import ReaderProtocols
import Testing

@Suite("CRC-16 of the MagneSafe stream")
struct CRC16Tests {
    @Test func hasThePublishedCheckValue() {
        #expect(CRC16.checksum(of: Array("123456789".utf8)) == 0x29B1)
        #expect(CRC16.checksum(of: []) == 0xFFFF)
    }
}
