public import EventLoops

/// A queue in an array: taking moves an index, so that nothing is allocated beyond the array's
/// own growth.
@usableFromInline
struct Queue<Element: Sendable>: Sendable {
    @usableFromInline var elements: [Element] = []
    @usableFromInline var head = 0

    @inlinable
    init() {}

    @inlinable
    var count: Int { elements.count - head }

    @inlinable
    var isEmpty: Bool { head == elements.count }

    @inlinable
    var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

    /// The element that so many others precede.
    @inlinable
    subscript(index: Int) -> Element {
        get { elements[head + index] }
        set { elements[head + index] = newValue }
    }

    @inlinable
    mutating func append(_ element: Element) { elements.append(element) }

    /// Takes the first element; there must be one.
    @inlinable
    mutating func removeFirst() -> Element {
        let element = elements[head]
        dropFirst()
        return element
    }

    /// Drops the first element; there must be one.
    ///
    /// Dropped elements leave the array when the queue is empty, or when they are its larger half.
    @inlinable
    mutating func dropFirst() {
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64 && head > count {
            elements.removeSubrange(0..<head)
            head = 0
        }
    }

    /// Removes all but the first `count` elements.
    @inlinable
    mutating func truncate(to count: Int) {
        elements.removeLast(self.count - count)
        if isEmpty { removeAll() }
    }

    @inlinable
    mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        head = 0
    }
}

/// An event on its way to the host, and when it may arrive.
@usableFromInline
struct Arrival: Sendable {
    @usableFromInline var event: TransportEvent
    @usableFromInline var window: TimeWindow
    /// Whether it is a unit from the reader, which the host must have given a credit for; kept
    /// beside the event, since asking the event costs a retain.
    @usableFromInline let needsCredit: Bool

    @inlinable
    init(_ event: TransportEvent, in window: TimeWindow) {
        if case .received = event { needsCredit = true } else { needsCredit = false }
        self.event = event
        self.window = window
    }
}

extension Queue<Arrival> {
    /// Appends an arrival; it never comes before the one in front of it.
    @inlinable
    mutating func append(_ event: TransportEvent, in window: TimeWindow) {
        var window = window
        if !isEmpty {
            let before = elements[elements.count - 1].window.earliest
            if window.earliest < before {
                window = TimeWindow(earliest: before, latest: window.latest)
            }
        }
        elements.append(Arrival(event, in: window))
    }

    /// When the first arrival comes, or `nil` when there is none or it waits for a credit.
    @inlinable
    func due(credits: Int) -> TimeWindow? {
        guard !isEmpty else { return nil }
        let isHeld = credits <= 0 && elements[head].needsCredit
        return isHeld ? nil : elements[head].window
    }

    /// Takes the first arrival when it is due and has its credit.
    @inlinable
    mutating func next(at now: VirtualInstant, credits: inout Int) -> TransportEvent? {
        guard !isEmpty, elements[head].window.earliest <= now else { return nil }
        if elements[head].needsCredit {
            guard credits > 0 else { return nil }
            credits -= 1
        }
        // Exchanged for an event without a payload: moving it out costs no retain.
        var event = TransportEvent.featureFinished(.set)
        swap(&event, &elements[head].event)
        dropFirst()
        return event
    }

    /// Drops what had not surely arrived when the reader went: everything from the first unit on
    /// whose window is still open or that has no credit.
    mutating func loseUnarrived(at now: VirtualInstant, credits: Int) {
        var credits = credits
        for index in 0..<count {
            let arrival = self[index]
            if arrival.needsCredit { credits -= 1 }
            if arrival.window.latest > now || credits < 0 {
                truncate(to: index)
                return
            }
        }
    }

    /// Whether the first arrival is a unit; there may be none.
    var needsCredit: Bool { !isEmpty && elements[head].needsCredit }

    /// The first detach among the arrivals.
    var firstDetach: Arrival? {
        for index in 0..<count {
            if case .detached = self[index].event { return self[index] }
        }
        return nil
    }

    /// How many of the arrivals are units.
    var unitCount: Int {
        var count = 0
        for index in 0..<self.count where self[index].needsCredit { count += 1 }
        return count
    }
}

extension TimeWindow {
    /// The same window so much later.
    func later(by delay: VirtualDuration) -> TimeWindow {
        TimeWindow(earliest: earliest + delay, latest: latest + delay)
    }
}
