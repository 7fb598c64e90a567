public import CardCrypto
public import EventLoops
public import ReaderProtocols

/// Everything that tells one simulated Miura reader from another.
///
/// What no source states is an option here, with what is inferred as its default; `assumed` says so.
/// Source, unless a field says otherwise: Miura Java SDK 1-1i and Miura Android SDK.
public struct MiuraReaderConfiguration: Hashable, Sendable {
    /// Which reader it is.
    public enum Model: Hashable, Sendable, CaseIterable {
        /// Chip, PIN pad and stripe.
        case m006
        /// The same with a contactless field.
        case m010
    }

    /// What the Cancel key does while a contactless transaction waits for a card.
    public enum CancelKey: Hashable, Sendable, CaseIterable {
        /// It ends the transaction: status word 9F41.
        case endsTransaction
        /// It switches contactless off, once; chip and stripe stay: status word 9FC2 (assumed).
        ///
        /// Source: AgentCASH help centre, article on the M010.
        case firstSwitchesContactlessOff
    }

    /// What comes of a card that is pulled out, or of an ABORT, once the reader waits for
    /// CONTINUE TRANSACTION: a solicited answer to which there is no command.
    public enum ExtraAnswer: Hashable, Sendable, CaseIterable {
        /// E5, declined.
        case declined
        /// Status word 9F23.
        case noCard
        /// Nothing.
        case none
    }

    /// What a running chip transaction answers when its card is pulled out; not published.
    public enum RemovalAnswer: Hashable, Sendable, CaseIterable {
        /// E5, declined.
        case declined
        /// Status word 9F23.
        case noCard
        /// Status word 9F30.
        case chipError
    }

    /// What becomes of commands that are sent while another one runs.
    public enum EarlyCommand: Hashable, Sendable, CaseIterable {
        /// They wait until it ends.
        case waits
        /// Status word 9F26.
        case isRefused
    }

    /// What the reader does about bytes that are no frame; not published.
    public enum BadFrame: Hashable, Sendable, CaseIterable {
        /// Status word 6F00, and it reads on (assumed: the SDK lists the word for packet problems).
        case isAnswered
        /// Nothing, and it reads on.
        case isIgnored
        /// It drops the link.
        case dropsLink
    }

    /// Which reader it is.
    public var model: Model
    /// Whether a POS hub with a printer, a drawer and a scanner answers as node 02.
    public var hasHub = false
    /// The serial number, eight digits (9F1E).
    public var serialNumber = "17000470"
    /// What stands before the last three digits of the serial number in the Bluetooth name.
    public var bluetoothPrefix = "AgentCASH"
    /// The version of the payment application `M000-MPI`.
    public var softwareVersion = "1-56"
    /// The version of the operating system `M000-OS`.
    public var systemVersion = "9-7"
    /// Whether it announces and understands extended commands.
    public var understandsExtendedAPDU = true
    /// Whether it says that it is switched on when a host connects: on Bluetooth and TCP it does,
    /// on USB it does not.
    public var announcesPowerOn = true
    /// The `wifi.cfg` that it starts with; `nil` has none, and then it does not listen on TCP.
    public var wifi: MiuraWiFiConfiguration?

    /// Whether it has a key for card data; without one tracks are sent in clear.
    public var hasSREDKey = true
    /// Whether it has a key for online PINs.
    public var hasPINKey = true
    /// Whether chip transactions are refused without a key for card data (9FE0).
    public var refusesWithoutSREDKey = false
    /// The base derivation key of both keys.
    public var baseDerivationKey = CipherKey.publishedTestKey
    /// The key serial number of card data before the first use.
    public var initialSREDKSN = MiuraReaderConfiguration.publishedSREDKSN
    /// The key serial number of PINs before the first use.
    public var initialPINKSN = MiuraReaderConfiguration.publishedPINKSN

    /// What the Cancel key does.
    public var cancelKey = CancelKey.endsTransaction
    /// What a card that is pulled out early causes.
    public var answerAfterRemoval = ExtraAnswer.declined
    /// What an ABORT causes beside its own answer, in the same state.
    public var answerAfterAbort = ExtraAnswer.declined
    /// What a card that is pulled out of a running transaction causes.
    public var removalAnswer = RemovalAnswer.declined
    /// What becomes of commands that are sent too early.
    public var earlyCommand = EarlyCommand.waits
    /// What it does about bytes that are no frame.
    public var badFrame = BadFrame.isAnswered
    /// Whether the result of a command comes before the answer to an ABORT that hit it.
    public var answersAbortLast = false
    /// Whether it says something unasked between the frames of a chained answer; not known of any.
    public var speaksInsideChains = false
    /// Whether every digit of a PIN is reported (`ReportLengthChange` in `MPI-Dynamic.cfg`).
    public var reportsPINDigits = false
    /// Whether Enter without a digit goes on without a PIN at the chip.
    public var allowsPINBypass = false
    /// The kinds of verification that it can do; the others are skipped.
    public var hasPINPad = true

    /// The battery in percent.
    public var batteryPercent = 100
    /// What charges it.
    public var charging = MiuraBattery.Charging.onBattery
    /// From which charge on it is low; 5 %, as in the vendor's sample configuration.
    public var lowBatteryPercent = 5
    /// Its date and time when the run begins.
    public var clock = MiuraClock(year: 24, month: 6, day: 3, hour: 9)

    /// From a command to its answer; 2 ms (assumed).
    public var answerDelay = VirtualDuration.milliseconds(2)
    /// How long the chip's applications are read; 400 ms (assumed).
    public var selectionTime = VirtualDuration.milliseconds(400)
    /// How long the chip takes to check a PIN; 200 ms (assumed).
    public var pinCheckTime = VirtualDuration.milliseconds(200)
    /// How long the chip takes for a cryptogram; 300 ms (assumed).
    public var cryptogramTime = VirtualDuration.milliseconds(300)
    /// How long a tapped card is read; 400 ms (assumed).
    public var tapTime = VirtualDuration.milliseconds(400)
    /// From a card pulled out, or an ABORT, to the extra answer; the SDK waits 2 s; 500 ms.
    public var extraAnswerDelay = VirtualDuration.milliseconds(500)
    /// How long it waits for a key of a PIN or a choice; 30 s, the sample's `auto cancel` (its
    /// unit is assumed).
    public var keyTimeLimit = VirtualDuration.seconds(30)
    /// How long it waits for a tap when the command says nothing; 240 s (the unit is assumed).
    public var tapTimeLimit = VirtualDuration.seconds(240)
    /// How long it waits for input when the command says nothing; 600 s (the unit is assumed).
    public var inputTimeLimit = VirtualDuration.seconds(600)
    /// How long it takes to start anew; 20 s (assumed).
    public var rebootTime = VirtualDuration.seconds(20)
    /// How long P2PE INITIALISE takes; 30 s is typical.
    public var initialisationTime = VirtualDuration.seconds(30)

    /// The terminal's country (9F1A), an ISO 3166 number.
    public var countryCode = 826
    /// Where its unpredictable numbers come from.
    public var seed: UInt64 = 0
    /// The sequence counter (9F41) before the first transaction.
    public var sequenceCounter = 0

    /// Creates a reader with the published test keys.
    public init(_ model: Model = .m010) { self.model = model }

    /// Its Bluetooth name, such as `AgentCASH 470`.
    public var bluetoothName: String { "\(bluetoothPrefix) \(serialNumber.suffix(3))" }

    /// A published key serial number of ID TECH's manuals, before its first use.
    public static let publishedSREDKSN =
        KSN([0x62, 0x99, 0x49, 0x01, 0x19, 0, 0, 0, 0, 0]) ?? .publishedTestKSN
    /// The key serial number of a published online PIN, before its first use.
    ///
    /// Source: active_merchant, remote Stripe EMV test.
    public static let publishedPINKSN =
        KSN([0xFF, 0xFF, 0x01, 0x02, 0x62, 0x8D, 0x12, 0, 0, 0]) ?? .publishedTestKSN
}
