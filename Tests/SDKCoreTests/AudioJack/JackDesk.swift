import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SDKCore
import Transports

/// A controller with nothing but an audio jack, a host that does what it is told, and hands.
///
/// What happens is written down as words, commands in angle brackets.
struct JackDesk {
    var controller: SwipeController
    var now = VirtualInstant.zero
    /// The volume that the host allows at most.
    var limiterPercent = 100
    /// What the app answers to prompts at once; `nil` leaves them open.
    var answer: Bool?
    var observer: JackObserver
    /// How many records came.
    var swipeCount: UInt32 = 0
    /// The misuses that calls were.
    var misuses: [String] = []

    init(
        _ options: AudioJackOptions = AudioJackOptions(),
        profile: SwipeProfile = SwipeProfile(),
        delegate: SwipeDelegate? = .app,
        isAttachedAtInit: Bool = false,
        answer: Bool? = true,
        plant: Plant? = nil
    ) {
        controller = SwipeController(
            readers: [SwipeReader(path: .audioJack, isAttachedAtInit: isAttachedAtInit)],
            delegate: delegate,
            profile: profile,
            audioJack: options,
            plant: plant
        )
        observer = JackObserver(profile: profile.audioJack)
        self.answer = answer
    }

    /// A desk at which a Shuttle is ready.
    static func ready(
        _ options: AudioJackOptions = AudioJackOptions(),
        profile: SwipeProfile = SwipeProfile(),
        plant: Plant? = nil
    ) -> JackDesk {
        var desk = JackDesk(options, profile: profile, plant: plant)
        _ = desk.run()
        desk.plugIn()
        if !options.uniMag.activateReaderOnAttach {
            _ = desk.run()
            desk.call(.powerUpDevice(true))
        }
        _ = desk.run()
        desk.hear([0x06])
        _ = desk.run()
        return desk
    }

    // MARK: What happens

    mutating func plugIn() {
        controller.input(.attached(Attachment()), from: 0, connection: 1, at: now)
        observer.plugged(true)
    }

    mutating func unplug() {
        controller.input(.detached(.left), from: 0, connection: 1, at: now)
        observer.plugged(false)
    }

    mutating func hear(_ bytes: [UInt8]) {
        controller.input(.received(TransportUnit(.bytes, bytes[...])), from: 0, at: now)
    }

    mutating func notice(_ notice: JackNotice) {
        controller.notice(notice, at: now)
        observer.noticed(notice)
    }

    @discardableResult
    mutating func call(_ call: SwipeCall) -> SwipeMisuse? {
        observer.called(call, prompt: controller.openPrompt)
        return controller.send(call, at: now)
    }

    mutating func setVolume(_ percent: Int) { notice(.volumeChanged(percent: percent)) }

    /// Lets time pass up to the next deadline; returns how much it was, 0 when there is none.
    @discardableResult
    mutating func wait() -> VirtualDuration {
        guard let deadline = controller.nextDeadline else { return .zero }
        let before = now
        now = max(now, deadline)
        controller.advance(to: now)
        return now - before
    }

    /// Lets so much time pass, waking the controller when it wants.
    mutating func pass(_ duration: VirtualDuration) -> [String] {
        let end = now + duration
        var words: [String] = []
        while let deadline = controller.nextDeadline, deadline <= end {
            now = max(now, deadline)
            controller.advance(to: now)
            words += run()
        }
        now = end
        return words
    }

    // MARK: The driver

    /// Carries out the commands that wait; returns what they were.
    mutating func carryOut() -> [String] {
        var words: [String] = []
        while let command = controller.nextJackCommand() {
            words.append(Self.word(command))
            observer.carriedOut(command, options: controller.uniMagOptions)
            if case .setVolume(let percent) = command {
                setVolume(min(percent, limiterPercent))
            }
        }
        return words
    }

    /// Takes one event at most, and what is to be done before it.
    mutating func step() -> (words: [String], event: SwipeEvent?) {
        var words: [String] = []
        while controller.mayTell {
            words += carryOut()
            guard let event = controller.nextEvent(at: now) else { continue }
            words.append(Self.word(event.kind))
            observer.told(event, controller, at: now)
            return (words, event)
        }
        return (words + carryOut(), nil)
    }

    /// Runs until nothing is left to tell or to do, answering prompts.
    mutating func run() -> [String] {
        var all: [String] = []
        for _ in 0..<60 {
            let (words, event) = step()
            all += words
            guard let event else { return all }
            if case .promptShown = event.kind, let answer { call(.answerPrompt(answer)) }
        }
        return all + ["and so on"]
    }

    var flags: [Bool] {
        [controller.isConnected(0), controller.isActivated(0), controller.isReadyForSwipe(0)]
    }

    // MARK: Words

    static func word(_ command: JackCommand) -> String {
        switch command {
        case .startTone(let tone): "<tone \(tone)>"
        case .stopTone(let tone): "<silence \(tone)>"
        case .setVolume(let percent): "<volume \(percent)>"
        case .load(let library): "<load \(library)>"
        case .unload(let library): "<unload \(library)>"
        }
    }

    static func word(_ kind: SwipeEvent.Kind) -> String {
        switch kind {
        case .connected: "connected"
        case .activationFinished(let result): "finished(\(result))"
        case .becameReadyForSwipe: "ready"
        case .becameUnreadyForSwipe(let reason): "unready(\(reason))"
        case .deactivated: "deactivated"
        case .disconnected: "disconnected"
        case .didSwipeCard(let card): card == nil ? "noCard" : "card"
        case .promptShown(let prompt): "prompt(\(prompt))"
        case .alertShown(let alert): "alert(\(alert))"
        case .alertDismissed: "dismissed"
        case .autodetectStarted: "started"
        case .autodetectComplete(let result): "complete(\(result))"
        case .communicationTestCompleted(let isHeard): "tested(\(isHeard))"
        }
    }

    // MARK: Records

    /// The record of a Shuttle for a good swipe.
    static func shuttleRecord(_ counter: UInt32 = 1) -> [UInt8] {
        var record = IDTechRecord(
            format: .enhanced,
            encodeType: .iso,
            status: IDTechTrackStatus(rawValue: 0x1F),
            cipher: .aes
        )
        let masked = Array(";4266********9999=***************?*".utf8)
        record.track2 = IDTechRecord.Track(
            byteCount: masked.count,
            masked: masked,
            encrypted: [UInt8](repeating: UInt8(truncatingIfNeeded: counter), count: 48)
        )
        record.attributes = .aes
        record.ksn = KSN.publishedTestKSN.withCounter(counter)
        return record.packet
    }

    /// The packet of an IPS for a good swipe.
    static func ipsPacket(_ counter: UInt32 = 1) -> [UInt8] {
        IPSPacket(
            cardNumberDigitCount: 16,
            leadingDigits: [0x41, 0x11, 0x11],
            trailingDigits: [0x11, 0x11],
            expiration: [0x25, 0x12],
            name: Array("TEST/CARD ONE".utf8),
            ksn: KSN.publishedTestKSN.withCounter(counter),
            track2: [UInt8](repeating: 0xA5, count: 40),
            track1: [UInt8](repeating: 0x5A, count: 40)
        ).packet
    }

    /// What a Shuttle sends for a stripe that it could not read.
    static let unreadable = Array("%E?;E?\r".utf8)
}
