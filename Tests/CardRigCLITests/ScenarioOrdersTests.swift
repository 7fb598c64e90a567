import Reporting
import Testing

@testable import CardRigCLI

/// The keys `explore:` and `choices:` of a scenario in `run`.
@Suite("Orders of a scenario in run")
struct ScenarioOrdersTests {
    private let folder = TemporaryFolder()

    private static let planted = ["--packet-size", "64", "--plant", "keepsBytesAcrossSessions"]
    /// With the plant it fails only when the hand pulls in the middle of a swipe.
    private static let racing = """
        scenario: A reader is pulled out and put back during a swipe
        rig: { reader: dynamag }
        events: loose
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - race:
              within: 300ms
              of:
                - swipe: { card: amex }
                - unplug
                - plug in
          - settle

        """
    private static let exploring = racing + "explore: { runs: 200, seed: 1 }\n"

    private func run(_ arguments: [String]) -> (code: Int32, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(["run"] + arguments, streams: streams)
        return (
            code.rawValue, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    /// The words behind `run` of the command of a report that plays a failure again.
    private func again(_ report: String) throws -> [String] {
        let lines = report.split(separator: "\n").filter { $0.contains("again: ") }
        #expect(lines.count == 1)
        let words = try #require(lines.first).split(separator: " ").map {
            String($0).replacing("'", with: "")
        }
        return Array(words[(try #require(words.firstIndex(of: "run")) + 1)...])
    }

    @Test func exploreFindsWhatTheRunsOwnOrderDoesNotShow() throws {
        let plain = try folder.write("plain.yaml", Self.racing)
        let file = try folder.write("exploring.yaml", Self.exploring)
        #expect(run([plain] + Self.planted).code == 0, "its own order holds")
        #expect(run([file, "--packet-size", "64"]).code == 0, "without the plant all hold")
        let failed = run([file] + Self.planted)
        #expect(failed.code == 1)
        #expect(failed.output.contains(" of 200 that were to be explored"))
    }

    @Test func aFailureOfExploreComesBackByItsSchedule() throws {
        let file = try folder.write("exploring.yaml", Self.exploring)
        let failed = run([file] + Self.planted)
        let command = try again(failed.output)
        #expect(command.contains("--schedule") && !command.contains("--seed"))
        let repeated = run(command)
        #expect(repeated.code == 1)
        #expect(repeated.output.contains("law one-callback-per-swipe"))
        #expect(!repeated.output.contains("to be explored"))
        let json = run([file, "--json"] + Self.planted).output
        #expect(json.contains("--schedule"))
        #expect(!json.contains("exploring.yaml --seed"))
    }

    @Test func choicesPlayTheirOrder() throws {
        let streams = Streams.captured()
        let racing = try folder.write("racing.yaml", Self.racing)
        _ = CardRigCommand.run(["explore", racing] + Self.planted, streams: streams)
        let report = String(decoding: streams.output, as: UTF8.self)
        // The last one is that of the failure, made small.
        let words = report.split(whereSeparator: { $0 == " " || $0 == "\n" })
        let place = try #require(words.lastIndex(of: "--schedule"))
        let schedule = String(words[place + 1]).replacing("'", with: "")
        let text = Self.racing + "choices: \"\(schedule)\"\n"
        let file = try folder.write("chosen.yaml", text)
        #expect(run([file, "--packet-size", "64"]).code == 0)
        let chosen = run([file] + Self.planted)
        #expect(chosen.code == 1)
        #expect(run(try again(chosen.output)).code == 1, "the file's own choices come back")
        #expect(
            run([file, "--choices", "natural"] + Self.planted).code == 0,
            "the command line goes before the file"
        )
    }

    @Test func choicesOfAnotherScenarioAreExitTwo() throws {
        let line = Self.racing.split(separator: "\n", omittingEmptySubsequences: false).count
        let text = Self.racing + "choices: \"1:0123456789abcdef:0.0.0~0>0.0.1\"\n"
        let result = run([try folder.write("other.yaml", text)])
        #expect(result.code == 2)
        #expect(result.output.contains("`choices` in line \(line): it is of another scenario"))
    }
}
