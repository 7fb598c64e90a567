import CardData
import Journal

// What scenarios say of Inner Fence's terminal app and of card scanners.
extension Grammar {
    /// The fields of a request that a step sets, with their meaning.
    static let chargeFields: [KeyRow] =
        [
            KeyRow("amount", .text, "The money as the app writes it; entered there if not said."),
            KeyRow(
                "returnAppName",
                .text,
                "The name of the app that asks; ChargeDemo if not said."
            ),
            KeyRow("returnImmediately", .flag, "Whether the answer comes without a tap on Done."),
            KeyRow("amountFixed", .flag, "Whether the amount cannot be changed there."),
            KeyRow("taxRate", .text, "The sales tax in percent, or default; none if not said."),
            KeyRow("fm", .flag, "Whether the answer has FileMaker's form."),
        ]
        + [
            "currency", "email", "firstName", "lastName", "company", "address", "city", "state",
            "zip", "phone", "country", "description",
        ].map { KeyRow($0, .text, "The field of that name.") }

    static let openURL = MapTable(
        subject: "`open url`",
        keys: chargeFields + [
            KeyRow("order", .text, "The order id, sent as invoiceNumber."),
            KeyRow("returnURL", .text, "Where the answer goes, or none; the app if not said."),
            KeyRow("extra", .named(.text), "Parameters of the app that come back."),
            KeyRow("sure", .flag, "Somebody saw at the terminal that it was not charged before."),
        ]
    )
    static let lastAnswer = "last answer"

    static let scan = MapTable(
        subject: "`scan`",
        keys: [
            KeyRow("card", .words(TestCard.names), "The card, a Visa where nothing is said."),
            KeyRow(
                "result",
                .words(ScanPlan.Result.allCases.map(\.rawValue)),
                "How the scanner's screen is left; scanned if not said."
            ),
            KeyRow(
                "expiry",
                .words(ScanPlan.Expiry.allCases.map(\.rawValue)),
                "What there is of the expiration date; whole if not said."
            ),
            KeyRow("cvv", .words(["right", "wrong"]), "The security code; none is typed without."),
            KeyRow("delivers", .words(TestCard.names), "Another card, the one of before."),
        ]
    )

    static let terminal = MapTable(
        subject: "`terminal`",
        keys: [
            KeyRow("installed", .flag, "Whether the terminal app is there; true if not said."),
            KeyRow("declared", .flag, "Whether the app declares its scheme; true if not said."),
            KeyRow("taxRate", .text, "The tax rate of its settings, in percent."),
            KeyRow("taxesWithoutRate", .flag, "Whether a request without a rate takes that one."),
            KeyRow("tip", .amount, "The tip that is given."),
            KeyRow("enteredAmount", .amount, "The amount that is entered unless it is fixed."),
            KeyRow("currency", .text, "The currency of a request that names none; USD."),
            KeyRow(
                "answers",
                oneOrMore(.words(TerminalPlan.Answer.allCases.map(\.rawValue))),
                "What the gateway behind it says, in order, the last one for ever."
            ),
            KeyRow("transactionIds", .flag, "Whether answers have one; true if not said."),
            KeyRow(
                "cardNames",
                .words(TerminalPlan.CardNames.allCases.map(\.rawValue)),
                "How it names kinds of cards; readme if not said."
            ),
            KeyRow("receipts", .flag, "Whether it mails receipts; true if not said."),
            KeyRow(
                "raw",
                .named(.either([.text, .pattern("^$")])),
                "Values of its answers in place of the right ones, put in without encoding."
            ),
            KeyRow(
                "callbacks",
                oneOrMore(.words(TerminalPlan.Callback.allCases.map(\.rawValue))),
                "What becomes of its answers, in order, the last one for ever."
            ),
        ]
    )
    static let rawFields = [
        "amount", "cardType", "currency", "redactedCardNumber", "responseType", "taxAmount",
        "taxRate", "tipAmount", "transactionId",
    ]
    static let chargeClass = KeyRow(
        "chargeClass",
        .words(ChargeClass.allCases.map(\.rawValue)),
        "The published class with which the app charges through the terminal app; corrected if "
            + "neither this nor `profile` says it."
    )
}
