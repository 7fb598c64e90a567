import CardData
import Testing

@Suite("Base 64")
struct Base64Tests {
    /// RFC 4648, section 10.
    static let published = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: published)
    func writesAndReadsTheTextsOfTheRFC(clear: String, encoded: String) {
        #expect(Base64.text(of: Array(clear.utf8)) == encoded)
        #expect(Base64.decode(encoded.utf8) == Array(clear.utf8))
    }

    @Test func allBytesSurvive() {
        let bytes = (0...255).map { UInt8($0) }
        for count in 253...256 {
            let part = Array(bytes.prefix(count))
            #expect(Base64.decode(Base64.encode(part)) == part)
        }
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg==Zg==", "Zh==", "Zm9=", "=Zg=", "Z===", "====", "Zg=g", "Zm9v\n",
        "Zm-v", "Zm 9",
    ])
    func refusesWhatHasAnotherReadingOrNone(text: String) {
        #expect(Base64.decode(text.utf8) == nil)
    }
}
