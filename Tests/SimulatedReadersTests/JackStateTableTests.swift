import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

/// Every state of a reader and every event that can arrive in it.
@Suite("Audio-jack readers, state by event")
struct JackStateTableTests {
    enum Event: String, CaseIterable {
        case plugIn, unplug, plugHeadphones, quiet, loud, startPower, stopPower, startTest, stopTest
        case call, deny, swipe, badSwipe, emptyBattery, time
    }

    enum Shuttle: String, CaseIterable { case unplugged, off, booting, answering, ready, sending }

    enum IPS: String, CaseIterable {
        case unplugged, idle, tested, answering, sending, asleep, empty
    }

    @Test(arguments: Shuttle.allCases)
    func whatEachEventDoesToAShuttle(_ state: Shuttle) throws {
        for event in Event.allCases {
            let got = try play(event, in: try shuttle(state))
            #expect(got == Self.shuttleTable[state]?[event] ?? "", "\(state), \(event)")
        }
    }

    @Test(arguments: IPS.allCases)
    func whatEachEventDoesToAnIPS(_ state: IPS) throws {
        for event in Event.allCases {
            let got = try play(event, in: try ips(state))
            #expect(got == Self.ipsTable[state]?[event] ?? "", "\(state), \(event)")
        }
    }

    // MARK: The tables; what is not in them causes nothing

    static let shuttleTable: [Shuttle: [Event: String]] = [
        .unplugged: [
            .plugIn: "attached",
            .plugHeadphones: "attached",
            .quiet: "volume",
            .loud: "volume",
            .startPower: "tone>nothing",
            .startTest: "tone>nothing",
            .call: "interrupted",
            .swipe: "lost:unplugged",
            .badSwipe: "lost:unplugged",
        ],
        .off: [
            .unplug: "detached",
            .plugHeadphones: "detached attached",
            .quiet: "volume",
            .loud: "volume",
            .startPower: "tone>shuttle powered",
            .startTest: "tone>shuttle",
            .call: "interrupted",
            .swipe: "lost:unpowered",
            .badSwipe: "lost:unpowered",
        ],
        .booting: [
            .unplug: "lost detached tone=nothing",
            .plugHeadphones: "lost detached attached tone=headphones",
            .quiet: "volume tone=shuttle lost",
            .loud: "volume tone=shuttle",
            .stopPower: "tone:stopped lost",
            .startTest: "tone>shuttle",
            .call: "tone:interrupted lost interrupted",
            .swipe: "lost:booting",
            .badSwipe: "lost:booting",
            .time: "booted heard",
        ],
        .answering: [
            .unplug: "lost cut detached tone=nothing",
            .plugHeadphones: "lost cut detached attached tone=headphones",
            .quiet: "volume tone=shuttle lost cut",
            .loud: "volume tone=shuttle",
            .stopPower: "tone:stopped lost cut",
            .startTest: "tone>shuttle",
            .call: "tone:interrupted lost cut interrupted",
            .swipe: "lost:busy",
            .badSwipe: "lost:busy",
            .time: "heard",
        ],
        .ready: [
            .unplug: "lost detached tone=nothing",
            .plugHeadphones: "lost detached attached tone=headphones",
            .quiet: "volume tone=shuttle lost",
            .loud: "volume tone=shuttle",
            .stopPower: "tone:stopped lost",
            .startTest: "tone>shuttle",
            .call: "tone:interrupted lost interrupted",
            .swipe: "record206",
            .badSwipe: "record7",
        ],
        .sending: [
            .unplug: "lost cut detached tone=nothing",
            .plugHeadphones: "lost cut detached attached tone=headphones",
            .quiet: "volume tone=shuttle lost cut",
            .loud: "volume tone=shuttle",
            .stopPower: "tone:stopped lost cut",
            .startTest: "tone>shuttle",
            .call: "tone:interrupted lost cut interrupted",
            .swipe: "lost:busy",
            .badSwipe: "lost:busy",
            .time: "heard",
        ],
    ]

    static let ipsTable: [IPS: [Event: String]] = [
        .unplugged: [
            .plugIn: "attached",
            .plugHeadphones: "attached",
            .quiet: "volume",
            .loud: "volume",
            .startPower: "tone>nothing",
            .startTest: "tone>nothing",
            .call: "interrupted",
            .swipe: "lost:unplugged",
            .badSwipe: "lost:unread",
            .emptyBattery: "battery",
        ],
        .idle: [
            .unplug: "detached",
            .plugHeadphones: "detached attached",
            .quiet: "volume",
            .loud: "volume",
            .startPower: "tone>ips",
            .startTest: "tone>ips",
            .call: "interrupted",
            .swipe: "record128",
            .badSwipe: "lost:unread",
            .emptyBattery: "battery",
        ],
        .tested: [
            .unplug: "detached tone=nothing",
            .plugHeadphones: "detached attached tone=headphones",
            .quiet: "volume tone=ips",
            .loud: "volume tone=ips",
            .startPower: "tone>ips",
            .stopTest: "tone:stopped",
            .call: "tone:interrupted interrupted",
            .swipe: "record128",
            .badSwipe: "lost:unread",
            .emptyBattery: "battery",
            .time: "tone:over heard",
        ],
        .answering: [
            .unplug: "cut detached",
            .plugHeadphones: "cut detached attached",
            .quiet: "volume",
            .loud: "volume",
            .startPower: "tone>ips",
            .startTest: "tone>ips",
            .call: "interrupted",
            .swipe: "lost:busy",
            .badSwipe: "lost:busy",
            .emptyBattery: "battery cut",
            .time: "heard",
        ],
        .sending: [
            .unplug: "cut detached",
            .plugHeadphones: "cut detached attached",
            .quiet: "volume",
            .loud: "volume",
            .startPower: "tone>ips",
            .startTest: "tone>ips",
            .call: "interrupted",
            .swipe: "lost:busy",
            .badSwipe: "lost:busy",
            .emptyBattery: "battery cut",
            .time: "heard",
        ],
        .asleep: [
            .unplug: "detached",
            .plugHeadphones: "detached attached",
            .quiet: "volume",
            .loud: "volume",
            .startPower: "tone>ips",
            .startTest: "tone>ips",
            .call: "interrupted",
            .swipe: "woke record128",
            .badSwipe: "woke lost:unread",
            .emptyBattery: "battery",
        ],
        .empty: [
            .unplug: "detached",
            .plugHeadphones: "detached attached",
            .quiet: "volume",
            .loud: "volume",
            .startPower: "tone>ips",
            .startTest: "tone>ips",
            .call: "interrupted",
            .swipe: "lost:emptyBattery",
            .badSwipe: "lost:emptyBattery",
        ],
    ]

    // MARK: States

    private func shuttle(_ state: Shuttle) throws -> AudioJack {
        var configuration = AudioJackConfiguration()
        configuration.volumePercent = 100
        var jack = AudioJack(
            configuration,
            things: [.shuttle(SimulatedShuttle(ShuttleConfiguration())), .headphones]
        )
        _ = jack.perform(.load(.uniMag), at: .zero)
        if state == .unplugged { return jack }
        _ = jack.plugIn(thing: 0, at: .zero)
        if state == .off { return jack }
        _ = jack.perform(.startTone(.power), at: .zero)
        if state == .booting { return jack }
        _ = jack.advance(to: .zero + .milliseconds(500))
        if state == .answering { return jack }
        _ = jack.advance(to: .zero + .milliseconds(600))
        if state == .ready { return jack }
        _ = try swipe(.good, &jack)
        return jack
    }

    private func ips(_ state: IPS) throws -> AudioJack {
        var configuration = AudioJackConfiguration()
        configuration.volumePercent = 100
        var reader = IPSConfiguration()
        reader.sleepsAfter = .seconds(60)
        reader.batteryPercent = state == .empty ? 0 : 50
        var jack = AudioJack(
            configuration,
            things: [.ips(SimulatedIPS(reader)), .headphones]
        )
        _ = jack.perform(.load(.ips), at: .zero)
        if state == .unplugged { return jack }
        _ = jack.plugIn(thing: 0, at: .zero)
        switch state {
        case .unplugged, .idle, .empty: break
        case .tested: _ = jack.perform(.startTone(.communicationTest), at: .zero)
        case .answering:
            _ = jack.perform(.startTone(.communicationTest), at: .zero)
            _ = jack.advance(to: .zero + .milliseconds(650))
        case .sending: _ = try swipe(.good, &jack)
        case .asleep: _ = jack.advance(to: .zero + .seconds(60))
        }
        return jack
    }

    // MARK: Events

    private func swipe(_ quality: SwipeQuality, _ jack: inout AudioJack) throws -> [JackEffect] {
        jack.swipe(
            thing: 0,
            card: try #require(TestCard.named("visa")),
            quality: quality,
            cache: CryptoCache(),
            at: .zero
        )
    }

    /// What an event causes at once.
    private func play(_ event: Event, in start: AudioJack) throws -> String {
        var jack = start
        let effects: [JackEffect]
        switch event {
        case .plugIn: effects = jack.plugIn(thing: 0, at: .zero)
        case .unplug: effects = jack.unplug(at: .zero)
        case .plugHeadphones: effects = jack.plugIn(thing: 1, at: .zero)
        case .quiet: effects = jack.setVolume(percent: 10, at: .zero)
        case .loud: effects = jack.setVolume(percent: 99, at: .zero)
        case .startPower: effects = jack.perform(.startTone(.power), at: .zero)
        case .stopPower: effects = jack.perform(.stopTone(.power), at: .zero)
        case .startTest: effects = jack.perform(.startTone(.communicationTest), at: .zero)
        case .stopTest: effects = jack.perform(.stopTone(.communicationTest), at: .zero)
        case .call: effects = jack.interrupt(at: .zero)
        case .deny: effects = jack.permitRecording(false, at: .zero)
        case .swipe: effects = try swipe(.good, &jack)
        case .badSwipe: effects = try swipe(.unreadable, &jack)
        case .emptyBattery: effects = jack.setBattery(thing: 0, percent: 0, at: .zero)
        case .time:
            var passed: [JackEffect] = []
            while let next = jack.nextDeadline, next < .zero + .seconds(59) {
                passed += jack.advance(to: next)
            }
            effects = passed
        }
        return effects.compactMap(Self.short).joined(separator: " ")
    }

    /// A word for an effect; pieces of what is heard and the numbers of tones have none.
    private static func short(_ effect: JackEffect) -> String? {
        switch effect {
        case .attached: "attached"
        case .detached: "detached"
        case .send: nil
        case .notify(.volumeChanged): nil
        case .notify(.interrupted): "interrupted"
        case .notify(.resumed): "resumed"
        case .noted(let fact, _): short(fact)
        }
    }

    private static func short(_ fact: JackFact) -> String? {
        switch fact {
        case .toneStarted(_, _, let plug): "tone>\(plug)"
        case .toneChanged(_, _, let plug): "tone=\(plug)"
        case .toneRefused: "refused"
        case .toneStopped(_, let end): "tone:\(end)"
        case .volumeChanged: "volume"
        case .volumeRefused, .libraryLoaded, .libraryUnloaded: "?"
        case .readerPowered: "powered"
        case .readerBooted: "booted"
        case .readerLostPower: "lost"
        case .readerSlept: "slept"
        case .readerWoke: "woke"
        case .batteryChanged: "battery"
        case .swipeLost(let loss): "lost:\(loss)"
        case .recordBegan(let byteCount, _, _): "record\(byteCount)"
        case .transmissionEnded(let unheard): unheard == 0 ? "heard" : "deaf"
        case .transmissionCut: "cut"
        }
    }
}
