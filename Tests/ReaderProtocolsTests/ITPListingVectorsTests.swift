import CardData
import Testing

@testable import ReaderProtocols

@Suite("ITP, the serial framing of ID TECH's readers")
struct ITPListingVectorsTests {
    private func rows(_ hexadecimal: String) throws -> [String] {
        let bytes = try #require(Hexadecimal.decode(hexadecimal))
        let listing = FieldListing(itp: bytes)
        return listing.fields.map { "\($0.offset) \($0.name) \($0.value) \($0.meaning)" }
            + listing.problems.map { "! \($0.offset) \($0.text)" }
    }

    static let commands = [
        "025318034A", "0252220371", "02521F034C", "02524E031D", "02527E032D", "025385013103E7",
        "025385013003E6", "02531A01310378", "02531A01300379", "02534C0131032E", "02534C0132032D",
        "02532301300340", "02532301380348", "0253490106031C", "02535001310332", "02535C0130033F",
        "02536F0130030C", "024649030E",
    ]
    static let answers = [
        "06", "15", "06024944205445434820556E694D61672049492056322E31300344", "06027E0133034D",
        "06022301300313", "06024E0B0A303031323334353637380346",
    ]

    @Test(arguments: commands + answers)
    func eachPublishedFrameIsListedWithoutAComplaint(frame: String) throws {
        let listing = FieldListing(itp: try #require(Hexadecimal.decode(frame)))
        #expect(listing.problems.isEmpty)
        #expect(listing.fields.reduce(0) { $0 + $1.byteCount } == frame.utf8.count / 2)
    }

    @Test func aWholeConversationIsListedFrameByFrame() throws {
        let rows = try rows((Self.commands + Self.answers).joined())
        #expect(!rows.contains { $0.hasPrefix("!") })
        #expect(rows.count { $0.contains(" LRC ") } == Self.commands.count + 4)
        #expect(rows.contains { $0.contains("firmwareVersion") })
    }

    @Test func whatIsWrongIsNamedWithItsByteInTheConversation() throws {
        let rows = try rows("06" + "0252220370")
        #expect(rows.contains { $0.hasPrefix("! 5 ") })
        #expect(try self.rows("0623").last?.hasPrefix("! 1 ") == true)
        #expect(try self.rows("").first?.hasPrefix("! 0 ") == true)
    }

    @Test func bytesOfAnyKindNeverTrap() throws {
        let whole = try #require(Hexadecimal.decode((Self.commands + Self.answers).joined()))
        for place in whole.indices {
            for value: UInt8 in [0x00, 0x02, 0x03, 0x06, 0x15, 0x46, 0xFF] {
                var bytes = whole
                bytes[place] = value
                let listing = FieldListing(itp: bytes)
                #expect(listing.fields.allSatisfy { $0.offset + $0.byteCount <= bytes.count })
            }
        }
        for count in 0..<whole.count { _ = FieldListing(itp: Array(whole.prefix(count))) }
        let many = FieldListing(itp: [UInt8](repeating: 0x06, count: 70_000))
        #expect(many.fields.count == 256)
    }
}
