import Kernel
import Reporting
import Testing

@testable import CardRigCLI

/// What `--bench` makes of a desk: another plastic, another key, ports that can be switched.
@Suite("run --bench", .serialized)
struct BenchTests {
    private let folder = TemporaryFolder()

    private func bench(_ reader: String, _ rest: String = "") throws -> String {
        try folder.write("bench.yaml", "readers:\n  desk: { \(reader) }\n\(rest)")
    }

    private func run(_ arguments: [String]) -> (code: ExitCode, output: String, errors: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(["run"] + arguments, streams: streams)
        return (
            code, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    private static let scenario = "Scenarios/idynamo/any-card-on-the-desk.yaml"

    /// A Discover card lies under the name of Visa, and the reader has a key of its own.
    private static let foreign = """
        cards:
          visa: { masked: "6011000070000009", expires: "1225", holder: "TEST CARD" }

        """

    /// Runs the program through the real libusb at a Dynamag with a foreign card and key.
    private func runOnTheBed(
        _ bench: String,
        environment: [String] = []
    ) throws -> (status: Kernel.ExitStatus, report: String) {
        let bed = String(InterruptionTests.program.dropLast(7)) + "cardrig-usb-bed"
        let key = "A1B2C3D4E5F60718293A4B5C6D7E8F90"
        let command =
            "exec \(bed) --limit 60 --control \(folder.path)/hand --key BED_KEY --plastic discover"
            + " -- \(InterruptionTests.program) run \(Self.scenario) --bench \(bench)"
            + " > \(folder.path)/report 2>&1"
        var child = try ChildProcess(
            ["sh", "-c", command],
            setting: ["BED_KEY=\(key)"] + environment.map { $0 == "KEY" ? "DESK_KEY=\(key)" : $0 }
        )
        let status = try child.wait(untilMonotonicNanoseconds: ServedProcess.limit + 60_000_000_000)
        let bytes = try FileBytes.read(path: folder.path + "/report", limit: 1 << 20)
        return (status, String(decoding: bytes, as: UTF8.self))
    }

    private static let dynamag = "kind: dynamag, address: \"usb:0801:0011\""

    @Test func theSameFilePassesSimulated() {
        let (code, output, _) = run([Self.scenario])
        #expect(code == .held && output.contains("1 passed"))
    }

    @Test func theSameFilePassesWithAnotherPlasticAndAKeyThatNobodyHere() throws {
        let bench = try bench(Self.dynamag, Self.foreign + "keys: { undecryptable: accept }")
        let (status, report) = try runOnTheBed(bench)
        if status == .exited(77) { try Test.cancel("umockdev is not installed") }
        #expect(status == .exited(0), "\(report)")
        #expect(report.contains("1 passed"))
    }

    @Test func theGatewayOpensSwipesWithTheKeyOfTheEnvironment() throws {
        let bench = try bench(Self.dynamag, Self.foreign + "keys: { baseDerivationKey: DESK_KEY }")
        let (status, report) = try runOnTheBed(bench, environment: ["KEY"])
        if status == .exited(77) { try Test.cancel("umockdev is not installed") }
        #expect(status == .exited(0), "\(report)")
        let wrong = "DESK_KEY=0123456789ABCDEFFEDCBA9876543210"
        let (refused, text) = try runOnTheBed(bench, environment: [wrong])
        #expect(refused == .exited(1), "another key opens nothing: \(text)")
        #expect(text.contains("gatewayAnswered") && !text.contains("FEDCBA"))
    }

    @Test func aKeyThatIsNotInTheEnvironmentIsNamedWithItsPlaceInTheBench() throws {
        let bench = try bench(
            "kind: idynamo, address: \"tcp:127.0.0.1:1\"",
            Self.foreign + "keys: { baseDerivationKey: CARDRIG_NO_SUCH_KEY }"
        )
        let (code, _, errors) = run([Self.scenario, "--bench", bench])
        #expect(code == .lost)
        #expect(errors.contains("bench.yaml:5:28: CARDRIG_NO_SUCH_KEY is not set"))
    }

    @Test func anotherCardThanTheBenchSaysFailsTheScenario() throws {
        let cards = "cards: { visa: { masked: \"4111000010001111\", expires: \"1225\" } }\n"
        let (status, report) = try runOnTheBed(try bench(Self.dynamag, cards))
        if status == .exited(77) { try Test.cancel("umockdev is not installed") }
        #expect(status == .exited(1))
        #expect(report.contains("4111000010001111") && report.contains("6011000070000009"))
    }

    @Test func whatTheDeskDoesNotHaveIsRefusedBeforeAnythingStarts() throws {
        let iDynamo = "kind: idynamo, address: \"tcp:127.0.0.1:1\""
        let noCard = run([Self.scenario, "--bench", try bench(iDynamo)])
        #expect(noCard.code == .lost, "nothing was left to run")
        #expect(noCard.output.contains("yaml:6: the bench has no card 'visa'; it has none"))
        let cards = "cards: { visa: { expires: \"1225\" } }\n"
        let noField = run([Self.scenario, "--bench", try bench(iDynamo, cards)])
        #expect(noField.output.contains("yaml:8: the bench does not say `masked` of its card"))
        let miura = "kind: miura, address: \"tcp:127.0.0.1:1\""
        let noReader = run([Self.scenario, "--bench", try bench(miura, Self.foreign)])
        #expect(noReader.output.contains("yaml:2: the reader 'desk' of the bench is a miura"))
    }

    @Test(arguments: [
        ("kind: idynamo, address: \"tpc:1\"", "bench.yaml:2:35: error: "),
        ("kind: idynamo, address: \"sim:\"", "a simulated reader lies on no desk"),
        ("kind: dynamag, address: \"tcp:a:1\"", "a dynamag is reached over USB only"),
        ("kind: miura, address: \"usb:0801:0011\"", "a miura is reached over a serial line"),
        ("kind: miura", "expected the key `address`"),
    ])
    func aBenchThatIsWrongIsExitCode2WithItsPlace(reader: String, complaint: String) throws {
        let (code, _, errors) = run([Self.scenario, "--bench", try bench(reader)])
        #expect(code == .wrong)
        #expect(errors.contains(complaint), "\(errors)")
    }

    @Test func aReaderOfTheBenchIsNamed() throws {
        let file = try folder.write(
            "two.yaml",
            """
            readers:
              left: { kind: idynamo, address: "tcp:127.0.0.1:1" }
              right: { kind: miura, address: "tcp:127.0.0.1:1" }
            """
        )
        #expect(run([Self.scenario, "--bench", file]).errors.contains("name one with --reader"))
        let wrong = run([Self.scenario, "--bench", file, "--reader", "lift"])
        #expect(wrong.code == .wrong && wrong.errors.contains("did you mean 'left'?"))
        #expect(run([Self.scenario, "--bench", folder.path]).code == .wrong)
    }

    /// `uhubctl` itself needs a hub that can switch: a stand-in of that name plays it.
    @Test func aPortThatCanBeSwitchedNeedsNoHand() throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"])
        let tools = served.folder.path + "/tools"
        let uhubctl = try served.folder.write(
            "tools/uhubctl",
            """
            #!/usr/bin/env python3
            import socket, sys
            print("Current status for hub 1-1 [stand-in]")
            open("\(served.folder.path)/log", "a").write(" ".join(sys.argv[1:]) + "\\n")
            act = {"on": "plug in", "off": "unplug"}[sys.argv[-1]]
            control = socket.socket(socket.AF_UNIX)
            control.connect("\(served.control)")
            control.sendall((act + "\\n").encode())
            sys.exit(0 if control.recv(100) == b"ok\\n" else 1)
            """
        )
        let scenario = try served.folder.write(
            "again.yaml",
            """
            scenario: Pulled out and put back, and left pulled out
            rig: { reader: idynamo }
            steps:
              - plug in
              - await: deviceBecameReadyForSwipe
              - unplug
              - await: { deviceDisconnected: {}, within: 1s }
              - plug in
              - await: deviceBecameReadyForSwipe
              - unplug
              - await: deviceDisconnected
            """
        )
        let bench = try served.folder.write(
            "bench.yaml",
            """
            readers:
              desk: { kind: idynamo, address: "tcp:\(served.address)", uhubctl: { hub: 1-1, port: 2 } }
            """
        )
        var child = try ChildProcess([
            "sh", "-c",
            "chmod +x \(uhubctl) && PATH=\(tools):$PATH exec \(InterruptionTests.program) run "
                + "\(scenario) --bench \(bench) < /dev/null > \(served.folder.path)/report",
        ])
        let status = try child.wait(untilMonotonicNanoseconds: ServedProcess.limit)
        let report = try FileBytes.read(path: served.folder.path + "/report", limit: 1 << 20)
        let text = String(decoding: report, as: UTF8.self)
        #expect(status == .exited(0), "\(text)")
        #expect(!text.contains("Current status"))
        let log = try FileBytes.read(path: served.folder.path + "/log", limit: 1 << 16)
        let off = "-l 1-1 -p 2 -a off\n"
        let on = "-l 1-1 -p 2 -a on\n"
        #expect(String(decoding: log, as: UTF8.self) == off + on + off + on, "it is left on")
        FileBytes.remove(path: served.folder.path + "/log")
    }

    @Test func aPortThatCannotBeSwitchedIsNamed() throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"])
        let bench = try served.folder.write(
            "bench.yaml",
            """
            readers:
              desk: { kind: idynamo, address: "tcp:\(served.address)", uhubctl: { hub: 9-9, port: 2 } }
            """
        )
        let scenario = try served.folder.write(
            "s.yaml",
            """
            scenario: Unplugged
            rig: { reader: idynamo }
            steps:
              - plug in
              - await: deviceBecameReadyForSwipe
              - unplug
              - await: deviceDisconnected
            """
        )
        var child = try ChildProcess([
            "sh", "-c",
            "PATH=/usr/bin:/bin exec \(InterruptionTests.program) run \(scenario) --bench \(bench)"
                + " < /dev/null > \(served.folder.path)/report 2> /dev/null",
        ])
        #expect(try child.wait(untilMonotonicNanoseconds: ServedProcess.limit) == .exited(3))
        let report = try FileBytes.read(path: served.folder.path + "/report", limit: 1 << 20)
        let text = String(decoding: report, as: UTF8.self)
        #expect(text.contains("s.yaml:6: uhubctl ended with exit code"), "\(text)")
    }
}
