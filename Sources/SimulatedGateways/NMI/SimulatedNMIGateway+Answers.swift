import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Transports

extension SimulatedNMIGateway {
    /// Carries a request out and returns its natural answer.
    mutating func carryOut(
        _ call: NMICall,
        _ cache: CryptoCache,
        _ records: inout [GatewayRecord]
    ) -> HTTPResponse {
        // Source of the texts: active_merchant `remote_nmi_test.rb` and integrators' reports.
        switch call.authentication(configuration) {
        case .accepted: break
        case .missing: return refuse(call, "Authentication Failed", hasTicket: false)
        case .unknownKey: return refuse(call, "Specified API key not found")
        case .wrongLogin:
            if call.kind == .query { return refuse(call, "Invalid Username/Password") }
            return refuse(call, "Authentication Failed", hasTicket: false)
        }
        switch call.request {
        case .success(.payment(let payment)): return carryOut(payment, call, cache, &records)
        case .success(.followUp(let followUp)): return carryOut(followUp, call, &records)
        case .success(.query(let query)): return report(query)
        case .failure(let error):
            if error.code == .unknownPath {
                return HTTPResponse(status: 404, contentType: "", body: [])
            }
            if error.code == .invalidSwipe {
                return refuse(call, configuration.swipeErrorText, configuration.swipeErrorCode)
            }
            return refuse(call, text(for: error.code, call.kind))
        }
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

    /// An error, or a decline where the code is one.
    mutating func refuse(
        _ call: NMICall,
        _ text: String,
        _ code: NMIResponseCode = .rejected,
        id: NMITransactionID? = nil,
        hasTicket: Bool = true
    ) -> HTTPResponse {
        let kind = code.usualKind == .declined ? NMIResponse.Kind.declined : .error
        let text = hasTicket && kind == .error ? ticketed(text) : text
        return respond(call, NMIResponse(kind: kind, text: text, responseCode: code), id: id)
    }

    /// The response on the wire: a line of fields to a payment, an error report to a query.
    func respond(
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
    private func text(for code: NMIRequestError.Code, _ kind: GatewayRequestKind) -> String {
        switch code {
        case .missingAmount, .invalidAmount: "Invalid amount"
        case .missingTransactionID:
            // The colon and the second blank were seen for a capture only.
            kind == .capture
                ? "Invalid Transaction ID / Object ID specified: "
                : "Invalid Transaction ID specified"
        case .invalidTransactionID: "Invalid Transaction ID specified"
        case .invalidSwipe: configuration.swipeErrorText
        case .unsupportedType: "Invalid Transaction Type"
        case .unsupportedPayment: "Invalid payment"
        case .invalidVoidReason: "Invalid void reason"
        case .invalidDuplicateSeconds: "Invalid dup_seconds"
        case .missingAuthorizationCode: "Invalid authorization code"
        case .unsupportedReport, .missingFilter: "Invalid query"
        case .form, .unknownPath: "Invalid request"
        }
    }

    // MARK: Reports

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
            authCode: entry.authCode,
            maskedCardNumber: entry.maskedCardNumber,
            expirationDate: entry.expirationDate,
            avsResponse: entry.avsResponse,
            cvvResponse: entry.cvvResponse,
            entryMode: entry.entryMode,
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
}
