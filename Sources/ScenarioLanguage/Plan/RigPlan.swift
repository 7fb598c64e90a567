public import EventLoops
public import Journal

/// The world that a run starts with.
public struct RigPlan: Hashable, Sendable {
    /// The readers, in the file's order; the first is meant where a step names none.
    public var readers: [ReaderPlan]
    /// The gateway, or `nil`.
    public var gateway: GatewayKind?
    /// What every reader's link does.
    public var link: LinkPlan
    /// What the app declares.
    public var app: AppPlan
    /// How the app uses the SDK, and which reading of its document holds.
    public var sdk: SDKPlan
    /// The audio of the phone.
    public var host: HostPlan
    /// The calendar at the beginning, in seconds since 1970 UTC; `nil` for 2024-06-03 09:00:00.
    public var clockSecondsSince1970: Int64?

    /// How far card payments go.
    public var mode = PaymentMode.test
    /// The account at NMI.
    public var account = NMIAccountPlan()
    /// PAYMILL and the HoneyStore.
    public var store = StorePlan()
    /// The merchant's own server.
    public var merchantServer = MerchantServerPlan.none
    /// Inner Fence's terminal app, and what becomes of its answers.
    public var terminal = TerminalPlan()
    /// Whether the rig's only reader is a payment reader.
    public var hasPaymentReader: Bool { readers.contains { $0.kind == .miura } }

    /// Creates a world.
    public init(
        readers: [ReaderPlan],
        gateway: GatewayKind? = nil,
        link: LinkPlan = LinkPlan(),
        app: AppPlan = AppPlan(),
        sdk: SDKPlan = SDKPlan(),
        host: HostPlan = HostPlan(),
        clockSecondsSince1970: Int64? = nil
    ) {
        self.readers = readers
        self.gateway = gateway
        self.link = link
        self.app = app
        self.sdk = sdk
        self.host = host
        self.clockSecondsSince1970 = clockSecondsSince1970
    }
}

/// A reader of the rig.
public struct ReaderPlan: Hashable, Sendable {
    /// Its name in this scenario; for `reader: idynamo` its kind's spelling.
    public var name: String
    /// Which reader it is.
    public var kind: ReaderKind
    /// Whether it is plugged in before the first step (`attached:`).
    public var isAttachedAtStart: Bool
    /// The size of its USB packets, 1 to 1,024; `nil` leaves it to the run.
    public var packetByteCount: Int?
    /// The protocol string of an iDynamo; `nil` for the usual one.
    public var protocolString: String?
    /// How often opening a session gives nothing after each attach.
    public var sessionOpenFailureCount: Int
    /// How the system tells of its coming and going.
    public var notifications: Notifications
    /// What is said of it as an audio-jack reader.
    public var audio: AudioReaderPlan
    /// What is said of it as a Miura reader.
    public var miura: MiuraPlan
    /// Where the file names it.
    public var location: SourceLocation

    /// How the system tells of a reader's coming and going.
    public enum Notifications: String, CaseIterable, Hashable, Sendable {
        /// Once each, in order.
        case once
        /// Each one twice.
        case twice
        /// A disconnect comes late, which may be after the next connect.
        case lateDisconnect = "late disconnect"
    }

    /// Creates a reader.
    public init(
        name: String,
        kind: ReaderKind,
        isAttachedAtStart: Bool = false,
        packetByteCount: Int? = nil,
        protocolString: String? = nil,
        sessionOpenFailureCount: Int = 0,
        notifications: Notifications = .once,
        audio: AudioReaderPlan = AudioReaderPlan(),
        miura: MiuraPlan = MiuraPlan(),
        location: SourceLocation = SourceLocation(line: 1, column: 1)
    ) {
        self.name = name
        self.kind = kind
        self.isAttachedAtStart = isAttachedAtStart
        self.packetByteCount = packetByteCount
        self.protocolString = protocolString
        self.sessionOpenFailureCount = sessionOpenFailureCount
        self.notifications = notifications
        self.audio = audio
        self.miura = miura
        self.location = location
    }
}

/// The readers that scenarios can name.
public enum ReaderKind: String, CaseIterable, Hashable, Sendable {
    /// MagTek iDynamo on an iPhone's accessory connector: an ASCII stream in 500-byte blocks.
    case idynamo
    /// Its USB sibling: HID reports, 0801:0011.
    case dynamag
    /// ID TECH SecureMag on USB: HID reports with the records of a Shuttle, 0ACD:2010.
    case securemag
    /// ID TECH Shuttle (UniMag) at the audio jack, powered by a tone.
    case shuttle
    /// The IPS encrypted card reader at the audio jack, with a battery.
    case ips
    /// A Miura payment reader: chip, PIN, contactless, stripe.
    case miura

    /// Whether it is plugged into the audio jack, of which there is one.
    public var isAudioJack: Bool {
        switch self {
        case .idynamo, .dynamag, .securemag, .miura: false
        case .shuttle, .ips: true
        }
    }
}

/// The gateways that scenarios can name.
public enum GatewayKind: String, CaseIterable, Hashable, Sendable {
    /// NMI (CyoGate) Direct Post.
    case nmi
    /// AgentCASH, whose SDK takes the card by itself.
    case agentcash
    /// Inner Fence, whose terminal app takes the card: the app and it hand each other URLs.
    case innerfence
    /// PAYMILL with the HoneyStore: cards become tokens, and the backend charges them.
    case paymill
}

/// What the app declares of itself (`rig: { app: … }`).
public struct AppPlan: Hashable, Sendable {
    /// The usual protocol string of an iDynamo; without a reader's string in the app's list its
    /// activation fails.
    public static let idynamoProtocol = "com.magtek.idynamo"

    /// "Supported external accessory protocols" of the app; `nil` declares what its readers need.
    public var accessoryProtocols: [String]?
    /// How prompts are answered.
    public var prompts: Prompts
    /// What the app has saved.
    public var settings = SettingsPlan()

    /// How the app's user answers prompts.
    public enum Prompts: String, CaseIterable, Hashable, Sendable {
        /// Yes, at once.
        case accept
        /// No, at once.
        case refuse
        /// By steps, and prompts and alerts count in order.
        case ask
    }

    /// Creates an app.
    public init(accessoryProtocols: [String]? = nil, prompts: Prompts = .accept) {
        self.accessoryProtocols = accessoryProtocols
        self.prompts = prompts
    }
}

/// How the app makes its controller, and which reading of the SDK document holds where it leaves a
/// question open (`rig: { sdk: … }`).
public struct SDKPlan: Hashable, Sendable {
    /// Whether the controller is made with a delegate; without one the first connects are missed.
    public var hasDelegate: Bool
    /// Whether a swipe is followed by unready(swipeDone) and ready.
    public var isUnreadyAfterSwipe: Bool
    /// Whether nothing is told of what happens while the app is in the background.
    public var isSilentInBackground: Bool
    /// Whether a swipe that a detach cut gives a didSwipeCard without card.
    public var reportsCutSwipes: Bool
    /// The audio-jack reader that the app enables; `nil` for the rig's first one.
    public var audioReader: EnabledAudioReader?
    /// Whether a Shuttle is powered up when it is attached.
    public var activateReaderOnAttach = true
    /// Whether the volume is set to maximum before that.
    public var automaticallySetVolumeToMaxOnActivate = true
    /// Whether swipes are requested again and again.
    public var alwaysAcceptSwipe = true
    /// How long a request waits; 3 s to 20 s are allowed, and others are the app's mistake.
    public var swipeTimeoutDuration = VirtualDuration.seconds(20)
    /// What the Shuttle asks and tells the user.
    public var messageOptions = MessageOptionsPlan()
    /// Whose library it is.
    public var library = Library.careful
    /// Whether becameUnready comes before the didSwipeCard that causes it.
    public var isUnreadyBeforeSwipe = false
    /// Whether powerDown is told as disconnected, then connected.
    public var disconnectsAtPowerDown = false
    /// Whether the app must call powerUpDevice where the SDK would prompt.
    public var appPowersUpInsteadOfPrompt = false
    /// Whether autodetection tries the IPS Enterprise before the others.
    public var triesEnterpriseFirst = false
    /// What an autodetection leaves behind that found nothing.
    public var autodetectFailure = AutodetectFailure.selectsNone
    /// How many autodetections fail though a reader answers.
    public var missedAutodetectCount = 0
    /// The library that keeps the audio route once it is loaded: uniMag or ips.
    public var stuckLibrary: Symbol?
    /// The result of a power-up that is canceled during the tone; `nil` where none is told.
    public var canceledActivationResult: Symbol?
    /// What other audio does to a Shuttle that is activated.
    public var interruption = Interruption.deactivates
    /// The lowest volume at which a Shuttle is tried, in percent; `nil` leaves it to the SDK.
    public var lowestVolumePercent: Int?
    /// How long a Shuttle may take to answer the tone; `nil` leaves it to the SDK.
    public var activationTimeout: VirtualDuration?
    /// How long an IPS may take to answer the test; `nil` leaves it to the SDK.
    public var communicationTestTimeout: VirtualDuration?

    /// What an autodetection leaves behind that found nothing.
    public enum AutodetectFailure: String, CaseIterable, Hashable, Sendable {
        /// No reader is enabled; one that is detected on each connect stays so.
        case selectsNone = "selects none"
        /// The kind of before, and its reader connected.
        case restoresType = "restores type"
    }

    /// What other audio does to a Shuttle that is activated.
    public enum Interruption: String, CaseIterable, Hashable, Sendable {
        /// It is deactivated, and powered up again when the route is back.
        case deactivates
        /// Nothing is told.
        case silent
    }

    /// Whose library plays the SDK.
    public enum Library: String, CaseIterable, Hashable, Sendable {
        /// Ours: what cannot be a card is a bad swipe.
        case careful
        /// What was observed of the published one, mistakes included.
        case observed
    }

    /// How the app uses `PaymentProvider`.
    public var payments = PaymentSDKPlan()
    /// The class with which the app charges through Inner Fence's terminal app; `nil` leaves it to
    /// ``library``.
    public var chargeClass: ChargeClass?

    /// Creates the usual reading.
    public init(
        hasDelegate: Bool = true,
        isUnreadyAfterSwipe: Bool = false,
        isSilentInBackground: Bool = false,
        reportsCutSwipes: Bool = false
    ) {
        self.hasDelegate = hasDelegate
        self.isUnreadyAfterSwipe = isUnreadyAfterSwipe
        self.isSilentInBackground = isSilentInBackground
        self.reportsCutSwipes = reportsCutSwipes
    }
}
