import CardData
import EventLoops
import GatewayProtocols
import Transports

// The bridge: cards become tokens.
extension SimulatedPAYMILLGateway {
    /// The path of the issuer's page, on which 3-D Secure ends; `MD` names the token.
    public static let issuerPath = "/issuer"

    /// Makes a token, or ends the issuer's page for one.
    mutating func bridge(_ call: inout PAYMILLCall) -> HTTPResponse {
        let isIssuer = call.request.path == Self.issuerPath
        if isIssuer { return issuerPage(call) }
        let text = call.request.query.isEmpty ? call.request.body : Array(call.request.query.utf8)
        let query = String(decoding: text, as: UTF8.self)
        guard let request = try? PAYMILLTokenRequest(decoding: query) else {
            return Self.answer(.error("The request cannot be read"), callback: nil)
        }
        let answer = answer(to: request, &call)
        return Self.answer(answer, callback: request.callback)
    }

    private mutating func answer(
        to request: PAYMILLTokenRequest,
        _ call: inout PAYMILLCall
    ) -> PAYMILLTokenAnswer {
        guard request.publicKey == configuration.publicKey else {
            call.records.append(.tokenRefused(number: call.number, .invalidPublicKey))
            return .error(PAYMILLTokenAnswer.wrongKeyText)
        }
        if let (code, text) = refusal(of: request.card, call) {
            let error = PAYMILLBridgeError(returnCode: code) ?? .unknownError
            call.records.append(.tokenRefused(number: call.number, error))
            return .refused(
                PAYMILLTokenAnswer.Refusal(
                    code: code,
                    text: text,
                    mode: request.mode,
                    publicKey: request.publicKey,
                    timestamp: timestamp(at: call.instant)
                )
            )
        }
        var token = PAYMILLTokenAnswer.Token(
            id: newID("tok_", digitCount: configuration.tokenDigitCount),
            mode: request.mode,
            publicKey: request.publicKey,
            shortID: "7357.7357.7357",
            timestamp: timestamp(at: call.instant)
        )
        let needsIssuer =
            configuration.hasThreeDSecure
            && PAYMILLTestCards.threeDSecureNumbers.contains(request.card.unmaskedNumber)
        if needsIssuer {
            token.redirect = PAYMILLTokenAnswer.Redirect(
                url: Self.issuerPath,
                request: "PaReq",
                returnURL: "https://test-tds.paymill.de/end.php",
                merchantData: token.id
            )
        }
        books.tokens.append(
            PAYMILLBooks.Token(
                id: token.id,
                card: request.card,
                amount: request.amount?.amount,
                currency: request.currency,
                instant: call.instant,
                isConfirmed: needsIssuer ? false : nil
            )
        )
        call.records.append(.tokenCreated(number: call.number, token: books.tokens.count))
        return .token(token)
    }

    /// What the processor says of a card that it does not take.
    private func refusal(
        of card: PAYMILLCard,
        _ call: PAYMILLCall
    ) -> (code: String, text: String)? {
        if call.isDeclined { return ("000.100.201", "Account or Bank Details Incorrect") }
        guard PAYMILLCardBrand(number: card.unmaskedNumber)?.accepts(card.unmaskedNumber) == true
        else { return ("100.100.101", "invalid creditcard, bank account number or bank name") }
        guard PAYMILLTestCards.numbers.contains(card.unmaskedNumber) else {
            let text = "Real creditcard/bank account data prohibited in testmode"
            return ("999.999.998", text)
        }
        guard let expiry = card.expiryNumber else { return ("100.100.303", "card expired") }
        let days = seconds(at: call.instant) / 86_400
        let (year, month, _) = UTCDate.civil(daysSince1970: days)
        let isTrigger = card.unmaskedNumber == PAYMILLTestCards.triggerNumber
        if expiry < Int(year * 12 + month - 1), !isTrigger || !configuration.takesExpiredTriggers {
            return ("100.100.303", "card expired")
        }
        guard books.tokens.count < configuration.maximumEntryCount else {
            return ("600.200.500", "too many tokens")
        }
        return nil
    }

    /// The end of the issuer's page: `MD` and `answer=ok` or `answer=cancelled`.
    private mutating func issuerPage(_ call: PAYMILLCall) -> HTTPResponse {
        let text = call.request.query.isEmpty ? call.request.body : Array(call.request.query.utf8)
        guard let fields = try? FormFields(decoding: text, as: .request),
            let id = fields.text(of: "MD"), let index = books.token(id),
            books.tokens[index].isConfirmed != nil
        else { return HTTPResponse(status: 404, contentType: "text/plain", body: []) }
        let isOK = fields.text(of: "answer") == "ok"
        books.tokens[index].isConfirmed = isOK
        // What the end page posts to the page around it.
        let message = Array((isOK ? "ok" : "cancelled").utf8)
        return HTTPResponse(contentType: "text/plain", body: message)
    }

    /// Ends the issuer's page of a token; returns whether it has one.
    public mutating func endIssuerPage(ofToken number: Int, isConfirmed: Bool) -> Bool {
        guard books.tokens.indices.contains(number - 1),
            books.tokens[number - 1].isConfirmed != nil
        else { return false }
        books.tokens[number - 1].isConfirmed = isConfirmed
        return true
    }

    private static func answer(_ answer: PAYMILLTokenAnswer, callback: String?) -> HTTPResponse {
        HTTPResponse(
            contentType: callback == nil ? "application/json" : "application/javascript",
            body: answer.body(callback: callback)
        )
    }

    private func timestamp(at now: VirtualInstant) -> String {
        let digits = Array(UTCDate.digits(secondsSince1970: seconds(at: now)))
        let part = { (range: Range<Int>) in String(digits[range]) }
        return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8)) "
            + "\(part(8..<10)):\(part(10..<12)):\(part(12..<14))"
    }

    /// Takes a token for use, once.
    ///
    /// - Returns: Its place among the tokens, or why it is not taken.
    mutating func take(
        _ id: String,
        _ call: inout PAYMILLCall
    ) -> Result<Int, TokenRefusal> {
        guard let index = books.token(id) else {
            call.records.append(.tokenRejected(number: call.number, token: nil, .unknown))
            return .failure(TokenRefusal(reason: .unknown, index: nil))
        }
        let token = books.tokens[index]
        let reason: TokenRejection?
        if token.isUsed {
            reason = .used
        } else if call.instant - token.instant > configuration.tokenLife {
            reason = .expired
        } else {
            reason = token.isConfirmed == false ? .unconfirmed : nil
        }
        if let reason {
            call.records.append(.tokenRejected(number: call.number, token: index + 1, reason))
            return .failure(TokenRefusal(reason: reason, index: index))
        }
        books.tokens[index].isUsed = true
        call.records.append(.tokenUsed(number: call.number, token: index + 1))
        return .success(index)
    }
}

/// Why a token is not taken, and which it is.
struct TokenRefusal: Error {
    let reason: TokenRejection
    let index: Int?
}
