import CardData
import EventLoops
public import GatewayProtocols
import Transports

/// Makes what `PMManager` takes, and refuses what cannot be right.
///
/// Source: SDK document, "Payment: entering a new credit card"; PAYMILL iOS SDK 2.2.0,
/// `PMFactory.h`. Which checks the SDK makes by itself was not published: those of the bridge are
/// assumed, but for the expiry, which the bridge compares with the day.
public enum PMFactory {
    /// Makes a payment method of a card: `genCardPaymentWithAccHolder:cardNumber:expiryMonth:
    /// expiryYear:verification:error:`.
    ///
    /// - Throws: ``PMError`` of the kind `bridge` with the field that is wrong.
    public static func genCardPayment(
        accHolder: String,
        cardNumber: String,
        expiryMonth: String,
        expiryYear: String,
        verification: String
    ) throws(PMError) -> PMPaymentMethod {
        let card = PAYMILLCard(
            unmaskedNumber: cardNumber,
            expiryMonth: expiryMonth,
            expiryYear: expiryYear,
            unmaskedCode: verification,
            holder: accHolder
        ).cleaned
        do throws(PAYMILLBridgeError) {
            try card.check(year: 0, month: 1)
        } catch {
            throw PMError(error)
        }
        return PMPaymentMethod(instrument: .card(card))
    }

    /// Makes a payment method of a German bank account: `genNationalPaymentWithAccNumber:accBank:
    /// accHolder:accCountry:error:`.
    ///
    /// - Throws: ``PMError`` of the kind `bridge` with the field that is wrong.
    public static func genNationalPayment(
        accNumber: String,
        accBank: String,
        accHolder: String,
        accCountry: String = "DE"
    ) throws(PMError) -> PMPaymentMethod {
        try method(
            of: .national(unmaskedNumber: accNumber, bankCode: accBank, country: accCountry),
            accHolder
        )
    }

    /// Makes a payment method of an account by IBAN and BIC: `genNationalPaymentWithIban:andBic:
    /// accHolder:error:`.
    ///
    /// - Throws: ``PMError`` of the kind `bridge` with the field that is wrong.
    public static func genNationalPayment(
        iban: String,
        bic: String,
        accHolder: String
    ) throws(PMError) -> PMPaymentMethod {
        try method(of: .international(unmaskedIBAN: iban, bic: bic), accHolder)
    }

    private static func method(
        of name: PAYMILLAccount.Name,
        _ holder: String
    ) throws(PMError) -> PMPaymentMethod {
        let account = PAYMILLAccount(name, holder: holder).cleaned
        do throws(PAYMILLBridgeError) {
            try account.check()
        } catch {
            throw PMError(error)
        }
        return PMPaymentMethod(instrument: .account(account))
    }

    /// Makes the parameters of a payment: `genPaymentParamsWithCurrency:amount:description:error:`.
    ///
    /// - Parameters:
    ///   - currency: Three capitals.
    ///   - amount: The money in the smallest unit, more than 0.
    ///   - description: What the payment is called.
    /// - Returns: The parameters.
    /// - Throws: ``PMError`` of the kind `wrongParameters`.
    public static func genPaymentParams(
        currency: String,
        amount: Int64,
        description: String
    ) throws(PMError) -> PMPaymentParams {
        guard amount > 0 else { throw PMError(.wrongParameters, "amount must be more than 0") }
        do throws(PAYMILLBridgeError) {
            try PAYMILLTokenAmount(amountInt: String(amount), currency: currency).check()
        } catch {
            throw PMError(.wrongParameters, error.rawValue)
        }
        return PMPaymentParams(currency: currency, amount: amount, description: description)
    }
}

/// What pays: `PMPaymentMethod`.
///
/// It is a secret: no description shows anything of it.
public struct PMPaymentMethod: Hashable, Sendable {
    let instrument: PAYMILLInstrument

    /// The query's part for the bridge, names and values escaped: `toUrlParams`.
    public var unmaskedURLParameters: String {
        instrument.parameters.filter { !$0.value.isEmpty }
            .map { "\($0.name)=\(URIComponent.encode($0.value))" }.joined(separator: "&")
    }

    /// The names and values for the bridge, in its order: `newDictionaryParams`.
    public var unmaskedParameters: [(name: String, value: String)] {
        instrument.parameters.filter { !$0.value.isEmpty }
    }

    /// Makes a method of what somebody typed in, as the factory does.
    init(typed instrument: PAYMILLInstrument) throws(PMError) {
        switch instrument {
        case .card(let card):
            self = try PMFactory.genCardPayment(
                accHolder: card.holder,
                cardNumber: card.unmaskedNumber,
                expiryMonth: card.expiryMonth,
                expiryYear: card.expiryYear,
                verification: card.unmaskedCode
            )
        case .account(let account):
            switch account.name {
            case .national(let number, let code, let country):
                self = try PMFactory.genNationalPayment(
                    accNumber: number,
                    accBank: code,
                    accHolder: account.holder,
                    accCountry: country
                )
            case .international(let iban, let bic):
                self = try PMFactory.genNationalPayment(
                    iban: iban,
                    bic: bic,
                    accHolder: account.holder
                )
            }
        }
    }

    init(instrument: PAYMILLInstrument) { self.instrument = instrument }

    /// Checks it against the day.
    func check(year: Int, month: Int) throws(PMError) {
        do throws(PAYMILLBridgeError) {
            switch instrument {
            case .card(let card): try card.check(year: year, month: month)
            case .account(let account): try account.check()
            }
        } catch {
            throw PMError(error)
        }
    }
}

/// Money and what it is for: `PMPaymentParams`.
public struct PMPaymentParams: Hashable, Sendable {
    /// The currency.
    public let currency: String
    /// The money in the smallest unit.
    public let amount: Int64
    /// What the payment is called.
    public let description: String

    var money: Amount { Amount(minorUnits: amount) }
}

/// PAYMILL's SDK: cards become tokens.
///
/// Source: SDK document, "Payment: entering a new credit card"; PAYMILL iOS SDK 2.2.0,
/// `PMManager.h`. The calls that need a device, such as those that charge by themselves, are those
/// of ``PMInstallation``.
public enum PMManager {
    /// The version of the SDK: `SDKVersion`.
    public static let sdkVersion = "2.2.0"

    /// Makes the request of `generateTokenWithPublicKey:testMode:method:parameters:success:failure:`.
    ///
    /// - Parameters:
    ///   - publicKey: The merchant's public key.
    ///   - testMode: Whether real cards are refused.
    ///   - method: What pays.
    ///   - parameters: The money; `nil` makes a token for none.
    ///   - year: The year of the day, four digits.
    ///   - month: The month of the day, 1 to 12.
    /// - Returns: The request, whose answer ``token(decoding:)`` reads.
    /// - Throws: ``PMError`` when a field is wrong; nothing is sent then.
    public static func tokenRequest(
        publicKey: String,
        testMode: Bool,
        method: PMPaymentMethod,
        parameters: PMPaymentParams?,
        year: Int,
        month: Int
    ) throws(PMError) -> PAYMILLTokenRequest {
        try method.check(year: year, month: month)
        let money = parameters.map {
            PAYMILLTokenAmount(amountInt: String($0.amount), currency: $0.currency)
        }
        return PAYMILLTokenRequest(
            mode: testMode ? .test : .live,
            publicKey: publicKey,
            instrument: method.instrument,
            amount: money.map { .decimal($0.decimalText) },
            currency: parameters?.currency ?? ""
        )
    }

    /// The same request on its way to the bridge, at a moment of a run.
    ///
    /// - Parameters:
    ///   - publicKey: The merchant's public key.
    ///   - testMode: Whether real cards are refused.
    ///   - method: What pays.
    ///   - parameters: The money; `nil` makes a token for none.
    ///   - startSeconds: The calendar at the beginning of the run, in seconds since 1970 UTC.
    ///   - now: The moment, from which the month is taken.
    /// - Returns: The exchange's request, whose answer ``token(decoding:)`` reads.
    /// - Throws: ``PMError`` when a field is wrong; nothing is sent then.
    static func tokenExchange(
        publicKey: String,
        testMode: Bool,
        method: PMPaymentMethod,
        parameters: PMPaymentParams?,
        startSecondsSince1970 startSeconds: Int64,
        at now: VirtualInstant
    ) throws(PMError) -> HTTPRequest {
        let seconds = startSeconds + (now - .zero).nanoseconds / 1_000_000_000
        let today = CivilDate(daysSince1970: seconds / 86_400)
        let request = try tokenRequest(
            publicKey: publicKey,
            testMode: testMode,
            method: method,
            parameters: parameters,
            year: Int(today.year),
            month: Int(today.month)
        )
        var http = HTTPRequest(
            method: "GET",
            path: PAYMILLTokenRequest.path,
            contentType: "",
            body: []
        )
        http.query = request.query
        return http
    }

    /// Reads the answer: the token, or why there is none.
    ///
    /// A token that wants 3-D Secure is none for an app, which has no page for it.
    ///
    /// - Throws: ``PMError``.
    public static func token(decoding body: [UInt8]) throws(PMError) -> String {
        guard let answer = PAYMILLTokenAnswer(decoding: body) else {
            throw PMError(.httpConnection, PAYMILLBridgeError.internalServerError.rawValue)
        }
        switch answer.result {
        case .success(let token) where token.redirect != nil:
            throw PMError(.bridge, "3-D Secure is not for apps", bridgeError: .unknown)
        case .success(let token): return token.id
        case .failure(let error): throw PMError(error)
        }
    }
}

extension ScannedCard {
    /// The card as the HoneyStore hands it on: the month with two digits, the year as it is.
    ///
    /// Source: the HoneyStore example, `PMLPaymentViewController.m`.
    package var paymillCard: PAYMILLCard {
        PAYMILLCard(
            unmaskedNumber: pan.unmasked,
            expiryMonth: expiryMonth < 10 ? "0\(expiryMonth)" : "\(expiryMonth)",
            expiryYear: "\(expiryYear)",
            unmaskedCode: String(decoding: securityCode?.unmasked ?? [], as: UTF8.self)
        )
    }
}
