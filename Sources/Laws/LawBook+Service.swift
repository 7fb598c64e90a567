import CardData
import EventLoops
import Journal

// What the laws ask of the service of card payments: requests, and what it books.
extension LawBook {
    // MARK: Requests

    /// Looks at a request that reached the service.
    mutating func receive(_ record: Record, in journal: Journal) {
        guard case .symbol(let kind) = journal.value(.kind, of: record),
            let number = journal.value(.number, of: record)
        else { return }
        let id = journal.value(.transactionID, of: record)
        let about =
            id ?? journal.value(.reference, of: record) ?? journal.value(.orderID, of: record)
        let index = transactions.index(of: id)
        switch kind {
        case .confirm, .reverse:
            if let index {
                let transaction = transactions.transactions[index]
                paymentDoubts.settle(transaction.payment)
                if kind == .confirm, transaction.confirmInstant == nil {
                    transactions.change(index) { $0.confirmInstant = record.time }
                }
            }
        case .capture:
            if let index { askToCapture(record, transactions.transactions[index], in: journal) }
        case .refund:
            if let index { askToRefund(record, transactions.transactions[index], in: journal) }
        default: break
        }
        let asked = PaymentDoubts.Asked(number: number, kind: kind, about: about)
        guard paymentDoubts.request(asked) else { return }
        report(
            .doubtIsLookedUp,
            at: record,
            reader: nil,
            """
            a request to \(Vocabulary.spelling(of: kind)) whose outcome is unknown is looked up \
            and never sent again, but it was sent again
            """
        )
    }

    /// Looks at a request that ended without an answer.
    mutating func loseAnswer(_ record: Record, in journal: Journal) {
        guard case .symbol(let kind) = journal.value(.kind, of: record) else { return }
        let number = journal.value(.number, of: record)
        let id = paymentDoubts.asked.last { $0.number == number }?.about
        let index = transactions.index(of: id)
        let payer =
            index.map { transactions.transactions[$0].payment }
            ?? payments.atWork.map { payments.payments[$0].serial }
        paymentDoubts.lose(
            number,
            kind,
            isRefused: journal.value(.reason, of: record) == .symbol(.refused),
            payment: payer
        )
    }

    /// Looks at an answer.
    mutating func takeAnswer(_ record: Record, in journal: Journal) {
        paymentDoubts.answer(
            journal.value(.number, of: record),
            journal.value(.response, of: record)
        )
    }

    private mutating func askToCapture(
        _ record: Record,
        _ transaction: TransactionAccount.Transaction,
        in journal: Journal
    ) {
        let asked = Self.minorUnits(of: record, in: journal) ?? transaction.authorised
        guard !transaction.isExpired, asked > transaction.available else { return }
        reportCapture(record, transaction, "more was asked for")
    }

    private mutating func askToRefund(
        _ record: Record,
        _ transaction: TransactionAccount.Transaction,
        in journal: Journal
    ) {
        guard !transaction.isExpired else { return }
        // Without a capture the whole authorisation is let go.
        let most =
            transaction.captured == 0 && transaction.available > 0
            ? transaction.available : transaction.refundable
        let asked = Self.minorUnits(of: record, in: journal)
        guard asked ?? 1 > most else { return }
        reportRefund(record, transaction, "more was asked for")
    }

    // MARK: The books

    /// Looks at a transaction that was booked for a payment of the app.
    mutating func bookPayment(_ record: Record, in journal: Journal) {
        let isHeld: Bool =
            switch journal.value(.state, of: record) {
            case .symbol(.declined), .symbol(.failed): false
            default: true
            }
        guard isHeld, let id = journal.value(.transactionID, of: record) else { return }
        let payer = payments.payer(at: record.time)
        transactions.book(
            TransactionAccount.Transaction(
                id: id,
                payment: payer.map { payments.payments[$0].serial },
                authorised: Self.minorUnits(of: record, in: journal) ?? 0,
                wantsSignature: journal.value(.verification, of: record) == .symbol(.signature)
            )
        )
        guard let payer else {
            return report(
                .chargedAtMostOnce,
                at: record,
                reader: nil,
                "what is booked was asked for, but no payment was at work"
            )
        }
        payments.change(payer) { $0.bookedCount += 1 }
        let payment = payments.payments[payer]
        guard payment.bookedCount > 1 else { return }
        report(
            .chargedAtMostOnce,
            at: record,
            reader: nil,
            """
            a payment that is asked for is booked at most once, but \(payment.number) was booked \
            \(payment.bookedCount) times
            """
        )
    }

    /// Looks at what became of a transaction.
    mutating func moveMoney(_ record: Record, in journal: Journal) {
        guard let index = transactions.index(of: journal.value(.transactionID, of: record)) else {
            return
        }
        let transaction = transactions.transactions[index]
        let amount = Self.minorUnits(of: record, in: journal) ?? transaction.authorised
        switch record.name {
        case .captured:
            if amount > transaction.available {
                reportCapture(record, transaction, "more was taken")
            }
            transactions.change(index) { $0.captured += amount }
            checkConsent(record, transaction)
        case .refunded:
            if amount > transaction.refundable {
                reportRefund(record, transaction, "more was paid back")
            }
            transactions.change(index) { $0.refunded += amount }
        case .expired:
            transactions.change(index) { transaction in
                transaction.released += amount
                transaction.isExpired = true
            }
        default:
            transactions.change(index) { $0.released += amount }
        }
    }

    private mutating func reportCapture(
        _ record: Record,
        _ transaction: TransactionAccount.Transaction,
        _ found: StaticString
    ) {
        report(
            .capturedWithinAuthorised,
            at: record,
            reader: nil,
            """
            at most what is authorised is captured, but of \
            \(Amount(minorUnits: transaction.authorised)) with \
            \(Amount(minorUnits: transaction.available)) left \(found)
            """
        )
    }

    private mutating func reportRefund(
        _ record: Record,
        _ transaction: TransactionAccount.Transaction,
        _ found: StaticString
    ) {
        report(
            .refundedWithinCaptured,
            at: record,
            reader: nil,
            """
            at most what was captured is paid back, but of \
            \(Amount(minorUnits: transaction.captured)) with \
            \(Amount(minorUnits: transaction.refundable)) left \(found)
            """
        )
    }

    private static func minorUnits(of record: Record, in journal: Journal) -> Int64? {
        guard case .amount(let amount) = journal.value(.amount, of: record) else { return nil }
        return amount.minorUnits
    }

    // MARK: Consent

    private mutating func checkConsent(
        _ record: Record,
        _ transaction: TransactionAccount.Transaction
    ) {
        guard let serial = transaction.payment, let index = payments.index(ofSerial: serial) else {
            return
        }
        let payment = payments.payments[index]
        var found: StaticString?
        switch payment.consent {
        case .notAsked: if transaction.wantsSignature { found = "none was asked for" }
        case .awaited: found = "it was not given yet"
        case .cancelled: found = "it was cancelled"
        case .mismatched: found = "it did not match"
        case .given: break
        }
        if let found {
            return report(
                .noChargeWithoutConsent,
                at: record,
                reader: nil,
                """
                a payment that wants a signature is captured after it was given, but \
                \(payment.number) was captured though \(found)
                """
            )
        }
        if payment.isRefusedByCard {
            return report(
                .noChargeWithoutConsent,
                at: record,
                reader: nil,
                """
                what the card declines in the end is not captured, but \(payment.number) was
                """
            )
        }
        let isWithdrawn =
            payment.cancelInstant.map { cancel in
                transaction.confirmInstant.map { $0 > cancel } ?? true
            } ?? false
        guard isWithdrawn else { return }
        report(
            .noChargeWithoutConsent,
            at: record,
            reader: nil,
            """
            what the app cancels before it is confirmed is not captured, but \(payment.number) was
            """
        )
    }
}
