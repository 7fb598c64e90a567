import CardData
import ReaderProtocols
import Testing

@Suite("Miura field listings")
struct MiuraListingVectorsTests {
    typealias V = MiuraVectors

    private func lines(_ listing: FieldListing) -> [String] {
        listing.fields.map {
            "\($0.offset)+\($0.byteCount) \($0.name): \($0.value) (\($0.meaning))"
        }
    }

    @Test func commandsAndAnswersAreToldApart() {
        let listing = FieldListing(miura: V.m01 + V.m21)
        #expect(listing.problem == nil)
        #expect(
            lines(listing) == [
                "0+8 frame: 010004 (reader)", "3+4 command: D0000000 (RESET DEVICE)",
                "8+56 frame: 020034 (hub)", "11+50 E1 Response Data: 48 bytes (template)",
                "13+11   9F1E Interface Device Serial Number: 04000203 ()",
                "24+19   EF Software Information: 17 bytes (template)",
                "26+11     DF0D Identifier: M100-RPI ()", "37+6     DF7F Version: 1-1 ()",
                "43+18   EF Software Information: 16 bytes (template)",
                "45+10     DF0D Identifier: M100-OS ()", "55+6     DF7F Version: 1-6 ()",
                "61+2 status word: 9000 (success)",
            ]
        )
    }

    @Test func everyVectorIsListedWithoutAProblem() {
        for vector in V.commands {
            let guessed = FieldListing(miura: vector.bytes)
            if !vector.name.hasPrefix("STREAM") { #expect(guessed.problem == nil) }
            #expect(guessed.fields.contains { $0.name == "command" }, "\(vector.name)")
            #expect(FieldListing(miura: vector.bytes, direction: .toReader) == guessed)
        }
        for answer in [V.m02, V.m03, V.m05, V.m07, V.m13, V.m18, V.m19, V.m20, V.m26, V.m27] {
            let guessed = FieldListing(miura: answer)
            #expect(guessed.problem == nil)
            #expect(guessed.fields.last?.name == "status word")
            #expect(FieldListing(miura: answer, direction: .fromReader) == guessed)
        }
    }

    @Test func aChainIsJoinedAndEveryObjectHasItsPlaceInTheInput() {
        let listing = FieldListing(miura: V.m24)
        #expect(listing.problem == nil)
        let frames = listing.fields.filter { $0.name == "frame" }
        #expect(frames.map(\.offset) == [0, 258])
        let masked = listing.fields.first { $0.name == "  DFAE57 ICC Masked Track 2" }
        #expect(masked?.value.description == "679999*******8123=2512************")
        for field in listing.fields where field.name.hasPrefix("  ") {
            let tag = field.name.dropFirst(2).prefix { $0 != " " }
            let bytes = V.m24[field.offset..<min(field.offset + tag.utf8.count / 2, V.m24.count)]
            #expect(Hexadecimal.encode(Array(bytes)) == tag)
        }
    }

    @Test func nothingSecretIsListed() {
        for (bytes, secrets) in [
            (V.m22, ["4761739001010010", "11143857589", "34373631"]),
            (V.m24, ["6799998900001812", "0083550606"]), (V.m26, ["8B68AF72199529B8"]),
        ] {
            let text = lines(FieldListing(miura: bytes)).joined(separator: "\n")
            for secret in secrets { #expect(!text.contains(secret)) }
        }
    }

    @Test func whatIsWrongIsNamedAndTheFramesBehindItAreListed() {
        let damaged = FieldListing(miura: V.m16 + V.m18)
        #expect(damaged.problem?.offset == 9)
        #expect(damaged.fields.last?.name == "status word")
        #expect(damaged.fields.contains { $0.name == "passed over" && $0.byteCount == 10 })
        let open = FieldListing(miura: V.m02 + V.m08)
        #expect(open.problem?.offset == 6)
        let cut = FieldListing(miura: Array(V.m26.dropLast()))
        #expect(cut.problem?.offset == V.m26.count - 1)
        #expect(FieldListing(miura: V.m05, direction: .toReader).problem?.offset == 1)
        #expect(FieldListing(miura: V.m27, direction: .toReader).problem != nil)
    }

    @Test func rawBytesOfAStreamAreListedAsSuch() {
        let stream = MiuraCommand.streamBinary(MiuraStream(offset: 0, byteCount: 4)).message().bytes
        let listing = FieldListing(miura: stream + [9, 9, 9, 9] + V.m02)
        #expect(listing.problem == nil)
        #expect(listing.fields.contains { $0.name == "raw bytes" && $0.byteCount == 4 })
        #expect(listing.fields.last?.name == "status word")
    }

    @Test func anyBytesAreListedOrRefused() {
        var generator = SeededGenerator(seed: 10)
        for _ in 0..<1000 {
            let bytes =
                generator.mutated(V.m22) + generator.mutated(V.m24) + generator.bytes(upTo: 9)
            for direction in [nil, .toReader, .fromReader] as [MiuraDecoder.Direction?] {
                let listing = FieldListing(miura: bytes, direction: direction)
                #expect(listing.fields.allSatisfy { $0.offset <= bytes.count })
                #expect((listing.problem?.offset ?? 0) <= bytes.count)
            }
        }
    }
}
