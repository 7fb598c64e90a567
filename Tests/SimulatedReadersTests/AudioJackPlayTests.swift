import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

/// Random sequences of inputs, each from a seed.
@Suite("Audio jack, random plays")
struct AudioJackPlayTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func tenThousandInputsNeitherTrapNorBreakTheRules(seed: UInt64) {
        var play = JackPlay(seed: seed)
        for _ in 0..<10_000 { play.step() }
        #expect(play.broken == [])
    }

    @Test
    func theSameSeedGivesTheSameBytes() {
        var first = JackPlay(seed: 6)
        var second = JackPlay(seed: 6)
        for _ in 0..<2_000 {
            first.step()
            second.step()
        }
        #expect(first.all == second.all)
        #expect(first.jack == second.jack)
        #expect(first.all.heard.count > 1_000)
    }
}

/// One play, with what must hold whatever happens.
struct JackPlay {
    private(set) var jack: AudioJack
    /// All effects so far.
    private(set) var all: [JackEffect] = []
    /// What did not hold.
    private(set) var broken: [String] = []
    private var random: SplitMix64
    private let cache = CryptoCache()
    private var now = VirtualInstant.zero
    private var tones: [JackTone] = []
    private var attached: Int?
    private var isPowered = false

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        var host = AudioJackConfiguration()
        host.limiter = VolumeLimiter(percent: 60, delay: .seconds(5))
        host.unloadsCleanly = seed % 2 == 0
        host.hearsWithTwoLibraries = seed % 3 == 0
        var slow = ShuttleConfiguration()
        slow.baudRate = -3
        slow.bootTime = .milliseconds(-1)
        slow.quirks = ShuttleConfiguration.Quirk.allCases
        var ips = IPSConfiguration()
        ips.sleepsAfter = .seconds(10)
        ips.swipesPerPercent = 0
        ips.sendsDamagedPackets = true
        jack = AudioJack(
            host,
            things: [
                .headphones, .shuttle(SimulatedShuttle(ShuttleConfiguration())),
                .ips(SimulatedIPS(IPSConfiguration())), .shuttle(SimulatedShuttle(slow)),
                .ips(SimulatedIPS(ips)),
            ]
        )
    }

    private mutating func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    mutating func step() {
        now = now + .milliseconds(Int64(number(300)))
        let thing = number(7) - 1
        let percent = number(2) == 0 ? 100 : number(140) - 20
        let effects: [JackEffect]
        switch number(14) {
        case 0: effects = jack.plugIn(thing: thing, at: now)
        case 2: effects = number(3) == 0 ? jack.unplug(at: now) : jack.advance(to: now)
        case 3: effects = jack.setVolume(percent: percent, at: now)
        case 4: effects = number(4) == 0 ? jack.interrupt(at: now) : jack.resume(at: now)
        case 5: effects = jack.resume(at: now)
        case 6: effects = jack.permitRecording(number(3) > 0, at: now)
        case 1, 7, 8:
            let cards = TestCard.all
            effects = jack.swipe(
                thing: number(2) == 0 ? jack.plugged ?? thing : thing,
                card: cards[number(cards.count)],
                quality: SwipeQuality.words[number(SwipeQuality.words.count)],
                cache: cache,
                at: now
            )
        case 9: effects = jack.setBattery(thing: thing, percent: percent, at: now)
        case 10: effects = number(20) == 0 ? jack.endApp(at: now) : jack.advance(to: now)
        default: effects = jack.perform(command(percent), at: now)
        }
        check(effects)
        all += effects
    }

    private mutating func command(_ percent: Int) -> JackCommand {
        let tone = JackTone.allCases[number(2)]
        let library = AudioLibrary.allCases[number(2)]
        switch number(6) {
        case 0, 1: return .startTone(tone)
        case 2: return number(4) == 0 ? .stopTone(tone) : .startTone(.power)
        case 3: return .setVolume(percent: percent + 20)
        case 4: return .load(library)
        default: return .unload(library)
        }
    }

    private mutating func check(_ effects: [JackEffect]) {
        for effect in effects {
            switch effect {
            case .attached(let thing):
                if attached != nil { broken.append("attached twice") }
                attached = thing
            case .detached(let thing):
                if attached != thing { broken.append("detached what was not there") }
                attached = nil
            case .send(let transmission, _):
                if attached == nil { broken.append("heard from an empty jack") }
                if transmission.offset != .zero { broken.append("heard later") }
            case .notify: break
            case .noted(let fact, _): check(fact)
            }
        }
        if jack.plugged != attached { broken.append("another thing is plugged in") }
        if jack.isReaderPowered != isPowered { broken.append("power without a fact") }
        if jack.isReaderPowered, !tones.contains(.power) || jack.isInterrupted {
            broken.append("power from nothing")
        }
        if !(0...100).contains(jack.volumePercent) { broken.append("volume out of range") }
        if let next = jack.nextDeadline, next < now { broken.append("a deadline is over") }
    }

    private mutating func check(_ fact: JackFact) {
        switch fact {
        case .toneStarted(let tone, _, _):
            if tones.contains(tone) { broken.append("a tone started twice") }
            tones.append(tone)
        case .toneStopped(let tone, _):
            if !tones.contains(tone) { broken.append("a tone stopped twice") }
            tones.removeAll { $0 == tone }
        case .toneChanged(let tone, _, _):
            if !tones.contains(tone) { broken.append("a silent tone changed") }
        case .readerPowered:
            if isPowered { broken.append("powered twice") }
            isPowered = true
        case .readerLostPower:
            if !isPowered { broken.append("lost power twice") }
            isPowered = false
        case .readerBooted:
            if !isPowered { broken.append("booted without power") }
        default: break
        }
    }
}
