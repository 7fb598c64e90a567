public import EventLoops
public import Journal

/// What a hand does with a card at a payment reader.
public struct CardActPlan: Hashable, Sendable {
    /// The reader, an index into ``RigPlan/readers``.
    public var reader: Int
    /// The card's name; one of ``CardData/TestCard``.
    public var card: String

    /// Creates an act.
    public init(reader: Int, card: String) {
        self.reader = reader
        self.card = card
    }
}

/// Keys that a hand presses at a payment reader; digits may be those of a PIN, so that nothing
/// shows them.
public struct KeysPlan: Hashable, Sendable {
    /// One key.
    public enum Key: Hashable, Sendable {
        /// A digit, 0 to 9.
        case digit(UInt8)
        /// Enter, green.
        case enter
        /// Clear, yellow.
        case clear
        /// Cancel, red.
        case cancel
    }

    /// The reader, an index into ``RigPlan/readers``.
    public var reader: Int
    /// The keys, in order.
    public var keys: [Key]
    /// The time between one key and the next.
    public var pause: VirtualDuration

    /// Creates keys that follow one another at once.
    public init(reader: Int, keys: [Key], pause: VirtualDuration = .zero) {
        self.reader = reader
        self.keys = keys
        self.pause = pause
    }

    /// The longest row of keys.
    public static let maximumCount = 64

    /// Reads words such as `1234 enter`; `nil` for a word that names no key, for none and for more
    /// than ``maximumCount``.
    public static func keys(_ text: String) -> [Key]? {
        var keys: [Key] = []
        for word in text.split(separator: " ") {
            switch word {
            case "enter": keys.append(.enter)
            case "clear": keys.append(.clear)
            case "cancel": keys.append(.cancel)
            default:
                for byte in word.utf8 {
                    guard byte >= 0x30, byte <= 0x39 else { return nil }
                    keys.append(.digit(byte - 0x30))
                }
            }
        }
        return keys.isEmpty || keys.count > maximumCount ? nil : keys
    }

    /// The keys as they may be shown: `•••• enter`.
    public var masked: String { Self.masked(keys) }

    static func masked(_ keys: [Key]) -> String {
        var words: [String] = []
        var wasDigit = false
        for key in keys {
            switch key {
            case .digit:
                if wasDigit { words[words.count - 1] += "•" } else { words.append("•") }
            case .enter: words.append("enter")
            case .clear: words.append("clear")
            case .cancel: words.append("cancel")
            }
            if case .digit = key { wasDigit = true } else { wasDigit = false }
        }
        return words.joined(separator: " ")
    }
}

extension KeysPlan: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The keys as they may be shown.
    public var description: String { masked }

    /// The keys as they may be shown.
    public var debugDescription: String { masked }

    /// A mirror without children, so that no dump shows a PIN.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What came of a signature (`sign`).
public struct SignPlan: Hashable, Sendable {
    /// successful, cancelled or signaturesDontMatch.
    public var result: Symbol
    /// Whether the app gives an image, which a cancelled one has not.
    public var hasImage: Bool

    /// Creates a result.
    public init(result: Symbol, hasImage: Bool) {
        self.result = result
        self.hasImage = hasImage
    }
}

/// What an app asks of AgentCASH beside the amount (`charge`).
public struct PaymentPlan: Hashable, Sendable {
    /// The amount as the app writes it, right or wrong; `nil` where ``ChargePlan/amount`` holds.
    public var amountText: String?
    /// The currency.
    public var currency = "GBP"
    /// Whether the money is taken at once.
    public var isCaptured = true
    /// The number of instalments.
    public var installmentCount = 1
    /// The free string of the app; empty for none.
    public var externalID = ""
    /// The address that is told of every event; empty for none.
    public var webhookURL = ""
    /// The reader, an index into ``RigPlan/readers``; the first one where nothing is said.
    public var reader = 0
    /// Another name or address than the reader's own, by which it is looked for.
    public var readerAddress: String?

    /// Creates what is asked where nothing is said.
    public init() {}
}

/// What a hand does to a payment reader as a whole.
public enum PowerAct: Hashable, Sendable {
    /// It is switched off.
    case off
    /// It is switched on.
    case on
    /// It starts anew.
    case reboot
}

/// What is done to a payment reader beside payments (`load wifi`, `roam`).
public struct ReaderCarePlan: Hashable, Sendable {
    /// What is done.
    public enum Act: Hashable, Sendable {
        /// A `wifi.cfg` with this text is loaded; `nil` is a valid one.
        case loadWiFi(text: String?)
        /// It leaves its network for so long.
        case roam(VirtualDuration)
    }

    /// The reader, an index into ``RigPlan/readers``.
    public var reader: Int
    /// What is done.
    public var act: Act

    /// Creates an act.
    public init(reader: Int, _ act: Act) {
        self.reader = reader
        self.act = act
    }
}

/// A Miura reader (`rig: { reader: { kind: miura, … } }`).
public struct MiuraPlan: Hashable, Sendable {
    /// Which reader it is.
    public enum Model: String, CaseIterable, Hashable, Sendable {
        /// Chip, PIN pad and stripe.
        case m006 = "M006"
        /// The same with a contactless field.
        case m010 = "M010"
    }

    /// What Cancel does while a tap is awaited.
    public enum CancelKey: String, CaseIterable, Hashable, Sendable {
        /// It ends the transaction.
        case endsTransaction = "ends transaction"
        /// It first switches contactless off.
        case contactlessOff = "contactless off"
    }

    /// Which reader it is.
    public var model = Model.m010
    /// What Cancel does; `nil` for the usual reading.
    public var cancelKey: CancelKey?
    /// Whether it has keys for card data and PINs.
    public var hasKeys = true
    /// Whether Enter without a digit goes on without a PIN.
    public var allowsPINBypass = false
    /// Whether it answers an ABORT after the command that it hit.
    public var answersAbortLast = false
    /// Whether it was set up for the network (`wifi.cfg`).
    public var hasWiFi = true

    /// Creates a reader as it is delivered.
    public init() {}
}

/// How the app uses `PaymentProvider` (`rig: { sdk: … }`).
public struct PaymentSDKPlan: Hashable, Sendable {
    /// Whether a decline is told as an error.
    public var declineIsError = false
    /// Whether a payment goes on to its end when its reader is lost after the authorisation.
    public var lostReaderCompletes = true
    /// Whether a damaged frame ends the link, as with the vendor's SDK; else it is read over.
    public var damageDropsLink: Bool?
    /// Whether a cardholder may go on without a PIN after a swipe.
    public var allowsPINBypass = false
    /// How long the app may take to collect the signature; `nil` leaves it to the SDK.
    public var signatureTimeout: VirtualDuration?
    /// How long a card is awaited; `nil` leaves it to the SDK.
    public var cardTimeout: VirtualDuration?
    /// The account's name; `nil` for the right one.
    public var username: String?
    /// Whether the account's password is a wrong one.
    public var hasWrongPassword = false

    /// Creates the usual reading.
    public init() {}
}

/// How far `PaymentProvider` goes (`rig: { mode: … }`).
public enum PaymentMode: String, CaseIterable, Hashable, Sendable {
    /// Neither reader nor service is contacted.
    case mock
    /// The reader and the test service.
    case test
    /// The reader and the production service, which is simulated as well.
    case production
}

/// What carries a payment reader's bytes (`rig: { link: { kind: … } }`).
public enum LinkKind: String, CaseIterable, Hashable, Sendable {
    /// Whatever the reader has.
    case direct
    /// A network: the reader listens, and the app connects.
    case tcp
    /// A serial line.
    case serial
    /// Bluetooth, by the reader's name.
    case bluetooth
}
