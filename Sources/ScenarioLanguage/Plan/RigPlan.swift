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
    /// The calendar at the beginning, in seconds since 1970 UTC; `nil` for 2024-06-03 09:00:00.
    public var clockSecondsSince1970: Int64?

    /// Creates a world.
    public init(
        readers: [ReaderPlan],
        gateway: GatewayKind? = nil,
        link: LinkPlan = LinkPlan(),
        app: AppPlan = AppPlan(),
        sdk: SDKPlan = SDKPlan(),
        clockSecondsSince1970: Int64? = nil
    ) {
        self.readers = readers
        self.gateway = gateway
        self.link = link
        self.app = app
        self.sdk = sdk
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
    /// The size of its USB packets, 1 to 64; `nil` leaves it to the run.
    public var packetByteCount: Int?
    /// The protocol string of an iDynamo; `nil` for the usual one.
    public var protocolString: String?
    /// How often opening a session gives nothing after each attach.
    public var sessionOpenFailureCount: Int
    /// How the system tells of its coming and going.
    public var notifications: Notifications
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
        location: SourceLocation = SourceLocation(line: 1, column: 1)
    ) {
        self.name = name
        self.kind = kind
        self.isAttachedAtStart = isAttachedAtStart
        self.packetByteCount = packetByteCount
        self.protocolString = protocolString
        self.sessionOpenFailureCount = sessionOpenFailureCount
        self.notifications = notifications
        self.location = location
    }
}

/// The readers that scenarios can name.
public enum ReaderKind: String, CaseIterable, Hashable, Sendable {
    /// MagTek iDynamo on an iPhone's accessory connector: an ASCII stream in 500-byte blocks.
    case idynamo
    /// Its USB sibling: HID reports, 0801:0011.
    case dynamag
}

/// The gateways that scenarios can name.
public enum GatewayKind: String, CaseIterable, Hashable, Sendable {
    /// NMI (CyoGate) Direct Post.
    case nmi
}

/// What the app declares of itself (`rig: { app: … }`).
public struct AppPlan: Hashable, Sendable {
    /// The usual protocol string of an iDynamo; without a reader's string in the app's list its
    /// activation fails.
    public static let idynamoProtocol = "com.magtek.idynamo"

    /// "Supported external accessory protocols" of the app; `nil` declares what its readers need.
    public var accessoryProtocols: [String]?

    /// Creates an app.
    public init(accessoryProtocols: [String]? = nil) {
        self.accessoryProtocols = accessoryProtocols
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
