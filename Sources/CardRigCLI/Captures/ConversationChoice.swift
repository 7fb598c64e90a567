import CaptureAnalysis

/// Which conversation of a capture is meant: `--conversation NUMBER` and `--protocol NAME`.
struct ConversationChoice: Sendable {
    static let usage = """
          --conversation N  The conversation of that number, as `capture info` shows it.
          --protocol NAME   What is spoken in it: magnesafe-reports, magnesafe-stream, idtech, miura.

        """

    /// The number, from 1; `nil` takes the only one that a reader speaks in.
    let number: Int?
    /// What is spoken; `nil` takes what was recognised.
    let wire: WireProtocol?

    var isEmpty: Bool { number == nil && wire == nil }

    init(_ reader: inout ArgumentReader) throws(UsageError) {
        number = try reader.takeValue("--conversation", expected: "a number from 1 on") {
            RunOptions.number($0).flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        let names = WireProtocol.allCases.map(\.word).joined(separator: ", ")
        wire = try reader.takeValue("--protocol", expected: names, WireProtocol.named)
    }

    /// Returns the conversation that is meant.
    ///
    /// - Throws: ``CaptureProblem`` that lists what there is to choose from.
    func pick(
        from survey: CaptureSurvey,
        of path: String
    ) throws(CaptureProblem) -> SurveyedConversation {
        if let number { return try survey.conversation(number: number, of: path) }
        let readers = survey.readers.filter { conversation in
            wire.map { wire in conversation.candidates.contains { $0.wire == wire } } ?? true
        }
        if readers.count == 1, wire != nil || readers[0].spoken != nil { return readers[0] }
        if readers.isEmpty {
            throw CaptureProblem(
                "\(path): no conversation in it is a reader's; `cardrig capture info` "
                    + "shows what there is, --conversation names one"
            )
        }
        let list = readers.map { conversation in
            "\(conversation.number) (\(conversation.key): "
                + conversation.candidates.map(\.wire.word).joined(separator: " or ") + ")"
        }
        throw CaptureProblem(
            "\(path): choose with --conversation and --protocol: "
                + list.joined(separator: ", ")
        )
    }
}
