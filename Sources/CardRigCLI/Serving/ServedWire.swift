import EventLoops
import Kernel
import LiveTransports
import SimulatedReaders
import Transports

/// A simulated reader and the place where programs reach it, on the wall clock.
///
/// The owner waits, notes what is ready, and calls ``work()``.
struct ServedWire: ServedPlace {
    /// After how many bytes without a message that the reader understands a program is let go.
    static let garbageBound = 65_536

    private static let eventsInOneGo = 16
    private static let goesToCatchUp = 64

    private let server: StreamServer
    private var reader: any ServedReader
    private let start: Int64
    private let say: (String) -> Void
    private var departures = Departures()
    private var garbageByteCount = 0
    /// Who has the reader, for people.
    private(set) var client: String?
    private var hasFinishedSending = false
    /// Whether hands have plugged it in; a reader that is off cannot be reached though.
    private var isWanted = false

    init(
        _ reader: any ServedReader,
        at place: StreamServer.Place,
        poller: Poller,
        firstToken: UInt64,
        say: @escaping (String) -> Void
    ) {
        self.reader = reader
        self.say = say
        server = StreamServer(place, poller: poller, firstToken: firstToken)
        start = MonotonicClock.now
    }

    private var now: VirtualInstant { VirtualInstant(nanoseconds: MonotonicClock.now - start) }

    var tokens: Range<UInt64> { server.tokens }
    var isPluggedIn: Bool { server.isPluggedIn }
    var placeLine: String {
        server.terminalPath.map { "pty \(server.address) (\($0))" } ?? "tcp \(server.address)"
    }

    func note(_ readiness: Readiness) { server.note(readiness) }

    var nextWork: Int64? {
        if server.hasMore { return 0 }
        let deadline = reader.nextDeadline.map { start + $0.nanoseconds }
        return [departures.nextDue, deadline].compactMap(\.self).min()
    }

    // MARK: Hands

    /// Gives the reader power and lets programs reach it; nothing happens when it is plugged in.
    mutating func plugIn() throws(KernelError) {
        guard !isWanted else { return }
        isWanted = true
        take(reader.powerUp(at: now))
        if reader.isReachable { try server.plugIn() }
    }

    mutating func unplug() {
        isWanted = false
        server.unplug()
        work()
    }

    mutating func act(_ command: HandCommand) throws(HandRefusal) {
        guard isWanted || reader.hasOwnPower else {
            throw HandRefusal(reason: "the reader is not plugged in")
        }
        take(try reader.act(command, at: now))
        // Whoever acted is answered after what came of it: a link that ends has ended then.
        depart()
    }

    // MARK: The wire

    /// Does what is due and takes what programs sent.
    mutating func work() {
        if let deadline = reader.nextDeadline, deadline <= now {
            take(reader.timePassed(at: now))
        }
        depart()
        // So much in one go that a program which never stops sending does not keep the others out.
        for _ in 0..<Self.eventsInOneGo {
            guard let event = server.nextEvent() else { break }
            handle(event)
            letGoIfDone()
        }
        letGoIfDone()
    }

    /// Lets a program go that sends no more, once it has what was due to it.
    private func letGoIfDone() {
        guard hasFinishedSending, departures.isEmpty, server.isFlushed else {
            return
        }
        server.letGo(.hungUp)
    }

    /// Takes what had happened before a hand acts, though the loop was not told of it yet.
    mutating func catchUp() {
        server.look()
        for _ in 0..<Self.goesToCatchUp {
            work()
            guard server.hasMore else { return }
        }
    }

    private mutating func handle(_ event: StreamServer.Event) {
        switch event {
        case .connected(let number, let from):
            client = from
            garbageByteCount = 0
            hasFinishedSending = false
            say("client \(number) from \(from)")
            take(reader.clientCame(at: now))
        case .received(let bytes):
            let reaction = reader.receive(bytes, at: now)
            garbageByteCount = reaction.understoodCount > 0 ? 0 : garbageByteCount + bytes.count
            take(reaction)
            if garbageByteCount > Self.garbageBound {
                server.letGo(
                    .dropped("it sent \(garbageByteCount) bytes that are no message of this reader")
                )
            } else if departures.byteCount > StreamServer.outboxBound {
                server.letGo(
                    .dropped(
                        "it asks faster than the reader answers: \(departures.byteCount) bytes wait"
                    )
                )
            }
        case .finishedSending:
            hasFinishedSending = true
        case .left(let number, let reason):
            client = nil
            hasFinishedSending = false
            departures.clear()
            reader.clientLeft(at: now)
            say("client \(number) left: \(reason)")
        case .refused(let from):
            say("refused \(from): another program has the reader")
        }
    }

    /// Sends what the reader sends, each piece at its time and behind what waits.
    private mutating func take(_ reaction: ServedReaction) {
        let now = MonotonicClock.now
        for transmission in reaction.transmissions where server.hasClient {
            let due = now + transmission.offset.nanoseconds
            if due <= now, departures.isEmpty {
                server.send(transmission.unit.payload)
            } else {
                departures.add(.send(transmission.unit), due: due)
            }
        }
        if reaction.restarts {
            departures.add(.restart, due: now)
        } else if reaction.dropsLink {
            departures.add(.dropLink, due: now)
        }
        if reaction.isReachableAgain, isWanted { comeBack() }
    }

    private func comeBack() {
        do throws(KernelError) {
            try server.plugIn()
        } catch {
            say("the reader does not come back: \(error)")
        }
    }

    private mutating func dropLink() {
        departures.clear()
        server.letGo(.dropped("the reader ended the link"))
        if !reader.isReachable { server.unplug() }
    }

    private mutating func depart() {
        while let act = departures.next(at: MonotonicClock.now) {
            switch act {
            case .send(let unit): server.send(unit.payload)
            case .restart:
                restart()
                return
            case .dropLink:
                dropLink()
                return
            }
        }
    }

    private mutating func restart() {
        departures.clear()
        server.unplug()
        take(reader.powerUp(at: now))
        comeBack()
    }
}
