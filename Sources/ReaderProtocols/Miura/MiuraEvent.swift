public import CardData

/// What a reader says on its own: an unsolicited message, by the tags in it.
///
/// Source: Miura Java SDK 1-1i, dispatcher of unsolicited messages.
public enum MiuraEvent: Hashable, Sendable {
    /// C3 and C4: the reader's status changed.
    case readerStatus(MiuraReaderStatus)
    /// DFA205: a key was pressed.
    case keyPressed(UInt8)
    /// 48: a card came, went or was swiped.
    case cardStatus(MiuraCardReport)
    /// DFAB01: a bar code was scanned.
    case barCode([UInt8])
    /// DFA401: the printer's status changed.
    case printer(MiuraPrinterStatus)
    /// DFAB02: data came from the hub's serial adaptor.
    case usbSerialData([UInt8])
    /// DFA20A: the battery's status changed.
    case battery(MiuraBattery)
    /// DFAF02: an area of the display was touched.
    case touched(UInt8)
    /// ED entries about the network.
    case wifi([MiuraEntry])
    /// DFAB03: USB was plugged or unplugged.
    case usb(isPlugged: Bool)
    /// DFA601 and DFA602: somebody wants to pair.
    case pairingRequest(passcode: String, address: [UInt8])
    /// Anything else, with the tags at its top.
    case other(MiuraResponse)
}

/// The reader's status: C3, C4 and, while a PIN is typed, how far that is.
public struct MiuraReaderStatus: Hashable, Sendable {
    /// What happened, tag C3.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The byte on the wire.
        public let rawValue: UInt8

        /// Creates a code from its byte.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// 01: switched on.
        public static let poweredOn = Code(rawValue: 0x01)
        /// 02: something about the PIN being typed.
        public static let pinEntry = Code(rawValue: 0x02)
        /// 03: the reader shows the choice of applications.
        public static let applicationSelection = Code(rawValue: 0x03)
        /// 0A: switching off.
        public static let poweringOff = Code(rawValue: 0x0A)
        /// 0B: starting anew.
        public static let rebooting = Code(rawValue: 0x0B)
        /// 0C: the reader's application starts anew.
        public static let restarting = Code(rawValue: 0x0C)
        /// C0: the cardholder shall look at the phone.
        public static let seePhone = Code(rawValue: 0xC0)
        /// CB: play the sound for success.
        public static let successSound = Code(rawValue: 0xCB)
        /// CE: play the sound for an error.
        public static let errorSound = Code(rawValue: 0xCE)
    }

    /// What became of the PIN, tag DFA102 or DFA202; 02 is published, the others follow from the
    /// order in which a host's list names them.
    public enum PINEntry: UInt8, Hashable, Sendable, CaseIterable {
        /// 01: this is the last try.
        case lastTry = 1
        /// 02: the PIN was right.
        case correct = 2
        /// 03: the PIN was wrong.
        case incorrect = 3
        /// 04: error.
        case error = 4
        /// 05: typing is over.
        case completed = 5
    }

    /// What happened.
    public var code: Code
    /// Text for people, C4.
    public var text: String
    /// How many digits of the PIN were typed; 0 means that the PIN is asked for.
    public var pinDigitCount: Int?
    /// What became of the PIN.
    public var pinEntry: PINEntry?

    /// Creates a status.
    public init(
        _ code: Code,
        _ text: String,
        pinDigitCount: Int? = nil,
        pinEntry: PINEntry? = nil
    ) {
        self.code = code
        self.text = text
        self.pinDigitCount = pinDigitCount
        self.pinEntry = pinEntry
    }
}

/// A card status message: tag 48 and what goes with it.
public struct MiuraCardReport: Hashable, Sendable {
    /// The two bytes of tag 48, the first one high.
    public struct Status: OptionSet, Hashable, Sendable {
        /// The bits on the wire.
        public let rawValue: UInt16

        /// Creates a set from its bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Byte 1, 01: a card is in the slot.
        public static let present = Status(rawValue: 0x0100)
        /// Byte 1, 02: its chip answered.
        public static let chip = Status(rawValue: 0x0200)
        /// Byte 2, 01: the stripe was read.
        public static let swiped = Status(rawValue: 0x0001)
        /// Byte 2, 02: track 1 was decoded.
        public static let track1 = Status(rawValue: 0x0002)
        /// Byte 2, 04: track 2 was decoded.
        public static let track2 = Status(rawValue: 0x0004)
        /// Byte 2, 08: track 3 was decoded.
        public static let track3 = Status(rawValue: 0x0008)
    }

    /// Where the card is and what of it was read.
    public var status: Status
    /// The other objects of E1: tracks, SRED data, answer to reset, name.
    public var objects: [TLV]

    /// Creates a report.
    public init(_ status: Status, objects: [TLV] = []) {
        self.status = status
        self.objects = objects
    }
}
