import EventLoops
import GatewayProtocols
import Testing
import Transports

@testable import SDKCore

/// What each input does to a payment in each of its states.
///
/// A cell is the state after the input, then what the app was told of besides progress, and what
/// was sent; a dash is an input without any effect.
@Suite("Table of a payment")
struct PaymentTableTests {
    enum Place: String, CaseIterable {
        case checking, opening, waiting, reading, authorising, inDoubt, cancelling, completing
        case signing, confirming, reversing, leaving, finished
    }

    enum Input: String, CaseIterable {
        case opened, notFound, linkLost, cardInserted, cardRead, cardYes, cardNo, cardRemoved
        case signed, mismatch, signCancelled, cancel, deadline, approved, declined, refused, reset
    }

    /// A till in a state, and the request.
    private func till(_ place: Place) -> (PaymentTill, PaymentRequest) {
        var till = PaymentTill(.playedSession, []) {
            $0.profile.checksAccountFirst = place == .checking
        }
        till.isAnswering = false
        till.isReaderAnswering = place != .opening
        let request = till.authorize()
        switch place {
        case .checking, .opening, .waiting: return (till, request)
        case .reading:
            till.report(.progress(.cardInserted))
            return (till, request)
        case .finished:
            till.report(.failed(.cardRemoved))
            return (till, request)
        default: break
        }
        let hasSignature = place == .signing || place == .reversing
        till.read(hasSignature ? PaymentTill.signatureCard : PaymentTill.card)
        switch place {
        case .inDoubt: till.answer(.reset)
        case .cancelling: till.cancel(request)
        case .completing: till.answer(.state(.authorised))
        case .signing, .confirming, .reversing:
            till.answer(.state(.authorised))
            till.report(.completed(isApproved: true))
            if place == .reversing { till.sign(request, .cancelled) }
        case .leaving: till.answer(.state(.declined))
        case .authorising, .checking, .opening, .waiting, .reading, .finished: break
        }
        return (till, request)
    }

    private func play(_ input: Input, _ till: inout PaymentTill, _ request: PaymentRequest) {
        switch input {
        case .opened: till.provider.readerOpened(at: till.now)
        case .notFound: till.provider.readerNotFound(at: till.now)
        case .linkLost: till.provider.readerLost(at: till.now)
        case .cardInserted: till.report(.progress(.cardInserted))
        case .cardRead:
            till.report(.authorisationRequired(PaymentTill.card, needsCompletion: true))
        case .cardYes: till.report(.completed(isApproved: true))
        case .cardNo: till.report(.completed(isApproved: false))
        case .cardRemoved: till.report(.failed(.cardRemoved))
        case .signed: till.sign(request)
        case .mismatch: till.sign(request, .signaturesDontMatch)
        case .signCancelled: till.sign(request, .cancelled)
        case .cancel: till.cancel(request)
        case .deadline:
            if let deadline = till.provider.nextDeadline {
                till.now = deadline
                till.provider.deadlineReached(at: deadline)
            }
        case .approved: till.answer(.state(.authorised))
        case .declined: till.answer(.state(.declined))
        case .refused: till.answer(.unauthorised)
        case .reset: till.answer(.reset)
        }
        till.carry()
    }

    private func cell(_ place: Place, _ input: Input) -> String {
        var (till, request) = till(place)
        let before = till
        till.told = []
        till.sent = []
        till.orders = []
        play(input, &till, request)
        var words: [String] = []
        for event in till.told {
            switch event {
            case .progressChanged(_, let state): words.append(".\(state)")
            case .userActionRequired: words.append("asks")
            case .completed(_, let completion):
                words.append("ends \(completion.result)")
                if let error = completion.error { words.append("(\(error.word))") }
            case .openPaymentSettled: words.append("settled")
            case .misuse: words.append("misuse")
            }
        }
        words += till.orders.map { $0.word }
        words += till.sent.map { "sends \($0)" }
        let isChanged = till.provider.payment?.value.state != before.provider.payment?.value.state
        if isChanged, let word = till.provider.payment?.value.state.word {
            words.append("→ \(word)")
        }
        return words.isEmpty ? "-" : words.joined(separator: " ")
    }

    @Test(arguments: Place.allCases)
    func everyInputInEveryState(_ place: Place) {
        let rows = Input.allCases.map { "\($0): \(cell(place, $0))" }
        let expected = PaymentTable.rows(place.rawValue)
        #expect(rows == expected, "\(place)\n\(rows.joined(separator: "\n"))")
    }
}

extension PaymentReaderOrder {
    fileprivate var word: String {
        switch self {
        case .start: "orders start"
        case .complete(let answer): "orders \(answer)"
        case .abort: "orders abort"
        }
    }
}

extension PaymentError {
    fileprivate var word: String {
        if case .refused(let error) = self { "refused \(error.code)" } else { "\(self)" }
    }
}

extension CardPayment.State {
    fileprivate var word: String {
        switch self {
        case .checking: "checking"
        case .opening: "opening"
        case .reading(let isCardPresent, _): isCardPresent ? "reading" : "waiting"
        case .authorising(let errand, _, let reader, let isCancelled):
            (errand.isInDoubt ? "inDoubt" : isCancelled ? "cancelling" : "authorising")
                + (reader == .lost ? " without reader" : "")
        case .completing(_, let isCancelled, _): isCancelled ? "completing cancelled" : "completing"
        case .signing: "signing"
        case .confirming: "confirming"
        case .reversing: "reversing"
        case .leaving: "leaving"
        case .finished: "finished"
        }
    }
}
