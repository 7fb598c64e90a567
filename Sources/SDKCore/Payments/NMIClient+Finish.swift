import GatewayProtocols

extension NMIClient.Payment {
    /// The end as the app is told.
    func finished(_ verdict: NMIClient.Payment.Verdict) -> NMIClient.Action {
        switch work {
        case .charge(let request):
            .chargeFinished(
                payment: number,
                amount: request.amount,
                orderID: request.orderID,
                ChargeResult(verdict)
            )
        case .authorize(let request):
            .authorizationFinished(
                payment: number,
                amount: request.amount,
                orderID: request.orderID,
                ChargeResult(verdict)
            )
        case .credit(let request):
            .creditFinished(
                payment: number,
                amount: request.amount,
                orderID: request.orderID,
                ChargeResult(verdict)
            )
        case .refund(let request):
            .refundFinished(payment: number, request, ChargeResult(verdict))
        case .capture(let id, let amount):
            .captureFinished(
                payment: number,
                transactionID: id,
                amount: amount,
                VoidResult(verdict)
            )
        case .void(let id, _, _):
            .voidFinished(payment: number, transactionID: id, VoidResult(verdict))
        case .validate(let request):
            .validationFinished(
                payment: number,
                orderID: request.orderID,
                ChargeResult(verdict)
            )
        case .offline(let request):
            .offlineFinished(
                payment: number,
                amount: request.amount,
                orderID: request.orderID,
                ChargeResult(verdict)
            )
        case .update(let id, _):
            .updateFinished(payment: number, transactionID: id, VoidResult(verdict))
        case .vault(let request):
            .customerFinished(
                payment: number,
                request.action,
                customerID: request.customerID,
                RegisterResult(verdict)
            )
        case .recurring(let request):
            .recurringFinished(
                payment: number,
                NMIClient.RecurringChange(request),
                RegisterResult(verdict)
            )
        }
    }
}

extension ChargeResult {
    init(_ verdict: NMIClient.Payment.Verdict) {
        self =
            switch verdict {
            case .approved(let id, let authCode):
                .approved(transactionID: id, authCode: authCode)
            case .declined(let code, let text): .declined(code: code, text: text)
            case .error(let code, let text): .error(code: code, text: text)
            case .notCharged: .notCharged
            case .unknown, .registered: .unknown
            }
    }
}

extension VoidResult {
    init(_ verdict: NMIClient.Payment.Verdict) {
        self =
            switch verdict {
            case .approved: .approved
            case .declined(let code, let text): .declined(code: code, text: text)
            case .error(let code, let text): .error(code: code, text: text)
            case .notCharged, .unknown, .registered: .unknown
            }
    }
}
