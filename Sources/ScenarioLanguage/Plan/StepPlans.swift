public import CardData
public import Journal

/// A swipe.
public struct SwipePlan: Hashable, Sendable {
    /// The reader, an index into ``RigPlan/readers``.
    public var reader: Int
    /// The card's name; one of ``CardData/TestCard``.
    public var card: String
    /// How it goes through: good, partial, reversed, tooFast, unreadable, or physical.
    public var quality: Symbol
    /// The values of a physical quality; `nil` for the words.
    public var stripe: StripePlan?

    /// Creates a swipe.
    public init(reader: Int, card: String, quality: Symbol = .good, stripe: StripePlan? = nil) {
        self.reader = reader
        self.card = card
        self.quality = quality
        self.stripe = stripe
    }
}

/// A charge of the card that was swiped last.
public struct ChargePlan: Hashable, Sendable {
    /// The money.
    public var amount: Amount
    /// The order id; `nil` lets the app number its orders.
    public var orderID: String?
    /// What AgentCASH is asked beside it; `nil` for another gateway.
    public var payment: PaymentPlan?
    /// What NMI is told beside it.
    public var details = MerchantDetails()
    /// What pays at PAYMILL; `nil` is the card that was typed in.
    public var payer: StorePayer?

    /// Creates a charge.
    public init(amount: Amount, orderID: String? = nil, payment: PaymentPlan? = nil) {
        self.amount = amount
        self.orderID = orderID
        self.payment = payment
    }
}

/// A card that somebody types in.
public struct EnteredCardPlan: Hashable, Sendable {
    /// The security code that is typed with it, by what the gateway makes of it.
    public enum SecurityCode: Hashable, Sendable {
        /// The one that the gateway's test mode takes for right.
        case right
        /// Another one.
        case wrong
    }

    /// The card's name, one of the test cards.
    public var card: String
    /// The security code; `nil` when none is typed.
    public var securityCode: SecurityCode?
    /// Whether the app encrypts the card with the merchant's key.
    public var isEncrypted: Bool
    /// Month and year as they are typed at PAYMILL; `nil` as they stand on the card.
    public var expires: String?
    /// Whether the number's last digit is mistyped at PAYMILL.
    public var hasWrongNumber = false

    /// Creates a card that is encrypted unless said otherwise.
    public init(card: String, securityCode: SecurityCode? = nil, isEncrypted: Bool = true) {
        self.card = card
        self.securityCode = securityCode
        self.isEncrypted = isEncrypted
    }
}

/// Money that is paid back.
public struct RefundPlan: Hashable, Sendable {
    /// The money; `nil` is all that is left.
    public var amount: Amount?
    /// The app's name for the refund; `nil` lets the app number its refunds.
    public var orderID: String?
    /// Whether a check is said to have paid; `nil` as it was.
    public var isCheck: Bool?

    /// Creates a refund.
    public init(amount: Amount? = nil, orderID: String? = nil, isCheck: Bool? = nil) {
        self.amount = amount
        self.orderID = orderID
        self.isCheck = isCheck
    }
}

/// A call of an SDK method.
public struct CallPlan: Hashable, Sendable {
    /// The method.
    public var method: MethodName
    /// What stands behind its name; a kind of audio-jack reader as its symbol.
    public var argument: AttributeValue?
    /// The message options beside a kind of reader, or those of `messageOptions`.
    public var messageOptions: MessageOptionsPlan?

    /// Creates a call.
    public init(
        _ method: MethodName,
        _ argument: AttributeValue? = nil,
        messageOptions: MessageOptionsPlan? = nil
    ) {
        self.method = method
        self.argument = argument
        self.messageOptions = messageOptions
    }
}

/// What becomes of the app.
public enum AppAct: Hashable, Sendable {
    /// It is sent to the background.
    case background
    /// It is brought back to the foreground.
    case foreground
    /// It is killed: its SDK objects are gone.
    case kill
    /// It is launched and makes a new controller.
    case launch
}

/// A block that is played again and again.
///
/// Whether the awaited record has come is asked after each round, not inside one.
public struct RepeatPlan: Hashable, Sendable {
    /// How many rounds there are, or the most when ``until`` is there too.
    public var times: Int?
    /// The record that ends it, counted from its first round on.
    public var until: RecordPattern?
    /// The steps of a round.
    public var steps: [Step]

    /// The most rounds of a repeat that names only `until`.
    public static let longestUntil = 1_000

    /// Creates a block.
    public init(times: Int? = nil, until: RecordPattern? = nil, steps: [Step]) {
        self.times = times
        self.until = until
        self.steps = steps
    }
}

/// What the app does from inside a callback.
public struct ReactionPlan: Hashable, Sendable {
    /// The record whose callback it is.
    public var pattern: RecordPattern
    /// How often it acts; the first time only where the file does not say.
    public var times: Int
    /// The steps, which act at once and in order when the callback returns.
    public var steps: [Step]

    /// Creates a reaction.
    public init(_ pattern: RecordPattern, times: Int = 1, steps: [Step]) {
        self.pattern = pattern
        self.times = times
        self.steps = steps
    }
}

/// The properties that a reader must have; those that are `nil` are free.
public struct StatePlan: Hashable, Sendable {
    /// The reader, an index into ``RigPlan/readers``.
    public var reader: Int
    /// Whether it is attached, as far as the app has been told.
    public var isConnected: Bool?
    /// Whether it is initialised.
    public var isActivated: Bool?
    /// Whether a swipe gives a didSwipeCard.
    public var isReadyForSwipe: Bool?
    /// The kind of audio-jack reader that is enabled, whichever reader is named.
    public var audioJackReaderType: EnabledAudioReader?

    /// Creates the properties.
    public init(
        reader: Int,
        isConnected: Bool? = nil,
        isActivated: Bool? = nil,
        isReadyForSwipe: Bool? = nil,
        audioJackReaderType: EnabledAudioReader? = nil
    ) {
        self.reader = reader
        self.isConnected = isConnected
        self.isActivated = isActivated
        self.isReadyForSwipe = isReadyForSwipe
        self.audioJackReaderType = audioJackReaderType
    }
}
