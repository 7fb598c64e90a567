public import CardCrypto
public import CardData
public import EventLoops
public import ReaderProtocols
import Transports

/// The audio jack of a host, with all that can be put into it: a world without a flag that says
/// whether a reader works.
///
/// A Shuttle has power while all of this holds; nothing else decides it:
///
/// | | |
/// | --- | --- |
/// | plugged | the Shuttle is what is in the jack |
/// | tone | the SDK started the power tone and nothing ended it |
/// | route | no other audio, such as a call, has it |
/// | level | volume less the equaliser's loss is at or above the reader's threshold |
/// | stereo | the host does not mix its channels |
///
/// What a reader sends is heard if the app may record, a library is loaded and no other audio has
/// the route; else it is lost piece by piece, as a recorder that runs too late hears the rest.
///
/// Every input first lets pass the time up to it and returns what follows; ``nextDeadline`` says
/// when ``advance(to:)`` is due. An instant before an earlier one counts as that one.
public struct AudioJack: Hashable, Sendable {
    /// All that can be put into the jack, in an order that never changes; readers keep their keys
    /// and their battery while they are elsewhere.
    public internal(set) var things: [JackThing]
    /// The place in ``things`` of what is in the jack, or `nil`.
    public internal(set) var plugged: Int?
    /// The output volume in percent of the maximum, 0 to 100.
    public internal(set) var volumePercent: Int
    /// Whether other audio has the route.
    public internal(set) var isInterrupted = false
    /// Whether the app may record.
    public internal(set) var isRecordingPermitted: Bool
    /// The libraries that are loaded, in the order in which they were; more than one is one too
    /// many.
    public internal(set) var loadedLibraries: [AudioLibrary] = []

    let configuration: Shared<AudioJackConfiguration>
    var now = VirtualInstant.zero
    var isPowerToneOn = false
    var testTone: TestTone?
    var limiterDeadline: VirtualInstant?
    var outgoing: Outgoing?

    /// A tone of a communication test.
    struct TestTone: Hashable {
        var end: VirtualInstant
        /// Whether an IPS heard all of it so far.
        var isHeard: Bool
    }

    /// What a reader is sending.
    struct Outgoing: Hashable {
        var bytes: [UInt8]
        var sentByteCount = 0
        var unheardByteCount = 0
        var byteTime: VirtualDuration
        /// When the next piece is complete.
        var due: VirtualInstant
    }

    /// Creates a jack with nothing in it.
    public init(_ configuration: AudioJackConfiguration, things: [JackThing]) {
        self.configuration = Shared(configuration)
        self.things = things
        volumePercent = Self.percent(configuration.volumePercent)
        isRecordingPermitted = configuration.isRecordingPermitted
        startLimiter()
    }

    /// What is in the jack.
    public var plug: JackPlug { plugged.map { things[$0].kind } ?? .nothing }

    /// How the host was made.
    public var options: AudioJackConfiguration { configuration.value }

    /// Whether the Shuttle in the jack has power.
    public var isReaderPowered: Bool {
        guard let plugged, case .shuttle(let shuttle) = things[plugged] else { return false }
        return shuttle.isPowered
    }

    /// When something happens by itself, or `nil`.
    public var nextDeadline: VirtualInstant? {
        var next = outgoing?.due
        Self.keepEarlier(&next, testTone?.end)
        Self.keepEarlier(&next, limiterDeadline)
        if let plugged {
            switch things[plugged] {
            case .headphones: break
            case .shuttle(let shuttle): Self.keepEarlier(&next, shuttle.nextDeadline)
            case .ips(let ips): Self.keepEarlier(&next, ips.nextDeadline)
            }
        }
        return next
    }

    // MARK: Hands

    /// Puts a thing into the jack; what was in it is pulled out first.
    ///
    /// A place that does not exist puts nothing in.
    public mutating func plugIn(thing: Int, at instant: VirtualInstant) -> [JackEffect] {
        var effects = advance(to: instant)
        guard plugged != thing else { return effects }
        pullOut(&effects)
        guard things.indices.contains(thing) else { return effects }
        plugged = thing
        if case .ips(var ips) = things[thing] {
            ips.pluggedIn(at: now)
            things[thing] = .ips(ips)
        }
        effects.append(.attached(thing: thing))
        reroute(&effects)
        return effects
    }

    /// Pulls out what is in the jack.
    public mutating func unplug(at instant: VirtualInstant) -> [JackEffect] {
        var effects = advance(to: instant)
        pullOut(&effects)
        reroute(&effects)
        return effects
    }

    /// Turns the volume to so many percent of the maximum, by the buttons.
    public mutating func setVolume(percent: Int, at instant: VirtualInstant) -> [JackEffect] {
        var effects = advance(to: instant)
        changeVolume(percent, by: .user, &effects)
        return effects
    }

    /// Lets other audio, such as a call, take the route.
    public mutating func interrupt(at instant: VirtualInstant) -> [JackEffect] {
        var effects = advance(to: instant)
        guard !isInterrupted else { return effects }
        isInterrupted = true
        if isPowerToneOn {
            isPowerToneOn = false
            effects.append(.noted(.toneStopped(.power, .interrupted)))
        }
        if testTone != nil {
            testTone = nil
            effects.append(.noted(.toneStopped(.communicationTest, .interrupted)))
        }
        updatePower(&effects)
        effects.append(.notify(.interrupted))
        return effects
    }

    /// Gives the route back; tones stay ended.
    public mutating func resume(at instant: VirtualInstant) -> [JackEffect] {
        var effects = advance(to: instant)
        guard isInterrupted else { return effects }
        isInterrupted = false
        effects.append(.notify(.resumed))
        return effects
    }

    /// Gives or takes the permission to record; the SDK is told nothing.
    public mutating func permitRecording(
        _ isPermitted: Bool,
        at instant: VirtualInstant
    ) -> [JackEffect] {
        let effects = advance(to: instant)
        isRecordingPermitted = isPermitted
        return effects
    }

    /// Swipes a card on a thing, whether it is in the jack or not.
    ///
    /// - Returns: With ``JackFact/recordBegan(byteCount:paddingByteCount:ksn:)`` if its bytes
    ///   follow, else with ``JackFact/swipeLost(_:)``.
    public mutating func swipe(
        thing: Int,
        card: TestCard,
        quality: SwipeQuality,
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [JackEffect] {
        var effects = advance(to: instant)
        guard things.indices.contains(thing) else {
            effects.append(.noted(.swipeLost(.noReader), thing: thing))
            return effects
        }
        let answer: JackSwipe
        let isPlugged = plugged == thing
        let isBusy = isPlugged && outgoing != nil
        var byteTime = VirtualDuration.zero
        var decodeTime = VirtualDuration.zero
        switch things[thing] {
        case .headphones:
            answer = .lost(.noReader)
        case .shuttle(var shuttle):
            answer =
                isPlugged
                ? shuttle.swipe(card: card, quality: quality, isBusy: isBusy, cache: cache)
                : .lost(.unplugged)
            byteTime = Self.byteTime(shuttle.configuration.baudRate)
            decodeTime = shuttle.configuration.decodeTime
            things[thing] = .shuttle(shuttle)
        case .ips(var ips):
            let battery = ips.batteryPercent
            let slept = ips.isAsleep
            answer = ips.swipe(card: card, quality: quality, isBusy: isBusy, cache: cache, at: now)
            if slept && !ips.isAsleep { effects.append(.noted(.readerWoke, thing: thing)) }
            if ips.batteryPercent != battery {
                effects.append(.noted(.batteryChanged(percent: ips.batteryPercent), thing: thing))
            }
            byteTime = Self.byteTime(ips.configuration.baudRate)
            decodeTime = ips.configuration.decodeTime
            things[thing] = .ips(ips)
        }
        switch answer {
        case .lost(let loss):
            effects.append(.noted(.swipeLost(loss), thing: thing))
        case .record(let bytes, let paddingByteCount, let ksn):
            guard isPlugged else {
                effects.append(.noted(.swipeLost(.unplugged), thing: thing))
                break
            }
            effects.append(
                .noted(
                    .recordBegan(
                        byteCount: bytes.count - paddingByteCount,
                        paddingByteCount: paddingByteCount,
                        ksn: ksn
                    ),
                    thing: thing
                )
            )
            begin(bytes, byteTime, after: decodeTime)
        }
        return effects
    }

    /// Charges or drains the battery of an IPS to so many percent; others have none.
    public mutating func setBattery(
        thing: Int,
        percent: Int,
        at instant: VirtualInstant
    ) -> [JackEffect] {
        var effects = advance(to: instant)
        guard things.indices.contains(thing), case .ips(var ips) = things[thing] else {
            return effects
        }
        let old = ips.batteryPercent
        ips.setBattery(percent: Self.percent(percent))
        things[thing] = .ips(ips)
        if ips.batteryPercent != old {
            effects.append(.noted(.batteryChanged(percent: ips.batteryPercent), thing: thing))
        }
        if ips.batteryPercent == 0, plugged == thing { cutOutgoing(&effects) }
        return effects
    }

    // MARK: The SDK

    /// Does what the SDK asks.
    public mutating func perform(
        _ command: JackCommand,
        at instant: VirtualInstant
    ) -> [JackEffect] {
        var effects = advance(to: instant)
        switch command {
        case .startTone(let tone): start(tone, &effects)
        case .stopTone(let tone): stop(tone, &effects)
        case .setVolume(let percent):
            if configuration.value.sdkSetsVolume {
                changeVolume(percent, by: .sdk, &effects)
            } else if Self.percent(percent) != volumePercent {
                effects.append(.noted(.volumeRefused(percent: Self.percent(percent))))
            }
        case .load(let library):
            if !loadedLibraries.contains(library) { loadedLibraries.append(library) }
            effects.append(.noted(.libraryLoaded(library, loadedCount: loadedLibraries.count)))
        case .unload(let library):
            guard loadedLibraries.contains(library) else { break }
            stop(library.tone, &effects)
            let isClean = configuration.value.unloadsCleanly
            if isClean { loadedLibraries.removeAll { $0 == library } }
            effects.append(
                .noted(
                    .libraryUnloaded(
                        library,
                        isClean: isClean,
                        loadedCount: loadedLibraries.count
                    )
                )
            )
        }
        return effects
    }

    /// Takes the app away, with its tones and its libraries; the volume stays.
    public mutating func endApp(at instant: VirtualInstant) -> [JackEffect] {
        var effects = advance(to: instant)
        for tone in JackTone.allCases { stop(tone, &effects) }
        loadedLibraries = []
        return effects
    }

    // MARK: Time

    /// Lets time pass and returns what happened by itself.
    ///
    /// - Complexity: O(*n*) in the number of pieces that were due.
    public mutating func advance(to instant: VirtualInstant) -> [JackEffect] {
        var effects: [JackEffect] = []
        while let next = nextDeadline, next <= instant {
            now = max(now, next)
            fire(&effects)
        }
        now = max(now, instant)
        return effects
    }
}

extension AudioLibrary {
    /// The tone that the library makes.
    var tone: JackTone {
        switch self {
        case .uniMag: .power
        case .ips: .communicationTest
        }
    }
}
