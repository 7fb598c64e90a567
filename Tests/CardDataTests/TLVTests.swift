import CardData
import Testing

@Suite("BER-TLV")
struct TLVTests {
    @Test(
        arguments: [
            ([0x9A, 0x03, 0x26, 0x01, 0x02], [TLV(.date, [0x26, 0x01, 0x02])]),
            ([0xDF, 0xA2, 0x05, 0x01, 0x1B], [TLV(.keyCode, [0x1B])]),
            ([0xE3, 0x02, 0x01, 0x00], [TLV(.transactionApproved, [TLV(0x01, [UInt8]())])]),
            ([0xE1, 0x00], [TLV(.responseData, [TLV]())]),
            ([], []),
        ] as [([UInt8], [TLV])]
    )
    func objectsAreReadAndWritten(bytes: [UInt8], objects: [TLV]) throws {
        #expect(try TLV.objects(in: bytes) == objects)
        #expect(objects.tlvBytes == bytes)
    }

    @Test(
        arguments: [
            ([0x57, 0x81, 0x01, 0xAA], [TLV(0x57, [0xAA])]),
            ([0x57, 0x82, 0x00, 0x01, 0xAA], [TLV(0x57, [0xAA])]),
            ([0x00, 0x00, 0x9C, 0x01, 0x00, 0x00], [TLV(.transactionType, [0x00])]),
            ([0xE1, 0x04, 0x00, 0x9C, 0x00, 0x00], [TLV(.responseData, [TLV(0x9C, [UInt8]())])]),
        ] as [([UInt8], [TLV])]
    )
    func longLengthsAndPaddingAreAccepted(bytes: [UInt8], objects: [TLV]) throws {
        #expect(try TLV.objects(in: bytes) == objects)
    }

    @Test(arguments: [0, 1, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF])
    func everyLengthComesBack(byteCount: Int) throws {
        let object = TLV(0xDFAE02, [UInt8](repeating: 0xA5, count: byteCount))
        let nested = TLV(.responseData, [TLV(.onlineAuthorisationRequired, [object])])
        #expect(try TLV.objects(in: object.bytes) == [object])
        if byteCount < 0xFFF0 { #expect(try TLV.objects(in: nested.bytes) == [nested]) }
    }

    @Test(
        arguments: [
            ([0x9F], TLVError(.truncatedHeader, offset: 0)),
            ([0x9C, 0x00, 0xDF, 0xA2], TLVError(.truncatedHeader, offset: 2)),
            ([0x57], TLVError(.truncatedHeader, offset: 0)),
            ([0x57, 0x82, 0x01], TLVError(.truncatedHeader, offset: 0)),
            ([0x5F, 0x81, 0x82, 0x83, 0x04, 0x00], TLVError(.tagTooLong, offset: 0)),
            ([0x57, 0x80, 0x00], TLVError(.lengthFieldTooWide, offset: 1)),
            ([0x57, 0x83, 0, 0, 1, 0], TLVError(.lengthFieldTooWide, offset: 1)),
            ([0x57, 0x02, 0xAA], TLVError(.valueTooLong, offset: 2)),
            ([0xE1, 0x02, 0x57, 0x01, 0xAA], TLVError(.valueTooLong, offset: 4)),
        ] as [([UInt8], TLVError)]
    )
    func whatIsNoObjectIsAnErrorWithItsByte(bytes: [UInt8], error: TLVError) {
        #expect(throws: error) { try TLV.objects(in: bytes) }
        #expect(FieldListing(berTLV: bytes).problem?.offset == error.offset)
    }

    @Test func objectsStandAtMostSixteenDeep() throws {
        func nested(_ depth: Int) -> [UInt8] {
            (1..<depth).reduce(TLV(0x9C, [1])) { object, _ in TLV(.responseData, [object]) }.bytes
        }
        #expect(try TLV.objects(in: nested(16)).first(.transactionType)?.value == [1])
        #expect(throws: TLVError(.nestedTooDeeply, offset: 32)) {
            try TLV.objects(in: nested(17))
        }
    }

    @Test func tagsKnowTheirBytesAndNames() {
        #expect(TLVTag.keyCode.byteCount == 3)
        #expect("\(TLVTag(0x9F02)) \(TLVTag(0x05)) \(TLVTag(0xDFA205))" == "9F02 05 DFA205")
        #expect(TLVTag.responseData.isConstructed && TLVTag(0xBF0C).isConstructed)
        #expect(!TLVTag.keyCode.isConstructed && !TLVTag(0x9F02).isConstructed)
        #expect(TLVTag(0x48).name == "Card Status")
        #expect(TLVTag(0xDFFF01).name == "Time Limit")
        #expect(TLVTag(0x4F).name == "Application Identifier (card)")
        #expect(TLVTag(0x9999).name == nil)
    }
}
