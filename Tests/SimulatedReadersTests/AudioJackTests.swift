import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing
import Transports

@Suite("Audio jack")
struct AudioJackTests {
    // MARK: Who has power

    /// What decides whether a Shuttle has power.
    struct Situation: CustomTestStringConvertible {
        var plug: JackPlug
        var volume: Int
        var threshold: Int
        var isInterrupted: Bool
        var isRecordingPermitted: Bool
        var isMono: Bool
        var isToneOn: Bool

        var testDescription: String {
            "\(plug) \(volume)/\(threshold)" + (isInterrupted ? " call" : "")
                + (isRecordingPermitted ? "" : " deaf") + (isMono ? " mono" : "")
                + (isToneOn ? "" : " silent")
        }

        /// The rule of the type's documentation, written down once more.
        var hasPower: Bool {
            plug == .shuttle && volume >= threshold && !isInterrupted && !isMono && isToneOn
        }

        static var all: [Situation] {
            var all: [Situation] = []
            for plug in JackPlug.allCases {
                for volume in [0, 39, 40, 89, 90, 100] {
                    for threshold in [0, 40, 90, 100] {
                        for bits in 0..<16 {
                            all.append(
                                Situation(
                                    plug: plug,
                                    volume: volume,
                                    threshold: threshold,
                                    isInterrupted: bits & 1 != 0,
                                    isRecordingPermitted: bits & 2 == 0,
                                    isMono: bits & 4 != 0,
                                    isToneOn: bits & 8 == 0
                                )
                            )
                        }
                    }
                }
            }
            return all
        }
    }

    @Test
    func powerIsDecidedByPlugVolumeThresholdRouteChannelsAndTone() {
        for situation in Situation.all {
            var jack = jack(situation)
            var effects = jack.perform(.load(.uniMag), at: .zero)
            if let thing = Self.place(of: situation.plug) {
                effects += jack.plugIn(thing: thing, at: .zero)
            }
            if situation.isInterrupted { effects += jack.interrupt(at: .zero) }
            if situation.isToneOn { effects += jack.perform(.startTone(.power), at: .zero) }
            #expect(jack.isReaderPowered == situation.hasPower, "\(situation.testDescription)")
            let powered = effects.facts.contains(.readerPowered)
            #expect(powered == situation.hasPower, "\(situation.testDescription)")
            let later = jack.advance(to: Self.ms(2_000))
            let heard = !later.heard.isEmpty
            #expect(
                heard == (situation.hasPower && situation.isRecordingPermitted),
                "\(situation.testDescription)"
            )
        }
    }

    @Test
    func powerComesWithTheLastOfThemInAnyOrder() {
        for order in Self.permutations(of: [0, 1, 2]) {
            var jack = AudioJack(AudioJackConfiguration(), things: Self.things)
            for step in order {
                #expect(!jack.isReaderPowered, "\(order)")
                switch step {
                case 0: _ = jack.plugIn(thing: 1, at: .zero)
                case 1: _ = jack.setVolume(percent: 90, at: .zero)
                default: _ = jack.perform(.startTone(.power), at: .zero)
                }
            }
            #expect(jack.isReaderPowered, "\(order)")
        }
    }

    @Test
    func anEqualiserWeakensTheTone() {
        for (loss, isPowered) in [(0, true), (10, true), (11, false), (100, false), (200, false)] {
            var configuration = AudioJackConfiguration()
            configuration.volumePercent = 100
            configuration.equaliserLossPercent = loss
            var jack = AudioJack(configuration, things: Self.things)
            _ = jack.plugIn(thing: 1, at: .zero)
            _ = jack.perform(.startTone(.power), at: .zero)
            #expect(jack.isReaderPowered == isPowered, "\(loss)")
        }
    }

    // MARK: Losing power

    enum Loss: CaseIterable { case volume, limiter, call, stop, unload, unplug, replug, endOfApp }

    @Test(arguments: Loss.allCases)
    func powerLostWhileBootingMeansNoAnswer(_ loss: Loss) {
        var jack = poweredJack(hasLimiter: loss == .limiter)
        var effects = lose(loss, &jack, at: Self.ms(499))
        effects += jack.advance(to: Self.ms(5_000))
        #expect(!jack.isReaderPowered)
        #expect(effects.heard.isEmpty)
        #expect(effects.facts.filter { $0 == .readerLostPower }.count == 1)
        #expect(!effects.facts.contains(.readerBooted))
    }

    @Test
    func theAnswerComesAfterTheBootTimeAndTheTimeOfItsBytes() {
        var jack = poweredJack()
        #expect(jack.nextDeadline == Self.ms(500))
        #expect(jack.advance(to: Self.ms(500)).facts == [.readerBooted])
        let due = jack.nextDeadline
        #expect(due == Self.ms(500) + .nanoseconds(1_041_666))
        #expect(jack.advance(to: due ?? .zero).heard == ShuttleConfiguration().powerUpAnswer)
        #expect(jack.nextDeadline == nil)
    }

    @Test
    func aSecondPowerUpBootsAgain() {
        var jack = poweredJack()
        _ = jack.advance(to: Self.ms(1_000))
        _ = jack.perform(.stopTone(.power), at: Self.ms(1_000))
        let effects = jack.perform(.startTone(.power), at: Self.ms(1_001))
        #expect(effects.facts.contains(.readerPowered))
        #expect(jack.advance(to: Self.ms(1_500)).heard.isEmpty)
        #expect(jack.advance(to: Self.ms(1_503)).heard == ShuttleConfiguration().powerUpAnswer)
    }

    // MARK: Volume

    @Test
    func aLimiterLowersALoudVolumeOnceItsDelayIsOver() {
        var configuration = AudioJackConfiguration()
        configuration.limiter = VolumeLimiter(percent: 60, delay: .seconds(3))
        var jack = AudioJack(configuration, things: Self.things)
        #expect(jack.nextDeadline == nil)
        #expect(jack.setVolume(percent: 60, at: .zero).notices == [.volumeChanged(percent: 60)])
        #expect(jack.nextDeadline == nil)
        _ = jack.perform(.setVolume(percent: 100), at: Self.ms(100))
        #expect(jack.advance(to: Self.ms(3_099)).isEmpty)
        let effects = jack.advance(to: Self.ms(3_100))
        #expect(effects.facts == [.volumeChanged(percent: 60, by: .limiter)])
        #expect(effects.notices == [.volumeChanged(percent: 60)])
        #expect(jack.nextDeadline == nil)
    }

    @Test
    func aVolumeTurnedDownInTimeIsNotLimited() {
        var configuration = AudioJackConfiguration()
        configuration.limiter = VolumeLimiter(percent: 60, delay: .seconds(3))
        var jack = AudioJack(configuration, things: Self.things)
        _ = jack.setVolume(percent: 100, at: .zero)
        _ = jack.setVolume(percent: 50, at: Self.ms(2_999))
        #expect(jack.advance(to: Self.ms(10_000)).isEmpty)
    }

    @Test
    func whoChangedTheVolumeIsWrittenDown() {
        var jack = AudioJack(AudioJackConfiguration(), things: Self.things)
        #expect(jack.setVolume(percent: 50, at: .zero).isEmpty)
        #expect(
            jack.setVolume(percent: 70, at: .zero).facts
                == [.volumeChanged(percent: 70, by: .user)]
        )
        #expect(
            jack.perform(.setVolume(percent: 170), at: .zero).facts
                == [.volumeChanged(percent: 100, by: .sdk)]
        )
        #expect(jack.volumePercent == 100)
        #expect(
            jack.setVolume(percent: -1, at: .zero).facts
                == [.volumeChanged(percent: 0, by: .user)]
        )
    }

    @Test
    func aHostCanRefuseTheVolumeOfTheSDK() {
        var configuration = AudioJackConfiguration()
        configuration.sdkSetsVolume = false
        var jack = AudioJack(configuration, things: Self.things)
        #expect(
            jack.perform(.setVolume(percent: 100), at: .zero)
                == [.noted(.volumeRefused(percent: 100))]
        )
        #expect(jack.volumePercent == 50)
    }

    // MARK: Tones

    @Test
    func aToneIsWrittenDownWithItsVolumeAndWhatItGoesInto() {
        var jack = AudioJack(AudioJackConfiguration(), things: Self.things)
        #expect(
            jack.perform(.startTone(.power), at: .zero).facts
                == [.toneStarted(.power, volumePercent: 50, into: .nothing)]
        )
        #expect(jack.perform(.startTone(.power), at: .zero).isEmpty)
        #expect(
            jack.plugIn(thing: 0, at: .zero).facts
                == [.toneChanged(.power, volumePercent: 50, into: .headphones)]
        )
        #expect(
            jack.setVolume(percent: 80, at: .zero).facts == [
                .volumeChanged(percent: 80, by: .user),
                .toneChanged(.power, volumePercent: 80, into: .headphones),
            ]
        )
        #expect(
            jack.perform(.stopTone(.power), at: .zero).facts == [.toneStopped(.power, .stopped)]
        )
        #expect(jack.perform(.stopTone(.power), at: .zero).isEmpty)
    }

    @Test
    func aCallEndsTonesAndRefusesNewOnes() {
        var jack = poweredJack()
        let effects = jack.interrupt(at: Self.ms(100))
        #expect(
            effects == [
                .noted(.toneStopped(.power, .interrupted)), .noted(.readerLostPower, thing: 1),
                .notify(.interrupted),
            ]
        )
        #expect(jack.interrupt(at: Self.ms(100)).isEmpty)
        #expect(
            jack.perform(.startTone(.power), at: Self.ms(200)).facts == [.toneRefused(.power)]
        )
        #expect(jack.resume(at: Self.ms(300)) == [.notify(.resumed)])
        #expect(jack.resume(at: Self.ms(300)).isEmpty)
        #expect(!jack.isReaderPowered)
    }

    // MARK: Libraries

    @Test
    func twoLibrariesAtOnceAreCounted() {
        var jack = AudioJack(AudioJackConfiguration(), things: Self.things)
        #expect(
            jack.perform(.load(.uniMag), at: .zero).facts
                == [.libraryLoaded(.uniMag, loadedCount: 1)]
        )
        #expect(
            jack.perform(.load(.ips), at: .zero).facts == [.libraryLoaded(.ips, loadedCount: 2)]
        )
        #expect(
            jack.perform(.unload(.uniMag), at: .zero).facts
                == [.libraryUnloaded(.uniMag, isClean: true, loadedCount: 1)]
        )
        #expect(jack.loadedLibraries == [.ips])
        #expect(jack.perform(.unload(.uniMag), at: .zero).isEmpty)
    }

    @Test
    func aLibraryThatDoesNotUnloadStaysUntilTheAppEnds() {
        var configuration = AudioJackConfiguration()
        configuration.unloadsCleanly = false
        var jack = AudioJack(configuration, things: Self.things)
        _ = jack.perform(.load(.uniMag), at: .zero)
        #expect(
            jack.perform(.unload(.uniMag), at: .zero).facts
                == [.libraryUnloaded(.uniMag, isClean: false, loadedCount: 1)]
        )
        #expect(
            jack.perform(.load(.ips), at: .zero).facts == [.libraryLoaded(.ips, loadedCount: 2)]
        )
        _ = jack.endApp(at: .zero)
        #expect(jack.loadedLibraries == [])
    }

    @Test(arguments: [(0, true, false), (1, true, true), (2, true, true), (2, false, false)])
    func aRecorderNeedsALibraryAndPerhapsNotTwo(_ count: Int, _ allows: Bool, _ isHeard: Bool) {
        var configuration = AudioJackConfiguration()
        configuration.volumePercent = 100
        configuration.hearsWithTwoLibraries = allows
        var jack = AudioJack(configuration, things: Self.things)
        for library in AudioLibrary.allCases.prefix(count) {
            _ = jack.perform(.load(library), at: .zero)
        }
        _ = jack.plugIn(thing: 1, at: .zero)
        _ = jack.perform(.startTone(.power), at: .zero)
        let effects = jack.advance(to: Self.ms(1_000))
        #expect(!effects.heard.isEmpty == isHeard)
        #expect(
            effects.facts.last == .transmissionEnded(unheardByteCount: isHeard ? 0 : 1)
        )
    }

    // MARK: Plugging

    @Test
    func theHostSeesThatSomethingIsPluggedInWhateverItIs() {
        var jack = AudioJack(AudioJackConfiguration(), things: Self.things)
        for thing in 0..<3 {
            #expect(jack.plugIn(thing: thing, at: .zero).contains(.attached(thing: thing)))
            #expect(jack.plugIn(thing: thing, at: .zero).isEmpty)
            #expect(jack.plug == Self.things[thing].kind)
        }
        #expect(jack.plugIn(thing: 0, at: .zero) == [.detached(thing: 2), .attached(thing: 0)])
        #expect(jack.unplug(at: .zero) == [.detached(thing: 0)])
        #expect(jack.unplug(at: .zero).isEmpty)
        #expect(jack.plugIn(thing: 3, at: .zero).isEmpty)
        #expect(jack.plugIn(thing: -1, at: .zero).isEmpty)
        #expect(jack.plug == .nothing)
    }

    @Test
    func aTimeBeforeTheLastOneCountsAsThatOne() {
        var jack = poweredJack()
        _ = jack.advance(to: Self.ms(400))
        _ = jack.perform(.stopTone(.power), at: .zero)
        _ = jack.perform(.startTone(.power), at: .zero)
        #expect(jack.nextDeadline == Self.ms(900))
    }

    // MARK: Support

    static let things: [JackThing] = [
        .headphones, .shuttle(SimulatedShuttle(ShuttleConfiguration())),
        .ips(SimulatedIPS(IPSConfiguration())),
    ]

    static func ms(_ count: Int64) -> VirtualInstant { .zero + .milliseconds(count) }

    static func place(of plug: JackPlug) -> Int? {
        switch plug {
        case .nothing: nil
        case .headphones: 0
        case .shuttle: 1
        case .ips: 2
        }
    }

    private func jack(_ situation: Situation) -> AudioJack {
        var shuttle = ShuttleConfiguration()
        shuttle.thresholdPercent = situation.threshold
        var configuration = AudioJackConfiguration()
        configuration.volumePercent = situation.volume
        configuration.isMonoAudio = situation.isMono
        configuration.isRecordingPermitted = situation.isRecordingPermitted
        return AudioJack(
            configuration,
            things: [
                .headphones, .shuttle(SimulatedShuttle(shuttle)),
                .ips(SimulatedIPS(IPSConfiguration())),
            ]
        )
    }

    /// A Shuttle in the jack that has had power since the beginning.
    private func poweredJack(hasLimiter: Bool = false) -> AudioJack {
        var configuration = AudioJackConfiguration()
        configuration.volumePercent = 100
        if hasLimiter {
            configuration.limiter = VolumeLimiter(percent: 60, delay: .milliseconds(499))
        }
        var jack = AudioJack(configuration, things: Self.things)
        _ = jack.perform(.load(.uniMag), at: .zero)
        _ = jack.plugIn(thing: 1, at: .zero)
        _ = jack.perform(.startTone(.power), at: .zero)
        return jack
    }

    private func lose(
        _ loss: Loss,
        _ jack: inout AudioJack,
        at now: VirtualInstant
    ) -> [JackEffect] {
        switch loss {
        case .volume: jack.setVolume(percent: 89, at: now)
        case .limiter: jack.advance(to: now)
        case .call: jack.interrupt(at: now)
        case .stop: jack.perform(.stopTone(.power), at: now)
        case .unload: jack.perform(.unload(.uniMag), at: now)
        case .unplug: jack.unplug(at: now)
        case .replug: jack.plugIn(thing: 0, at: now)
        case .endOfApp: jack.endApp(at: now)
        }
    }

    private static func permutations(of values: [Int]) -> [[Int]] {
        guard let first = values.first else { return [[]] }
        return permutations(of: Array(values.dropFirst())).flatMap { rest in
            (0...rest.count).map { place in
                var order = rest
                order.insert(first, at: place)
                return order
            }
        }
    }
}

extension [JackEffect] {
    /// The facts among them, in order.
    var facts: [JackFact] {
        compactMap {
            if case .noted(let fact, _) = $0 { return fact }
            return nil
        }
    }

    /// What the SDK is told, in order.
    var notices: [JackNotice] {
        compactMap {
            if case .notify(let notice) = $0 { return notice }
            return nil
        }
    }

    /// All bytes that the host heard.
    var heard: [UInt8] {
        flatMap { effect -> [UInt8] in
            if case .send(let transmission, _) = effect {
                return [UInt8](transmission.unit.payload)
            }
            return []
        }
    }
}
