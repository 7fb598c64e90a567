import CardData
import Journal

// What scenarios say of PAYMILL and the HoneyStore.
extension Grammar {
    static let products = ["acacia", "forest", "heather", "linden"]
    static let payers = StorePayer.allCases.map(\.rawValue)

    static let signUp = MapTable(
        subject: "`sign up`",
        keys: [
            KeyRow("user", .text, "The user's name; maya if not said."),
            KeyRow("email", .text, "The user's address."),
        ]
    )
    static let logIn = MapTable(
        subject: "`log in`",
        keys: [
            KeyRow("user", .text, "The user's name; maya if not said."),
            KeyRow("password", .words(["right", "wrong"]), "The password; right if not said."),
        ]
    )
    static let saveUser = MapTable(
        subject: "`save user`",
        keys: [KeyRow("email", .text, isRequired: true, "The user's new address.")]
    )
    static let enterAccount = MapTable(
        subject: "`enter account`",
        keys: [
            KeyRow(
                "by",
                .words(["number", "iban"]),
                "Whether by number and bank code or by IBAN and BIC; number if not said."
            ),
            KeyRow(
                "number",
                .words(["right", "wrong"]),
                "Whether number or IBAN has a letter in it that is none; right if not said."
            ),
            KeyRow(
                "bank",
                .words(["known", "unknown"]),
                "Whether there is such a bank in test mode; known if not said."
            ),
            KeyRow("holder", .text, "The holder; Chris Hansen if not said."),
        ]
    )
    static let buy = MapTable(
        subject: "`buy`",
        keys: [
            KeyRow("product", .words(products), isRequired: true, "The jar of honey."),
            KeyRow("price", .amount, "What the table of products has in place of its price."),
            KeyRow("amount", .amount, "What a tampered app asks for in place of the price."),
            KeyRow("with", .words(payers), "What pays; the card that was typed in if not said."),
            KeyRow("order", .text, "The order, which is the transaction's description."),
        ]
    )
    static let listed = ["cards", "products"]

    /// The key of `charge` and `auth` that PAYMILL has.
    static let payerKey = KeyRow(
        "with",
        .words(payers),
        "What pays at PAYMILL; the card that was typed in if not said."
    )

    /// The keys of `enter card` that PAYMILL has.
    static let storeCardKeys = [
        KeyRow(
            "expires",
            .pattern("^[0-9]{1,2}/[0-9]{1,4}$"),
            "Month and year as they are typed, such as 05/2020; PAYMILL only."
        ),
        KeyRow(
            "number",
            .words(["right", "wrong"]),
            "Whether the last digit is mistyped; PAYMILL only."
        ),
    ]

    /// The keys of `gateway` that PAYMILL has.
    static let storeKeys = [
        KeyRow("api", .words(StorePlan.API.allCases.map(\.rawValue)), "v2 if not said."),
        KeyRow(
            "profile",
            .words(["correct", "observed"]),
            "Whether backend and app are as published, mistakes included."
        ),
        KeyRow(
            "defects",
            oneOrMore(.words(StorePlan.Defect.allCases.map(\.rawValue))),
            "Single mistakes of the published backend and app."
        ),
        KeyRow(
            "webhookOrder",
            .words(["as begun", "beginnings last"]),
            "Whether what is begun is told after what became of it."
        ),
        KeyRow("webhookCopies", .words(["one", "two"]), "How often each event is told."),
        KeyRow("user", .words(["logged in", "none"]), "Whether there is a user at first."),
        KeyRow("declineStatus", .words(["403", "200"]), "The status of a declined charge."),
        KeyRow("responseCodes", .words(["number", "text"]), "How response codes are written."),
        KeyRow("threeDSecure", .words(["off", "on"]), "Whether the account has it."),
        KeyRow(
            "freeAmounts",
            .words(["allowed", "refused"]),
            "Whether the backend takes orders without a product."
        ),
        KeyRow("tokens", .words(["2017", "2013"]), "How long tokens are: 32 characters, or 24."),
        KeyRow(
            "lateTokens",
            .words(["refused", "failed"]),
            "What becomes of tokens that are too old: refused, or a failed transaction (42410)."
        ),
        KeyRow(
            "tokenAmounts",
            .words(["free", "compared"]),
            "Whether every token's money must be its transaction's (40301); else with 3-D Secure."
        ),
    ]
}
