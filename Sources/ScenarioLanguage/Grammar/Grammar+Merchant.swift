import CardData
import Journal

// What scenarios say of NMI beside charges.
extension Grammar {
    /// What can stand with a payment beside money and order.
    static let merchantKeys =
        [
            KeyRow("address", .words(["right", "wrong"]), "The address; none is sent without."),
            KeyRow("duplicateSeconds", .integer(0...7_862_400), "The window of duplicates."),
            KeyRow("store", .text, "The customer as whom the gateway keeps what pays."),
            KeyRow("plan", .text, "The plan to which what pays is subscribed."),
        ] + personKeys

    static let personKeys = [
        KeyRow("firstName", .text, "The payer's first name."),
        KeyRow("lastName", .text, "The payer's last name."),
        KeyRow("company", .text, "The payer's firm."),
    ]

    /// New money of NMI, or a look at what pays.
    static func merchantPayment(_ word: StepWord) -> MapTable {
        var keys = [KeyRow("order", .text, "The order id.")]
        if word != .validate {
            keys.insert(KeyRow("amount", .amount, isRequired: true, "The money."), at: 0)
        }
        if word == .offline {
            keys.append(KeyRow("code", .text, "The code that the issuer gave."))
        }
        return MapTable(
            subject: "`\(word.rawValue)`",
            keys: keys + merchantKeys + (word == .auth ? [payerKey] : []),
            later: word == .auth ? ["tip"] : []
        )
    }

    static let enterCheck = MapTable(
        subject: "`enter check`",
        keys: [
            KeyRow("routing", .words(["right", "wrong"]), "The bank's number; right if not said."),
            KeyRow("account", .words(["checking", "savings"]), "The kind of account."),
            KeyRow("holder", .words(["personal", "business"]), "Whose account it is."),
            KeyRow("class", .words(entryClasses), "Under which rules it is collected."),
            KeyRow("name", .text, "The name on the account."),
        ]
    )
    static let entryClasses = ["PPD", "WEB", "TEL", "CCD"]

    static let updateKeys = [
        KeyRow("description", .text, "The merchant's words for the order."),
        KeyRow("purchaseOrder", .text, "The number of the purchase order."),
        KeyRow("tracking", .text, "The carrier's number."),
        KeyRow("carrier", .words(["ups", "fedex", "dhl", "usps"]), "The carrier."),
    ]
    static let update = MapTable(
        subject: "`update`",
        keys: updateKeys,
        atLeastOne: updateKeys.map(\.name)
    )

    static let vault = MapTable(
        subject: "`vault`",
        keys: [
            KeyRow("add", .text, "The customer as whom what pays is kept."),
            KeyRow("update", .text, "The customer whose card or account what pays replaces."),
            KeyRow("delete", .text, "The customer who is forgotten."),
            KeyRow("use", .text, "The customer who pays from now on; nothing is sent."),
        ] + personKeys,
        exactlyOne: [VaultPlan.Action.allCases.map(\.rawValue)]
    )

    static let addPlan = MapTable(
        subject: "`add plan`",
        keys: [
            KeyRow("plan", .text, isRequired: true, "The plan's id."),
            KeyRow("amount", .amount, isRequired: true, "What is charged each time."),
            KeyRow("days", .integer(1...3_650), "It charges every so many days."),
            KeyRow("months", .integer(1...24), "It charges every so many months."),
            KeyRow("day", .integer(1...31), "On which day of the month; the 1st if not said."),
            KeyRow("payments", .integer(0...1_000), "How many times; until it ends if not said."),
        ],
        exactlyOne: [["days", "months"]]
    )

    static let subscribe = MapTable(
        subject: "`subscribe`",
        keys: [
            KeyRow("plan", .text, isRequired: true, "The plan's id."),
            KeyRow("start", .pattern("^[0-9]{8}$"), "The first day, YYYYMMDD; today if not said."),
            KeyRow("order", .text, "The order id."),
        ] + personKeys
    )

    static let void = MapTable(
        subject: "`void`",
        keys: [
            KeyRow("reason", .words(voidReasons), "Why, in the gateway's word."),
            KeyRow(
                "as",
                .words(["card", "check"]),
                "What it is said to be; as it is if not said."
            ),
        ]
    )
    static let voidReasons = [
        "fraud", "user_cancel", "icc_rejected", "icc_card_removed", "icc_no_confirmation",
        "pos_timeout",
    ]

    /// The NMI account of the run.
    static let gatewayAccount = MapTable(
        subject: "`gateway`",
        keys: [
            KeyRow(
                "kind",
                .words(GatewayKind.allCases.map(\.rawValue)),
                isRequired: true,
                "Which gateway it is."
            )
        ] + accountKeys + storeKeys
    )
    static let accountKeys = [
        KeyRow(
            "account",
            .words(NMIAccountPlan.Account.allCases.map(\.rawValue)),
            "Which cards the account takes; both if not said."
        ),
        KeyRow("duplicateWindow", .duration, "How long the same payment is a duplicate; never."),
        KeyRow(
            "duplicates",
            .words(["same order", "any order"]),
            "Whether another order id makes another payment; it does if not said."
        ),
        KeyRow(
            "duplicateCheckOff",
            .words(["allowed", "refused"]),
            "Whether a request may do it."
        ),
        KeyRow("answersIdZero", .flag, "Whether such answers have the id 0, as old ones had."),
        KeyRow("credits", .words(["allowed", "refused"]), "Whether credits are allowed."),
        KeyRow(
            "refunds",
            .words(["any time", "after settlement"]),
            "When a refund is possible; at any time if not said."
        ),
        KeyRow("echoesType", .flag, "Whether answers echo the type."),
        KeyRow("rateLimit", .map(rateLimit("`rateLimit`")), "The limit of the payment interface."),
        KeyRow(
            "systemRateLimit",
            .map(rateLimit("`systemRateLimit`")),
            "The limit of the whole system, answered with status 429."
        ),
        KeyRow(
            "key",
            .words(NMIAccountPlan.Key.allCases.map(\.rawValue)),
            "With which key the app encrypts what is typed in."
        ),
        KeyRow(
            "login",
            .words(NMIAccountPlan.Login.allCases.map(\.rawValue)),
            "How the app logs in; by key if not said."
        ),
        KeyRow("readerKey", .words(["right", "foreign"]), "Whether swipes can be opened."),
        KeyRow(
            "settlement",
            .either([.words(["none"]), .pattern("^[0-2][0-9]:[0-5][0-9]$")]),
            "When a day is settled, in UTC; 23:00 if not said."
        ),
        KeyRow("webhooks", .map(webhooks), "What the merchant's server is told."),
    ]
    static func rateLimit(_ subject: String) -> MapTable {
        MapTable(
            subject: subject,
            keys: [
                KeyRow("requests", .integer(1...100_000), isRequired: true, "How many requests."),
                KeyRow("in", .duration, isRequired: true, "In how long."),
            ]
        )
    }
    static let webhooks = MapTable(
        subject: "`webhooks`",
        keys: [
            KeyRow(
                "answers",
                .list(.integer(0...599), minimumCount: 1),
                isRequired: true,
                "The statuses with which the merchant's server answers, in order, the last one for "
                    + "ever; 0 is no answer."
            ),
            KeyRow("events", .list(.text, minimumCount: 1), "The events; all if not said."),
        ]
    )
}
