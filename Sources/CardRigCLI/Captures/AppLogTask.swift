import CaptureAnalysis
import CaptureFiles
import CaptureFlows
import CardData
import EventLoops
import Kernel
import Reporting
import ScenarioLanguage
import ScenarioRunner

/// `cardrig capture app-log`: what the app in the field saw beside what our SDK core makes of the
/// same bytes.
struct AppLogTask: CaptureTask {
    static let name = "app-log"
    static let summary = "Lays an app's own log beside what our SDK core makes of the same bytes."
    static let usage = """
        app-log FILE LOG [--mapping MAP] [--sdk-profile NAME] [--all]
                [--conversation N] [--protocol NAME]
              Plays the capture's reader at the SDK core and shows its events beside those that the
              app's log has, in the order of time with the frames and swipes of the capture. LOG
              has one JSON object a line, or is any text that MAP reads by regular expressions
              (Docs/captures.md). --sdk-profile observed plays the SDK as the field had it; --all
              shows what both have, too. Exit code 1 when the app saw something else.

        """

    /// The most that is read of a log.
    private static let logByteCountLimit = 16 << 20

    private let path: String
    private let logPath: String
    private let mappingPath: String?
    private let library: SDKPlan.Library?
    private let wantsAll: Bool
    private let choice: ConversationChoice

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        mappingPath = try reader.takeValue("--mapping", expected: "a file", RunOptions.word)
        library = try RunOptions.takeLibrary(&reader)
        wantsAll = try reader.takeFlag("--all")
        choice = try ConversationChoice(&reader)
        let paths = try reader.takePositionals()
        guard paths.count == 2 else { throw .wrong("capture app-log wants a capture and a log") }
        path = paths[0]
        logPath = paths[1]
    }

    func run(_ streams: Streams) -> ExitCode {
        do throws(CaptureProblem) {
            let log = try readLog()
            let content = try CaptureContent(path)
            let world = try ReplayWorld(content, choice: choice, library: library)
            let records = RecordLines(world.play().journal, of: world.cell.prepared).records
            let conversations = try conversations(content)
            let start = conversations.first?.start?.nanosecondsSinceEpoch
            let begin = content.run.header?.beginNanoseconds ?? start
            let hasDates = content.facts.clock == .utc && log.hasDates
            let comparison = AppComparison(
                records,
                log,
                beginNanoseconds: hasDates ? begin : nil
            )
            streams.write(text(comparison, conversations, begin, hasDates))
            if log.unreadLineCount > 0, mappingPath == nil {
                let lines = log.unreadLines.prefix(5).map(String.init).joined(separator: ", ")
                streams.writeError(
                    "note: \(log.unreadLineCount) lines of \(logPath) are no event: \(lines)\n"
                )
            }
            for note in world.notes { streams.writeError("note: \(note)\n") }
            return comparison.differenceCount == 0 ? .held : .failed
        } catch {
            streams.complain("\(error)")
            return .wrong
        }
    }

    private func conversations(
        _ content: CaptureContent
    ) throws(CaptureProblem) -> [Conversation] {
        var wanted = content.survey.readers
        if !choice.isEmpty || content.run.header == nil {
            wanted = [try choice.pick(from: content.survey, of: path)]
        }
        var conversations: [Conversation] = []
        for surveyed in wanted {
            conversations.append(try content.conversation(surveyed, as: choice.wire))
        }
        return conversations
    }

    // MARK: The log

    private func readLog() throws(CaptureProblem) -> AppLog {
        let bytes: [UInt8]
        var mapping: [UInt8]?
        do throws(KernelError) {
            bytes = try FileBytes.read(path: logPath, limit: Self.logByteCountLimit)
            if let mappingPath {
                mapping = try FileBytes.read(path: mappingPath, limit: 65_536)
            }
        } catch {
            throw CaptureProblem("\(error)")
        }
        if let mapping, let mappingPath {
            return try map(bytes, String(decoding: mapping, as: UTF8.self), mappingPath)
        }
        let log = AppLog(jsonLines: bytes)
        guard !log.entries.isEmpty || log.loggedNames != nil else {
            throw CaptureProblem(
                "\(logPath): no line of it is an event as JSON; --mapping names a file with "
                    + "regular expressions for other logs"
            )
        }
        return log
    }

    private func map(
        _ bytes: [UInt8],
        _ text: String,
        _ mappingPath: String
    ) throws(CaptureProblem) -> AppLog {
        let mapping: AppLogMapping
        do throws(AppLogMapping.Problem) {
            mapping = try AppLogMapping(text)
        } catch {
            throw CaptureProblem("\(mappingPath): \(error)")
        }
        var patterns: [LinePattern] = []
        for rule in mapping.rules {
            do throws(LinePattern.Problem) {
                patterns.append(try LinePattern(rule.pattern))
            } catch {
                throw CaptureProblem("\(mappingPath): line \(rule.line): \(error)")
            }
        }
        return mapping.read(bytes) { patterns[$0].match($1) }
    }

    // MARK: What is shown

    private func text(
        _ comparison: AppComparison,
        _ conversations: [Conversation],
        _ begin: Int64?,
        _ hasDates: Bool
    ) -> String {
        var lines: [(time: Int64, text: String)] = []
        for conversation in conversations {
            let start = conversation.start?.nanosecondsSinceEpoch ?? begin ?? 0
            let shift = start &- (begin ?? start)
            for message in conversation.messages where wantsAll || message.side != .host {
                let place = "  (packet \(message.packetNumber))"
                lines.append(
                    (
                        message.offset.nanoseconds &+ shift,
                        "bytes    " + ConversationTable.words(message) + place
                    )
                )
            }
        }
        var last: Int64 = 0
        for row in comparison.rows {
            last = row.time?.nanoseconds ?? last
            lines.append((last, Self.words(row.row)))
        }
        let order = lines.indices.sorted {
            lines[$0].time == lines[$1].time ? $0 < $1 : lines[$0].time < lines[$1].time
        }
        var text = ""
        for index in order.prefix(Self.lineLimit) {
            text += "\(ConversationTable.time(.nanoseconds(lines[index].time)))  "
            text += "\(lines[index].text)\n"
        }
        if order.count > Self.lineLimit {
            text += "and \(order.count - Self.lineLimit) further rows\n"
        }
        if let difference = comparison.clockDifference {
            let amount = ConversationTable.time(
                .nanoseconds(
                    difference.nanoseconds < 0 ? -difference.nanoseconds : difference.nanoseconds
                )
            )
            let side = difference.nanoseconds < 0 ? "behind" : "ahead of"
            text +=
                hasDates
                ? "the app's clock is \(amount) \(side) the capture's\n"
                : "the app's times were laid on the capture's by the events that both have\n"
        }
        text += "\(comparison.equalCount) events as our SDK core tells them"
        return text + ", \(comparison.differenceCount) otherwise\n"
    }

    private static let lineLimit = 2_000

    private static func words(_ row: AppComparison.Row) -> String {
        switch row {
        case .both(let record, _): "both     \(event(record))"
        case .otherwise(let record, let entry, let differing):
            "differs  \(event(record)); the app (line \(entry.line)) has another "
                + "\(differing.joined(separator: ", ")): \(entry.description)"
        case .coreOnly(let record): "core     \(event(record)); the app did not see it"
        case .appOnly(let entry):
            "app      \(entry.description) (line \(entry.line)); our SDK core tells no such event"
        case .remark(let entry): "app      \(entry.description) (line \(entry.line))"
        }
    }

    /// A record without its time, which stands before it already.
    private static func event(_ record: RecordedRecord) -> String {
        var text = record.name
        for (index, attribute) in record.attributes.enumerated() {
            text += (index == 0 ? " " : ", ") + "\(attribute.name): \(attribute.value)"
        }
        return SafeText(scrubbing: text).description
    }
}
