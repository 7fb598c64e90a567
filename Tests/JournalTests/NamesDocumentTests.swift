import Journal
import Kernel
import Testing

@Suite("Names")
struct NamesDocumentTests {
    private static let root = String(
        #filePath.dropLast("Tests/JournalTests/NamesDocumentTests.swift".count)
    )

    @Test func theDocumentIsWhatTheVocabularySays() throws {
        let path = Self.root + "Docs/names.md"
        if ProcessEnvironment.value(of: "CARDRIG_GOLDEN") == "record" {
            try FileBytes.write(Array(Vocabulary.namesDocument.utf8), to: path)
        }
        let kept = String(decoding: try FileBytes.read(path: path, limit: 1 << 20), as: UTF8.self)
        #expect(kept == Vocabulary.namesDocument)
    }

    @Test func everySwiftNameIsInTheSDK() throws {
        var source = ""
        for path in try Paths.files(under: Self.root + "Sources/SDKCore", withSuffix: ".swift") {
            source += String(
                decoding: try FileBytes.read(path: path, limit: 1 << 20),
                as: UTF8.self
            )
        }
        for row in Vocabulary.names.flatMap(\.rows) {
            for part in (row.swift ?? "").split(separator: ".") {
                #expect(source.contains(part), "\(row.swift ?? "")")
            }
        }
    }

    @Test func everyBuiltNameOfTheVocabularyIsInTheTable() {
        let scenario = Vocabulary.names.flatMap(\.rows).compactMap(\.scenario)
        for record in Vocabulary.records where record.source == .sdk {
            #expect(scenario.contains(record.spelling))
        }
        for method in MethodName.allCases { #expect(scenario.contains(method.spelling)) }
        let definition = Vocabulary.definition(of: .deviceBecameUnreadyForSwipe)
        for attribute in definition.attributes where attribute.name == .reason {
            guard case .symbol(let symbols) = attribute.kind else { continue }
            for symbol in symbols { #expect(scenario.contains(Vocabulary.spelling(of: symbol))) }
        }
    }

    @Test func stepWordsAndMethodsAreSpelledOnce() {
        #expect(
            Set(StepWord.spellings + StepWord.later).count == StepWord.spellings.count
                + StepWord.later.count
        )
        #expect(Set(MethodName.allCases.map(\.spelling)).count == MethodName.allCases.count)
        #expect(StepWord.allCases.allSatisfy { $0.meaning.hasSuffix(".") })
        #expect(MethodName.allCases.allSatisfy { $0.meaning.hasSuffix(".") })
    }
}
