import Kernel
import Reporting
import Synchronization

/// What a terminal shows while files are played: how many are done, failed, and how fast.
///
/// One line on standard error, rewritten at most ten times a second and gone at the end; nothing
/// for a run of less than a third of a second, and nothing where there is no terminal.
final class Progress: Sendable {
    private struct State {
        var fileCount = 0
        var playCount = 0
        var failureCount = 0
        var next: Int64
        var isShown = false
    }

    private static let firstNanoseconds: Int64 = 300_000_000
    private static let pauseNanoseconds: Int64 = 100_000_000

    private let total: Int
    private let began: Int64
    private let state: Mutex<State>

    /// Shows progress; make one only where there is a terminal.
    init(fileCount: Int) {
        total = fileCount
        began = MonotonicClock.now
        state = Mutex(State(next: began + Self.firstNanoseconds))
    }

    /// Counts a file that is done, on any thread.
    func note(_ entries: [RunReport.Entry]) {
        let now = MonotonicClock.now
        state.withLock { state in
            state.fileCount += 1
            state.playCount += entries.count
            state.failureCount += entries.count { $0.isFailure }
            guard now >= state.next else { return }
            state.next = now + Self.pauseNanoseconds
            state.isShown = true
            let line = Self.line(
                fileCount: state.fileCount,
                of: total,
                playCount: state.playCount,
                failureCount: state.failureCount,
                nanoseconds: now - began
            )
            try? StandardStream.error.write("\r\(line)\u{1B}[K")
        }
    }

    /// Takes the line away.
    func finish() {
        state.withLock { state in
            if state.isShown { try? StandardStream.error.write("\r\u{1B}[K") }
            state.isShown = false
        }
    }

    /// Returns what is shown, such as `120 of 1000 files, 2 failed, 350 scenarios/s`.
    static func line(
        fileCount: Int,
        of total: Int,
        playCount: Int,
        failureCount: Int,
        nanoseconds: Int64
    ) -> String {
        let milliseconds = max(1, Int(nanoseconds / 1_000_000))
        let failed = failureCount > 0 ? ", \(failureCount) failed" : ""
        let rate = playCount * 1_000 / milliseconds
        return "\(fileCount) of \(total) files\(failed), \(rate) scenarios/s"
    }
}
