public import CardCrypto
import EventLoops
import ReaderProtocols

/// An IPS encrypted card reader, as what is in the jack: it has a battery and is ready at once.
///
/// It says nothing about bad reads. An empty battery makes it silent; a swipe and a
/// communication test that it hears wake it.
public struct SimulatedIPS: Hashable, Sendable {
    let make: Shared<IPSConfiguration>
    /// The key serial number of the last swipe, or the initial one.
    public internal(set) var ksn: KSN
    /// Whether all keys are used up.
    public internal(set) var hasExhaustedKeys = false
    /// What is left of the battery in percent, 0 to 100.
    public internal(set) var batteryPercent: Int
    /// Whether it sleeps.
    public internal(set) var isAsleep = false
    var swipesInPercent = 0
    var answerDue: VirtualInstant?
    var sleepDue: VirtualInstant?

    /// Creates a reader with the battery of its configuration.
    public init(_ configuration: IPSConfiguration) {
        make = Shared(configuration)
        ksn = configuration.initialKSN
        batteryPercent = AudioJack.percent(configuration.batteryPercent)
    }

    /// How the reader was made.
    public var configuration: IPSConfiguration { make.value }

    /// When it answers or falls asleep.
    var nextDeadline: VirtualInstant? {
        var next = answerDue
        AudioJack.keepEarlier(&next, sleepDue)
        return next
    }

    mutating func pluggedIn(at now: VirtualInstant) { stayAwake(from: now) }

    mutating func unplugged() {
        answerDue = nil
        sleepDue = nil
    }

    mutating func setBattery(percent: Int) {
        batteryPercent = percent
        swipesInPercent = 0
        if percent == 0 { answerDue = nil }
    }

    /// Takes a communication test; returns whether it woke the reader.
    mutating func heardTest(at now: VirtualInstant) -> Bool {
        guard batteryPercent > 0 else { return false }
        let woke = isAsleep
        stayAwake(from: now)
        answerDue = now + max(.zero, configuration.answerDelay)
        return woke
    }

    /// Lets time pass; returns what it sends, and whether it fell asleep.
    mutating func advance(to now: VirtualInstant) -> (answer: [UInt8]?, fellAsleep: Bool) {
        var answer: [UInt8]?
        if let due = answerDue, due <= now {
            answerDue = nil
            answer = configuration.settings.testReply
        }
        var fellAsleep = false
        if let due = sleepDue, due <= now {
            sleepDue = nil
            fellAsleep = !isAsleep
            isAsleep = true
        }
        return (answer, fellAsleep)
    }

    mutating func stayAwake(from now: VirtualInstant) {
        isAsleep = false
        sleepDue = configuration.sleepsAfter.map { now + max(.zero, $0) }
    }
}
