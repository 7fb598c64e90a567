import CaptureAnalysis
import CaptureFlows
import Journal
import Kernel
import Reporting
import ScenarioLanguage
import ScenarioRunner

/// The records of a run as lines.
struct RecordLines {
    /// The records as their JSON says them.
    let records: [RecordedRecord]
    /// One JSON object a line.
    let json: [UInt8]
    private let lines: [(source: RecordSource, text: String)]

    init(_ journal: Journal, of prepared: PreparedScenario) {
        let writer = RecordJSON(prepared)
        let text = RecordText(readerNames: prepared.scenario.rig.readers.map(\.name))
        var json: [UInt8] = []
        var records: [RecordedRecord] = []
        var lines: [(RecordSource, String)] = []
        for record in journal.readable {
            var line = JSONWriter()
            writer.write(record, in: journal, to: &line)
            if let recorded = RecordedRecord(line.bytes) { records.append(recorded) }
            json += line.bytes + [UInt8(ascii: "\n")]
            lines.append((record.source, text.line(record, in: journal)))
        }
        self.json = json
        self.records = records
        self.lines = lines
    }

    /// One line a record: all, or those of the SDK and the app.
    func text(all: Bool) -> String {
        lines.filter { all || $0.source == .sdk || $0.source == .app }.map { $0.text + "\n" }
            .joined()
    }
}

/// Reads the records of a run from a recording, or from JSON with one record a line.
enum RecordFile {
    private static let byteCountLimit = 64 << 20

    static func read(_ path: String) throws(CaptureProblem) -> [RecordedRecord] {
        var run = RecordedRun()
        do throws(KernelError) {
            let bytes = try FileBytes.read(path: path, limit: byteCountLimit)
            if bytes.first == UInt8(ascii: "{") { return try lines(bytes, path) }
            _ = try CaptureSource.read(path) { run.note($0, flows: $1) }
        } catch {
            throw CaptureProblem("\(error)")
        }
        if let packet = run.unreadablePackets.first {
            throw CaptureProblem("\(path): packet \(packet): no record of a journal")
        }
        guard !run.records.isEmpty else {
            throw CaptureProblem(
                "\(path): no journal is in it; a recording of `run --record` has one"
            )
        }
        return run.records
    }

    private static func lines(
        _ bytes: [UInt8],
        _ path: String
    ) throws(KernelError) -> [RecordedRecord] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { RecordedRecord(Array($0)) }
    }
}
