import EventLoops
import SimulatedReaders

/// Keys that a hand presses one after the other, with a pause in between.
struct SlowTyping {
    /// The longest pause, in milliseconds.
    static let longestPause: Int64 = 60_000
    /// How many keys may wait for those before them.
    static let keyBound = 256

    private var keys: [MiuraKey] = []
    private var pause = VirtualDuration.zero
    /// When the next key is due; `nil` while nothing is typed.
    private(set) var nextDue: VirtualInstant?

    /// Takes keys, and returns those that are pressed now: the first of a slow row, all of a fast
    /// one, and none while another row is typed, behind which they come.
    ///
    /// - Throws: ``HandRefusal`` when more than ``keyBound`` keys would wait.
    mutating func add(
        _ added: [MiuraKey],
        pause: VirtualDuration,
        at now: VirtualInstant
    ) throws(HandRefusal) -> [MiuraKey] {
        let isWaiting = !keys.isEmpty || pause > .zero
        guard !isWaiting || keys.count + added.count <= Self.keyBound else {
            throw HandRefusal(reason: "more than \(Self.keyBound) keys would wait to be pressed")
        }
        if !keys.isEmpty {
            keys += added
            return []
        }
        guard pause > .zero, added.count > 1 else { return added }
        keys = Array(added.dropFirst())
        self.pause = pause
        nextDue = now + pause
        return Array(added.prefix(1))
    }

    /// Returns the next key that is due and when it was, or `nil`.
    mutating func next(at now: VirtualInstant) -> (key: MiuraKey, due: VirtualInstant)? {
        guard let due = nextDue, due <= now, let key = keys.first else { return nil }
        keys.removeFirst()
        nextDue = keys.isEmpty ? nil : due + pause
        return (key, due)
    }
}
