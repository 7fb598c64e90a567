import CardCrypto
import EventLoops
import Journal
import Laws
import Rig
import ScenarioLanguage
import ScenarioRunner

/// Writing records, and what laws and expectations take to follow them.
func measureRecords(_ measurement: Measurement, _ prepared: PreparedScenario) {
    measurement.nanoseconds("journal") { repetitions in
        var journal = Journal()
        for count in 0..<repetitions {
            journal.begin(.requestReceived, at: VirtualInstant(nanoseconds: Int64(count)))
            journal.add(.number, .integer(Int64(count)))
            journal.add(.kind, .symbol(.sale))
            journal.end()
        }
        blackHole(journal)
    }
    let options = RigOptions()
    let configuration = RigConfiguration(prepared.scenario.rig, options: options)
    let result = play(prepared, on: Rig(configuration, cache: CryptoCache()))
    guard result.hasPassed else { stop("the scenario does not pass") }
    let journal = result.journal
    let checks = prepared.scenario.steps.compactMap(\.check)
    let readerNames = prepared.scenario.rig.readers.map(\.name)
    measurement.perSecond("laws", "records", thingsPerRepetition: journal.count) { repetitions in
        for _ in 0..<repetitions {
            var laws = LawBook(lawsOff: [], readerCount: readerNames.count)
            var expectations = Expectations(readerNames: readerNames)
            var next = 0
            for sequence in 0..<journal.count {
                guard let record = journal.record(sequence) else { break }
                if case .satisfied = expectations.status, next < checks.count {
                    expectations.begin(checks[next], in: journal)
                    next += 1
                }
                laws.observe(record, in: journal)
                expectations.observe(record, in: journal)
            }
            laws.finish(in: journal)
            blackHole(laws.violations)
        }
    }
}

extension Step {
    /// The check that a step waits for.
    fileprivate var check: Check? {
        switch action {
        case .expect(let patterns, _, _): .expect(patterns)
        case .await(let pattern, _, _): .await(pattern)
        case .expectAny(let branches, _, _): .expectAny(branches)
        case .unordered(let patterns, _, _): .unordered(patterns)
        case .until(let pattern, _, _): .until(pattern)
        // Every other step acts or opens a block.
        default: nil
        }
    }
}
