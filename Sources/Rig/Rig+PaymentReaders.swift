import CardCrypto
import CardData
import EventLoops
import Journal
import ReaderProtocols
import SDKCore
import SimulatedReaders
import Transports

// Payment readers: what hands do at them, what they do by themselves, and their links, which the
// payment provider opens and closes.
extension Rig {
    // MARK: Hands

    /// Does what a hand does at a simulated payment reader.
    mutating func actAtPaymentReader(_ act: HandAct) {
        let reader = act.reader
        switch act {
        case .plugIn:
            journal.write(.pluggedIn, at: now, Attribute(.reader, .reader(reader)))
            stations[reader].isPluggedIn = true
            stations[reader].watchReach(at: now)
        case .unplug:
            journal.write(.unplugged, at: now, Attribute(.reader, .reader(reader)))
            stations[reader].isPluggedIn = false
            stations[reader].watchReach(at: now)
            carryOut(at: reader) { $0.disconnected(at: $2, cache: $1) }
        case .swipe(_, let name, let quality):
            noteSwipe(reader, name, quality)
            guard let card = TestCard.named(name) else {
                return
            }
            armLinkFault(reader)
            carryOut(at: reader) { $0.swipe(card, quality: quality, cache: $1, at: $2) }
        case .insert(_, let name):
            noteCard(.cardInserted, reader, name)
            guard let card = TestCard.named(name) else { return }
            armLinkFault(reader)
            carryOut(at: reader) { $0.insert(card, cache: $1, at: $2) }
        case .tap(_, let name):
            noteCard(.cardTapped, reader, name)
            guard let card = TestCard.named(name) else { return }
            armLinkFault(reader)
            carryOut(at: reader) { $0.tap(card, cache: $1, at: $2) }
        case .removeCard:
            journal.write(.cardRemoved, at: now, Attribute(.reader, .reader(reader)))
            carryOut(at: reader) { $0.removeCard(cache: $1, at: $2) }
        case .press(_, let keys, let pause):
            note(keys, reader)
            press(keys, pause: pause, reader)
        case .switchOff:
            journal.write(.readerSwitchedOff, at: now, Attribute(.reader, .reader(reader)))
            carryOut(at: reader) { $0.switchOff(cache: $1, at: $2) }
        case .switchOn:
            journal.write(.readerSwitchedOn, at: now, Attribute(.reader, .reader(reader)))
            carryOut(at: reader) { $0.switchOn(cache: $1, at: $2) }
        case .reboot:
            journal.write(.readerRebooted, at: now, Attribute(.reader, .reader(reader)))
            carryOut(at: reader) { $0.reboot(cache: $1, at: $2) }
        case .obstruct:
            break
        case .setBattery(_, let percent):
            journal.write(
                .batteryChanged,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.battery, .integer(Int64(percent)))
            )
            carryOut(at: reader) { $0.setBattery(percent: percent, cache: $1, at: $2) }
        }
    }

    /// Writes down what the operator did at a payment reader outside of this process.
    mutating func noteAtPaymentReader(_ act: HandAct) {
        let reader = act.reader
        switch act {
        case .plugIn, .unplug, .swipe, .obstruct: break
        case .insert(_, let name): noteCard(.cardInserted, reader, name)
        case .tap(_, let name): noteCard(.cardTapped, reader, name)
        case .removeCard:
            journal.write(.cardRemoved, at: now, Attribute(.reader, .reader(reader)))
        case .press(_, let keys, _): note(keys, reader)
        case .switchOff:
            journal.write(.readerSwitchedOff, at: now, Attribute(.reader, .reader(reader)))
        case .switchOn:
            journal.write(.readerSwitchedOn, at: now, Attribute(.reader, .reader(reader)))
        case .reboot:
            journal.write(.readerRebooted, at: now, Attribute(.reader, .reader(reader)))
        case .setBattery(_, let percent):
            journal.write(
                .batteryChanged,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.battery, .integer(Int64(percent)))
            )
        }
    }

    private mutating func noteCard(_ record: RecordName, _ reader: Int, _ name: String) {
        journal.write(
            record,
            at: now,
            Attribute(.reader, .reader(reader)),
            Attribute(.card, .text(SafeText(scrubbing: name)))
        )
    }

    /// Writes keys down; digits are dots.
    private mutating func note(_ keys: [MiuraKey], _ reader: Int) {
        journal.write(
            .keysPressed,
            at: now,
            Attribute(.reader, .reader(reader)),
            Attribute(.keys, .text(SafeText(scrubbing: keys.masked)))
        )
    }

    /// Presses keys at once, or one after the other.
    private mutating func press(
        _ keys: [MiuraKey],
        pause: VirtualDuration,
        _ reader: Int
    ) {
        let isTyping = stations[reader].payment?.waitingKeys.isEmpty == false
        guard pause > .zero || isTyping, let first = keys.first else {
            carryOut(at: reader) { $0.press(keys, cache: $1, at: $2) }
            return
        }
        if isTyping {
            stations[reader].payment?.waitingKeys += keys
            return
        }
        stations[reader].payment?.waitingKeys = Array(keys.dropFirst())
        stations[reader].payment?.keyPause = pause
        carryOut(at: reader) { $0.press([first], cache: $1, at: $2) }
        awaitKey(reader)
    }

    /// Presses the next key of a row.
    mutating func keyDue(_ reader: Int) {
        touched.formUnion(.reader(reader))
        touched.formUnion(.readsTime)
        guard let key = stations[reader].payment?.waitingKeys.first else { return }
        stations[reader].payment?.waitingKeys.removeFirst()
        carryOut(at: reader) { $0.press([key], cache: $1, at: $2) }
        awaitKey(reader)
    }

    private mutating func awaitKey(_ reader: Int) {
        guard let payment = stations[reader].payment, !payment.waitingKeys.isEmpty else { return }
        loop.post(
            RigEvent(.keyDue(reader: reader), step: journal.step),
            to: RigComponent.key(reader),
            at: now + payment.keyPause
        )
    }

    /// The first payment reader of the rig; `nil` when it has none.
    public var paymentReader: Int? { stations.firstIndex(where: \.isPaymentReader) }

    /// What the display of a simulated payment reader shows; `nil` for other readers.
    public func display(of reader: Int) -> String? { stations[reader].payment?.reader?.display }

    // MARK: The reader

    /// Lets the time of a payment reader pass up to now.
    mutating func lookAtPaymentReader(_ reader: Int) {
        touched.formUnion(.reader(reader))
        touched.formUnion(.readsTime)
        stations[reader].payment?.due = nil
        carryOut(at: reader) { $0.advance(to: $2, cache: $1) }
    }

    /// Does something to a simulated payment reader, and what it does because of that.
    mutating func carryOut(
        at reader: Int,
        _ act: (inout SimulatedMiura, CryptoCache, VirtualInstant) -> [MiuraReaderEffect]
    ) {
        let effects = stations[reader].payment?.act(cache, now, act) ?? []
        take(effects, of: reader)
        takeFromLink(reader)
    }

    mutating func take(_ effects: [MiuraReaderEffect], of reader: Int) {
        var mayMove = false
        for effect in effects {
            switch effect {
            case .send(let transmission): stations[reader].readerSends(transmission, at: now)
            case .dropLink:
                stations[reader].dropLink(at: now)
                mayMove = true
            case .reachable, .noted(.listens): mayMove = true
            case .noted(.answers(let command, _)):
                if stations[reader].payment?.commandFaults.isEmpty == false {
                    aim(atAnswerOf: command, reader)
                }
            case .noted(let fact): note(fact, reader)
            }
        }
        if mayMove { stations[reader].watchReach(at: now) }
        watchPaymentReader(reader)
    }

    /// Looks at a payment reader again when something happens there by itself.
    private mutating func watchPaymentReader(_ reader: Int) {
        let next = stations[reader].payment?.reader?.nextDeadline
        if let due = stations[reader].payment?.due {
            if due.instant == next { return }
            loop.cancel(due.id)
            stations[reader].payment?.due = nil
        }
        guard let next else { return }
        let id = loop.post(
            RigEvent(.readerDue(reader: reader), step: stations[reader].step),
            to: RigComponent.reader(reader),
            at: max(next, now)
        )
        stations[reader].payment?.due = (id, next)
    }

    private mutating func note(_ fact: MiuraFact, _ reader: Int) {
        switch fact {
        case .displayed(let text):
            journal.write(
                .displayed,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.text, .text(SafeText(scrubbing: text)))
            )
        case .pinAsked: journal.write(.pinAsked, at: now, Attribute(.reader, .reader(reader)))
        case .choiceAsked(let labels):
            journal.write(
                .choiceAsked,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.count, .integer(Int64(labels.count)))
            )
        case .cardDecided(let isApproved):
            journal.write(
                .cardDecided,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.result, .symbol(isApproved ? .approved : .declined))
            )
        case .began, .answers, .inputAsked, .transactionBegan, .damaged, .commandDropped,
            .cardIgnored, .keyIgnored, .installed, .listens:
            break
        }
    }

    // MARK: The link

    /// Opens the link to the reader that the provider asks for, if there is such a one.
    mutating func openPaymentReader(_ wanted: CardReader) {
        guard
            let reader = stations.indices.first(where: { index in
                stations[index].payment?.cardReader == wanted
            })
        else { return paymentReaderIsMissing(nil) }
        touched.formUnion(.reader(reader))
        stations[reader].step = journal.step
        guard isInReach(reader) else { return paymentReaderIsMissing(reader) }
        agentcash?.reader = reader
        stations[reader].open(at: now)
        watchLink(reader)
    }

    private func isInReach(_ reader: Int) -> Bool {
        if stations[reader].recorded != nil {
            guard recordedSteps.indices.contains(journal.count) else { return true }
            return recordedSteps[journal.count].name != .readerNotFound
        }
        return stations[reader].isLive
            || stations[reader].isPluggedIn && stations[reader].payment?.isReachable == true
    }

    private mutating func paymentReaderIsMissing(_ reader: Int?) {
        journal.begin(.readerNotFound, at: now)
        if let reader { journal.add(.reader, .reader(reader)) }
        journal.end()
        let now = now
        agentcash?.provider.readerNotFound(at: now)
    }

    /// Lets go of the reader that the provider has a link to, or is making one to.
    mutating func closePaymentReader() {
        guard let reader = agentcash?.reader else { return }
        touched.formUnion(.reader(reader))
        if agentcash?.isLinked == true {
            journal.write(.readerClosed, at: now, Attribute(.reader, .reader(reader)))
        }
        endPaymentLink(reader)
    }

    /// Ends the link on both sides, and forgets what was on its way.
    private mutating func endPaymentLink(_ reader: Int) {
        agentcash?.reader = nil
        agentcash?.isLinked = false
        stations[reader].close(at: now)
        while stations[reader].nextEvent(at: now) != nil {}
        if stations[reader].isFaulty { noteFiredFaults(reader) }
        watchLink(reader)
        endLinkAtReader(reader)
    }

    private mutating func endLinkAtReader(_ reader: Int) {
        let effects =
            stations[reader].payment?.act(cache, now) { $0.disconnected(at: $2, cache: $1) } ?? []
        take(effects, of: reader)
    }

    /// Writes bytes of the provider to the reader.
    mutating func writeToPaymentReader(_ bytes: [UInt8]) {
        guard let reader = agentcash?.reader else { return }
        touched.formUnion(.reader(reader))
        let unit = TransportUnit(.bytes, bytes[...])
        tap(reader, .fromHost(unit))
        stations[reader].step = journal.step
        if stations[reader].payment?.commandFaults.isEmpty == false { aim(at: unit, reader) }
        stations[reader].send(unit, cache: cache, at: now)
        if stations[reader].isFaulty { noteFiredFaults(reader) }
        takePaymentEffects(reader)
    }

    /// Gives a reader what the link held of the host's bytes until now.
    mutating func passHostUnits(to reader: Int) {
        stations[reader].passHostUnits(cache, at: now)
        if stations[reader].isPaymentReader { takePaymentEffects(reader) }
    }

    private mutating func takePaymentEffects(_ reader: Int) {
        let effects = stations[reader].payment?.takeEffects() ?? []
        if effects.isEmpty {
            watchPaymentReader(reader)
            // A link that was cut, or that holds what was written, tells later.
            if stations[reader].isFaulty { watchLink(reader) }
            return
        }
        take(effects, of: reader)
        watchLink(reader)
    }

    /// Gives the provider what came of its reader's link.
    mutating func deliverToProvider(_ event: TransportEvent, from reader: Int) {
        lastActivity = now
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard agentcash?.reader == reader else { return }
        let now = now
        switch event {
        case .attached(let attachment):
            tap(reader, .attached(attachment))
            journal.write(.readerOpened, at: now, Attribute(.reader, .reader(reader)))
            agentcash?.isLinked = true
            let effects =
                stations[reader].payment?.act(cache, now) { $0.connected(at: $2, cache: $1) } ?? []
            take(effects, of: reader)
            agentcash?.provider.readerOpened(at: now)
        case .received(let unit):
            tap(reader, .fromReader(unit))
            stations[reader].countUnit(of: unit.payload.count)
            agentcash?.provider.readerReceived(unit.payload, at: now)
        case .detached(let reason):
            tap(reader, .detached(reason))
            journal.write(
                .readerDetached,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.reason, .symbol(Symbol(reason)))
            )
            endPaymentLink(reader)
            agentcash?.provider.readerLost(at: now)
        case .unusable(let unusable):
            problem = unusable.description
        case .featureFinished:
            break
        }
        carryOutProvider()
    }
}

extension PaymentStation {
    /// Takes what the reader did about bytes of the host.
    fileprivate func takeEffects() -> [MiuraReaderEffect] {
        guard !effects.isEmpty else { return [] }
        defer { effects = [] }
        return effects
    }

    /// Does something to the simulated reader, in place.
    fileprivate func act(
        _ cache: CryptoCache,
        _ now: VirtualInstant,
        _ act: (inout SimulatedMiura, CryptoCache, VirtualInstant) -> [MiuraReaderEffect]
    ) -> [MiuraReaderEffect] {
        reader?.accept(act, cache, now) ?? []
    }
}

extension SimulatedMiura {
    fileprivate mutating func accept(
        _ act: (inout SimulatedMiura, CryptoCache, VirtualInstant) -> [MiuraReaderEffect],
        _ cache: CryptoCache,
        _ now: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(&self, cache, now)
    }
}

extension [MiuraKey] {
    /// The keys as they may be shown: `•••• enter`.
    fileprivate var masked: String {
        var text = ""
        var wasDigit = false
        for key in self {
            var isDigit = false
            if case .digit = key { isDigit = true }
            if !text.isEmpty, !(wasDigit && isDigit) { text += " " }
            text += key.description
            wasDigit = isDigit
        }
        return text
    }
}
