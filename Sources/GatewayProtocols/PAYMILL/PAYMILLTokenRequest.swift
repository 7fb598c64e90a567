public import CardData

/// A request for a token: a `GET` at the token host whose query carries the card or the account.
///
/// It is a secret. A merchant's server never sees it, and nothing writes the query down.
///
/// Source: the published bridge script; active_merchant `paymill.rb` and paymill-php
/// `IntegrationBase.php` for requests without a browser.
public struct PAYMILLTokenRequest: Hashable, Sendable {
    /// Whether real cards are meant.
    public enum Mode: String, Hashable, Sendable {
        /// Test cards only.
        case test = "CONNECTOR_TEST"
        /// Real ones.
        case live = "LIVE"
    }

    /// The amount beside a token, in the form in which it came.
    public enum AmountText: Hashable, Sendable {
        /// A decimal of the bridge, such as `49.00`.
        case decimal(String)
        /// A whole number of the smallest unit, as servers send it.
        case minorUnits(String)

        /// The money, or `nil` for a text that is none.
        public var amount: Amount? {
            switch self {
            case .decimal(let text): Amount(text)
            case .minorUnits(let text): Int64(text).map { Amount(minorUnits: $0) }
            }
        }

        var text: String {
            switch self {
            case .decimal(let text), .minorUnits(let text): text
            }
        }
    }

    /// Whether real cards are meant.
    public var mode: Mode
    /// The merchant's public key.
    public var publicKey: String
    /// The name of the function around the answer; `nil` asks for plain JSON.
    public var callback: String?
    /// What the token is for.
    public var instrument: PAYMILLInstrument
    /// The money; `nil` without.
    public var amount: AmountText?
    /// The currency of the money; empty without.
    public var currency: String
    /// Where the issuer's page returns to; `nil` where no browser asks.
    public var responseURL: String?

    /// Creates a request of an app, which names `mobileSDK` as the function.
    public init(
        mode: Mode = .test,
        publicKey: String,
        callback: String? = "mobileSDK",
        card: PAYMILLCard,
        amount: AmountText? = nil,
        currency: String = "",
        responseURL: String? = nil
    ) {
        self.mode = mode
        self.publicKey = publicKey
        self.callback = callback
        instrument = .card(card)
        self.amount = amount
        self.currency = currency
        self.responseURL = responseURL
    }

    /// Creates a request of an app for a card or an account.
    public init(
        mode: Mode = .test,
        publicKey: String,
        instrument: PAYMILLInstrument,
        amount: AmountText? = nil,
        currency: String = ""
    ) {
        self.mode = mode
        self.publicKey = publicKey
        callback = "mobileSDK"
        self.instrument = instrument
        self.amount = amount
        self.currency = currency
    }

    /// The card, `nil` of a bank account.
    public var card: PAYMILLCard? { instrument.card }

    /// The path at the token host.
    public static let path = "/"

    /// The query in the order of the bridge, with names and values escaped as URI components: a
    /// blank is `%20`.
    public var query: String {
        var parts: [String] = []
        func add(_ name: String, _ value: String?) {
            if let value { parts.append(name + "=" + URIComponent.encode(value)) }
        }
        add("transaction.mode", mode.rawValue)
        add("channel.id", publicKey)
        add("response.url", responseURL)
        add("jsonPFunction", callback)
        for (name, value) in instrument.parameters where !value.isEmpty { add(name, value) }
        add("presentation.amount3D", amount?.text)
        add("presentation.currency3D", currency.isEmpty ? nil : currency)
        return parts.joined(separator: "&")
    }

    /// Reads a query, with dots or underscores in the names.
    ///
    /// A query without a mode is one of test mode.
    ///
    /// - Throws: ``PAYMILLTokenRequestError`` when it is no form, when a field comes twice, and for
    ///   a mode or a name of a function that is none.
    public init(decoding query: String) throws(PAYMILLTokenRequestError) {
        let fields: FormFields
        do throws(FormError) {
            fields = try FormFields(decoding: Array(query.utf8), as: .request)
            try fields.checkText { _ in FormFields.maximumByteCount }
        } catch {
            throw .notReadable
        }
        guard fields.firstRepeatedIndex == nil else { throw .repeatedField }
        func text(_ name: String) -> String {
            let underscored = String(name.map { $0 == "." ? "_" : $0 })
            return fields.text(of: name) ?? fields.text(of: underscored) ?? ""
        }
        let word = text("transaction.mode")
        guard let mode = word.isEmpty ? .test : Mode(rawValue: word) else { throw .unknownMode }
        self.mode = mode
        publicKey = text("channel.id")
        callback = fields.text(of: "jsonPFunction")
        guard callback.map(Self.isFunctionName) ?? true else { throw .noFunctionName }
        instrument = PAYMILLInstrument(field: text)
        let money = text("presentation.amount3D")
        if money.isEmpty {
            amount = nil
        } else {
            amount = money.contains(".") ? .decimal(money) : .minorUnits(money)
        }
        currency = text("presentation.currency3D")
        let address = text("response.url")
        responseURL = address.isEmpty ? nil : address
    }

    /// Whether a text is the name of a function: identifiers with dots between them, at most 128
    /// characters, so that an answer runs nothing else.
    private static func isFunctionName(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 128
            && parts.allSatisfy { part in
                guard let first = part.utf8.first, !(0x30...0x39).contains(first) else {
                    return false
                }
                return part.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x5F: true
                    default: false
                    }
                }
            }
    }
}

extension PAYMILLInstrument {
    /// The names and values by which the bridge is told of it, empty ones included; the order of
    /// an account's is assumed.
    public var parameters: [(name: String, value: String)] {
        switch self {
        case .card(let card):
            [
                ("account.number", card.unmaskedNumber),
                ("account.expiry.month", card.expiryMonth),
                ("account.expiry.year", card.expiryYear),
                ("account.verification", card.unmaskedCode),
                ("account.holder", card.holder),
            ]
        case .account(let account):
            switch account.name {
            case .national(let number, let code, let country):
                [
                    ("account.number", number), ("account.bank", code),
                    ("account.country", country), ("account.holder", account.holder),
                ]
            case .international(let iban, let bic):
                [
                    ("account.iban", iban), ("account.bic", bic),
                    ("account.holder", account.holder),
                ]
            }
        }
    }

    /// Reads it from fields; one with a bank, an IBAN or a BIC is an account.
    fileprivate init(field text: (String) -> String) {
        let holder = text("account.holder")
        let (bank, iban, bic) = (text("account.bank"), text("account.iban"), text("account.bic"))
        if !iban.isEmpty || !bic.isEmpty {
            let name = PAYMILLAccount.Name.international(unmaskedIBAN: iban, bic: bic)
            self = .account(PAYMILLAccount(name, holder: holder))
        } else if !bank.isEmpty {
            let name = PAYMILLAccount.Name.national(
                unmaskedNumber: text("account.number"),
                bankCode: bank,
                country: text("account.country")
            )
            self = .account(PAYMILLAccount(name, holder: holder))
        } else {
            self = .card(
                PAYMILLCard(
                    unmaskedNumber: text("account.number"),
                    expiryMonth: text("account.expiry.month"),
                    expiryYear: text("account.expiry.year"),
                    unmaskedCode: text("account.verification"),
                    holder: holder
                )
            )
        }
    }
}

/// Why a query of the bridge is not read; nothing of the query is in it.
public enum PAYMILLTokenRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is no form in UTF-8.
    case notReadable
    /// A field comes twice.
    case repeatedField
    /// `transaction.mode` is none of the two.
    case unknownMode
    /// `jsonPFunction` is no name of a function.
    case noFunctionName

    /// What is wrong, as a sentence without its end.
    public var description: String {
        switch self {
        case .notReadable: "The request cannot be read"
        case .repeatedField: "A parameter comes twice"
        case .unknownMode: "transaction.mode is CONNECTOR_TEST or LIVE"
        case .noFunctionName: "jsonPFunction is no name of a function"
        }
    }
}

extension PAYMILLTokenRequest: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// That it is one; never the card.
    public var description: String { "a request for a token" }

    /// That it is one; never the card.
    public var debugDescription: String { description }

    /// Nothing, so that no dump shows the card.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Escapes text as a component of a URI: letters, digits and `-_.!~*'()` stay.
///
/// Source: ECMAScript, `encodeURIComponent`.
public enum URIComponent {
    /// The escaped text.
    public static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
            case _ where "-_.!~*'()".utf8.contains(byte): bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Hexadecimal.digit(byte >> 4))
                bytes.append(Hexadecimal.digit(byte & 0xF))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
