import CardData
import Testing

@testable import ReaderProtocols

@Suite("ViVOtech 2 frames")
struct ViVOtechFrameVectorsTests {
    static let frames: [(frame: String, direction: ViVOtechFrame.Direction, UInt8, UInt8)] = [
        ("5669564F74656368320018010000B3CD", .request, 0x18, 0x01),
        ("5669564F74656368320018000000FA83", .answer, 0x18, 0x00),
        ("5669564F746563683200180400002643", .answer, 0x18, 0x04),
        ("5669564F74656368320002080000202E", .answer, 0x02, 0x08),
        ("5669564F746563683200020A00004E4E", .answer, 0x02, 0x0A),
    ]

    @Test(arguments: frames.indices)
    func thePublishedFramesAreReadAndWritten(index: Int) throws {
        let (text, direction, command, status) = Self.frames[index]
        let bytes = try #require(Hexadecimal.decode(text))
        let frame = ViVOtechFrame(direction, command: command, status)
        #expect(frame.bytes == bytes)
        #expect(ViVOtechFrame(bytes) == frame)
        #expect(ViVOtechFrame(bytes + [UInt8](repeating: 0, count: 47)) == frame)
        #expect(FieldListing(viVOtech: bytes).problems.isEmpty)
    }

    @Test func aSwipeInAnAnswerIsListedAsTheRecordThatItIs() throws {
        let record = IDTechVectors.a5
        let value: [UInt8] = [0xDF, 0xEE, 0x23, 0x81, UInt8(record.count)] + record
        let frame = ViVOtechFrame(.answer, command: 0x02, 0x00, data: [1, 2] + value + [0x9F])
        let listing = FieldListing(viVOtech: frame.bytes)
        #expect(listing.problems.isEmpty)
        #expect(listing.fields.contains { $0.name == "track 1 masked" })
        #expect(listing.fields.reduce(0) { $0 + $1.byteCount } == frame.bytes.count)
        #expect(ViVOtechFrame(frame.bytes) == frame)
    }

    @Test func whatIsWrongIsNamedWithItsByte() throws {
        let whole = try #require(Hexadecimal.decode(Self.frames[0].frame))
        var wrong = whole
        wrong[15] ^= 1
        #expect(FieldListing(viVOtech: wrong).problem?.offset == 14)
        #expect(FieldListing(viVOtech: Array(whole.prefix(15))).problem?.offset == 15)
        #expect(FieldListing(viVOtech: Array(whole.prefix(5))).problem?.offset == 5)
        #expect(FieldListing(viVOtech: whole + [1]).problem?.offset == 16)
    }

    @Test func bytesOfAnyKindNeverTrap() throws {
        let record = IDTechVectors.a5
        let value: [UInt8] = [0xDF, 0xEE, 0x23, 0x81, UInt8(record.count)] + record
        let whole = ViVOtechFrame(.answer, command: 0x02, 0, data: value).bytes
        for place in whole.indices {
            for byte: UInt8 in [0, 1, 0x7F, 0x80, 0x82, 0xFF] {
                var bytes = whole
                bytes[place] = byte
                _ = ViVOtechFrame(bytes)
                _ = FieldListing(viVOtech: bytes)
            }
        }
        for count in 0..<whole.count { _ = FieldListing(viVOtech: Array(whole.prefix(count))) }
    }
}
