import Kernel
import Synchronization

/// What a terminal shows while orders are played: how many, how fast, and how long it can take yet.
///
/// One line on standard error, rewritten at most ten times a second and gone at the end.
final class ExploreProgress: Sendable {
    private struct State {
        var runCount = 0
        var failedCount = 0
        var doneCount = 0
        /// How many runs the scenarios that are done took.
        var doneRunCount = 0
        var next: Int64
        var isShown = false
    }

    private static let firstNanoseconds: Int64 = 300_000_000
    private static let pauseNanoseconds: Int64 = 100_000_000

    private let scenarioCount: Int
    private let runBudget: Int
    private let timeBudget: Int64?
    private let began: Int64
    private let state: Mutex<State>

    /// Shows progress; make one only where there is a terminal.
    ///
    /// - Parameters:
    ///   - scenarioCount: How many scenarios there are.
    ///   - runBudget: The most runs of one scenario.
    ///   - timeBudget: The longest that one scenario takes, in nanoseconds.
    init(scenarioCount: Int, runBudget: Int, timeBudget: Int64?) {
        self.scenarioCount = scenarioCount
        self.runBudget = runBudget
        self.timeBudget = timeBudget
        began = MonotonicClock.now
        state = Mutex(State(next: began + Self.firstNanoseconds))
    }

    /// Counts a run, on any thread.
    func note(hasFailed: Bool, at now: Int64) {
        state.withLock { state in
            state.runCount += 1
            if hasFailed { state.failedCount += 1 }
            guard now >= state.next else { return }
            state.next = now + Self.pauseNanoseconds
            state.isShown = true
            let line = Self.line(
                runCount: state.runCount,
                failedCount: state.failedCount,
                runsLeft: runsLeft(state),
                timeLeft: timeBudget.map { $0 * Int64(scenarioCount) - (now - began) },
                nanoseconds: now - began
            )
            try? StandardStream.error.write("\r\(line)\u{1B}[K")
        }
    }

    /// Counts a scenario that is done: what it did not use of its budget is not left.
    func noteDone() {
        state.withLock { state in
            state.doneCount += 1
            state.doneRunCount = state.runCount
        }
    }

    private func runsLeft(_ state: State) -> Int {
        let (product, overflow) = runBudget.multipliedReportingOverflow(
            by: scenarioCount - state.doneCount
        )
        return overflow ? .max : product - (state.runCount - state.doneRunCount)
    }

    /// Takes the line away.
    func finish() {
        state.withLock { state in
            if state.isShown { try? StandardStream.error.write("\r\u{1B}[K") }
            state.isShown = false
        }
    }

    /// Returns what is shown, such as `1200 runs, 4000 runs/s, 2 failed, at most 5 s left`.
    static func line(
        runCount: Int,
        failedCount: Int,
        runsLeft: Int,
        timeLeft: Int64?,
        nanoseconds: Int64
    ) -> String {
        let milliseconds = max(1, Int(nanoseconds / 1_000_000))
        let rate = max(1, runCount * 1_000 / milliseconds)
        var seconds = max(0, runsLeft) / rate
        if let timeLeft { seconds = min(seconds, Int(max(0, timeLeft) / 1_000_000_000)) }
        let failed = failedCount > 0 ? ", \(failedCount) failed" : ""
        return "\(runCount) runs, \(rate) runs/s\(failed), at most \(seconds + 1) s left"
    }
}
