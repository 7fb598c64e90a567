public import CardCrypto
public import CardData
public import EventLoops
import ReaderProtocols

/// A contactless transaction, from its command to its answer.
struct ContactlessRun: Hashable {
    enum Phase: Hashable {
        /// It waits for a tap.
        case polling(MiuraTransaction, sequenceCounter: Int, until: VirtualInstant)
        /// A card was read, and goes on as one in the slot does.
        case reading(ChipRun)
    }

    var phase: Phase

    init(polling transaction: MiuraTransaction, sequenceCounter: Int, until end: VirtualInstant) {
        phase = .polling(transaction, sequenceCounter: sequenceCounter, until: end)
    }

    init(reading run: ChipRun) { phase = .reading(run) }

    var isPolling: Bool {
        if case .polling = phase { return true }
        return false
    }

    var isAskingForKeys: Bool {
        if case .reading(let run) = phase { return run.isAskingForKeys }
        return false
    }

    var deadline: VirtualInstant {
        switch phase {
        case .polling(_, _, let end): end
        case .reading(let run): run.deadline
        }
    }
}

extension SimulatedMiura {
    mutating func startContactless(_ transaction: MiuraTransaction) {
        guard configuration.model == .m010 else {
            return refuse(.contactlessHardwareError, .startContactless)
        }
        guard pending == nil else { return refuse(.notAllowed, .startContactless) }
        if configuration.refusesWithoutSREDKey, !keyStatus.contains(.sredReady) {
            return refuse(.keysNotReady, .startContactless)
        }
        guard slot == nil else { return refuse(.cardInserted, .startContactless) }
        extraAnswer = nil
        let limit =
            transaction.timeLimitSeconds.map { VirtualDuration.seconds(Int64($0)) }
            ?? configuration.tapTimeLimit
        activity = .contactless(
            ContactlessRun(
                polling: transaction,
                sequenceCounter: takeSequenceCounter(transaction),
                until: now + max(.zero, limit)
            )
        )
        show("Present card")
    }

    /// Holds a card into the field.
    ///
    /// A card without an antenna, and a tap that nobody waits for, have no effect. A phone that asks
    /// its owner first is read at the second tap of the same transaction.
    public mutating func tap(
        _ card: TestCard,
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            guard case .contactless(let run) = reader.activity,
                case .polling(let transaction, let counter, let end) = run.phase,
                let interface = card.chip?.contactless
            else {
                reader.effects.append(.noted(.cardIgnored))
                return
            }
            switch interface.outcome {
            case .asksForChip: return reader.endTap(.useChip, cache)
            case .hasNoApplication: return reader.endTap(.noContactlessApplication, cache)
            case .asksForPhone where reader.askedPhone != counter:
                reader.askedPhone = counter
                reader.tell(.readerStatus(MiuraReaderStatus(.seePhone, "See phone")))
                reader.show("See phone")
                reader.activity = .contactless(
                    ContactlessRun(polling: transaction, sequenceCounter: counter, until: end)
                )
            case .asksForPhone, .goesOnline, .approves, .declines:
                reader.read(card, interface, transaction, counter, cache)
            }
        }
    }

    private mutating func endTap(_ statusWord: MiuraStatusWord, _ cache: CryptoCache) {
        tell(.readerStatus(MiuraReaderStatus(.errorSound, "Use another way")))
        endContactless(statusWord, cache)
    }

    private mutating func read(
        _ card: TestCard,
        _ interface: ContactlessInterface,
        _ transaction: MiuraTransaction,
        _ counter: Int,
        _ cache: CryptoCache
    ) {
        guard let chip = card.chip, let first = chip.applications.first(where: { !$0.isBlocked })
        else { return endTap(.noContactlessApplication, cache) }
        var application = first
        application.verifications = [interface.verification]
        var run = ChipRun(
            phase: .deciding(until: now),
            transaction: transaction,
            card: card,
            sequenceCounter: counter,
            isContactless: true
        )
        let limit = interface.verificationLimitMinorUnits
        run.needsNoVerification =
            interface.outcome == .asksForPhone
            || limit.map { Int64(transaction.amountMinorUnits) < $0 } ?? true
        run.application = application
        var memory = memory(of: card, application)
        memory.transactionCounter = (memory.transactionCounter + 1) & 0xFFFF
        remember(memory)
        run.transactionCounter = memory.transactionCounter
        run.unpredictableNumber = UInt32(truncatingIfNeeded: random.next() >> 32)
        tell(.readerStatus(MiuraReaderStatus(.successSound, "Card read")))
        show("Card read")
        verify(&run, cache)
        // The field is faster than the slot.
        if case .contactless(let reading) = activity, case .reading(var run) = reading.phase,
            case .deciding = run.phase
        {
            run.phase = .deciding(until: now + max(.zero, configuration.tapTime))
            keep(run)
        }
    }

    mutating func advance(_ run: ContactlessRun, _ cache: CryptoCache) {
        switch run.phase {
        case .polling: endContactless(.timedOut, cache)
        case .reading(let reading): advance(reading, cache)
        }
    }

    mutating func endContactless(_ statusWord: MiuraStatusWord, _ cache: CryptoCache) {
        activity = .idle
        show(Self.idleDisplay)
        refuse(statusWord, .startContactless)
        resume(cache)
    }
}
