import CardData
import EventLoops
import GatewayProtocols
import Transports

// What the app makes of answers, and of answers that were lost.
extension HoneyStoreApp {
    mutating func answered(
        _ work: Work,
        _ kind: HoneyStoreExchangeKind,
        _ exchange: Int,
        _ response: HTTPResponse,
        at now: VirtualInstant
    ) {
        guard response.status < 500 else {
            let reason = UnansweredReason.httpError(status: response.status)
            return lost(work, kind, exchange, reason, at: now)
        }
        if kind == .token { return tokenAnswered(work, exchange, response, at: now) }
        guard let answer = HoneyStoreAnswer(decoding: response.body) else {
            return lost(work, kind, exchange, .garbage, at: now)
        }
        // Parse ended the function: nobody knows what came of it.
        if case .failed(let error) = answer, error.code == .timeout, kind == .sale || kind == .auth
        {
            return lost(work, kind, exchange, .timedOut, at: now)
        }
        let reading = Self.reading(answer, kind)
        actions.append(.answered(exchange: exchange, kind: kind, reading))
        switch work {
        case .call(let call): conclude(call, answer, at: now)
        case .purchase(let purchase, _):
            switch kind {
            case .cards: choose(work, purchase, answer, at: now)
            case .query: lookedUp(purchase, reading, at: now)
            case .sale, .auth, .token, .signUp, .logIn, .saveUser, .products:
                conclude(purchase, reading, at: now)
            }
        }
    }

    private mutating func tokenAnswered(
        _ work: Work,
        _ exchange: Int,
        _ response: HTTPResponse,
        at now: VirtualInstant
    ) {
        do throws(PMError) {
            purchaseToken = try PMManager.token(decoding: response.body)
        } catch {
            if error.kind == .httpConnection {
                return lost(work, .token, exchange, .garbage, at: now)
            }
            actions.append(.answered(exchange: exchange, kind: .token, .error(error.message)))
            return noToken(work, error, at: now)
        }
        actions.append(.answered(exchange: exchange, kind: .token, .approved))
        actions.append(.tokenFinished(nil))
        switch work {
        case .call:
            token = purchaseToken
            purchaseToken = ""
            next(at: now)
        case .purchase(let purchase, _): pay(work, purchase, .token(purchaseToken), at: now)
        }
    }

    /// What an answer comes to.
    private static func reading(
        _ answer: HoneyStoreAnswer,
        _ kind: HoneyStoreExchangeKind
    ) -> HoneyStoreReading {
        switch answer {
        case .failed(let error):
            let parts = error.text.split(separator: ":")
            guard kind == .sale || kind == .auth, error.text.contains("failed with code:"),
                let number = parts.last.flatMap({ Int($0) })
            else { return .error(error.text) }
            return .declined(PAYMILLResponseCode(rawValue: number))
        case .result(let result):
            guard kind == .query else { return .approved }
            return result.transactionCode.map { .found($0) } ?? .notFound
        }
    }

    private mutating func conclude(
        _ call: HoneyStoreCall,
        _ answer: HoneyStoreAnswer,
        at now: VirtualInstant
    ) {
        switch answer {
        case .failed(let error):
            actions.append(.finished(call, error: error.text, count: 0))
        case .result(let result):
            if let session = result.session { self.session = session }
            actions.append(.finished(call, error: nil, count: result.listedCount))
        }
        next(at: now)
    }

    /// Pays with the newest of the user's cards.
    private mutating func choose(
        _ work: Work,
        _ purchase: HoneyStorePurchase,
        _ answer: HoneyStoreAnswer,
        at now: VirtualInstant
    ) {
        switch answer {
        case .failed(let error): finish(purchase, .error(error.text), at: now)
        case .result(let result):
            guard let id = result.newestCard else {
                return finish(purchase, .error("no card is kept"), at: now)
            }
            pay(work, purchase, .payment(id), at: now)
        }
    }

    private mutating func conclude(
        _ purchase: HoneyStorePurchase,
        _ reading: HoneyStoreReading,
        at now: VirtualInstant
    ) {
        switch reading {
        case .approved: finish(purchase, .approved, at: now)
        case .declined(let code): finish(purchase, Self.result(code), at: now)
        case .error(let text): finish(purchase, .error(text), at: now)
        case .found(let code): finish(purchase, Self.result(code), at: now)
        case .notFound: finish(purchase, .notCharged, at: now)
        }
    }

    private static func result(_ code: PAYMILLResponseCode) -> PurchaseResult {
        if code.isSuccess { return .approved }
        return code.isUnknown ? .unknown : .declined(code)
    }

    private mutating func lookedUp(
        _ purchase: HoneyStorePurchase,
        _ reading: HoneyStoreReading,
        at now: VirtualInstant
    ) {
        switch reading {
        case .found(let code): finish(purchase, Self.result(code), at: now)
        case .error: lostLookUp(purchase, at: now)
        case .notFound, .approved, .declined:
            hasLostLookUp = false
            lookUp(purchase, lookUp + 1, at: now)
        }
    }

    private mutating func lostLookUp(_ purchase: HoneyStorePurchase, at now: VirtualInstant) {
        hasLostLookUp = true
        if configuration.plant == .chargesAfterLostLookUps {
            return start(.purchase(purchase, hasWaited: false), at: now)
        }
        lookUp(purchase, lookUp + 1, at: now)
    }

    /// Goes on without an answer.
    mutating func lost(
        _ work: Work,
        _ kind: HoneyStoreExchangeKind,
        _ exchange: Int,
        _ reason: UnansweredReason,
        at now: VirtualInstant
    ) {
        actions.append(.unanswered(exchange: exchange, kind: kind, reason))
        switch (work, kind) {
        case (_, .token):
            noToken(work, PMError(.httpConnection, "the bridge did not answer"), at: now)
        case (.call(let call), _):
            actions.append(.finished(call, error: "there was no answer", count: 0))
            next(at: now)
        case (.purchase(let purchase, _), .query): lostLookUp(purchase, at: now)
        case (.purchase(let purchase, _), .cards):
            finish(purchase, .error("the cards could not be listed"), at: now)
        case (.purchase(let purchase, _), _):
            if reason == .refused {
                return finish(purchase, .error("the backend cannot be reached"), at: now)
            }
            switch configuration.plant {
            case .chargesAgain: return start(work, at: now)
            case .sendsTokensAgain where purchase.payer == .card:
                return pay(work, purchase, .token(purchaseToken), at: now)
            default: break
            }
            hasLostLookUp = false
            lookUp(purchase, 0, at: now)
        }
    }
}
