import EventLoops
import Kernel
import LiveTransports
import Transports

/// Why a probe failed, for the log of the test that runs it.
struct Failure: Error, CustomStringConvertible { var description: String }

/// A USB transport on the test bed, with the hand that acts on the bed.
struct Probe {
    /// How long an event that must come may take: far more than needed, on a loaded machine.
    static let patience: Int64 = 6_000_000_000
    /// How long a probe listens for events that must not come: two rounds of polling.
    static let quiet: Int64 = 600_000_000

    let transport: USBTransport
    private let hand: LineStream
    private let poller: Poller

    init() throws {
        transport = try USBTransport(
            try USBSelector(parsing: "usb:0801:0011"),
            watch: CommandLine.arguments[3] == "hotplug" ? .hotplug : .polling
        )
        guard let path = ProcessEnvironment.value(of: "CARDRIG_OPERATOR") else {
            throw Failure(description: "run this under cardrig-usb-bed")
        }
        hand = try LineStream(connectingTo: path)
        poller = try Poller()
        try poller.add(transport.wakeDescriptor, token: 0)
    }

    /// Tells the hand to act and returns what it answers after `ok`.
    @discardableResult
    func hand(_ line: String) throws -> String {
        try hand.send(line)
        let deadline = MonotonicClock.now + Self.patience
        guard let answer = try hand.nextLine(untilMonotonicNanoseconds: deadline),
            answer.hasPrefix("ok")
        else { throw Failure(description: "the hand refused: \(line)") }
        return String(answer.dropFirst(3))
    }

    /// Returns the next event, or `nil` when none comes in the time.
    func event(within nanoseconds: Int64 = patience) throws -> TransportEvent? {
        let deadline = MonotonicClock.now + nanoseconds
        while true {
            if let event = transport.nextEvent(at: .zero) { return event }
            if MonotonicClock.now >= deadline { return nil }
            try poller.wait(untilMonotonicNanoseconds: deadline) { _ in }
        }
    }

    func expect(_ wanted: TransportEvent) throws {
        let found = try event()
        guard found == wanted else {
            throw Failure(description: "expected \(wanted), found \(String(describing: found))")
        }
    }

    func expectNothing() throws {
        if let event = try event(within: Self.quiet) {
            throw Failure(description: "expected nothing, found \(event)")
        }
    }

    func expectAttached() throws { try expect(.attached(.reader)) }

    func expectReport(_ bytes: [UInt8]) throws {
        try expect(.received(TransportUnit(.report(id: 0), bytes[...])))
    }

    func sleep(nanoseconds: Int64) {
        let pause = try? Poller()
        _ = try? pause?.wait(untilMonotonicNanoseconds: MonotonicClock.now + nanoseconds) { _ in }
    }

    /// Waits until the bed answers a question as wanted.
    func await(_ question: String, answers wanted: String) throws {
        let deadline = MonotonicClock.now + Self.patience
        while try hand(question) != wanted {
            guard MonotonicClock.now < deadline else {
                throw Failure(description: "\(question) never answered \(wanted)")
            }
            try poller.wait(untilMonotonicNanoseconds: MonotonicClock.now + 5_000_000) { _ in }
        }
    }
}

extension Attachment {
    /// The reader that the bed invents, with packets of the size it was told.
    static let reader = Attachment(
        maximumPacketByteCount: Int(CommandLine.arguments[2]) ?? 8,
        vendorID: 0x0801,
        productID: 0x0011
    )
}

/// A report of the published size whose bytes differ by place and by number.
func report(number: Int, byteCount: Int = 887) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
