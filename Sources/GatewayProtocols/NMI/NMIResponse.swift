import CardData
/// The gateway's answer to a payment request: one line of `name=value` pairs.
///
/// Fields may come in any order; unknown ones are kept aside; texts hold raw blanks; the type is
/// often empty. The HTTP status says nothing: approvals, declines and errors all come with 200.
///
/// Source: Direct Post API manual, "Response variables".
public struct NMIResponse: Hashable, Sendable {
    /// What became of the request, the field `response`.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Approved (1).
        case approved = 1
        /// The processor or the issuer said no (2).
        case declined = 2
        /// A wrong request, a rule of the gateway or a failure of the system (3).
        case error = 3
    }

    /// A field that is not one of the nine standard ones.
    public struct Field: Hashable, Sendable {
        /// The name as received.
        public var name: String
        /// The decoded value.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What became of the request, `response`.
    public var kind: Kind
    /// Free text for people, `responsetext`.
    public var text: String
    /// The issuer's code, `authcode`; a declined check may carry one too.
    public var authCode: String
    /// The gateway's number, `transactionid`; `nil` when nothing was stored (empty or `0`).
    public var transactionID: NMITransactionID?
    /// The address check's letter, `avsresponse`, or empty.
    public var avsResponse: String
    /// The security code check's letter, `cvvresponse`, or empty.
    public var cvvResponse: String
    /// The echo of the request's `orderid`.
    public var orderID: String
    /// The echo of the request's `type`; empty in many answers, so nothing may depend on it.
    public var type: String
    /// The three-digit `response_code`.
    public var responseCode: NMIResponseCode
    /// Everything else, in the order received.
    public var otherFields: [Field]

    /// Creates an answer.
    public init(
        kind: Kind,
        text: String,
        authCode: String = "",
        transactionID: NMITransactionID? = nil,
        avsResponse: String = "",
        cvvResponse: String = "",
        orderID: String = "",
        type: String = "",
        responseCode: NMIResponseCode,
        otherFields: [Field] = []
    ) {
        self.kind = kind
        self.text = text
        self.authCode = authCode
        self.transactionID = transactionID
        self.avsResponse = avsResponse
        self.cvvResponse = cvvResponse
        self.orderID = orderID
        self.type = type
        self.responseCode = responseCode
        self.otherFields = otherFields
    }

    /// The ticket number that error texts end with, as in `Invalid amount REFID:3150032552`.
    public var referenceNumber: UInt64? {
        let mark = Array("REFID:".utf8)
        let bytes = Array(text.utf8)
        guard bytes.count > mark.count else { return nil }
        for start in 0..<(bytes.count - mark.count)
        where bytes[start..<(start + mark.count)].elementsEqual(mark) {
            return bytes[(start + mark.count)...].decimalValue
        }
        return nil
    }

    /// The body as the gateway writes it: nine fields, then the others; blanks stay raw.
    ///
    /// `&`, `=`, `%` and `+` inside values are escaped, which is assumed: no capture has one.
    public var body: [UInt8] { body(withIDZero: false) }

    /// The same as ``body``, with the transaction id `0` in place of an empty one where asked for.
    ///
    /// Source: active_merchant `network_merchants_test.rb`, an answer with `transactionid=0`.
    public func body(withIDZero hasZeroID: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160 + text.utf8.count + orderID.utf8.count)
        bytes.append(contentsOf: "response=".utf8)
        bytes.append(UInt8(ascii: "0") + kind.rawValue)
        Self.append("&responsetext=", text, to: &bytes)
        Self.append("&authcode=", authCode, to: &bytes)
        bytes.append(contentsOf: "&transactionid=".utf8)
        if let transactionID {
            bytes.append(decimal: transactionID.number)
        } else if hasZeroID {
            bytes.append(UInt8(ascii: "0"))
        }
        Self.append("&avsresponse=", avsResponse, to: &bytes)
        Self.append("&cvvresponse=", cvvResponse, to: &bytes)
        Self.append("&orderid=", orderID, to: &bytes)
        Self.append("&type=", type, to: &bytes)
        bytes.append(contentsOf: "&response_code=".utf8)
        bytes.append(decimal: UInt64(responseCode.rawValue))
        for field in otherFields {
            Self.append("&", field.name, to: &bytes)
            Self.append("=", field.value, to: &bytes)
        }
        return bytes
    }

    /// Adds what stands before a value as it is, and the value with its separators escaped.
    private static func append(_ lead: String, _ value: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: lead.utf8)
        guard value.utf8.span.hasSeparator else { return bytes.append(contentsOf: value.utf8) }
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "%26".utf8)
            case UInt8(ascii: "="): bytes.append(contentsOf: "%3D".utf8)
            case UInt8(ascii: "%"): bytes.append(contentsOf: "%25".utf8)
            case UInt8(ascii: "+"): bytes.append(contentsOf: "%2B".utf8)
            case 0..<0x20, 0x7F:  // an answer is one line
                bytes.append(UInt8(ascii: "%"))
                bytes.append(contentsOf: Hexadecimal.encode([byte]).utf8)
            default: bytes.append(byte)
            }
        }
    }
}

extension Span<UInt8> {
    /// Whether there is a byte that would end a value or change its meaning.
    fileprivate var hasSeparator: Bool {
        for index in indices {
            switch self[index] {
            case UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "%"), UInt8(ascii: "+"),
                0..<0x20,
                0x7F:
                return true
            default: continue
            }
        }
        return false
    }
}
