import CardData
import GatewayProtocols
import Transports

extension NMIClient {
    /// A charge or a void at work or waiting, and how to read what is said about it.
    struct Payment: Hashable {
        /// What is asked for.
        enum Work: Hashable {
            case charge(ChargeRequest)
            case void(NMITransactionID)
        }

        /// How it ended, for charges and voids alike.
        enum Verdict: Hashable {
            case approved(NMITransactionID, authCode: String)
            case declined(NMIResponseCode, String)
            case error(NMIResponseCode?, String)
            case notCharged
            case unknown
        }

        /// What a look-up says about it.
        enum LookUpVerdict: Hashable {
            /// This is how it ended.
            case final(Verdict)
            /// A later look-up may say more; otherwise this is how it ended.
            case soFar(Verdict)
        }

        /// An outcome, read.
        enum Reading<Answer: Hashable>: Hashable {
            case answer(Answer)
            case none(UnansweredReason)
        }

        let number: Int
        let work: Work
        let plant: Plant?

        /// The request to send first.
        var operation: (operation: NMIRequest.Operation, kind: PaymentExchangeKind) {
            switch work {
            case .charge(let request):
                let sale = NMISale(
                    amount: request.amount,
                    orderID: request.orderID,
                    swipe: request.swipe
                )
                return (.sale(sale), .sale)
            case .void(let id): return (.void(NMIVoid(transactionID: id)), .void)
            }
        }

        /// How to look it up, or `nil` when it cannot be.
        var query: NMIQuery? {
            switch work {
            case .charge(let request):
                request.orderID.isEmpty ? nil : .orderID(request.orderID)
            case .void(let id): .transactionID(id)
            }
        }

        /// The order that it is about; empty for a void.
        var orderID: String {
            switch work {
            case .charge(let request): request.orderID
            case .void: ""
            }
        }

        /// Reads the outcome of a charge or a void.
        ///
        /// An answer about another order, or an approval of a charge without a transaction, is no
        /// answer.
        func reading(_ outcome: HTTPOutcome) -> Reading<NMIResponse> {
            read(outcome) { (body) -> NMIResponse? in
                guard let response = try? NMIResponse(decoding: body) else { return nil }
                guard case .charge(let request) = work else { return response }
                let isOurs =
                    response.orderID.isEmpty || response.orderID == request.orderID
                    || plant == .believesOtherOrders
                let isWhole = response.kind != .approved || response.transactionID != nil
                return isOurs && isWhole ? response : nil
            }
        }

        /// Reads the outcome of a look-up.
        func readingLookUp(_ outcome: HTTPOutcome) -> Reading<LookUpAnswer> {
            read(outcome) { (body) -> LookUpAnswer? in
                guard let report = try? NMIQueryResponse(decoding: body) else { return nil }
                if let text = report.errorText { return .error(text) }
                return transaction(in: report).map { .found($0) } ?? .notFound
            }
        }

        private func read<Answer>(
            _ outcome: HTTPOutcome,
            _ decode: ([UInt8]) -> Answer?
        ) -> Reading<Answer> {
            switch outcome {
            case .timedOut: return .none(.timedOut)
            case .reset: return .none(.reset)
            case .refused: return .none(.refused)
            case .answered(let response):
                // Below 500 the body decides, since errors come with 200 as approvals do.
                let isReadable = response.status < 500 || plant == .readsServerErrors
                if isReadable, let answer = decode(response.body) {
                    return .answer(answer)
                }
                return .none(
                    response.status == 200 ? .garbage : .httpError(status: response.status)
                )
            }
        }

        /// How a planted mistake ends a charge or a void that had no answer; `nil` without one.
        func plantedVerdict(without reason: UnansweredReason) -> Verdict? {
            switch (plant, work) {
            case (.neverLooksUp, _): .unknown
            case (.takesGarbageForDecline, _) where reason == .garbage: .declined(.declined, "")
            case (.trustsVoids, .void(let id)): .approved(id, authCode: "")
            case (_, _): nil
            }
        }

        /// The transaction that tells most about this payment: money taken before money not taken,
        /// and the newest of its kind.
        private func transaction(in report: NMIQueryResponse) -> NMITransaction? {
            var best: NMITransaction?
            for transaction in report.transactions where isAbout(transaction) {
                guard let known = best else {
                    best = transaction
                    continue
                }
                if transaction.condition.weight >= known.condition.weight { best = transaction }
            }
            return best
        }

        private func isAbout(_ transaction: NMITransaction) -> Bool {
            switch work {
            case .void(let id): return transaction.transactionID == id
            case .charge(let request):
                let sale = transaction.actions.first { $0.type == .sale || $0.type == .auth }
                let amount = sale?.amount ?? request.amount
                let isSame = amount == request.amount || plant == .ignoresAmounts
                return transaction.orderID == request.orderID && isSame
            }
        }

        /// What an answer says.
        func verdict(of response: NMIResponse) -> Verdict {
            switch response.kind {
            case .declined: return .declined(response.responseCode, response.text)
            case .error: return .error(response.responseCode, response.text)
            case .approved:
                let id: NMITransactionID? =
                    switch work {
                    case .charge: response.transactionID
                    case .void(let id): id
                    }
                return id.map { .approved($0, authCode: response.authCode) } ?? .unknown
            }
        }

        /// What the answer to a look-up says.
        func verdict(of answer: LookUpAnswer) -> LookUpVerdict {
            switch (answer, work) {
            case (.error, _): return .soFar(.unknown)
            case (.notFound, .charge):
                return .soFar(plant == .neverCertain ? .unknown : .notCharged)
            case (.notFound, .void):
                return .soFar(.error(nil, "the gateway has no such transaction"))
            case (.found(let transaction), .charge): return charged(transaction)
            case (.found(let transaction), .void(let id)):
                if transaction.condition == .canceled || plant == .countsUncanceled {
                    return .final(.approved(id, authCode: ""))
                }
                return .soFar(.error(nil, "the transaction was not canceled"))
            }
        }

        private func charged(_ transaction: NMITransaction) -> LookUpVerdict {
            if transaction.condition == .canceled && plant == .countsCanceled
                || transaction.condition == .failed && plant == .countsFailed,
                let id = transaction.transactionID
            {
                return .final(.approved(id, authCode: transaction.authCode))
            }
            switch transaction.condition {
            case .pending, .pendingsettlement, .complete:
                guard let id = transaction.transactionID else { return .soFar(.unknown) }
                return .final(.approved(id, authCode: transaction.authCode))
            case .canceled: return .final(.notCharged)
            case .inProgress, .abandoned, .unknown: return .soFar(.unknown)
            case .failed:
                let action = transaction.actions.last
                let text = action?.responseText ?? ""
                let code = action?.responseCode ?? .declined
                return .final(code >= .rejected ? .error(code, text) : .declined(code, text))
            }
        }

        /// The end as the app is told.
        func finished(_ verdict: Verdict) -> Action {
            switch work {
            case .charge(let request):
                let result: ChargeResult =
                    switch verdict {
                    case .approved(let id, let authCode):
                        .approved(transactionID: id, authCode: authCode)
                    case .declined(let code, let text): .declined(code: code, text: text)
                    case .error(let code, let text): .error(code: code, text: text)
                    case .notCharged: .notCharged
                    case .unknown: .unknown
                    }
                return .chargeFinished(
                    payment: number,
                    amount: request.amount,
                    orderID: request.orderID,
                    result
                )
            case .void(let id):
                let result: VoidResult =
                    switch verdict {
                    case .approved: .approved
                    case .declined(let code, let text): .declined(code: code, text: text)
                    case .error(let code, let text): .error(code: code, text: text)
                    case .notCharged, .unknown: .unknown
                    }
                return .voidFinished(payment: number, transactionID: id, result)
            }
        }
    }
}

extension NMICondition {
    /// How much a transaction says about where the money is.
    fileprivate var weight: Int {
        switch self {
        case .pending, .pendingsettlement, .complete: 3
        case .inProgress, .unknown: 2
        case .canceled: 1
        case .failed, .abandoned: 0
        }
    }
}
