public import EventLoops
public import Journal
public import SimulatedReaders
public import Transports

/// What a hand does at a reader.
public enum HandAct: Hashable, Sendable {
    /// It plugs the reader in.
    case plugIn(reader: Int)
    /// It pulls the reader out.
    case unplug(reader: Int)
    /// It swipes a card, by its name, well or badly.
    case swipe(reader: Int, card: String, quality: SwipeQuality)
    /// It puts a card into the slot of a payment reader.
    case insert(reader: Int, card: String)
    /// It holds a card to a payment reader.
    case tap(reader: Int, card: String)
    /// It takes the card out of the slot.
    case removeCard(reader: Int)
    /// It presses keys of a payment reader, one after the other with this time between them.
    case press(reader: Int, [MiuraKey], pause: VirtualDuration)
    /// It switches a payment reader off.
    case switchOff(reader: Int)
    /// It switches a payment reader on.
    case switchOn(reader: Int)
    /// It makes a payment reader start anew.
    case reboot(reader: Int)
    /// It charges or drains the battery of a payment reader, in percent.
    case setBattery(reader: Int, percent: Int)
    /// It puts something in the way of opening the reader when it is plugged in next.
    case obstruct(reader: Int, OpeningFault)

    /// The reader it is about.
    public var reader: Int {
        switch self {
        case .plugIn(let reader), .unplug(let reader), .swipe(let reader, _, _),
            .insert(let reader, _), .tap(let reader, _), .removeCard(let reader),
            .press(let reader, _, _), .switchOff(let reader), .switchOn(let reader),
            .reboot(let reader), .setBattery(let reader, _), .obstruct(let reader, _):
            reader
        }
    }
}

/// What a hand is asked to do, and where the scenario says so.
public struct HandRequest: Hashable, Sendable {
    /// What to do.
    public var act: HandAct
    /// The reader's name in the scenario.
    public var readerName: String
    /// The step's own words, for a prompt.
    public var words: String
    /// The scenario's file; empty when no file says it.
    public var file: String
    /// The step's place in the file; `nil` when no step says it.
    public var location: SourceLocation?
    /// How long the hand may take.
    public var timeLimit: VirtualDuration

    /// Creates a request; a hand has a minute where nothing else is said.
    public init(
        _ act: HandAct,
        readerName: String,
        words: String,
        file: String = "",
        location: SourceLocation? = nil,
        timeLimit: VirtualDuration = .seconds(60)
    ) {
        self.act = act
        self.readerName = readerName
        self.words = words
        self.file = file
        self.location = location
        self.timeLimit = timeLimit
    }
}

/// How a hand answered.
public enum OperatorAnswer: Hashable, Sendable {
    /// The hand has acted.
    case done
    /// The hand needs more time: its time limit begins again.
    case again
    /// The hand cannot do it here, and the scenario is to be left out; the text says why.
    case skipped(String)
    /// The person at the desk gave up; the text says why.
    case aborted(String)
}

/// Whoever does what only hands can do: a person at a prompt, a program, a socket's other end.
///
/// A simulated reader needs none: the rig's own hand acts at once.
public protocol Operator: AnyObject {
    /// Asks for an act; ``poll()`` tells when it was done. One act at a time.
    func begin(_ request: HandRequest)

    /// Returns the answer to the act that was begun, or `nil` while the hand is at it.
    ///
    /// After ``OperatorAnswer/again`` the same act is still under way; every other answer ends it.
    func poll() -> OperatorAnswer?

    /// Tells that the reader shows that the hand has acted: it came, left, or sent its first byte.
    func readerShowedAct()

    /// Tells that nobody waits for the answer any more; there may be no act under way.
    func cancel()

    /// The descriptor that becomes readable when ``poll()`` has an answer, if there is one.
    var wakeDescriptor: Int32? { get }
}

extension Operator {
    /// Does nothing, as befits a hand that answers for itself.
    public func readerShowedAct() {}

    /// Does nothing, as befits a hand that shows nothing.
    public func cancel() {}
}

/// What a hand was asked for, and what the reader has shown of it.
struct HandSign {
    let act: HandAct
    /// When the reader came, left or sent its first byte; `nil` before that.
    var shownAt: VirtualInstant?
    /// Whether the act was written down.
    var isNoted = false
}
