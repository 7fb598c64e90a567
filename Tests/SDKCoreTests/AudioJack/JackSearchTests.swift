import EventLoops
import ReaderProtocols
import Testing

@testable import SDKCore

/// The states of the jack that can be reached, in the middle of an announcement too, and everything
/// that can happen in them: no promise breaks, and what is to be told ends.
///
/// These are the 5,000 states that are the nearest; of a Shuttle there are up to 14,000, and none of them
/// breaks one either.
@Suite("Search of the audio jack")
struct JackSearchTests {
    /// A state without its times: two that differ in nothing else go on alike.
    struct Fingerprint: Hashable {
        var session: AudioJackSession
        var observer: JackObserver
        var delegate: SwipeDelegate?

        init(_ desk: JackDesk) {
            session = desk.controller.jacks[0]
            observer = desk.observer.timeless
            delegate = desk.controller.delegate
            session.phase = session.phase.seen(at: desk.now)
            session.testDeadline = session.testDeadline.map { .zero + ($0 - desk.now) }
            session.now = .zero
            session.detectionCount = 0
            session.lastKSN = nil
            session.swipes = session.swipes.map { _ in nil }
            // Only whether the type has changed since counts.
            let isTypeNew = session.isDetecting && session.typeBefore != session.readerType
            session.typeBefore = isTypeNew == (session.readerType == .none) ? .uniMag : .none
            session.ear.reset()
        }
    }

    /// What is searched: settings, a reading, and what can happen.
    struct Place: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var options = AudioJackOptions()
        var profile = SwipeProfile()
        var inputs: [JackInput]
    }

    private static func inputs(_ names: String...) -> [JackInput] {
        JackInput.all.filter { names.contains($0.description) }
    }

    static let shuttleInputs = inputs(
        "plug in",
        "unplug",
        "answer",
        "shuttle record",
        "bad swipe",
        "time",
        "interrupted",
        "resumed",
        "power up",
        "cancel power up",
        "power down",
        "request",
        "cancel request",
        "always on",
        "always off",
        "yes",
        "no",
        "type none",
        "close"
    )
    static let typeInputs = inputs(
        "plug in",
        "unplug",
        "answer",
        "ips packet",
        "time",
        "type none",
        "type uniMag",
        "type ips",
        "type autodetect",
        "autodetect",
        "yes",
        "test"
    )

    static let places: [Place] = {
        var asking = AudioJackOptions(volumePercent: 50)
        asking.uniMag.messageOptions.showInitializingReaderMessage = true
        var calling = AudioJackOptions()
        calling.uniMag.activateReaderOnAttach = false
        calling.uniMag.alwaysAcceptSwipe = false
        var other = SwipeProfile()
        // No pause after a packet, so that time moves from deadline to deadline only.
        var immediate = SwipeProfile()
        immediate.audioJack.shortestPause = .zero
        other.audioJack.shortestPause = .zero
        other.audioJack.isUnreadyBeforeSwipe = true
        other.audioJack.disconnectsAtPowerDown = true
        other.audioJack.autodetectFailure = .restoresType
        other.audioJack.interruption = .isSilent
        other.audioJack.canceledActivationResult = .failure
        return [
            Place(
                testDescription: "a Shuttle that asks",
                options: asking,
                inputs: shuttleInputs
            ),
            Place(
                testDescription: "a Shuttle that is called",
                options: calling,
                inputs: shuttleInputs
            ),
            Place(
                testDescription: "a Shuttle, read otherwise",
                options: calling,
                profile: other,
                inputs: shuttleInputs
            ),
            Place(testDescription: "types", profile: immediate, inputs: typeInputs),
            Place(testDescription: "types, read otherwise", profile: other, inputs: typeInputs),
        ]
    }()

    /// What the search found of one configuration.
    struct Found {
        var stateCount = 0
        var violations: [String] = []
    }

    static func search(_ place: Place, plant: Plant? = nil, stateBound: Int = 5_000) -> Found {
        let first = JackDesk(place.options, profile: place.profile, answer: nil, plant: plant)
        var seen: Set<Fingerprint> = [Fingerprint(first)]
        var waiting: [(desk: JackDesk, path: [String])] = [(first, [])]
        var found = Found()
        var next = 0
        while next < waiting.count, seen.count < stateBound, found.violations.isEmpty {
            let (desk, path) = waiting[next]
            next += 1
            for input in place.inputs + [JackInput("step") { _ = $0.step() }] {
                var after = desk
                input.happen(&after)
                _ = after.carryOut()
                after.misuses = []
                guard seen.insert(Fingerprint(after)).inserted else { continue }
                let path = path + [input.description]
                let broken = after.observer.violations + rest(after)
                if !broken.isEmpty {
                    found.violations = broken.map { "\(path.joined(separator: ", ")): \($0)" }
                    break
                }
                waiting.append((after, path))
            }
        }
        found.stateCount = seen.count
        return found
    }

    /// Lets a desk come to rest, and time pass; returns what is not as it must be.
    private static func rest(_ desk: JackDesk) -> [String] {
        var desk = desk
        if desk.run().last == "and so on" { return ["never rests"] }
        desk.observer.rested()
        for _ in 0..<6 {
            guard desk.wait() != .zero else { break }
            if desk.run().last == "and so on" { return ["never rests in time"] }
            desk.observer.rested()
        }
        if !desk.controller.isClosed { desk.observer.ended() }
        return desk.observer.violations
    }

    @Test(arguments: places)
    func noOrderBreaksAPromise(place: Place) {
        let found = Self.search(place)
        #expect(found.violations == [])
        #expect(found.stateCount > 4_000)
    }
}

extension JackPhase {
    /// The same with its time counted from now.
    func seen(at now: VirtualInstant) -> JackPhase {
        func left(_ instant: VirtualInstant) -> VirtualInstant { .zero + (instant - now) }
        switch self {
        case .powering(let until): return .powering(until: left(until))
        case .ready(let until): return .ready(until: until.map(left))
        case .detecting(.enterprise(let until)): return .detecting(.enterprise(until: left(until)))
        case .detecting(.ips(let until)): return .detecting(.ips(until: left(until)))
        case .detecting(.uniMag(let until)): return .detecting(.uniMag(until: left(until)))
        case .away, .arrived, .resting, .starting, .prompting, .consented, .raised, .checking,
            .failed, .activated, .listening, .detecting:
            return self
        }
    }
}
