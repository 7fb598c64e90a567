public import CardData
public import JSON

/// A transaction as AgentCASH shows it, with every field that a receipt needs.
///
/// Source: SDK document, `ACPaymentInfo`, which names the signature's address only; the other
/// fields are what card schemes ask of receipts (EMV 4.3, Book 4, section 11.4), as our own.
public struct AgentCASHTransaction: Hashable, Sendable {
    /// Where the money is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Held on the card.
        case authorised
        /// Taken, or some of it.
        case captured
        /// Let go before it was captured, as the merchant asked.
        case released
        /// Let go because it was not captured in time.
        case expired
        /// Given up by the app: a signature was refused, or the card declined at the end.
        case reversed
        /// Paid back, all of it.
        case refunded
        /// Not allowed by the issuer.
        case declined
        /// Not carried out: the card's data could not be read.
        case failed
    }

    /// The number.
    public var id: UInt64
    /// Where the money is.
    public var state: State
    /// The app's own reference.
    public var reference: String
    /// The free string of the app.
    public var externalID: String
    /// What was asked for.
    public var amount: Amount
    /// What was captured.
    public var capturedAmount = Amount(minorUnits: 0)
    /// What was paid back.
    public var refundedAmount = Amount(minorUnits: 0)
    /// The currency.
    public var currency: String
    /// The number of instalments.
    public var installmentCount = 1
    /// How the card was read.
    public var entryMode: AgentCASHCard.EntryMode
    /// How the cardholder was verified.
    public var verification: AgentCASHCard.Verification
    /// The number as a receipt shows it.
    public var maskedCardNumber: MaskedCardNumber?
    /// The card scheme's name, such as `Visa`; empty when it is not known.
    public var scheme = ""
    /// The application's label (tag 50), for a chip.
    public var applicationLabel = ""
    /// The application's identifier (tag 84) in hexadecimal, for a chip.
    public var applicationID = ""
    /// The application cryptogram (tag 9F26) in hexadecimal, for a chip.
    public var cryptogram = ""
    /// The terminal's verification results (tag 95) in hexadecimal, for a chip.
    public var verificationResults = ""
    /// The issuer's code; empty unless authorised.
    public var authorisationCode = ""
    /// The issuer's two-digit response: `00` approved, `05` declined, `55` wrong PIN, `96` failed.
    ///
    /// Source: ISO 8583:1987, field 39.
    public var responseCode: String
    /// The merchant's name.
    public var merchantName = ""
    /// The terminal's number.
    public var terminalID = ""
    /// The moment of the authorisation in UTC, such as `2024-06-03T09:00:00Z`.
    public var date = ""
    /// Where the stored signature can be seen; empty without one.
    public var signatureURL = ""

    /// Creates a transaction.
    public init(
        id: UInt64,
        state: State,
        authorisation: AgentCASHAuthorisation,
        responseCode: String
    ) {
        self.id = id
        self.state = state
        reference = authorisation.reference
        externalID = authorisation.externalID
        amount = authorisation.amount
        currency = authorisation.currency
        installmentCount = authorisation.installmentCount
        entryMode = authorisation.card.entryMode
        verification = authorisation.card.verification
        maskedCardNumber = authorisation.card.maskedCardNumber
        self.responseCode = responseCode
    }

    /// What can still be paid back of it.
    public var refundableAmount: Amount {
        Amount(minorUnits: capturedAmount.minorUnits - refundedAmount.minorUnits)
    }

    /// The transaction as a JSON object; empty texts are left out.
    public var json: JSONValue {
        var members = [
            JSONMember("id", .string(String(id))),
            JSONMember("state", .string(state.rawValue)),
            JSONMember("amount", .string(amount.description)),
            JSONMember("capturedAmount", .string(capturedAmount.description)),
            JSONMember("refundedAmount", .string(refundedAmount.description)),
            JSONMember("currency", .string(currency)),
            JSONMember("installmentCount", .integer(Int64(installmentCount))),
            JSONMember("entryMode", .string(entryMode.rawValue)),
            JSONMember("verification", .string(verification.rawValue)),
            JSONMember("responseCode", .string(responseCode)),
        ]
        if let maskedCardNumber {
            members.append(
                JSONMember("maskedCardNumber", .string(maskedCardNumber.description))
            )
        }
        func add(_ name: String, _ text: String) {
            if !text.isEmpty { members.append(JSONMember(name, .string(text))) }
        }
        add("reference", reference)
        add("externalId", externalID)
        add("scheme", scheme)
        add("applicationLabel", applicationLabel)
        add("applicationId", applicationID)
        add("cryptogram", cryptogram)
        add("verificationResults", verificationResults)
        add("authorisationCode", authorisationCode)
        add("merchantName", merchantName)
        add("terminalId", terminalID)
        add("date", date)
        add("signatureURL", signatureURL)
        return .object(members)
    }

    /// Reads a transaction; `nil` when the value is none.
    public init?(_ json: JSONValue) {
        guard let id = json["id"]?.text.flatMap({ UInt64($0) }),
            let state = json["state"]?.text.flatMap({ State(rawValue: $0) }),
            let amount = json["amount"]?.text.flatMap({ Amount($0) }),
            let captured = json["capturedAmount"]?.text.flatMap({ Amount($0) }),
            let refunded = json["refundedAmount"]?.text.flatMap({ Amount($0) }),
            let currency = json["currency"]?.text,
            let count = json["installmentCount"]?.integer,
            let mode = json["entryMode"]?.text.flatMap({ AgentCASHCard.EntryMode(rawValue: $0) }),
            let verification = json["verification"]?.text
                .flatMap({ AgentCASHCard.Verification(rawValue: $0) }),
            let responseCode = json["responseCode"]?.text
        else { return nil }
        self.id = id
        self.state = state
        reference = json["reference"]?.text ?? ""
        externalID = json["externalId"]?.text ?? ""
        self.amount = amount
        capturedAmount = captured
        refundedAmount = refunded
        self.currency = currency
        installmentCount = Int(clamping: count)
        entryMode = mode
        self.verification = verification
        self.responseCode = responseCode
        maskedCardNumber = json["maskedCardNumber"]?.text.flatMap { MaskedCardNumber($0) }
        scheme = json["scheme"]?.text ?? ""
        applicationLabel = json["applicationLabel"]?.text ?? ""
        applicationID = json["applicationId"]?.text ?? ""
        cryptogram = json["cryptogram"]?.text ?? ""
        verificationResults = json["verificationResults"]?.text ?? ""
        authorisationCode = json["authorisationCode"]?.text ?? ""
        merchantName = json["merchantName"]?.text ?? ""
        terminalID = json["terminalId"]?.text ?? ""
        date = json["date"]?.text ?? ""
        signatureURL = json["signatureURL"]?.text ?? ""
    }
}
