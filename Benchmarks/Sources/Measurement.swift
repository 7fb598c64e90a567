import Kernel

/// Runs one thing again and again and prints what it costs, one line a figure: `name value unit`.
///
/// The clock is the process's own time on the processor, as in the reference: nothing measured here
/// sleeps, and a busy machine disturbs it less than the wall clock.
struct Measurement {
    /// How long each figure is measured.
    var nanosecondsPerFigure: Int64
    /// Only figures whose name begins so are measured; empty for all.
    var prefix: String
    /// How often each thing is done, without a warm-up, for tools that count instructions.
    var repetitions: Int?

    /// Prints the nanoseconds of one repetition.
    func nanoseconds(_ name: String, _ body: (_ repetitions: Int) -> Void) {
        guard let cost = cost(name, body) else { return }
        print("\(name) \(Int(cost.rounded())) ns")
    }

    /// Prints how many repetitions fit into a second; one may stand for several things.
    func perSecond(
        _ name: String,
        _ unit: String,
        thingsPerRepetition: Int = 1,
        _ body: (_ repetitions: Int) -> Void
    ) {
        guard let cost = cost(name, body) else { return }
        print("\(name) \(Int(Double(thingsPerRepetition) * 1e9 / cost)) \(unit)/s")
    }

    /// The nanoseconds of one repetition, after a warm-up that finds how many are needed.
    private func cost(_ name: String, _ body: (Int) -> Void) -> Double? {
        guard name.hasPrefix(prefix) else { return nil }
        if let repetitions {
            let start = ProcessorClock.now
            body(repetitions)
            return Double(ProcessorClock.now - start) / Double(repetitions)
        }
        var repetitions = 1
        var elapsed: Int64 = 0
        while true {
            let start = ProcessorClock.now
            body(repetitions)
            elapsed = ProcessorClock.now - start
            if elapsed > nanosecondsPerFigure / 8 { break }
            repetitions *= 2
        }
        repetitions = max(1, Int(Int64(repetitions) * nanosecondsPerFigure / max(1, elapsed)))
        let start = ProcessorClock.now
        body(repetitions)
        return Double(ProcessorClock.now - start) / Double(repetitions)
    }
}

/// Takes results, so that nothing is optimised away.
@inline(never)
func blackHole<Value>(_ value: borrowing Value) {}
