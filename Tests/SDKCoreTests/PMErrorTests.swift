import SDKCore
import Testing

@Suite("PMFactory and PMManager")
struct PMErrorTests {
    /// The numbering changed twice.
    static let codes: [(PMError.Kind, Int?, Int?, Int?)] = [
        (.wrongParameters, 0, 0, 1), (.httpConnection, 1, 1, 2), (.api, 2, 2, 3),
        (.bridge, nil, 3, 5), (.notInitialised, 3, 4, 6), (.internal, 4, 5, 7),
        (.safeStore, nil, nil, 4), (.unknown, nil, nil, 0),
    ]

    @Test(arguments: codes.indices) func numbersErrorsByVersion(index: Int) {
        let (kind, first, second, third) = Self.codes[index]
        let error = PMError(kind, "")
        #expect(error.code(in: .upTo1point0) == first)
        #expect(error.code(in: .upTo2point0) == second)
        #expect(error.code(in: .from2point1) == third)
    }

    @Test func refusesACardThatCannotBeRight() {
        #expect(
            throws: PMError(.bridge, "field_invalid_card_number", bridgeError: .invalidNumber)
        ) {
            try PMFactory.genCardPayment(
                accHolder: "Ada",
                cardNumber: "1234",
                expiryMonth: "12",
                expiryYear: "2030",
                verification: "123"
            )
        }
    }

    @Test(arguments: [("EUR", 0), ("EUR", -1), ("eur", 1), ("", 1)] as [(String, Int64)])
    func refusesParametersThatAreNone(currency: String, amount: Int64) {
        #expect(throws: PMError.self) {
            try PMFactory.genPaymentParams(currency: currency, amount: amount, description: "")
        }
    }

    @Test func takesNoTokenThatWantsAPage() throws {
        let body = """
            f({"transaction":{"processing":{"result":"ACK","return":{"code":"000.100.112"},\
            "redirect":{"url":"x","parameters":{"MD":"1"}}},\
            "identification":{"uniqueId":"tok_1"}}})
            """
        #expect(throws: PMError(.bridge, "3-D Secure is not for apps", bridgeError: .unknown)) {
            try PMManager.token(decoding: Array(body.utf8))
        }
        #expect(throws: PMError.self) { try PMManager.token(decoding: Array("oops".utf8)) }
    }
}
