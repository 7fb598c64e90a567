public import CardData

/// A command from the host, as both the host and a simulated reader see it.
///
/// Commands that no payment, update or bench check uses come as ``other(_:)``, which holds
/// their parameters and data as they are.
/// Source: Miura Java SDK 1-1i, command builders, unless a type says otherwise.
public enum MiuraCommand: Hashable, Sendable {
    /// RESET DEVICE; the soft form only asks for serial number and software versions.
    case resetDevice(MiuraReset)
    /// GET CONFIGURATION: names and versions of the configuration files.
    case getConfiguration
    /// GET DEVICE INFO: what the reader can do.
    case getDeviceInfo
    /// CARD STATUS: whether to report cards; answered by an unsolicited message only.
    case cardStatus(MiuraCardReports)
    /// CARD STATUS SOLICITED: the card status now.
    case cardStatusSolicited(MiuraCardReports)
    /// KEYBOARD STATUS: whether to report keys, and the light.
    case keyboardStatus(MiuraKeyboardReports)
    /// BATTERY STATUS.
    case batteryStatus(MiuraBatteryRequest)
    /// PRINTER STATUS: whether to report changes; answered with the status now.
    case printerStatus(reportsChanges: Bool)
    /// USB STATUS: whether to report plugging; answered with the status now.
    case usbStatus(reportsChanges: Bool)
    /// SYSTEM CLOCK without data: asks for date and time.
    case readClock
    /// SYSTEM CLOCK with data: sets date and time.
    case setClock(MiuraClock)
    /// SYSTEM LOG: write the log to `mpi.log` (false) or remove it (true).
    case systemLog(removes: Bool)
    /// ABORT: ends a running transaction or input.
    case abort
    /// PERIPHERAL STATUS: what is attached to the hub.
    case peripheralStatus
    /// CASH DRAWER: open it, or ask whether it is open.
    case cashDrawer(opens: Bool)
    /// BAR CODE SCANNER STATUS: whether to report codes.
    case barCodeScanner(reportsCodes: Bool)
    /// DISPLAY TEXT.
    case displayText(MiuraText)
    /// One of the commands that ask the person at the reader for something.
    case input(MiuraInput)
    /// SELECT FILE: which file the next ones read or write.
    case selectFile(MiuraFileSelection)
    /// DELETE FILE: one file, or with `nil` the whole folder.
    case deleteFile(name: String?, folder: MiuraFolder)
    /// LIST FILES.
    case listFiles(MiuraFolder)
    /// READ BINARY: bytes of the selected file, from 0 up to 0x7FFFFF.
    case readBinary(offset: Int, byteCount: Int)
    /// STREAM BINARY: so many raw bytes follow the command on the link, without framing.
    case streamBinary(MiuraStream)
    /// START TRANSACTION, with the card in the slot.
    case startTransaction(MiuraTransaction)
    /// CONTINUE TRANSACTION: the objects that E2 or E4 asked for.
    case continueTransaction([TLV])
    /// START CONTACTLESS TRANSACTION: waits for a tap.
    case startContactless(MiuraTransaction)
    /// ONLINE PIN for a swipe.
    case onlinePIN(MiuraOnlinePIN)
    /// GET NEXT TRANSACTION SEQUENCE COUNTER.
    case getNextSequenceCounter
    /// P2PE STATUS: which keys are there.
    case p2peStatus
    /// P2PE INITIALISE: makes the files for a key injection; takes up to two minutes.
    case p2peInitialise
    /// P2PE IMPORT: takes the key files that were loaded.
    case p2peImport
    /// P2PE GET KSN FOR MAC.
    case p2peGetKSNForMAC
    /// Any other command, by its bytes.
    case other(MiuraAPDU)

    /// The command's published name, or `nil` for a code that no source lists.
    public var name: MiuraCommandName? { MiuraCommandName(rawValue: apdu.code) }
}

/// What RESET DEVICE does: its P1.
public enum MiuraReset: UInt8, Hashable, Sendable, CaseIterable {
    /// 00: nothing but answer with serial number and software.
    case soft = 0
    /// 01: apply uploaded files and start anew.
    case hard = 1
    /// 02: remove uploaded files.
    case clearFiles = 2
    /// 03: remove files and set up the mass storage again; not on the hub.
    case clearFilesAndMassStorage = 3
}

/// What card status messages shall hold: P1 and P2 of CARD STATUS.
public struct MiuraCardReports: OptionSet, Hashable, Sendable {
    /// P1 in the low byte, P2 in the high one.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// P1 01: report changes.
    public static let changes = MiuraCardReports(rawValue: 0x01)
    /// P1 02: include the answer to reset.
    public static let answerToReset = MiuraCardReports(rawValue: 0x02)
    /// P1 04: include track 1.
    public static let track1 = MiuraCardReports(rawValue: 0x04)
    /// P1 08: include track 2.
    public static let track2 = MiuraCardReports(rawValue: 0x08)
    /// P1 10: include track 3.
    public static let track3 = MiuraCardReports(rawValue: 0x10)
    /// P2 01: include the cardholder's name; newer readers only.
    public static let cardholderName = MiuraCardReports(rawValue: 0x100)
    /// Changes with tracks 1 and 2: P1 0D, as hosts ask for payments.
    public static let payments: MiuraCardReports = [.changes, .track1, .track2]
}

/// P1 and P2 of KEYBOARD STATUS: 00 off, 01 on, FF no change.
public struct MiuraKeyboardReports: Hashable, Sendable {
    /// Whether keys are reported; `nil` leaves it.
    public var reportsKeys: Bool?
    /// Whether the light is on; `nil` leaves it.
    public var isLit: Bool?

    /// Creates a request.
    public init(reportsKeys: Bool?, isLit: Bool? = nil) {
        self.reportsKeys = reportsKeys
        self.isLit = isLit
    }
}

/// What BATTERY STATUS does.
public enum MiuraBatteryRequest: Hashable, Sendable {
    /// P1 00: answer with the battery's status.
    case query
    /// P1 01: sleep; the link then drops.
    case sleep
    /// P1 02: switch off.
    case powerOff
    /// P1 03: report when charging changes (P2 01), when the charge gets low (P2 02).
    case report(chargingChanges: Bool, lowCharge: Bool)
}

/// What DISPLAY TEXT shows.
public struct MiuraText: Hashable, Sendable {
    /// The characters: ASCII, or UTF-8 when so marked; 0A begins a line.
    ///
    /// Newer readers take a format between 02 and 03 before the text.
    public var characters: [UInt8]
    /// P1 01: the large font; else four lines of 21 characters.
    public var isLarge: Bool
    /// P2 01: switch the display's light on.
    public var isLit: Bool
    /// P2 80: the characters are UTF-8.
    public var isUTF8: Bool

    /// Creates a text; one with other characters than ASCII is marked as UTF-8.
    public init(_ text: String, isLarge: Bool = false, isLit: Bool = false) {
        characters = Array(text.utf8)
        self.isLarge = isLarge
        self.isLit = isLit
        isUTF8 = characters.contains { $0 > 0x7F }
    }

    /// The characters as text; bytes that are no UTF-8 come out as U+FFFD.
    public var text: String { String(decoding: characters, as: UTF8.self) }
}

/// A command that asks the person at the reader: its parameters, and the objects of its E0.
public struct MiuraInput: Hashable, Sendable {
    /// What is asked for.
    public enum Kind: UInt16, Hashable, Sendable, CaseIterable {
        /// GET NUMERIC DATA.
        case numericData = 0xD204
        /// GET DYNAMIC TIP.
        case dynamicTip = 0xD205
        /// GET MENU OPTION.
        case menuOption = 0xD206
        /// GET ALPHANUMERIC DATA.
        case alphanumericData = 0xD207
        /// GET EXPIRATION DATE.
        case expirationDate = 0xD208
        /// GET SECURE PAN.
        case securePAN = 0xD25A
        /// GET SECURE DATA.
        case secureData = 0xD2E0
    }

    /// What is asked for.
    public var kind: Kind
    /// P1, whose bits differ by kind.
    public var p1: UInt8
    /// P2: 01 display light, 02 key light, 04 empty input allowed; more by kind.
    public var p2: UInt8
    /// The objects inside E0.
    public var objects: [TLV]

    /// Creates a request for input.
    public init(_ kind: Kind, p1: UInt8 = 0, p2: UInt8 = 0, objects: [TLV] = []) {
        self.kind = kind
        self.p1 = p1
        self.p2 = p2
        self.objects = objects
    }
}

/// Where files are: P2 of the file commands.
public enum MiuraFolder: UInt8, Hashable, Sendable, CaseIterable {
    /// 00: temporary files and those to be installed.
    case installation = 0
    /// 01: what applications store.
    case application = 1
}

/// What SELECT FILE opens.
public struct MiuraFileSelection: Hashable, Sendable {
    /// How the file is opened: P1.
    public enum Mode: UInt8, Hashable, Sendable, CaseIterable {
        /// 00: as it is, to read or append.
        case append = 0x00
        /// 01: empty.
        case truncate = 0x01
        /// 80: to append, and the answer holds the MD5.
        case appendWithMD5 = 0x80
    }

    /// The file's name, in ASCII.
    public var name: String
    /// How it is opened.
    public var mode: Mode
    /// Where it is.
    public var folder: MiuraFolder

    /// Creates a selection.
    public init(_ name: String, _ mode: Mode, in folder: MiuraFolder = .installation) {
        self.name = name
        self.mode = mode
        self.folder = folder
    }
}

/// What STREAM BINARY announces.
public struct MiuraStream: Hashable, Sendable {
    /// The bytes that the vendor's SDK streams with one command.
    public static let usualByteCount = 131_072
    /// The largest offset and byte count: three bytes.
    public static let maximumByteCount = 0xFF_FFFF

    /// Where in the selected file the bytes belong, DFA301.
    public var offset: Int
    /// How many raw bytes follow the command, DFA302.
    public var byteCount: Int
    /// DFA303, one byte or two; its unit is not published (assumed: seconds).
    public var timeLimit: Int
    /// P1 01: answer with the MD5.
    public var returnsMD5: Bool

    /// Creates an announcement; the vendor's SDK uses a time limit of 100.
    public init(offset: Int, byteCount: Int, timeLimit: Int = 100, returnsMD5: Bool = false) {
        self.offset = offset
        self.byteCount = byteCount
        self.timeLimit = timeLimit
        self.returnsMD5 = returnsMD5
    }
}

/// What ONLINE PIN asks for after a swipe.
public struct MiuraOnlinePIN: Hashable, Sendable {
    /// The amount in minor units, 9F02.
    public var amountMinorUnits: Int
    /// The currency's ISO 4217 number, 5F2A.
    public var currency: Int
    /// The application's label, 50.
    public var label: String
    /// The masked track 2 as the card status message had it, DFAE22.
    public var maskedTrack2: [UInt8]
    /// P2 01: the cardholder may go on without a PIN.
    public var allowsBypass: Bool
    /// P2 80: answer with DFAE02 and DFAE03 instead of DFAE04 and DFAE05.
    public var wantsEncryptedData: Bool

    /// Creates a request.
    public init(
        amountMinorUnits: Int,
        currency: Int,
        label: String,
        maskedTrack2: [UInt8],
        allowsBypass: Bool = false,
        wantsEncryptedData: Bool = false
    ) {
        self.amountMinorUnits = amountMinorUnits
        self.currency = currency
        self.label = label
        self.maskedTrack2 = maskedTrack2
        self.allowsBypass = allowsBypass
        self.wantsEncryptedData = wantsEncryptedData
    }
}
