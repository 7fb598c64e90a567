import CardData
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

    private let off: LawSet
    private let isLive: Bool
    private var readers: [Reader]
    private var orders = OrderAccount()
    /// The bytes of the text that is looked at, kept so that it is allocated once.
    private var scratch: [UInt8] = []

    /// What is known of one reader.
    private struct Reader: Sendable {
        var state = ReaderState()
        var swipes = SwipeAccount()
        var isDetached = false
    }

    /// Creates the laws at the beginning of a run.
    ///
    /// - Parameters:
    ///   - lawsOff: The laws that are not checked.
    ///   - readerCount: How many readers the rig has; records of others are not looked at.
    ///   - isLive: Whether the readers are real. Nobody sees then what arrives, and
    ///     `one-callback-per-swipe` asks only that no hand's swipe gives two callbacks.
    public init(lawsOff: [LawName], readerCount: Int, isLive: Bool = false) {
        off = LawSet(lawsOff)
        self.isLive = isLive
        readers = Array(repeating: Reader(), count: max(0, readerCount))
    }

    /// Looks at the next record of the journal.
    ///
    /// - Complexity: O(*n*) in the size of the record.
    public mutating func observe(_ record: Record, in journal: Journal) {
        if !off.contains(.noClearCardData) { scan(record, in: journal) }
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
        case .readerAttached, .readerDetached:
            if let index = reader(of: record, in: journal) {
                readers[index].isDetached = record.name == .readerDetached
            }
        case .chargeRequested:
            if !off.contains(.chargedAtMostOnce) {
                readOrder(of: record, in: journal)
                _ = orders.request(scratch)
            }
        case .booked:
            if !off.contains(.chargedAtMostOnce) { book(record, in: journal) }
        case .misuse, .pluggedIn, .unplugged, .voidRequested, .linkFault, .requestReceived,
            .canceled, .gatewayFault, .gatewayAnswered, .gatewayUnanswered, .chargeFinished,
            .voidFinished:
            break
        }
    }

    /// Looks at what only the end of the run can show; call it once, after the run settled.
    public mutating func finish(in journal: Journal) {
        for index in readers.indices {
            if readers[index].swipes.owedCount > 0 {
                reportMissing(of: index, before: "the end of the run", at: nil)
            }
            if readers[index].state.isUnwinding {
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
        }
    }

    // MARK: The SDK's events

    private mutating func hear(_ record: Record, from index: Int, in journal: Journal) {
        var broken: StaticString?
        switch record.name {
        case .deviceConnected:
            closePeriod(of: index, at: record)
            readers[index].swipes.endSession()
            broken = readers[index].state.connect()
        case .deviceActivationFinished:
            let isSuccess = journal.value(.result, of: record) == .symbol(.success)
            broken = readers[index].state.finishActivation(isSuccess: isSuccess)
        case .deviceBecameReadyForSwipe:
            closePeriod(of: index, at: record)
            broken = readers[index].state.becomeReady()
        case .deviceBecameUnreadyForSwipe:
            let isLoss = journal.value(.reason, of: record) == .symbol(.disconnected)
            broken = readers[index].state.becomeUnready(isLoss: isLoss)
        case .deviceDeactivated:
            closePeriod(of: index, at: record)
            readers[index].swipes.endSession()
            broken = readers[index].state.deactivate()
        case .deviceDisconnected:
            closePeriod(of: index, at: record)
            readers[index].swipes.endSession()
            broken = readers[index].state.disconnect()
        default:
            callBack(record, from: index)
        }
        if let broken { report(.nesting, at: record, reader: index, broken.description) }
        compareFlags(record, of: index, in: journal)
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

    private mutating func compareFlags(_ record: Record, of index: Int, in journal: Journal) {
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
        readers[index].swipes.arrive(
            number: Int(truncatingIfNeeded: number),
            isWhole: journal.value(.isWhole, of: record) == .flag(true),
            isExpected: readers[index].state.isReady && !readers[index].isDetached
        )
    }

    private mutating func closePeriod(of index: Int, at record: Record) {
        guard readers[index].swipes.owedCount > 0 else { return }
        reportMissing(of: index, before: "\(record.name)", at: record)
        readers[index].swipes.endPeriod()
    }

    private mutating func reportMissing(of index: Int, before end: String, at record: Record?) {
        let (first, last) = readers[index].swipes.owedNumbers
        let count = readers[index].swipes.owedCount
        let swipes =
            first == last ? "swipe \(first)" : "\(count) of the swipes \(first) to \(last)"
        report(
            .oneCallbackPerSwipe,
            at: record,
            reader: index,
            """
            a swipe that arrives whole while the reader is ready gives one didSwipeCard, but \
            \(swipes) had none before \(end)
            """
        )
    }

    // MARK: Money

    private mutating func book(_ record: Record, in journal: Journal) {
        if let type = journal.value(.type, of: record), type != .symbol(.sale) { return }
        if journal.value(.state, of: record) == .symbol(.failed) { return }
        readOrder(of: record, in: journal)
        let order = orders.book(scratch)
        guard order.saleCount > order.requestCount else { return }
        let name: String
        if case .text(let id) = journal.value(.orderID, of: record) {
            name = "order " + RecordText(readerNames: []).value(.text(id))
        } else {
            name = "an order without id"
        }
        report(
            .chargedAtMostOnce,
            at: record,
            reader: nil,
            """
            a charge that is asked for is booked at most once, but \(name) was asked for \
            \(Self.times(order.requestCount)) and booked \(Self.times(order.saleCount))
            """
        )
    }

    private static func times(_ count: Int32) -> String { count == 1 ? "once" : "\(count) times" }

    private mutating func readOrder(of record: Record, in journal: Journal) {
        scratch.removeAll(keepingCapacity: true)
        if case .text(let id) = journal.value(.orderID, of: record) { id.append(to: &scratch) }
    }

    // MARK: Card data

    private mutating func scan(_ record: Record, in journal: Journal) {
        for attribute in journal.attributes(of: record) {
            guard case .text(let text) = attribute.value else { continue }
            scratch.removeAll(keepingCapacity: true)
            text.append(to: &scratch)
            guard CardDataScan.hasClearCardNumber(scratch) else { continue }
            report(
                .noClearCardData,
                at: record,
                reader: nil,
                """
                a card number is shown by its first six and last four digits, but \
                \(attribute.name) of \(record.name) shows more
                """
            )
        }
    }

    // MARK: Reporting

    private func reader(of record: Record, in journal: Journal) -> Int? {
        guard case .reader(let index) = journal.value(.reader, of: record),
            readers.indices.contains(index)
        else { return nil }
        return index
    }

    private mutating func report(
        _ law: LawName,
        at record: Record?,
        reader: Int?,
        _ explanation: @autoclosure () -> String
    ) {
        guard !off.contains(law) else { return }
        violationCount += 1
        guard violations.count < Self.keptViolationCount else { return }
        violations.append(
            LawViolation(
                law: law,
                sequence: record?.sequence,
                reader: reader,
                explanation: explanation()
            )
        )
    }
}
