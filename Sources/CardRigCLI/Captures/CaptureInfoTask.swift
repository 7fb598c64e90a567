import CaptureAnalysis
import CaptureFiles
import CaptureFlows
import CardData
import Journal
import Kernel
import Reporting

/// `cardrig capture info`: shows what is in a capture.
struct CaptureInfoTask: CaptureTask {
    static let name = "info"
    static let summary = "Shows what is in a capture: conversations, readers, damage."
    static let usage = """
        info FILE [--json]
              Shows the file's format and times, each conversation (USB device, TCP connection,
              RFCOMM channel, serial line), which of them a reader speaks in and what was swiped
              and paid, and what is damaged. Exit code 2 when the file or its end cannot be read.

        """

    private let wantsJSON: Bool
    private let path: String

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        wantsJSON = try reader.takeFlag("--json")
        let paths = try reader.takePositionals()
        guard paths.count == 1 else { throw .wrong("capture info wants one file") }
        path = paths[0]
    }

    func run(_ streams: Streams) -> ExitCode {
        let survey: CaptureSurvey
        let facts: CaptureFacts
        do throws(KernelError) {
            (survey, facts) = try CaptureSource.survey(path)
        } catch {
            streams.complain("\(error)")
            return .wrong
        }
        if wantsJSON {
            streams.write(json(survey, facts))
        } else {
            streams.write(text(survey, facts))
        }
        let isRefused = survey.notices.contains { $0.severity == .refusal || $0.severity == .end }
        return isRefused ? .wrong : .held
    }

    // MARK: Text

    private func text(_ survey: CaptureSurvey, _ facts: CaptureFacts) -> String {
        var text = "\(path)  \(facts.formatName ?? "no capture")"
        if facts.isCompressed { text += " (gzip)" }
        text += ", \(Self.count(facts.packetCount, "packet")), \(facts.byteCount) bytes\n"
        if let first = survey.firstTime, let last = survey.lastTime {
            text += facts.clock == .utc ? "  from \(CaptureClock.text(first)) UTC" : "  it takes"
            text += ", \(CaptureClock.seconds(from: first, to: last)) s\n"
        }
        for conversation in survey.conversations where !conversation.key.isJournal {
            text += "  \(conversation.number)  \(conversation.key)"
            if !conversation.interfaceName.isEmpty {
                text += " on \(Self.safe(conversation.interfaceName))"
            }
            text += ": \(Self.speech(conversation))\n"
            text += "     \(Self.amounts(conversation))\n"
        }
        if survey.furtherCount > 0 {
            text += "  \(survey.furtherCount) further conversations are not told apart\n"
        }
        if survey.recordCount > 0 { text += "  a journal of \(survey.recordCount) records\n" }
        let ambiguous = survey.readers.filter { $0.spoken == nil }
        if survey.readers.isEmpty {
            text += "  no reader of a known protocol\n"
        } else if survey.readers.count > 1 || !ambiguous.isEmpty {
            text += "  choose one with --conversation NUMBER"
            text += ambiguous.isEmpty ? "\n" : " and --protocol NAME\n"
        }
        let header = RecordingHeader(
            comments: survey.comments.filter { $0.packetNumber == nil }.map(\.text)
        )
        if let header {
            text += "  recorded by cardrig"
            if let path = header.scenarioPath { text += " of \(path)" }
            text += header.keepsCardData ? ", CARD DATA KEPT" : ", card data replaced"
            text += "\n"
        }
        let comments = survey.comments.filter { header == nil || $0.packetNumber != nil }
        for comment in comments.prefix(Self.listedCount) {
            let place = comment.packetNumber.map { "packet \($0)" } ?? "file"
            text += "  comment on \(place): \(Self.line(comment.text))\n"
        }
        if comments.count > Self.listedCount {
            text += "  and \(comments.count - Self.listedCount) further comments\n"
        }
        for notice in survey.notices { text += "  \(Self.word(notice.severity)): \(notice)\n" }
        if survey.droppedTextCount > 0 {
            text += "  and \(survey.droppedTextCount) further notices and comments\n"
        }
        return text
    }

    private static let listedCount = 20

    /// What is spoken, with the counts of what people look for.
    private static func speech(_ conversation: SurveyedConversation) -> String {
        guard let spoken = conversation.spoken else {
            let names = conversation.candidates.map(\.wire.description)
            return names.isEmpty ? "no reader" : "perhaps " + names.joined(separator: " or ")
        }
        var text = spoken.wire.description
        if spoken.swipeCount > 0 { text += ", " + count(spoken.swipeCount, "swipe") }
        if spoken.unreadableSwipeCount > 0 {
            text += " (\(spoken.unreadableSwipeCount) of them not readable)"
        }
        if spoken.transactionCount > 0 {
            text += ", " + count(spoken.transactionCount, "transaction")
        }
        if spoken.damageCount > 0 { text += ", " + count(spoken.damageCount, "damaged message") }
        return text
    }

    private static func amounts(_ conversation: SurveyedConversation) -> String {
        var text = count(conversation.unitCount, "unit")
        text += ", \(conversation.byteCountToReader) bytes to the reader"
        text += ", \(conversation.byteCountFromReader) from it"
        if conversation.byteCountOfUnknownDirection > 0 {
            text += ", \(conversation.byteCountOfUnknownDirection) either way"
        }
        if conversation.isSwapped {
            text += "; host and reader are exchanged in the file"
        } else if conversation.isDirectionGuessed {
            text += "; who is the host is a guess"
        }
        if conversation.damageCount > 0 {
            text += "; bytes are missing at \(count(conversation.damageCount, "place"))"
        }
        return text
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private static func safe(_ text: String) -> SafeText { SafeText(scrubbing: text) }

    private static func line(_ text: String) -> String {
        let first = text.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
        return safe(String(first.prefix(200))).description
    }

    private static func word(_ severity: CaptureNotice.Severity) -> String {
        switch severity {
        case .remark: "note"
        case .leftOut: "left out"
        case .end: "cut off"
        case .refusal: "refused"
        }
    }

    // MARK: JSON

    private func json(_ survey: CaptureSurvey, _ facts: CaptureFacts) -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.beginObject()
        json.member("file", path)
        json.member("format", facts.formatName)
        json.key("isCompressed")
        json.flag(facts.isCompressed)
        json.member("packetCount", Int64(facts.packetCount))
        json.member("byteCount", Int64(facts.byteCount))
        json.member("firstTime", survey.firstTime?.nanosecondsSinceEpoch)
        json.member("lastTime", survey.lastTime?.nanosecondsSinceEpoch)
        json.member("recordCount", Int64(survey.recordCount))
        json.key("conversations")
        json.beginArray()
        for conversation in survey.conversations where !conversation.key.isJournal {
            Self.add(conversation, to: &json)
        }
        json.endArray()
        json.key("comments")
        json.beginArray()
        for comment in survey.comments {
            json.beginObject()
            json.member("packet", comment.packetNumber.map(Int64.init))
            json.member("text", Self.safe(comment.text).description)
            json.endObject()
        }
        json.endArray()
        json.key("notices")
        json.beginArray()
        for notice in survey.notices {
            json.beginObject()
            json.member("severity", "\(notice.severity)")
            json.member("place", "\(notice.place)")
            json.member("number", Int64(notice.number))
            json.member("byteOffset", Int64(notice.byteOffset))
            json.member("text", notice.text)
            json.member("furtherCount", Int64(notice.furtherCount))
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endLine()
        return json.bytes
    }

    private static func add(_ conversation: SurveyedConversation, to json: inout JSONWriter) {
        json.beginObject()
        json.member("number", Int64(conversation.number))
        json.member("key", conversation.key.description)
        json.member("interface", safe(conversation.interfaceName).description)
        json.member("protocol", conversation.spoken?.wire.word)
        json.key("candidates")
        json.beginArray()
        for evidence in conversation.candidates {
            json.beginObject()
            json.member("protocol", evidence.wire.word)
            json.member("messageCount", Int64(evidence.messageCount))
            json.member("byteCount", Int64(evidence.byteCount))
            json.member("swipeCount", Int64(evidence.swipeCount))
            json.member("unreadableSwipeCount", Int64(evidence.unreadableSwipeCount))
            json.member("transactionCount", Int64(evidence.transactionCount))
            json.member("commandCount", Int64(evidence.commandCount))
            json.member("damageCount", Int64(evidence.damageCount))
            json.endObject()
        }
        json.endArray()
        json.member("unitCount", Int64(conversation.unitCount))
        json.member("byteCountToReader", Int64(conversation.byteCountToReader))
        json.member("byteCountFromReader", Int64(conversation.byteCountFromReader))
        json.member(
            "byteCountOfUnknownDirection",
            Int64(conversation.byteCountOfUnknownDirection)
        )
        json.member("damageCount", Int64(conversation.damageCount))
        json.key("isDirectionGuessed")
        json.flag(conversation.isDirectionGuessed)
        json.key("isSwapped")
        json.flag(conversation.isSwapped)
        json.member("firstTime", conversation.firstTime?.nanosecondsSinceEpoch)
        json.member("lastTime", conversation.lastTime?.nanosecondsSinceEpoch)
        json.endObject()
    }
}
