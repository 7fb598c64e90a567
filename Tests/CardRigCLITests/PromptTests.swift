import Kernel
import Testing

@testable import CardRigCLI

/// The program at a real terminal: a pty whose other side a Python program plays, which waits for
/// what is written and presses keys, while the reader is served by another process.
@Suite("Prompts at a terminal", .serialized)
struct PromptTests {
    private static let player = """
        import os, pty, re, select, sys, time
        keys = sys.argv[1].split(";")
        pid, fd = pty.fork()
        if pid == 0:
            os.execvp(sys.argv[2], sys.argv[2:])
        seen, at, limit = b"", 0, time.time() + 30
        while time.time() < limit:
            if keys and keys[0]:
                wanted, act = keys[0].split("=>")
                found = seen.find(wanted.encode(), at)
                if found >= 0:
                    at = found + len(wanted)
                    keys.pop(0)
                    if act.startswith("!"):
                        os.system(act[1:])
                    else:
                        os.write(fd, act.replace("\\\\n", "\\n").encode())
                    continue
            if select.select([fd], [], [], 0.05)[0]:
                try:
                    data = os.read(fd, 4096)
                except OSError:
                    break
                if not data: break
                seen += data
        else:
            os.kill(pid, 9)
        sys.stdout.write(seen.decode(errors="replace"))
        sys.stdout.flush()
        status = os.waitpid(pid, 0)[1]
        sys.exit(os.waitstatus_to_exitcode(status) if time.time() < limit else 99)
        """

    private static let scenario = """
        scenario: A swipe
        rig: { reader: idynamo }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - swipe: visa
          - expect: { didSwipeCard: { card: magnesafe }, within: 1s }
          - unplug
          - await: { deviceDisconnected: {}, within: 1s }
        """

    /// Plays the scenario at a served reader with a person who presses keys when words are shown.
    private func play(
        _ keys: [(words: String, act: String)],
        options: [String] = [],
        serving: [String] = []
    ) throws -> (status: Kernel.ExitStatus, shown: String, served: ServedProcess) {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"] + serving)
        let folder = served.folder
        let file = try folder.write("swipe.yaml", Self.scenario)
        let player = try folder.write("player.py", Self.player)
        let say = try folder.write(
            "say.py",
            """
            import socket, sys, time
            time.sleep(float(sys.argv.pop(1)))
            control = socket.socket(socket.AF_UNIX)
            control.connect("\(served.control)")
            control.sendall((" ".join(sys.argv[1:]) + "\\n").encode())
            assert control.recv(100) == b"ok\\n"
            """
        )
        let script = keys.map { key in
            let act =
                key.act.hasPrefix("!") ? "!python3 \(say) \(key.act.dropFirst())" : key.act
            return "\(key.words)=>\(act)"
        }
        var child = try ChildProcess(
            [
                "sh", "-c", "exec python3 \"$@\" > \(folder.path)/report", "sh", player,
                script.joined(separator: ";"), InterruptionTests.program, "run", file, "--reader",
                "tcp:\(served.address)",
            ] + options
        )
        let limit = MonotonicClock.now + 40_000_000_000
        let status = try child.wait(untilMonotonicNanoseconds: limit)
        let shown = try FileBytes.read(path: folder.path + "/report", limit: 1 << 20)
        return (status, String(decoding: shown, as: UTF8.self), served)
    }

    @Test func aPersonNeedsNoKeyWhereTheReaderShowsWhatWasDone() throws {
        let (status, shown, _) = try play([
            (">> swipe: visa", "!0 swipe visa"), (">> unplug", "!0 unplug"),
        ])
        #expect(status == .exited(0), "\(shown)")
        #expect(shown.contains("1 passed"))
        #expect(shown.contains("\u{07}"), "the bell")
        #expect(!shown.contains(">> plug in"), "the reader was there")
        #expect(shown.contains("[Enter: done, r: ask again, s: skip the scenario, a: give up]"))
    }

    @Test func aPersonWhoGivesUpEndsTheRunWithExitCode3AndTheLine() throws {
        let (status, shown, _) = try play([(">> swipe: visa", "a")])
        #expect(status == .exited(3), "\(shown)")
        #expect(shown.contains("swipe.yaml:6: the person at the desk gave up at 'swipe: visa'"))
    }

    @Test func aPersonWhoSkipsLeavesASkipAndNoPass() throws {
        let (status, shown, _) = try play([(">> swipe: visa", "s")])
        #expect(status == .exited(3), "nothing was left to run: \(shown)")
        #expect(shown.contains("swipe.yaml:6: skipped by the person at the desk"))
        #expect(shown.contains("0 passed") && shown.contains("1 refused"))
    }

    @Test func aPersonWhoAsksAgainHasTheWholeTimeAgain() throws {
        let (status, shown, _) = try play(
            [(" 1 s ", "r"), ("\u{07}", "!0 swipe visa"), (">> unplug", "!0 unplug")],
            options: ["--hand-timeout", "2s"]
        )
        #expect(status == .exited(0), "\(shown)")
    }

    @Test func aPersonWhoDoesNothingLosesTheRigAfterTheHandTimeout() throws {
        let (status, shown, _) = try play([], options: ["--hand-timeout", "1s"])
        #expect(status == .exited(3), "\(shown)")
        #expect(shown.contains("swipe.yaml:6: the hand did not act within 1 s"))
    }

    @Test func aColdStartAsksToUnplugAndThenToPlugIn() throws {
        let (status, shown, _) = try play(
            [
                (">> unplug (--cold", "!0 unplug"), (">> plug in", "!0 plug in"),
                (">> swipe: visa", "!0 swipe visa"), (">> unplug", "!0 unplug"),
            ],
            options: ["--cold"]
        )
        #expect(status == .exited(0), "\(shown)")
        #expect(shown.contains("1 passed"))
    }

    @Test func aTimeLimitBeginsWithTheReadersFirstByte() throws {
        // The first block comes half a second after Enter and the last one 0.7 s after that: within
        // a second of the first byte, and not of Enter.
        let (status, shown, _) = try play(
            [
                (">> swipe: visa", "\\n"), ("skip the", "!0.5 swipe visa"),
                (">> unplug", "!0 unplug"),
            ],
            serving: ["--set", "block-interval=700ms"]
        )
        #expect(status == .exited(0), "\(shown)")
        let (late, report, _) = try play([(">> swipe: visa", "\\n")])
        #expect(late == .exited(1), "nothing came within a second of Enter: \(report)")
    }

    @Test func withoutATerminalAPromptIsExitCode3AtOnceAndNamesTheStepWithItsLine() throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"])
        let file = try served.folder.write("swipe.yaml", Self.scenario)
        var child = try ChildProcess([
            "sh", "-c",
            "exec \(InterruptionTests.program) run \(file) --reader tcp:\(served.address) "
                + "< /dev/null > \(served.folder.path)/report",
        ])
        let began = MonotonicClock.now
        #expect(try child.wait(untilMonotonicNanoseconds: ServedProcess.limit) == .exited(3))
        #expect(MonotonicClock.now - began < 5_000_000_000)
        let report = try FileBytes.read(path: served.folder.path + "/report", limit: 1 << 20)
        let text = String(decoding: report, as: UTF8.self)
        #expect(text.contains("swipe.yaml:6: the step 'swipe: visa' needs a hand at idynamo"))
    }

    @Test func aProgramPlaysTheHands() throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"])
        let file = try served.folder.write("swipe.yaml", Self.scenario)
        let arm = try served.folder.write(
            "arm.py",
            """
            #!/usr/bin/env python3
            import socket, sys
            control = socket.socket(socket.AF_UNIX)
            control.connect("\(served.control)")
            control.sendall((" ".join(sys.argv[1:]) + "\\n").encode())
            sys.exit(0 if control.recv(100) == b"ok\\n" else 1)
            """
        )
        var child = try ChildProcess([
            "sh", "-c",
            "chmod +x \(arm) && exec \(InterruptionTests.program) run \(file) --reader "
                + "tcp:\(served.address) --assume-operator \(arm) > \(served.folder.path)/report",
        ])
        #expect(try child.wait(untilMonotonicNanoseconds: ServedProcess.limit) == .exited(0))
    }

    @Test func aProgramThatFailsIsNamedWithTheStep() throws {
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"])
        let file = try served.folder.write("swipe.yaml", Self.scenario)
        var child = try ChildProcess([
            "sh", "-c",
            "exec \(InterruptionTests.program) run \(file) --reader tcp:\(served.address) "
                + "--assume-operator false > \(served.folder.path)/report",
        ])
        #expect(try child.wait(untilMonotonicNanoseconds: ServedProcess.limit) == .exited(3))
        let report = try FileBytes.read(path: served.folder.path + "/report", limit: 1 << 20)
        #expect(
            String(decoding: report, as: UTF8.self).contains(
                "swipe.yaml:6: the operator's program false ended with exit code 1 at "
                    + "'swipe: visa'"
            )
        )
    }
}
