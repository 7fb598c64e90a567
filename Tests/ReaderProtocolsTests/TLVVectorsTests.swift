import CardData
import ReaderProtocols
import Testing

@Suite("BER-TLV of published frames")
struct TLVVectorsTests {
    @Test func theFirstObjectWithATagIsFoundWhereverItIs() throws {
        let objects = try TLV.objects(in: MiuraVectors.m21[3..<53])
        #expect(objects.first(.serialNumber)?.text == "04000203")
        #expect(objects.all(.version).map(\.text) == ["1-1", "1-6"])
        #expect(objects.first(.cardNumber) == nil)
    }

    @Test func whatIsSecretIsNotShown() throws {
        let objects = try TLV.objects(in: MiuraVectors.m24[3..<257] + MiuraVectors.m24[261..<308])
        let swipe = try TLV.objects(in: MiuraVectors.m22[3..<164])
        let pin = try TLV.objects(in: MiuraVectors.m26[3..<31])
        var text = "\(objects) \(swipe) \(pin)" + String(reflecting: objects + swipe + pin)
        for bytes in [objects, swipe, pin].map(\.tlvBytes) {
            let listing = FieldListing(berTLV: bytes)
            #expect(listing.problem == nil)
            text += listing.fields.map { "\($0.name) \($0.value) \($0.meaning)\n" }.joined()
        }
        for secret in [
            "6799998900001812", "0083550606", "4761739001010010", "11143857589", "1143800575",
            "8B68AF72199529B8", "3437363137333930", "25423437",
        ] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(text.contains("5A=679999*******8123 "))
        #expect(text.contains("DFAE04=8 bytes"))
        #expect(text.contains("9F34=440302"))
        #expect(text.contains("VISA ACQUIRER TEST CARD"))
    }

    @Test func anyValueOfAnyTagIsShownWithoutItsMiddleDigits() {
        var generator = SeededGenerator(seed: 7)
        let number: [UInt8] = [0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0x00, 0x10]
        for tag in [0x57, 0x5A, 0x56, 0x9F6B, 0xDFAE57, 0xDFAE5A, 0x9F20, 0xDFA208, 0x9999]
            as [UInt32]
        {
            let text = TLVTag(tag).shown(number).description
            #expect(!text.contains("4761739001010010"))
            for _ in 0..<200 { _ = TLVTag(tag).shown(generator.bytes(upTo: 40)).description }
        }
    }

    @Test func anyBytesAreObjectsOrAnError() {
        var generator = SeededGenerator(seed: 8)
        let vectors = [MiuraVectors.m24, MiuraVectors.m22, MiuraVectors.m21, MiuraVectors.m28]
        for _ in 0..<3000 {
            let bytes = generator.mutated(vectors[generator.below(4)]).dropFirst(3)
            guard let objects = try? TLV.objects(in: bytes) else {
                #expect(FieldListing(berTLV: Array(bytes)).problem != nil)
                continue
            }
            #expect((try? TLV.objects(in: objects.tlvBytes)) == objects)
        }
    }
}
