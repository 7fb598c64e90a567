import Kernel
import Reporting
import Testing

@testable import CardRigCLI

/// The Miura scenarios through the real ser2net: a simulated reader on a pty in one process, ser2net
/// in another, and the run in a third.
@Suite("Miura over RFC 2217", .serialized)
struct RemoteMiuraTests {
    /// How many scenarios of the folder the level takes; the others are refused with the reason.
    @Test func theFolderSaysWhichOfItsScenariosTheLevelTakes() {
        let streams = Streams.captured()
        #expect(CardRigCommand.run(["list", "Scenarios/miura"], streams: streams) == .held)
        let text = String(decoding: streams.output, as: UTF8.self)
        let last = text.split(separator: "\n").last.map(String.init) ?? ""
        #expect(last.contains("at level serial"), "\(last)")
        let counts = last.split(separator: ",").map(String.init)
        func count(_ level: String) -> String? {
            counts.first { $0.hasSuffix(" at level \(level)") }?.split(separator: " ").first.map(
                String.init
            )
        }
        #expect(count("rfc2217") == count("serial") && count("rfc2217") == "91", "\(last)")
    }

    /// Those that are over within seconds, each with a reader and a server of its own.
    private static let scenarios = [
        "chip-and-pin", "chip-and-signature", "chip-card-swiped-then-tapped",
        "card-removed-while-it-is-read", "cancel-key-idle", "switched-off-while-a-card-is-awaited",
    ].map { "Scenarios/miura/\($0).yaml" }

    @Test(arguments: ["telnet(rfc2217),tcp", "tcp"])
    func theyPassThroughTheRealSer2net(accepter: String) throws {
        var passedCount = 0
        for file in Self.scenarios {
            let served = try ServedProcess(["--pty"], reader: "miura")
            // A port that was free a moment ago.
            let place = try #require(SocketAddress.inDigits(host: "127.0.0.1", port: 0).first)
            let port = try TCPListener(at: place).address.port
            let configuration = try served.folder.write(
                "ser2net.yaml",
                """
                %YAML 1.1
                ---
                connection: &reader
                  accepter: \(accepter),127.0.0.1,\(port)
                  connector: serialdev(nouucplock=true),\(served.address),115200n81,local

                """
            )
            let server = try ChildProcess([
                "sh", "-c", "exec ser2net -n -d -c \(configuration) 2> /dev/null",
            ])
            let scheme = accepter == "tcp" ? "tcp" : "rfc2217"
            let (status, report) = try served.run([file], reader: "\(scheme):127.0.0.1:\(port)")
            #expect(status == .exited(0), "\(report)")
            if report.hasSuffix(", 1 passed\n") { passedCount += 1 }
            #expect(try served.end(15) == .exited(130))
            _ = server.processID
        }
        #expect(passedCount == Self.scenarios.count)
    }
}
