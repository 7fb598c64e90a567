public import CardData
public import GatewayProtocols

/// Inner Fence's Credit Card Terminal app, as far as another app sees it.
///
/// A request comes as a URL; the user pays, leaves or corrects; the answer goes as a URL. One
/// charge is on the screen at a time, and a new request takes its place (assumed).
///
/// | input | state before | events, in order |
/// | --- | --- | --- |
/// | open, a request it understands | any | shown |
/// | open, anything else | any | refused; the screen stays |
/// | pay, approved | charge on the screen | booked, receiptMailed if there is an address; calledBack at once or at Done |
/// | pay, declined or error | charge on the screen | declined or failed; the user may pay again |
/// | pay | any other | nothing |
/// | Done or Cancel | charge, nothing tried | calledBack(cancelled) |
/// | Done or Cancel | after a refusal | calledBack(declined or error) |
/// | Done | approved screen | calledBack(approved) |
///
/// Without a return URL there is no calledBack, and everything else is the same.
///
/// Source: innerfence/ChargeDemo, README, sections PROTOCOL REQUEST and PROTOCOL RESPONSE. What the
/// screens do beside that is assumed; the app itself is closed.
public struct SimulatedTerminal: Hashable, Sendable {
    /// A charge that the gateway behind the terminal booked.
    public struct Transaction: Hashable, Sendable {
        /// Its number, from 100001.
        public var id: String
        /// All that was charged, tax and tip included.
        public var amount: Amount
        /// The invoice number of the request; empty without one.
        public var invoiceNumber: String
    }

    /// What the terminal does.
    public enum Event: Hashable, Sendable {
        /// A charge is on the screen.
        case shown(appName: String, amount: Amount?)
        /// The URL is no request that it understands.
        case refused(InnerFenceRequestError)
        /// A request whose amount, currency or tax rate is none (assumed: the app refuses it, since
        /// the classes would refuse its answer).
        case unusable(InnerFenceRequestField)
        /// The card was charged.
        case booked(Transaction)
        /// The issuer refused.
        case declined
        /// Something else was wrong.
        case failed
        /// A receipt went to the customer.
        case receiptMailed
        /// The answer is handed to the system, for whoever has the scheme of the return URL.
        case calledBack(url: String, InnerFenceChargeResponse.Code)
        /// The charge left the screen without an answer, since the request has no return URL.
        case closed
    }

    private enum State: Hashable, Sendable {
        case idle
        case asking(Charge, InnerFenceChargeResponse.Code)
        case approved(Charge, InnerFenceChargeResponse)
    }

    private struct Charge: Hashable, Sendable {
        var request: InnerFenceChargeRequest
        var amount: Amount?
        var taxRate: TaxRate?
    }

    /// The app's settings.
    public var configuration: Configuration
    /// What was booked, the oldest first.
    public private(set) var transactions: [Transaction] = []
    /// How many charges were tried.
    public private(set) var attemptCount = 0
    private var state = State.idle

    /// Creates an app with nothing on its screen.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Whether a charge is on the screen, so that cards and keys are the terminal's.
    public var isOpen: Bool { state != .idle }

    /// The invoice number of the charge on the screen; empty without one.
    public var shownInvoiceNumber: String {
        switch state {
        case .idle: ""
        case .asking(let charge, _), .approved(let charge, _):
            charge.request[.invoiceNumber] ?? ""
        }
    }

    /// Takes a URL that another app handed to the system.
    public mutating func open(_ url: [UInt8]) -> [Event] {
        let request: InnerFenceChargeRequest
        do throws(InnerFenceRequestError) {
            request = try InnerFenceChargeRequest(decoding: url)
        } catch {
            return [.refused(error)]
        }
        var charge = Charge(request: request)
        if let text = request[.amount], !text.isEmpty {
            guard let amount = Amount(text) else { return [.unusable(.amount)] }
            charge.amount = amount
        }
        if let currency = request[.currency], !currency.isEmpty,
            !(currency.utf8.count == 3 && currency.utf8.allSatisfy { (0x41...0x5A).contains($0) })
        {
            return [.unusable(.currency)]
        }
        if request[.amountFixed] != "1" || charge.amount == nil {
            charge.amount = configuration.enteredAmount ?? charge.amount
        }
        switch request[.taxRate] {
        case nil, "": charge.taxRate = configuration.taxesWithoutRate ? configuration.taxRate : nil
        case "default": charge.taxRate = configuration.taxRate
        case let text?:
            guard let rate = TaxRate(text) else { return [.unusable(.taxRate)] }
            charge.taxRate = rate
        }
        state = .asking(charge, .cancelled)
        return [.shown(appName: request[.returnAppName] ?? "", amount: charge.amount)]
    }

    /// Charges a card.
    public mutating func pay(_ pan: PAN) -> [Event] {
        guard case .asking(let charge, _) = state, let total = total(of: charge) else { return [] }
        let answers = configuration.answers
        let answer = answers.isEmpty ? .approved : answers[min(attemptCount, answers.count - 1)]
        attemptCount += 1
        switch answer {
        case .declined:
            state = .asking(charge, .declined)
            return [.declined]
        case .error:
            state = .asking(charge, .error)
            return [.failed]
        case .lost:
            state = .asking(charge, .error)
            return [.booked(book(total.amount, charge)), .failed]
        case .approved:
            break
        }
        let transaction = book(total.amount, charge)
        var events = [Event.booked(transaction)]
        if configuration.mailsReceipts, charge.request[.email]?.isEmpty == false {
            events.append(.receiptMailed)
        }
        let response = answerApproved(transaction, total, charge, pan)
        state = .approved(charge, response)
        if charge.request[.returnImmediately] == "1" || configuration.alwaysReturnsImmediately {
            events += leave()
        }
        return events
    }

    /// Taps Done, or Cancel: the user leaves the charge that is on the screen.
    public mutating func leave() -> [Event] {
        switch state {
        case .idle: return []
        case .asking(let charge, let code):
            state = .idle
            return callBack(InnerFenceChargeResponse(code), charge)
        case .approved(let charge, let response):
            state = .idle
            return callBack(response, charge)
        }
    }

    private mutating func book(_ amount: Amount, _ charge: Charge) -> Transaction {
        let transaction = Transaction(
            id: "\(100_001 + transactions.count)",
            amount: amount,
            invoiceNumber: charge.request[.invoiceNumber] ?? ""
        )
        transactions.append(transaction)
        return transaction
    }

    /// Amount, tax and tip together; `nil` without an amount, and beyond 2^63 - 1.
    private func total(of charge: Charge) -> (amount: Amount, tax: Amount?, tip: Amount?)? {
        guard let amount = charge.amount else { return nil }
        var sum = amount.minorUnits
        var tax: Amount?
        if let rate = charge.taxRate {
            guard let found = rate.tax(on: amount) else { return nil }
            tax = found
        }
        let tip = configuration.tip.flatMap { $0.minorUnits > 0 ? $0 : nil }
        for part in [tax, tip] {
            let (total, hasOverflown) = sum.addingReportingOverflow(part?.minorUnits ?? 0)
            guard !hasOverflown else { return nil }
            sum = total
        }
        return (Amount(minorUnits: sum), tax, tip)
    }

    private func answerApproved(
        _ transaction: Transaction,
        _ total: (amount: Amount, tax: Amount?, tip: Amount?),
        _ charge: Charge,
        _ pan: PAN
    ) -> InnerFenceChargeResponse {
        var response = InnerFenceChargeResponse(.approved)
        if configuration.hasTransactionIDs { response[.transactionId] = transaction.id }
        response[.amount] = total.amount.description
        let currency = charge.request[.currency] ?? ""
        response[.currency] = currency.isEmpty ? configuration.currency : currency
        response[.redactedCardNumber] =
            String(repeating: "X", count: pan.digitCount - 4) + pan.unmasked.suffix(4)
        response[.cardType] = Self.name(of: pan, configuration.cardNames)
        if let tax = total.tax {
            response[.taxAmount] = tax.description
            response[.taxRate] = charge.taxRate?.text
        }
        response[.tipAmount] = total.tip?.description
        return response
    }

    private func callBack(_ response: InnerFenceChargeResponse, _ charge: Charge) -> [Event] {
        guard let returnURL = charge.request[.returnURL], !returnURL.isEmpty else {
            return [.closed]
        }
        let isFileMaker = charge.request[.fm] == "1"
        var response = response
        for raw in configuration.rawValues { response[raw.field] = nil }
        var url = response.url(appendedTo: returnURL, isFileMaker: isFileMaker)
        for raw in configuration.rawValues where !raw.text.isEmpty {
            url += url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
            url += (isFileMaker ? "$" : "") + raw.field.wireName + "=" + raw.text
        }
        return [.calledBack(url: url, response.code)]
    }

    /// The kind of a card in the terminal's words.
    ///
    /// Source: innerfence/ChargeDemo, README (Visa, MasterCard, Amex, Discover, Maestro, Solo,
    /// Unknown) and `IFChargeResponse.h` (American Express; nothing for an unknown one). Which
    /// numbers are which follows ISO/IEC 7812 ranges (assumed).
    private static func name(of pan: PAN, _ names: CardNames) -> String? {
        let four = pan.unmasked.utf8.prefix(4).reduce(0) { $0 * 10 + Int($1) - 0x30 }
        switch four {
        case 4000...4999: return "Visa"
        case 5100...5599, 2221...2720: return "MasterCard"
        case 3400...3499, 3700...3799: return names == .readme ? "Amex" : "American Express"
        case 6011, 6440...6599: return "Discover"
        case 6334, 6767: return "Solo"
        case 5018, 5020, 5038, 6304, 6759, 6761...6763: return "Maestro"
        default: return names == .readme ? "Unknown" : nil
        }
    }
}
