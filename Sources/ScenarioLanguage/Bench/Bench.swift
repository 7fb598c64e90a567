public import CardData
public import Journal

/// What lies on a desk: readers and cards by the names by which scenarios call them, and who has
/// the keys.
///
/// A scenario that says `card: visa` and `$card.masked` runs unchanged with another plastic, another
/// reader and another key; this says which they are.
public struct Bench: Hashable, Sendable {
    /// The file's path, as it was given.
    public var file: String
    /// The desk's own name; `nil` when it has none.
    public var name: String?
    /// The readers, in the file's order.
    public var readers: [BenchReader]
    /// The cards, in the file's order.
    public var cards: [BenchCard]
    /// Who can open what the readers encrypt.
    public var keys: BenchKeys

    /// Creates a bench.
    public init(
        file: String,
        name: String? = nil,
        readers: [BenchReader] = [],
        cards: [BenchCard] = [],
        keys: BenchKeys = .accept
    ) {
        self.file = file
        self.name = name
        self.readers = readers
        self.cards = cards
        self.keys = keys
    }

    /// Returns the reader of a name, or `nil`.
    public func reader(named name: String) -> BenchReader? { readers.first { $0.name == name } }

    /// Returns the card that a scenario calls so, or `nil`.
    public func card(named name: String) -> BenchCard? { cards.first { $0.name == name } }

    /// The longest file, in bytes.
    public static let maximumByteCount = 65_536
}

/// A reader on the desk.
public struct BenchReader: Hashable, Sendable {
    /// What the desk calls it.
    public var name: String
    /// Which reader it is.
    public var kind: ReaderKind
    /// Where it is, as after `--reader`.
    public var address: String
    /// Where the address stands.
    public var addressLocation: SourceLocation
    /// The port of a hub by which it can be switched off and on; `nil` when only hands can.
    public var port: HubPort?

    /// Creates a reader.
    public init(
        name: String,
        kind: ReaderKind,
        address: String,
        addressLocation: SourceLocation,
        port: HubPort? = nil
    ) {
        self.name = name
        self.kind = kind
        self.address = address
        self.addressLocation = addressLocation
        self.port = port
    }
}

/// A port of a USB hub whose power `uhubctl` can switch.
public struct HubPort: Hashable, Sendable {
    /// The hub's location, as `uhubctl` lists it: `1-1`, `2-1.4`.
    public var hub: String
    /// The port, 1 to 255.
    public var port: Int

    /// Creates a port.
    public init(hub: String, port: Int) {
        self.hub = hub
        self.port = port
    }
}

/// A card on the desk: a real plastic, as the readers report it.
public struct BenchCard: Hashable, Sendable {
    /// What scenarios call it; one of ``CardData/TestCard``.
    public var name: String
    /// Its fields as the readers report them, each at most once.
    public var fields: [Field]
    /// What stands on the plastic or its box, for the person at the desk; empty when nothing does.
    public var note: String

    /// A field of a card.
    public struct Field: Hashable, Sendable {
        /// Which one it is.
        public var field: CardField
        /// As the readers report it.
        public var value: SafeText

        /// Creates a field.
        public init(_ field: CardField, _ value: SafeText) {
            self.field = field
            self.value = value
        }
    }

    /// Creates a card.
    public init(name: String, fields: [Field], note: String = "") {
        self.name = name
        self.fields = fields
        self.note = note
    }

    /// Returns a field as the readers report it, or `nil` when the file does not say.
    public func value(of field: CardField) -> SafeText? {
        fields.first { $0.field == field }?.value
    }
}

/// Who can open what the readers of a desk encrypt.
public enum BenchKeys: Hashable, Sendable {
    /// Nobody here: the gateway takes every well-formed swipe unopened.
    case accept
    /// The gateway, with the test base derivation key that the environment holds under this name.
    case environment(variable: String, location: SourceLocation)
}
