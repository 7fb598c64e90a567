import Transports

/// What leaves a served reader, each at its time and never before what waits already.
struct Departures {
    /// What happens then.
    enum Act: Equatable {
        /// The reader sends a unit.
        case send(TransportUnit)
        /// It leaves and comes back.
        case restart
        /// It ends the link.
        case dropLink

        var byteCount: Int { if case .send(let unit) = self { unit.payload.count } else { 0 } }
    }

    private var items: [(due: Int64, act: Act)] = []
    private var head = 0
    /// How many bytes wait.
    private(set) var byteCount = 0

    var isEmpty: Bool { head == items.count }
    /// When the next one is due, in nanoseconds of `MonotonicClock`.
    var nextDue: Int64? { isEmpty ? nil : items[head].due }
    /// When the last one is due.
    var lastDue: Int64? { isEmpty ? nil : items[items.count - 1].due }

    /// Adds one behind what waits.
    mutating func add(_ act: Act, due: Int64) {
        items.append((max(due, lastDue ?? due), act))
        byteCount += act.byteCount
    }

    /// Returns the next one that is due, or `nil`.
    mutating func next(at now: Int64) -> Act? {
        guard let due = nextDue, due <= now else { return nil }
        let act = items[head].act
        head += 1
        byteCount -= act.byteCount
        if isEmpty { clear() }
        return act
    }

    mutating func clear() {
        items.removeAll(keepingCapacity: true)
        head = 0
        byteCount = 0
    }
}
