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
        if let text = call.formText { return refuse(call, text) }
        // Source of the texts: active_merchant `remote_nmi_test.rb` and integrators' reports.
        switch call.authentication(configuration) {
        case .accepted: break
        case .missing: return refuseStranger(call, "Authentication Failed", hasTicket: false)
        case .unknownKey: return refuseStranger(call, "Specified API key not found")
        case .wrongLogin:
            if call.kind == .query { return refuseStranger(call, "Invalid Username/Password") }
            let isOlder = configuration.usesOlderLoginText
            return refuseStranger(
                call,
                isOlder ? "Invalid Username" : "Authentication Failed",
                hasTicket: false,
                hasZeroID: isOlder
            )
        }
        switch call.request {
        case .success(.payment(let payment)): return carryOut(payment, call, cache, &records)
        case .success(.followUp(let followUp)): return carryOut(followUp, call, &records)
        case .success(.vault(let request)): return carryOut(request, call, cache)
        case .success(.recurring(let request)): return carryOut(request, call, cache)
        case .success(.completePartialPayment(let id)): return completePartialPayment(id, call)
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

    private mutating func refuseStranger(
        _ call: NMICall,
        _ text: String,
        hasTicket: Bool = true,
        hasZeroID: Bool = false
    ) -> HTTPResponse {
        limiter.noteFailure()
        return refuse(call, text, hasTicket: hasTicket, hasZeroID: hasZeroID)
    }

    /// The answer to a request beyond a limit, or `nil`.
    ///
    /// Source: Direct Post API manual, "Rate limits".
    mutating func refuseByRate(_ call: NMICall) -> HTTPResponse? {
        guard systemLimiter.take(at: call.instant, configuration.systemRateLimit) else {
            return HTTPResponse(status: 429, contentType: "", body: [])
        }
        guard !limiter.take(at: call.instant, configuration.rateLimit) else { return nil }
        guard call.kind != .query else {
            return refuse(call, "Rate limit exceeded", .rateLimitExceeded, hasTicket: false)
        }
        let response = NMIResponse(
            kind: .error,
            text: "Rate limit exceeded",
            responseCode: .rateLimitExceeded
        )
        return HTTPResponse(contentType: "text/html; charset=UTF-8", body: response.body)
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
        hasTicket: Bool = true,
        hasZeroID: Bool = false,
        customerID: String? = nil
    ) -> HTTPResponse {
        let kind = code.usualKind == .declined ? NMIResponse.Kind.declined : .error
        let text = hasTicket && kind == .error ? ticketed(text) : text
        var response = NMIResponse(kind: kind, text: text, responseCode: code)
        if let customerID {
            response.otherFields = [.init(name: "customer_vault_id", value: customerID)]
        }
        return respond(call, response, id: id, hasZeroID: hasZeroID)
    }

    /// The response on the wire: a line of fields to a payment, an error report to a query.
    func respond(
        _ call: NMICall,
        _ response: NMIResponse,
        id: NMITransactionID?,
        hasZeroID: Bool = false
    ) -> HTTPResponse {
        if call.kind == .query {
            let report = NMIQueryResponse(errorText: response.text)
            return HTTPResponse(contentType: "text/xml; charset=UTF-8", body: report.body)
        }
        var response = response
        response.transactionID = id
        response.orderID = call.orderID
        response.type = configuration.echoesType ? call.typeEcho : ""
        let body = response.body(withIDZero: hasZeroID)
        return HTTPResponse(contentType: "text/html; charset=UTF-8", body: body)
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
        case .invalidField("checkaba"): "Invalid ABA number"
        case .invalidField(let name): "Invalid \(name)"
        // Source: the texts that Collect.js has for empty fields.
        case .missingField(let name): "\(name) is empty"
        case .mixedPayment: "Card and check data must not be mixed"
        case .duplicateField: "Duplicate field"
        case .invalidVoidReason: "Invalid void reason"
        case .invalidDuplicateSeconds: "Invalid dup_seconds"
        case .missingAuthorizationCode: "Invalid authorization code"
        case .unsupportedReport: "Invalid report_type"
        case .form, .unknownPath: "Invalid request"
        }
    }
}
