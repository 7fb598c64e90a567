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
///
/// Of a check, `within` is the longest that it waits and `notBefore` the shortest, both counted
/// from the end of the step before it.
public indirect enum StepAction: Hashable, Sendable {
    /// A hand plugs the reader in.
    case plugIn(reader: Int)
    /// A hand puts something into the audio jack that is no reader of the rig.
    case plugInObject(JackObject)
    /// A hand pulls the reader out.
    case unplug(reader: Int)
    /// A hand pulls out what is in the audio jack, whatever it is.
    case unplugJack
    /// A hand swipes a card.
    case swipe(SwipePlan)
    /// A hand puts a card into the slot of a payment reader.
    case insert(CardActPlan)
    /// A hand holds a card to a payment reader.
    case tap(CardActPlan)
    /// A hand takes the card out of the slot.
    case removeCard(reader: Int)
    /// A hand presses keys of a payment reader.
    case keys(KeysPlan)
    /// A hand switches a payment reader off or on, or makes it start anew.
    case power(reader: Int, PowerAct)
    /// Something is done to a payment reader beside payments.
    case care(ReaderCarePlan)
    /// The app charges the card that was swiped last, or the next one at a payment reader.
    case charge(ChargePlan)
    /// Somebody types a card in.
    case enterCard(EnteredCardPlan)
    /// The app authorises an amount on the card.
    case authorize(ChargePlan)
    /// The app captures the authorisation that was approved last; all of it without an amount.
    case capture(Amount?)
    /// The app pays money of what was approved last back.
    case refund(RefundPlan)
    /// The app voids the charge that was approved last.
    case void(VoidPlan)
    /// What the app asks of NMI beside charges.
    case merchant(MerchantAct)
    /// The app charges through the terminal app, or somebody does something there.
    case terminal(TerminalAct)
    /// A hand holds a card in front of the camera, or leaves the scanner's screen.
    case scan(ScanPlan)
    /// What the HoneyStore app and its user do.
    case store(StoreAct)
    /// The app tells what came of the signature.
    case sign(SignPlan)
    /// The app calls a method of the SDK.
    case call(CallPlan)
    /// The app is sent away, brought back, killed or launched.
    case app(AppAct)
    /// The app's user answers the prompt that is shown: yes, or no.
    case answer(Bool)
    /// Somebody turns what a hand can turn.
    case set(SettingPlan)
    /// A phone call takes the audio route or gives it back.
    case phoneCall(PhoneCall)
    /// The link will disturb what comes.
    case link(LinkFaultPlan)
    /// The gateway will do something else than its natural answer.
    case gateway(GatewayFaultPlan)
    /// The next counted records are these, in order.
    case expect([RecordPattern], within: VirtualDuration?, notBefore: VirtualDuration? = nil)
    /// A record like this comes; others may pass.
    case await(RecordPattern, within: VirtualDuration?, notBefore: VirtualDuration? = nil)
    /// One of these sequences comes.
    case expectAny([[RecordPattern]], within: VirtualDuration?, notBefore: VirtualDuration? = nil)
    /// The next counted records are these, in any order.
    case unordered([RecordPattern], within: VirtualDuration?, notBefore: VirtualDuration? = nil)
    /// Records pass up to one like this, which stays for the next check.
    case until(RecordPattern, within: VirtualDuration?, notBefore: VirtualDuration? = nil)
    /// No record like this comes from here to the end of the block.
    case never([RecordPattern])
    /// So many records come in the block; for the scenario's own steps in the whole run.
    case count([CountPattern])
    /// The reader's properties have these values now.
    case expectState(StatePlan)
    /// The app acts from inside a callback, from here to the end of the block.
    case on(ReactionPlan)
    /// Steps in which `never`, `count` and `on` hold.
    case block([Step])
    /// A block, again and again.
    case `repeat`(RepeatPlan)
    /// The steps come in any order and at any moment of the window.
    case race(within: VirtualDuration, [Step])
    /// The steps come at any moment from here to the end, in their order, while the others go on.
    case anyTime([Step])
    /// The steps come at any moment of the window, in their order, while the others go on.
    case sometime(within: VirtualDuration, [Step])
    /// Each of these faults may come once from here on.
    case faultPoints([FaultPoint])
    /// Time passes.
    case wait(VirtualDuration)
    /// Until nothing is pending.
    case settle(within: VirtualDuration?)

    /// The steps inside it; empty for a step without any.
    public var innerSteps: [Step] {
        switch self {
        case .on(let reaction): reaction.steps
        case .block(let steps): steps
        case .repeat(let plan): plan.steps
        case .race(_, let steps): steps
        case .anyTime(let steps), .sometime(_, let steps): steps
        case .plugIn, .plugInObject, .unplug, .unplugJack, .swipe, .insert, .tap, .removeCard,
            .keys, .power, .care, .charge, .void, .capture, .refund, .sign, .enterCard, .authorize,
            .call,
            .app,
            .answer, .set, .phoneCall, .link, .gateway, .merchant, .store, .terminal, .scan,
            .expect, .await, .expectAny,
            .unordered,
            .until, .never, .count, .expectState, .faultPoints, .wait, .settle:
            []
        }
    }
}
