public import EventLoops

/// How a Miura host treats its link.
public struct MPIOptions: Hashable, Sendable {
    /// What is done after damage; the vendor's SDK drops the link.
    public var damagePolicy = MiuraDamagePolicy.dropLink
    /// Which frames may stand between those of a chain.
    public var chainRule = MiuraChainRule.interleaved
    /// Whether the reader says that it is switched on when the link is made.
    ///
    /// On Bluetooth and TCP it does, on USB it does not (Miura Android SDK, MpiClient.openSession).
    public var expectsGreeting = true
    /// What is sent to the reader before anything else, and again when it started anew.
    public var initialisation: [MiuraCommand] = [.resetDevice(.soft)]
    /// The same for the hub; with nothing here the hub is not spoken to first.
    public var hubInitialisation: [MiuraCommand] = []
    /// How long things may take.
    public var limits = MPITimeLimits()

    /// Creates the options of a host on Bluetooth or TCP.
    public init() {}
}

/// How long a Miura host waits.
///
/// The vendor's SDK waits for ever for most answers; the numbers without a source are our own.
public struct MPITimeLimits: Hashable, Sendable {
    /// For the greeting of a reader that gives one; then the set-up begins without it.
    public var greeting = VirtualDuration.seconds(1)
    /// For the answer to a command that needs no person.
    public var answer = VirtualDuration.seconds(10)
    /// For the answer to one that waits for a card or a person; `nil` leaves it to the reader.
    public var interruptible: VirtualDuration?
    /// For P2PE INITIALISE, which takes up to two minutes (MiuraManager.h).
    public var keyInitialisation = VirtualDuration.seconds(150)
    /// For the answer after the last raw byte of a STREAM BINARY was given to the link.
    public var stream = VirtualDuration.seconds(120)
    /// For the unsolicited message that answers CARD STATUS.
    public var cardStatus = VirtualDuration.seconds(5)
    /// For the additional E5 after ABORT or after the card was pulled (Java SDK 1-1i: 2 s).
    public var extraAnswer = VirtualDuration.seconds(2)
    /// For the answer that shows a reader alive (PayPal retail SDK: 5 s).
    public var probe = VirtualDuration.seconds(5)
    /// For a reader that starts anew.
    public var restart = VirtualDuration.seconds(120)
    /// For the rest of a frame or chain since its last byte.
    public var partialMessage = VirtualDuration.seconds(5)

    /// Creates the default limits.
    public init() {}

    /// How long the answer to a command may take; `nil` for as long as the reader likes.
    func limit(for command: MiuraCommand) -> VirtualDuration? {
        switch command {
        case .cardStatus: cardStatus
        case .startTransaction, .continueTransaction, .startContactless, .onlinePIN, .input:
            interruptible
        case .p2peInitialise: keyInitialisation
        case .streamBinary: stream
        default: answer
        }
    }
}
