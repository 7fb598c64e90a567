public import CardCrypto

/// One of the SDK's card objects, as far as the gateway needs it, and the string that the app sends
/// or encrypts for it.
///
/// Values are kept as the app set them; `nil` is a field that was never set. No description shows
/// any of it.
///
/// | object | string |
/// | --- | --- |
/// | `PGKeyedCard` | `ccnumber`, `ccexp`, then `cvv`, `cc_start_date`, `cc_issue_number` |
/// | `PGSwipedCard` | `track_1`, then `track_2`, `track_3`, `cvv` |
/// | `PGEncryptedSwipedCard` | `encrypted_track_1`, then `encrypted_track_2`, `encrypted_track_3`, `encrypted_ksn`, `cvv` |
/// | `PGMagnesafeSwipedCard` | `magnesafe_track_1`, then `magnesafe_track_2`, `magnesafe_track_3`, `magnesafe_ksn`, `magnesafe_magneprint`, `magnesafe_magneprint_status`, `cvv` |
///
/// The first field of a row (of a keyed card the first two) is always there, and holds the four
/// letters `null` when it was never set; the others are there unless they are `nil`. Nothing is
/// escaped.
/// Source: SDK document, `getDirectPostStringWithCVVIncluded:`; observed on the vendor's Android
/// library. The last row is assumed: only the names are documented.
public struct DirectPostCard: Hashable, Sendable {
    private struct Field: Hashable {
        var name: String
        var value: [UInt8]?
        var isAlwaysThere = false
    }

    private var fields: [Field]

    /// The security code, which ``text(includingCVV:)`` may leave out.
    public var cvv: CardSecurityCode?
    /// Where the security code stands among the fields.
    private var cvvIndex: Int

    private init(_ fields: [Field], cvv: [UInt8]?, cvvIndex: Int? = nil) {
        self.fields = fields
        self.cvv = cvv.map { CardSecurityCode(unmasked: $0) }
        self.cvvIndex = cvvIndex ?? fields.count
    }

    /// A card that was typed in: `PGKeyedCard`.
    ///
    /// - Parameters:
    ///   - unmaskedNumber: The number as typed, blanks and all.
    ///   - expirationDate: The month of expiry as typed, `MMYY`.
    ///   - cvv: The security code.
    ///   - startDate: The date from which on the card is valid, on some Maestro cards.
    ///   - issueNumber: The issue number, on some Maestro cards.
    /// - Returns: The card.
    public static func keyed(
        unmaskedNumber: [UInt8]?,
        expirationDate: [UInt8]?,
        cvv: [UInt8]?,
        startDate: [UInt8]? = nil,
        issueNumber: [UInt8]? = nil
    ) -> DirectPostCard {
        DirectPostCard(
            [
                Field(name: "ccnumber", value: unmaskedNumber, isAlwaysThere: true),
                Field(name: "ccexp", value: expirationDate, isAlwaysThere: true),
                Field(name: "cc_start_date", value: startDate),
                Field(name: "cc_issue_number", value: issueNumber),
            ],
            cvv: cvv,
            cvvIndex: 2
        )
    }

    /// A stripe in clear: `PGSwipedCard`.
    public static func swiped(
        unmaskedTrack1: [UInt8]?,
        unmaskedTrack2: [UInt8]?,
        unmaskedTrack3: [UInt8]?,
        cvv: [UInt8]? = nil
    ) -> DirectPostCard {
        DirectPostCard(
            [
                Field(name: "track_1", value: unmaskedTrack1, isAlwaysThere: true),
                Field(name: "track_2", value: unmaskedTrack2),
                Field(name: "track_3", value: unmaskedTrack3),
            ],
            cvv: cvv
        )
    }

    /// A swipe of an audio-jack reader: `PGEncryptedSwipedCard`; all in hexadecimal digits.
    public static func encryptedSwipe(
        track1: [UInt8]?,
        track2: [UInt8]?,
        track3: [UInt8]?,
        ksn: [UInt8]?,
        cvv: [UInt8]? = nil
    ) -> DirectPostCard {
        DirectPostCard(
            [
                Field(name: "encrypted_track_1", value: track1, isAlwaysThere: true),
                Field(name: "encrypted_track_2", value: track2),
                Field(name: "encrypted_track_3", value: track3),
                Field(name: "encrypted_ksn", value: ksn),
            ],
            cvv: cvv
        )
    }

    /// A swipe of a MagTek reader: `PGMagnesafeSwipedCard`; fields that are empty were never set.
    public static func magneSafe(
        _ swipe: MagneSafeSwipeFields,
        cvv: [UInt8]? = nil
    ) -> DirectPostCard {
        func set(_ bytes: [UInt8]) -> [UInt8]? { bytes.isEmpty ? nil : bytes }
        return DirectPostCard(
            [
                Field(name: "magnesafe_track_1", value: set(swipe.track1), isAlwaysThere: true),
                Field(name: "magnesafe_track_2", value: set(swipe.track2)),
                Field(name: "magnesafe_track_3", value: set(swipe.track3)),
                Field(name: "magnesafe_ksn", value: set(swipe.ksn)),
                Field(name: "magnesafe_magneprint", value: set(swipe.magnePrint)),
                Field(name: "magnesafe_magneprint_status", value: set(swipe.magnePrintStatus)),
            ],
            cvv: cvv
        )
    }

    /// The string for the gateway; SDK name `getDirectPostStringWithCVVIncluded:`.
    ///
    /// It is in clear, and the values in it are not escaped: a CVV such as `9&9` splits a field.
    /// Encrypt it, or send the fields one by one through a ``FormEncoder``.
    public func unmaskedText(includingCVV: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ name: String, _ value: [UInt8]) {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            bytes.append(contentsOf: name.utf8)
            bytes.append(UInt8(ascii: "="))
            bytes.append(contentsOf: value)
        }
        for index in 0...fields.count {
            if index == cvvIndex, includingCVV, let cvv { add("cvv", cvv.unmasked) }
            guard index < fields.count else { break }
            let field = fields[index]
            if let value = field.value {
                add(field.name, value)
            } else if field.isAlwaysThere {
                add(field.name, Array("null".utf8))
            }
        }
        return bytes
    }
}

extension DirectPostCard: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// No part of the card.
    public var description: String { "card for Direct Post" }

    /// No part of the card.
    public var debugDescription: String { "card for Direct Post" }

    /// Shows nothing of the contents.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PGEncrypt {
    /// Encrypts a card; SDK name `encrypt:includeCVV:`.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - includingCVV: Whether the security code goes with it.
    ///   - generator: Where key, vector and padding come from.
    /// - Returns: The value of the field `encrypted_payment`.
    /// - Throws: ``PGEncryptError`` without a key or for a card that is too long.
    public func encrypt(
        _ card: DirectPostCard,
        includingCVV: Bool,
        using generator: inout some RandomNumberGenerator
    ) throws(PGEncryptError) -> String {
        try encrypt(card.unmaskedText(includingCVV: includingCVV), using: &generator)
    }
}
