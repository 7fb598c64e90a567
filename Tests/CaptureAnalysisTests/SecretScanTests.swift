import CaptureAnalysis
import CardData
import Testing

@Suite("Secret scan")
struct SecretScanTests {
    private let secret = Array("9876543210".utf8)

    @Test func everyFormIsFound() {
        let scan = SecretScan([secret])
        func forms(_ bytes: [UInt8]) -> [String] { scan.findings(in: bytes).map(\.form) }
        #expect(forms(Array("x9876543210x".utf8)).contains("ASCII"))
        #expect(forms([0x00, 0x98, 0x76, 0x54, 0x32, 0x10, 0x00]) == ["BCD"])
        #expect(forms([0x09, 0x87, 0x65, 0x43, 0x21, 0x0F]).contains("BCD"))
        #expect(forms(Array(Hexadecimal.encode(secret).utf8)).contains("hex"))
    }

    @Test(arguments: 0..<6)
    func base64IsFoundWhereverItBegins(_ lead: Int) {
        let scan = SecretScan([secret])
        let text = Base64.encode([UInt8](repeating: 0x41, count: lead) + secret + [0x42, 0x43])
        #expect(scan.findings(in: text).map(\.form).contains("base64"))
    }

    @Test func whatIsShortOrNotThereIsNotFound() {
        #expect(SecretScan([Array("123".utf8)]).findings(in: Array("123".utf8)).isEmpty)
        #expect(SecretScan([secret]).findings(in: Array("987654321".utf8)).isEmpty)
        #expect(SecretScan([secret]).findings(in: []).isEmpty)
    }
}
