import EventLoops
import ScenarioLanguage

/// Finds the settings of a simulated reader by which it does what a real one did.
///
/// It sets one option after the other, as long as fewer differences remain; simulated probes take no
/// time. What no option explains stays a difference.
struct ProfileSearch {
    let kind: ServedReaderKind
    let hands: Bool
    let comparison: ReaderComparison
    /// What the real reader did.
    let reader: [ProbeResult]

    /// Plays all probes at a simulated reader.
    ///
    /// - Throws: ``ProbeStop`` when the simulated hand cannot act.
    static func simulated(
        _ kind: ServedReaderKind,
        _ reader: any ServedReader,
        hands: Bool
    ) throws(ProbeStop) -> [ProbeResult] {
        var results: [ProbeResult] = []
        let line = SimulatedProbeLine(reader, isStream: kind.isStream)
        _ = try line.awaitAttach(within: .seconds(1))
        try kind.probes(on: line).run(hands) { results.append($0) }
        return results
    }

    /// Returns the settings that leave the fewest differences, and those differences.
    func run(
        from settings: [ReaderProfile.Setting]
    ) -> (settings: [ReaderProfile.Setting], remaining: [ReaderDifference]) {
        var best = settings
        var remaining = differences(best) ?? []
        var hasImproved = true
        while hasImproved, !remaining.isEmpty {
            hasImproved = false
            for option in kind.make().options {
                for value in candidates(option) {
                    var tried = best.filter { $0.name != option.name }
                    tried.append(ReaderProfile.Setting(option.name, value))
                    guard let left = differences(tried), left.count < remaining.count else {
                        continue
                    }
                    (best, remaining, hasImproved) = (tried, left, true)
                }
            }
        }
        return (best, remaining)
    }

    private func differences(_ settings: [ReaderProfile.Setting]) -> [ReaderDifference]? {
        var simulator = kind.make()
        for setting in settings {
            guard simulator.set(setting.name, to: setting.value) else { return nil }
        }
        guard let results = try? Self.simulated(kind, simulator, hands: hands) else { return nil }
        return comparison.differences(reader, results)
    }

    /// What an option can be set to: its words, or the times that were measured.
    private func candidates(_ option: ServedOption) -> [String] {
        if option.form.hasPrefix("a time") { return times.map { "\($0)ms" } }
        let words = option.form.split(separator: ",").map {
            String($0.drop { $0 == " " })
        }
        guard words.count > 1 else { return [] }
        return words.filter { $0 != option.value }
    }

    /// The delays of the reader in whole milliseconds, each once, the shortest first; and what they
    /// are a multiple of when several blocks came.
    private var times: [Int64] {
        var found: Set<Int64> = []
        for result in reader {
            for observation in result.observations {
                let milliseconds = observation.delay.nanoseconds / 1_000_000
                guard milliseconds > 0 else { continue }
                found.insert(milliseconds)
                if observation.text.contains("block") { found.insert(milliseconds / 2) }
            }
        }
        let sorted = found.sorted()
        // Those that lie close together are one.
        var chosen: [Int64] = []
        for time in sorted where time - (chosen.last ?? -100) > 5 { chosen.append(time) }
        return Array(chosen.prefix(24))
    }
}
