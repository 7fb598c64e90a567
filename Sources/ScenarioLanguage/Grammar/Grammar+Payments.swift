import CardData
import Journal

extension Grammar {
    static let cardAct = MapTable(
        subject: "a card at a payment reader",
        keys: [
            KeyRow("card", .words(TestCard.names), "The card; emv-visa-pin where nothing is said."),
            KeyRow("reader", .text, "The reader, the first one where nothing is said."),
        ]
    )
    /// The keys of a row: digits, and the names of the others, with blanks between.
    static let keysExpression = "^ *([0-9]+|enter|clear|cancel)( +([0-9]+|enter|clear|cancel))* *$"
    static let keys = MapTable(
        subject: "`keys`",
        keys: [
            KeyRow("keys", .pattern(keysExpression), isRequired: true, "The keys, in order."),
            KeyRow("pause", .duration, "The time between one key and the next."),
            KeyRow("reader", .text, "The reader, the first one where nothing is said."),
        ]
    )
    static let loadWiFi = MapTable(
        subject: "`load wifi`",
        keys: [
            KeyRow("text", .text, "The file; a valid one where nothing is said."),
            KeyRow("reader", .text, "The reader, the first one where nothing is said."),
        ]
    )
    static let roam = MapTable(
        subject: "`roam`",
        keys: [
            KeyRow("for", .duration, isRequired: true, "How long it is away."),
            KeyRow("reader", .text, "The reader, the first one where nothing is said."),
        ]
    )
    static let pressed = ["enter", "clear", "cancel", "done"]
    static let press = MapTable(
        subject: "`press`",
        keys: [
            KeyRow("key", .words(pressed), isRequired: true, "The key."),
            KeyRow("reader", .text, "The reader, the first one where nothing is said."),
        ]
    )
    static let sign = MapTable(
        subject: "`sign`",
        keys: [
            KeyRow(
                "result",
                .words(signatureResults.map(\.spelling)),
                isRequired: true,
                "What came of it."
            ),
            KeyRow("image", .words(["none"]), "The app gives no image, though it should."),
        ]
    )
    static let signatureResults: [(spelling: String, value: Symbol)] = [
        ("successful", .successful), ("cancelled", .cancelled),
        ("signaturesDontMatch", .signaturesDontMatch),
    ]

    /// The keys of `charge` that AgentCASH knows.
    static let paymentKeys = [
        KeyRow("amountText", .text, "The money as the app writes it, right or wrong."),
        KeyRow("currency", .text, "The currency; GBP where nothing is said."),
        KeyRow("capture", .flag, "Whether the money is taken at once; true if not said."),
        KeyRow("installments", .integer(0...1_000), "The number of instalments; 1 if not said."),
        KeyRow("externalId", .text, "A free string of the app."),
        KeyRow("webhook", .text, "The address that is told of every event."),
        KeyRow("reader", .text, "The reader, the first one where nothing is said."),
        KeyRow("readerAddress", .text, "Another name or address by which it is looked for."),
    ]

    /// The keys of a reader that a Miura has.
    static let miuraReaderKeys = [
        KeyRow("model", .words(MiuraPlan.Model.allCases.map(\.rawValue)), "M006 or M010."),
        KeyRow(
            "cancelKey",
            .words(MiuraPlan.CancelKey.allCases.map(\.rawValue)),
            "What Cancel does while a tap is awaited."
        ),
        KeyRow("keys", .words(["loaded", "none"]), "Whether it has keys for card data and PINs."),
        KeyRow("pinBypass", .flag, "Whether Enter without a digit goes on without a PIN."),
        KeyRow("answersAbortLast", .flag, "Whether ABORT is answered after what it hit."),
        KeyRow("wifi", .words(["valid", "none"]), "Whether it was set up for the network."),
    ]

    /// The keys of `sdk` that are about card payments.
    static let paymentSDKKeys = [
        KeyRow("declineIsError", .flag, "Whether a decline is told as an error."),
        KeyRow(
            "lostReader",
            .words(["completes", "gives up"]),
            "What becomes of an authorised payment whose reader is lost; completes if not said."
        ),
        KeyRow(
            "damagedFrame",
            .words(["drop link", "resync"]),
            "What becomes of a frame that is damaged."
        ),
        KeyRow("pinBypass", .flag, "Whether Enter goes on without a PIN after a swipe."),
        KeyRow("signatureTimeout", .duration, "How long the signature may take."),
        KeyRow("cardTimeout", .duration, "How long a card is awaited."),
        KeyRow("username", .text, "The account's name; the right one if not said."),
        KeyRow("password", .words(["right", "wrong"]), "Whether the password is right."),
    ]
}
