import CardData
import EventLoops
import Journal
import Laws

/// A journal with short words for the records that the laws read, observed as it is written.
struct RecordStream {
    var journal = Journal()
    var laws: LawBook
    var expectations: Expectations

    init(
        lawsOff: [LawName] = [],
        readerNames: [String] = ["idynamo"],
        isLive: Bool = false,
        never: [RecordPattern] = [],
        capacity: Int = 8_192,
        attachedAtStart: [Bool] = [],
        audio: AudioSettings = AudioSettings(),
        countsDialogues: Bool = false
    ) {
        journal = Journal(capacity: capacity)
        laws = LawBook(
            lawsOff: lawsOff,
            readerCount: readerNames.count,
            isLive: isLive,
            readerKinds: readerNames,
            attachedAtStart: attachedAtStart,
            audio: audio
        )
        expectations = Expectations(
            readerNames: readerNames,
            never: never,
            countsDialogues: countsDialogues
        )
    }

    /// The laws that were broken so far.
    var broken: [LawName] { laws.violations.map(\.law) }

    /// Time that passed besides the millisecond from one record to the next.
    private var passed = VirtualDuration.zero

    /// Lets time pass.
    mutating func wait(_ duration: VirtualDuration) { passed = passed + duration }

    mutating func write(_ name: RecordName, _ attributes: [Attribute] = []) {
        let count = VirtualInstant(nanoseconds: Int64(journal.count) * 1_000_000)
        journal.begin(name, at: count + passed)
        for attribute in attributes { journal.add(attribute.name, attribute.value) }
        journal.end()
        guard let record = journal.record(journal.count - 1) else { return }
        laws.observe(record, in: journal)
        expectations.observe(record, in: journal)
    }

    mutating func event(
        _ name: RecordName,
        _ flags: (Bool, Bool, Bool),
        _ more: [Attribute] = [],
        reader: Int = 0
    ) {
        write(
            name,
            [
                Attribute(.reader, .reader(reader)), Attribute(.isConnected, .flag(flags.0)),
                Attribute(.isActivated, .flag(flags.1)),
                Attribute(.isReadyForSwipe, .flag(flags.2)),
            ] + more
        )
    }

    mutating func connected(reader: Int = 0) {
        event(.deviceConnected, (true, false, false), reader: reader)
    }

    mutating func activated(_ result: Symbol = .success, reader: Int = 0) {
        event(
            .deviceActivationFinished,
            (true, result == .success, false),
            [Attribute(.result, .symbol(result))],
            reader: reader
        )
    }

    mutating func ready(reader: Int = 0) {
        event(.deviceBecameReadyForSwipe, (true, true, true), reader: reader)
    }

    mutating func unready(_ reason: Symbol, reader: Int = 0) {
        event(
            .deviceBecameUnreadyForSwipe,
            (true, true, false),
            [Attribute(.reason, .symbol(reason))],
            reader: reader
        )
    }

    mutating func deactivated(reader: Int = 0) {
        event(.deviceDeactivated, (true, false, false), reader: reader)
    }

    mutating func disconnected(reader: Int = 0) {
        event(.deviceDisconnected, (false, false, false), reader: reader)
    }

    mutating func card(
        _ card: Symbol = .magnesafe,
        _ flags: (Bool, Bool, Bool) = (true, true, true),
        reader: Int = 0
    ) {
        event(.didSwipeCard, flags, [Attribute(.card, .symbol(card))], reader: reader)
    }

    /// The reader's coming, down to ready.
    mutating func attach(reader: Int = 0) {
        write(.readerAttached, [Attribute(.reader, .reader(reader))])
        connected(reader: reader)
        activated(reader: reader)
        ready(reader: reader)
    }

    mutating func transportLost(reader: Int = 0) {
        write(
            .readerDetached,
            [Attribute(.reader, .reader(reader)), Attribute(.reason, .symbol(.left))]
        )
    }

    /// The loss as the SDK tells it.
    mutating func unwind(reader: Int = 0) {
        unready(.disconnected, reader: reader)
        deactivated(reader: reader)
        disconnected(reader: reader)
    }

    mutating func arrived(_ swipe: Int64, isWhole: Bool = true, reader: Int = 0) {
        write(
            .swipeArrived,
            [
                Attribute(.reader, .reader(reader)), Attribute(.swipe, .integer(swipe)),
                Attribute(.isWhole, .flag(isWhole)),
            ]
        )
    }

    mutating func requested(_ order: StaticString) { requested(SafeText(order)) }

    mutating func requested(_ order: SafeText) {
        write(
            .chargeRequested,
            [
                Attribute(.amount, .amount(Amount(minorUnits: 1_099))),
                Attribute(.orderID, .text(order)),
            ]
        )
    }

    mutating func booked(
        _ order: StaticString,
        type: Symbol = .sale,
        state: Symbol = .pendingsettlement
    ) {
        booked(SafeText(order), type: type, state: state)
    }

    mutating func booked(
        _ order: SafeText,
        type: Symbol = .sale,
        state: Symbol = .pendingsettlement
    ) {
        write(
            .booked,
            [
                Attribute(.type, .symbol(type)), Attribute(.orderID, .text(order)),
                Attribute(.state, .symbol(state)),
            ]
        )
    }

    mutating func end() { laws.finish(in: journal) }
}

/// A pattern at a line of a file.
func pattern(
    _ name: RecordName,
    _ attributes: [AttributePattern] = [],
    line: Int = 1
) -> RecordPattern {
    RecordPattern(name, attributes, location: SourceLocation(line: line, column: 5))
}
