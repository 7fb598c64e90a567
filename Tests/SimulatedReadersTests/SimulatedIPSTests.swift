import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

@Suite("Simulated IPS")
struct SimulatedIPSTests {
    private let cache = CryptoCache()

    @Test(arguments: TestCard.names)
    func aGoodSwipeIsOnePacketThatDecryptsToTrack2(name: String) throws {
        let card = try #require(TestCard.named(name))
        var desk = JackDesk(IPSConfiguration())
        let bytes = desk.swipe(card, .good, cache)
        #expect(bytes.count == IPSPacket.byteCount)
        let packet = try IPSPacket(bytes)
        #expect(packet.ksn == KSN.publishedTestKSN.withCounter(1))
        let track2 = packet.unmaskedTrack2(key: .publishedTestKey, cache: cache)
        #expect(track2 == card.unmaskedTrack2)
        #expect(IPSPacket.card(fromPacket: bytes)?.isBlank == false)
    }

    @Test
    func everyQualityHasItsPacketOrSilence() throws {
        for damages in [false, true] {
            for quality in SwipeQuality.words {
                var configuration = IPSConfiguration()
                configuration.sendsDamagedPackets = damages
                var desk = JackDesk(configuration)
                let effects = desk.effects(of: try card("visa"), quality, cache)
                switch quality {
                case .good, .reversed:
                    let packet = try IPSPacket(effects.heard)
                    #expect(packet.track1.contains { $0 != 0 })
                case .partial:
                    let packet = try IPSPacket(effects.heard)
                    #expect(packet.track1.allSatisfy { $0 == 0 })
                    #expect(packet.track2.contains { $0 != 0 })
                case .tooFast, .unreadable, .physical:
                    #expect(effects.heard.isEmpty != damages)
                    #expect(effects.facts.contains(.swipeLost(.unread)) != damages)
                    #expect(IPSPacket.card(fromPacket: effects.heard) == nil)
                }
            }
        }
    }

    @Test
    func itNeedsNoToneAndTheRestOfTheJackOnlyToBeHeard() throws {
        var desk = JackDesk(IPSConfiguration())
        _ = desk.jack.setVolume(percent: 0, at: desk.now)
        #expect(!desk.swipe(try card("visa"), .good, cache).isEmpty)
        _ = desk.jack.interrupt(at: desk.now)
        let effects = desk.effects(of: try card("visa"), .good, cache)
        #expect(effects.heard.isEmpty)
        #expect(effects.facts.contains(.transmissionEnded(unheardByteCount: 128)))
    }

    // MARK: The communication test

    @Test(arguments: [(100, true), (30, true), (29, false), (0, false)])
    func theTestIsAnsweredIfItsToneIsLoudEnough(_ volume: Int, _ isAnswered: Bool) {
        var desk = JackDesk(IPSConfiguration())
        _ = desk.jack.setVolume(percent: volume, at: desk.now)
        _ = desk.jack.perform(.startTone(.communicationTest), at: desk.now)
        let effects = desk.settle()
        #expect(effects.facts.contains(.toneStopped(.communicationTest, .over)))
        #expect(effects.heard == (isAnswered ? IPSReaderSettings().testReply : []))
    }

    @Test
    func theAnswerComesLessThanASecondAfterTheToneBegan() {
        var desk = JackDesk(IPSConfiguration())
        _ = desk.jack.perform(.startTone(.communicationTest), at: desk.now)
        desk.settle()
        #expect(desk.now > .zero + .milliseconds(650))
        #expect(desk.now < .zero + .milliseconds(655))
    }

    enum Disturbance: CaseIterable { case quiet, call, stop, unplug, replug, empty, endOfApp }

    @Test(arguments: Disturbance.allCases, [400, 600])
    func aTestThatIsDisturbedIsNotAnswered(_ disturbance: Disturbance, _ moment: Int64) {
        var desk = JackDesk(IPSConfiguration())
        _ = desk.jack.perform(.startTone(.communicationTest), at: desk.now)
        desk.wait(.milliseconds(moment))
        // Once the tone is over, what happens to it is too late.
        let isTooLate = moment > 500
        var effects: [JackEffect]
        var isAnswered = false
        switch disturbance {
        case .quiet:
            effects = desk.jack.setVolume(percent: 10, at: desk.now)
            isAnswered = isTooLate
        case .call: effects = desk.jack.interrupt(at: desk.now)
        case .stop:
            effects = desk.jack.perform(.stopTone(.communicationTest), at: desk.now)
            isAnswered = isTooLate
        case .unplug: effects = desk.jack.unplug(at: desk.now)
        case .replug:
            effects = desk.jack.unplug(at: desk.now)
            effects += desk.jack.plugIn(thing: 0, at: desk.now)
        case .empty: effects = desk.jack.setBattery(thing: 0, percent: 0, at: desk.now)
        case .endOfApp: effects = desk.jack.endApp(at: desk.now)
        }
        effects += desk.settle()
        #expect(effects.heard.isEmpty == !isAnswered)
    }

    @Test
    func thePowerToneIsNoTest() {
        var desk = JackDesk(IPSConfiguration())
        _ = desk.jack.perform(.startTone(.power), at: desk.now)
        #expect(desk.settle().heard.isEmpty)
    }

    // MARK: Battery

    @Test
    func swipesDrainTheBatteryUntilTheReaderIsSilent() throws {
        var configuration = IPSConfiguration()
        configuration.batteryPercent = 2
        configuration.swipesPerPercent = 3
        var desk = JackDesk(configuration)
        var levels: [JackFact] = []
        for index in 0..<6 {
            let quality = index == 1 ? SwipeQuality.unreadable : .good
            levels += desk.effects(of: try card("visa"), quality, cache).facts.filter {
                if case .batteryChanged = $0 { return true }
                return false
            }
        }
        #expect(levels == [.batteryChanged(percent: 1), .batteryChanged(percent: 0)])
        let silent = desk.effects(of: try card("visa"), .good, cache)
        #expect(silent.facts == [.swipeLost(.emptyBattery)])
        _ = desk.jack.setBattery(thing: 0, percent: 50, at: desk.now)
        #expect(!desk.swipe(try card("visa"), .good, cache).isEmpty)
    }

    // MARK: Sleep

    @Test(arguments: IPSConfiguration.Waking.allCases)
    func asleepItWakesAsItIsMade(_ waking: IPSConfiguration.Waking) throws {
        var configuration = IPSConfiguration()
        configuration.sleepsAfter = .seconds(60)
        configuration.waking = waking
        var desk = JackDesk(configuration)
        #expect(desk.settle().facts == [.readerSlept])
        let first = desk.jack.swipe(
            thing: 0,
            card: try card("visa"),
            quality: .good,
            cache: cache,
            at: desk.now
        )
        switch waking {
        case .swipeIsRead: #expect(first.facts.first == .readerWoke && first.facts.count == 2)
        case .swipeIsLost: #expect(first.facts == [.readerWoke, .swipeLost(.asleep)])
        case .toneOnly: #expect(first.facts == [.swipeLost(.asleep)])
        }
        desk.settle()
        _ = desk.jack.perform(.startTone(.communicationTest), at: desk.now)
        desk.wait(.seconds(1))
        #expect(desk.jack.advance(to: desk.now).facts.contains(.readerWoke))
        #expect(!desk.swipe(try card("visa"), .good, cache).isEmpty)
    }

    private func card(_ name: String) throws -> TestCard { try #require(TestCard.named(name)) }
}
