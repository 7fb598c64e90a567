public import CardData

/// What happens around Inner Fence's terminal app.
public enum TerminalAct: Hashable, Sendable {
    /// The app charges an order (`open url: { amount: … }`).
    case charge(TerminalChargePlan)
    /// Somebody else hands a URL to the system.
    case url(String)
    /// The terminal app's last answer is handed to the system again.
    case lastAnswer
    /// The user leaves the charge that the terminal app shows (`press: done`, `press: cancel`).
    case leave
}

/// A charge through the terminal app; what is `nil` is not part of the request.
public struct TerminalChargePlan: Hashable, Sendable {
    /// One field of the request.
    public struct Field: Hashable, Sendable {
        /// The field's name.
        public var name: String
        /// Its value, as the app sets it.
        public var value: String

        /// Creates a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields of the request by their names in the URL; order and return URL stand apart.
    public var fields: [Field] = []
    /// The merchant's number for what is paid, sent as `invoiceNumber`; `nil` numbers it.
    public var orderID: String?
    /// The return URL before the app's own parameters; empty asks for no answer.
    public var returnURL = TerminalPlan.returnURL
    /// Parameters of the app that come back with the answer.
    public var extraParameters: [Field] = []
    /// Whether somebody saw at the terminal that an earlier request was not charged.
    public var isSure = false

    /// Creates a request without fields.
    public init() {}

    /// The amount, when it is one.
    public var amount: Amount? {
        fields.last { $0.name == "amount" }.flatMap { Amount($0.value) }
    }
}

/// What comes of a scan (`scan`).
public struct ScanPlan: Hashable, Sendable {
    /// How the scanner's screen is left.
    public enum Result: String, CaseIterable, Hashable, Sendable {
        /// The camera reads the card.
        case scanned
        /// The number is typed in.
        case manual
        /// The user leaves without a card.
        case cancelled
    }

    /// What the app gets of the expiration date.
    public enum Expiry: String, CaseIterable, Hashable, Sendable {
        /// Month and year with four digits.
        case whole
        /// Nothing: both are 0.
        case none
        /// The year cut to two digits, as a wrapper gave it.
        case cut
    }

    /// The card, by its name.
    public var card: String
    /// How the screen is left.
    public var result = Result.scanned
    /// What there is of the date.
    public var expiry = Expiry.whole
    /// The security code that was typed; `nil` where it was not asked for.
    public var securityCode: EnteredCardPlan.SecurityCode?
    /// The card of before, which is delivered in place of the one in front of the camera.
    public var staleCard: String?

    /// Creates a scan that reads everything.
    public init(card: String) { self.card = card }
}

/// Which of the published classes the app uses (`rig: { sdk: { chargeClass: … } }`).
public enum ChargeClass: String, CaseIterable, Hashable, Sendable {
    /// What the class of 2014 accepts, without its defects.
    case corrected
    /// As published until 2012-06.
    case before2012 = "2010"
    /// Commit 7d29aa7, whose pattern refuses every transaction id.
    case june4 = "2012-06-04"
    /// Commit 15303bd, whose pattern refuses every tax rate.
    case june11 = "2012-06-11"
    /// The state that the vendor's document describes, defects included.
    case published2014 = "2014"
    /// The head since 2019-09-11, which refuses every genuine answer.
    case observed
    /// The class for Windows.
    case windows
}

/// Inner Fence's terminal app (`rig: { terminal: … }`).
public struct TerminalPlan: Hashable, Sendable {
    /// The return URL of the sample app.
    public static let returnURL = "com-innerfence-ChargeDemo://chargeResponse"

    /// What the gateway behind it says to a charge.
    public enum Answer: String, CaseIterable, Hashable, Sendable {
        /// The card is charged.
        case approved
        /// The issuer refuses.
        case declined
        /// Something else is wrong.
        case error
        /// The card is charged, and the terminal app is told of an error.
        case lost
    }

    /// What becomes of an answer on its way to the app.
    public enum Callback: String, CaseIterable, Hashable, Sendable {
        /// It arrives.
        case whole
        /// It never arrives.
        case lost
        /// It arrives twice.
        case twice
        /// It lacks its last 20 bytes.
        case cut
        /// Somebody who does not know the nonce tells of an approval first.
        case forged
        /// Its nonce is left out.
        case noNonce = "no nonce"
        /// Its nonce is another one.
        case otherNonce = "other nonce"
        /// The letters of its nonce have the other case.
        case otherCase = "other case"
        /// A `%` in it is followed by no digits.
        case badEscape = "bad escape"
        /// It arrives whole after it arrived without its last 20 bytes.
        case cutThenWhole = "cut then whole"
        /// It arrives after 30 seconds.
        case late
    }

    /// How the app names a card's kind.
    public enum CardNames: String, CaseIterable, Hashable, Sendable {
        /// `Amex`.
        case readme
        /// `American Express`.
        case header
    }

    /// Whether the app is there.
    public var isInstalled = true
    /// Whether the charging app declares the terminal app's scheme, so that it can see it.
    public var isDeclared = true
    /// The tax rate of its settings.
    public var taxRate: String?
    /// Whether a request without a tax rate takes that of the settings.
    public var taxesWithoutRate = false
    /// The tip that the user gives.
    public var tip: Amount?
    /// The amount that the user enters unless it is fixed.
    public var enteredAmount: Amount?
    /// The currency of a request that names none.
    public var currency = "USD"
    /// What the gateway behind it says, in order, the last one for ever.
    public var answers: [Answer] = [.approved]
    /// Whether answers have a transaction id.
    public var hasTransactionIDs = true
    /// How it names a card's kind.
    public var cardNames = CardNames.readme
    /// Whether it mails receipts.
    public var mailsReceipts = true
    /// Values that every answer has in place of its own, by the field's name, put in as they are.
    public var rawValues: [TerminalChargePlan.Field] = []
    /// What becomes of its answers, in order, the last one for ever.
    public var callbacks: [Callback] = [.whole]

    /// Creates the app with its usual settings.
    public init() {}
}
