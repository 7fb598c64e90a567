public import CardData
public import EventLoops
public import Journal

/// One step of a scenario.
public struct Step: Hashable, Sendable {
    /// What it does.
    public var action: StepAction
    /// Where the file says it.
    public var location: SourceLocation
    /// The step in its own words, for prompts and reports: `swipe: { card: visa }`.
    public var words: String

    /// Creates a step.
    public init(_ action: StepAction, location: SourceLocation, words: String) {
        self.action = action
        self.location = location
        self.words = words
    }
}

/// What a step does; readers are indices into ``RigPlan/readers``.
public indirect enum StepAction: Hashable, Sendable {
    /// A hand plugs the reader in.
    case plugIn(reader: Int)
    /// A hand pulls the reader out.
    case unplug(reader: Int)
    /// A hand swipes a card.
    case swipe(SwipePlan)
    /// The app charges the card that was swiped last.
    case charge(ChargePlan)
    /// The app voids the charge that was approved last.
    case void
    /// The gateway will do something else than its natural answer.
    case gateway(GatewayFaultPlan)
    /// The next counted records are these, in order.
    case expect([RecordPattern], within: VirtualDuration?)
    /// A record like this comes; others may pass.
    case await(RecordPattern, within: VirtualDuration?)
    /// One of these sequences comes.
    case expectAny([[RecordPattern]], within: VirtualDuration?)
    /// No record like this comes from here on.
    case never([RecordPattern])
    /// The steps come in any order and at any moment of the window.
    case race(within: VirtualDuration, [Step])
    /// Time passes.
    case wait(VirtualDuration)
    /// Until nothing is pending.
    case settle(within: VirtualDuration?)
}

/// A swipe.
public struct SwipePlan: Hashable, Sendable {
    /// The reader, an index into ``RigPlan/readers``.
    public var reader: Int
    /// The card's name; one of ``CardData/TestCard``.
    public var card: String
    /// How it goes through: good, partial, reversed, tooFast or unreadable.
    public var quality: Symbol

    /// Creates a swipe.
    public init(reader: Int, card: String, quality: Symbol = .good) {
        self.reader = reader
        self.card = card
        self.quality = quality
    }
}

/// A charge of the card that was swiped last.
public struct ChargePlan: Hashable, Sendable {
    /// The money.
    public var amount: Amount
    /// The order id; `nil` lets the app number its orders.
    public var orderID: String?

    /// Creates a charge.
    public init(amount: Amount, orderID: String? = nil) {
        self.amount = amount
        self.orderID = orderID
    }
}

/// A fault of the gateway, addressed by request.
public struct GatewayFaultPlan: Hashable, Sendable {
    /// The request's number counted from 1 in the run; `nil` for the next of that kind.
    public var request: Int?
    /// The kind of request: sale, void or query; `nil` for any.
    public var kind: Symbol?
    /// Whether it fires after the transaction was booked.
    public var isAfterBooking: Bool
    /// What the gateway does instead.
    public var answer: GatewayAnswerPlan

    /// Creates a fault.
    public init(
        request: Int? = nil,
        kind: Symbol? = nil,
        isAfterBooking: Bool = false,
        answer: GatewayAnswerPlan
    ) {
        self.request = request
        self.kind = kind
        self.isAfterBooking = isAfterBooking
        self.answer = answer
    }
}

/// What a gateway does instead of its natural answer.
public enum GatewayAnswerPlan: Hashable, Sendable {
    /// Declined with this response code, 200 to 264.
    case decline(code: Int)
    /// An error with this response code, 300 to 461.
    case error(code: Int)
    /// No answer ever.
    case timeout
    /// The connection is lost.
    case reset
    /// A body that is no answer.
    case garbage
    /// A status other than 200.
    case http(status: Int)
    /// The natural answer, so much later.
    case slow(VirtualDuration)
}
