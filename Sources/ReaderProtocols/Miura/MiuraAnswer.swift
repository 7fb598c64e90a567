public import CardData

/// What the answer to a command says, as both the host and a simulated reader see it.
///
/// Objects are found wherever they are in the body, as by the vendor's SDK; encoded they stand in
/// E1, with the order of the sources. What only the name of a tag suggests is said in
/// Docs/miura.md.
public enum MiuraAnswer: Hashable, Sendable {
    /// Done; nothing to say.
    case done
    /// RESET DEVICE: who answers.
    case software(MiuraSoftware)
    /// GET CONFIGURATION and GET DEVICE INFO: names with versions or values.
    case entries([MiuraEntry])
    /// CARD STATUS SOLICITED.
    case cardStatus(MiuraCardReport)
    /// BATTERY STATUS.
    case battery(MiuraBattery)
    /// PRINTER STATUS.
    case printer(MiuraPrinterStatus)
    /// USB STATUS: whether a host is plugged in.
    case usb(isPlugged: Bool)
    /// SYSTEM CLOCK, read.
    case clock(MiuraClock)
    /// CASH DRAWER.
    case cashDrawer(isOpen: Bool)
    /// PERIPHERAL STATUS: names of what is attached.
    case peripherals([String])
    /// What the person typed or chose, with the other objects of E1.
    case input([TLV])
    /// SELECT FILE: the file's size, and its MD5 where it was asked for.
    case file(byteCount: Int, md5: [UInt8]?)
    /// LIST FILES.
    case files(names: [String], spaceUsed: Int, slotsUsed: Int)
    /// READ BINARY: the bytes.
    case fileBytes([UInt8])
    /// STREAM BINARY with an MD5.
    case md5([UInt8])
    /// START, CONTINUE and contactless: what came of it.
    case transaction(MiuraOutcome)
    /// ONLINE PIN: a PIN block, or why there is none.
    case onlinePIN(MiuraPINResult)
    /// GET NEXT TRANSACTION SEQUENCE COUNTER.
    case sequenceCounter(Int)
    /// P2PE STATUS.
    case p2peStatus(MiuraP2PEStatus)
    /// P2PE GET KSN FOR MAC.
    case ksn([UInt8])
    /// Success with a body that this command's answers are not known to have, or of a command
    /// without a typed answer.
    case other([UInt8])
    /// Any status word but 9000, with its body, mostly empty.
    case refused(MiuraStatusWord, [UInt8])
}

/// A serial number and the software of a node.
public struct MiuraSoftware: Hashable, Sendable {
    /// The serial number, eight ASCII digits; tag 9F1E.
    public var serialNumber: String
    /// The application and the operating system with their versions, EF.
    public var software: [MiuraEntry]
    /// Other things it can, ED, such as ``extendedAPDU``.
    public var abilities: [MiuraEntry]

    /// The ability that allows the extended form of commands.
    public static let extendedAPDU = "Extended APDU"

    /// Creates an answer.
    public init(serialNumber: String, software: [MiuraEntry], abilities: [MiuraEntry] = []) {
        self.serialNumber = serialNumber
        self.software = software
        self.abilities = abilities
    }

    /// Whether the extended form of commands may be used.
    public var understandsExtendedAPDU: Bool {
        abilities.contains { $0.name == Self.extendedAPDU }
    }
}

/// A name with a version or value: DF0D and DF7F inside EF or ED.
public struct MiuraEntry: Hashable, Sendable {
    /// The name, DF0D.
    public var name: String
    /// The version or value, DF7F, where there is one.
    public var value: String?

    /// Creates an entry.
    public init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }
}

/// What came of a transaction, by the template of the answer.
public enum MiuraOutcome: Hashable, Sendable {
    /// E2: the host must choose an application, or answer the risk management stage.
    case decisionRequired([TLV])
    /// E3: approved.
    case approved([TLV])
    /// E4: the issuer must be asked.
    case onlineRequired([TLV])
    /// E5: declined.
    case declined([TLV])

    /// The template's tag.
    public var tag: TLVTag {
        switch self {
        case .decisionRequired: .decisionRequired
        case .approved: .transactionApproved
        case .onlineRequired: .onlineAuthorisationRequired
        case .declined: .transactionDeclined
        }
    }

    /// The objects in the template.
    public var objects: [TLV] {
        switch self {
        case .decisionRequired(let objects), .approved(let objects), .onlineRequired(let objects),
            .declined(let objects):
            objects
        }
    }

    /// Whether the reader now waits for CONTINUE TRANSACTION.
    public var waitsForContinue: Bool {
        switch self {
        case .decisionRequired, .onlineRequired: true
        case .approved, .declined: false
        }
    }

    /// Creates an outcome from a template; `nil` for one that ends no transaction.
    public init?(_ template: TLV) {
        switch template.tag {
        case .decisionRequired: self = .decisionRequired(template.children)
        case .transactionApproved: self = .approved(template.children)
        case .onlineAuthorisationRequired: self = .onlineRequired(template.children)
        case .transactionDeclined: self = .declined(template.children)
        default: return nil
        }
    }
}

/// What ONLINE PIN gave.
public enum MiuraPINResult: Hashable, Sendable {
    /// An encrypted PIN block and its key serial number.
    case block([UInt8], ksn: [UInt8])
    /// The SRED form of it, as P2 80 asks.
    case encryptedData([UInt8], ksn: [UInt8])
    /// 08: cancelled, or the time to type ran out.
    case cancelledOrTimedOut
    /// 09, 0A or 0B: an internal error.
    case internalError(UInt8)
    /// 0C: the cardholder went on without a PIN.
    case bypassed
}

/// Which keys a reader has: the byte of DFAE01.
public struct MiuraP2PEStatus: OptionSet, Hashable, Sendable {
    /// The bits on the wire.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// 01: initialised, and waiting for keys.
    public static let initialised = MiuraP2PEStatus(rawValue: 0x01)
    /// 02: the PIN key is ready.
    public static let pinReady = MiuraP2PEStatus(rawValue: 0x02)
    /// 04: the SRED key is ready.
    public static let sredReady = MiuraP2PEStatus(rawValue: 0x04)
}

/// The battery's state: DFA209 and DFA20A.
public struct MiuraBattery: Hashable, Sendable {
    /// Where the power comes from.
    public enum Charging: UInt8, Hashable, Sendable, CaseIterable {
        /// 00: on battery.
        case onBattery = 0x00
        /// 01: charging.
        case charging = 0x01
        /// 02: fully charged.
        case charged = 0x02
        /// F0: charge error.
        case error = 0xF0
        /// F1: the charge timer expired.
        case timerExpired = 0xF1
    }

    /// The charge in percent, 0 to 100.
    public var percentage: Int
    /// Where the power comes from, where the reader says so.
    public var charging: Charging?

    /// Creates a state.
    public init(percentage: Int, charging: Charging?) {
        self.percentage = percentage
        self.charging = charging
    }
}

/// The printer's state: the byte of DFA401.
public struct MiuraPrinterStatus: OptionSet, Hashable, Sendable {
    /// The bits on the wire.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// 01: powered.
    public static let powered = MiuraPrinterStatus(rawValue: 0x01)
    /// 02: attached.
    public static let attached = MiuraPrinterStatus(rawValue: 0x02)
    /// 04: there is paper.
    public static let hasPaper = MiuraPrinterStatus(rawValue: 0x04)
    /// 08: data waits to be printed.
    public static let scheduled = MiuraPrinterStatus(rawValue: 0x08)
    /// 10: printing.
    public static let printing = MiuraPrinterStatus(rawValue: 0x10)
    /// 20: error.
    public static let error = MiuraPrinterStatus(rawValue: 0x20)
}
