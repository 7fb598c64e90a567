/// The letter or digit of the address check, `avsresponse`.
///
/// Source: Direct Post API manual, "Response variables", table of AVS codes.
public struct NMIAVSCode: Hashable, Sendable {
    /// What the check found, as far as a program needs it.
    public enum Finding: Hashable, Sendable {
        /// Street and ZIP code are right.
        case match
        /// Only the street is right.
        case addressOnly
        /// Only the ZIP code is right.
        case zipOnly
        /// Neither is right.
        case noMatch
        /// There was no check.
        case notChecked
    }

    /// The character as received.
    public let character: Character

    /// Creates a code from the field's value, or `nil` unless it is one character.
    public init?(_ text: String) {
        guard let first = text.first, text.count == 1 else { return nil }
        character = first
    }

    /// What the check found; ``Finding/notChecked`` for a character that the table does not hold.
    public var finding: Finding {
        switch character {
        case "X", "Y", "D", "M", "2", "6": .match
        // The table has B twice, with two meanings; this is the first.
        case "A", "B", "3", "7": .addressOnly
        case "W", "Z", "P", "L", "1", "5": .zipOnly
        case "N", "C", "4", "8": .noMatch
        default: .notChecked
        }
    }

    /// The manual's wording, or `Unknown` for a character that its table does not hold.
    public var meaning: String {
        switch character {
        case "X": "Exact match, 9-character numeric ZIP"
        case "Y", "D", "M": "Exact match, 5-character numeric ZIP"
        case "2", "6": "Exact match, 5-character numeric ZIP, customer name"
        case "A", "B": "Address match only"
        case "3", "7": "Address, customer name match only"
        case "W": "9-character numeric ZIP match only"
        case "Z", "P", "L": "5-character ZIP match only"
        case "1", "5": "5-character ZIP, customer name match only"
        case "N", "C": "No address or ZIP match only"
        case "4", "8": "No address or ZIP or customer name match only"
        case "U": "Address unavailable"
        case "G", "I": "Non-U.S. issuer does not participate"
        case "R": "Issuer system unavailable"
        case "E": "Not a mail/phone order"
        case "S": "Service not supported"
        case "0", "O": "AVS not available"
        default: "Unknown"
        }
    }
}

/// The letter of the security code check, `cvvresponse`.
///
/// Source: Direct Post API manual, "Response variables", table of CVV codes.
public enum NMICVVCode: String, CaseIterable, Hashable, Sendable {
    /// The code is right.
    case match = "M"
    /// The code is wrong.
    case noMatch = "N"
    /// The code was not looked at.
    case notProcessed = "P"
    /// The merchant says that the card has no code.
    case notOnCard = "S"
    /// The issuer takes no part or gave no keys.
    case issuerNotCertified = "U"

    /// The manual's wording.
    public var meaning: String {
        switch self {
        case .match: "CVV2/CVC2 match"
        case .noMatch: "CVV2/CVC2 no match"
        case .notProcessed: "Not processed"
        case .notOnCard: "Merchant has indicated that CVV2/CVC2 is not present on card"
        case .issuerNotCertified:
            "Issuer is not certified and/or has not provided Visa encryption keys"
        }
    }
}

extension NMIResponse {
    /// What the address check found; `nil` when the answer says nothing of one.
    public var avsCode: NMIAVSCode? { NMIAVSCode(avsResponse) }

    /// What the security code check found; `nil` when the answer says nothing that is in the table.
    public var cvvCode: NMICVVCode? { NMICVVCode(rawValue: cvvResponse) }
}

extension NMIResponseCode {
    /// The kind of answer that a code comes with as a rule; captures confirm 100, 200 and 300.
    ///
    /// Source: kicbac-js, `response-codes.json`.
    public var usualKind: NMIResponse.Kind {
        switch rawValue {
        case ..<200: .approved
        case ..<300: .declined
        default: .error
        }
    }
}
