import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols

/// The chip, the issuer's answer, and the end of a payment.
extension MiuraSession {
    // MARK: Chip

    mutating func startChip(at now: VirtualInstant) {
        guard var transaction = sale?.transaction else { return }
        transaction.timeLimitSeconds = nil
        transaction.applicationSelection = options.appChoosesApplication ? .onHost : .onReader
        transaction.stopsAtRiskManagement = false
        phase = .readingChip
        isContactless = false
        cardDeadline = nil
        tell(.progress(.cardInserted))
        show("Processing...", at: now)
        command = send(.startTransaction(transaction), at: now)
    }

    /// What came of START, CONTINUE with a choice, or a tap.
    mutating func outcome(_ answer: MiuraAnswer, at now: VirtualInstant) {
        switch answer {
        case .transaction(.onlineRequired(let objects)):
            read(objects, isApprovedOffline: false, at: now)
        case .transaction(.approved(let objects)):
            read(objects, isApprovedOffline: true, at: now)
        case .transaction(.declined): declinedByCard(at: now)
        case .transaction(.decisionRequired(let objects)): decide(objects, at: now)
        case .refused(let statusWord, _): refused(statusWord, at: now)
        default: finish(.failed(.readerFailed), at: now)
        }
    }

    private mutating func read(_ objects: [TLV], isApprovedOffline: Bool, at now: VirtualInstant) {
        let reading = MiuraCardReading(
            chip: objects,
            isContactless: isContactless,
            isApprovedOffline: isApprovedOffline
        )
        guard reading.isEncrypted || options.takesClearCards else {
            if isApprovedOffline {
                finish(.failed(.keysMissing), at: now)
            } else {
                stop(.failed(.keysMissing), at: now)
            }
            return
        }
        authorise(reading)
    }

    private mutating func declinedByCard(at now: VirtualInstant) {
        let isPulled = !isContactless && !slot.contains(.present)
        finish(isPulled ? .failed(.cardRemoved) : .declinedByCard, at: now)
    }

    /// E2: the app chooses, or the first of the list, which has the highest priority, is taken.
    private mutating func decide(_ objects: [TLV], at now: VirtualInstant) {
        let identifiers = objects.filter { $0.tag != 0x62 }.all(.applicationIdentifier)
        let labels = objects.filter { $0.tag != 0x62 }.all(.applicationLabel)
        let applications = identifiers.enumerated().map { index, identifier in
            MiuraApplication(
                identifier: identifier.value,
                label: index < labels.count ? labels[index].text : ""
            )
        }
        guard let first = applications.first else {
            phase = .readingChip
            command = send(.continueTransaction([]), at: now)
            return
        }
        guard options.appChoosesApplication else {
            continueWith(first, at: now)
            return
        }
        phase = .choosing(applications)
        tell(.progress(.selectingApplication))
        tell(.applicationChoice(applications))
    }

    mutating func continueWith(_ application: MiuraApplication, at now: VirtualInstant) {
        phase = .readingChip
        command = send(
            .continueTransaction([TLV(.applicationIdentifier, application.identifier)]),
            at: now
        )
    }

    // MARK: Issuer

    mutating func authorise(_ reading: MiuraCardReading) {
        phase = .authorising(reading)
        cardDeadline = nil
        tell(.progress(.authorising))
        tell(.authorisationRequired(reading))
    }

    mutating func complete(
        _ reading: MiuraCardReading,
        _ authorisation: MiuraAuthorisation,
        at now: VirtualInstant
    ) {
        let isChip = reading.card.entryMode != .magstripe && !reading.isApprovedOffline
        guard isChip, !isTransactionOver else {
            switch authorisation {
            case .approved:
                finish(isChip ? .failed(.cardRemoved) : .approved(reading), at: now)
            case .declined: finish(.declinedByIssuer, at: now)
            case .unavailable: finish(.failed(.notAuthorised), at: now)
            }
            return
        }
        phase = .completing(reading, authorisation)
        tell(.progress(.finalising))
        command = send(.continueTransaction(authorisation.objects), at: now)
    }

    /// CONTINUE with the issuer's answer was answered.
    private mutating func completed(
        _ answer: MiuraAnswer,
        _ reading: MiuraCardReading,
        _ authorisation: MiuraAuthorisation,
        at now: VirtualInstant
    ) {
        switch (authorisation, answer) {
        case (.approved, .transaction(.approved)): finish(.approved(reading), at: now)
        case (.approved, .transaction(.declined)): declinedByCard(at: now)
        case (.approved, .refused(.notReady, _)), (.approved, .refused(.noCard, _)):
            finish(.failed(.cardRemoved), at: now)
        case (.approved, .refused(let statusWord, _)):
            finish(.failed(.refused(statusWord)), at: now)
        case (.approved, _): stop(.failed(.readerFailed), at: now)
        // Whatever the chip says: nothing was authorised.
        case (.declined, _): finish(.declinedByIssuer, at: now)
        case (.unavailable, _): finish(.failed(.notAuthorised), at: now)
        }
    }

    // MARK: Answers

    mutating func answered(
        _ ticket: MPIHost.Ticket,
        _ answer: MiuraAnswer,
        at now: VirtualInstant
    ) {
        if ticket == contactless {
            contactlessAnswered(answer, at: now)
            return
        }
        guard ticket == command else { return }
        command = nil
        switch phase {
        case .readingChip: outcome(answer, at: now)
        case .awaitingPIN(let reading): pinAnswered(answer, reading, at: now)
        case .completing(let reading, let authorisation):
            completed(answer, reading, authorisation, at: now)
        case .aborting(let end): endAborted(answer, end, at: now)
        case .idle, .awaitingReader, .awaitingCard, .choosing, .authorising: break
        }
    }

    mutating func failed(
        _ ticket: MPIHost.Ticket,
        _ failure: MPIFailure,
        at now: VirtualInstant
    ) {
        guard ticket == command || ticket == contactless else { return }
        command = nil
        contactless = nil
        switch failure {
        case .linkLost: linkIsGone(.linkLost)
        case .readerRestarted: linkIsGone(.readerRestarted)
        case .timedOut, .answerDamaged, .answerMalformed, .notEncodable, .withdrawn:
            if case .aborting(let end) = phase {
                finish(end, at: now)
            } else {
                finish(.failed(.readerFailed), at: now)
            }
        }
    }

    /// An answer to no command: the reader has ended the transaction by itself.
    mutating func unmatched(_ response: MiuraResponse) {
        guard case .authorising = phase else { return }
        isTransactionOver = true
    }

    /// A status word that ends the payment, or the use of the chip.
    mutating func refused(_ statusWord: MiuraStatusWord, at now: VirtualInstant) {
        switch statusWord {
        case .cancelled: finish(.cancelledByCardholder, at: now)
        case .timedOut: finish(.failed(.timedOut), at: now)
        case .noCard: finish(.failed(.cardRemoved), at: now)
        case .invalidCard: finish(.failed(.cardRefused), at: now)
        case .keysNotReady: finish(.failed(.keysMissing), at: now)
        case .unsupportedCard, .chipError:
            guard !isContactless else {
                isContactless = false
                takesTaps = false
                askAgain(.tapNotPossible, "Please insert card", at: now)
                return
            }
            guard slot.contains(.present) else {
                finish(.failed(.cardRemoved), at: now)
                return
            }
            takesStripe = true
            phase = .awaitingCard
            cardDeadline = sale.map { now + $0.cardLimit }
            tell(.progress(.swipeInstead))
            show("Please swipe card", at: now)
        default: finish(.failed(.refused(statusWord)), at: now)
        }
    }

    // MARK: Ends

    /// Ends a payment before the issuer is asked: what the reader runs is aborted first.
    mutating func stop(_ end: MiuraSaleEnd, at now: VirtualInstant) {
        let isRunning = command != nil || contactless != nil
        switch phase {
        case .choosing, .completing:
            _ = send(.abort, at: now)
            finish(end, at: now)
        case .readingChip, .awaitingPIN, .awaitingCard:
            if !isRunning {
                if phase != .awaitingCard { _ = send(.abort, at: now) }
                finish(end, at: now)
                return
            }
            phase = .aborting(end)
            cardDeadline = nil
            reportDeadline = nil
            _ = send(.abort, at: now)
        case .awaitingReader: finish(end, at: now)
        case .idle, .authorising, .aborting: break
        }
    }

    /// The answer of a command that was aborted; it may have ended before the ABORT came.
    mutating func endAborted(
        _ answer: MiuraAnswer,
        _ end: MiuraSaleEnd,
        at now: VirtualInstant
    ) {
        if case .transaction(let outcome) = answer, outcome.waitsForContinue {
            _ = send(.abort, at: now)
        }
        finish(end, at: now)
    }

    mutating func linkIsGone(_ failure: MiuraSaleFailure) {
        facts = nil
        slot = []
        isUsedCardPresent = false
        command = nil
        contactless = nil
        let end = endWithoutReader(failure)
        clear()
        if let end { tell(.finished(end)) }
    }

    /// How the payment that runs ends when its reader is gone; what it asked of the app stays asked.
    private func endWithoutReader(_ failure: MiuraSaleFailure) -> MiuraSaleEnd? {
        switch phase {
        case .idle: nil
        case .aborting(let end): end
        case .completing(_, .declined): .declinedByIssuer
        case .completing(_, .unavailable): .failed(.notAuthorised)
        case .awaitingReader, .awaitingCard, .readingChip, .choosing, .awaitingPIN, .authorising,
            .completing(_, .approved):
            .failed(failure)
        }
    }

    mutating func finish(_ end: MiuraSaleEnd, at now: VirtualInstant) {
        guard phase != .idle else { return }
        if contactless != nil { _ = send(.abort, at: now) }
        clear()
        isUsedCardPresent = slot.contains(.present)
        show(isUsedCardPresent ? "Please remove card" : end.display, at: now)
        tell(.finished(end))
        if isUsedCardPresent { tell(.progress(.removeCard)) }
    }

    private mutating func clear() {
        phase = .idle
        sale = nil
        command = nil
        contactless = nil
        waitingReport = nil
        cardDeadline = nil
        reportDeadline = nil
    }
}

extension MiuraSaleEnd {
    /// What the reader's display says of it.
    var display: String {
        switch self {
        case .approved: "Approved"
        case .declinedByIssuer, .declinedByCard: "Declined"
        case .cancelledByApp, .cancelledByCardholder: "Cancelled"
        case .failed: "Not completed"
        }
    }
}
