import CaptureAnalysis
import CaptureFiles
import CardData
import EventLoops
import Journal
import Kernel
import Reporting
import Rig
import ScenarioLanguage
import ScenarioRunner
import Transports

/// Writes what went over the wires of a run, and its journal, as one pcapng file.
///
/// Reports of USB readers have link type 220 (usbmon), pieces of a byte stream link type 252 as
/// `data`, the journal link type 252 as `json`: Wireshark opens all of it without a plug-in. What
/// stands in it of cards is what an encrypting reader sends: masked numbers and ciphertext.
struct Recorder {
    /// The clock of a simulated run: 2024-06-03 09:00:00 UTC, in nanoseconds since 1970.
    static let scenarioEpoch: Int64 = 1_717_405_200 * 1_000_000_000

    private let prepared: PreparedScenario
    private let header: RecordingHeader

    /// Creates a recorder for a run.
    init(_ prepared: PreparedScenario, header: RecordingHeader) {
        self.prepared = prepared
        self.header = header
    }

    /// Returns the bytes of the file.
    func bytes(_ tap: WireTap, _ journal: Journal) -> [UInt8] {
        var header = header
        var redactor: ConversationRedactor?
        var entries = tap.entries
        if !header.keepsCardData {
            var own = ConversationRedactor()
            // Names that a damaged message holds in part are known from the records.
            for sequence in journal.oldestSequence..<journal.count {
                guard let record = journal.record(sequence),
                    case .text(let name)? = journal.value(.cardholderName, of: record)
                else { continue }
                _ = own.redact(name: name.description)
            }
            entries = redacted(entries, by: &own)
            header.scenarioText = own.redact(scenario: header.scenarioText)
            redactor = own
        }
        if tap.isCutShort { header.remarks.append("cut short at \(tap.byteLimit) bytes") }
        var writer = CaptureWriter(
            application: "cardrig \(CardRigCommand.version)",
            comments: header.comments
        )
        var bytes = writer.sectionHeader
        let journalInterface = writer.addInterface(.exportedPDU, name: "journal")
        bytes += journalInterface.bytes
        var wires: [RecordedWire?] = prepared.scenario.rig.readers.map { _ in nil }
        let records = RecordJSON(prepared)
        var sequence = journal.oldestSequence
        var step: Int?

        func writeRecords(before end: Int) {
            while sequence < end {
                if let record = journal.record(sequence) {
                    var json = JSONWriter()
                    records.write(record, in: journal, to: &json)
                    let isNew = record.step != nil && record.step != step
                    step = record.step ?? step
                    bytes += writer.packet(
                        ExportedPDU(
                            dissectorName: "json",
                            bytes: redactor?.redact(record: json.bytes) ?? json.bytes
                        ),
                        on: journalInterface.interface,
                        at: time(record.time),
                        comments: isNew ? mark(of: record.step) : []
                    )
                }
                sequence += 1
            }
        }

        for entry in entries where wires.indices.contains(entry.reader) {
            writeRecords(before: entry.sequence)
            var wire: RecordedWire
            if let known = wires[entry.reader] {
                wire = known
            } else {
                let isStream = Self.isStream(entry, in: tap)
                let added = writer.addInterface(
                    isStream ? .exportedPDU : .usbLinuxMmapped,
                    name: prepared.scenario.rig.readers[entry.reader].name
                )
                bytes += added.bytes
                wire = RecordedWire(added.interface, reader: entry.reader)
            }
            bytes += wire.blocks(entry.traffic, at: time(entry.time), writer)
            wires[entry.reader] = wire
        }
        writeRecords(before: journal.count)
        return bytes
    }

    /// What went over the wires, with stand-ins for everything that is secret.
    private func redacted(
        _ entries: [WireTap.Entry],
        by redactor: inout ConversationRedactor
    ) -> [WireTap.Entry] {
        var output = entries
        for (reader, plan) in prepared.scenario.rig.readers.enumerated() {
            let indices = entries.indices.filter { entries[$0].reader == reader }
            let events = indices.map { index in
                Conversation.Event(
                    offset: entries[index].time - .zero,
                    TimedEvent.Content(entries[index].traffic),
                    packetNumber: index + 1
                )
            }
            // A reader that stands in for another is told by what it sends.
            let isReports = events.contains { event in
                if case .fromReader(let unit) = event.content { return unit.kind != .bytes }
                return false
            }
            let own = WireProtocol(plan.kind)
            let wire: WireProtocol =
                isReports ? .magneSafeReports : own == .magneSafeReports ? .magneSafeStream : own
            let redacted = redactor.redact(Conversation(wire: wire, events: events))
            for (event, index) in zip(redacted.events, indices) {
                output[index].traffic = output[index].traffic.replacing(event.bytes)
            }
        }
        return output
    }

    /// The remark on the first record of a step: its line and words.
    private func mark(of step: Int?) -> [String] {
        guard let step, prepared.flat.indices.contains(step) else { return [] }
        let flat = prepared.flat[step].step
        return ["line \(flat.location.line): \(SafeText(scrubbing: flat.words))"]
    }

    /// Whether a reader's wire carries a byte stream: its attachment or its first unit says so.
    private static func isStream(_ first: WireTap.Entry, in tap: WireTap) -> Bool {
        for entry in tap.entries where entry.reader == first.reader {
            switch entry.traffic {
            case .fromReader(let unit), .fromHost(let unit): return unit.kind == .bytes
            case .attached, .detached, .featureFinished: continue
            }
        }
        if case .attached(let attachment) = first.traffic {
            return attachment.maximumPacketByteCount == 0
        }
        return false
    }

    private func time(_ instant: VirtualInstant) -> CaptureTime {
        let (sum, overflow) = header.beginNanoseconds.addingReportingOverflow(instant.nanoseconds)
        return CaptureTime(nanosecondsSinceEpoch: overflow ? .max : sum)
    }

    // MARK: Where recordings go

    /// Returns why recordings cannot go to a path, or `nil` when they can.
    static func problem(_ path: String, _ scenarioCount: Int) -> String? {
        guard scenarioCount > 1, !path.hasSuffix("/"), Paths.kind(of: path) != .directory,
            Paths.kind(of: path) != nil
        else { return nil }
        return "--record \(path): there are \(scenarioCount) scenarios, name a folder"
    }

    /// Returns the file for one scenario's recording: the path itself for a single file, else one
    /// in that folder, named after the scenario's path; cells of a matrix have their number behind
    /// the name.
    static func target(
        _ path: String,
        scenario file: String,
        cell: Int? = nil,
        count: Int
    ) -> String {
        let isFolder = count > 1 || path.hasSuffix("/") || Paths.kind(of: path) == .directory
        guard isFolder else { return numbered(path, cell) }
        var parts = file.split(separator: "/").filter { $0 != "." && $0 != ".." }
        if let last = parts.last, let dot = last.lastIndex(of: "."), dot != last.startIndex {
            parts[parts.count - 1] = last[..<dot]
        }
        let name = numbered(parts.joined(separator: "/") + ".pcapng", cell)
        return path.hasSuffix("/") ? path + name : path + "/" + name
    }

    private static func numbered(_ path: String, _ cell: Int?) -> String {
        guard let cell else { return path }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            return "\(path)-\(cell)"
        }
        return "\(path[..<dot])-\(cell)\(path[dot...])"
    }

    /// Makes the folders of all recordings and tries whether each can be written.
    ///
    /// - Throws: `KernelError` with the first file that cannot.
    static func prepare(_ path: String, scenarios files: [String]) throws(KernelError) {
        for file in files {
            let target = target(path, scenario: file, count: files.count)
            try makeFolder(of: target)
            try FileBytes.checkWritable(target)
        }
    }

    /// Makes the folder that a file will be in.
    static func makeFolder(of file: String) throws(KernelError) {
        guard let slash = file.lastIndex(of: "/") else { return }
        try FileBytes.makeDirectory(String(file[..<slash]))
    }
}

extension TimedEvent.Content {
    /// What a tap saw.
    fileprivate init(_ traffic: WireTap.Traffic) {
        switch traffic {
        case .attached(let attachment): self = .attached(attachment)
        case .fromReader(let unit): self = .fromReader(unit)
        case .fromHost(let unit): self = .toReader(unit)
        case .featureFinished(let result): self = .featureFinished(result)
        case .detached(let reason): self = .detached(reason)
        }
    }
}

extension WireTap.Traffic {
    /// The same with other bytes.
    fileprivate func replacing(_ bytes: ArraySlice<UInt8>) -> WireTap.Traffic {
        switch self {
        case .fromReader(let unit): .fromReader(TransportUnit(unit.kind, bytes))
        case .fromHost(let unit): .fromHost(TransportUnit(unit.kind, bytes))
        case .featureFinished(.got): .featureFinished(.got(bytes))
        case .attached, .featureFinished, .detached: self
        }
    }
}
