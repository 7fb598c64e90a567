import CardData
import EventLoops
import Journal
import ReaderProtocols
public import SDKCore
public import SimulatedReaders
import Transports

/// What happens at the audio jack of the host.
///
/// The jack is a world of its own: what hands do to it, what the SDK asks of it and what time brings
/// gives effects, and each of them is a record, an event of the link, or news for the SDK.
extension Rig {
    /// Which reader the SDK serves at the audio jack; `none` without an app or a jack.
    public var audioJackReaderType: AudioJackReaderType {
        isAppAlive ? controller.audioJackReaderType : .none
    }

    /// What the Shuttle's library asks and tells the user now.
    public var messageOptions: UniMagMessageOptions { controller.uniMagOptions.messageOptions }

    // MARK: Hands

    /// Puts something that is no reader of the rig into the audio jack; what was in it is pulled out
    /// first.
    ///
    /// - Returns: Whether there is a jack, and such a thing.
    public mutating func plugIntoJack(_ object: JackPlug) -> Bool {
        guard let thing = jack?.object(object) else { return false }
        plugIntoJack(thing: thing)
        return true
    }

    /// Pulls out what is in the audio jack.
    ///
    /// - Returns: Whether there is a jack.
    public mutating func unplugFromJack() -> Bool {
        guard let jack else { return false }
        let thing = jack.world.plugged
        let reader = thing.map { jack.station(of: $0) } ?? jack.reader
        beginJackAct()
        writePlugging(.unplugged, reader, thing.flatMap { jack.strangeKind(of: $0) })
        carryOutJack { $0.unplug(at: $1) }
        return true
    }

    /// What is in the audio jack in the place of a reader that is for it, as scenarios call it;
    /// `nil` when that reader is in it, or nothing, or the reader is for another place.
    public func thingInJack(insteadOf reader: Int) -> String? {
        guard let jack, let thing = jack.thing(of: reader), let plugged = jack.world.plugged,
            plugged != thing
        else { return nil }
        return jack.strangeKind(of: plugged).map { Vocabulary.spelling(of: Symbol($0)) }
            ?? stations[jack.station(of: plugged)].name
    }

    /// Does what a hand does at a reader that is for the jack.
    mutating func actAtJack(_ act: HandAct, thing: Int) {
        switch act {
        case .plugIn:
            plugIntoJack(thing: thing)
        case .unplug(let reader):
            beginJackAct()
            writePlugging(.unplugged, reader, nil)
            guard jack?.world.plugged == thing else { return }
            carryOutJack { $0.unplug(at: $1) }
        case .swipe(_, let name, let quality):
            guard let card = TestCard.named(name) else {
                return
            }
            beginJackAct()
            let cache = cache
            carryOutJack {
                $0.swipe(thing: thing, card: card, quality: quality, cache: cache, at: $1)
            }
        case .insert, .tap, .removeCard, .press, .switchOff, .switchOn, .reboot, .setBattery,
            .obstruct:
            break
        }
    }

    private mutating func plugIntoJack(thing: Int) {
        guard let jack else { return }
        beginJackAct()
        writePlugging(.pluggedIn, jack.station(of: thing), jack.strangeKind(of: thing))
        carryOutJack { $0.plugIn(thing: thing, at: $1) }
    }

    /// Puts a thing into the jack before the run begins.
    mutating func fillJack(_ thing: Int) { jackEffects { $0.plugIn(thing: thing, at: $1) } }

    private mutating func writePlugging(_ name: RecordName, _ reader: Int, _ object: JackPlug?) {
        journal.begin(name, at: now)
        journal.add(.reader, .reader(reader))
        if let object { journal.add(.object, .symbol(Symbol(object))) }
        journal.end()
    }

    /// Turns the host's output volume by its buttons, in percent of the maximum.
    ///
    /// - Returns: Whether there is a jack.
    public mutating func setVolume(percent: Int) -> Bool {
        guard jack != nil else { return false }
        beginJackAct()
        carryOutJack { $0.setVolume(percent: percent, at: $1) }
        return true
    }

    /// Charges or drains the battery of an IPS, in percent.
    ///
    /// - Returns: Whether there is a reader with a battery.
    public mutating func setBattery(percent: Int) -> Bool {
        guard let jack,
            let thing = jack.world.things.indices.first(where: {
                jack.world.things[$0].kind == .ips
            })
        else { return false }
        beginJackAct()
        carryOutJack { $0.setBattery(thing: thing, percent: percent, at: $1) }
        return true
    }

    /// Gives or takes the app's permission to record.
    ///
    /// - Returns: Whether there is a jack.
    public mutating func permitRecording(_ isPermitted: Bool) -> Bool {
        guard let world = jack?.world else { return false }
        beginJackAct()
        if world.isRecordingPermitted != isPermitted {
            journal.write(
                .recordingPermissionChanged,
                at: now,
                Attribute(.permission, .symbol(isPermitted ? .granted : .refused))
            )
        }
        carryOutJack { $0.permitRecording(isPermitted, at: $1) }
        return true
    }

    /// Lets a phone call take the audio route, or give it back.
    ///
    /// - Returns: Whether there is a jack.
    public mutating func setPhoneCall(isActive: Bool) -> Bool {
        guard let world = jack?.world else { return false }
        beginJackAct()
        if world.isInterrupted != isActive {
            journal.write(
                isActive ? .routeTaken : .routeReturned,
                at: now,
                Attribute(.by, .symbol(.phoneCall))
            )
        }
        carryOutJack { isActive ? $0.interrupt(at: $1) : $0.resume(at: $1) }
        return true
    }

    /// Notes who acts, and what that touches.
    private mutating func beginJackAct() {
        guard let jack else { return }
        touched.formUnion(.reader(jack.reader))
        touched.formUnion(.readsTime)
        for reader in jack.readers { stations[reader].step = journal.step }
    }

    // MARK: The SDK

    /// Does what the SDK asks of the jack; what the host says of it goes to the SDK at once.
    mutating func carryOut(_ command: JackCommand) {
        guard let reader = jack?.reader else { return }
        touched.formUnion(.reader(reader))
        touched.formUnion(.readsTime)
        jackEffects { $0.perform(command, at: $1) }
    }

    /// The app is gone, and its tones and libraries with it.
    mutating func endAppAtJack() {
        jackEffects { $0.endApp(at: $1) }
        watchJack()
    }

    /// The answer to the prompt that is shown.
    ///
    /// - Returns: Whether one is shown.
    public mutating func answerPrompt(_ isAccepted: Bool) -> Bool {
        touched = .everything
        guard isAppAlive, controller.openPrompt != nil else { return false }
        perform(.answer(isAccepted, isSetting: false))
        return true
    }

    // MARK: Effects

    /// Lets the time of the jack pass up to now.
    mutating func lookAtJack() {
        guard let reader = jack?.reader else { return }
        touched.formUnion(.reader(reader))
        jack?.look = nil
        carryOutJack { $0.advance(to: $1) }
    }

    /// Does something to the jack, and gives the SDK what comes of it.
    private mutating func carryOutJack(
        _ act: (inout AudioJack, VirtualInstant) -> [JackEffect]
    ) {
        guard let jack else { return }
        jackEffects(act)
        for reader in jack.readers { takeFromLink(reader) }
        deliverSwipeEvents()
        watchJack()
    }

    private mutating func jackEffects(
        _ act: (inout AudioJack, VirtualInstant) -> [JackEffect]
    ) {
        let now = now
        guard let effects = jack?.apply(act, at: now) else { return }
        for effect in effects { take(effect) }
    }

    private mutating func take(_ effect: JackEffect) {
        guard let jack else { return }
        switch effect {
        case .attached(let thing):
            self.jack?.moves.append(jack.station(of: thing))
            stations[jack.station(of: thing)].plugIn(at: now)
        case .detached(let thing):
            self.jack?.moves.append(jack.station(of: thing))
            stations[jack.station(of: thing)].unplug(at: now)
        case .send(let transmission, let thing):
            stations[jack.station(of: thing)].sendPiece(
                transmission,
                ofRecord: jack.isSendingRecord,
                at: now
            )
        case .notify(let notice):
            guard isAppAlive else { return }
            controller.notice(notice, at: now)
        case .noted(let fact, let thing):
            note(fact, thing.map { jack.station(of: $0) } ?? jack.reader)
        }
    }

    /// Gives the SDK what came and went at the jack in the order in which it did: one thing leaves
    /// before another takes its place, whatever the order of the rig's readers.
    mutating func takeMoves() {
        while !app.isInCallback, let reader = jack?.moves.first {
            touched.formUnion(.reader(reader))
            let event = stations[reader].nextEvent(at: now)
            if stations[reader].isFaulty { noteFiredFaults(reader) }
            switch event {
            // The host does not listen, or hears of it later.
            case nil, .attached, .detached: jack?.moves.removeFirst()
            case .received, .unusable, .featureFinished: break
            }
            if let event { deliver(event, from: reader) }
        }
    }

    /// Looks at the jack again when something will happen there by itself.
    mutating func watchJack() {
        guard let jack else { return }
        let next = jack.world.nextDeadline
        let isIdle = jack.world.busyDeadline == nil
        if let look = jack.look {
            if look.instant == next, look.isIdle == isIdle { return }
            loop.cancel(look.id)
            self.jack?.look = nil
        }
        guard let next else { return }
        let id = loop.post(
            RigEvent(.jackDue, step: stations[jack.reader].step),
            to: RigComponent.jack(jack.reader),
            at: max(next, now),
            isBackground: isIdle
        )
        self.jack?.look = RigJack.Look(id: id, instant: next, isIdle: isIdle)
    }

    // MARK: Records

    /// Writes down a call to what the SDK serves at the jack.
    mutating func noteCall(_ call: SwipeCall) {
        guard let method = call.symbol else { return }
        journal.begin(.methodCalled, at: now)
        if let jack {
            let device = controller.device(of: jack.reader)
            journal.add(.reader, .reader(jack.reader(as: device)))
        }
        journal.add(.method, .symbol(method))
        if let argument = call.recordedArgument { journal.add(argument.name, argument.value) }
        if let isOn = call.recordedConsent { journal.add(.isOn, .flag(isOn)) }
        journal.end()
    }

    /// Writes down what nobody is told.
    private mutating func note(_ fact: JackFact, _ reader: Int) {
        switch fact {
        case .toneStarted(let tone, let volume, let plug):
            write(.toneStarted, tone, volume, plug)
        case .toneChanged(let tone, let volume, let plug):
            write(.toneChanged, tone, volume, plug)
        case .toneRefused(let tone):
            journal.write(.toneRefused, at: now, Attribute(.tone, .symbol(Symbol(tone))))
        case .toneStopped(let tone, let end):
            journal.write(
                .toneStopped,
                at: now,
                Attribute(.tone, .symbol(Symbol(tone))),
                Attribute(.reason, .symbol(Symbol(end)))
            )
        case .volumeChanged(let percent, let changer):
            journal.write(
                .volumeChanged,
                at: now,
                Attribute(.volume, .integer(Int64(percent))),
                Attribute(.by, .symbol(Symbol(changer)))
            )
        case .volumeRefused(let percent):
            journal.write(.volumeRefused, at: now, Attribute(.volume, .integer(Int64(percent))))
        case .libraryLoaded(let library, _):
            journal.write(.libraryLoaded, at: now, Attribute(.library, .symbol(Symbol(library))))
        case .libraryUnloaded(let library, let isClean, _):
            journal.write(
                .libraryUnloaded,
                at: now,
                Attribute(.library, .symbol(Symbol(library))),
                Attribute(.isClean, .flag(isClean))
            )
        case .readerPowered: write(.readerPoweredUp, reader)
        case .readerLostPower: write(.readerLostPower, reader)
        case .readerSlept: write(.readerSlept, reader)
        case .readerWoke: write(.readerWoke, reader)
        case .readerBooted: break
        case .batteryChanged(let percent):
            journal.write(
                .batteryChanged,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.battery, .integer(Int64(percent)))
            )
        case .swipeLost(let loss):
            journal.write(
                .swipeLost,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.swipe, .integer(Int64(swipeCount))),
                Attribute(.reason, .symbol(Symbol(loss)))
            )
        case .recordBegan(let byteCount, let paddingByteCount, _):
            jack?.isSendingRecord = true
            stations[reader].beginSwipe(swipeCount, byteCount, paddingByteCount)
        case .transmissionEnded(let unheardByteCount):
            endTransmission(isWhole: unheardByteCount == 0, reader)
        case .transmissionCut:
            endTransmission(isWhole: false, reader)
        }
    }

    private mutating func endTransmission(isWhole: Bool, _ reader: Int) {
        guard jack?.isSendingRecord == true else { return }
        jack?.isSendingRecord = false
        if !isWhole { loseLastArrival(reader) }
    }

    private mutating func write(
        _ record: RecordName,
        _ tone: JackTone,
        _ volume: Int,
        _ plug: JackPlug
    ) {
        journal.write(
            record,
            at: now,
            Attribute(.tone, .symbol(Symbol(tone))),
            Attribute(.volume, .integer(Int64(volume))),
            Attribute(.into, .symbol(Symbol(plug)))
        )
    }

    private mutating func write(_ record: RecordName, _ reader: Int) {
        journal.write(record, at: now, Attribute(.reader, .reader(reader)))
    }
}
