import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Transports

extension SimulatedNMIGateway {
    /// What every approved test transaction carries.
    static let authCode = "123456"

    /// Carries a payment out: what pays, the account's rules, duplicates, amount, in this order.
    mutating func carryOut(
        _ payment: NMIPayment,
        _ call: NMICall,
        _ cache: CryptoCache,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard let data = payment.card else { return refuse(call, "Invalid Credit Card Number") }
        var payment = payment
        let card: PayingCard
        switch resolve(data, payment.cvv, cache) {
        case .invalid(let text): return refuse(call, text)
        case .undecryptable: return refuseSwipe(payment, call, &records)
        case .unknownCustomer(let id): return refuseCustomer(call, id)
        case .card(let found, let cvv):
            card = found
            payment.cvv = cvv
        }
        if let text = refusal(of: payment, card) { return refuse(call, text) }
        if let refusal = refuseDuplicate(payment, card, call) { return refusal }
        guard ledger.entries.count < configuration.maximumTransactionCount else {
            return refuse(call, "The simulated ledger is full")
        }
        guard
            payment.type == .validate || !declinesBelowOne(payment, card)
                || payment.amount >= Amount(minorUnits: 100)
        else {
            let id = book(payment, card, call, .declined, &records)
            let isCheck = card.check != nil
            let response = NMIResponse(
                kind: .declined,
                text: isCheck ? "FAILED" : "DECLINE",
                // Seen with a check that failed.
                authCode: isCheck ? Self.authCode : "",
                avsResponse: ledger.entry(id)?.avsResponse ?? "",
                cvvResponse: ledger.entry(id)?.cvvResponse ?? "",
                responseCode: .declined
            )
            return respond(call, response, id: id)
        }
        return approve(payment, card, call, &records)
    }

    private mutating func approve(
        _ payment: NMIPayment,
        _ card: PayingCard,
        _ call: NMICall,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        var payment = payment
        var extras: [NMIResponse.Field] = []
        var requested: Amount?
        var partialID = payment.details[.partialPaymentID] ?? ""
        if payment.details[.partialPayments] != nil, card.pan != nil,
            card.pan == NMITestCardVectors.partiallyApproved
        {
            requested = payment.amount
            // The manual's example: 30.00 of 100.00.
            let part = payment.amount.minorUnits / 10 * 3
            payment.amount = Amount(minorUnits: max(1, part))
            if partialID.isEmpty { partialID = String(100_000_001 + ledger.entries.count) }
        }
        let id = book(payment, card, call, .approved, &records)
        if !partialID.isEmpty {
            ledger.change(id) {
                $0.partialPaymentID = partialID
                $0.requestedAmount = requested
            }
            extras += partialFields(partialID, payment.amount)
        }
        extras += keep(payment, card, call)
        let entry = ledger.entry(id)
        let response = NMIResponse(
            kind: .approved,
            text: "SUCCESS",
            authCode: entry?.authCode ?? "",
            avsResponse: entry?.avsResponse ?? "",
            cvvResponse: entry?.cvvResponse ?? "",
            responseCode: .approved,
            otherFields: extras
        )
        return respond(call, response, id: id)
    }

    /// What the answer to a payment in parts says besides: what was approved, and what is left of
    /// the amount that was asked for first.
    private func partialFields(_ partialID: String, _ amount: Amount) -> [NMIResponse.Field] {
        let parts = ledger.entries.filter {
            $0.partialPaymentID == partialID && $0.actions.first?.isSuccess == true
        }
        let paid = parts.reduce(Int64(0)) { $0 + $1.amount.minorUnits }
        let total = parts.first?.requestedAmount?.minorUnits ?? paid
        return [
            .init(name: "partial_payment_id", value: partialID),
            .init(
                name: "partial_payment_balance",
                value: Amount(minorUnits: max(0, total - paid)).description
            ),
            .init(name: "amount_authorized", value: amount.description),
        ]
    }

    /// Ends a payment in parts; what was approved of it stays.
    mutating func completePartialPayment(_ id: String, _ call: NMICall) -> HTTPResponse {
        guard let first = ledger.entries.first(where: { $0.partialPaymentID == id }) else {
            return refuse(call, "Invalid Partial Payment ID")
        }
        let response = NMIResponse(
            kind: .approved,
            text: "SUCCESS",
            responseCode: .approved,
            otherFields: [.init(name: "partial_payment_id", value: id)]
        )
        return respond(call, response, id: first.transactionID)
    }

    /// Enters a decline in the ledger where it is about a payment, and answers with it.
    mutating func decline(
        _ call: NMICall,
        _ code: NMIResponseCode,
        _ cache: CryptoCache,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard case .success(.payment(var payment)) = call.request else {
            return answer(call, .declined, code, id: nil)
        }
        var card = PayingCard()
        var cvv: CardSecurityCode?
        if let data = payment.card,
            case .card(let found, let code) = resolve(data, payment.cvv, cache)
        {
            card = found
            cvv = code
        }
        payment.cvv = cvv
        return answer(call, .declined, code, id: book(payment, card, call, code, &records))
    }

    private mutating func refuseSwipe(
        _ payment: NMIPayment,
        _ call: NMICall,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        let code = configuration.swipeErrorCode
        guard code.usualKind == .declined else {
            return refuse(call, configuration.swipeErrorText, code)
        }
        let id = book(payment, PayingCard(), call, code, &records)
        let text = configuration.swipeErrorText
        return respond(
            call,
            NMIResponse(kind: .declined, text: text, responseCode: code),
            id: id
        )
    }

    /// Enters a payment in the ledger, and tells of it.
    mutating func book(
        _ payment: NMIPayment,
        _ card: PayingCard,
        _ call: NMICall,
        _ code: NMIResponseCode,
        subscriptionID: String = "",
        _ records: inout [GatewayRecord]
    ) -> NMITransactionID {
        let type = LedgerEntry.TransactionType(payment.type)
        let isApproved = code == .approved
        let state: LedgerState =
            switch payment.type {
            case .sale, .credit, .offline: isApproved ? .pendingsettlement : .failed
            case .auth: isApproved ? .pending : .failed
            // Nothing follows a verification (assumed: reports call it complete).
            case .validate: isApproved ? .complete : .failed
            }
        var entry = LedgerEntry(
            transactionID: ledger.nextTransactionID,
            type: type,
            amount: payment.amount,
            state: state,
            orderID: payment.orderID
        )
        switch payment.type {
        case .sale, .auth: entry.authCode = isApproved ? Self.authCode : ""
        case .offline: entry.authCode = payment.details[.authorizationCode] ?? ""
        case .credit, .validate: break
        }
        entry.adopt(card)
        entry.avsResponse = avsResponse(payment.details)
        entry.cvvResponse = Self.cvvResponse(payment.cvv)
        entry.details = payment.details
        entry.subscriptionID = subscriptionID
        if !subscriptionID.isEmpty { entry.source = "recurring" }
        entry.actions = [
            LedgerAction(
                type: type.action,
                amount: payment.amount,
                instant: call.instant,
                responseCode: code
            )
        ]
        ledger.book(entry)
        records.append(.booked(entry, number: call.number))
        tell(of: entry, at: call.instant)
        return entry.transactionID
    }

    // MARK: Checks

    /// The letter for the address: that of a match for the published one, `N` for another, nothing
    /// without one.
    private func avsResponse(_ details: NMIDetails) -> String {
        guard !details.isEmpty else { return "" }
        switch (details[.address1], details[.zip]) {
        case ("888", "77777"): return configuration.avsMatchLetter
        case (nil, nil): return ""
        case (_, _): return "N"
        }
    }

    /// The letter for the security code: `M` for 999, `N` for another, nothing without one.
    static func cvvResponse(_ cvv: CardSecurityCode?) -> String {
        guard let cvv, !cvv.unmasked.isEmpty else { return "" }
        return cvv.unmasked.elementsEqual("999".utf8) ? "M" : "N"
    }

    /// Whether an amount below 1.00 is declined: in test mode, and for a payment that asks for it
    /// with a listed number and the listed date.
    private func declinesBelowOne(_ payment: NMIPayment, _ card: PayingCard) -> Bool {
        if configuration.isTestMode { return true }
        guard payment.details[.testMode] == "enabled", let pan = card.pan else { return false }
        return NMITestCardVectors.isListed(pan) && card.expirationDate == ExpirationDate("1025")
    }

    /// Why the account does not do this, or `nil`; the texts are assumed.
    private func refusal(of payment: NMIPayment, _ card: PayingCard) -> String? {
        if payment.type == .credit, !configuration.allowsCredits {
            return "Credits are not enabled for this account"
        }
        switch (configuration.accountKind, card.check, card.entryMode) {
        case (.retail, nil, "Keyed"): return "This account takes cards that are swiped only"
        case (.moto, nil, "Swiped"): return "This account takes no cards that are swiped"
        case (_, _?, _):
            guard payment.type == .sale || payment.type == .credit || payment.type == .validate
            else { return "Invalid Transaction Type" }
        case (_, nil, _): break
        }
        if payment.type == .validate, payment.amount != Amount(minorUnits: 0) {
            return "Invalid amount"
        }
        if payment.type == .validate, payment.subscription != nil {
            return "A subscription cannot be added by a validate"
        }
        if let order = payment.vault {
            let isKnown = vault.customer(order.customerID) != nil
            if !order.isNew, !isKnown { return "Invalid Customer Vault Id" }
            if order.isNew, isKnown { return "Duplicate Customer Vault Id" }
            if order.isNew, vault.isFull { return "The simulated vault is full" }
        }
        if let order = payment.subscription { return refusal(of: order, card, payment.details) }
        return nil
    }

    /// Refuses what was approved before: the same card, amount and type, and the same order where
    /// ``Configuration/duplicatesNeedSameOrder`` says so (assumed; the manual defines no key).
    private mutating func refuseDuplicate(
        _ payment: NMIPayment,
        _ card: PayingCard,
        _ call: NMICall
    ) -> HTTPResponse? {
        var window = configuration.duplicateWindow
        if let text = payment.details[.duplicateSeconds], let seconds = Int64(text) {
            if seconds == 0, !configuration.allowsDuplicateCheckOff {
                return refuse(
                    call,
                    "Disabling Duplicate Check is not allowed for this processor"
                )
            }
            window = .seconds(seconds)
        }
        guard window > .zero, payment.type != .validate, card.pan != nil || card.check != nil else {
            return nil
        }
        let type = LedgerEntry.TransactionType(payment.type)
        for entry in ledger.entries.reversed() {
            guard let first = entry.actions.first else { continue }
            if call.instant - first.instant >= window { return nil }
            if first.isSuccess, entry.pan == card.pan,
                entry.check?.unmaskedAccount == card.check?.unmaskedAccount,
                entry.amount == payment.amount, entry.type == type,
                !configuration.duplicatesNeedSameOrder || entry.orderID == payment.orderID
            {
                return refuse(
                    call,
                    "Duplicate transaction",
                    hasZeroID: configuration.duplicatesAnswerIDZero
                )
            }
        }
        return nil
    }
}

extension LedgerEntry {
    /// Notes what pays.
    mutating func adopt(_ card: PayingCard) {
        pan = card.pan
        maskedCardNumber = card.pan?.maskedInReports
        expirationDate = card.expirationDate
        entryMode = card.entryMode
        check = card.check
        source = card.source
        customerID = card.customerID
    }
}

extension GatewayRecord {
    /// The fact that an entry was added.
    static func booked(_ entry: LedgerEntry, number: Int) -> GatewayRecord {
        .booked(
            number: number,
            transactionID: entry.transactionID,
            type: entry.type,
            amount: entry.amount,
            orderID: entry.orderID,
            state: entry.state
        )
    }
}
