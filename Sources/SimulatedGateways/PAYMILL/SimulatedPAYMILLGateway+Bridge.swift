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
        guard call.request.method == "GET" else {
            return HTTPResponse(status: 405, contentType: "text/plain", body: Array("GET".utf8))
        }
        let request: PAYMILLTokenRequest
        do throws(PAYMILLTokenRequestError) {
            request = try PAYMILLTokenRequest(decoding: call.request.query)
        } catch {
            call.records.append(.tokenRefused(number: call.number, .unknownError))
            return Self.answer(.error(error.description), callback: nil)
        }
        let answer = answer(to: request, &call)
        return Self.answer(answer, callback: request.callback)
    }

    private mutating func answer(
        to request: PAYMILLTokenRequest,
        _ call: inout PAYMILLCall
    ) -> PAYMILLTokenAnswer {
        // The account is one of test mode: real cards are not asked for here.
        guard request.publicKey == configuration.publicKey, request.mode == .test else {
            call.records.append(.tokenRefused(number: call.number, .invalidPublicKey))
            return .error(PAYMILLTokenAnswer.wrongKeyText)
        }
        if let (code, text) = refusal(of: request.instrument, call) {
            let error = PAYMILLBridgeError(returnCode: code) ?? .unknownError
            call.records.append(.tokenRefused(number: call.number, error))
            var refusal = PAYMILLTokenAnswer.Refusal(
                code: code,
                text: text,
                mode: request.mode,
                publicKey: request.publicKey,
                timestamp: timestamp(at: call.instant)
            )
            refusal.isDebit = request.instrument.isAccount
            return .refused(refusal)
        }
        var token = PAYMILLTokenAnswer.Token(
            id: newID("tok_", digitCount: configuration.tokenDigitCount),
            mode: request.mode,
            publicKey: request.publicKey,
            shortID: "7357.7357.7357",
            timestamp: timestamp(at: call.instant)
        )
        token.isDebit = request.instrument.isAccount
        let number = request.card?.unmaskedNumber ?? ""
        let needsIssuer =
            configuration.hasThreeDSecure && PAYMILLTestCards.threeDSecureNumbers.contains(number)
        if needsIssuer {
            let address = issuerAddress(call.request)
            token.redirect = PAYMILLTokenAnswer.Redirect(
                url: address,
                request: "PaReq",
                returnURL: address,
                merchantData: token.id,
                responseURL: request.responseURL ?? ""
            )
        }
        books.tokens.append(
            PAYMILLBooks.Token(
                id: token.id,
                instrument: request.instrument,
                amount: request.amount?.amount,
                currency: request.currency,
                instant: call.instant,
                issuerPage: needsIssuer ? .isOpen : nil
            )
        )
        call.records.append(.tokenCreated(number: call.number, token: books.tokens.count))
        return .token(token)
    }

    /// What the processor says of a card or an account that it does not take.
    private func refusal(
        of instrument: PAYMILLInstrument,
        _ call: PAYMILLCall
    ) -> (code: String, text: String)? {
        if call.decline != nil { return ("000.100.201", "Account or Bank Details Incorrect") }
        let problem: (code: String, text: String)? =
            switch instrument {
            case .card(let card): self.problem(of: card, call)
            case .account(let account): account.processorProblem
            }
        if let problem { return problem }
        guard books.tokens.count < configuration.maximumEntryCount else {
            return ("600.200.500", "too many tokens")
        }
        return nil
    }

    private func problem(
        of card: PAYMILLCard,
        _ call: PAYMILLCall
    ) -> (code: String, text: String)? {
        let today = CivilDate(daysSince1970: seconds(at: call.instant) / 86_400)
        let isTrigger = card.unmaskedNumber == PAYMILLTestCards.triggerNumber
        let date =
            isTrigger && configuration.takesExpiredTriggers
            ? nil : (Int(today.year), Int(today.month))
        return card.processorProblem(on: date)
    }

    /// The end of the issuer's page: `MD` and `answer=ok` or `answer=cancelled`, once.
    private mutating func issuerPage(_ call: PAYMILLCall) -> HTTPResponse {
        func text(_ status: Int, _ text: String) -> HTTPResponse {
            HTTPResponse(status: status, contentType: "text/plain", body: Array(text.utf8))
        }
        let form =
            call.request.query.isEmpty ? call.request.body : Array(call.request.query.utf8)
        guard let fields = try? FormFields(decoding: form, as: .request),
            fields.firstRepeatedIndex == nil
        else { return text(400, "the page wants MD and answer, once each") }
        guard let id = fields.text(of: "MD"), let index = books.token(id),
            books.tokens[index].issuerPage != nil
        else { return text(404, "no token waits for this page") }
        guard let answer = fields.text(of: "answer"), answer == "ok" || answer == "cancelled"
        else { return text(400, "answer is ok or cancelled") }
        guard endIssuerPage(ofToken: index + 1, isConfirmed: answer == "ok") else {
            return text(409, "the page was answered before")
        }
        // What the end page posts to the page around it.
        return text(200, answer)
    }

    /// Ends the issuer's page of a token; returns whether it has one that is open.
    public mutating func endIssuerPage(ofToken number: Int, isConfirmed: Bool) -> Bool {
        guard books.tokens.indices.contains(number - 1),
            books.tokens[number - 1].issuerPage == .isOpen
        else { return false }
        books.tokens[number - 1].issuerPage = isConfirmed ? .confirmed : .cancelled
        return true
    }

    /// The address of the issuer's page, at the host that was asked; its path alone where none was
    /// named.
    private func issuerAddress(_ request: HTTPRequest) -> String {
        let host = request.field("host") ?? ""
        let isHost =
            host.utf8.count <= 255
            && host.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: ".:-[]".utf8.contains(byte)
                }
            }
        guard isHost, !host.isEmpty else { return Self.issuerPath }
        return (configuration.isEncrypted ? "https://" : "http://") + host + Self.issuerPath
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
            let isFree = token.issuerPage == nil || token.issuerPage == .confirmed
            reason = isFree ? nil : .unconfirmed
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
