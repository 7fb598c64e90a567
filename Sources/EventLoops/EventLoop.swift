/// The one timeline of a run: what is pending, in the order of (time, sequence).
///
/// The loop calls nobody. Its owner takes one event at a time, changes the component that the event
/// is for, and posts what follows. Payloads are small values in slots; the heap holds plain
/// integers. In virtual time taking an event moves ``now`` to it; with a wall clock the owner moves
/// ``now`` itself and takes only what is due.
///
/// | promise | meaning |
/// | --- | --- |
/// | order | (time, sequence) in a natural run |
/// | windows | an event may come at any moment of its window; in a natural run at its earliest |
/// | chains | events of one chain keep their order whatever the source of choices answers |
/// | timers | one live instance a name: setting it again moves it |
/// | bounds | more than ``Bounds/eventCount`` events or a later time than the limit end the run |
public struct EventLoop<Payload: Sendable>: Sendable {
    /// How much a run may be; past it the run is an error, not a hang.
    public struct Bounds: Hashable, Sendable {
        /// The most events.
        public var eventCount: Int
        /// The last moment of the timeline.
        public var latest: VirtualInstant
        /// The most events pending at once, below 2^20.
        public var pendingCount: Int

        /// Creates bounds; the defaults fit a scenario of hours with thousands of sales.
        public init(
            eventCount: Int = 10_000_000,
            latest: VirtualInstant = VirtualInstant.zero + .seconds(30 * 24 * 3_600),
            pendingCount: Int = 100_000
        ) {
            self.eventCount = eventCount
            self.latest = latest
            self.pendingCount = min(pendingCount, (1 << 20) - 1)
        }
    }

    /// Which bound ended a run.
    public enum Exhaustion: Hashable, Sendable {
        /// Too many events.
        case events
        /// The timeline is over.
        case time
        /// Too many events pending at once.
        case pending
        /// A guided source of choices found that the run only repeats another one.
        case redundant
    }

    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var time: Int64
        /// Sequence number above 20 bits of slot.
        @usableFromInline var order: UInt64

        @inlinable
        init(time: Int64, order: UInt64) {
            self.time = time
            self.order = order
        }

        @inlinable
        static func < (left: Entry, right: Entry) -> Bool {
            left.time < right.time || (left.time == right.time && left.order < right.order)
        }
    }

    @usableFromInline
    struct Slot: Sendable {
        @usableFromInline var payload: Payload?
        @usableFromInline var latest: Int64
        @usableFromInline var key: EventKey
        @usableFromInline var chain: UInt32
        @usableFromInline var generation: UInt32
        /// The event during which it was posted, an index into the trace; -1 for none.
        @usableFromInline var cause: Int32
        @usableFromInline var isBackground: Bool

        @inlinable
        init(
            payload: Payload?,
            latest: Int64,
            key: EventKey,
            chain: UInt32,
            generation: UInt32,
            cause: Int32,
            isBackground: Bool
        ) {
            self.payload = payload
            self.latest = latest
            self.key = key
            self.chain = chain
            self.generation = generation
            self.cause = cause
            self.isBackground = isBackground
        }
    }

    /// The handle of a pending event.
    public struct EventID: Hashable, Sendable {
        @usableFromInline let slot: Int32
        @usableFromInline let generation: UInt32

        @inlinable
        init(slot: Int32, generation: UInt32) {
            self.slot = slot
            self.generation = generation
        }
    }

    @usableFromInline var heap: [Entry] = []
    @usableFromInline var slots: [Slot] = []
    @usableFromInline var freeSlots: [Int32] = []
    @usableFromInline var sequence: UInt64 = 0
    @usableFromInline var windowedCount = 0
    @usableFromInline var ordinals: [UInt32] = []
    @usableFromInline var timers: [(site: EventSite, id: EventID)] = []
    @usableFromInline let namesPerComponent: Int
    @usableFromInline var taken = 0
    @usableFromInline var foreground = 0
    @usableFromInline var reached: Exhaustion?
    @usableFromInline var last = EventKey(site: EventSite(component: 0, name: 0), ordinal: 0)

    /// The event at work, an index into the trace; -1 for none.
    @usableFromInline var current: Int32 = -1
    /// Whether time moved to the event at work.
    @usableFromInline var changesTime = false

    /// What was taken, when the source of choices keeps a trace.
    public internal(set) var trace: [TracedEvent] = []

    /// The bounds of the run.
    public let bounds: Bounds
    /// Who answers where the order is open.
    public var choices: ChoiceSource
    /// The present moment.
    public var now = VirtualInstant.zero

    /// Creates an empty loop.
    ///
    /// - Parameters:
    ///   - componentCount: How many components there are; sites outside count as the last one.
    ///   - namesPerComponent: How many names a component can have.
    ///   - bounds: How much the run may be.
    ///   - choices: Who answers where the order is open.
    @inlinable
    public init(
        componentCount: Int,
        namesPerComponent: Int = 16,
        bounds: Bounds = Bounds(),
        choices: ChoiceSource = .natural
    ) {
        self.bounds = bounds
        self.choices = choices
        self.namesPerComponent = namesPerComponent
        ordinals = [UInt32](repeating: 0, count: max(1, componentCount * namesPerComponent))
        heap.reserveCapacity(32)
        slots.reserveCapacity(32)
    }

    /// How many events were taken.
    @inlinable
    public var takenCount: Int { taken }

    /// How many events are pending that someone waits for: renewals and calendars are not.
    @inlinable
    public var foregroundCount: Int { foreground }

    /// The bound that was reached, if any; nothing is taken after that.
    @inlinable
    public var exhaustion: Exhaustion? { reached }

    /// The key of the event taken last.
    @inlinable
    public var lastKey: EventKey { last }

    /// Whether nothing is pending.
    @inlinable
    public var isEmpty: Bool { heap.isEmpty }

    /// The earliest time of what is pending.
    @inlinable
    public var nextTime: VirtualInstant? {
        heap.first.map { VirtualInstant(nanoseconds: $0.time) }
    }

    /// Posts an event for a moment; one in the past comes now.
    @inlinable
    @discardableResult
    public mutating func post(
        _ payload: Payload,
        to site: EventSite,
        at instant: VirtualInstant,
        chain: UInt32 = 0,
        isBackground: Bool = false
    ) -> EventID {
        post(
            payload,
            to: site,
            in: TimeWindow(at: instant),
            chain: chain,
            isBackground: isBackground
        )
    }

    /// Posts an event for a window; chain 0 means a chain of its own.
    @inlinable
    @discardableResult
    public mutating func post(
        _ payload: Payload,
        to site: EventSite,
        in window: TimeWindow,
        chain: UInt32 = 0,
        isBackground: Bool = false
    ) -> EventID {
        let key = nextKey(of: site)
        var window = TimeWindow(
            earliest: max(window.earliest, now),
            latest: max(window.latest, now)
        )
        if window.latest > window.earliest {
            if chain != 0 && !choices.keepsWindows { keepOrder(of: chain, in: &window) }
            window = choices.chooseInstant(in: window, key: key)
        }
        guard slots.count - freeSlots.count < bounds.pendingCount else {
            reached = .pending
            return EventID(slot: -1, generation: 0)
        }
        if window.latest > window.earliest { windowedCount += 1 }
        if !isBackground { foreground += 1 }
        let slot: Int32
        let generation: UInt32
        if let free = freeSlots.popLast() {
            slot = free
            generation = slots[Int(slot)].generation &+ 1
            slots[Int(slot)] = Slot(
                payload: payload,
                latest: window.latest.nanoseconds,
                key: key,
                chain: chain,
                generation: generation,
                cause: current,
                isBackground: isBackground
            )
        } else {
            slot = Int32(slots.count)
            generation = 0
            slots.append(
                Slot(
                    payload: payload,
                    latest: window.latest.nanoseconds,
                    key: key,
                    chain: chain,
                    generation: 0,
                    cause: current,
                    isBackground: isBackground
                )
            )
        }
        push(Entry(time: window.earliest.nanoseconds, order: sequence << 20 | UInt64(slot)))
        sequence += 1
        return EventID(slot: slot, generation: generation)
    }

    /// Takes back an event that has not come yet; returns whether it was still pending.
    @inlinable
    @discardableResult
    public mutating func cancel(_ id: EventID) -> Bool {
        let slot = Int(id.slot)
        guard slot >= 0, slots[slot].generation == id.generation, slots[slot].payload != nil else {
            return false
        }
        guard let position = heap.firstIndex(where: { Int($0.order & 0xF_FFFF) == slot }) else {
            return false
        }
        if choices.keepsTrace { keepCanceled(slot, from: heap[position].time) }
        _ = release(slot, at: heap[position].time)
        removeEntry(at: position)
        return true
    }

    /// Ends the window of a pending event at a moment, if it would end later; one that has come, or
    /// was taken back, is left alone.
    @inlinable
    public mutating func closeWindow(of id: EventID, at instant: VirtualInstant) {
        let slot = Int(id.slot)
        guard slot >= 0, slots[slot].generation == id.generation, slots[slot].payload != nil,
            slots[slot].latest > instant.nanoseconds,
            let entry = heap.first(where: { Int($0.order & 0xF_FFFF) == slot })
        else { return }
        let wasOpen = slots[slot].latest > entry.time
        slots[slot].latest = max(instant.nanoseconds, entry.time)
        if wasOpen, slots[slot].latest == entry.time { windowedCount -= 1 }
    }

    /// Sets the timer of that name to a moment; a live one is moved.
    @inlinable
    public mutating func setTimer(
        _ payload: Payload,
        named site: EventSite,
        at instant: VirtualInstant,
        isBackground: Bool = false
    ) {
        cancelTimer(named: site)
        let id = post(payload, to: site, at: instant, isBackground: isBackground)
        timers.append((site, id))
    }

    /// Stops the timer of that name, if it is live.
    @inlinable
    public mutating func cancelTimer(named site: EventSite) {
        guard let index = timers.firstIndex(where: { $0.site == site }) else { return }
        cancel(timers[index].id)
        timers.remove(at: index)
    }

    /// Takes the next event and moves ``now`` to it; `nil` when nothing is pending or a bound is
    /// reached.
    @inlinable
    public mutating func next() -> Payload? {
        guard !heap.isEmpty, reached == nil else { return nil }
        guard taken < bounds.eventCount else {
            reached = .events
            return nil
        }
        let choiceCount = choices.taken.count
        let position = choices.isNatural ? 0 : choosePosition()
        let entry = heap[position]
        guard entry.time <= bounds.latest.nanoseconds else {
            reached = .time
            return nil
        }
        let slot = Int(entry.order & 0xF_FFFF)
        let isWaitedFor = entry.time > now.nanoseconds
        if isWaitedFor { now = VirtualInstant(nanoseconds: entry.time) }
        taken += 1
        last = slots[slot].key
        if choices.keepsTrace {
            keep(slot, from: entry.time, wasChosen: choices.taken.count > choiceCount)
            changesTime = isWaitedFor
            if choices.isRedundant {
                reached = .redundant
                return nil
            }
        }
        let payload = release(slot, at: entry.time)
        removeEntry(at: position)
        return payload
    }

    /// Takes the next event that is due at ``now``, without moving time.
    @inlinable
    public mutating func nextDue() -> Payload? {
        guard let first = heap.first, first.time <= now.nanoseconds else { return nil }
        return next()
    }

    @inlinable
    mutating func nextKey(of site: EventSite) -> EventKey {
        let index = min(
            Int(site.component) * namesPerComponent + Int(site.name),
            ordinals.count - 1
        )
        let ordinal = ordinals[index]
        ordinals[index] = ordinal &+ 1
        return EventKey(site: site, ordinal: ordinal)
    }

    /// Moves the beginning of a window behind the pending events of its chain, so that no instant
    /// chosen in it overtakes them.
    @inlinable
    func keepOrder(of chain: UInt32, in window: inout TimeWindow) {
        for entry in heap where slots[Int(entry.order & 0xF_FFFF)].chain == chain {
            let pending = min(VirtualInstant(nanoseconds: entry.time), window.latest)
            window.earliest = max(window.earliest, pending)
        }
    }

    /// Empties a slot and returns its payload.
    @inlinable
    mutating func release(_ slot: Int, at time: Int64) -> Payload? {
        let payload = slots[slot].payload
        slots[slot].payload = nil
        if slots[slot].latest > time { windowedCount -= 1 }
        if !slots[slot].isBackground { foreground -= 1 }
        freeSlots.append(Int32(slot))
        return payload
    }

    /// Asks the source of choices which of the events that are due may come first.
    @inlinable
    mutating func choosePosition() -> Int {
        if windowedCount == 0 {
            let first = heap[0].time
            let hasRival =
                (heap.count > 1 && heap[1].time == first)
                || (heap.count > 2 && heap[2].time == first)
            guard hasRival else { return 0 }
        }
        return chooseAmongRivals()
    }

    @inlinable
    mutating func chooseAmongRivals() -> Int {
        var bound = Int64.max
        for entry in heap { bound = min(bound, slots[Int(entry.order & 0xF_FFFF)].latest) }
        bound = max(bound, now.nanoseconds)
        var positions: [Int] = []
        for position in heap.indices where heap[position].time <= bound {
            positions.append(position)
        }
        positions.sort { heap[$0] < heap[$1] }
        var chains: [UInt32] = []
        positions.removeAll { position in
            let chain = slots[Int(heap[position].order & 0xF_FFFF)].chain
            guard chain != 0 else { return false }
            if chains.contains(chain) { return true }
            chains.append(chain)
            return false
        }
        guard positions.count >= 2 else { return positions.first ?? 0 }
        let natural = slots[Int(heap[positions[0]].order & 0xF_FFFF)].key
        guard choices.looksAtAlternatives else {
            return positions[choices.choose(.order, key: natural, among: positions.count)]
        }
        let alternatives = positions.map { alternative(Int(heap[$0].order & 0xF_FFFF)) }
        let index = choices.choose(
            .order,
            key: natural,
            among: positions.count,
            alternatives
        )
        return positions[index]
    }
}
