import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Transports

extension SimulatedNMIGateway {
    /// What every approved test transaction carries.
    private static let authCode = "123456"

    /// Carries a payment out: card, duplicates, amount, in this order.
    mutating func carryOut(
        _ payment: NMIPayment,
        _ call: NMICall,
        _ cache: CryptoCache,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard let data = payment.card else { return refuse(call, "Invalid Credit Card Number") }
        let reading = NMICardReading(data, keys: configuration.baseDerivationKeys, cache: cache)
        let card: Card
        switch reading {
        case .invalid(let text): return refuse(call, text)
        case .undecryptable: return refuseSwipe(payment, call, &records)
        case .card(let pan, let date, let entryMode):
            card = Card(pan: pan, expirationDate: date, entryMode: entryMode)
        }
        if let refusal = refuseDuplicate(payment, card, call) { return refusal }
        guard payment.type == .validate || payment.amount >= Amount(minorUnits: 100) else {
            let id = book(payment, card, call, .declined, &records)
            return answer(call, .declined, .declined, id: id)
        }
        let id = book(payment, card, call, .approved, &records)
        let entry = ledger.entry(id)
        let response = NMIResponse(
            kind: .approved,
            text: "SUCCESS",
            authCode: entry?.authCode ?? "",
            avsResponse: entry?.avsResponse ?? "",
            cvvResponse: entry?.cvvResponse ?? "",
            responseCode: .approved
        )
        return respond(call, response, id: id)
    }

    /// Enters a decline in the ledger where it is about a payment, and answers with it.
    mutating func decline(
        _ call: NMICall,
        _ code: NMIResponseCode,
        _ cache: CryptoCache,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard case .success(.payment(let payment)) = call.request else {
            return answer(call, .declined, code, id: nil)
        }
        var card = Card()
        if let data = payment.card,
            case .card(let pan, let date, let entryMode) = NMICardReading(
                data,
                keys: configuration.baseDerivationKeys,
                cache: cache
            )
        {
            card = Card(pan: pan, expirationDate: date, entryMode: entryMode)
        }
        return answer(call, .declined, code, id: book(payment, card, call, code, &records))
    }

    /// What the gateway knows of a card.
    private struct Card {
        var pan: PAN?
        var expirationDate: ExpirationDate?
        var entryMode = ""
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
        let id = book(payment, Card(), call, code, &records)
        let text = configuration.swipeErrorText
        return respond(
            call,
            NMIResponse(kind: .declined, text: text, responseCode: code),
            id: id
        )
    }

    private mutating func book(
        _ payment: NMIPayment,
        _ card: Card,
        _ call: NMICall,
        _ code: NMIResponseCode,
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
        entry.pan = card.pan
        entry.maskedCardNumber = card.pan?.maskedInReports
        entry.expirationDate = card.expirationDate
        entry.entryMode = card.entryMode
        entry.avsResponse = Self.avsResponse(payment.details)
        entry.cvvResponse = Self.cvvResponse(payment.cvv)
        entry.details = payment.details
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
        return entry.transactionID
    }

    // MARK: Checks

    /// The letter for the address: `Y` for the published one (assumed: the manual names no letter),
    /// `N` for another, nothing without one.
    private static func avsResponse(_ details: NMIDetails) -> String {
        guard !details.isEmpty else { return "" }
        switch (details[.address1], details[.zip]) {
        case ("888", "77777"): return "Y"
        case (nil, nil): return ""
        case (_, _): return "N"
        }
    }

    /// The letter for the security code: `M` for 999, `N` for another, nothing without one.
    private static func cvvResponse(_ cvv: CardSecurityCode?) -> String {
        guard let cvv, !cvv.unmasked.isEmpty else { return "" }
        return cvv.unmasked.elementsEqual("999".utf8) ? "M" : "N"
    }

    /// Refuses what was approved before: the same card, amount and type, and the same order where
    /// ``Configuration/duplicatesNeedSameOrder`` says so (assumed; the manual defines no key).
    private mutating func refuseDuplicate(
        _ payment: NMIPayment,
        _ card: Card,
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
        guard window > .zero, payment.type != .validate, let pan = card.pan else { return nil }
        let type = LedgerEntry.TransactionType(payment.type)
        for entry in ledger.entries.reversed() {
            guard let first = entry.actions.first else { continue }
            if call.instant - first.instant >= window { return nil }
            if first.isSuccess, entry.pan == pan, entry.amount == payment.amount,
                entry.type == type,
                !configuration.duplicatesNeedSameOrder || entry.orderID == payment.orderID
            {
                return refuse(call, "Duplicate transaction")
            }
        }
        return nil
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
