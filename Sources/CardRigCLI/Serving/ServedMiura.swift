import CardCrypto
import CardData
import EventLoops
import SimulatedReaders

/// A simulated Miura reader behind a stream: the frames of the Miura Payment Interface.
struct ServedMiura: ServedReader {
    var configuration = MiuraReaderConfiguration()
    var reader: SimulatedMiura
    let cache = CryptoCache()
    /// How it is on USB; `nil` elsewhere.
    var usb: USBSettings?
    /// Whether a program has the line open; on USB only.
    var isLineOpen = false
    /// The rest of what a hand types slowly, and when the next key is due.
    private var typing = SlowTyping()

    init() { reader = SimulatedMiura(configuration) }

    var behaviours: [ReaderBehaviour] { SimulatedMiura.behaviours + Self.usbBehaviours }

    var options: [ServedOption] {
        MiuraReaderConfiguration.options.map { option in
            ServedOption(name: option.name, form: option.form, value: option.value(configuration))
        } + usbOptions
    }

    var handForms: String {
        "plug in, unplug, swipe CARD [QUALITY], insert CARD, remove card, tap CARD, "
            + "keys DIGITS [enter] [pause MILLISECONDS], press KEY, switch on, switch off, "
            + "battery PERCENT, reboot"
    }

    var nextDeadline: VirtualInstant? {
        [reader.nextDeadline, typing.nextDue].compactMap(\.self).min()
    }
    var hasOwnPower: Bool { true }
    var isReachable: Bool { reader.isReachable }

    mutating func set(_ name: String, to text: String) -> Bool {
        if let isSet = setOnUSB(name, to: text) { return isSet }
        guard let option = MiuraReaderConfiguration.options.first(where: { $0.name == name }),
            option.set(&configuration, text)
        else { return false }
        reader = SimulatedMiura(configuration)
        return true
    }

    mutating func setListenPort(_ port: UInt16) {
        configuration.wifi = MiuraWiFiConfiguration(
            listenPort: port == 0 ? MiuraWiFiConfiguration.usualPort : Int(port)
        )
        reader = SimulatedMiura(configuration)
    }

    /// It has a battery: the link gives it nothing.
    mutating func powerUp(at now: VirtualInstant) -> ServedReaction { ServedReaction() }

    mutating func clientCame(at now: VirtualInstant) -> ServedReaction {
        reaction(reader.connected(at: now, cache: cache))
    }

    mutating func clientLeft(at now: VirtualInstant) {
        _ = reader.disconnected(at: now, cache: cache)
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) -> ServedReaction {
        let isInStream = reader.isInStream
        let effects = reader.receive(bytes, cache: cache, at: now)
        var reaction = reaction(effects)
        // What is skipped up to the next frame has no effect, and is nothing understood; only the
        // bytes that a stream announced need none.
        let count = effects.count(where: Self.isUnderstood)
        reaction.understoodCount = isInStream ? max(1, count) : count
        return reaction
    }

    /// Whether an effect shows that a frame with a command came, and no answer to a damaged one.
    private static func isUnderstood(_ effect: MiuraReaderEffect) -> Bool {
        if case .noted(.began) = effect { true } else { false }
    }

    mutating func timePassed(at now: VirtualInstant) -> ServedReaction {
        var effects: [MiuraReaderEffect] = []
        while let (key, due) = typing.next(at: now) {
            effects += reader.advance(to: due, cache: cache)
            effects += reader.press([key], cache: cache, at: due)
        }
        return reaction(effects + reader.advance(to: now, cache: cache))
    }

    mutating func act(
        _ command: HandCommand,
        at now: VirtualInstant
    ) throws(HandRefusal) -> ServedReaction {
        switch command {
        case .swipe(let name, let quality):
            let card = try TestCard.inHand(name)
            return reaction(reader.swipe(card, quality: quality, cache: cache, at: now))
        case .other(let words):
            return reaction(try act(words, at: now))
        case .plugIn, .unplug, .status, .quit:
            return ServedReaction()
        }
    }

    private mutating func act(
        _ words: [String],
        at now: VirtualInstant
    ) throws(HandRefusal) -> [MiuraReaderEffect] {
        let count = words.count
        switch (words[0], words.dropFirst().first) {
        case ("insert", let name?) where count == 2:
            return reader.insert(try TestCard.inHand(name), cache: cache, at: now)
        case ("tap", let name?) where count == 2:
            return reader.tap(try TestCard.inHand(name), cache: cache, at: now)
        case ("remove", "card") where count == 2:
            return reader.removeCard(cache: cache, at: now)
        case ("keys", .some), ("press", .some):
            return reader.press(try keys(words, at: now), cache: cache, at: now)
        case ("switch", "on") where count == 2:
            return reader.switchOn(cache: cache, at: now)
        case ("switch", "off") where count == 2:
            return reader.switchOff(cache: cache, at: now)
        case ("battery", let text?) where count == 2:
            guard let percent = Int(text), (0...100).contains(percent) else {
                throw HandRefusal(reason: "expected a charge from 0 to 100 after battery")
            }
            return reader.setBattery(percent: percent, cache: cache, at: now)
        case ("reboot", nil):
            return reader.reboot(cache: cache, at: now)
        default:
            throw HandRefusal(
                reason:
                    "at a Miura hands \(handForms); the reader's name may follow, which is miura"
            )
        }
    }

    /// Reads keys, and returns those that are pressed at once; what was typed is never said again.
    private mutating func keys(
        _ words: [String],
        at now: VirtualInstant
    ) throws(HandRefusal) -> [MiuraKey] {
        var words = words.dropFirst()
        var pause = VirtualDuration.zero
        if let place = words.firstIndex(of: "pause") {
            guard words.distance(from: place, to: words.endIndex) == 2, let text = words.last,
                let milliseconds = Int64(text), (1...SlowTyping.longestPause).contains(milliseconds)
            else {
                throw HandRefusal(
                    reason: "expected the time between two keys after pause, 1 to "
                        + "\(SlowTyping.longestPause) milliseconds"
                )
            }
            pause = .milliseconds(milliseconds)
            words = words[..<place]
        }
        guard let keys = MiuraKey.keys(words.joined(separator: " ")), !keys.isEmpty else {
            throw HandRefusal(
                reason:
                    "expected digits, enter, clear or cancel; the reader's name may follow, which "
                    + "is miura, or what plug in NAME called it"
            )
        }
        return try typing.add(keys, pause: pause, at: now)
    }

    func reaction(_ effects: [MiuraReaderEffect]) -> ServedReaction {
        var reaction = ServedReaction()
        for effect in effects {
            switch effect {
            case .send(let transmission): reaction.transmissions.append(transmission)
            case .dropLink: reaction.dropsLink = true
            case .reachable: reaction.isReachableAgain = true
            case .noted: break
            }
        }
        return reaction
    }
}
