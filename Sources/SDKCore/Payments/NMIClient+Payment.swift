import CardData
import GatewayProtocols
import Transports

extension NMIClient {
    /// A payment at work or waiting, and how to read what is said about it.
    struct Payment: Hashable {
        /// What is asked for.
        enum Work: Hashable {
            case charge(ChargeRequest)
            case authorize(ChargeRequest)
            case credit(ChargeRequest)
            case refund(RefundRequest)
            case capture(NMITransactionID, Amount)
            case void(NMITransactionID, NMIVoidReason?, isCheck: Bool)
            case validate(ChargeRequest)
            case offline(ChargeRequest)
            case update(NMITransactionID, NMIDetails)
            case vault(NMIVaultRequest)
            case recurring(NMIRecurringRequest)

            /// New money, or a look at what pays.
            var request: ChargeRequest? {
                switch self {
                case .charge(let request), .authorize(let request), .credit(let request),
                    .validate(let request), .offline(let request):
                    request
                case .refund, .capture, .void, .update, .vault, .recurring: nil
                }
            }

            /// The transaction that it changes.
            var changedID: NMITransactionID? {
                switch self {
                case .capture(let id, _), .void(let id, _, _), .update(let id, _): id
                case .charge, .authorize, .credit, .validate, .offline, .refund, .vault,
                    .recurring:
                    nil
                }
            }
        }

        /// What a transaction of new money must be to be the one that was asked for.
        struct NewMoney: Hashable {
            var orderID: String
            /// `nil` when the gateway decides it.
            var amount: Amount?
            var action: NMIAction.ActionType
        }

        /// How it ended, for all kinds alike.
        enum Verdict: Hashable {
            case approved(NMITransactionID, authCode: String)
            case declined(NMIResponseCode, String)
            case error(NMIResponseCode?, String)
            case notCharged
            case unknown
            /// A customer, a plan or a subscription is as it was asked for, under this id.
            case registered(id: String)
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
        var operation: NMIRequest.Operation {
            switch work {
            case .charge(let request): Self.payment(.sale, request)
            case .authorize(let request): Self.payment(.auth, request)
            case .credit(let request): Self.payment(.credit, request)
            case .refund(let request):
                .followUp(
                    NMIFollowUp(
                        .refund,
                        transactionID: request.transactionID,
                        amount: request.amount,
                        orderID: request.orderID,
                        isCheck: request.isCheck
                    )
                )
            case .capture(let id, let amount):
                .followUp(NMIFollowUp(.capture, transactionID: id, amount: amount))
            case .void(let id, let reason, let isCheck):
                .followUp(
                    NMIFollowUp(.void, transactionID: id, voidReason: reason, isCheck: isCheck)
                )
            case .validate(let request): Self.payment(.validate, request)
            case .offline(let request): Self.payment(.offline, request)
            case .update(let id, let details):
                .followUp(NMIFollowUp(.update, transactionID: id, details: details))
            case .vault(let request): .vault(request)
            case .recurring(let request): .recurring(request)
            }
        }

        private static func payment(
            _ type: NMIPayment.PaymentType,
            _ request: ChargeRequest
        ) -> NMIRequest.Operation {
            .payment(
                NMIPayment(
                    type,
                    amount: type == .validate ? Amount(minorUnits: 0) : request.amount,
                    orderID: request.orderID,
                    card: request.card,
                    cvv: request.cvv,
                    details: request.details,
                    vault: request.vault,
                    subscription: request.subscription
                )
            )
        }

        /// What the first exchange is about.
        var kind: PaymentExchangeKind {
            switch work {
            case .charge: .sale
            case .authorize: .auth
            case .credit: .credit
            case .refund: .refund
            case .capture: .capture
            case .void: .void
            case .validate: .validate
            case .offline: .offline
            case .update: .update
            case .vault: .vault
            case .recurring: .recurring
            }
        }

        /// How to know its transaction, where it makes a new one.
        private var newMoney: NewMoney? {
            switch work {
            case .charge(let request): NewMoney(request, .sale)
            case .authorize(let request): NewMoney(request, .auth)
            case .credit(let request): NewMoney(request, .credit)
            case .refund(let request):
                NewMoney(orderID: request.orderID, amount: request.amount, action: .refund)
            case .validate(let request):
                NewMoney(orderID: request.orderID, amount: nil, action: .validate)
            case .offline(let request): NewMoney(request, .offline)
            case .capture, .void, .update, .vault, .recurring: nil
            }
        }

        /// Whether it makes a transaction of its own.
        var makesMoney: Bool { newMoney != nil }

        /// How to look it up, or `nil` when it cannot be.
        var query: NMIQuery? {
            switch work {
            case .charge, .authorize, .credit, .refund, .validate, .offline:
                orderID.isEmpty ? nil : .orderID(orderID)
            case .capture(let id, _), .void(let id, _, _): .transactionID(id)
            case .update: nil
            case .vault(let request): Self.query(request)
            case .recurring(let request): Self.query(request)
            }
        }

        /// The order that it is about; empty for what has none.
        var orderID: String {
            switch work {
            case .charge(let request), .authorize(let request), .credit(let request),
                .validate(let request), .offline(let request):
                request.orderID
            case .refund(let request): request.orderID
            case .recurring(.subscribe(_, _, let orderID, _)): orderID
            case .capture, .void, .update, .vault, .recurring: ""
            }
        }

        /// Reads the outcome of the first exchange.
        ///
        /// An answer about another order, or an approval of new money without a transaction, is no
        /// answer.
        func reading(_ outcome: HTTPOutcome) -> Reading<NMIResponse> {
            read(outcome) { (body) -> NMIResponse? in
                guard let response = try? NMIResponse(decoding: body) else { return nil }
                guard let newMoney else { return response }
                let isOurs =
                    response.orderID.isEmpty || response.orderID == newMoney.orderID
                    || plant == .believesOtherOrders
                let isWhole = response.kind != .approved || response.transactionID != nil
                return isOurs && isWhole ? response : nil
            }
        }

        /// Reads the outcome of a look-up; transactions that are other payments' are passed over.
        func readingLookUp(
            _ outcome: HTTPOutcome,
            except others: [NMITransactionID]
        ) -> Reading<LookUpAnswer> {
            read(outcome) { (body) -> LookUpAnswer? in
                guard let report = try? NMIQueryResponse(decoding: body) else { return nil }
                if let text = report.errorText { return .error(text) }
                switch work {
                case .vault(let request): return Self.reading(report, request)
                case .recurring(let request): return Self.reading(report, request)
                case .charge, .authorize, .credit, .refund, .capture, .void, .validate, .offline,
                    .update:
                    break
                }
                return transaction(in: report, except: others).map { .found($0) } ?? .notFound
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
            case (.trustsVoids, .void(let id, _, _)): .approved(id, authCode: "")
            case (_, _): nil
            }
        }

        /// The transaction that tells most about this payment: money taken before money not taken,
        /// and the newest of its kind.
        private func transaction(
            in report: NMIQueryResponse,
            except others: [NMITransactionID]
        ) -> NMITransaction? {
            var best: NMITransaction?
            for transaction in report.transactions where isAbout(transaction) {
                // One that was canceled tells of no money, whosever it was.
                if work.changedID == nil, plant != .ignoresAmounts,
                    transaction.condition != .canceled,
                    let id = transaction.transactionID, others.contains(id)
                {
                    continue
                }
                guard let known = best else {
                    best = transaction
                    continue
                }
                if transaction.condition.weight >= known.condition.weight { best = transaction }
            }
            return best
        }

        private func isAbout(_ transaction: NMITransaction) -> Bool {
            if let id = work.changedID { return transaction.transactionID == id }
            guard let newMoney, transaction.orderID == newMoney.orderID else { return false }
            guard let action = transaction.actions.first(where: { $0.type.isNewMoney }) else {
                return true
            }
            guard action.type == newMoney.action else { return false }
            return action.amount == nil || newMoney.amount == nil
                || action.amount == newMoney.amount || plant == .ignoresAmounts
        }

        /// What an answer says.
        func verdict(of response: NMIResponse) -> Verdict {
            switch response.kind {
            case .declined: return .declined(response.responseCode, response.text)
            case .error: return .error(response.responseCode, response.text)
            case .approved:
                switch work {
                case .vault, .recurring: return .registered(id: registeredID(in: response))
                case .charge, .authorize, .credit, .refund, .capture, .void, .validate, .offline,
                    .update:
                    break
                }
                let id = work.changedID ?? response.transactionID
                return id.map { .approved($0, authCode: response.authCode) } ?? .unknown
            }
        }

        /// What the answer to a look-up says.
        func verdict(of answer: LookUpAnswer) -> LookUpVerdict {
            switch (answer, work) {
            case (.error, _): return .soFar(.unknown)
            case (_, .vault(let request)): return verdict(of: answer, request)
            case (_, .recurring(let request)): return verdict(of: answer, request)
            case (.kept, _): return .soFar(.unknown)
            case (.notFound, .capture), (.notFound, .void):
                return .soFar(.error(nil, "the gateway has no such transaction"))
            case (.notFound, _):
                return .soFar(plant == .neverCertain ? .unknown : .notCharged)
            case (.found(let transaction), .capture(let id, let amount)):
                return captured(transaction, id, amount)
            case (.found(let transaction), .void(let id, _, _)):
                if transaction.condition == .canceled || plant == .countsUncanceled {
                    return .final(.approved(id, authCode: ""))
                }
                return .soFar(.error(nil, "the transaction was not canceled"))
            case (.found(let transaction), _): return charged(transaction)
            }
        }

        /// A capture was done when the transaction awaits settlement or is settled, with the amount
        /// where the report has it.
        private func captured(
            _ transaction: NMITransaction,
            _ id: NMITransactionID,
            _ amount: Amount
        ) -> LookUpVerdict {
            switch transaction.condition {
            case .pendingsettlement, .complete:
                let capture = transaction.actions.last { $0.type == .capture && $0.isSuccess }
                if let captured = capture?.amount, captured != amount {
                    return .final(.error(nil, "the transaction was captured with another amount"))
                }
                return .final(.approved(id, authCode: transaction.authCode))
            case .pending: return .soFar(.error(nil, "the transaction was not captured"))
            case .canceled: return .final(.error(nil, "the transaction was canceled"))
            case .failed: return .final(.error(nil, "the transaction has failed"))
            case .inProgress, .abandoned, .unknown: return .soFar(.unknown)
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
    }
}

extension NMIClient.Payment.NewMoney {
    init(_ request: ChargeRequest, _ action: NMIAction.ActionType) {
        self.init(orderID: request.orderID, amount: request.amount, action: action)
    }
}

extension NMIAction.ActionType {
    /// Whether a transaction begins with it.
    fileprivate var isNewMoney: Bool {
        switch self {
        case .sale, .auth, .refund, .credit, .validate, .offline: true
        case .capture, .void, .settle, .level3, .other: false
        }
    }

    /// What an offline payment begins with: the manual's list of actions has no word of its own.
    fileprivate static let offline = NMIAction.ActionType.other("offline")
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
