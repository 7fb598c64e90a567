public import CardData

/// What pays: one of the forms in which a card's or an account's data come to the gateway.
///
/// No description shows any of it.
///
/// Source: Direct Post API manual, "Transaction variables" and "Retail data".
public enum NMICardData: Hashable, Sendable {
    /// Typed in: `ccnumber` and `ccexp`.
    case keyed(NMIKeyedCard)
    /// The stripe in clear: `track_1` to `track_3`.
    case tracks(NMITracks)
    /// A MagTek reader's swipe: `magnesafe_*`.
    case magneSafe(MagneSafeSwipeFields)
    /// Another encrypting reader's swipe: `encrypted_track_*` and `encrypted_ksn`.
    case encrypted(NMIEncryptedTracks)
    /// What the SDK's PGEncrypt made of a card: `encrypted_payment`, as it was sent.
    case encryptedPayment([UInt8])
    /// A customer that the gateway keeps: `customer_vault_id`.
    case stored(NMIStoredPayment)
    /// A bank account: `payment=check`.
    case check(NMICheck)

    /// How many bytes the fields take in a body, names included.
    var encodedByteCount: Int {
        switch self {
        case .keyed(let card): card.encodedByteCount
        case .tracks(let tracks): tracks.encodedByteCount
        case .magneSafe(let swipe): swipe.encodedByteCount
        case .encrypted(let tracks): tracks.encodedByteCount
        case .encryptedPayment(let value): value.count + 24
        case .stored(let stored): stored.customerID.utf8.count + 24
        case .check(let check): check.encodedByteCount
        }
    }

    /// Adds the fields to a body.
    func append(to form: inout FormEncoder) {
        switch self {
        case .keyed(let card): card.append(to: &form)
        case .tracks(let tracks): tracks.append(to: &form)
        case .magneSafe(let swipe): swipe.append(to: &form)
        case .encrypted(let tracks): tracks.append(to: &form)
        case .encryptedPayment(let value): form.append("encrypted_payment", value)
        case .stored(let stored): form.append("customer_vault_id", stored.customerID)
        case .check(let check): check.append(to: &form)
        }
    }
}

extension NMICardData {
    /// Whether it is a bank account; a request about one of its transactions says so too.
    public var isCheck: Bool { if case .check = self { true } else { false } }
}

extension NMICardData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The form in which the data come, and no part of them that may not be shown.
    public var description: String {
        switch self {
        case .keyed(let card): card.description
        case .tracks(let tracks): tracks.description
        case .magneSafe(let swipe): swipe.description
        case .encrypted(let tracks): tracks.description
        case .encryptedPayment(let value): "encrypted payment of \(value.count) characters"
        case .stored: "stored customer"
        case .check(let check): check.description
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows nothing of the contents.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A card that was typed in.
///
/// The fields are kept as they were typed, blanks and strokes included, as the SDK sends them.
///
/// Source: Direct Post API manual, "Transaction variables"; that the gateway drops blanks, dashes
/// and strokes is assumed.
public struct NMIKeyedCard: Hashable, Sendable {
    /// `ccnumber` as typed, in ASCII.
    public var unmaskedNumber: [UInt8]
    /// `ccexp` as typed, in ASCII: `MMYY`, or with a stroke.
    public var expiration: [UInt8]

    /// Creates a card from what was typed.
    public init(unmaskedNumber: [UInt8], expiration: [UInt8]) {
        self.unmaskedNumber = unmaskedNumber
        self.expiration = expiration
    }

    /// Creates a card from its number and date.
    public init(_ pan: PAN, expires date: ExpirationDate) {
        var number: [UInt8] = []
        pan.appendUnmasked(to: &number)
        self.init(unmaskedNumber: number, expiration: Array(date.description.utf8))
    }

    /// The number, or `nil` unless 13 to 19 digits remain without blanks and dashes.
    public var pan: PAN? {
        let digits = unmaskedNumber.filter { $0 != 0x20 && $0 != 0x2D }
        return digits.count < 13 ? nil : PAN(digits)
    }

    /// The month of expiry, or `nil` when what was typed is none.
    public var expirationDate: ExpirationDate? {
        let digits = expiration.filter { $0 != 0x20 && $0 != 0x2F && $0 != 0x2D }
        return ExpirationDate(String(decoding: digits, as: UTF8.self))
    }

    var encodedByteCount: Int { unmaskedNumber.count + expiration.count + 16 }

    func append(to form: inout FormEncoder) {
        form.append("ccnumber", unmaskedNumber)
        form.append("ccexp", expiration)
    }
}

extension NMIKeyedCard: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The masked number, or that there is none.
    public var description: String { pan.map { "keyed card \($0)" } ?? "keyed card" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows nothing of the contents.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The security code printed on a card, which is never stored and never shown.
public struct CardSecurityCode: Hashable, Sendable {
    /// The code as typed, in ASCII; empty when the field was there without a value.
    public var unmasked: [UInt8]

    /// Creates a code from what was typed.
    public init(unmasked: [UInt8]) { self.unmasked = unmasked }
}

extension CardSecurityCode: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// No part of the code.
    public var description: String { "security code" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows nothing of the contents.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A stripe in clear, track by track, with its sentinels; empty tracks are not sent.
///
/// Source: Direct Post API manual, "Retail data", `track_1` to `track_3`.
public struct NMITracks: Hashable, Sendable {
    /// `track_1`.
    public var unmaskedTrack1: [UInt8]
    /// `track_2`.
    public var unmaskedTrack2: [UInt8]
    /// `track_3`.
    public var unmaskedTrack3: [UInt8]

    /// Creates a stripe.
    public init(
        unmaskedTrack1: [UInt8] = [],
        unmaskedTrack2: [UInt8] = [],
        unmaskedTrack3: [UInt8] = []
    ) {
        self.unmaskedTrack1 = unmaskedTrack1
        self.unmaskedTrack2 = unmaskedTrack2
        self.unmaskedTrack3 = unmaskedTrack3
    }

    /// Whether no track was read.
    public var isEmpty: Bool {
        unmaskedTrack1.isEmpty && unmaskedTrack2.isEmpty && unmaskedTrack3.isEmpty
    }

    var encodedByteCount: Int {
        unmaskedTrack1.count + unmaskedTrack2.count + unmaskedTrack3.count + 60
    }

    func append(to form: inout FormEncoder) {
        if !unmaskedTrack1.isEmpty { form.append("track_1", unmaskedTrack1) }
        if !unmaskedTrack2.isEmpty { form.append("track_2", unmaskedTrack2) }
        if !unmaskedTrack3.isEmpty { form.append("track_3", unmaskedTrack3) }
    }
}

extension NMITracks: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The lengths of the tracks, never their contents.
    public var description: String {
        "tracks of \(unmaskedTrack1.count), \(unmaskedTrack2.count) and "
            + "\(unmaskedTrack3.count) characters"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows nothing of the contents.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A swipe of an encrypting reader that is not MagTek's, as hexadecimal digits of either case.
///
/// Source: Direct Post API manual, "Retail data", IDTECH M130; the official Android library sends
/// the same names for its audio readers, `encrypted_ksn` in either case.
public struct NMIEncryptedTracks: Hashable, Sendable {
    /// `encrypted_track_1`: whole blocks of 16 digits; empty when unread.
    public var track1: [UInt8]
    /// `encrypted_track_2`: whole blocks of 16 digits; empty when unread.
    public var track2: [UInt8]
    /// `encrypted_track_3`: whole blocks of 16 digits; empty when unread.
    public var track3: [UInt8]
    /// `encrypted_ksn`: the key serial number, 20 digits.
    public var ksn: [UInt8]

    /// Creates the fields of one swipe.
    public init(
        track1: [UInt8] = [],
        track2: [UInt8] = [],
        track3: [UInt8] = [],
        ksn: [UInt8]
    ) {
        self.track1 = track1
        self.track2 = track2
        self.track3 = track3
        self.ksn = ksn
    }

    /// Whether a gateway could begin to decrypt them; see ``MagneSafeSwipeFields/isWellFormed``.
    public var isWellFormed: Bool {
        MagneSafeSwipeFields(track1: track1, track2: track2, track3: track3, ksn: ksn).isWellFormed
    }

    var encodedByteCount: Int { track1.count + track2.count + track3.count + ksn.count + 80 }

    func append(to form: inout FormEncoder) {
        if !track1.isEmpty { form.append("encrypted_track_1", track1) }
        if !track2.isEmpty { form.append("encrypted_track_2", track2) }
        if !track3.isEmpty { form.append("encrypted_track_3", track3) }
        if !ksn.isEmpty { form.append("encrypted_ksn", ksn) }
    }
}

extension NMIEncryptedTracks: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The lengths of the tracks in digits, never their contents.
    public var description: String {
        "encrypted swipe of \(track1.count), \(track2.count) and \(track3.count) digits"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows nothing of the contents.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
