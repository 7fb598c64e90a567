import EventLoops
import Kernel
import LiveTransports
import SimulatedReaders
import Transports
import USBIP

/// A simulated reader as a USB device, which kernels elsewhere attach over USB/IP.
struct ServedBus: ServedPlace {
    private static let eventsInOneGo = 16
    private static let goesToCatchUp = 64

    private let server: USBIPServer
    private var reader: any ServedUSBReader
    private let start: Int64
    private let say: (String) -> Void
    /// The device, while a client has it.
    private var port: USBIPPort?
    private var departures = Departures()
    private(set) var client: String?
    private var lastRefusal: String?
    /// Whether hands have plugged it in; a reader that is off cannot be reached though.
    private var isWanted = false

    init(
        _ reader: any ServedUSBReader,
        at address: SocketAddress,
        poller: Poller,
        firstToken: UInt64,
        say: @escaping (String) -> Void
    ) throws(KernelError) {
        self.reader = reader
        self.say = say
        server = try USBIPServer(at: address, poller: poller, firstToken: firstToken)
        start = MonotonicClock.now
    }

    private var now: VirtualInstant { VirtualInstant(nanoseconds: MonotonicClock.now - start) }

    var tokens: Range<UInt64> { server.tokens }
    var isPluggedIn: Bool { server.isPluggedIn }
    var placeLine: String { "usbip \(server.address) (bus id \(USBIPExport(reader.device).busID))" }

    var nextWork: Int64? {
        if server.hasMore { return 0 }
        let deadline = reader.nextDeadline.map { start + $0.nanoseconds }
        return [departures.nextDue, deadline, server.nextDeadline].compactMap(\.self).min()
    }

    func note(_ readiness: Readiness) { server.note(readiness) }

    // MARK: Hands

    mutating func plugIn() throws(KernelError) {
        guard !isWanted else { return }
        isWanted = true
        comeBack()
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
        // A card can always go through; without a host such a reader has no power to see it.
        guard port != nil || reader.hasOwnPower else {
            say("the reader has no power to notice that: no computer has attached it")
            return
        }
        take(try reader.act(command, at: now))
        // Whoever acted is answered after what came of it: a link that ends has ended then.
        depart()
    }

    // MARK: The bus

    mutating func work() {
        if let deadline = reader.nextDeadline, deadline <= now {
            take(reader.timePassed(at: now))
        }
        depart()
        // So much in one go that a client which never stops does not keep the others out.
        for _ in 0..<Self.eventsInOneGo {
            guard let event = server.nextEvent() else { break }
            handle(event)
        }
    }

    mutating func catchUp() {
        server.look()
        for _ in 0..<Self.goesToCatchUp {
            work()
            guard server.hasMore else { return }
        }
    }

    private mutating func handle(_ event: USBIPServer.Event) {
        switch event {
        case .imported(let number, let from):
            client = from
            lastRefusal = nil
            port = USBIPPort(reader.device)
            say("client \(number) from \(from)")
        case .command(let command, let offset):
            guard let port else { return }
            var next = port
            self.port = nil
            do throws(USBIPError) {
                let effects = try next.take(command, endingAt: offset)
                self.port = next
                perform(effects)
            } catch {
                self.port = next
                server.letGo(.dropped(error.description))
            }
        case .left(let number, let reason):
            leave()
            say("client \(number) left: \(reason)")
        case .listed: break
        case .refused(let from, let reason):
            // Whoever waits for a reader to be plugged in tries again and again.
            if reason != lastRefusal { say("refused \(from): \(reason)") }
            lastRefusal = reason
        }
    }

    private mutating func leave() {
        if let port, port.isConfigured { take(reader.configured(false, at: now)) }
        if let lost = port?.lostByteCount, lost > 0 {
            say("\(lost) bytes of the reader were lost, since nobody asked for them")
        }
        client = nil
        port = nil
        departures.clear()
    }

    private mutating func perform(_ effects: [USBIPPort.Effect]) {
        for effect in effects {
            switch effect {
            case .answer(let answer): server.send(answer)
            case .unit(let unit): take(reader.receive(unit, at: now))
            case .configured(let isConfigured): take(reader.configured(isConfigured, at: now))
            }
        }
    }

    /// Passes on what the reader sends, each unit at its time.
    private mutating func take(_ reaction: ServedReaction) {
        for result in reaction.featureResults {
            if let effects = port?.finished(result) { perform(effects) }
        }
        let now = MonotonicClock.now
        if port != nil {
            // A swipe before the last one has left waits for it, since packets keep their order.
            let begin = max(now, departures.lastDue ?? now)
            for transmission in reaction.transmissions {
                departures.add(
                    .send(transmission.unit),
                    due: begin + transmission.offset.nanoseconds
                )
            }
        }
        if reaction.restarts { departures.add(.restart, due: now) }
        if reaction.dropsLink { departures.add(.dropLink, due: now) }
        if reaction.isReachableAgain, isWanted { comeBack() }
    }

    private mutating func depart() {
        while let act = departures.next(at: MonotonicClock.now) {
            switch act {
            case .send(let unit):
                if let effects = port?.send(unit) { perform(effects) }
            case .restart:
                server.unplug()
                work()
                if isWanted { comeBack() }
            case .dropLink:
                server.letGo(.dropped("the reader ended the link"))
                if !reader.isReachable { server.unplug() }
            }
        }
    }

    private mutating func comeBack() {
        take(reader.powerUp(at: now))
        if reader.isReachable { server.plugIn(USBIPExport(reader.device)) }
    }
}
