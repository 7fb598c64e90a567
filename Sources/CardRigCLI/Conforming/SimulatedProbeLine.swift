import EventLoops
import Rig
import SimulatedReaders
import Transports

/// A simulated reader on a line of virtual time: nothing sleeps, and what it does is due when its
/// settings say.
final class SimulatedProbeLine: ProbeLine {
    private var reader: any ServedReader
    private let isStream: Bool
    private var queue: [(due: VirtualInstant, event: TransportEvent)] = []
    private(set) var now = VirtualInstant.zero
    private(set) var isAttached = false
    private var isPluggedIn = false

    /// Creates a line with the reader at its end, which speaks on a stream or in reports.
    init(_ reader: any ServedReader, isStream: Bool) {
        self.reader = reader
        self.isStream = isStream
        plugIn()
    }

    func send(_ unit: TransportUnit) {
        guard isPluggedIn, !queue.contains(where: \.event.isDetach) else { return }
        if !isStream, let device = reader as? any ServedUSBReader {
            var device = device
            let reaction = device.receive(unit, at: now)
            reader = device
            take(reaction)
        } else if unit.kind == .bytes {
            take(reader.receive(unit.payload, at: now))
        }
    }

    func next(until limit: VirtualInstant) throws(ProbeStop) -> TransportEvent? {
        while true {
            let head = queue.first?.due ?? .distantFuture
            let own = reader.nextDeadline ?? .distantFuture
            guard min(head, own) <= limit else {
                now = max(now, limit)
                return nil
            }
            if own < head {
                now = max(now, own)
                take(reader.timePassed(at: now))
                continue
            }
            now = max(now, head)
            let event = queue.removeFirst().event
            switch event {
            case .attached: isAttached = true
            case .detached: isAttached = false
            case .received, .featureFinished, .unusable: break
            }
            return event
        }
    }

    func act(_ act: HandAct, words: String) throws(ProbeStop) {
        // A person takes a second.
        now = now + .seconds(1)
        if let own = reader.nextDeadline, own <= now { take(reader.timePassed(at: now)) }
        switch act {
        case .plugIn: plugIn()
        case .unplug: unplug()
        default:
            let line = HandLine.words(act, readerName: "").filter { !$0.isEmpty }
            do throws(HandRefusal) {
                var names = HandNames("")
                let command = try HandCommand(parsing: line.joined(separator: " "), names: &names)
                take(try reader.act(command, at: now))
            } catch {
                throw .lost("the simulated hand: \(error.reason)")
            }
        }
    }

    func close() {}

    private func plugIn() {
        guard !isPluggedIn else { return }
        isPluggedIn = true
        append(.attached(Attachment()), at: now)
        take(reader.powerUp(at: now))
        if !isStream, let device = reader as? any ServedUSBReader {
            var device = device
            let reaction = device.configured(true, at: now)
            reader = device
            take(reaction)
        } else {
            take(reader.clientCame(at: now))
        }
    }

    private func unplug() {
        guard isPluggedIn else { return }
        isPluggedIn = false
        reader.clientLeft(at: now)
        queue.removeAll { $0.due > now }
        append(.detached(.left), at: now)
    }

    private func take(_ reaction: ServedReaction) {
        for result in reaction.featureResults { append(.featureFinished(result), at: now) }
        var packets: [UInt8] = []
        for transmission in reaction.transmissions {
            let due = now + transmission.offset
            if case .report = transmission.unit.kind {
                // A host's transfer is a whole report.
                packets += transmission.unit.payload
                if transmission == reaction.transmissions.last {
                    append(.received(TransportUnit(.report(id: 0), packets[...])), at: due)
                }
            } else {
                append(.received(transmission.unit), at: due)
            }
        }
        guard reaction.restarts || reaction.dropsLink else {
            if reaction.isReachableAgain { comeBack() }
            return
        }
        append(.detached(.left), at: queue.last?.due ?? now)
        isPluggedIn = false
        reader.clientLeft(at: now)
        if reaction.restarts { comeBack() }
    }

    private func comeBack() {
        guard !isPluggedIn else { return }
        isPluggedIn = true
        append(.attached(Attachment()), at: queue.last?.due ?? now)
        take(reader.powerUp(at: now))
        take(reader.clientCame(at: now))
    }

    private func append(_ event: TransportEvent, at due: VirtualInstant) {
        queue.append((max(due, queue.last?.due ?? .zero), event))
    }
}

extension TransportEvent {
    fileprivate var isDetach: Bool {
        if case .detached = self { return true }
        return false
    }
}
