import CardData
import EventLoops
public import Journal
import ScenarioLanguage
public import ScenarioRunner

/// Writes records as JSON objects, in reports and in captures.
public struct RecordJSON: Sendable {
    private let readerNames: [String]
    private let stepLines: [Int]

    /// Creates a writer for the records of one scenario.
    public init(_ prepared: PreparedScenario) {
        readerNames = prepared.scenario.rig.readers.map(\.name)
        stepLines = prepared.flat.map(\.step.location.line)
    }

    init(_ report: ScenarioReport) { self.init(report.prepared) }

    /// Writes a record: its time in nanoseconds since the run began, its number, who is at its
    /// origin, its name, the line of the step that caused it, and its attributes.
    public func write(_ record: Record, in journal: Journal, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("time", record.time.nanoseconds)
        writer.member("sequence", Int64(record.sequence))
        writer.member("source", record.source.spelling)
        writer.member("name", Vocabulary.definition(of: record.name).spelling)
        writer.member("line", line(of: record).map(Int64.init))
        writer.key("attributes")
        writer.beginObject()
        for attribute in journal.attributes(of: record) {
            writer.key(Vocabulary.spelling(of: attribute.name))
            write(attribute.value, to: &writer)
        }
        writer.endObject()
        writer.endObject()
    }

    private func line(of record: Record) -> Int? {
        guard let step = record.step, stepLines.indices.contains(step) else { return nil }
        return stepLines[step]
    }

    private func write(_ value: AttributeValue, to writer: inout JSONWriter) {
        switch value {
        case .integer(let integer): writer.integer(integer)
        case .flag(let flag): writer.flag(flag)
        case .amount(let amount): writer.string(amount.description)
        case .symbol(let symbol): writer.string(Vocabulary.spelling(of: symbol))
        case .duration(let duration): writer.integer(duration.nanoseconds)
        case .text(let text): writer.string(SafeText(scrubbing: text.description).description)
        case .reader(let index):
            writer.string(readerNames.indices.contains(index) ? readerNames[index] : "\(index)")
        }
    }
}
