import Kernel
import Reporting
import SimulatedReaders
import Testing

@testable import CardRigCLI

/// The program in processes of its own: a served reader, the run against it, and others.
@Suite("serve", .serialized)
struct ServeVerbTests {
    /// Scenarios in which the reader is plugged in, swiped, charged, left, lost and found again.
    private static let scenarios = [
        "charged", "background-and-foreground", "ten-quick-returns", "unreadable-then-good-swipe",
        "charged-inside-the-callback",
    ].map { "Scenarios/idynamo/\($0).yaml" }

    @Test(arguments: ["--tcp 127.0.0.1:0", "--pty"])
    func scenariosRunUnchangedAgainstAnotherProcess(place: String) throws {
        let served = try ServedProcess([place])
        let reader = place == "--pty" ? "serial:\(served.address)" : "tcp:\(served.address)"
        let (status, report) = try served.run(Self.scenarios, reader: reader)
        #expect(status == .exited(0), "\(report)")
        #expect(report.hasSuffix("5 scenarios on \(reader), 5 passed\n"))
        #expect(try served.end(15) == .exited(130))
    }

    @Test(arguments: ["--tcp 127.0.0.1:0", "--pty"])
    func aReaderThatIsPulledOutAndPutBackIsFoundAgain(place: String) throws {
        let served = try ServedProcess([place], control: "127.0.0.1:0")
        let file = try served.folder.write(
            "again.yaml",
            """
            scenario: Pulled out and put back
            rig: { reader: idynamo }
            steps:
              - plug in
              - await: deviceBecameReadyForSwipe
              - unplug
              - await: deviceDisconnected
              - plug in
              - await: deviceBecameReadyForSwipe
              - swipe: visa
              - await: { didSwipeCard: { card: magnesafe } }
            """
        )
        let reader = place == "--pty" ? "serial:\(served.address)" : "tcp:\(served.address)"
        let (status, report) = try served.run([file], reader: reader)
        #expect(status == .exited(0), "\(report)")
        // Where it is reached is said again, since a pty's own path may be another one.
        #expect(served.output.split(separator: "\n").count == 3)
        #expect(try served.say("quit") == "ok")
        #expect(try served.ended() == .exited(0))
    }

    @Test func programsAreServedOneAfterAnother() throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0", "--set", "reply-delay=0ms"])
        for _ in 0..<3 {
            let program = try served.connect()
            _ = try program.write(Array("0001".utf8)[...])
            // The command comes in two pieces.
            _ = try program.write(Array("00\r".utf8)[...])
            let answer = try read(program, byteCount: 27)
            #expect(answer.starts(with: Array("000B".utf8)))
        }
        let first = try served.connect()
        try served.wait { try served.say("status").contains(", client 127.0.0.1:") }
        let second = try served.connect()
        let answer = try read(second, byteCount: 1)
        #expect(answer == [])
        // The program may see the end before the reason is written.
        try served.wait { served.errors.contains(": another program has the reader") }
        _ = first.isPeerClosed
    }

    @Test func aProgramThatSendsNoMoreGetsWhatIsDueToIt() throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0", "--set", "reply-delay=200ms"])
        let script = try served.folder.write(
            "half.py",
            """
            import socket, sys
            host, port = sys.argv[1].rsplit(":", 1)
            program = socket.create_connection((host, int(port)))
            program.sendall(b"000100\\r")
            program.shutdown(socket.SHUT_WR)
            answer = b""
            while True:
                piece = program.recv(100)
                if not piece: break
                answer += piece
            sys.exit(0 if answer.startswith(b"000B") and answer.endswith(b"\\r") else 1)
            """
        )
        var program = try ChildProcess(["python3", script, served.address])
        #expect(
            try program.wait(untilMonotonicNanoseconds: ServedProcess.limit) == .exited(0)
        )
    }

    @Test(arguments: [
        ("garbage", "that are no message of this reader"),
        ("gigabyte", "that are no message of this reader"),
        ("silent", "it does not read: "),
        ("greedy", "it asks faster than the reader answers: "),
    ])
    func hostileProgramsAreLetGoWithAReason(way: String, reason: String) throws {
        let delay = way == "greedy" ? "reply-delay=10000ms" : "reply-delay=0ms"
        let served = try ServedProcess(["--tcp", "127.0.0.1:0", "--set", delay])
        let program = try served.connect()
        let unit: [UInt8] =
            switch way {
            case "garbage": Array("no command\r".utf8)
            case "gigabyte": [UInt8](repeating: UInt8(ascii: "0"), count: 1_000_000)
            default: Array("000100\r".utf8)
            }
        let piece = Array(repeatElement(unit, count: max(1, 65_536 / unit.count)).joined())[...]
        let poller = try Poller()
        try poller.add(program.descriptor, token: 0, readable: false, writable: true)
        var sent = 0
        let limit = ServedProcess.limit
        while sent < 1 << 30, MonotonicClock.now < limit {
            guard let count = try? program.write(piece) else { break }
            sent += count
            if count == 0 { try poller.wait(untilMonotonicNanoseconds: limit) { _ in } }
        }
        #expect(sent < 1 << 30)
        try served.wait { served.errors.contains(" left: ") }
        #expect(served.errors.contains(reason))
        // The server goes on: the next one is served.
        let next = try served.connect()
        try served.wait { try served.say("status").contains(", client 127.0.0.1:") }
        #expect(try served.say("swipe visa") == "ok")
        let answer = try read(next, byteCount: 500)
        #expect(answer.count >= 500)
        #expect(residentByteCount(of: served.processID) < 200 << 20)
    }

    @Test func aProgramThatNeverReadsItsPtyIsLetGo() throws {
        let served = try ServedProcess(["--pty", "--set", "block-interval=0ms"])
        let line = try ByteStream.serialLine(path: served.address, baud: 9_600)
        try served.wait { try served.say("status").contains(", client /dev/pts/") }
        for _ in 0..<400 where !served.errors.contains(" left: ") {
            #expect(try served.say("swipe visa") == "ok")
        }
        try served.wait { served.errors.contains("left: it does not read: ") }
        let isClosed = line.isPeerClosed
        #expect(isClosed)
        let next = try ByteStream.serialLine(path: served.address, baud: 9_600)
        try served.wait { try served.say("status").contains(", client /dev/pts/") }
        #expect(try served.say("swipe visa") == "ok")
        let answer = try read(next, byteCount: 500)
        #expect(answer.count >= 500)
    }

    @Test func aHostileHandLosesItsConnectionOnly() throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"])
        let place = try #require(ControlPlace(parsing: served.control))
        let long = try LineStream(connectingTo: place)
        try? long.send(String(repeating: "x", count: 100_000))
        #expect(try long.nextLine(untilMonotonicNanoseconds: ServedProcess.limit) == nil)
        let silent = try LineStream(connectingTo: place)
        var count = 0
        while count < 1_000_000, (try? silent.sendAtOnce("status")) != nil { count += 1 }
        #expect(try served.say("unplug") == "ok")
        #expect(try served.say("unplug") == "ok")
        #expect(try served.say("swipe visa") == "error the reader is not plugged in")
        #expect(try served.say("plug in left") == "ok")
        #expect(try served.say("swipe nobody").hasPrefix("error there is no such card; "))
        #expect(try served.say("keys 1234").hasPrefix("error at an iDynamo hands "))
        #expect(!served.errors.contains("1234"))
    }

    @Test func theEndLeavesNothingBehind() throws {
        let served = try ServedProcess(["--pty"])
        #expect(Paths.kind(of: served.address) == .other)
        #expect(try served.end(2) == .exited(130))
        #expect(Paths.kind(of: served.address) == nil)
        #expect(Paths.kind(of: served.control) == nil)
    }

    @Test func aMiuraGreetsAnswersAndLeavesWhenItIsSwitchedOff() throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"], reader: "miura")
        let program = try served.connect()
        // E6 with C3 = 01: it is on.
        let greeting = try read(program, byteCount: 24)
        #expect(greeting.prefix(8) == [0x01, 0x40, 0x13, 0xE6, 0x0F, 0xC3, 0x01, 0x01])
        // RESET DEVICE, in two pieces; the answer begins with the serial number (9F1E).
        _ = try program.write([0x01, 0x00, 0x05, 0xD0][...])
        _ = try program.write([0x00, 0x00, 0x00, 0x00, 0xD4][...])
        let answer = try read(program, byteCount: 8)
        #expect(answer.prefix(2) == [0x01, 0x00])
        #expect(answer.dropFirst(5).prefix(2) == [0x9F, 0x1E])
        for line in [
            "plug in left", "insert emv-visa-pin left", "keys 12345 enter left", "remove card",
            "switch off",
        ] {
            let answer = try served.say(line)
            #expect(answer == "ok", "\(line)")
        }
        try served.wait { served.errors.contains("left: the reader ended the link") }
        #expect(try served.say("status") == "ok unplugged, no client")
        #expect(try served.say("switch on") == "ok")
        let again = try served.connect()
        let second = try read(again, byteCount: 24)
        #expect(second == greeting)
        #expect(!(served.errors + served.output).contains("12345"))
    }

    @Test func aWordThatNobodyKnowsIsNoReadersName() throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"], reader: "miura")
        for line in [
            "swipe visa foo", "swipe visa good extra", "swipe visa good good", "insert visa foo",
            "tap visa foo", "remove card foo", "keys 12 foo", "switch off now", "reboot now",
            "battery 50 percent", "insert emv-visa-pin miura miura", "plug out", "keys",
            "keys 1234 pause", "keys 1234 enter pause 0", "keys 12 pause 60001",
            "keys 12 pause 5 enter", "keys pause 5",
        ] {
            #expect(try served.say(line).hasPrefix("error "), "\(line)")
        }
        let answer = try served.say("swipe visa foo")
        #expect(answer.contains("good, partial, reversed, too fast or unreadable"))
        #expect(answer.hasSuffix(", which is miura"))
        for line in [
            "swipe visa miura", "swipe visa too fast miura", "unplug left", "plug in left",
            "swipe visa good left", "remove card left", "remove card miura", "remove card",
            "keys 1234 enter pause 10 miura", "keys 1 pause 5",
        ] {
            #expect(try served.say(line) == "ok", "\(line)")
        }
    }

    @Test func standardInputPlaysTheHandToo() throws {
        let folder = TemporaryFolder()
        let steps = try folder.write("steps", "# a comment\nswipe visa\njump\nquit\n")
        let output = folder.path + "/output"
        var child = try ChildProcess([
            "sh", "-c",
            "exec \(InterruptionTests.program) serve idynamo --tcp 127.0.0.1:0 "
                + "< \(steps) > \(output)",
        ])
        #expect(try child.wait(untilMonotonicNanoseconds: ServedProcess.limit) == .exited(0))
        let bytes = try FileBytes.read(path: output, limit: 65_536)
        FileBytes.remove(path: output)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
        #expect(lines.count == 3)
        #expect(lines.first == "ok")
        #expect(lines.last == "ok")
    }

    @Test(arguments: ServedReaderKind.allCases)
    func theDescriptionNamesAnOptionThatThereIs(kind: ServedReaderKind) throws {
        let reader = kind.make()
        let names = reader.options.map(\.name)
        var described: [String] = []
        for behaviour in reader.behaviours {
            #expect(!behaviour.source.isEmpty)
            guard case .assumed(let option?) = behaviour.basis else { continue }
            #expect(names.contains(option))
            described.append(option)
        }
        #expect(Set(described).isSubset(of: names))
        // What is not assumed is an option because readers are made so.
        let sources = reader.behaviours.map(\.source).joined()
        for name in names where !described.contains(name) {
            #expect(sources.contains("option \(name)"))
        }
        for option in reader.options {
            var changed = kind.make()
            // What holds is a value that can be set, and nonsense is not.
            let isValue = changed.set(option.name, to: option.value)
            let isNonsense = changed.set(option.name, to: "nonsense")
            #expect(isValue && !isNonsense)
        }
    }

    @Test(arguments: [
        ([], "serve wants a reader: idynamo, dynamag, securemag, miura"),
        (
            ["nobody", "--pty"],
            "there is no reader 'nobody' to serve; there is idynamo, dynamag, securemag, miura"
        ),
        (["idynam", "--pty"], "did you mean 'idynamo'?"),
        (["idynamo"], "say where, with --tcp HOST:PORT or --pty"),
        (["idynamo", "--pty", "--tcp", "127.0.0.1:1"], "a reader is at one place"),
        (["idynamo", "--tcp", "6543"], "HOST:PORT of this machine"),
        (["idynamo", "--pty", "--control", "8.8.8.8:1"], "127.0.0.1:PORT"),
        (["idynamo", "--pty", "--control", "socket"], "with a slash in it"),
        (["idynamo", "--pty", "--set", "terminatr=absent"], "did you mean 'terminator'?"),
        (
            ["idynamo", "--pty", "--set", "terminator=gone"],
            "before-padding, after-padding, absent"
        ),
        (["idynamo", "--json", "--pty"], "--json goes with --describe"),
    ])
    func aWrongCommandLineNamesWhatWouldBeRight(arguments: [String], expected: String) {
        let streams = Streams.captured()
        #expect(CardRigCommand.run(["serve"] + arguments, streams: streams) == .wrong)
        #expect(String(decoding: streams.error, as: UTF8.self).contains(expected))
    }

    private func residentByteCount(of processID: Int32) -> Int {
        let bytes = try? FileBytes.read(path: "/proc/\(processID)/statm", limit: 4_096)
        let words = String(decoding: bytes ?? [], as: UTF8.self).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * 4_096 : 0
    }
}
