public import CardCrypto
public import EventLoops
public import Journal
public import SDKCore
public import SimulatedGateways
public import SimulatedReaders
public import Transports

/// The reader at the other end of a rig's transport.
public enum ReaderEndpoint {
    /// A simulated one, in process.
    case simulated(MagneSafeReaderConfiguration)
    /// A simulated ID TECH reader on USB, in process.
    case secureMag(SecureMagConfiguration)
    /// A simulated one that is put into the audio jack of the host, of which there is one.
    case audioJack(JackThing)
    /// A simulated payment reader, in process, which has power of its own.
    case miura(MiuraReaderConfiguration)
    /// A real one, behind a transport that wakes the loop.
    case live(any LiveTransport, path: LivePath)
    /// One that a capture plays, in virtual time.
    case recorded(any RecordedTransport, path: LivePath)

    /// What a live transport carries.
    public enum LivePath: Hashable, Sendable {
        /// HID reports of a MagTek reader.
        case reports
        /// HID reports of an ID TECH reader.
        case idTechReports
        /// The accessory connector's stream.
        case accessoryStream
        /// The frames of a payment reader, which is there from the start.
        case frames
    }
}

/// How the system tells of the coming and going of a reader.
public enum ReaderNotifications: Hashable, Sendable {
    /// Once each, in order.
    case once
    /// Each one twice.
    case twice
    /// A disconnect comes 100 ms late, which may be after the next connect.
    case lateDisconnect
}

/// A record of a recorded run, as far as its replay has to know it beforehand.
public struct RecordedStep: Hashable, Sendable {
    /// When it was.
    public var time: VirtualInstant
    /// What it was.
    public var name: RecordName?
    /// The step it belonged to, an index into the scenario's flattened steps.
    public var step: Int?

    /// Creates a record's entry.
    public init(time: VirtualInstant, name: RecordName?, step: Int?) {
        self.time = time
        self.name = name
        self.step = step
    }
}

/// One reader of a rig.
public struct RigReader {
    /// Its name in the scenario.
    public var name: String
    /// What is at the other end.
    public var endpoint: ReaderEndpoint
    /// Whether it is attached before the first step.
    public var isAttachedAtStart: Bool
    /// Faults of the link between it and the host.
    public var faults: [LinkFault]
    /// Faults of a payment reader's link that wait for a command.
    public var commandFaults: [CommandFault] = []
    /// What the link does to everything that the reader sends; simulated readers only.
    public var timing: LinkTiming
    /// Whether the system sees it as an accessory: the app has to declare its protocol string, and
    /// loses it while it is in the background.
    ///
    /// An iDynamo is one, a Dynamag is not, unless it stands in for an iDynamo.
    public var isAccessory: Bool
    /// The protocol string of an accessory; resellers may ship readers with another one.
    public var protocolString: String
    /// How often opening a session gives nothing after each attach.
    public var sessionOpenFailureCount = 0
    /// How the system tells of its coming and going.
    public var notifications = ReaderNotifications.once
    /// What stands in the way whenever a simulated one is opened after it was plugged in.
    public var opening: OpeningFault?
    /// What stands in the way the first time.
    public var firstOpening: OpeningFault?
    /// What a reader at the audio jack says, piece by piece, in place of what the simulated one would;
    /// the sounds of the jack are simulated all the same.
    public var recordedPieces: [ArraySlice<UInt8>] = []
    /// Where the payment provider finds a payment reader; other readers need none.
    public var address = PaymentReaderAddress()

    /// The protocol string of an iDynamo as MagTek ships it.
    ///
    /// Source: MagneSafe V5 Communication Reference Manual 99875475, property 0x51.
    public static let idynamoProtocol = "com.magtek.idynamo"

    /// Creates a reader; without `isAccessory` one with a stream is an accessory.
    public init(
        name: String,
        endpoint: ReaderEndpoint,
        isAttachedAtStart: Bool = false,
        faults: [LinkFault] = [],
        timing: LinkTiming = LinkTiming(),
        isAccessory: Bool? = nil,
        protocolString: String = RigReader.idynamoProtocol
    ) {
        self.name = name
        self.endpoint = endpoint
        self.isAttachedAtStart = isAttachedAtStart
        self.faults = faults
        self.timing = timing
        self.protocolString = protocolString
        self.isAccessory = isAccessory ?? (endpoint.path == .accessoryStream)
    }
}

extension ReaderEndpoint {
    /// Whether it is a real one.
    var isLive: Bool {
        switch self {
        case .simulated, .secureMag, .audioJack, .miura, .recorded: false
        case .live: true
        }
    }

    /// Whether the keys of its cards are unknown here: it is real, or a capture plays one.
    var isForeign: Bool {
        switch self {
        case .simulated, .secureMag, .audioJack, .miura: false
        case .live, .recorded: true
        }
    }

    /// Whether it is a payment reader, whose link the payment provider opens and closes.
    var isPaymentReader: Bool {
        switch self {
        case .miura, .live(_, .frames), .recorded(_, .frames): true
        case .simulated, .secureMag, .audioJack, .live, .recorded: false
        }
    }

    /// What its transport carries.
    var path: ReaderPath {
        switch self {
        case .simulated(let configuration):
            configuration.isStream ? .accessoryStream : .reports
        case .secureMag, .live(_, .idTechReports), .recorded(_, .idTechReports): .idTechReports
        case .audioJack: .audioJack
        case .live(_, .accessoryStream), .recorded(_, .accessoryStream): .accessoryStream
        // Nothing of a payment reader ever comes to the SDK's swipe controller.
        case .miura, .live(_, .reports), .live(_, .frames), .recorded(_, .reports),
            .recorded(_, .frames):
            .reports
        }
    }
}

/// The world that a run starts with.
public struct RigConfiguration {
    /// The readers.
    public var readers: [RigReader]
    /// The NMI gateway; `nil` when the scenario has none.
    public var gateway: SimulatedNMIGateway.Configuration?
    /// The merchant that the NMI gateway serves.
    public var merchant = MerchantSetup()
    /// The gateways outside of this process that stand in for the simulated ones.
    public var remoteGateways = RemoteGateways()
    /// The AgentCASH service and the app's payment provider; `nil` when the scenario has none.
    public var agentcash: AgentCASHSetup?
    /// Inner Fence's terminal app and the app that charges through it; `nil` when the scenario has
    /// none.
    public var terminal: TerminalSetup?
    /// PAYMILL, the HoneyStore's backend and its app; `nil` when the scenario has none.
    public var store: HoneyStoreSetup?
    /// Who answers where the world could have gone either way.
    public var choices: ChoiceSource
    /// How much the run may be.
    public var bounds: EventLoop<RigEvent>.Bounds
    /// How many of the newest records stay readable.
    public var journalCapacity: Int
    /// Whether wire bytes are kept.
    public var isRecorded: Bool
    /// The protocol strings that the app declares; `nil` declares those of all readers.
    public var accessoryProtocols: [String]?
    /// The delegate with which the app makes its controllers; `nil` is the plain init, which misses
    /// readers that are there already.
    public var delegateAtStart: SwipeDelegate? = .app
    /// Which reading of the SDK document holds.
    public var profile = SwipeProfile()
    /// How the audio of the host is.
    public var host = AudioJackConfiguration()
    /// What hands have that can be put into the audio jack and is no reader of the rig.
    public var jackObjects: [JackThing] = [.headphones]
    /// How the app sets the SDK up for the audio jack; the volume is the host's.
    public var audioJack = AudioJackOptions()
    /// Which parts of ``audioJack`` the app saves whenever they change, and uses at its next launch.
    public var savedSettings = SavedSettings()
    /// What the app calls right after it made a controller.
    public var callsAtLaunch: [SwipeCall] = []
    /// Who answers the prompts of the SDK.
    public var prompts = PromptAnswer.accept
    /// A mistake planted in the SDK on purpose.
    public var plant: Plant?
    /// The keys with which the gateway opens swipes; `nil` for its own at simulated readers, and
    /// for none at a real one.
    public var readerKeys: [CipherKey]?

    /// Records of the run that a capture holds which nothing in the replay makes: what only the
    /// recorded reader and its link knew.
    public var foreignFacts: [ForeignFact] = []
    /// When each record of the run that a capture holds was, and the step it belonged to.
    public var recordedSteps: [RecordedStep] = []
    /// Whether the cards of a recorded reader are those of a simulated one, whose keys are known.
    public var ownsRecordedCards = false

    /// Creates a world.
    public init(
        readers: [RigReader],
        gateway: SimulatedNMIGateway.Configuration? = nil,
        choices: ChoiceSource = .natural,
        bounds: EventLoop<RigEvent>.Bounds = .init(),
        journalCapacity: Int = 8_192,
        isRecorded: Bool = false
    ) {
        self.readers = readers
        self.gateway = gateway
        self.choices = choices
        self.bounds = bounds
        self.journalCapacity = journalCapacity
        self.isRecorded = isRecorded
    }
}
