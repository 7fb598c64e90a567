import Kernel
import Reporting
import Testing

@testable import CardRigCLI

/// Readers that vanish, say nothing, or answer another command: each ends in a named error within its
/// time limit, and the next scenario finds the reader again.
@Suite("A reader that is lost", .serialized)
struct LostReaderTests {
    private static let scenario = """
        scenario: A reader is there
        rig: { reader: idynamo }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
        """

    /// A proxy in front of a served reader whose first connections are spoilt. It lets nobody through
    /// to the reader, which takes one program at a time, before it has hung up for the one before.
    private static let proxy = """
        import socket, sys, threading
        way, spoilt, host, port, out = sys.argv[1], int(sys.argv[2]), *sys.argv[3].rsplit(":", 1), sys.argv[4]
        server = socket.create_server(("127.0.0.1", 0))
        open(out, "w").write("127.0.0.1:%d\\n" % server.getsockname()[1])
        def pump(one, other):
            try:
                while data := one.recv(4096): other.sendall(data)
            except OSError: pass
            for end in (one, other):
                try: end.shutdown(socket.SHUT_RDWR)
                except OSError: pass
        pumps = []
        while True:
            client, _ = server.accept()
            if spoilt > 0:
                spoilt -= 1
                if way == "silent":
                    threading.Thread(target=lambda c=client: c.recv(4096) and c.recv(4096)).start()
                elif way == "gone":
                    threading.Thread(target=lambda c=client: (c.recv(4096), c.close())).start()
                else:
                    threading.Thread(
                        target=lambda c=client: [c.sendall(b"000102\\r") for _ in iter(lambda: c.recv(4096), b"")]
                    ).start()
                continue
            for pumping in pumps: pumping.join()
            reader = socket.create_connection((host, int(port)))
            pumps = [threading.Thread(target=pump, args=ends) for ends in ((client, reader), (reader, client))]
            for pumping in pumps: pumping.start()
        """

    private func run(
        _ way: String,
        spoilt: Int,
        scenarioCount: Int
    ) throws -> (status: Kernel.ExitStatus, report: String, seconds: Int64) {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"])
        let folder = served.folder
        let proxy = try folder.write("proxy.py", Self.proxy)
        let out = folder.path + "/place"
        let process = try ChildProcess(["python3", proxy, way, "\(spoilt)", served.address, out])
        var place = ""
        try served.wait {
            let bytes = (try? FileBytes.read(path: out, limit: 100)) ?? []
            guard bytes.last == 0x0A else { return false }
            place = String(decoding: bytes.dropLast(), as: UTF8.self)
            return true
        }
        var files: [String] = []
        for number in 1...scenarioCount {
            files.append(try folder.write("s\(number).yaml", Self.scenario))
        }
        let began = MonotonicClock.now
        let (status, report) = try served.run(files, reader: "tcp:\(place)")
        _ = process.processID
        FileBytes.remove(path: out)
        return (status, report, (MonotonicClock.now - began) / 1_000_000_000)
    }

    @Test(arguments: [
        ("silent", "asked who it is, the idynamo gave no answer"),
        ("gone", "asked who it is, the idynamo gave no answer, since it went away"),
        ("wrong", "an answer to another command"),
    ])
    func itIsNamedAndTheNextScenarioFindsItAgain(way: String, reason: String) throws {
        let (status, report, seconds) = try run(way, spoilt: 1, scenarioCount: 3)
        #expect(status == .exited(3), "\(report)")
        #expect(report.contains("2 passed, 1 lost"), "\(report)")
        #expect(report.contains(reason), "\(report)")
        #expect(report.contains("reader: software 21042875A01, serial B000795"), "\(report)")
        // Two seconds of silence are waited for; the rest is a machine that does other things.
        #expect(seconds < 60)
    }

    @Test func twoLossesInARowEndTheRun() throws {
        let (status, report, _) = try run("silent", spoilt: 9, scenarioCount: 4)
        #expect(status == .exited(3))
        #expect(report.contains("0 passed, 2 lost, 2 not run"), "\(report)")
    }

    /// One with power of its own is not plugged in by the scenario: it is there, or it is lost.
    @Test(arguments: ["tcp:127.0.0.1:1", "serial:/dev/nope"])
    func aPaymentReaderThatIsNotThereIsLostAtOnce(place: String) throws {
        let streams = Streams.captured()
        let began = MonotonicClock.now
        let words = [
            "run", "Scenarios/miura/chip-and-pin.yaml", "--reader", place, "--assume-operator",
            "true",
        ]
        #expect(CardRigCommand.run(words, streams: streams) == .lost)
        #expect(MonotonicClock.now - began < 30_000_000_000)
        let report = String(decoding: streams.output, as: UTF8.self)
        #expect(report.hasPrefix("LOST ") && report.contains("switch"))
        #expect(report.contains(String(place.drop { $0 != ":" }.dropFirst())))
    }
}
