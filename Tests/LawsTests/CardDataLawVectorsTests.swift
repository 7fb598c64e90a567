import CardData
import Journal
import Laws
import Testing

/// The numbers are the published test numbers of NMI's Direct Post documentation.
@Suite("no-clear-card-data")
struct CardDataLawVectorsTests {
    static let clear: [SafeText] = texts(
        "4111111111111111",
        "card 5431111111111111 was read",
        "4111-1111-1111-1111",
        "4111 1111 1111 1111",
        "341111111111111",
        ";5431111111111111=0804?"
    )

    private static func texts(_ literals: StaticString...) -> [SafeText] {
        literals.map { SafeText($0) }
    }

    /// By index, so that a failure prints no number.
    @Test(arguments: clear.indices)
    func aClearCardNumberIsReportedAndNotRepeated(index: Int) {
        let text = Self.clear[index]
        var stream = RecordStream()
        stream.write(.gatewayAnswered, [Attribute(.responseText, .text(text))])
        #expect(stream.broken == [.noClearCardData])
        let explanation = stream.laws.violations.first?.explanation ?? ""
        #expect(explanation.contains("responseText of gatewayAnswered"))
        #expect(!explanation.contains { $0.isNumber })
    }

    static let harmless: [SafeText] = texts(
        "4111110000001111",
        "4111000010001111",
        "411111******1111",
        "4111111111111112",
        "411111111111",
        "1717430400-42",
        "41111111111111111111",
        "",
        "A-1",
        "HOGAN/PAUL"
    )

    @Test(arguments: harmless)
    func maskedNumbersAndOtherDigitsAreFine(text: SafeText) {
        var stream = RecordStream()
        stream.write(.gatewayAnswered, [Attribute(.responseText, .text(text))])
        #expect(stream.laws.violations == [])
    }

    @Test func everyTextOfEveryRecordIsLookedAt() {
        var stream = RecordStream()
        stream.requested("4111111111111111")
        stream.write(
            .cardSwiped,
            [Attribute(.reader, .reader(0)), Attribute(.card, .text(SafeText("4111111111111111")))]
        )
        #expect(stream.broken == [.noClearCardData, .noClearCardData])
    }

    @Test func noExplanationRepeatsACardNumber() {
        var stream = RecordStream()
        let number = SafeText("4111111111111111")
        stream.booked("4111111111111111")
        #expect(stream.broken == [.noClearCardData, .chargedAtMostOnce])
        for violation in stream.laws.violations {
            #expect(!violation.explanation.contains("4111111111111111"))
        }
        stream.event(
            .didSwipeCard,
            (true, true, true),
            [Attribute(.maskedCardNumber, .text(number))]
        )
        let expected = pattern(
            .didSwipeCard,
            [AttributePattern(.maskedCardNumber, .text(SafeText("1")))]
        )
        stream.expectations.begin(.expect([expected]), in: stream.journal)
        guard case .failed(let failure) = stream.expectations.status else {
            Issue.record("the card number matched")
            return
        }
        #expect(
            failure.description
                == """
                expected didSwipeCard { maskedCardNumber: 1 }, found didSwipeCard { \
                maskedCardNumber: 411111******1111 }
                """
        )
    }
}
