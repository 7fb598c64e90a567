import EventLoops
import Journal
import Laws
import ScenarioLanguage
public import ScenarioRunner

/// The first place where two runs of one scenario went different ways, which no two may.
public struct RunDifference: Hashable, Sendable {
    /// Where it is, in a few words.
    public let place: String
    /// What the first run has there; `nil` when it was over.
    public let first: String?
    /// What the second run has there; `nil` when it was over.
    public let second: String?

    /// Compares the records of two runs byte by byte, then what came of them; `nil` when all is the
    /// same.
    ///
    /// - Complexity: O(*n*) in the number of readable records.
    public init?(
        between first: RunResult,
        and second: RunResult,
        of prepared: PreparedScenario
    ) {
        if let found = Self.record(first.journal, second.journal, prepared) {
            self = found
            return
        }
        let facts: [(place: String, first: String, second: String)] = [
            ("how it ended", "\(first.end)", "\(second.end)"),
            ("what did not hold", Self.words(first.failures), Self.words(second.failures)),
            ("the gateway's ledger", Self.words(first.ledger), Self.words(second.ledger)),
            ("how long it took", first.duration.text, second.duration.text),
            ("how many events it took", "\(first.eventCount)", "\(second.eventCount)"),
        ]
        guard let fact = facts.first(where: { $0.first != $0.second }) else { return nil }
        self.init(place: fact.place, first: fact.first, second: fact.second)
    }

    private init(place: String, first: String?, second: String?) {
        self.place = place
        self.first = first
        self.second = second
    }

    private static func record(
        _ first: Journal,
        _ second: Journal,
        _ prepared: PreparedScenario
    ) -> RunDifference? {
        let json = RecordJSON(prepared)
        let text = RecordText(readerNames: prepared.scenario.rig.readers.map(\.name))
        let oldest = min(first.oldestSequence, second.oldestSequence)
        for number in oldest..<max(first.count, second.count, oldest) {
            let records = [first, second].map { journal in
                journal.record(number).map { record in
                    var writer = JSONWriter()
                    json.write(record, in: journal, to: &writer)
                    return (bytes: writer.bytes, line: text.line(record, in: journal))
                }
            }
            guard records[0]?.bytes != records[1]?.bytes else { continue }
            return RunDifference(
                place: "record #\(number)",
                first: records[0]?.line,
                second: records[1]?.line
            )
        }
        return nil
    }

    private static func words(_ failures: [RunFailure]) -> String {
        failures.map { "\($0.location?.line ?? 0): \($0.explanation)" }.joined(separator: "; ")
    }

    private static func words(_ ledger: [LedgerFact]) -> String {
        ledger.map {
            "\(Vocabulary.spelling(of: $0.type)) \($0.amount) \(Vocabulary.spelling(of: $0.state))"
        }.joined(separator: ", ")
    }
}
