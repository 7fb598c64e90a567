package import CardCrypto
import EventLoops
package import Journal
import Laws
import Rig
package import SDKCore
import SimulatedReaders
import Transports

/// The cardholder, the app, the link and other audio at the audio jack, with a Shuttle and an IPS.
package struct JackPlay: Play {
    /// How many acts a play has.
    private static let actCount = 40

    package var stage: Stage
    private var lastSwipe: VirtualInstant?
    private var lastReady = VirtualInstant.zero

    private init(seed: UInt64, plant: Plant?, cache: CryptoCache) {
        var random = SplitMix64(seed: seed)
        var ips = IPSConfiguration()
        var shuttle = ShuttleConfiguration()
        if random.next(below: 4) == 0 { ips.sleepsAfter = .seconds(10) }
        if random.next(below: 4) == 0 { ips.batteryPercent = 1 }
        if random.next(below: 6) == 0 { shuttle.bootTime = .milliseconds(1_500) }
        var configuration = RigConfiguration(
            readers: [
                RigReader(
                    name: "shuttle",
                    endpoint: .audioJack(.shuttle(SimulatedShuttle(shuttle)))
                ),
                RigReader(name: "ips", endpoint: .audioJack(.ips(SimulatedIPS(ips)))),
            ]
        )
        configuration.plant = plant
        configuration.jackObjects = [.headphones]
        configuration.prompts = [.accept, .accept, .accept, .refuse, .ask][random.index(below: 5)]
        configuration.host.volumePercent = [20, 50, 85, 100][random.index(below: 4)]
        if random.next(below: 5) == 0 {
            configuration.host.limiter = VolumeLimiter(percent: 60, delay: .seconds(4))
        }
        if random.next(below: 8) == 0 { configuration.delegateAtStart = nil }
        let settings = Self.settings(&configuration, &random)
        stage = Stage(
            configuration,
            laws: LawBook(
                lawsOff: [],
                readerCount: 2,
                readerKinds: ["shuttle", "ips"],
                audio: settings
            ),
            random: random,
            cache: cache
        )
    }

    /// Chooses how the app sets its SDK up, and which reading holds.
    private static func settings(
        _ configuration: inout RigConfiguration,
        _ random: inout SplitMix64
    ) -> AudioSettings {
        let types: [(type: AudioJackReaderType, symbol: Symbol)] = [
            (.uniMag, .uniMag), (.uniMag, .uniMag), (.ips, .ips),
            (.autodetectOnConnect, .autodetectOnConnect), (.none, .none),
        ]
        let (type, symbol) = types[random.index(below: 5)]
        var messages = UniMagMessageOptions()
        messages.activateReaderWithoutPromptingUser = random.next(below: 4) == 0
        messages.showInitializingReaderMessage = random.next(below: 4) == 0
        let uniMag = UniMagOptions(
            activateReaderOnAttach: random.next(below: 4) != 0,
            automaticallySetVolumeToMaxOnActivate: random.next(below: 4) != 0,
            alwaysAcceptSwipe: random.next(below: 3) != 0,
            swipeTimeout: .seconds(Int64(3 + random.next(below: 4))),
            messageOptions: messages
        )
        configuration.audioJack = AudioJackOptions(readerType: type, uniMag: uniMag)
        configuration.profile.audioJack.isUnreadyBeforeSwipe = random.next(below: 4) == 0
        configuration.profile.audioJack.disconnectsAtPowerDown = random.next(below: 4) == 0
        configuration.profile.audioJack.triesEnterpriseFirst = random.next(below: 4) == 0
        configuration.profile.audioJack.missedAutodetectCount = random.index(below: 2)
        if random.next(below: 2) == 0 {
            configuration.profile.audioJack.autodetectFailure = .restoresType
        }
        if random.next(below: 4) == 0 { configuration.profile.audioJack.interruption = .isSilent }
        return AudioSettings(
            readerType: symbol,
            alwaysAcceptsSwipes: uniMag.alwaysAcceptSwipe,
            swipeTimeout: uniMag.swipeTimeout,
            activatesWithoutPrompting: messages.activateReaderWithoutPromptingUser
        )
    }

    /// Plays once.
    package static func played(
        seed: UInt64,
        plant: Plant? = nil,
        cache: CryptoCache
    ) -> JackPlay {
        var play = JackPlay(seed: seed, plant: plant, cache: cache)
        play.perform(actCount: actCount, eventBound: 12)
        return play
    }

    // MARK: Acts

    package mutating func act() {
        switch random.next(below: 20) {
        case 0, 1: rig.act(.plugIn(reader: 0))
        case 2: rig.act(.plugIn(reader: 1))
        case 3: _ = rig.plugIntoJack(.headphones)
        case 4: _ = rig.unplugFromJack()
        case 5, 6, 7: swipe()
        case 8: settle()
        case 9: disturb()
        case 10, 16: actAsAudio()
        case 11: _ = rig.answerPrompt(random.next(below: 3) != 0)
        case 15: swipeAtTheLimit()
        case 12, 13, 14: wait(.milliseconds(Int64(random.next(below: 6_000))))
        default: actAsApp()
        }
    }

    private mutating func swipe() {
        // A hand is slower than a reader: what the last swipe gave is over.
        if let lastSwipe, rig.now - lastSwipe < .seconds(2) {
            settle()
            wait(.milliseconds(300))
        }
        lastSwipe = rig.now
        let quality: [SwipeQuality] = [.good, .good, .partial, .unreadable]
        rig.act(
            .swipe(
                reader: random.next(below: 3) == 0 ? 1 : 0,
                card: random.next(below: 3) == 0 ? "mastercard" : "visa",
                quality: quality[random.index(below: 4)]
            )
        )
    }

    /// Swipes shortly before a request may reach its time limit, which is whole seconds long.
    private mutating func swipeAtTheLimit() {
        let length = VirtualDuration.milliseconds(
            Int64(3 + random.next(below: 4)) * 1_000 - Int64(random.next(below: 300))
        )
        if lastReady + length > rig.now { wait(lastReady + length - rig.now) }
        swipe()
    }

    private mutating func disturb() {
        let reader = random.index(below: 2)
        let position = rig.linkPosition(of: reader)
        let actions: [LinkFault.Action] = [
            .drop, .corrupt(at: 0, xor: 0x20), .delay(.milliseconds(3)),
        ]
        rig.inject(
            LinkFault(
                actions[random.index(below: 3)],
                at: .unit(position.unitCount + 1 + random.index(below: 6))
            ),
            reader: reader
        )
    }

    private mutating func actAsAudio() {
        switch random.next(below: 7) {
        case 0, 1: _ = rig.setPhoneCall(isActive: true)
        case 2, 3: _ = rig.setPhoneCall(isActive: false)
        case 4: _ = rig.setVolume(percent: [10, 60, 95, 100][random.index(below: 4)])
        case 5: _ = rig.setBattery(percent: [0, 100][random.index(below: 2)])
        default: _ = rig.permitRecording(random.next(below: 3) != 0)
        }
    }

    package mutating func actInCallback() { actAsApp() }

    private mutating func actAsApp() {
        switch random.next(below: 24) {
        case 0: rig.call(.powerUpDevice(true))
        case 1: rig.call(.powerUpDevice(false))
        case 2, 3: rig.call(.powerDown)
        case 4, 5, 6: rig.call(.requestSwipe)
        case 7: rig.call(.cancelSwipeRequest)
        case 8: rig.call(.setSwipeTimeoutDuration(.seconds(Int64(1 + random.next(below: 24)))))
        case 9: rig.call(.setAlwaysAcceptSwipe(random.next(below: 2) == 0))
        case 10: rig.call(.setActivateReaderOnAttach(random.next(below: 2) == 0))
        case 11: rig.call(.setActivateReaderWithoutPromptingUser(random.next(below: 3) == 0))
        case 12, 13: rig.call(.beginAutodetectAudioJackCardReader)
        case 14, 15: rig.call(.beginTestCommunication)
        case 16, 17:
            let types: [AudioJackReaderType] = [
                .uniMag, .uniMag, .ips, .autodetectOnConnect, .none,
            ]
            rig.call(.setAudioJackReaderType(types[random.index(below: 5)]))
        case 18:
            rig.killApp()
        case 19: rig.launchApp()
        case 20: rig.call(.setDelegate(random.next(below: 2) == 0 ? nil : .app))
        case 21: rig.call(.setDelegate(.other))
        case 22:
            if random.next(below: 2) == 0 {
                rig.sendToBackground()
            } else {
                rig.bringToForeground()
            }
        default:
            let events: [RecordName] = [
                .deviceConnected, .deviceBecameReadyForSwipe, .deviceBecameUnreadyForSwipe,
                .didSwipeCard, .deviceAutodetectComplete,
            ]
            rig.pausesAtEvents = [events[random.index(below: 5)]]
        }
    }

    package mutating func note(_ record: Record) {
        if record.name == .deviceBecameReadyForSwipe { lastReady = record.time }
    }
}
