import CardCrypto
import CardData
import EventLoops
import ReaderProtocols

extension SimulatedMiura {
    // MARK: START TRANSACTION

    mutating func start(_ transaction: MiuraTransaction, _ cache: CryptoCache) {
        guard pending == nil else { return refuse(.notAllowed, .startTransaction) }
        guard let card = slot else { return refuse(.noCard, .startTransaction) }
        if configuration.refusesWithoutSREDKey, !keyStatus.contains(.sredReady) {
            return refuse(.keysNotReady, .startTransaction)
        }
        guard let chip = card.chip, chip.answersReset else {
            return refuse(.chipError, .startTransaction)
        }
        extraAnswer = nil
        activity = .chip(
            ChipRun(
                phase: .selecting(until: now + max(.zero, configuration.selectionTime)),
                transaction: transaction,
                card: card,
                sequenceCounter: takeSequenceCounter(transaction),
                isContactless: false
            )
        )
        show("Processing")
    }

    /// The host's sequence counter, or the reader's next one.
    mutating func takeSequenceCounter(_ transaction: MiuraTransaction) -> Int {
        sequenceCounter = transaction.sequenceCounter ?? nextSequenceCounter
        effects.append(.noted(.transactionBegan(sequenceCounter: sequenceCounter)))
        return sequenceCounter
    }

    // MARK: Steps

    mutating func advance(_ run: ChipRun, _ cache: CryptoCache) {
        var run = run
        switch run.phase {
        case .selecting: selected(&run, cache)
        case .choosing: endChip(MiuraResponse(refusal: .timedOut), cache)
        case .typing: endChip(MiuraResponse(refusal: .timedOut), cache)
        case .checkingPIN(_, let isRight): checked(&run, isRight: isRight, cache)
        case .deciding: decide(&run, cache)
        case .closing(_, let isApproved): close(&run, isApproved: isApproved, cache)
        }
    }

    /// The applications were read: one is chosen.
    private mutating func selected(_ run: inout ChipRun, _ cache: CryptoCache) {
        let applications = run.card.chip?.applications ?? []
        run.candidates = applications.indices.filter { !applications[$0].isBlocked }
        guard !applications.isEmpty else {
            return endChip(MiuraResponse(refusal: .unsupportedCard), cache)
        }
        guard !run.candidates.isEmpty else {
            return endChip(MiuraResponse(refusal: .invalidCard), cache)
        }
        let selection = run.transaction.applicationSelection ?? .onReader
        if run.candidates.count == 1 {
            choose(run.candidates[0], &run, cache)
        } else if selection.contains(.onHost) {
            let listed =
                selection.contains(.withBlocked) ? Array(applications.indices) : run.candidates
            wait(.application, run, .decisionRequired(Self.templates(applications, listed)), cache)
        } else {
            run.phase = .choosing(until: now + max(.zero, configuration.keyTimeLimit))
            activity = .chip(run)
            tell(.readerStatus(MiuraReaderStatus(.applicationSelection, "Select application")))
            let labels = run.candidates.map { applications[$0].label }
            effects.append(.noted(.choiceAsked(labels)))
            show("Select application")
        }
    }

    /// 61 for an application, 62 for a blocked one.
    private static func templates(_ applications: [ChipApplication], _ listed: [Int]) -> [TLV] {
        listed.map { index in
            let application = applications[index]
            return TLV(
                application.isBlocked ? 0x62 : 0x61,
                [
                    TLV(.applicationIdentifier, application.identifier),
                    TLV(.applicationLabel, text: application.label),
                ]
            )
        }
    }

    mutating func choose(_ index: Int, _ run: inout ChipRun, _ cache: CryptoCache) {
        guard let application = run.card.chip?.applications[index] else { return }
        run.application = application
        run.transactionCounter = nextTransactionCounter(of: run.card, application)
        run.unpredictableNumber = UInt32(truncatingIfNeeded: random.next() >> 32)
        verify(&run, cache)
    }

    /// Takes the first way of verification that is left and can be done.
    mutating func verify(_ run: inout ChipRun, _ cache: CryptoCache) {
        guard let application = run.application else { return }
        if run.needsNoVerification {
            run.methodResults = [0x1F, 0x00, 0x02]
            return proceed(&run, cache)
        }
        while application.verifications.indices.contains(run.verificationIndex) {
            let method = application.verifications[run.verificationIndex]
            let isLast = run.verificationIndex == application.verifications.count - 1
            let code = method.rawValue | (isLast ? 0 : 0x40)
            switch method {
            case .plaintextPIN, .encipheredPIN:
                if configuration.hasPINPad, !run.isContactless {
                    if memory(of: run.card, application).pinTriesLeft > 0 {
                        return askForPIN(&run, isOnline: false)
                    }
                    run.verificationResults[2] |= 0x20
                } else {
                    run.verificationResults[2] |= 0x10
                }
                run.methodResults = [code, 0x03, 0x01]
            case .onlinePIN:
                if configuration.hasPINPad, keyStatus.contains(.pinReady) {
                    return askForPIN(&run, isOnline: true)
                }
                run.verificationResults[2] |= 0x10
                run.methodResults = [code, 0x03, 0x01]
            case .signature:
                run.methodResults = [code, 0x03, 0x00]
                return proceed(&run, cache)
            case .none:
                run.methodResults = [code, 0x03, 0x02]
                return proceed(&run, cache)
            }
            run.verificationIndex += 1
        }
        run.verificationResults[2] |= 0x80
        proceed(&run, cache)
    }

    /// Verification is over: risk management, then the cryptogram.
    mutating func proceed(_ run: inout ChipRun, _ cache: CryptoCache) {
        if run.transaction.stopsAtRiskManagement == true, !run.hasPassedRisk {
            let objects = objects(of: run, .online, cache, isRiskStage: true)
            return wait(.risk, run, .decisionRequired(objects), cache)
        }
        run.phase = .deciding(until: now + max(.zero, configuration.cryptogramTime))
        keep(run)
        show("Processing")
    }

    /// Puts a run back to where it runs.
    mutating func keep(_ run: ChipRun) {
        activity = run.isContactless ? .contactless(ContactlessRun(reading: run)) : .chip(run)
    }

    /// The first cryptogram is there.
    mutating func decide(_ run: inout ChipRun, _ cache: CryptoCache) {
        let decision: ChipApplication.Decision
        switch run.card.chip?.contactless?.outcome {
        case .approves where run.isContactless: decision = .approves
        case .declines where run.isContactless: decision = .declines
        default: decision = run.isContactless ? .goesOnline : run.application?.decision ?? .declines
        }
        switch decision {
        case .goesOnline:
            wait(.issuer, run, .onlineRequired(objects(of: run, .online, cache)), cache)
        case .approves:
            finish(.approved(objects(of: run, .approved, cache)), run, cache)
        case .declines:
            finish(.declined(objects(of: run, .declined, cache)), run, cache)
        }
    }

    /// The second cryptogram is there: a chip may still decline what the issuer approved.
    private mutating func close(_ run: inout ChipRun, isApproved: Bool, _ cache: CryptoCache) {
        let isApproved = isApproved && run.application?.agreesWithIssuer != false
        let objects = objects(of: run, isApproved ? .approved : .declined, cache)
        finish(isApproved ? .approved(objects) : .declined(objects), run, cache)
    }

    // MARK: Ends

    /// Answers with E2 or E4 and waits for CONTINUE.
    mutating func wait(
        _ wait: PendingTransaction.Wait,
        _ run: ChipRun,
        _ outcome: MiuraOutcome,
        _ cache: CryptoCache
    ) {
        activity = .idle
        pending = PendingTransaction(wait: wait, run: run)
        answer(.transaction(outcome))
        resume(cache)
    }

    mutating func finish(_ outcome: MiuraOutcome, _ run: ChipRun, _ cache: CryptoCache) {
        if case .approved = outcome { effects.append(.noted(.cardDecided(isApproved: true))) }
        if case .declined = outcome { effects.append(.noted(.cardDecided(isApproved: false))) }
        endChip(MiuraAnswer.transaction(outcome).response, cache)
    }

    mutating func endChip(_ response: MiuraResponse, _ cache: CryptoCache) {
        activity = .idle
        pending = nil
        show(Self.idleDisplay)
        answer(response)
        resume(cache)
    }

    // MARK: CONTINUE TRANSACTION

    mutating func continueTransaction(_ objects: [TLV], _ cache: CryptoCache) {
        guard let waiting = pending else { return refuse(.notReady, .continueTransaction) }
        var run = waiting.run
        switch waiting.wait {
        case .application:
            let applications = run.card.chip?.applications ?? []
            guard let chosen = objects.first(.applicationIdentifier)?.value else {
                return miss(.applicationIdentifier)
            }
            guard let index = run.candidates.first(where: { applications[$0].identifier == chosen })
            else { return refuse(.invalidData, .continueTransaction) }
            pending = nil
            choose(index, &run, cache)
        case .risk:
            pending = nil
            run.hasPassedRisk = true
            proceed(&run, cache)
        case .issuer:
            guard let code = objects.first(.authorisationResponseCode)?.value else {
                return miss(.authorisationResponseCode)
            }
            guard code.count == 2 else { return refuse(.invalidData, .continueTransaction) }
            pending = nil
            run.phase = .closing(
                until: now + max(.zero, configuration.cryptogramTime),
                isApproved: Self.approvals.contains(String(decoding: code, as: UTF8.self))
            )
            keep(run)
        }
    }

    /// Response codes with which an issuer approves, and the one of a reader that could not ask.
    ///
    /// Source: EMV 4.3, Book 4, annex A6; `00` is what hosts of Miura readers send.
    private static let approvals = ["00", "08", "10", "11", "Y1", "Y3"]

    /// 9F27 with the tag that is missing.
    private mutating func miss(_ tag: TLVTag) {
        var body: [UInt8] = []
        tag.append(to: &body)
        answer(.refused(.dataMissing, body))
    }

    // MARK: What chips remember

    func memory(of card: TestCard, _ application: ChipApplication) -> ChipMemory {
        memories.first { $0.card == card.name }
            ?? ChipMemory(card: card.name, pinTriesLeft: application.pinTryLimit)
    }

    mutating func remember(_ memory: ChipMemory) {
        if let index = memories.firstIndex(where: { $0.card == memory.card }) {
            memories[index] = memory
        } else {
            memories.append(memory)
        }
    }

    private mutating func nextTransactionCounter(
        of card: TestCard,
        _ application: ChipApplication
    ) -> Int {
        var memory = memory(of: card, application)
        memory.transactionCounter = (memory.transactionCounter + 1) & 0xFFFF
        remember(memory)
        return memory.transactionCounter
    }
}
