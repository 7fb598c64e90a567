import CardData
import ReaderProtocols
import Testing

@Suite("MagneSafe field listings")
struct MagneSafeListingVectorsTests {
    private func values(_ listing: FieldListing) -> [(name: String, value: String)] {
        listing.fields.map { ($0.name, $0.value.description) }
    }

    private func value(_ name: String, in listing: FieldListing) -> String? {
        listing.fields.first { $0.name == name }?.value.description
    }

    /// Everything that a listing says, in one text.
    private func text(_ listing: FieldListing) -> String {
        listing.fields.map { "\($0.name) \($0.value) \($0.meaning)\n" }.joined()
            + (listing.problem?.text ?? "")
    }

    @Test func aReportIsListedByteForByte() {
        let report = MagneSafeReportVectorsTests.level3.report()
        let listing = FieldListing(magneSafeReport: report)
        #expect(listing.problem == nil)
        var offset = 0
        for field in listing.fields {
            #expect(field.offset == offset)
            offset += field.byteCount
        }
        #expect(offset == 887)
        #expect(value("track 1 encrypted length", in: listing) == "64")
        #expect(value("DUKPT key serial number", in: listing) == "FFFF9876543210E00008")
        #expect(value("reader encryption status", in: listing) == "0006")
        #expect(value("MagneSafe version", in: listing) == "V05")
        #expect(
            value("track 1 masked", in: listing)
                == "%B5452000000007189^HOGAN/PAUL      ^0804*******************?"
        )
        let status = listing.fields.first { $0.name == "reader encryption status" }
        #expect(status?.offset == 493)
        #expect(status?.meaning == "initial key injected, encryption enabled")
    }

    @Test func clearTracksAreMasked() {
        let clear = ["5452300551227189", "3005512", "5163499080020445", "432100000007250"]
        var surelySwiped = MagneSafeReportVectorsTests.level2
        surelySwiped.encodeType = .iso
        for listing in [
            FieldListing(magneSafeReport: MagneSafeReportVectorsTests.level2.report()),
            FieldListing(magneSafeReport: surelySwiped.report(byteCount: 337)),
            FieldListing(magneSafeStream: MagneSafeVectors.message(MagneSafeVectors.s2)),
            FieldListing(magneSafeStream: MagneSafeVectors.message(MagneSafeVectors.s5)),
            FieldListing(magneSafeStream: Array(SureSwipeTextVectorsTests.s4.utf8)),
        ] {
            let text = text(listing)
            for digits in clear { #expect(!text.contains(digits)) }
            #expect(text.contains("HOGAN/PAUL"))
        }
    }

    @Test(arguments: MagneSafeVectors.all)
    func aPublishedMessageHasNoProblem(message: String) {
        let bytes = MagneSafeVectors.message(message)
        let listing = FieldListing(magneSafeStream: bytes)
        #expect(listing.problem == nil)
        #expect(listing.fields.first { $0.name == "checksum" }?.meaning == "right")
        for field in listing.fields where field.byteCount > 0 {
            #expect(field.offset >= 0 && field.offset + field.byteCount <= bytes.count)
        }
        // Padding does not matter.
        let padded = FieldListing(magneSafeStream: MagneSafeVectors.blocks(message))
        #expect(padded.fields.dropLast() == listing.fields.dropLast())
    }

    @Test(arguments: [
        SureSwipeTextVectorsTests.s4, "%E?;E?+E?", "%E?;E?", ";E?", "%E?;123456789=1234?",
    ])
    func sureSwipeTextIsListedToo(message: String) {
        let listing = FieldListing(magneSafeStream: Array(message.utf8) + [0x0D])
        #expect(listing.problem == nil)
        #expect(listing.fields.last?.value.description == "SureSwipe")
        #expect(listing.fields.map(\.byteCount).reduce(0, +) == message.utf8.count)
        let cut = FieldListing(magneSafeStream: Array(message.utf8.dropLast()))
        #expect(cut.problem != nil)
        #expect(FieldListing(magneSafeStream: Array("TRKEND".utf8)).problem?.offset == 6)
    }

    @Test func whatIsWrongIsNamedWithItsByte() throws {
        var report = MagneSafeReportVectorsTests.level3.report()
        report[6] = 9
        report[507] = 200
        let listing = FieldListing(magneSafeReport: report)
        #expect(listing.problem == .init(offset: 6, text: "there is no encode type 9"))
        #expect(listing.fields.count == MagneSafeReportVectorsTests.fieldCount)
        report[6] = 0
        #expect(FieldListing(magneSafeReport: report).problem?.offset == 507)
        report[507] = 31
        report[3] = 63
        #expect(FieldListing(magneSafeReport: report).problem?.offset == 3)
        #expect(FieldListing(magneSafeReport: [1, 2]).problem?.offset == 2)
        #expect(FieldListing(magneSafeReport: []).problem?.offset == 0)

        var message = Array(MagneSafeVectors.s9.utf8)
        message[10] = 0x39
        let crc = try #require(message.lastIndex(of: 0x7C)) - 5
        #expect(FieldListing(magneSafeStream: message).problem?.offset == crc)
        let cut = Array(MagneSafeVectors.s9.utf8.prefix(100))
        #expect(FieldListing(magneSafeStream: cut).problem?.offset == 100)
        #expect(FieldListing(magneSafeStream: []).problem?.offset == 0)
        #expect(FieldListing(magneSafeStream: [0x0D, 0x0D]).problem?.offset == 0)
    }

    @Test func anyBytesAreListedWithoutCardData() {
        var generator = SeededGenerator(seed: 5)
        let message = MagneSafeVectors.message(MagneSafeVectors.s2)
        let report = MagneSafeReportVectorsTests.level2.report()
        var problemCount = 0
        for _ in 0..<400 {
            let streamed = FieldListing(magneSafeStream: generator.mutated(message))
            var changed = report
            for _ in 0...generator.below(3) {
                changed[generator.below(changed.count)] = UInt8(generator.below(256))
            }
            let reported = FieldListing(magneSafeReport: changed)
            if streamed.problem != nil { problemCount += 1 }
            if reported.problem != nil { problemCount += 1 }
            #expect(!text(streamed).contains("5452300551227189"))
            #expect(!text(reported).contains("5452300551227189"))
        }
        #expect(problemCount > 300)
        for _ in 0..<200 {
            _ = FieldListing(magneSafeStream: generator.bytes(upTo: 300))
            _ = FieldListing(magneSafeReport: generator.bytes(upTo: 300))
        }
    }
}
