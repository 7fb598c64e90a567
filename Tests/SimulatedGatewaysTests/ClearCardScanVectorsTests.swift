import SimulatedGateways
import Testing
import Transports

@Suite("Scan for card data in clear")
struct ClearCardScanVectorsTests {
    @Test(arguments: [
        "", " ", "-", ".", "_", "/", "+", "%2B", "%C2%A0", "%20", "%2520", "%252520", "\u{A0}",
        ",", ":", "  ", "\u{2014}",
    ])
    func aNumberIsFoundWhateverStandsBetween(_ separator: String) {
        let number = ["4111", "1111", "1111", "1111"].joined(separator: separator)
        for text in [number, "app://x?a=\(number)&b=1", "1.00/\(number)", "%22\(number)%22"] {
            #expect(ClearCardScan.finds(in: text), "\(text)")
        }
        let body = Array(#"{"token":"t","note":"\#(number)"}"#.utf8)
        let request = HTTPRequest(
            method: "POST",
            path: "/1/functions/createTransactionWithToken",
            contentType: "application/json",
            body: body
        )
        #expect(HoneyStoreBackend.hasClearCardData(request))
    }

    @Test(arguments: [
        "4111.1111.1111.1112", "411111******1111", "4111110000001111", "2014-06-01 00:00:00",
        "com-innerfence-ccterminal://charge/1.0.0/?amount=10.99&invoiceNumber=100001&zip=78701",
        "192.168.100.200:8080", "XXXXXXXXXXXX1111", "4111=1111=1111=1111", "12 34 56 78 90 12",
    ])
    func otherDigitsAreNone(_ text: String) { #expect(!ClearCardScan.finds(in: text), "\(text)") }
}
