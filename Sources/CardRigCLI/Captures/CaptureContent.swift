import CaptureAnalysis
import CaptureFlows
import Kernel

/// Why a capture cannot be used as it was wanted, with what would be right.
struct CaptureProblem: Error, CustomStringConvertible {
    /// One line without card data.
    let description: String

    init(_ description: String) { self.description = description }
}

/// A capture that was read once: what is in it, and the journal of a recording.
struct CaptureContent {
    let path: String
    let survey: CaptureSurvey
    let facts: CaptureFacts
    let run: RecordedRun

    /// Reads a file.
    ///
    /// - Throws: ``CaptureProblem`` when it cannot be read or is no capture.
    init(_ path: String) throws(CaptureProblem) {
        var survey = CaptureSurvey()
        var run = RecordedRun()
        do throws(KernelError) {
            facts = try CaptureSource.read(path) {
                survey.note($0, flows: $1)
                run.note($0, flows: $1)
            }
        } catch {
            throw CaptureProblem("\(error)")
        }
        survey.finish()
        if let refusal = survey.notices.first(where: { $0.severity == .refusal }) {
            throw CaptureProblem("\(path): \(refusal)")
        }
        self.path = path
        self.survey = survey
        self.run = run
    }

    /// The conversation of a number, as `capture info` shows it.
    func conversation(number: Int) throws(CaptureProblem) -> SurveyedConversation {
        try survey.conversation(number: number, of: path)
    }

    /// Reads the file once more, for one conversation of it.
    func conversation(
        _ surveyed: SurveyedConversation,
        as wire: WireProtocol?
    ) throws(CaptureProblem) -> Conversation {
        do throws(KernelError) {
            return try CaptureSource.conversation(surveyed, of: path, as: wire)
        } catch {
            throw CaptureProblem("\(error)")
        }
    }
}

extension CaptureSurvey {
    /// The conversation of a number, as `capture info` shows it.
    ///
    /// - Throws: ``CaptureProblem`` that lists the numbers which there are.
    func conversation(
        number: Int,
        of path: String
    ) throws(CaptureProblem) -> SurveyedConversation {
        let all = conversations.filter { !$0.key.isJournal }
        if let found = all.first(where: { $0.number == number }) { return found }
        let numbers = all.isEmpty ? "none" : all.map { "\($0.number)" }.joined(separator: ", ")
        throw CaptureProblem("\(path): there is no conversation \(number); there are \(numbers)")
    }
}
