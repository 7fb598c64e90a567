public import CardData
public import JSON

/// What a reader read of a card, as the app hands it to AgentCASH: nothing in it is in clear but
/// the masked number and the chip's data objects without number or track.
///
/// The form is our own, since the vendor's is not published.
public struct AgentCASHCard: Hashable, Sendable {
    /// How the card was read.
    public enum EntryMode: String, Hashable, Sendable, CaseIterable {
        /// By its chip, with contacts.
        case chip
        /// By its chip, without contacts.
        case contactless
        /// By its stripe.
        case magstripe
    }

    /// How the cardholder was verified.
    public enum Verification: String, Hashable, Sendable, CaseIterable {
        /// Not at all: none was required.
        case none
        /// By a signature that the app collects.
        case signature
        /// By a PIN that the chip checked.
        case offlinePIN
        /// By a PIN that the issuer checks; its block travels with the request.
        case onlinePIN
    }

    /// How the card was read.
    public var entryMode: EntryMode
    /// How the cardholder was verified.
    public var verification: Verification
    /// The number as the reader masked it; `nil` when it gave none.
    public var maskedCardNumber: MaskedCardNumber?
    /// The reader's encrypted block (tag DFAE02); empty when the reader gave none.
    public var encryptedCard: [UInt8]
    /// The key serial number of that block (tag DFAE03), 10 bytes or empty.
    public var keySerialNumber: [UInt8]
    /// The encrypted PIN block (tag DFAE04), 8 bytes or empty.
    public var pinBlock: [UInt8]
    /// The key serial number of the PIN block (tag DFAE05), 10 bytes or empty.
    public var pinKeySerialNumber: [UInt8]
    /// The chip's data objects as BER-TLV, without number, tracks and blocks.
    public var chipData: [UInt8]

    /// Creates a reading.
    public init(
        entryMode: EntryMode,
        verification: Verification,
        maskedCardNumber: MaskedCardNumber? = nil,
        encryptedCard: [UInt8] = [],
        keySerialNumber: [UInt8] = [],
        pinBlock: [UInt8] = [],
        pinKeySerialNumber: [UInt8] = [],
        chipData: [UInt8] = []
    ) {
        self.entryMode = entryMode
        self.verification = verification
        self.maskedCardNumber = maskedCardNumber
        self.encryptedCard = encryptedCard
        self.keySerialNumber = keySerialNumber
        self.pinBlock = pinBlock
        self.pinKeySerialNumber = pinKeySerialNumber
        self.chipData = chipData
    }

    /// The card as a JSON object; byte strings are hexadecimal, empty ones left out.
    public var json: JSONValue {
        var members = [
            JSONMember("entryMode", .string(entryMode.rawValue)),
            JSONMember("verification", .string(verification.rawValue)),
        ]
        if let maskedCardNumber {
            members.append(
                JSONMember("maskedCardNumber", .string(maskedCardNumber.description))
            )
        }
        func add(_ name: String, _ bytes: [UInt8]) {
            if !bytes.isEmpty {
                members.append(JSONMember(name, .string(Hexadecimal.encode(bytes))))
            }
        }
        add("encryptedCard", encryptedCard)
        add("keySerialNumber", keySerialNumber)
        add("pinBlock", pinBlock)
        add("pinKeySerialNumber", pinKeySerialNumber)
        add("chipData", chipData)
        return .object(members)
    }

    /// Reads a card.
    ///
    /// - Throws: ``AgentCASHError`` that names the member which is missing or wrong.
    public init(_ json: JSONValue) throws(AgentCASHError) {
        guard let mode = json["entryMode"]?.text.flatMap({ EntryMode(rawValue: $0) }) else {
            throw AgentCASHError(.invalidRequest, member: "card.entryMode")
        }
        guard let verification = json["verification"]?.text.flatMap({ Verification(rawValue: $0) })
        else { throw AgentCASHError(.invalidRequest, member: "card.verification") }
        self.init(entryMode: mode, verification: verification)
        if let text = json["maskedCardNumber"] {
            // A number that is not masked is refused, and no other made up in its place.
            guard let text = text.text, SafeText(scrubbing: text).description == text,
                let number = MaskedCardNumber(text)
            else {
                throw AgentCASHError(.invalidRequest, member: "card.maskedCardNumber")
            }
            maskedCardNumber = number
        }
        encryptedCard = try Self.bytes("encryptedCard", in: json, counts: 0...1_024)
        keySerialNumber = try Self.bytes("keySerialNumber", in: json, counts: 10...10)
        pinBlock = try Self.bytes("pinBlock", in: json, counts: 8...8)
        pinKeySerialNumber = try Self.bytes("pinKeySerialNumber", in: json, counts: 10...10)
        chipData = try Self.bytes("chipData", in: json, counts: 0...4_096)
        guard encryptedCard.isEmpty == keySerialNumber.isEmpty else {
            throw AgentCASHError(.invalidRequest, member: "card.keySerialNumber")
        }
        guard pinBlock.isEmpty == pinKeySerialNumber.isEmpty else {
            throw AgentCASHError(.invalidRequest, member: "card.pinKeySerialNumber")
        }
    }

    private static func bytes(
        _ name: String,
        in json: JSONValue,
        counts: ClosedRange<Int>
    ) throws(AgentCASHError) -> [UInt8] {
        guard let value = json[name] else { return [] }
        guard let bytes = value.text.flatMap({ Hexadecimal.decode($0) }),
            counts.contains(bytes.count)
        else { throw AgentCASHError(.invalidRequest, member: "card.\(name)") }
        return bytes
    }
}
