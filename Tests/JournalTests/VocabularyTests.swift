import Journal
import Testing

@Suite("Vocabulary")
struct VocabularyTests {
    @Test func recordsStandInTheOrderOfTheirNames() {
        #expect(Vocabulary.records.map(\.name) == RecordName.allCases)
        #expect(RecordName.allCases.map { Int($0.rawValue) } == Array(Vocabulary.records.indices))
    }

    @Test(arguments: RecordName.allCases)
    func aRecordIsFoundByItsSpelling(name: RecordName) {
        let definition = Vocabulary.definition(of: name)
        #expect(definition.name == name)
        #expect(definition.spelling == "\(name)")
        #expect(Vocabulary.record(spelled: definition.spelling)?.name == name)
        #expect(Vocabulary.source(of: name) == definition.source)
        #expect(Vocabulary.isCounted(name) == definition.isCounted)
        #expect(definition.meaning.hasSuffix("."))
    }

    @Test func expectTakesTheRecordsOfSDKAndAppOnly() {
        for record in Vocabulary.records {
            let isOfTheirs = record.source == .sdk || record.source == .app
            // URLs are handed over by the system, whoever asks for it.
            let isLeftOut = Vocabulary.isDialogue(record.name) || record.name == .urlOpened
            #expect(record.isCounted == (isOfTheirs && !isLeftOut), "\(record.name)")
        }
    }

    @Test func noSpellingIsUsedTwice() {
        let records = Vocabulary.records.map(\.spelling)
        #expect(Set(records).count == records.count)
        let names = AttributeName.allCases.map(Vocabulary.spelling(of:))
        #expect(Set(names).count == names.count)
        let symbols = Symbol.allCases.map { Vocabulary.spelling(of: $0) }
        #expect(Set(symbols).count == symbols.count)
        let sources = RecordSource.allCases.map(\.spelling)
        #expect(Set(sources).count == sources.count)
        let laws = LawName.allCases.map(\.spelling)
        #expect(Set(laws).count == laws.count)
    }

    @Test func everySpellingIsTheWordOfItsCase() {
        for name in AttributeName.allCases {
            #expect(Vocabulary.spelling(of: name) == "\(name)")
        }
        for symbol in Symbol.allCases { #expect(Vocabulary.spelling(of: symbol) == "\(symbol)") }
        for source in RecordSource.allCases { #expect(source.spelling == "\(source)") }
    }

    @Test(arguments: RecordName.allCases)
    func noAttributeIsDefinedTwiceInARecord(name: RecordName) {
        let attributes = Vocabulary.definition(of: name).attributes
        #expect(Set(attributes.map(\.name)).count == attributes.count)
        for attribute in attributes {
            #expect(attribute.meaning.hasSuffix("."))
            guard case .symbol(let symbols) = attribute.kind else { continue }
            #expect(!symbols.isEmpty && Set(symbols).count == symbols.count)
        }
    }

    @Test func theSDKsEventsAreThoseOfItsDocuments() {
        let spellings = Vocabulary.records.filter { $0.source == .sdk }.map(\.spelling)
        #expect(
            spellings == [
                "deviceConnected", "deviceActivationFinished", "deviceBecameReadyForSwipe",
                "deviceBecameUnreadyForSwipe", "deviceDeactivated", "deviceDisconnected",
                "didSwipeCard", "deviceAutodetectStarted", "deviceAutodetectComplete",
                "ipsCommunicationTestCompleteWithResult",
                "progressChanged", "userActionRequired", "completed", "openPaymentSettled",
                "userDidProvideCreditCardInfo", "userDidCancelPaymentViewController",
                "chargeResponse", "chargeResponseRefused", "creditCardTerminalNotInstalled",
                "chargeHeld",
            ]
        )
    }
}
