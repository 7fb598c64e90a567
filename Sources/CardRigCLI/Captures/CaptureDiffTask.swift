import CaptureAnalysis
import CaptureFiles
import CaptureFlows
import CardData
import EventLoops
import Kernel
import Reporting

/// `cardrig capture diff`: compares two captures by what was said in them.
struct CaptureDiffTask: CaptureTask {
    static let name = "diff"
    static let summary = "Compares what was said in two captures, and when."
    static let usage = """
        diff A B [--conversation N [--other-conversation N]] [--protocol NAME] [--tolerance MS]
              Lays the readers' conversations of two captures side by side by what they mean:
              frames, reports and swipes, and the events of the journals if both have one. In which
              pieces the bytes came and when is no difference; with --tolerance a pause between
              two messages that is more than so many milliseconds longer or shorter is one. Exit
              code 0 when they say the same, 1 when they differ.

        """

    private let paths: [String]
    private let choice: ConversationChoice
    private let otherNumber: Int?
    private let tolerance: VirtualDuration?

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        otherNumber = try reader.takeValue(
            "--other-conversation",
            expected: "a number from 1 on"
        ) {
            RunOptions.number($0).flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        tolerance = try reader.takeValue("--tolerance", expected: "milliseconds") {
            RunOptions.number($0).flatMap { $0 <= 86_400_000 ? Int64($0) : nil }
                .map { VirtualDuration.milliseconds($0) }
        }
        choice = try ConversationChoice(&reader)
        paths = try reader.takePositionals()
        guard paths.count == 2 else { throw .wrong("capture diff wants two files") }
        guard otherNumber == nil || choice.number != nil else {
            throw .wrong("--other-conversation wants --conversation")
        }
    }

    func run(_ streams: Streams) -> ExitCode {
        do throws(CaptureProblem) {
            return try compare(streams)
        } catch {
            streams.complain("\(error)")
            return .wrong
        }
    }

    private func compare(_ streams: Streams) throws(CaptureProblem) -> ExitCode {
        let first = try CaptureContent(paths[0])
        let second = try CaptureContent(paths[1])
        var isEqual = true
        for pair in try pairs(first, second) {
            let left = try pair.first.map { (one) throws(CaptureProblem) in
                try first.conversation(one, as: choice.wire)
            }
            let right = try pair.second.map { (one) throws(CaptureProblem) in
                try second.conversation(one, as: choice.wire)
            }
            let table = ConversationTable(left, right, tolerance: tolerance)
            streams.write(Self.heading("A", paths[0], pair.first))
            streams.write(Self.heading("B", paths[1], pair.second))
            streams.write(table.text)
            isEqual = isEqual && table.isEqual
        }
        if !first.run.records.isEmpty, !second.run.records.isEmpty {
            let table = RecordTable(first.run.records, second.run.records)
            streams.write("the journals\n" + table.text)
            isEqual = isEqual && table.isEqual
        }
        return isEqual ? .held : .failed
    }

    /// Which conversations are compared: those that are named, or the readers' by name and order.
    private func pairs(
        _ first: CaptureContent,
        _ second: CaptureContent
    ) throws(CaptureProblem) -> [(first: SurveyedConversation?, second: SurveyedConversation?)] {
        if let number = choice.number {
            let one = try first.conversation(number: number)
            let other = try second.conversation(number: otherNumber ?? number)
            return [(one, other)]
        }
        var rest = second.survey.readers
        var pairs: [(first: SurveyedConversation?, second: SurveyedConversation?)] = []
        for reader in first.survey.readers {
            let match =
                rest.firstIndex {
                    !reader.interfaceName.isEmpty && $0.interfaceName == reader.interfaceName
                        && $0.candidates.first?.wire == reader.candidates.first?.wire
                }
                ?? rest.firstIndex { $0.candidates.first?.wire == reader.candidates.first?.wire }
            pairs.append((reader, match.map { rest.remove(at: $0) }))
        }
        pairs += rest.map { (nil, $0) }
        guard !pairs.isEmpty || !first.run.records.isEmpty && !second.run.records.isEmpty else {
            throw CaptureProblem(
                "no conversation of \(paths[0]) or \(paths[1]) is a reader's; `cardrig capture "
                    + "info` shows what there is, --conversation names one"
            )
        }
        return pairs
    }

    private static func heading(
        _ letter: String,
        _ path: String,
        _ surveyed: SurveyedConversation?
    ) -> String {
        guard let surveyed else { return "\(letter)  \(path): it has no such conversation\n" }
        let speech = surveyed.candidates.first.map { ": \($0.wire)" } ?? ""
        return "\(letter)  \(path): \(SafeText(scrubbing: "\(surveyed.key)"))\(speech)\n"
    }
}
