import Testing
import YAML

@Suite("YAML document")
struct YAMLDocumentTests {
    private func document(_ text: String) throws(YAMLError) -> YAMLDocument {
        try YAMLDocument(parsing: Array(text.utf8))
    }

    private func failure(of bytes: [UInt8]) -> YAMLError? {
        do throws(YAMLError) {
            _ = try YAMLDocument(parsing: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func keepsScalarsAsTextWithTheirPlaces() throws {
        let root = try document("a: 1225\nb:\n  - \"yes\"\n  - ~\n").root
        guard case .mapping(let entries) = root.content, entries.count == 2 else {
            Issue.record("expected a map of two keys")
            return
        }
        #expect(entries[0].key.text == "a")
        #expect(entries[0].value.content == .scalar(YAMLScalar("1225", isPlain: true)))
        #expect(entries[0].value.mark == YAMLMark(line: 1, column: 4))
        #expect(entries[1].keyMark == YAMLMark(line: 2, column: 1))
        let list: [YAMLNode] = [
            YAMLNode(
                .scalar(YAMLScalar("yes", isPlain: false)),
                at: YAMLMark(line: 3, column: 5)
            ),
            YAMLNode(.scalar(YAMLScalar("~", isPlain: true)), at: YAMLMark(line: 4, column: 5)),
        ]
        #expect(entries[1].value.content == .sequence(list))
    }

    @Test func countsColumnsInCharactersAndSkipsAByteOrderMark() throws {
        let root = try document("\u{FEFF}{ ä: 1, b: 2 }").root
        guard case .mapping(let entries) = root.content else {
            Issue.record("expected a map")
            return
        }
        #expect(entries.map(\.keyMark.column) == [3, 9])
    }

    @Test func reportsEveryDuplicateKeyWithBothPlaces() throws {
        let duplicates = try document("a: 1\nb: {c: 1, c: 2}\n\"a\": 3\n").duplicateKeys
        #expect(duplicates.map(\.key) == ["c", "a"])
        #expect(duplicates.map(\.first.line) == [2, 1])
        #expect(
            duplicates.map(\.mark) == [YAMLMark(line: 2, column: 11), .init(line: 3, column: 1)]
        )
    }

    static let mistakes: [(text: String, code: YAMLError.Code, line: Int, column: Int)] = [
        ("", .empty, 1, 1),
        ("# only a comment\n\n", .empty, 1, 1),
        ("a: 1\n---\nb: 2\n", .severalDocuments, 2, 1),
        ("a: &x 1\n", .anchor, 1, 4),
        ("a: 1\nb: *x\n", .alias, 2, 4),
        ("a: !!str 1\n", .tag, 1, 4),
        ("a:\n\tb: 1\n", .tab, 2, 1),
        ("a: 1\n? [b]\n: 2\n", .complexKey, 2, 3),
        ("a: [1, 2\n", .syntax, 1, 4),
        ("a: 1\n b: 2\n", .syntax, 2, 3),
        ("ä: 1\nb: \u{1}\n", .controlCharacter, 2, 4),
        ("a: b: c\n", .syntax, 1, 5),
    ]

    @Test(arguments: mistakes)
    func saysWhereAMistakeIs(
        mistake: (text: String, code: YAMLError.Code, line: Int, column: Int)
    ) throws {
        let error = try #require(failure(of: Array(mistake.text.utf8)))
        #expect(error.code == mistake.code)
        #expect(error.mark == YAMLMark(line: mistake.line, column: mistake.column))
    }

    @Test func refusesBytesThatAreNotUTF8() throws {
        let error = try #require(failure(of: Array("a: 1\nb: ".utf8) + [0xC3, 0x28]))
        #expect(error.code == .invalidUTF8)
        #expect(error.mark == YAMLMark(line: 2, column: 4))
    }

    @Test func refusesUTF16() throws {
        #expect(try #require(failure(of: [0xFF, 0xFE, 0x61, 0x00])).code == .invalidUTF8)
    }

    @Test(arguments: [(64, true), (65, false)])
    func limitsTheDepth(depth: Int, isAllowed: Bool) {
        // The innermost scalar is a level too.
        let lists = depth - 1
        let text = String(repeating: "[", count: lists) + "a" + String(repeating: "]", count: lists)
        let code = failure(of: Array(text.utf8))?.code
        #expect(code == (isAllowed ? nil : .tooDeep))
    }

    @Test func endsQuicklyOnAMebibyteOfBrackets() {
        let bytes = [UInt8](repeating: 0x5B, count: YAMLDocument.maximumByteCount)
        #expect(failure(of: bytes)?.code == .tooDeep)
        #expect(failure(of: bytes + [0x5B])?.code == .tooLong)
    }

    @Test func limitsTheNodeCount() {
        let text = "[" + String(repeating: "a,", count: YAMLDocument.maximumNodeCount) + "]"
        #expect(failure(of: Array(text.utf8))?.code == .tooManyNodes)
    }
}
