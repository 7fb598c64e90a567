import EventLoops
import ReaderProtocols

/// One Miura reader as a payment sees it: set up, waiting for a card, chip, tap or stripe, the
/// issuer's answer, the end.
///
/// | input | what follows, in order |
/// | --- | --- |
/// | attached | `progress(connectingReader)`, `readerReady` |
/// | begin | `progress(waitingForCard)` as soon as the reader is ready and its slot is empty or holds a new card |
/// | a card | `progress(card…)`, PIN and choices as progress, then `authorisationRequired` or `finished` |
/// | answer | `progress(finalising)` where the chip must hear it, then `finished` |
/// | cancel | `finished(cancelledByApp)`, once the reader has ended what it runs |
/// | link lost, reader started anew | `finished(failed…)`, when a payment runs |
///
/// Each payment has exactly one `finished`, whatever happens. An issuer is asked at most once a
/// payment. Everything between `authorisationRequired` and `answer` waits for the app: the session
/// sets no time limit there.
/// Source: Miura Java SDK 1-1i, Transactions; Miura Android SDK, MpiClient; OnepayMiura.
struct MiuraSession: Hashable, Sendable {
    /// What is left of a contactless command whose card came by another way.
    enum Departure: Hashable, Sendable { case none, inserted, swiped }

    /// What the payment that runs waits for.
    enum Phase: Hashable, Sendable {
        case idle
        /// The reader's set-up, or the card of the payment before to be removed.
        case awaitingReader
        /// A card.
        case awaitingCard
        /// START TRANSACTION, or CONTINUE with a choice.
        case readingChip
        /// The app's choice of an application.
        case choosing([MiuraApplication])
        /// ONLINE PIN.
        case awaitingPIN(MiuraCardReading)
        /// The app's answer.
        case authorising(MiuraCardReading)
        /// CONTINUE with the issuer's answer.
        case completing(MiuraCardReading, MiuraAuthorisation)
        /// ABORT's effect; then the payment ends like this.
        case aborting(MiuraSaleEnd)
    }

    let options: MiuraSessionOptions
    /// What is known of the reader, once it is set up.
    var facts: MiuraReaderFacts?
    var host: MPIHost
    var phase = Phase.idle
    var sale: MiuraSale?
    var steps: [MiuraStep] = []
    private var takenCount = 0

    // The card.
    /// What is in the slot, as far as the reader told.
    var slot: MiuraCardReport.Status = []
    /// Whether the card in the slot is one of a payment that ended.
    var isUsedCardPresent = false

    // The payment that runs.
    /// The command whose answer the payment waits for.
    var command: MPIHost.Ticket?
    /// START CONTACTLESS, while it runs.
    var contactless: MPIHost.Ticket?
    /// Whether taps are still taken in this payment.
    var takesTaps = false
    /// Whether the stripe of a chip card is taken.
    var takesStripe = false
    var failedInsertCount = 0
    var isContactless = false
    /// Whether the reader has ended the transaction, so that it cannot be continued.
    var isTransactionOver = false
    /// A card that came while a contactless command runs, to be looked at when that has ended.
    var waitingReport: MiuraCardReport?
    var cardDeadline: VirtualInstant?
    var reportDeadline: VirtualInstant?

    /// Creates a session without a link.
    init(_ options: MiuraSessionOptions = MiuraSessionOptions()) {
        self.options = options
        host = MPIHost(options.link)
    }

    /// Whether a payment runs.
    var isBusy: Bool { phase != .idle }

    /// When ``advance(to:)`` is due, if anything waits for time.
    var deadline: VirtualInstant? {
        var first = host.deadline
        if let cardDeadline { first = min(first ?? cardDeadline, cardDeadline) }
        if let reportDeadline { first = min(first ?? reportDeadline, reportDeadline) }
        return first
    }

    /// Returns what is to be done or told next, or `nil`.
    mutating func nextStep() -> MiuraStep? {
        guard takenCount < steps.count else {
            steps.removeAll(keepingCapacity: true)
            takenCount = 0
            return nil
        }
        defer { takenCount += 1 }
        return steps[takenCount]
    }

    // MARK: The link

    /// A link to the reader was made.
    mutating func attached(at now: VirtualInstant) {
        guard !host.isAttached else { return }
        host.attached(at: now)
        tell(.progress(.connectingReader))
        settle(at: now)
    }

    /// The link is gone.
    mutating func detached(at now: VirtualInstant) {
        host.detached(at: now)
        settle(at: now)
        linkIsGone(.linkLost)
    }

    /// Bytes could not be written.
    mutating func writeFailed(at now: VirtualInstant) {
        host.writeFailed(at: now)
        settle(at: now)
    }

    /// Reads bytes of the reader, in whatever pieces they arrive.
    mutating func receive(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) {
        host.receive(bytes, at: now)
        settle(at: now)
    }

    /// Does what is due by now.
    mutating func advance(to now: VirtualInstant) {
        host.advance(to: now)
        settle(at: now)
        if let deadline = reportDeadline, deadline <= now {
            reportDeadline = nil
            reportIsMissing(at: now)
        }
        if let deadline = cardDeadline, deadline <= now {
            cardDeadline = nil
            if phase == .awaitingReader || phase == .awaitingCard {
                stop(.failed(.timedOut), at: now)
            }
        }
        settle(at: now)
    }

    // MARK: The payment

    /// Begins a payment; it waits for a reader that is not there yet, as long as for a card.
    ///
    /// - Returns: Whether it began: not while another one runs.
    mutating func begin(_ sale: MiuraSale, at now: VirtualInstant) -> Bool {
        guard phase == .idle else { return false }
        self.sale = sale
        takesTaps = sale.takesTaps
        takesStripe = false
        failedInsertCount = 0
        isContactless = false
        isTransactionOver = false
        waitingReport = nil
        cardDeadline = now + sale.cardLimit
        phase = .awaitingReader
        awaitCard(at: now)
        settle(at: now)
        return true
    }

    /// Takes a payment back.
    ///
    /// - Returns: Whether it can be: not once the issuer is asked, and not when none runs.
    mutating func cancel(at now: VirtualInstant) -> Bool {
        switch phase {
        case .idle, .authorising, .completing: return false
        case .aborting: return true
        case .awaitingReader, .awaitingCard, .readingChip, .choosing, .awaitingPIN: break
        }
        stop(.cancelledByApp, at: now)
        settle(at: now)
        return true
    }

    /// Chooses an application by its position in the list.
    ///
    /// - Returns: Whether one is asked for, and there is one at that position.
    mutating func choose(_ index: Int, at now: VirtualInstant) -> Bool {
        guard case .choosing(let applications) = phase, applications.indices.contains(index) else {
            return false
        }
        continueWith(applications[index], at: now)
        settle(at: now)
        return true
    }

    /// Says what the issuer answered; without a question it has no effect.
    mutating func answer(_ authorisation: MiuraAuthorisation, at now: VirtualInstant) {
        guard case .authorising(let reading) = phase else { return }
        complete(reading, authorisation, at: now)
        settle(at: now)
    }

    // MARK: Parts

    mutating func tell(_ step: MiuraStep) { steps.append(step) }

    mutating func send(_ command: MiuraCommand, at now: VirtualInstant) -> MPIHost.Ticket {
        host.send(command, at: now)
    }

    mutating func show(_ text: String, at now: VirtualInstant) {
        _ = host.send(.displayText(MiuraText(text, isLit: true)), at: now)
    }

    /// Draws the conclusions from what the host says, until it says nothing more.
    private mutating func settle(at now: VirtualInstant) {
        while let action = host.nextAction() {
            switch action {
            case .write(let bytes): tell(.write(bytes))
            case .answered(let ticket, let answer): answered(ticket, answer, at: now)
            case .failed(let ticket, let failure): failed(ticket, failure, at: now)
            case .event(.reader, let event): heard(event, at: now)
            case .initialised(.reader, let answers):
                let facts = MiuraReaderFacts(answers)
                self.facts = facts
                tell(.readerReady(facts))
                awaitCard(at: now)
            case .readerRestarted(.reader):
                linkIsGone(.readerRestarted)
                tell(.progress(.connectingReader))
            case .unmatched(.reader, let response, _):
                tell(.irregular(action))
                unmatched(response)
            case .dropLink(let reason):
                tell(.dropLink(reason))
                linkIsGone(.linkLost)
            case .damaged, .skipped, .probing, .unmatched, .event, .initialised,
                .readerRestarted:
                tell(.irregular(action))
            }
        }
    }
}

/// What a session wants done or told.
enum MiuraStep: Hashable, Sendable {
    /// Write these bytes to the link.
    case write([UInt8])
    /// Close the link.
    case dropLink(MPIDropReason)
    /// The reader is set up.
    case readerReady(MiuraReaderFacts)
    /// How far the payment, or the reader, is.
    case progress(MiuraProgress)
    /// The cardholder must choose: ``MiuraSession/choose(_:at:)``.
    case applicationChoice([MiuraApplication])
    /// The issuer must be asked: ``MiuraSession/answer(_:at:)``.
    case authorisationRequired(MiuraCardReading)
    /// The reader's part of the payment is over.
    case finished(MiuraSaleEnd)
    /// The reader's battery.
    case battery(MiuraBattery)
    /// Something happened on the link that no payment asked for.
    case irregular(MPIAction)
}
