import EventLoops

/// The authenticated mode of a MagneSafe reader (commands 10, 11, 12 and 14).
///
/// | from | event | to (state, antecedent) |
/// | --- | --- | --- |
/// | 00 | activation accepted | 01 |
/// | 01 | right reply | 02,01 |
/// | 01 | wrong reply | 00,04, and 03,04 from the second failure in a row |
/// | 01 | no reply in max(120, asked) seconds | 00,06 or 03,06 |
/// | 02 | card swiped | 00,02 good or 00,03 bad |
/// | 02 | time over (0 is none, at most 3,600 s) | 00,07 |
/// | 02 | right deactivation | 00,01 |
/// | 02 | wrong deactivation | 02,05 |
/// | 03 | card swiped, or delay over | 00, antecedent kept |
///
/// The delay is 10 s, 10 s longer with each failure, 600 s at most; the first failure is free. Only
/// delay and failures survive a power cycle.
/// Source: MagneSafe V5 Communication Reference Manual 99875475, commands 0x10 to 0x14; the table
/// is put together from their texts.
struct MagneSafeAuthentication: Hashable, Sendable {
    /// The first byte of command 14.
    enum State: UInt8 {
        case waitingForActivation = 0, waitingForReply, waitingForSwipe, delayed
    }

    /// The second byte of command 14.
    enum Antecedent: UInt8 {
        case powerUp = 0, goodAuthentication, goodSwipe, badSwipe, failedAuthentication
        case failedDeactivation, authenticationTimeOut, swipeTimeOut, keySynchronisationError
    }

    private enum Phase: Hashable {
        case idle
        case challenged(first: UInt64, second: UInt64, deadline: VirtualInstant)
        case open(second: UInt64, deadline: VirtualInstant?)
        case delayed(until: VirtualInstant)
    }

    private var phase = Phase.idle
    private(set) var antecedent = Antecedent.powerUp
    private var failureCount = 0

    /// The state as the reader tells it.
    var state: State {
        switch phase {
        case .idle: .waitingForActivation
        case .challenged: .waitingForReply
        case .open: .waitingForSwipe
        case .delayed: .delayed
        }
    }

    /// Whether a reset without a MAC is refused.
    var refusesPlainReset: Bool {
        switch phase {
        case .challenged, .delayed: true
        case .idle: antecedent == .failedAuthentication || antecedent == .authenticationTimeOut
        case .open: false
        }
    }

    /// Lets time pass; returns whether a swipe's window closed, which uses up a key.
    mutating func advance(to now: VirtualInstant) -> Bool {
        switch phase {
        case .idle: return false
        case .challenged(_, _, let deadline):
            if now >= deadline { fail(.authenticationTimeOut, at: deadline) }
            return false
        case .open(_, let deadline):
            guard let deadline, now >= deadline else { return false }
            phase = .idle
            antecedent = .swipeTimeOut
            return true
        case .delayed(let end):
            if now >= end { phase = .idle }
            return false
        }
    }

    /// Begins with two challenges; the first seven bytes of the second end the mode later.
    mutating func challenge(first: UInt64, second: UInt64, seconds: Int, at now: VirtualInstant) {
        let deadline = now + .milliseconds(Int64(max(120, seconds)) * 1_000)
        phase = .challenged(first: first, second: second, deadline: deadline)
    }

    /// Takes the decrypted reply: six bytes of the first challenge and two of seconds.
    ///
    /// - Returns: Whether it was right; `nil` when none is expected.
    mutating func reply(_ text: UInt64, at now: VirtualInstant) -> Bool? {
        guard case .challenged(let first, let second, _) = phase else { return nil }
        guard text >> 16 == first >> 16 else {
            fail(.failedAuthentication, at: now)
            return false
        }
        let seconds = min(3_600, Int64(text & 0xFFFF))
        let deadline = seconds == 0 ? nil : now + .milliseconds(seconds * 1_000)
        phase = .open(second: second, deadline: deadline)
        antecedent = .goodAuthentication
        failureCount = 0
        return true
    }

    /// Takes the decrypted deactivation: seven bytes of the second challenge and a flag.
    ///
    /// - Returns: Whether a key is to be used up, or `nil` when the mode is not active; a wrong
    ///   text throws.
    mutating func deactivate(_ text: UInt64) throws(WrongDeactivation) -> Bool? {
        guard case .open(let second, _) = phase else { return nil }
        guard text >> 8 == second >> 8, text & 0xFF <= 1 else {
            antecedent = .failedDeactivation
            throw WrongDeactivation()
        }
        phase = .idle
        antecedent = .goodAuthentication
        return text & 0xFF == 1
    }

    struct WrongDeactivation: Error {}

    /// Notes a swipe; returns whether a reader at level 4 answers it.
    mutating func swiped(isGood: Bool) -> Bool {
        switch phase {
        case .idle, .challenged: return false
        case .delayed:
            phase = .idle
            return false
        case .open:
            phase = .idle
            noteSwipe(isGood: isGood)
            return true
        }
    }

    /// Notes a swipe of a reader that answers every one.
    mutating func noteSwipe(isGood: Bool) { antecedent = isGood ? .goodSwipe : .badSwipe }

    /// Starts again after a power cycle or reset.
    mutating func powerUp() {
        if case .delayed = phase {} else { phase = .idle }
        antecedent = .powerUp
    }

    private mutating func fail(_ antecedent: Antecedent, at now: VirtualInstant) {
        failureCount += 1
        self.antecedent = antecedent
        if failureCount == 1 {
            phase = .idle
        } else {
            let seconds = min(600, 10 * (failureCount - 1))
            phase = .delayed(until: now + .milliseconds(Int64(seconds) * 1_000))
        }
    }
}
