import CardData
import ReaderProtocols
import Testing

@Suite("Keyboard reports")
struct KeyboardReportsVectorsTests {
    private func text(_ reports: [UInt8], chunk: Int = .max) -> [UInt8] {
        var decoder = KeyboardTextDecoder()
        var text: [UInt8] = []
        var start = 0
        while start < reports.count {
            let end = chunk == .max ? reports.count : min(start + chunk, reports.count)
            text += decoder.append(Array(reports[start..<end]).span)
            start = end
        }
        #expect(!decoder.hasPartialReport)
        return text
    }

    /// MagneSafe V5 Communication Reference Manual 99875475, command 03 and appendices A and B.
    @Test(arguments: [
        ("?", 0x38, 0x02), ("A", 0x04, 0x02), ("z", 0x1D, 0x00), ("1", 0x1E, 0x00),
        ("9", 0x26, 0x00), ("0", 0x27, 0x00), (" ", 0x2C, 0x00), ("-", 0x2D, 0x00),
        ("=", 0x2E, 0x00), (";", 0x33, 0x00), ("/", 0x38, 0x00), ("\r", 0x28, 0x00),
        ("%", 0x22, 0x02), ("^", 0x23, 0x02), ("|", 0x31, 0x02), ("+", 0x2E, 0x02),
        ("@", 0x1F, 0x02), ("#", 0x20, 0x02), ("&", 0x24, 0x02), ("~", 0x35, 0x02),
    ])
    func followTheUSLayout(character: String, usage: UInt8, modifiers: UInt8) throws {
        let byte = try #require(character.utf8.first)
        let stroke = KeyStroke(usage: usage, modifiers: modifiers)
        #expect(KeyboardReports.stroke(for: byte) == stroke)
        #expect(KeyboardReports.character(of: stroke) == byte)
        let onTheRight = KeyStroke(usage: usage, modifiers: modifiers << 4)
        #expect(KeyboardReports.character(of: onTheRight) == byte)
    }

    @Test func everyCharacterGoesDownAndUp() {
        for character in UInt8(0)..<128 {
            let reports = KeyboardReports.reports(typing: [character])
            #expect(reports.count == 16)
            #expect(Array(reports[8...]) == [UInt8](repeating: 0, count: 8))
            #expect(text(reports) == [character])
        }
        #expect(KeyboardReports.reports(typing: [0x80]).isEmpty)
    }

    @Test(arguments: [MagneSafeVectors.s2, MagneSafeVectors.s5, MagneSafeVectors.s7])
    func theMessagesOfTheManualComeBack(message: String) {
        let bytes = MagneSafeVectors.message(message)
        for chunk in [1, 3, 8, 13, .max] {
            #expect(text(KeyboardReports.reports(typing: bytes), chunk: chunk) == bytes)
        }
    }

    @Test func codesTakeEightReportsACharacter() {
        let all = Array(UInt8.min...UInt8.max)
        let reports = KeyboardReports.reports(typing: all, .altCodes)
        #expect(reports.count == 256 * 64)
        #expect(text(reports, chunk: 5) == all)
    }

    @Test func keysOfAnotherKeyboardMixIntoTheSwipe() {
        let swipe = KeyboardReports.reports(typing: Array(";1?".utf8))
        let other = KeyboardReports.reports(typing: Array("x".utf8))
        #expect(text(Array(swipe[..<16] + other + swipe[16...])) == Array(";x1?".utf8))
    }

    @Test func aKeyThatStaysDownCountsOnce() {
        let down: [UInt8] = [0, 0, 0x04, 0, 0, 0, 0, 0]
        let two: [UInt8] = [0, 0, 0x04, 0x05, 0, 0, 0, 0]
        #expect(text(down + down + two) == Array("ab".utf8))
    }

    @Test func anyReportsAreRead() {
        var generator = SeededGenerator(seed: 11)
        let good = KeyboardReports.reports(typing: MagneSafeVectors.message(MagneSafeVectors.s7))
        var characterCount = 0
        for _ in 0..<300 {
            var decoder = KeyboardTextDecoder()
            characterCount += decoder.append(generator.mutated(good).span).count
            characterCount += decoder.append(generator.bytes(upTo: 64).span).count
        }
        #expect(characterCount > 300 * 100)
    }
}

@Suite("SureSwipe text")
struct SureSwipeTextVectorsTests {
    /// MagneSafe V5 Communication Reference Manual 99875475, example 4.
    static let s4 =
        "%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?"
        + ";5452300551227189=080432100000007250?+5163499080020445=000000000000?"

    @Test func isThatOfTheManual() throws {
        let text = try SureSwipeText(Array(Self.s4.utf8) + [0x0D])
        #expect(text.tracks.track1.encrypted.count == 60)
        #expect(text.tracks.track2.encrypted.count == 37)
        #expect(text.tracks.track3.encrypted.count == 31)
        #expect(text.unmaskedText() == Array(Self.s4.utf8) + [0x0D])
        #expect(text.record.maskedCardNumber?.description == "5452300004007189")
        #expect(!"\(text)\(String(reflecting: text.tracks.track1))".contains("5452"))
    }

    @Test(arguments: [
        ("%E?;E?+E?", [MagneSafeRecord.Track.Status.failed, .failed, .failed]),
        ("%E?;E?", [.failed, .failed, .blank]), (";E?", [.blank, .failed, .blank]),
        ("%E?;123456789=1234?", [.failed, .read, .blank]), ("", [.blank, .blank, .blank]),
    ])
    func errorsAndBlanksAreToldApart(
        text: String,
        statuses: [MagneSafeRecord.Track.Status]
    ) throws {
        let read = try SureSwipeText(Array(text.utf8))
        let tracks = read.tracks
        #expect([tracks.track1.status, tracks.track2.status, tracks.track3.status] == statuses)
        #expect(read.unmaskedText() == Array(text.utf8) + [0x0D])
    }

    @Test func stringsStandInTheOrderOfTheManual() throws {
        var format = SureSwipeText.Format()
        format.preCardString = Array("P18".utf8)
        format.preCardCharacter = UInt8(ascii: "b")
        format.preTrackCharacter = UInt8(ascii: "d")
        format.postTrackCharacter = UInt8(ascii: "e")
        format.postCardCharacter = UInt8(ascii: "c")
        format.postCardString = Array("P19".utf8)
        let text = try SureSwipeText(Array("%E?;1=2?".utf8))
        #expect(
            String(decoding: text.unmaskedText(format), as: UTF8.self)
                == "P18bd%E?ed;1=2?e\rcP19"
        )
        format.terminatesEveryTrack = true
        #expect(
            String(decoding: text.unmaskedText(format), as: UTF8.self)
                == "P18bd%E?e\rd;1=2?e\rcP19"
        )
        #expect(try SureSwipeText(text.unmaskedText(format)) == text)
        format = .init()
        format.terminatesBlankCard = false
        #expect(try SureSwipeText([]).unmaskedText(format).isEmpty)
    }

    @Test func refusesWhatNoReaderTypes() {
        #expect(throws: MagneSafeError(.malformed, offset: 0)) {
            try SureSwipeText(Array("%B123".utf8))
        }
        #expect(throws: MagneSafeError(.tooLong, offset: 1_000)) {
            try SureSwipeText([UInt8](repeating: 0x30, count: 1_001))
        }
    }

    @Test func anyTextIsReadOrRefused() {
        var generator = SeededGenerator(seed: 3)
        var refusedCount = 0
        for _ in 0..<1_000 {
            let text = generator.mutated(Array(Self.s4.utf8))
            if (try? SureSwipeText(text)) == nil { refusedCount += 1 }
        }
        #expect(refusedCount > 10 && refusedCount < 900)
    }
}
