import Exploration
import Journal
import ScenarioLanguage
import ScenarioRunner

// What never happened in the runs of an exploration, and how many orders there may be.
extension ExplorationReport {
    /// The lines of fault points, where the scenario names some, and of transitions.
    var coverageLines: String {
        let coverage = found.coverage
        var text = ""
        let named = SearchCoverage.namedFaults(of: prepared)
        if !named.isEmpty {
            let missing = coverage.missingFaults(of: prepared)
            text += "  faults     \(named.count - missing.count) of \(named.count) fired"
            if !missing.isEmpty {
                text += ", never: " + missing.map(\.rawValue).joined(separator: ", ")
            }
            text += "\n"
        }
        let rig = prepared.scenario.rig
        for (index, reader) in rig.readers.enumerated() {
            let possible = SDKTransition.possible(for: reader, in: rig)
            if possible.isEmpty { continue }
            let missing = coverage.missingTransitions(of: index, in: rig)
            text +=
                "  states     \(reader.name): \(possible.count - missing.count) of "
                + "\(possible.count) transitions seen" + (missing.isEmpty ? "\n" : ", never:\n")
            for news in ReaderNews.allCases {
                let next = missing.filter { $0.from == news }.map(\.to.words)
                guard !next.isEmpty else { continue }
                text += "    \(news.words) > \(next.joined(separator: ", "))\n"
            }
        }
        return text
    }

    /// Writes the members `faultPoints` and `transitions`: what is possible and never happened.
    func writeCoverage(to writer: inout JSONWriter) {
        let coverage = found.coverage
        writer.key("faultPoints")
        writer.beginArray()
        for point in SearchCoverage.namedFaults(of: prepared) {
            writer.beginObject()
            writer.member("name", point.rawValue)
            writer.key("hasFired")
            writer.flag(coverage.hasFired(point))
            writer.endObject()
        }
        writer.endArray()
        writer.key("transitions")
        writer.beginArray()
        let rig = prepared.scenario.rig
        for (index, reader) in rig.readers.enumerated() {
            for transition in SDKTransition.possible(for: reader, in: rig) {
                writer.beginObject()
                writer.member("reader", reader.name)
                writer.member("from", transition.from.words)
                writer.member("to", transition.to.words)
                writer.key("wasSeen")
                writer.flag(coverage.contains(transition, of: index))
                writer.endObject()
            }
        }
        writer.endArray()
    }

    /// Writes the most orders there may be, as a decimal text, since it may be too large for a
    /// number; `null` when the exact count is known or nothing was chosen.
    func writeOrderBound(to writer: inout JSONWriter) {
        guard found.orderCount == nil, !found.isComplete, found.longestChoiceCount > 0 else {
            writer.null()
            return
        }
        let bound = found.orderBound
        writer.string("\(bound.mantissa)" + String(repeating: "0", count: bound.exponent))
    }
}
