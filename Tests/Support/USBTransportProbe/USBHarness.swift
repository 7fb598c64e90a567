import EventLoops
import Kernel
import LiveTransports
import TransportConformance
import Transports

/// The USB transport on the test bed, for the conformance suite.
///
/// The bed is told to use packets of 64 bytes, so that each of the suite's units is a short packet
/// and so a transfer of its own.
struct USBHarness: TransportHarness {
    static let abilities = TransportAbilities.all

    private let probe: Probe
    /// How long what is under way may take before a hand acts.
    private static let pause: Int64 = 30_000_000

    init() throws { probe = try Probe() }

    var now: VirtualInstant { .zero }

    var transport: USBTransport {
        get { probe.transport }
        set { precondition(newValue === probe.transport) }
    }

    mutating func attachReader() { hand("plug in") }

    mutating func detachReader() {
        wait()
        hand("unplug")
    }

    mutating func deliver(_ payload: [UInt8]) {
        hand("send \(hex(payload))")
        wait()
    }

    func unitForReader(_ payload: [UInt8]) -> TransportUnit {
        TransportUnit(.report(id: 0), payload[...])
    }

    mutating func takeReaderUnits() -> [[UInt8]] {
        wait()
        return hand("outputs").split(separator: " ").map { text in
            let digits = text.compactMap(\.hexDigitValue)
            return stride(from: 0, to: digits.count, by: 2).map {
                UInt8(digits[$0] * 16 + digits[$0 + 1])
            }
        }
    }

    mutating func nextEvent() -> TransportEvent? { try? probe.event(within: Probe.quiet) }

    /// A hand that cannot act, as when a reader that is gone should send, is part of the checks.
    @discardableResult
    private func hand(_ line: String) -> String { (try? probe.hand(line)) ?? "" }

    private func wait() { probe.sleep(nanoseconds: Self.pause) }
}

/// Plays one promise of the conformance suite.
func runPromise(named name: String) throws {
    guard let promise = TransportPromise(rawValue: name) else {
        throw Failure(description: "there is no such promise")
    }
    let violations = promise.violations(by: try USBHarness())
    if !violations.isEmpty {
        throw Failure(description: violations.joined(separator: "; "))
    }
}
