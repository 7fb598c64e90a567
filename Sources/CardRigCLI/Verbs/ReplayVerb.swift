import CaptureAnalysis
import CardData
import Journal
import Kernel
import Reporting
import ScenarioLanguage
import ScenarioRunner

/// `cardrig replay`: plays the reader's side of a capture at the SDK core.
struct ReplayVerb: Verb {
    static let name = "replay"
    static let summary = "Plays the reader's side of a capture at the SDK core."
    static let help =
        """
        Usage: cardrig replay FILE [--expect FILE] [--json] [OPTIONS]

        Plays what the reader of a capture said at the SDK core, in virtual time, and prints the
        records that come of it. Answers come to the command they belong to, whatever its turn;
        where the SDK core sends something else than the recorded host, the difference is shown. A
        recording of `run` brings its scenario along; for a capture of another tool the app does
        what the commands in it show.

          --expect FILE     Compares the journal with that of a recording (FILE itself may be the
                            one that is played), or with records as JSON, one a line; exit code 1
                            when they differ.
          --sdk-profile NAME
                            careful or observed, as in run.
          --real-time       Takes as long as the capture does.
          --all             Prints all records, not only those of the SDK and the app.
          --json            Prints all records as JSON, one a line.

        """ + ConversationChoice.usage + """
              Example: ./cardrig replay Captures/usb/dynamag-swipe-usbip.pcap

            """

    private let path: String
    private let expected: String?
    private let wantsAll: Bool
    private let wantsJSON: Bool
    private let isInRealTime: Bool
    private let choice: ConversationChoice
    private let library: SDKPlan.Library?

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        expected = try reader.takeValue("--expect", expected: "a file", RunOptions.word)
        wantsAll = try reader.takeFlag("--all")
        wantsJSON = try reader.takeFlag("--json")
        isInRealTime = try reader.takeFlag("--real-time")
        library = try RunOptions.takeLibrary(&reader)
        choice = try ConversationChoice(&reader)
        let paths = try reader.takePositionals()
        guard paths.count == 1 else { throw .wrong("replay wants one file") }
        path = paths[0]
    }

    func run(_ streams: Streams) -> ExitCode {
        let world: ReplayWorld
        do throws(CaptureProblem) {
            world = try ReplayWorld(CaptureContent(path), choice: choice, library: library)
        } catch {
            streams.complain("\(error)")
            return .wrong
        }
        var wanted: [RecordedRecord]?
        if let expected {
            do throws(CaptureProblem) {
                wanted = try RecordFile.read(expected)
            } catch {
                streams.complain("--expect: \(error)")
                return .wrong
            }
        }
        let result = world.play(inRealTime: isInRealTime)
        let lines = RecordLines(result.journal, of: world.cell.prepared)
        if wantsJSON {
            streams.write(lines.json)
        } else {
            streams.write(lines.text(all: wantsAll))
        }
        tell(world, result, streams)
        guard let wanted else { return .held }
        let comparison = JournalComparison(lines.records, wanted)
        if !wantsJSON || !comparison.isEqual { streams.writeError(comparison.text) }
        return comparison.isEqual ? .held : .failed
    }

    /// Says what is to be known besides the records.
    private func tell(_ world: ReplayWorld, _ result: RunResult, _ streams: Streams) {
        for note in world.notes { streams.writeError("note: \(note)\n") }
        for replay in world.replays {
            for difference in replay.differences + replay.missingCommands {
                streams.writeError("differs: \(difference)\n")
            }
        }
        if case .lost(let reason) = result.end { streams.writeError("lost: \(reason)\n") }
    }
}
