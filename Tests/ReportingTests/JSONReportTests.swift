import Reporting
import Testing

@Suite("JSON report")
struct JSONReportTests {
    private func text(_ scenario: String) throws -> String {
        let report = Played.run(.scenario(try Played.report(scenario)))
        return String(decoding: JSONReport.bytes(report), as: UTF8.self)
    }

    /// The keys at a depth of the indented document, in order.
    private func keys(_ text: String, depth: Int) -> [String] {
        let indent = String(repeating: "  ", count: depth) + "\""
        return text.split(separator: "\n").filter { $0.hasPrefix(indent) && $0.contains("\": ") }
            .map { String($0.dropFirst(indent.count).prefix { $0 != "\"" }) }
    }

    @Test(arguments: [Played.holding, Played.failing])
    func theSameRunGivesTheSameBytes(scenario: String) throws {
        #expect(try text(scenario) == text(scenario))
    }

    @Test func keysComeInTheirOrder() throws {
        let text = try text(Played.failing)
        #expect(
            keys(text, depth: 1) == [
                "version", "seed", "choices", "endpoint", "plant", "sdkProfile", "scenarios",
                "invalidFiles",
                "notRun", "unreached", "skipComplaints", "totals", "exitCode",
            ]
        )
        #expect(
            keys(text, depth: 3) == [
                "file", "name", "cell", "reader", "status", "verdict", "reason", "refusals",
                "lawsOff",
                "repeat", "difference", "failures", "fingerprint", "eventCount",
                "durationNanoseconds",
                "recordCount", "records", "ledger", "takenBranches", "untakenBranches",
            ]
        )
    }

    @Test func aFailureIsThereWithKindLineAndRecord() throws {
        let text = try text(Played.failing)
        #expect(
            text.contains("\"kind\": \"check\",\n          \"law\": null,\n          \"line\": 7")
        )
        #expect(text.contains("\"status\": \"failed\""))
        #expect(text.contains("\"exitCode\": 1\n"))
    }

    @Test func branchesAreListedAsTakenAndNotTaken() throws {
        let text = try text(Played.holding)
        let parts = text.split(separator: "\"takenBranches\"")
        #expect(parts.count == 2)
        let lists = parts[1].split(separator: "\"untakenBranches\"")
        #expect(lists[0].contains("\"branch\": 2,"))
        #expect(lists[1].contains("\"branch\": 1,"))
    }

    @Test func differentRunsHaveDifferentFingerprints() throws {
        func fingerprint(_ text: String) -> Substring? {
            text.split(separator: "\n").first { $0.contains("\"fingerprint\"") }
        }
        let swiped = try fingerprint(text(Played.holding))
        let unplugged = try fingerprint(text(Played.holding + "\n  - unplug\nevents: loose"))
        #expect(swiped != nil && swiped != unplugged)
    }
}
