import CaptureAnalysis
import CaptureFiles
import EventLoops
import Kernel
import Reporting
import Rig
import Transports

/// Writes the conversations of readers in a capture of any format as pcapng, with stand-ins.
enum RedactedCapture {
    static func write(
        _ source: String,
        to target: String,
        choice: ConversationChoice,
        keepsCardData: Bool,
        _ streams: Streams
    ) -> ExitCode {
        let survey: CaptureSurvey
        var conversations: [Conversation] = []
        do throws(KernelError) {
            survey = try CaptureSource.survey(source).0
            var chosen = survey.readers.filter { $0.spoken != nil }
            if !choice.isEmpty || chosen.isEmpty {
                do throws(CaptureProblem) {
                    chosen = [try choice.pick(from: survey, of: source)]
                } catch {
                    streams.complain("\(error)")
                    return .wrong
                }
            }
            for surveyed in chosen {
                let wire = choice.wire ?? surveyed.spoken?.wire
                conversations.append(
                    try CaptureSource.conversation(surveyed, of: source, as: wire)
                )
            }
        } catch {
            streams.complain("\(error)")
            return .wrong
        }
        var redactor = ConversationRedactor()
        if !keepsCardData { conversations = conversations.map { redactor.redact($0) } }
        let bytes = bytes(of: conversations, keepsCardData: keepsCardData)
        let findings = findings(redactor.standIns.secrets, bytes, conversations)
        guard findings.isEmpty else {
            let forms = findings.map { "secret \($0.secret + 1) in \($0.form)" }
            streams.complain(
                "\(source): not written: after redaction there is still "
                    + forms.joined(separator: ", ")
            )
            return .failed
        }
        do throws(KernelError) {
            try FileBytes.write(bytes, to: target)
        } catch {
            streams.complain("\(error)")
            return .lost
        }
        let others = survey.conversations.count { !$0.key.isJournal } - conversations.count
        var text = "\(target): \(conversations.count) "
        text += conversations.count == 1 ? "conversation" : "conversations"
        if others > 0 { text += "; \(others) of no reader left out" }
        if !keepsCardData { text += "; \(redactor.standIns.secrets.count) secrets replaced" }
        streams.write(text + "\n")
        return .held
    }

    private static func findings(
        _ secrets: [[UInt8]],
        _ bytes: [UInt8],
        _ conversations: [Conversation]
    ) -> [SecretScan.Finding] {
        let scan = SecretScan(secrets)
        return scan.findings(in: bytes)
            + conversations.flatMap { conversation in
                conversation.joinedDirections.flatMap { scan.findings(in: $0) }
            }
    }

    /// The whole file, all conversations in the order of time.
    static func bytes(of conversations: [Conversation], keepsCardData: Bool) -> [UInt8] {
        let begin = conversations.compactMap { $0.start?.nanosecondsSinceEpoch }.min() ?? 0
        var header = RecordingHeader(keepsCardData: keepsCardData, beginNanoseconds: begin)
        header.remarks = ["redacted by cardrig capture redact"]
        var writer = CaptureWriter(
            application: "cardrig \(CardRigCommand.version)",
            comments: header.comments
        )
        var bytes = writer.sectionHeader
        var wires: [RecordedWire] = []
        var rows: [(time: Int64, conversation: Int, event: Int)] = []
        for (number, conversation) in conversations.enumerated() {
            let isReports = conversation.wire == .magneSafeReports || conversation.isOnReports
            let name =
                conversation.name.isEmpty ? "reader \(number + 1)" : conversation.name
            let added = writer.addInterface(
                isReports ? .usbLinuxMmapped : .exportedPDU,
                name: conversations.count { $0.name == conversation.name } > 1
                    ? "\(name) \(number + 1)" : name,
                description: conversation.key?.description
            )
            bytes += added.bytes
            wires.append(RecordedWire(added.interface, reader: number))
            let start = conversation.start?.nanosecondsSinceEpoch ?? begin
            for (index, event) in conversation.events.enumerated() {
                let (time, overflow) = start.addingReportingOverflow(event.offset.nanoseconds)
                rows.append((overflow ? .max : time, number, index))
            }
        }
        rows.sort { ($0.time, $0.conversation, $0.event) < ($1.time, $1.conversation, $1.event) }
        for row in rows {
            let event = conversations[row.conversation].events[row.event]
            bytes += wires[row.conversation].blocks(
                WireTap.Traffic(event.content),
                at: CaptureTime(nanosecondsSinceEpoch: row.time),
                writer
            )
        }
        return bytes
    }
}

extension Conversation {
    /// Whether what it carries has borders of its own.
    fileprivate var isOnReports: Bool {
        events.contains { event in
            switch event.content {
            case .fromReader(let unit), .toReader(let unit): unit.kind != .bytes
            case .attached, .detached, .featureFinished: false
            }
        }
    }
}

extension WireTap.Traffic {
    /// What a tap would have seen.
    init(_ content: TimedEvent.Content) {
        switch content {
        case .attached(let attachment): self = .attached(attachment)
        case .detached(let reason): self = .detached(reason)
        case .fromReader(let unit): self = .fromReader(unit)
        case .toReader(let unit): self = .fromHost(unit)
        case .featureFinished(let result): self = .featureFinished(result)
        }
    }
}
