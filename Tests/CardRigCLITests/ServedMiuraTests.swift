import Kernel
import Reporting
import Testing

@testable import CardRigCLI

/// Card payments that are played unchanged on loopback in virtual time, and against a simulated
/// Miura in another process, over TCP and on a pty, by the clock on the wall.
@Suite("serve miura")
struct ServedMiuraTests {
    /// Scenarios that are over within seconds: chip, signature, stripe and tap, what the cardholder
    /// and the app may do meanwhile, and what becomes of the money.
    private static let scenarios =
        [
            "chip-and-pin",
            "chip-and-signature",
            "chip-without-verification",
            "chip-declines-by-itself",
            "enciphered-pin",
            "blocked-application",
            "chip-card-swiped-then-tapped",
            "cancel-key-while-the-chip-is-read",
            "card-removed-while-it-is-read",
            "cancel-key-idle",
            "swiped-before-it-was-asked-for",
            "switched-off-while-a-card-is-awaited",
            "lost-before-it-is-used",
            "lost-after-the-payment",
        ].map { "Scenarios/miura/\($0).yaml" }
        + [
            "declined",
            "signature-accepted",
            "signature-cancelled",
            "signature-does-not-match",
            "second-authorize",
            "cancelled-too-late",
            "cancelled-while-signing",
            "captured-in-part",
            "refunded",
            "authorised-captured-refunded",
            "refunded-beyond",
            "authorisation-cancelled",
        ].map { "Scenarios/agentcash/\($0).yaml" }
    /// How many readers are served at once.
    private static let waveCount = 6

    @Test func theyMayRunOnLoopbackSerialLineAndNetwork() {
        let streams = Streams.captured()
        #expect(CardRigCommand.run(["list"] + Self.scenarios, streams: streams) == .held)
        let count = Self.scenarios.count
        #expect(count == 26)
        let counts =
            "\n\(count) scenarios: \(count) at level sim, 0 at level usb, "
            + "\(count) at level serial, \(count) at level tcp, "
        #expect(String(decoding: streams.output, as: UTF8.self).contains(counts))
    }

    @Test func theyPassOnLoopback() {
        let streams = Streams.captured()
        #expect(CardRigCommand.run(["run"] + Self.scenarios, streams: streams) == .held)
        let report = String(decoding: streams.output, as: UTF8.self)
        let count = Self.scenarios.count
        #expect(report.hasSuffix("\(count) scenarios on sim:, \(count) passed\n"))
    }

    /// Each has a reader of its own, since a card that one leaves in the slot is there for the next.
    @Test(arguments: ["--tcp 127.0.0.1:0", "--pty"])
    func theyPassAgainstAnotherProcess(place: String) throws {
        var rest = Self.scenarios[...]
        var passedCount = 0
        while !rest.isEmpty {
            let wave = try rest.prefix(Self.waveCount).map { file in
                (file: file, served: try ServedProcess([place], reader: "miura"))
            }
            rest = rest.dropFirst(Self.waveCount)
            for (file, served) in wave {
                let kind = place == "--pty" ? "serial" : "tcp"
                try served.begin([file], reader: "\(kind):\(served.address)")
            }
            for (_, served) in wave {
                let (status, report) = try served.finish()
                #expect(status == .exited(0), "\(report)")
                if report.hasSuffix(", 1 passed\n") { passedCount += 1 }
                #expect(try served.end(15) == .exited(130))
            }
        }
        #expect(passedCount == Self.scenarios.count)
    }

    /// Nothing that is no command keeps a program in, whatever the reader answers to it.
    @Test(
        arguments: [
            [0xFF], [0x00], [0x01, 0x00, 0x04, 0xD0, 0x00, 0x00, 0x00, 0x00],
            [0x01, 0x00, 0x05, 0xD0, 0x00, 0x00, 0x00, 0x00, 0xAA],
        ] as [[UInt8]]
    )
    func aProgramThatSendsNoCommandIsLetGo(unit: [UInt8]) throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"], reader: "miura")
        let program = try served.connect()
        let piece = Array(repeatElement(unit, count: 4_096 / unit.count).joined())[...]
        let poller = try Poller()
        try poller.add(program.descriptor, token: 0, readable: true, writable: true)
        var sent = 0
        let limit = ServedProcess.limit
        while sent < 16 << 20, MonotonicClock.now < limit {
            // What it answers is read, so that it is not let go for that.
            _ = program.read(upTo: 65_536)
            guard let count = try? program.write(piece) else { break }
            sent += count
            if count == 0 { try poller.wait(untilMonotonicNanoseconds: limit) { _ in } }
        }
        try served.wait { served.errors.contains(" left: ") }
        #expect(served.errors.contains("that are no message of this reader"))
        #expect(sent < 16 << 20)
    }
}
