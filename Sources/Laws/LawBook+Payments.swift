import CardData
import EventLoops
import Journal

// What the laws ask of card payments at a payment reader: what the app is told, and how doubts end.
extension LawBook {
    /// Looks at a record of a card payment that the app asked for or was told of.
    mutating func observePayment(_ record: Record, in journal: Journal) {
        let number = Self.integer(.payment, of: record, in: journal)
        switch record.name {
        case .paymentRequested:
            if let number { payments.authorise(number) }
        case .infoRequested, .captureRequested, .refundRequested:
            if let number { payments.ask(number) }
        case .progressChanged:
            guard let number else { return }
            hearOfPayment(record, number)
            let index = payments.index(ofNumber: number)
            if let index {
                let state = journal.value(.state, of: record)
                payments.change(index) { payment in
                    payment.hasProgress = true
                    // A payment goes on from where it was when its reader is lost.
                    if case .symbol(let state) = state, state != .readerDisconnected {
                        payment.progress = state
                    }
                }
            }
        case .userActionRequired:
            if let number { requireAction(record, number) }
        case .signatureGiven:
            if let number { giveWord(record, number, in: journal) }
        case .misuse:
            if number != nil { rejectWord(record) }
        case .paymentCancelled:
            guard let number, let index = payments.index(ofNumber: number) else { return }
            payments.change(index) { payment in
                if !payment.isCompleted, payment.cancelInstant == nil {
                    payment.cancelInstant = record.time
                }
            }
        case .completed:
            if let number { complete(record, number, in: journal) }
        case .openPaymentSettled:
            let id = journal.value(.transactionID, of: record)
            let taken = paymentDoubts.take { $0.kind == .reverse && $0.about == id && id != nil }
            judge(taken, record, in: journal)
        default:
            break
        }
    }

    // MARK: One completion

    /// Looks at something that is told of a request.
    private mutating func hearOfPayment(_ record: Record, _ number: Int64) {
        guard payments.isOver(number) else { return }
        report(
            .oneCompletion,
            at: record,
            reader: nil,
            "nothing is told of a request after completed, but \(record.name) of \(number) was"
        )
    }

    private mutating func complete(_ record: Record, _ number: Int64, in journal: Journal) {
        if payments.complete(number) {
            report(
                .oneCompletion,
                at: record,
                reader: nil,
                "each request is completed once, but \(number) was completed again"
            )
        }
        let index = payments.index(ofNumber: number)
        let serial = index.map { payments.payments[$0].serial }
        if let index { payments.change(index) { $0.isCompleted = true } }
        let kind = journal.value(.kind, of: record)
        let taken = paymentDoubts.take { doubt in
            switch doubt.kind {
            case .capture, .refund: kind == .symbol(doubt.kind)
            default: serial != nil && doubt.payment == serial
            }
        }
        judge(taken, record, in: journal)
    }

    // MARK: One user action

    private mutating func requireAction(_ record: Record, _ number: Int64) {
        hearOfPayment(record, number)
        guard let index = payments.index(ofNumber: number) else { return }
        let payment = payments.payments[index]
        if payment.isActionAsked {
            report(
                .oneUserAction,
                at: record,
                reader: nil,
                "a payment asks the app to act at most once, but \(number) asked again"
            )
        } else if !payment.hasProgress {
            report(
                .oneUserAction,
                at: record,
                reader: nil,
                """
                a payment asks the app to act after progressChanged, but \(number) did before it
                """
            )
        }
        payments.change(index) { payment in
            payment.isActionAsked = true
            if payment.consent == .notAsked { payment.consent = .awaited }
        }
    }

    private mutating func giveWord(_ record: Record, _ number: Int64, in journal: Journal) {
        guard let index = payments.index(ofNumber: number) else { return }
        let payment = payments.payments[index]
        let word = PaymentAccount.Word(
            serial: payment.serial,
            before: payment.consent,
            sequence: record.sequence,
            time: record.time
        )
        let result = journal.value(.result, of: record)
        payments.change(index) { payment in
            payment.takenCount += 1
            guard payment.consent == .awaited, !payment.isCompleted else { return }
            switch result {
            case .symbol(.successful): payment.consent = .given
            case .symbol(.cancelled): payment.consent = .cancelled
            default: payment.consent = .mismatched
            }
        }
        payments.word = word
        if payment.takenCount > 0 { payments.extraWord = word }
    }

    /// A word on a signature that is a misuse was not taken.
    private mutating func rejectWord(_ record: Record) {
        guard let word = payments.word, word.time == record.time,
            let index = payments.index(ofSerial: word.serial)
        else { return }
        payments.change(index) { payment in
            payment.takenCount -= 1
            payment.consent = word.before
        }
        payments.word = nil
        if payments.payments[index].takenCount <= 1 { payments.extraWord = nil }
    }

    /// Looks whether an app's second word on a signature was taken, once its moment is over.
    mutating func checkWord(before time: VirtualInstant?) {
        guard let word = payments.extraWord, word.time != time else { return }
        payments.extraWord = nil
        guard let index = payments.index(ofSerial: word.serial),
            payments.payments[index].takenCount > 1
        else { return }
        report(
            .oneUserAction,
            atSequence: word.sequence,
            reader: nil,
            """
            one word of the app on a signature is taken and others are misuse, but a second one \
            was taken
            """
        )
    }

    // MARK: Doubts

    /// Judges how the end of a request cleared up what had been in doubt.
    private mutating func judge(
        _ doubts: [PaymentDoubts.Doubt],
        _ record: Record,
        in journal: Journal
    ) {
        let isUnknown = journal.value(.result, of: record) == .symbol(.unknown)
        for doubt in doubts {
            let asked = "\(Vocabulary.spelling(of: doubt.kind)) without an answer"
            if doubt.lookUpCount == 0 {
                report(
                    .doubtIsLookedUp,
                    at: record,
                    reader: nil,
                    "a request to \(asked) is looked up, but this one ended without a look-up"
                )
            } else if !isUnknown, doubt.answer == .none {
                report(
                    .doubtIsLookedUp,
                    at: record,
                    reader: nil,
                    """
                    a request to \(asked) ends unknown when its look-ups have none either, but \
                    this one ended otherwise
                    """
                )
            } else if isUnknown, doubt.answer == .found, !doubt.mayBeLost {
                report(
                    .doubtIsLookedUp,
                    at: record,
                    reader: nil,
                    """
                    a request to \(asked) ends unknown only when its look-ups have none either, \
                    but one found it
                    """
                )
            }
        }
    }

    static func integer(
        _ name: AttributeName,
        of record: Record,
        in journal: Journal
    ) -> Int64? {
        guard case .integer(let value) = journal.value(name, of: record) else { return nil }
        return value
    }

    /// Looks at what only the end of the run can show.
    mutating func finishPayments() {
        checkWord(before: nil)
        guard !isLive, app.isAlive else { return }
        for number in payments.open {
            report(
                .oneCompletion,
                at: nil,
                reader: nil,
                "each request is completed once, but \(number) was not at the end of the run"
            )
        }
    }
}
