public import CardCrypto
import EventLoops

/// An ID TECH Shuttle (UniMag), as what is in the jack: it lives off the power tone.
///
/// | state | what it is | ends with |
/// | --- | --- | --- |
/// | off | no tone reaches it; swipes are lost | power |
/// | booting | swipes are lost | the boot time: it sends its power-up answer; or power lost |
/// | on | each swipe gives one record, error report or nothing | power lost |
///
/// Without power it forgets all but its keys; the counter of its keys never goes back.
public struct SimulatedShuttle: Hashable, Sendable {
    enum State: Hashable {
        case off
        case booting(until: VirtualInstant)
        case on
    }

    let make: Shared<ShuttleConfiguration>
    var state = State.off
    /// The key serial number of the last swipe, or the initial one.
    public internal(set) var ksn: KSN
    /// Whether all keys are used up.
    public internal(set) var hasExhaustedKeys = false

    /// Creates a reader that nothing powers.
    public init(_ configuration: ShuttleConfiguration) {
        make = Shared(configuration)
        ksn = configuration.initialKSN
    }

    /// How the reader was made.
    public var configuration: ShuttleConfiguration { make.value }

    /// Whether a power tone reaches it.
    public var isPowered: Bool { state != .off }

    /// Whether it has booted and reads cards.
    public var isReading: Bool { state == .on }

    /// When it has booted.
    var nextDeadline: VirtualInstant? {
        switch state {
        case .off, .on: nil
        case .booting(let end): end
        }
    }

    mutating func powerUp(at now: VirtualInstant) {
        state = .booting(until: now + max(.zero, configuration.bootTime))
    }

    mutating func losePower() { state = .off }

    /// Lets time pass; returns the power-up answer when it has booted.
    mutating func advance(to now: VirtualInstant) -> [UInt8]? {
        guard case .booting(let end) = state, end <= now else { return nil }
        state = .on
        return configuration.powerUpAnswer
    }
}
