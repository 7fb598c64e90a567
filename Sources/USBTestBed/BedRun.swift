import CUSBTestBed
import CardData
import EventLoops
import Kernel
import SimulatedReaders
import Transports

/// The inner process: it holds the bed, runs the program and obeys the hand's lines.
struct BedRun {
    private enum Token: UInt64 { case listener, program, signals, firstConnection }

    private let options: BedOptions
    private let bed: Bed
    private var connections: [(token: UInt64, stream: LineStream)] = []
    private var nextToken = Token.firstConnection.rawValue
    /// The packets of swipes that are still on their way, by time.
    private var packets: [(due: Int64, bytes: [UInt8])] = []
    /// When everybody may open the reader's node.
    private var permission: Int64?

    init(_ options: BedOptions, bed: Bed) {
        self.options = options
        self.bed = bed
    }

    /// Runs the program to its end, and passes signals on to it.
    ///
    /// - Parameter signals: Those that were caught before the bed was made.
    /// - Returns: The status to exit with: the program's, or 124 when it took too long.
    /// - Throws: `KernelError` when the socket or the program cannot be had.
    mutating func run(_ signals: TerminationSignals) throws(KernelError) -> Int32 {
        usb_test_bed_die_with_parent()
        let poller = try Poller()
        try poller.add(signals.descriptor, token: Token.signals.rawValue)
        LineListener.removeStale(at: options.controlPath)
        let listener = try LineListener(path: options.controlPath)
        try poller.add(listener.descriptor, token: Token.listener.rawValue)
        if options.isAttached { _ = try? bed.plugIn() }
        let deadline = MonotonicClock.now + options.limitSeconds * 1_000_000_000
        var program = try ChildProcess(
            options.program,
            setting: ["CARDRIG_OPERATOR=\(options.controlPath)"]
        )
        if let descriptor = program.descriptor {
            try poller.add(descriptor, token: Token.program.rawValue)
        }
        while true {
            if let status = program.poll() { return status.shellCode }
            let now = MonotonicClock.now
            if now >= deadline {
                try? StandardStream.error.write("cardrig-usb-bed: the time is up\n")
                return 124
            }
            sendPackets(until: now)
            // Without a process descriptor the program is looked at every 20 ms.
            let look = program.descriptor == nil ? now + 20_000_000 : deadline
            if let due = permission, due <= now {
                permission = nil
                bed.permit()
            }
            let next = min(deadline, look, packets.first?.due ?? deadline, permission ?? deadline)
            var ready: [UInt64] = []
            try poller.wait(untilMonotonicNanoseconds: next) {
                ready.append($0.token)
            }
            for token in ready { try serve(token, listener, poller) }
            if let signal = signals.take() { program.signal(signal) }
        }
    }

    private mutating func serve(
        _ token: UInt64,
        _ listener: LineListener,
        _ poller: Poller
    ) throws(KernelError) {
        if token == Token.listener.rawValue {
            while let stream = try listener.accept() {
                try poller.add(stream.descriptor, token: nextToken)
                connections.append((nextToken, stream))
                nextToken += 1
            }
        }
        guard let index = connections.firstIndex(where: { $0.token == token }) else { return }
        let stream = connections[index].stream
        do throws(KernelError) {
            while let line = try stream.nextLine() { try stream.send(answer(to: line)) }
            if !stream.isFinished { return }
        } catch {
            // A peer that is gone or talks nonsense loses its connection.
        }
        poller.remove(stream.descriptor)
        connections.remove(at: index)
    }

    private mutating func answer(to line: String) -> String {
        do throws(HandError) {
            switch try OperatorLine(parsing: line) {
            case .plugIn(let isSilent):
                let milliseconds = try bed.plugIn(isSilent: isSilent)
                permission = milliseconds.map { MonotonicClock.now + Int64($0) * 1_000_000 }
            case .obstruct(let isDenied, let milliseconds):
                bed.obstruct(isDenied: isDenied, milliseconds: milliseconds)
            case .unplug:
                packets = []
                permission = nil
                try bed.unplug()
            case .swipe(let card, let quality):
                try swipe(card: card, quality: quality)
            case .send(let bytes): try bed.send(bytes)
            case .refuseClaims(let count, let isMissing):
                bed.refuseClaims(count, isMissing: isMissing)
            case .pending: return "ok \(bed.pendingTransferCount)"
            case .outputs:
                return "ok " + bed.takeOutputs().map { hex($0) }.joined(separator: " ")
            case .driver: return "ok \(bed.isKernelDriverBound ? "usbhid" : "none")"
            }
            return "ok"
        } catch {
            return "error \(error.reason)"
        }
    }

    /// Draws a card through the reader; its packets leave one a millisecond, as from the real one.
    private mutating func swipe(card: String, quality: SwipeQuality) throws(HandError) {
        guard let card = TestCard.named(card) else {
            let names = TestCard.names.joined(separator: ", ")
            throw HandError(reason: "there is no such card; the cards are \(names)")
        }
        guard bed.isPluggedIn else { throw HandError(reason: "the reader is not plugged in") }
        // A swipe before the last one has left waits for it, since packets keep their order.
        let start = max(MonotonicClock.now, packets.last?.due ?? 0)
        for transmission in bed.swipe(card: card, quality: quality) {
            let due = start + transmission.offset.nanoseconds
            packets.append((due, Array(transmission.unit.payload)))
        }
    }

    private mutating func sendPackets(until now: Int64) {
        let count = packets.prefix { $0.due <= now }.count
        for packet in packets.prefix(count) { try? bed.send(packet.bytes) }
        packets.removeFirst(count)
    }
}
