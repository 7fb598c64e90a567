import CardData
import EventLoops
import GatewayProtocols
import Transports

extension SimulatedNMIGateway {
    /// Carries a request out and returns its natural answer.
    mutating func carryOut(_ call: NMICall, _ records: inout [GatewayRecord]) -> HTTPResponse {
        switch call.hasKey(configuration.securityKey) {
        case true: break
        // Source of both texts: active_merchant `remote_nmi_test.rb` and integrators' reports.
        case nil: return refuse(call, "Authentication Failed", hasTicket: false)
        case false: return refuse(call, "Specified API key not found")
        }
        switch call.request {
        case .success(.sale(let sale)): return carryOut(sale, call, &records)
        case .success(.void(let void)): return carryOut(void, call, &records)
        case .success(.query(let query)): return report(query)
        case .failure(let error):
            if error.code == .unknownPath {
                return HTTPResponse(status: 404, contentType: "", body: [])
            }
            return refuse(call, text(for: error.code))
        }
    }

    /// Enters a decline in the ledger where it is about a sale, and answers with it.
    mutating func decline(
        _ call: NMICall,
        _ code: NMIResponseCode,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard case .success(.sale(let sale)) = call.request else {
            return answer(call, .declined, code, id: nil)
        }
        let id = book(sale, call, state: .failed, code, &records)
        return answer(call, .declined, code, id: id)
    }

    /// An answer with a code and the text that belongs to it.
    mutating func answer(
        _ call: NMICall,
        _ kind: NMIResponse.Kind,
        _ code: NMIResponseCode,
        id: NMITransactionID?
    ) -> HTTPResponse {
        // Only what the gateway itself rejects was seen with a ticket.
        let hasTicket = kind == .error && code == .rejected
        let text = hasTicket ? ticketed(code.meaning) : code.meaning
        return respond(call, NMIResponse(kind: kind, text: text, responseCode: code), id: id)
    }

    private mutating func carryOut(
        _ sale: NMISale,
        _ call: NMICall,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard sale.swipe != nil else { return refuse(call, "Invalid Credit Card Number") }
        guard sale.amount >= Amount(minorUnits: 100) else {
            return decline(call, .declined, &records)
        }
        let id = book(sale, call, state: .pendingsettlement, .approved, &records)
        let response = NMIResponse(
            kind: .approved,
            text: "SUCCESS",
            authCode: Self.authCode,
            responseCode: .approved
        )
        return respond(call, response, id: id)
    }

    private mutating func carryOut(
        _ void: NMIVoid,
        _ call: NMICall,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        guard let entry = ledger.entry(void.transactionID) else {
            return refuse(call, "Invalid Transaction ID specified")
        }
        guard entry.state == .pendingsettlement || entry.state == .pending else {
            let text = ticketed("Only transactions pending settlement can be voided")
            let response = NMIResponse(kind: .error, text: text, responseCode: .rejected)
            return respond(call, response, id: entry.transactionID)
        }
        let action = LedgerAction(
            type: .void,
            amount: entry.amount,
            instant: call.instant,
            responseCode: .approved
        )
        ledger.apply(action, to: entry.transactionID, state: .canceled)
        records.append(
            .voided(
                number: call.number,
                transactionID: entry.transactionID,
                amount: entry.amount,
                orderID: entry.orderID
            )
        )
        let response = NMIResponse(
            kind: .approved,
            text: "Transaction Void Successful",
            authCode: Self.authCode,
            responseCode: .approved
        )
        return respond(call, response, id: entry.transactionID)
    }

    private func report(_ query: NMIQuery) -> HTTPResponse {
        let entries =
            switch query {
            case .orderID(let orderID): ledger.entries(orderID: orderID)
            case .transactionID(let id): ledger.entry(id).map { [$0] } ?? []
            }
        let report = NMIQueryResponse(transactions: entries.map(transaction))
        return HTTPResponse(contentType: "text/xml; charset=UTF-8", body: report.body)
    }

    private func transaction(_ entry: LedgerEntry) -> NMITransaction {
        NMITransaction(
            transactionID: entry.transactionID,
            condition: NMICondition(rawValue: entry.state.rawValue) ?? .unknown,
            orderID: entry.orderID,
            authCode: entry.state == .failed ? "" : Self.authCode,
            maskedCardNumber: entry.maskedCardNumber,
            entryMode: "Swiped",
            actions: entry.actions.map { action in
                NMIAction(
                    type: action.type,
                    amount: action.amount,
                    isSuccess: action.isSuccess,
                    date: UTCDate.digits(
                        secondsSince1970: configuration.startSecondsSince1970
                            &+ action.instant.nanoseconds / 1_000_000_000
                    ),
                    responseText: action.isSuccess ? "SUCCESS" : action.responseCode.meaning,
                    responseCode: action.responseCode
                )
            }
        )
    }

    private mutating func book(
        _ sale: NMISale,
        _ call: NMICall,
        state: LedgerState,
        _ code: NMIResponseCode,
        _ records: inout [GatewayRecord]
    ) -> NMITransactionID {
        let action = LedgerAction(
            type: .sale,
            amount: sale.amount,
            instant: call.instant,
            responseCode: code
        )
        let entry = ledger.book(action, state: state, orderID: sale.orderID)
        records.append(
            .booked(
                number: call.number,
                transactionID: entry.transactionID,
                type: entry.type,
                amount: entry.amount,
                orderID: entry.orderID,
                state: state
            )
        )
        return entry.transactionID
    }

    private mutating func refuse(
        _ call: NMICall,
        _ text: String,
        hasTicket: Bool = true
    ) -> HTTPResponse {
        let text = hasTicket ? ticketed(text) : text
        let response = NMIResponse(kind: .error, text: text, responseCode: .rejected)
        return respond(call, response, id: nil)
    }

    /// The response on the wire: a line of fields to a payment, an error report to a query.
    private func respond(
        _ call: NMICall,
        _ response: NMIResponse,
        id: NMITransactionID?
    ) -> HTTPResponse {
        if call.kind == .query {
            let report = NMIQueryResponse(errorText: response.text)
            return HTTPResponse(contentType: "text/xml; charset=UTF-8", body: report.body)
        }
        var response = response
        response.transactionID = id
        response.orderID = call.orderID
        response.type = configuration.echoesType ? call.kind.rawValue : ""
        return HTTPResponse(contentType: "text/html; charset=UTF-8", body: response.body)
    }

    private mutating func ticketed(_ text: String) -> String {
        "\(text) REFID:\(referenceNumber())"
    }

    /// The texts that the gateway was seen to use; where none was seen, one in their manner.
    private func text(for code: NMIRequestError.Code) -> String {
        switch code {
        case .missingAmount, .invalidAmount: "Invalid amount"
        case .missingTransactionID, .invalidTransactionID: "Invalid Transaction ID specified"
        case .invalidSwipe: configuration.swipeErrorText
        case .unsupportedType: "Invalid Transaction Type"
        case .unsupportedReport, .missingFilter: "Invalid query"
        case .form, .unknownPath: "Invalid request"
        }
    }

    /// What every approved test transaction carries.
    private static let authCode = "123456"
}
