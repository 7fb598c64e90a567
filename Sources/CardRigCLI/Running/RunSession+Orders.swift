import CardCrypto
import EventLoops
import Exploration
import Journal
import ScenarioLanguage
import ScenarioRunner

// The orders that are asked for: the one of `--schedule` or of the scenario's `choices`, and those
// of its `explore`.
extension RunSession {
    /// The one order that is asked for, or why it is none of the scenario.
    struct NamedOrder {
        /// The order; `nil` leaves it to the seed.
        var schedule: Schedule?
        /// Who asks for it, for complaints.
        var origin = "--schedule"
        /// Why it is none of the scenario.
        var complaint: String?
    }

    /// What came of a scenario.
    struct Played {
        /// The run that counts.
        var result: RunResult
        /// Its order, when the scenario's `explore` found it.
        var schedule: Schedule?
    }

    /// Returns the order that the command line or the scenario names.
    func namedOrder(of cell: LoadedScenario.Cell) -> NamedOrder {
        let scenario = cell.prepared.scenario
        var order = NamedOrder(schedule: options.schedule)
        if order.schedule == nil, options.choices == nil, let plan = scenario.choices {
            order.origin = "`choices` in line \(plan.location.line)"
            do throws(ScheduleError) {
                order.schedule = try Schedule(parsing: plan.text)
            } catch {
                order.complaint = "\(order.origin): \(error)"
            }
        }
        let own = Schedule(scenarioHash: Schedule.hash(of: scenario), deviations: [])
        if let schedule = order.schedule, schedule.scenarioHash != own.scenarioHash {
            let number = cell.number.map { "cell \($0): " } ?? ""
            order.complaint =
                "\(number)\(order.origin): it is of another scenario; those of this one "
                + "begin with \(own.text)"
        }
        return order
    }

    /// Plays the orders of a scenario's `explore` after the run's own, as long as all holds.
    ///
    /// - Returns: What came of the first that did not hold, with its order, or else of the run's own.
    func explored(
        _ own: RunResult,
        of cell: LoadedScenario.Cell,
        _ options: RigOptions,
        cache: CryptoCache
    ) -> Played {
        let scenario = cell.prepared.scenario
        guard let plan = scenario.explore, own.hasPassed, scenario.verdict == nil else {
            return Played(result: own)
        }
        let found = Search.play(
            cell.prepared,
            options: options,
            strategy: .random,
            budget: SearchBudget(runCount: plan.runCount, seed: plan.seed),
            cache: cache,
            goesOn: { $0.failedCount == 0 && !interruption.hasCome },
            isWanted: { !interruption.hasCome }
        )
        guard var result = found.firstFailure?.result else {
            var own = own
            own.explored = found.takenPlaces
            return Played(result: own)
        }
        if !result.failures.isEmpty {
            result.failures[0].explanation +=
                "; so in order \(found.runCount) of \(plan.runCount) that were to be explored"
        }
        let schedule = Schedule(
            scenarioHash: Schedule.hash(of: scenario),
            deviations: result.choices.taken.deviations
        )
        return Played(result: result, schedule: schedule)
    }
}
