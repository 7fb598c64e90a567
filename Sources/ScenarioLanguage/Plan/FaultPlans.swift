public import EventLoops
public import Journal

/// A fault of a reader's link, addressed in what one side sends from here on.
public struct LinkFaultPlan: Hashable, Sendable {
    /// The reader, an index into ``RigPlan/readers``.
    public var reader: Int
    /// What the link does.
    public var action: Action
    /// Where it does it.
    public var address: Address
    /// Who is to receive what it disturbs; a command's phase says it by itself.
    public var receiver: Receiver

    /// Who receives what a link carries (`to`).
    public enum Receiver: String, CaseIterable, Hashable, Sendable {
        /// The host: the link disturbs what the reader sends.
        case host
        /// The reader: the link disturbs what the host sends.
        case reader
    }

    /// What a link does.
    public enum Action: Hashable, Sendable {
        /// The unit comes so much later.
        case delay(VirtualDuration)
        /// The unit comes in two, the border being before the addressed byte, so much apart.
        case split(gap: VirtualDuration)
        /// The unit waits at most so long for the next and arrives as one with it.
        case merge(within: VirtualDuration)
        /// The addressed unit or byte is lost.
        case drop
        /// The addressed byte is changed by exclusive or.
        case corrupt(xor: UInt8)
        /// The addressed unit or byte arrives twice.
        case duplicate
        /// The link is lost before the address.
        case cut
        /// This stands in the way when the reader is opened next; it has no address.
        case open(OpeningPlan)
    }

    /// A place in what one side sends; all numbers begin with 1 and count from the step on, or
    /// from the beginning of the run in `rig`.
    public struct Address: Hashable, Sendable {
        /// Units of a reader: what one read of the host gives when nothing disturbs.
        public enum Unit: String, CaseIterable, Hashable, Sendable {
            /// A 500-byte block of an iDynamo.
            case block
            /// An HID report of a Dynamag, as its packets arrive.
            case report
            /// A piece of what an audio-jack reader sends, as the host hears it.
            case piece
            /// A frame of a Miura reader.
            case frame

            /// How many bytes it has at most.
            ///
            /// Source: MagTek iDynamo manual for the block; a report of a Dynamag is as long as
            /// its packets; a piece is what the simulated jack lets the host hear at once.
            var byteCount: Int {
                switch self {
                case .block: 500
                case .report: 1_024
                case .piece: 16
                // Node, block, length, 254 bytes and the check.
                case .frame: 258
                }
            }
        }

        /// The unit and its number; `nil` when bytes are counted across units.
        public var unit: Unit?
        /// The unit's number; 0 when ``unit`` is `nil`.
        public var unitNumber: Int
        /// The byte's number, in the unit or across units; `nil` for the whole unit.
        public var byte: Int?
        /// The command of a Miura whose frame or whose answer's is meant; then there is no unit.
        public var command: CommandPlace?

        /// Creates a place.
        public init(
            unit: Unit? = nil,
            unitNumber: Int = 0,
            byte: Int? = nil,
            command: CommandPlace? = nil
        ) {
            self.unit = unit
            self.unitNumber = unitNumber
            self.byte = byte
            self.command = command
        }
    }

    /// The next exchange of a command (`{ command: "START TRANSACTION", phase: answered }`).
    public struct CommandPlace: Hashable, Sendable {
        /// Which side of an exchange is meant.
        public enum Phase: String, CaseIterable, Hashable, Sendable {
            /// The first frame of the command.
            case sent
            /// The first frame of its answer.
            case answered
        }

        /// The command's published name, such as `START TRANSACTION`.
        public var name: String
        /// Which side of the exchange is meant.
        public var phase: Phase

        /// Creates a place.
        public init(name: String, _ phase: Phase) {
            self.name = name
            self.phase = phase
        }
    }

    /// Whether it is about opening the reader, and not about what it sends.
    public var isOpening: Bool { if case .open = action { true } else { false } }

    /// Creates a fault.
    public init(
        reader: Int = 0,
        _ action: Action,
        at address: Address,
        to receiver: Receiver = .host
    ) {
        self.reader = reader
        self.action = action
        self.address = address
        self.receiver = receiver
    }
}

/// What stands in the way when the host opens a reader.
public struct OpeningPlan: Hashable, Sendable {
    /// What it is.
    public enum Cause: String, CaseIterable, Hashable, Sendable {
        /// Another program has the reader.
        case busy
        /// The user may not open it.
        case denied
        /// The user may not open it yet.
        case late
    }

    /// What it is.
    public var cause: Cause
    /// How long after the attach it is over; `nil` where nothing is said.
    public var duration: VirtualDuration?

    /// Creates a plan.
    public init(_ cause: Cause, for duration: VirtualDuration? = nil) {
        self.cause = cause
        self.duration = duration
    }
}

extension ReaderKind {
    /// The units in which it sends.
    public var unit: LinkFaultPlan.Address.Unit {
        switch self {
        case .idynamo: .block
        case .dynamag, .securemag: .report
        case .shuttle, .ips: .piece
        case .miura: .frame
        }
    }

    /// Whether it is a USB reader with reports, opened by the host's program.
    var sendsReports: Bool { self == .dynamag || self == .securemag }

    /// Its name with an article, for sentences.
    var withArticle: String {
        switch self {
        case .idynamo: "an idynamo"
        case .dynamag: "a dynamag"
        case .securemag: "a securemag"
        case .shuttle: "a shuttle"
        case .ips: "an ips"
        case .miura: "a miura"
        }
    }

    /// Returns why a fault cannot happen on this reader's link, or `nil` when it can.
    ///
    /// An HID report's packets have a checksum and come whole or not at all.
    public func refusal(of fault: LinkFaultPlan) -> String? {
        if case .open = fault.action {
            return sendsReports
                ? nil
                : "\(withArticle) is opened by the system: only a dynamag's "
                    + "opening can be in somebody's way"
        }
        if let unit = fault.address.unit, unit != self.unit {
            return "\(withArticle) sends no \(unit.rawValue)s"
        }
        guard sendsReports, fault.address.byte != nil else { return nil }
        switch fault.action {
        case .split, .drop, .duplicate, .corrupt:
            return "the packets of \(withArticle) come whole or not at all"
        case .delay, .merge, .cut, .open: return nil
        }
    }
}

/// What every link of the run does (`rig: { link: … }`).
public struct LinkPlan: Hashable, Sendable {
    /// How much later everything arrives.
    public var delay: VirtualDuration
    /// The longest random delay on top of it, from the run's seed.
    public var jitter: VirtualDuration
    /// The longest part that arrives at once, in bytes; `nil` leaves units whole.
    public var partByteCount: Int?
    /// The time between the parts of a unit.
    public var partGap: VirtualDuration
    /// Faults addressed from the beginning of the run.
    public var faults: [LinkFaultPlan]
    /// What carries a payment reader's bytes.
    public var kind = LinkKind.direct
    /// What stands in the way whenever a reader is opened.
    public var opening: OpeningPlan?

    /// Creates links that disturb nothing.
    public init(
        delay: VirtualDuration = .zero,
        jitter: VirtualDuration = .zero,
        partByteCount: Int? = nil,
        partGap: VirtualDuration = .zero,
        faults: [LinkFaultPlan] = []
    ) {
        self.delay = delay
        self.jitter = jitter
        self.partByteCount = partByteCount
        self.partGap = partGap
        self.faults = faults
    }

    /// Whether it leaves everything as it is.
    public var isNatural: Bool {
        var other = LinkPlan()
        other.kind = kind
        return self == other
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
    /// Declined with this response code, 200 to 264; 40000 to 51200 at PAYMILL.
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
    /// A status of 500 to 599 with a body that says approved.
    case httpApproval(status: Int)
    /// The natural answer, but about another order.
    case otherOrder
    /// The connection is never made.
    case refused
    /// The natural answer, so much later.
    case slow(VirtualDuration)
}
