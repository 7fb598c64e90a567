import Reporting
import Testing

@Suite("Run report")
struct RunReportTests {
    private let bad = RunReport.Entry.invalid(file: "b.yaml", [])
    private let unread = RunReport.Entry.unreadable(file: "u.yaml", reason: "it is gone")

    private func held() throws -> RunReport.Entry { .scenario(try Played.report(Played.holding)) }
    private func failed() throws -> RunReport.Entry { .scenario(try Played.report(Played.failing)) }
    private func refused() throws -> RunReport.Entry {
        .scenario(try Played.refused(Played.holding))
    }

    @Test func whatHeldGivesZeroAndARefusalDoesNotChangeIt() throws {
        #expect(try Played.run(held()).exitCode == .held)
        #expect(try Played.run(held(), refused()).exitCode == .held)
    }

    @Test func failuresGiveOneAndWrongFilesTwo() throws {
        #expect(try Played.run(held(), failed()).exitCode == .failed)
        #expect(try Played.run(failed(), bad).exitCode == .wrong)
        #expect(try Played.run(held(), unread).exitCode == .wrong)
        #expect(Played.run().exitCode == .wrong)
    }

    @Test func nothingLeftToRunIsALostRig() throws {
        #expect(try Played.run(refused()).exitCode == .lost)
        #expect(try Played.run(refused(), bad).exitCode == .lost)
    }

    @Test func anInterruptionComesBeforeEverythingElse() throws {
        var report = try Played.run(failed(), bad)
        report.isInterrupted = true
        #expect(report.exitCode == .interrupted)
    }

    @Test func aComplaintAboutSkipsFailsTheRun() throws {
        var report = try Played.run(held(), refused())
        report.skipComplaints = ["scenario:x.yaml@sim: was refused"]
        #expect(report.exitCode == .failed)
    }

    @Test(arguments: ExitCode.allCases, ExitCode.allCases)
    func theHigherCodeWins(left: ExitCode, right: ExitCode) {
        #expect(left.combined(with: right).rawValue == max(left.rawValue, right.rawValue))
    }

    @Test func theCommandToRepeatIsReadByAShellAsItIsMeant() {
        var report = Played.run()
        report.repeatOptions = " --reader sim:dynamag"
        #expect(
            report.repeatCommand(for: "My scenarios/it's.yaml")
                == "./cardrig run 'My scenarios/it'\\''s.yaml' --seed 7 --reader sim:dynamag"
        )
    }
}
