import CardData
public import EventLoops
import Journal
import SDKCore
import SimulatedReaders
public import Transports

extension Rig {
    /// Does what a hand does at a simulated reader, at once.
    public mutating func act(_ act: HandAct) {
        touched.formUnion(.reader(act.reader))
        touched.formUnion(.readsTime)
        stations[act.reader].step = journal.step
        if stations[act.reader].recorded != nil {
            noteOperatorAct(act)
            takeFromLink(act.reader)
            return
        }
        if let thing = jack?.thing(of: act.reader) {
            if case .swipe(let reader, let name, let quality) = act {
                noteSwipe(reader, name, quality)
                armLinkFault(reader)
            }
            return actAtJack(act, thing: thing)
        }
        if stations[act.reader].isPaymentReader { return actAtPaymentReader(act) }
        switch act {
        case .plugIn(let reader):
            journal.write(.pluggedIn, at: now, Attribute(.reader, .reader(reader)))
            guard !stations[reader].isPluggedIn else { return }
            if let fault = stations[reader].takeOpeningFault() {
                beginOpening(reader, against: fault)
            } else {
                stations[reader].plugIn(at: now)
            }
        case .unplug(let reader):
            journal.write(.unplugged, at: now, Attribute(.reader, .reader(reader)))
            guard stations[reader].isPluggedIn else { return }
            if stations[reader].isRefused || stations[reader].opening != nil {
                abandonOpening(reader)
            }
            stations[reader].unplug(at: now)
        case .obstruct(let reader, let fault):
            stations[reader].nextOpening = fault
        case .swipe(let reader, let name, let quality):
            swipe(reader, name, quality)
        case .insert, .tap, .removeCard, .press, .switchOff, .switchOn, .reboot, .setBattery:
            break
        }
        takeFromLink(act.reader)
    }

    private mutating func swipe(_ reader: Int, _ name: String, _ quality: SwipeQuality) {
        noteSwipe(reader, name, quality)
        armLinkFault(reader)
        guard let card = TestCard.named(name) else { return }
        stations[reader].swipe(
            card,
            quality: quality,
            number: swipeCount,
            cache: cache,
            at: now
        )
    }

    mutating func noteSwipe(_ reader: Int, _ name: String, _ quality: SwipeQuality) {
        swipeCount += 1
        journal.begin(.cardSwiped, at: now)
        journal.add(.reader, .reader(reader))
        journal.add(.card, .text(SafeText(scrubbing: name)))
        journal.add(.quality, .symbol(quality.symbol))
        journal.add(.swipe, .integer(Int64(swipeCount)))
        journal.end()
    }

    // MARK: Links

    /// Sends one unit of the host to a reader, such as a command; a simulated reader answers.
    ///
    /// A command's end comes to the SDK as `featureFinished`, or as bytes on a stream. A reader
    /// that resets leaves and comes back at once.
    public mutating func send(_ unit: TransportUnit, to reader: Int) {
        tap(reader, .fromHost(unit))
        stations[reader].send(unit, cache: cache, at: now)
        takeFromLink(reader)
    }

    /// Descriptors that wake the loop: those of live transports and of the operator.
    public var wakeDescriptors: [Int32] {
        stations.compactMap { $0.live?.wakeDescriptor }
            + [hands?.wakeDescriptor].compactMap(\.self) + remotes.map(\.wakeDescriptor)
    }

    /// Whether the host listens to a reader: an app that sleeps or was killed does not, and sees
    /// nothing of what hands do meanwhile.
    public func listens(to reader: Int) -> Bool { stations[reader].isOpen }

    /// Whether the reader is attached.
    ///
    /// One that could not be opened is there as well.
    public func isAttached(_ reader: Int) -> Bool {
        stations[reader].isPluggedIn || stations[reader].isRefused
    }

    /// Returns what to tell, remedy included, when a hand plugged a real reader in and it was not
    /// seen for so long.
    public func absence(of reader: Int, after limit: VirtualDuration) -> String {
        let missing = stations[reader].live?.absence ?? "\(stations[reader].name) was not seen"
        return "\(limit.text) after the hand plugged it in: \(missing)"
    }

    /// Whether every real reader is attached.
    public var areLiveReadersAttached: Bool {
        stations.allSatisfy { !$0.isLive || $0.isPaymentReader || $0.isPluggedIn }
    }

    /// Takes what live transports have.
    public mutating func pollTransports() {
        for reader in stations.indices where stations[reader].isLive { takeFromLink(reader) }
        pollGateways()
    }

    /// Returns what came from real readers since the last time it was asked.
    public mutating func takeLiveArrivals() -> LiveArrivals {
        defer { liveArrivals = LiveArrivals() }
        return liveArrivals
    }

    /// Closes live transports, so that kernel drivers get their readers back.
    public mutating func closeTransports() {
        for reader in stations.indices where stations[reader].isLive {
            stations[reader].close(at: now)
        }
    }

    /// Gives the SDK everything of a reader's link that is due, and looks again when more comes.
    mutating func takeFromLink(_ reader: Int) {
        touched.formUnion(.reader(reader))
        if stations[reader].path == .audioJack { takeMoves() }
        if stations[reader].isFaulty { passHostUnits(to: reader) }
        while !app.isInCallback, !mustWait(reader) {
            let step = recordedStep(reader)
            guard var event = stations[reader].nextEvent(at: now) else { break }
            if case .received(let unit) = event,
                let piece = stations[reader].recordedPieces.popFirst()
            {
                event = .received(TransportUnit(unit.kind, piece))
            }
            if stations[reader].isFaulty { noteFiredFaults(reader) }
            if stations[reader].isLive, case .received = event {
                liveArrivals.note(stations[reader].live?.arrivalNanoseconds)
            }
            if let step { journal.step = step }
            deliver(event, from: reader)
        }
        // A unit that was dropped brings no event.
        if stations[reader].isFaulty { noteFiredFaults(reader) }
        watchLink(reader)
    }

    /// Whether what a capture brings next came after something else that is due at this instant, as
    /// the records that stood before it show.
    private mutating func mustWait(_ reader: Int) -> Bool {
        guard let recorded = stations[reader].recorded,
            let awaited = recorded.awaitedRecordCount, let due = recorded.nextDue,
            due.earliest <= now
        else { return false }
        journal.writeForeign(upTo: now)
        guard journal.count < awaited else { return false }
        var postponed = stations[reader].postponements
        if postponed.instant != now { postponed = (now, journal.count, 0, 0) }
        if postponed.recordCount != journal.count { postponed.idleCount = 0 }
        postponed.recordCount = journal.count
        postponed.count += 1
        postponed.idleCount += 1
        stations[reader].postponements = postponed
        // Whoever plays the scenario acts between two events, so nothing else need be pending.
        let isIdle = loop.nextTime != now && postponed.idleCount > 2
        return !isIdle && postponed.count < Self.longestPostponement
    }

    /// The step that what a capture brings next belonged to in the recorded run.
    private func recordedStep(_ reader: Int) -> Int?? {
        guard let awaited = stations[reader].recorded?.awaitedRecordCount,
            recordedSteps.indices.contains(awaited), recordedSteps[awaited].time == now
        else { return nil }
        return recordedSteps[awaited].step
    }

    /// Gives the SDK what a capture has right behind the facts that were just written down.
    mutating func followForeignFacts() {
        for reader in stations.indices {
            guard let recorded = stations[reader].recorded, let due = recorded.nextDue,
                due.earliest <= now, recorded.awaitedRecordCount == journal.count
            else { continue }
            takeFromLink(reader)
        }
    }

    /// Whether something of a capture is on its way: everything that was written down before it in the
    /// recorded run has happened.
    var awaitsRecorded: Bool {
        for station in stations {
            guard let recorded = station.recorded, recorded.nextDue != nil else { continue }
            guard let awaited = recorded.awaitedRecordCount, awaited > journal.count else {
                return true
            }
        }
        return journal.nextForeignFact.map { $0.sequence <= journal.count } ?? false
    }

    /// Looks at the journal again when the next fact of the recorded run is due.
    mutating func watchForeignFacts() {
        guard let fact = journal.nextForeignFact, foreignDue.map({ $0 < fact.time }) ?? true else {
            return
        }
        foreignDue = fact.time
        loop.post(
            RigEvent(.foreignFact, step: journal.step),
            to: RigComponent.foreignFact,
            at: max(fact.time, now),
            isBackground: true
        )
    }

    /// How often a link is looked at in one instant before it goes on without the records that stood
    /// before it.
    private static let longestPostponement = 1_000

    /// Posts the event that looks at a link when its head is due.
    mutating func watchLink(_ reader: Int) {
        let next = stations[reader].nextDue()
        if let due = stations[reader].due {
            if due.window == next { return }
            loop.cancel(due.id)
            stations[reader].due = nil
        }
        guard let next else { return }
        let id = loop.post(
            RigEvent(.linkDue(reader: reader), step: stations[reader].step),
            to: RigComponent.link(reader),
            in: next,
            chain: RigComponent.linkChain(reader),
            // What a capture brings is pending once what made it has happened.
            isBackground: stations[reader].recorded != nil
        )
        stations[reader].due = (id, next)
    }

    mutating func deliver(_ event: TransportEvent, from reader: Int) {
        if stations[reader].isPaymentReader { return deliverToProvider(event, from: reader) }
        lastActivity = now
        if handSign != nil { noteHandSign(event, from: reader) }
        switch event {
        case .attached(let attachment):
            if stations[reader].isLive || stations[reader].recorded != nil {
                stations[reader].isPluggedIn = true
            }
            stations[reader].isObstructed = false
            tap(reader, .attached(attachment))
            loseArrivals(reader, before: stations[reader].plugCount)
            journal.write(.readerAttached, at: now, Attribute(.reader, .reader(reader)))
        case .received(let unit):
            tap(reader, .fromReader(unit))
            let byteCount = unit.payload.count
            stations[reader].countUnit(of: byteCount)
            noteArrival(of: byteCount, from: reader)
            guard isAppAlive else { return }
            let sdkReader = stations[reader].sdkReader
            controller.input(
                event,
                from: sdkReader,
                connection: stations[sdkReader].connection,
                at: now
            )
            deliverSwipeEvents()
            return
        case .detached(let reason):
            if stations[reader].isLive || stations[reader].recorded != nil {
                stations[reader].isPluggedIn = false
            }
            stations[reader].isRefused = false
            tap(reader, .detached(reason))
            loseArrivals(reader)
            journal.write(
                .readerDetached,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.reason, .symbol(Symbol(reason)))
            )
        case .unusable(let unusable):
            // What the scenario put in the way is no loss of the rig.
            guard stations[reader].isObstructed, noteRefusal(unusable, reader) else {
                problem = unusable.description
                break
            }
        case .featureFinished(let result):
            tap(reader, .featureFinished(result))
        }
        notify(event, from: reader)
        deliverSwipeEvents()
    }

    /// Tells the SDK as the system does: once, twice or late.
    private mutating func notify(_ event: TransportEvent, from reader: Int) {
        guard isAppAlive else { return }
        let sdkReader = stations[reader].sdkReader
        if case .attached = event { stations[sdkReader].connection += 1 }
        let connection = stations[sdkReader].connection
        switch stations[reader].notifications {
        case .once:
            controller.input(event, from: sdkReader, connection: connection, at: now)
        case .twice:
            controller.input(event, from: sdkReader, connection: connection, at: now)
            deliverSwipeEvents()
            controller.input(event, from: sdkReader, connection: connection, at: now)
        case .lateDisconnect:
            guard case .detached(let reason) = event else {
                controller.input(event, from: sdkReader, connection: connection, at: now)
                return
            }
            tellLateDisconnect(reader)
            stations[reader].lateDisconnect = (reason, connection)
            loop.post(
                RigEvent(.lateNotification(reader: reader), step: journal.step),
                to: RigComponent.lateNotification(reader),
                at: now + .milliseconds(100)
            )
        }
    }

    /// Tells the SDK of a disconnect that was held back.
    mutating func tellLateDisconnect(_ reader: Int) {
        touched.formUnion(.reader(reader))
        guard let late = stations[reader].lateDisconnect.take(), isAppAlive else { return }
        controller.input(
            .detached(late.reason),
            from: stations[reader].sdkReader,
            connection: late.connection,
            at: now
        )
    }

    /// Writes down what the link did since the last look; a swipe that lost or changed bytes is no
    /// longer whole.
    mutating func noteFiredFaults(_ reader: Int) {
        for fault in stations[reader].takeFiredFaults() {
            journal.write(
                .linkFault,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.fault, .symbol(Symbol(fault.fault.action)))
            )
            if isDamage(fault.fault.action, at: reader) { loseArrivals(reader) }
        }
    }

    /// Whether a swipe that met the fault is no longer whole; a pause that no host waits for counts.
    private func isDamage(_ action: LinkFault.Action, at reader: Int) -> Bool {
        let path = stations[reader].path
        let longest = SwipeController.longestSilence(on: path)
        switch action {
        case .drop, .corrupt, .duplicate: return true
        case .delay(let pause), .merge(within: let pause): return pause > longest
        // A packet in two pieces is none of USB's: the first piece ends the report.
        case .split(at: _, gap: let pause):
            return pause > longest || path == .reports || path == .idTechReports
        case .cut: return false
        }
    }

    mutating func tap(_ reader: Int, _ traffic: @autoclosure () -> WireTap.Traffic) {
        guard wireTap != nil else { return }
        let entry = WireTap.Entry(
            time: now,
            sequence: journal.count,
            reader: reader,
            traffic: traffic()
        )
        wireTap?.add(entry)
    }

    private mutating func noteArrival(of byteCount: Int, from reader: Int) {
        var left = byteCount
        let isRead = isAppAlive && controller.isReading
        while left > 0, var arrival = stations[reader].arrivals.first {
            if arrival.recordByteCount > 0 {
                arrival.hasBegun = true
                arrival.isDamaged = arrival.isDamaged || !isRead
                let taken = min(left, arrival.recordByteCount)
                left -= taken
                arrival.recordByteCount -= taken
                if arrival.recordByteCount == 0 {
                    writeArrival(arrival, from: reader, isWhole: !arrival.isDamaged)
                }
            }
            let taken = min(left, arrival.paddingByteCount)
            left -= taken
            arrival.paddingByteCount -= taken
            if arrival.recordByteCount == 0, arrival.paddingByteCount == 0 {
                stations[reader].arrivals.removeFirst()
            } else {
                stations[reader].arrivals[0] = arrival
            }
        }
    }

    /// A swipe that has begun to arrive is not whole: nobody reads its rest.
    mutating func damagePartialArrivals() {
        for reader in stations.indices where stations[reader].arrivals.first?.hasBegun == true {
            stations[reader].arrivals[0].isDamaged = true
        }
    }

    /// Gives up the swipes on their way: all, or those from before the reader was plugged in for
    /// the so-manieth time.
    private mutating func loseArrivals(_ reader: Int, before plugCount: Int = .max) {
        guard !stations[reader].arrivals.isEmpty else { return }
        for arrival in stations[reader].arrivals
        where arrival.plugCount < plugCount && arrival.recordByteCount > 0 {
            writeArrival(arrival, from: reader, isWhole: false)
        }
        stations[reader].arrivals.removeAll { $0.plugCount < plugCount }
    }

    /// Gives up the swipe that was sent last: a piece of it was not heard.
    mutating func loseLastArrival(_ reader: Int) {
        guard let arrival = stations[reader].arrivals.last else { return }
        stations[reader].arrivals.removeLast()
        writeArrival(arrival, from: reader, isWhole: false)
    }

    private mutating func writeArrival(
        _ arrival: ReaderStation.Arrival,
        from reader: Int,
        isWhole: Bool
    ) {
        journal.begin(.swipeArrived, at: now)
        journal.add(.reader, .reader(reader))
        journal.add(.swipe, .integer(Int64(arrival.swipe)))
        journal.add(.isWhole, .flag(isWhole))
        journal.end()
    }
}
