import GatewayProtocols
import SimulatedGateways

/// What `serve gateway paymill --set` changes of PAYMILL and the HoneyStore, by one of two words.
struct PAYMILLServeOption: Sendable {
    /// The name on the command line.
    let name: String
    /// The word that holds when nothing is said, and the other one.
    let words: (usual: String, other: String)
    /// What it is about, with the usual word's behaviour as a sentence without its end.
    let text: String
    /// How that is known: a document, or nobody.
    let basis: Basis
    /// The document and section, or why it is assumed.
    let source: String
    /// Whether the other word holds.
    let isOther: @Sendable (ServedGatewaySettings) -> Bool
    /// Sets the usual word or the other one.
    let change: @Sendable (inout ServedGatewaySettings, Bool) -> Void

    enum Basis: Sendable { case documented, recorded, assumed }

    var form: String { "\(words.usual) or \(words.other)" }

    /// The word that holds.
    func value(_ settings: ServedGatewaySettings) -> String {
        isOther(settings) ? words.other : words.usual
    }

    /// Sets the option; `false` when the text is none of its words.
    func set(_ settings: inout ServedGatewaySettings, to text: String) -> Bool {
        guard text == words.usual || text == words.other else { return false }
        change(&settings, text == words.other)
        return true
    }

    static let all: [PAYMILLServeOption] = [
        PAYMILLServeOption(
            name: "profile",
            words: ("careful", "observed"),
            text: "the HoneyStore's functions do what they should; observed has the published "
                + "backend's mistakes",
            basis: .documented,
            source: "HoneyStore example, Parse/main.js",
            isOther: { $0.store.defects == .observed },
            change: { $0.store.defects = $1 ? .observed : [] }
        ),
        PAYMILLServeOption(
            name: "api",
            words: ("v2", "v2.1"),
            text: "the HoneyStore asks by version 2 of the interface",
            basis: .documented,
            source: "HoneyStore example, Parse/paymill.parse.js",
            isOther: { $0.store.version == .v2point1 },
            change: { $0.store.version = $1 ? .v2point1 : .v2 }
        ),
        PAYMILLServeOption(
            name: "free-amounts",
            words: ("refused", "allowed"),
            text: "the HoneyStore refuses orders without a product, whose amount is the app's",
            basis: .assumed,
            source: "the example's prices are the backend's; a till has no products",
            isOther: { $0.store.takesFreeAmounts },
            change: { $0.store.takesFreeAmounts = $1 }
        ),
        option(
            "three-d-secure",
            ("on", "off"),
            "tokens of the 3-D Secure cards want the issuer's page",
            .documented,
            "guides, testing; an account without it is one with `off`",
            \.hasThreeDSecure,
            isOtherTrue: false
        ),
        option(
            "mobile-app",
            ("connected", "missing"),
            "apps charge without a merchant's server, by requests of which only paths are known",
            .assumed,
            "strings of the published SDKs; the account needs a connection for it",
            \.hasMobileApp,
            isOtherTrue: false
        ),
        PAYMILLServeOption(
            name: "late-tokens",
            words: ("refused", "failed"),
            text: "a token that is too old is refused; failed enters a transaction with 42410",
            basis: .assumed,
            source: "the answer was never published; integrators saw 42410",
            isOther: { $0.paymill?.lateTokens == .failedTransaction },
            change: { $0.paymill?.lateTokens = $1 ? .failedTransaction : .refused }
        ),
        option(
            "token-amounts",
            ("free", "compared"),
            "only the money of 3-D Secure tokens must be that of the transaction",
            .assumed,
            "the mobile guide says so of all, the test host compared none",
            \.comparesTokenAmounts
        ),
        option(
            "expired-triggers",
            ("refused", "taken"),
            "the trigger card is refused when it is past its expiry, as any card",
            .assumed,
            "all of its dates are past; begin earlier with --clock, or take them",
            \.takesExpiredTriggers
        ),
        PAYMILLServeOption(
            name: "tokens",
            words: ("2017", "2013"),
            text: "tokens have 32 characters, those of 2013 have 24",
            basis: .recorded,
            source: "recorded answers of active_merchant",
            isOther: { $0.paymill?.tokenDigitCount == 20 },
            change: { $0.paymill?.tokenDigitCount = $1 ? 20 : 28 }
        ),
        PAYMILLServeOption(
            name: "decline-status",
            words: ("403", "200"),
            text: "a declined charge has status 403",
            basis: .recorded,
            source: "recorded answers of gringotts; some clients saw 200",
            isOther: { $0.paymill?.declineStatus == 200 },
            change: { $0.paymill?.declineStatus = $1 ? 200 : 403 }
        ),
        option(
            "response-codes",
            ("number", "text"),
            "response codes are numbers",
            .documented,
            "API reference, objects; refunds in production had text",
            \.writesCodesAsText
        ),
        option(
            "webhook-order",
            ("as-begun", "beginnings-last"),
            "webhooks tell of what is begun before they tell what became of it",
            .assumed,
            "no order is promised",
            \.tellsBeginningsLast
        ),
        option(
            "webhook-copies",
            ("one", "two"),
            "webhooks tell each event once, where it is taken",
            .assumed,
            "events may come twice: only an answer of 200 ends them",
            \.tellsTwice
        ),
        option(
            "expiry",
            ("text", "number"),
            "months and years of cards are text",
            .recorded,
            "recorded answers; numbers until early 2013",
            \.writesExpiryAsNumbers
        ),
    ]

    private static func option(
        _ name: String,
        _ words: (String, String),
        _ text: String,
        _ basis: Basis,
        _ source: String,
        _ path: any WritableKeyPath<SimulatedPAYMILLGateway.Configuration, Bool> & Sendable,
        isOtherTrue: Bool = true
    ) -> PAYMILLServeOption {
        PAYMILLServeOption(
            name: name,
            words: words,
            text: text,
            basis: basis,
            source: source,
            isOther: { ($0.paymill?[keyPath: path] ?? !isOtherTrue) == isOtherTrue },
            change: { $0.paymill?[keyPath: path] = $1 == isOtherTrue }
        )
    }
}
