import CardData
import EventLoops
import GatewayProtocols
import Transports

extension SimulatedNMIGateway {
    /// Carries out a request about an earlier transaction.
    ///
    /// The texts are those of omnipay-nmi `tests/Mock` and active_merchant `nmi_test.rb` and
    /// `network_merchants_test.rb`. Capture and void answer with the transaction's own id, a refund
    /// with a new one.
    mutating func carryOut(
        _ followUp: NMIFollowUp,
        _ call: NMICall,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard let entry = ledger.entry(followUp.transactionID) else {
            return refuse(call, "Invalid Transaction ID specified")
        }
        // Source: active_merchant commit 4543aefb1; the text is assumed.
        guard followUp.isCheck == (entry.check != nil) || followUp.type == .update else {
            return refuse(call, "Invalid Transaction ID specified", id: entry.transactionID)
        }
        switch followUp.type {
        case .capture: return capture(entry, followUp, call, &records)
        case .void: return void(entry, followUp, call, &records)
        case .refund: return refund(entry, followUp, call, &records)
        case .update:
            ledger.change(entry.transactionID) { $0.details.merge(followUp.details) }
            return approve(call, "SUCCESS", authCode: "", id: entry.transactionID)
        }
    }

    private mutating func capture(
        _ entry: LedgerEntry,
        _ followUp: NMIFollowUp,
        _ call: NMICall,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard entry.type == .auth, entry.state == .pending else {
            return refuse(
                call,
                "A capture requires that the existing transaction be an AUTH",
                id: entry.transactionID
            )
        }
        guard let amount = followUp.amount, amount > Amount(minorUnits: 0) else {
            return refuse(call, "Invalid amount", id: entry.transactionID)
        }
        guard amount <= entry.amount else {
            return refuse(
                call,
                "The specified amount of \(amount) exceeds the authorization amount of "
                    + "\(entry.amount)",
                id: entry.transactionID
            )
        }
        ledger.change(entry.transactionID) {
            $0.state = .pendingsettlement
            $0.capturedAmount = amount
            $0.details.merge(followUp.details)
            $0.actions.append(
                LedgerAction(type: .capture, amount: amount, instant: call.instant)
            )
        }
        tell(ofTransaction: entry.transactionID, at: call.instant)
        records.append(
            .captured(
                number: call.number,
                transactionID: entry.transactionID,
                amount: amount,
                orderID: entry.orderID
            )
        )
        return approve(call, "SUCCESS", authCode: entry.authCode, id: entry.transactionID)
    }

    /// Cancels a transaction; a sale of which something was paid back already stays (assumed).
    private mutating func void(
        _ entry: LedgerEntry,
        _ followUp: NMIFollowUp,
        _ call: NMICall,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard entry.state == .pendingsettlement || entry.state == .pending,
            entry.refundedAmount == Amount(minorUnits: 0)
        else {
            return refuse(
                call,
                "Only transactions pending settlement can be voided",
                id: entry.transactionID
            )
        }
        ledger.change(entry.transactionID) {
            $0.state = .canceled
            $0.actions.append(
                LedgerAction(
                    type: .void,
                    amount: entry.settlementAmount,
                    instant: call.instant,
                    voidReason: followUp.voidReason
                )
            )
        }
        tell(ofTransaction: entry.transactionID, at: call.instant)
        if let originalID = entry.originalID {
            ledger.change(originalID) {
                $0.refundedAmount = Amount(
                    minorUnits: $0.refundedAmount.minorUnits - entry.amount.minorUnits
                )
            }
        }
        records.append(
            .voided(
                number: call.number,
                transactionID: entry.transactionID,
                amount: entry.settlementAmount,
                orderID: entry.orderID
            )
        )
        return approve(
            call,
            "Transaction Void Successful",
            authCode: "123456",
            id: entry.transactionID
        )
    }

    private mutating func refund(
        _ entry: LedgerEntry,
        _ followUp: NMIFollowUp,
        _ call: NMICall,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard ledger.entries.count < configuration.maximumTransactionCount else {
            return refuse(call, "The simulated ledger is full")
        }
        let balance = entry.balance(beforeSettlement: configuration.refundsBeforeSettlement)
        let asked = followUp.amount ?? Amount(minorUnits: 0)
        let amount = asked == Amount(minorUnits: 0) ? balance : asked
        guard amount <= balance, amount > Amount(minorUnits: 0) else {
            return refuse(call, "Refund amount may not exceed the transaction balance")
        }
        var refund = LedgerEntry(
            transactionID: ledger.nextTransactionID,
            type: .refund,
            amount: amount,
            state: .pendingsettlement,
            orderID: followUp.orderID
        )
        refund.adopt(
            PayingCard(
                pan: entry.pan,
                expirationDate: entry.expirationDate,
                entryMode: entry.entryMode,
                check: entry.check,
                customerID: entry.customerID
            )
        )
        refund.source = "api"
        refund.details = followUp.details
        refund.originalID = entry.transactionID
        refund.actions = [LedgerAction(type: .refund, amount: amount, instant: call.instant)]
        ledger.book(refund)
        ledger.change(entry.transactionID) {
            $0.refundedAmount = Amount(
                minorUnits: $0.refundedAmount.minorUnits + amount.minorUnits
            )
        }
        records.append(.booked(refund, number: call.number))
        tell(of: refund, at: call.instant)
        return approve(call, "SUCCESS", authCode: "", id: refund.transactionID)
    }

    private mutating func tell(ofTransaction id: NMITransactionID, at now: VirtualInstant) {
        if let entry = ledger.entry(id) { tell(of: entry, at: now) }
    }

    private func approve(
        _ call: NMICall,
        _ text: String,
        authCode: String,
        id: NMITransactionID
    ) -> HTTPResponse {
        let response = NMIResponse(
            kind: .approved,
            text: text,
            authCode: authCode,
            responseCode: .approved
        )
        return respond(call, response, id: id)
    }
}
