import CardData
import GatewayProtocols

// What the SDK hands to an app, with the types of the published headers: what is a number at the
// REST interface may be text here, and the other way round.
// Source: PAYMILL iOS SDK 2.2.0, PMTransaction.h, PMPreauthorization.h, PMPayment.h, PMClient.h and
// PMRefund.h.

/// A charge: `PMTransaction`.
public struct PMTransaction: Hashable, Sendable {
    /// The id.
    public var id: String
    /// What is left after refunds, in the smallest unit, as text.
    public var amount: String
    /// What was asked for: `origin_amount`.
    public var originAmount: Int
    /// The currency.
    public var currency: String
    /// Where the money is.
    public var status: String
    /// What the app calls it; empty without.
    public var description: String
    /// Whether real money moves.
    public var livemode: Bool
    /// When it was made, in seconds since 1970 UTC.
    public var createdAt: Int
    /// When it was changed.
    public var updatedAt: Int
    /// What became of it: `response_code`.
    public var responseCode: Int
    /// The ids of its refunds.
    public var refunds: [String]
    /// The card; `nil` where none is told.
    public var payment: PMPayment?
    /// Who pays; `nil` where nobody is told.
    public var client: PMClient?
    /// The money that was held; `nil` without.
    public var preauthorization: PMPreauthorization?

    init(_ transaction: PAYMILLTransaction) {
        id = transaction.id
        amount = String(transaction.amount.minorUnits)
        originAmount = Int(clamping: transaction.originAmount.minorUnits)
        currency = transaction.currency
        status = transaction.status.rawValue
        description = transaction.description ?? ""
        livemode = transaction.isLive
        createdAt = Int(clamping: transaction.createdAt)
        updatedAt = Int(clamping: transaction.updatedAt)
        responseCode = transaction.responseCode.rawValue
        refunds = transaction.refunds ?? []
        payment = transaction.payment?.object.map { PMPayment($0) }
        client = transaction.client?.object.map { PMClient($0) }
        preauthorization = transaction.preauthorization?.object.map { PMPreauthorization($0) }
    }
}

/// Money that is held: `PMPreauthorization`.
public struct PMPreauthorization: Hashable, Sendable {
    /// The id.
    public var id: String
    /// What is held, in the smallest unit, as text.
    public var amount: String
    /// The currency.
    public var currency: String
    /// Where it stands.
    public var status: String
    /// When it was made, in seconds since 1970 UTC, as text.
    public var createdAt: String
    /// When it was changed, as text.
    public var updatedAt: String
    /// Whether real money is held.
    public var livemode: Bool

    init(_ held: PAYMILLPreauthorization) {
        id = held.id
        amount = String(held.amount.minorUnits)
        currency = held.currency
        status = held.status.rawValue
        createdAt = String(held.createdAt)
        updatedAt = String(held.updatedAt)
        livemode = held.isLive
    }
}

/// A card or an account that is kept: `PMPayment`, all of it text, empty where nothing is told.
public struct PMPayment: Hashable, Sendable {
    /// The id.
    public var id: String
    /// `creditcard` or `debit`.
    public var type: String
    /// The client's id.
    public var client: String
    /// The brand.
    public var cardType: String
    /// The issuer's country.
    public var country: String
    /// The month of the expiry.
    public var expireMonth: String
    /// The year of the expiry.
    public var expireYear: String
    /// The holder of the card.
    public var cardHolder: String
    /// The last four digits of the card.
    public var last4: String
    /// The bank's code.
    public var code: String
    /// The holder of the account.
    public var holder: String
    /// The account's number, hidden but for its last four digits.
    public var account: String
    /// The BIC.
    public var bic: String
    /// The IBAN, some of its digits hidden.
    public var iban: String

    init(_ payment: PAYMILLPayment) {
        id = payment.id
        type = payment.debit == nil ? "creditcard" : "debit"
        client = payment.clientID ?? ""
        cardType = payment.cardType
        country = payment.country ?? ""
        expireMonth = payment.expireMonth
        expireYear = payment.expireYear
        cardHolder = payment.cardHolder ?? ""
        last4 = payment.lastFour
        code = payment.debit?.code ?? ""
        holder = payment.debit?.holder ?? ""
        account = payment.debit?.account ?? ""
        bic = payment.debit?.bic ?? ""
        iban = payment.debit?.iban ?? ""
    }
}

/// A person who pays: `PMClient`.
public struct PMClient: Hashable, Sendable {
    /// The id.
    public var id: String
    /// The address; empty without.
    public var email: String
    /// What the merchant calls the person; empty without.
    public var description: String
    /// The ids of the payments.
    public var payments: [String]

    init(_ client: PAYMILLClient) {
        id = client.id
        email = client.email ?? ""
        description = client.description ?? ""
        payments = client.payments.map(\.id)
    }
}
