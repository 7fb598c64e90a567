import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders

/// A host with one reader in its jack, at which a test can act.
struct JackDesk {
    /// What happens in the middle of a record.
    enum Cut: CaseIterable { case nothing, stopTone, volume, unplug, call, permission }

    var jack: AudioJack
    var now = VirtualInstant.zero

    /// A Shuttle that has booted, unless it has no power.
    init(_ configuration: ShuttleConfiguration = ShuttleConfiguration(), isPowered: Bool = true) {
        self.init(.shuttle(SimulatedShuttle(configuration)), .uniMag)
        if isPowered {
            _ = jack.perform(.startTone(.power), at: now)
            settle()
        }
    }

    /// An IPS.
    init(_ configuration: IPSConfiguration) {
        self.init(.ips(SimulatedIPS(configuration)), .ips)
    }

    private init(_ thing: JackThing, _ library: AudioLibrary) {
        var configuration = AudioJackConfiguration()
        configuration.volumePercent = 100
        jack = AudioJack(configuration, things: [thing])
        _ = jack.perform(.load(library), at: now)
        plugIn()
    }

    mutating func plugIn() { _ = jack.plugIn(thing: 0, at: now) }

    mutating func unplug() { _ = jack.unplug(at: now) }

    mutating func wait(_ duration: VirtualDuration) { now = now + duration }

    /// Lets happen what is on its way, one hour at most.
    @discardableResult
    mutating func settle() -> [JackEffect] {
        var effects: [JackEffect] = []
        let end = now + .seconds(3_600)
        while let next = jack.nextDeadline, next < end {
            now = max(now, next)
            effects += jack.advance(to: now)
        }
        return effects
    }

    /// Swipes a card and waits until all of it came.
    mutating func effects(
        of card: TestCard,
        _ quality: SwipeQuality,
        _ cache: CryptoCache
    ) -> [JackEffect] {
        let effects = jack.swipe(thing: 0, card: card, quality: quality, cache: cache, at: now)
        return effects + settle()
    }

    /// The bytes that the host hears of a swipe.
    mutating func swipe(
        _ card: TestCard,
        _ quality: SwipeQuality,
        _ cache: CryptoCache
    ) -> [UInt8] {
        effects(of: card, quality, cache).heard
    }

    mutating func cyclePower() {
        _ = jack.perform(.stopTone(.power), at: now)
        _ = jack.perform(.startTone(.power), at: now)
        settle()
    }

    mutating func replug() {
        unplug()
        plugIn()
        cyclePower()
    }

    mutating func cut(_ cut: Cut) -> [JackEffect] {
        switch cut {
        case .nothing: []
        case .stopTone: jack.perform(.stopTone(.power), at: now)
        case .volume: jack.setVolume(percent: 50, at: now)
        case .unplug: jack.unplug(at: now)
        case .call: jack.interrupt(at: now)
        case .permission: jack.permitRecording(false, at: now)
        }
    }
}

extension [JackEffect] {
    /// The length of the record that begins among them, without what follows it.
    var recordByteCount: Int? {
        for case .recordBegan(let byteCount, _, _) in facts { return byteCount }
        return nil
    }
}
