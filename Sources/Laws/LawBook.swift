import CardData
import EventLoops
public import Journal

/// The laws that hold in every run, checked record by record.
///
/// Give it each record once, in order, as soon as it is written, and ``finish(in:)`` after the
/// last. It allocates nothing for a record that breaks no law, except for a new order of money,
/// and its memory does not grow with the run.
///
/// | law | reads |
/// | --- | --- |
/// | `nesting`, `flags-agree`, `swipe-only-while-ready` | the SDK's events |
/// | `one-callback-per-swipe` | the SDK's events, `cardSwiped`, `swipeArrived`, the reader's coming and going |
/// | `charged-at-most-once` | `chargeRequested`, `booked` |
/// | `settles` | the SDK's events, the reader's coming and going, faults of the link, the app, how far a payment is |
/// | `quiet-after-end` | the SDK's events, the app, its delegate and its controller |
/// | `doubt-is-looked-up` | the requests to the gateway, and how charges end |
/// | `refresh-renews`, `timeout-honoured` | the Shuttle's events, its swipes, the app's calls |
/// | `autodetect-silent` | all events at the audio jack |
/// | `one-audio-reader` | the loading of libraries |
/// | `no-tone-without-consent` | tones, answers to prompts, the app's calls and settings |
/// | `one-completion`, `one-user-action` | what the app asks for, and what it is told of it |
/// | `no-charge-without-consent` | the app's word on signatures, `cardDecided`, `booked`, `captured` |
/// | `captured-within-authorised`, `refunded-within-captured` | requests, and what the service books |
/// | `no-card-data-to-merchant` | `merchantServerReceived`, `urlOpened` |
/// | `answers-are-genuine` | `terminalCalledBack`, `chargeResponse` |
/// | `token-used-once` | the tokens that are made, asked for, sent and used |
/// | `no-clear-card-data` | every text of every record |
///
/// `Docs/laws.md` says in words what each promises.
public struct LawBook: Sendable {
    /// How many violations are kept; later ones are only counted.
    public static let keptViolationCount = 100

    /// The violations in the order in which they were found.
    public private(set) var violations: [LawViolation] = []
    /// How many violations there were, kept or not.
    public private(set) var violationCount = 0

    let off: LawSet
    let isLive: Bool
    var readers: [Reader]
    var orders = OrderAccount()
    var app = AppState()
    var doubt = DoubtAccount()
    var audio: AudioAccount
    var payments = PaymentAccount()
    var transactions = TransactionAccount()
    var paymentDoubts = PaymentDoubts()
    var terminal = TerminalAccount()
    var tokens = TokenAccount()
    /// The earliest moment by which some reader must have settled.
    var earliestDeadline = VirtualInstant.distantFuture
    /// The bytes of the text that is looked at, kept so that it is allocated once.
    var scratch: [UInt8] = []

    /// What is known of one reader.
    struct Reader: Sendable {
        var state = ReaderState()
        var swipes = SwipeAccount()
        var isDetached = false
        var settling: SettlingWatch
    }

    /// Creates the laws at the beginning of a run.
    ///
    /// - Parameters:
    ///   - lawsOff: The laws that are not checked.
    ///   - readerCount: How many readers the rig has; records of others are not looked at.
    ///   - isLive: Whether the readers are real. Nobody sees then what arrives, and
    ///     `one-callback-per-swipe` asks only that no hand's swipe gives two callbacks.
    ///   - readerKinds: What each reader is, as scenarios spell it, for the bounds of `settles`;
    ///     one that is not named has those of an iDynamo.
    ///   - attachedAtStart: Whether each reader is there before anybody acts: a hand that plugs it
    ///     in then does nothing. One that is not named is not there.
    ///   - audio: How the app sets its SDK up for the readers at the audio jack.
    public init(
        lawsOff: [LawName],
        readerCount: Int,
        isLive: Bool = false,
        readerKinds: [String] = [],
        attachedAtStart: [Bool] = [],
        audio: AudioSettings = AudioSettings()
    ) {
        off = LawSet(lawsOff)
        self.isLive = isLive
        readers = (0..<max(0, readerCount)).map { index in
            let kind = readerKinds.indices.contains(index) ? readerKinds[index] : "idynamo"
            let isThere = attachedAtStart.indices.contains(index) && attachedAtStart[index]
            return Reader(settling: SettlingWatch(kind, audio, isPluggedIn: isThere))
        }
        self.audio = AudioAccount(audio, readerKinds: readerKinds)
    }

    /// Looks at the next record of the journal.
    ///
    /// - Complexity: O(*n*) in the size of the record.
    public mutating func observe(_ record: Record, in journal: Journal) {
        if !off.contains(.noClearCardData) { scan(record, in: journal) }
        if record.time > earliestDeadline { checkSettling(before: record) }
        if audio.isPresent { checkAudio(before: record) }
        if payments.extraWord != nil { checkWord(before: record.time) }
        switch record.name {
        case .deviceConnected, .deviceActivationFinished, .deviceBecameReadyForSwipe,
            .deviceBecameUnreadyForSwipe, .deviceDeactivated, .deviceDisconnected, .didSwipeCard:
            if let index = reader(of: record, in: journal) {
                hear(record, from: index, in: journal)
            }
        case .cardSwiped:
            if isLive, let index = reader(of: record, in: journal) {
                readers[index].swipes.allow()
            }
        case .swipeArrived:
            if let index = reader(of: record, in: journal) {
                arrive(record, at: index, in: journal)
            }
        case .readerOpened, .readerClosed, .cardDecided:
            observePaymentReader(record, in: journal)
        case .readerAttached, .readerDetached:
            if let index = reader(of: record, in: journal) {
                if readers[index].settling.isPaymentReader {
                    return observePaymentReader(record, in: journal)
                }
                readers[index].isDetached = record.name == .readerDetached
                if audio.owns(index) { return adoptPlug(record, of: index) }
                if record.name == .readerAttached {
                    readers[index].swipes.beginLink()
                    readers[index].settling.attach(app, at: record.time)
                } else {
                    readers[index].settling.detach(at: record.time)
                }
                aim()
            }
        case .pluggedIn:
            if let index = reader(of: record, in: journal) {
                if audio.owns(index) { plugIntoJack() } else { readers[index].settling.plugIn() }
            }
        case .unplugged:
            if let index = reader(of: record, in: journal) { readers[index].settling.unplug() }
        case .linkFault:
            if let index = reader(of: record, in: journal) {
                readers[index].settling.disturb(.linkFault, at: record.time)
                payments.doubtTheCard()
                if readers[index].settling.isPaymentReader { payments.disturb() }
                aim()
            }
        case .appLaunched, .appKilled, .appSentToBackground, .appBroughtToForeground,
            .delegateSet, .controllerClosed:
            adopt(record, in: journal)
        case .requestReceived:
            if payments.isPresent { return receive(record, in: journal) }
            if doubt.request(record, in: journal) {
                report(
                    .doubtIsLookedUp,
                    at: record,
                    reader: nil,
                    """
                    a charge whose outcome is unknown is looked up and never sent again, but it \
                    was sent again
                    """
                )
            }
        case .gatewayUnanswered:
            if payments.isPresent { return loseAnswer(record, in: journal) }
            doubt.lose(record, in: journal)
        case .chargeFinished:
            if doubt.finish(record, in: journal) {
                report(
                    .doubtIsLookedUp,
                    at: record,
                    reader: nil,
                    """
                    a charge whose outcome is unknown is looked up, but this one finished \
                    without a look-up
                    """
                )
            }
        case .gatewayAnswered:
            if payments.isPresent { takeAnswer(record, in: journal) }
        case .tokenCreated, .tokenUsed: observeToken(record, in: journal)
        case .chargeRequested, .authorizationRequested, .refundRequested, .creditRequested,
            .offlineRequested:
            observeToken(record, in: journal)
            if payments.isPresent { return observePayment(record, in: journal) }
            if !off.contains(.chargedAtMostOnce) {
                readOrder(of: record, in: journal)
                _ = orders.request(scratch)
            }
        case .captureRequested, .paymentRequested, .signatureGiven, .paymentCancelled,
            .infoRequested, .misuse, .progressChanged, .userActionRequired, .completed,
            .openPaymentSettled:
            observePayment(record, in: journal)
        case .booked:
            if payments.isPresent { return bookPayment(record, in: journal) }
            if terminal.isPresent { return bookAtTerminal(record, in: journal) }
            if !off.contains(.chargedAtMostOnce) { book(record, in: journal) }
        case .captured, .released, .expired, .reversed, .refunded:
            if payments.isPresent { moveMoney(record, in: journal) }
        case .merchantServerReceived:
            observeToken(record, in: journal)
            doubt.ask(record, in: journal)
            if journal.value(.hasClearCardData, of: record) == .flag(true) {
                report(
                    .noCardDataToMerchant,
                    at: record,
                    reader: nil,
                    """
                    the merchant's own server never gets a card number, a track or a security \
                    code in clear, but this request had one
                    """
                )
            }
        case .voidRequested, .canceled, .consumed, .chargeRecovered, .gatewayFault, .voidFinished,
            .authorizationFinished, .captureFinished, .refundFinished, .settled,
            .validationRequested,
            .updateRequested, .customerRequested, .planRequested, .subscriptionRequested,
            .creditFinished, .validationFinished, .offlineFinished, .updateFinished,
            .customerFinished, .planFinished, .subscriptionFinished, .merchantServerFault,
            .toneChanged,
            .toneRefused, .volumeChanged,
            .volumeRefused, .routeReturned, .recordingPermissionChanged, .readerPoweredUp,
            .readerLostPower, .readerSlept, .readerWoke, .batteryChanged, .swipeLost,
            .ipsCommunicationTestCompleteWithResult, .alertDismissed:
            break
        case .cardInserted, .cardTapped, .cardRemoved, .keysPressed, .readerSwitchedOff,
            .readerSwitchedOn, .readerRebooted, .readerNotFound, .displayed, .pinAsked,
            .choiceAsked, .fileLoaded, .readerRoamed, .frameDamaged, .webhookDelivered,
            .readerUnusable:
            break
        case .terminalRequested, .creditCardTerminalNotInstalled, .terminalCalledBack,
            .chargeResponse, .urlOpened:
            observeTerminal(record, in: journal)
        case .cardScanned, .userDidProvideCreditCardInfo, .userDidCancelPaymentViewController,
            .terminalShown, .terminalRefused, .terminalAnswered, .receiptMailed, .terminalClosed,
            .chargeResponseRefused, .chargeHeld,
            .userRequested, .userFinished, .tokenRequested, .tokenFinished, .listRequested,
            .listFinished, .tokenRefused, .tokenRejected:
            break
        case .deviceAutodetectStarted, .deviceAutodetectComplete, .promptShown, .promptAnswered,
            .alertShown, .methodCalled, .toneStarted, .toneStopped, .libraryLoaded,
            .libraryUnloaded, .routeTaken:
            observeAudio(record, in: journal)
        }
    }

    /// Looks at what only the end of the run can show; call it once, after the run settled.
    public mutating func finish(in journal: Journal) {
        finishAudio()
        finishPayments()
        for index in readers.indices {
            if readers[index].swipes.owedCount > 0 {
                reportMissing(of: index, before: "the end of the run", at: nil)
            }
            let isUnwinding = readers[index].state.isUnwinding && app.isAwake
            if isUnwinding {
                report(
                    .nesting,
                    at: nil,
                    reader: index,
                    """
                    a loss unwinds down to deviceDisconnected, but after \
                    deviceBecameUnreadyForSwipe(disconnected) it did not come
                    """
                )
            }
            if !isLive, !isUnwinding, app.isAwake, readers[index].settling.deadline != nil {
                settle(index, at: nil)
            }
        }
    }

    // MARK: The SDK's events

    private mutating func hear(_ record: Record, from index: Int, in journal: Journal) {
        if !app.isListening { reportNoise(record, from: index) }
        if audio.isPresent { hearAudio(record, from: index, in: journal) }
        var broken: StaticString?
        switch record.name {
        case .deviceConnected:
            closePeriod(of: index, at: record)
            tellSession(of: index)
            broken = readers[index].state.connect()
        case .deviceActivationFinished:
            let isSuccess = journal.value(.result, of: record) == .symbol(.success)
            readers[index].settling.finishActivation(isSuccess: isSuccess)
            broken = readers[index].state.finishActivation(isSuccess: isSuccess)
        case .deviceBecameReadyForSwipe:
            closePeriod(of: index, at: record)
            broken = readers[index].state.becomeReady()
        case .deviceBecameUnreadyForSwipe:
            let isLoss = journal.value(.reason, of: record) == .symbol(.disconnected)
            broken = readers[index].state.becomeUnready(isLoss: isLoss)
        case .deviceDeactivated:
            closePeriod(of: index, at: record)
            tellSession(of: index)
            broken = readers[index].state.deactivate()
        case .deviceDisconnected:
            closePeriod(of: index, at: record)
            tellSession(of: index)
            broken = readers[index].state.disconnect()
        default:
            callBack(record, from: index)
        }
        if let broken { report(.nesting, at: record, reader: index, broken.description) }
        compareFlags(record, of: index, in: journal)
    }

    private mutating func reportNoise(_ record: Record, from index: Int) {
        let reason = app.reasonForSilence
        report(
            .quietAfterEnd,
            at: record,
            reader: index,
            "nothing arrives after \(reason), but \(record.name) did"
        )
    }

    private mutating func callBack(_ record: Record, from index: Int) {
        if !readers[index].state.isSwipePeriodOpen {
            report(
                .swipeOnlyWhileReady,
                at: record,
                reader: index,
                """
                each didSwipeCard belongs to a ready period, but this one came with no \
                deviceBecameReadyForSwipe since the reader was last inactive
                """
            )
        }
        if !readers[index].swipes.callBack() {
            report(
                .oneCallbackPerSwipe,
                at: record,
                reader: index,
                """
                a swipe gives one didSwipeCard, but this one belongs to no swipe of this session \
                that had none yet
                """
            )
        }
    }

    mutating func compareFlags(_ record: Record, of index: Int, in journal: Journal) {
        guard !off.contains(.flagsAgree) else { return }
        let state = readers[index].state
        compareFlag(.isConnected, with: state.isConnected, record, index, journal)
        compareFlag(.isActivated, with: state.isActivated, record, index, journal)
        compareFlag(.isReadyForSwipe, with: state.isReady, record, index, journal)
    }

    @inline(__always)
    private mutating func compareFlag(
        _ name: AttributeName,
        with promised: Bool,
        _ record: Record,
        _ index: Int,
        _ journal: Journal
    ) {
        guard case .flag(let found) = journal.value(name, of: record), found != promised else {
            return
        }
        report(
            .flagsAgree,
            at: record,
            reader: index,
            """
            the flags hold their new values when a callback runs, but at \(record.name) \
            \(name) was \(found) instead of \(promised)
            """
        )
    }

    // MARK: Swipes

    private mutating func arrive(_ record: Record, at index: Int, in journal: Journal) {
        guard !isLive, case .integer(let number) = journal.value(.swipe, of: record) else { return }
        if audio.owns(index) {
            if index == audio.shuttle { audio.request?.hadSwipe = true }
            // An IPS says nothing of a bad read, and what another reader sends is anything.
            if index == audio.ips || index != audio.enabled {
                return readers[audio.enabled ?? index].swipes.allow()
            }
        }
        readers[index].swipes.arrive(
            number: Int(truncatingIfNeeded: number),
            isWhole: journal.value(.isWhole, of: record) == .flag(true),
            isExpected: readers[index].state.isReady && !readers[index].isDetached && app.isAwake
        )
    }

    /// A jack has no link: what the app is told is all there is.
    private mutating func tellSession(of index: Int) {
        if audio.owns(index) {
            readers[index].swipes.endSession()
        } else {
            readers[index].swipes.tellSession()
        }
    }

    // MARK: Reporting

    func reader(of record: Record, in journal: Journal) -> Int? {
        guard case .reader(let index) = journal.value(.reader, of: record),
            readers.indices.contains(index)
        else { return nil }
        return index
    }

    mutating func report(
        _ law: LawName,
        at record: Record?,
        reader: Int?,
        _ explanation: @autoclosure () -> String
    ) {
        report(law, atSequence: record?.sequence, reader: reader, explanation())
    }

    mutating func report(
        _ law: LawName,
        atSequence sequence: Int?,
        reader: Int?,
        _ explanation: @autoclosure () -> String
    ) {
        guard !off.contains(law) else { return }
        violationCount += 1
        guard violations.count < Self.keptViolationCount else { return }
        violations.append(
            LawViolation(
                law: law,
                sequence: sequence,
                reader: reader,
                explanation: explanation()
            )
        )
    }
}
