import CardData
public import ReaderProtocols

/// What a simulated Miura reader does about something, at once and in this order.
public enum MiuraReaderEffect: Hashable, Sendable {
    /// It sends bytes, one frame each, or puts them on their way.
    case send(ReaderTransmission)
    /// It ends the link: it sleeps, is switched off or starts anew.
    case dropLink
    /// A host can reach it again.
    case reachable
    /// Nobody is told; it is there to be written down.
    case noted(MiuraFact)
}

/// Something about a Miura reader that no host is told.
public enum MiuraFact: Hashable, Sendable {
    /// A command begins to be executed; its answer may come much later.
    case began(MiuraCommandName?)
    /// The frames that follow are the answer to a command; `nil` is none that the reader knows, or
    /// an answer to no command.
    case answers(MiuraCommandName?, MiuraStatusWord)
    /// The display shows another text.
    case displayed(String)
    /// The reader waits for a PIN, so keys mean digits.
    case pinAsked
    /// The reader waits for the choice of an application; the labels in the order of the keys.
    case choiceAsked([String])
    /// The card approved (TC) or declined (AAC), by itself or after the issuer's word.
    case cardDecided(isApproved: Bool)
    /// The reader waits for input.
    case inputAsked
    /// A transaction began or ended; the sequence counter names it.
    case transactionBegan(sequenceCounter: Int)
    /// Bytes came that are no frame.
    case damaged(MiuraDamage)
    /// The commands that wait are too many, and one was dropped.
    case commandDropped
    /// A tap or a swipe had no effect.
    case cardIgnored
    /// A key had no effect.
    case keyIgnored
    /// The reader started anew with these files installed.
    case installed([String])
    /// The reader starts to listen on a TCP port, or stops to (`nil`).
    case listens(port: Int?)
}

/// A key of the reader.
public enum MiuraKey: Hashable, Sendable {
    /// A digit, 0 to 9; another number is no key.
    case digit(UInt8)
    /// Clear, yellow.
    case clear
    /// Enter, green.
    case enter
    /// Cancel, red.
    case cancel

    /// The code of a key event (DFA205); only that of Cancel is published.
    public var code: UInt8 {
        switch self {
        case .digit(let digit): 0x30 + min(9, digit)
        case .clear: 0x08
        case .enter: 0x0D
        case .cancel: 0x1B
        }
    }

    /// Reads words such as `1234 enter`, or returns `nil` for a word that names no key.
    public static func keys(_ text: String) -> [MiuraKey]? {
        var keys: [MiuraKey] = []
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
        return keys
    }
}

extension MiuraKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key's name; a digit may be one of a PIN, and is a dot.
    public var description: String {
        switch self {
        case .digit: "•"
        case .clear: "clear"
        case .enter: "enter"
        case .cancel: "cancel"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
