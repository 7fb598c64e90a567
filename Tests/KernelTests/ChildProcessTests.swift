import Glibc
import Kernel
import Testing

@Suite("Child processes, signals and threads")
struct ChildProcessTests {
    @Test func theStatusComesBack() throws {
        #expect(try ChildProcess(["sh", "-c", "exit 7"]).waited() == .exited(7))
        #expect(try ChildProcess(["sh", "-c", "kill -9 $$"]).waited() == .signalled(9))
        #expect(ExitStatus.signalled(15).shellCode == 143)
    }

    @Test func settingsReplaceVariables() throws {
        let child = try ChildProcess(
            ["sh", "-c", "test \"$HOME$NEW\" = /nowhere1"],
            setting: ["HOME=/nowhere", "NEW=1"]
        )
        #expect(try child.waited() == .exited(0))
    }

    @Test func aMissingProgramIsAnError() {
        let error = #expect(throws: KernelError.self) {
            _ = try ChildProcess(["/nowhere/program"]).waited()
        }
        #expect(error?.code == .missing)
    }

    @Test func aTimeLimitEndsTheWaitAndTheOwnerEndsTheChild() throws {
        var child = try ChildProcess(["sleep", "60"])
        let pid = child.processID
        #expect(throws: KernelError.self) {
            _ = try child.wait(untilMonotonicNanoseconds: MonotonicClock.now + 10_000_000)
        }
        #expect(child.poll() == nil)
        _ = consume child
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }

    @Test func everyIndexRunsOnce() throws {
        let mailbox = try Mailbox<Int>()
        runInParallel(count: 9) { mailbox.post($0) }
        #expect(mailbox.drain().sorted() == Array(0..<9))
        runInParallel(count: 0) { mailbox.post($0) }
        #expect(mailbox.drain().isEmpty)
    }

    @Test func workersHaveDeepStacks() {
        @Sendable func depth(_ count: Int) -> Int { count == 0 ? 0 : 1 + depth(count - 1) }
        runInParallel(count: 2) { _ in #expect(depth(30_000) == 30_000) }
    }
}
