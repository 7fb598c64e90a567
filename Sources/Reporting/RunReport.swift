import Exploration
public import ScenarioLanguage
public import ScenarioRunner

/// What became of all files of a `run`, in the order of the files.
public struct RunReport: Sendable {
    /// What became of one file.
    public enum Entry: Sendable {
        /// It holds a scenario.
        case scenario(ScenarioReport)
        /// It is no scenario; these are its mistakes.
        case invalid(file: String, [Diagnostic])
        /// It could not be read; one line says why.
        case unreadable(file: String, reason: String)
        /// Its turn did not come: the run was interrupted, the rig was lost or another scenario
        /// failed before; the name is known where the file was read.
        case notRun(file: String, name: String? = nil)

        /// The file's path, as it was given.
        public var file: String {
            switch self {
            case .scenario(let report): report.scenario.file
            case .invalid(let file, _), .unreadable(let file, _), .notRun(let file, _): file
            }
        }

        /// Whether it ends a run that stops at the first failure.
        public var isFailure: Bool {
            switch self {
            case .scenario(let report): report.status == .failed || report.status == .lost
            case .invalid, .unreadable: true
            case .notRun: false
            }
        }
    }

    /// The program's version.
    public var version: String
    /// The seed that answered where a scenario leaves something open.
    public var seed: UInt64
    /// The list of choices that answered instead of the seed, if one was given.
    public var choices: [Int]?
    /// The schedule that answered instead of the seed, if one was given.
    public var schedule: String?
    /// The endpoint, as on the command line.
    public var endpoint: String
    /// Options that the command to repeat a run must have besides file and seed.
    public var repeatOptions: String
    /// The mistake that is planted in the SDK on purpose, if one is.
    public var plant: String?
    /// Whose library played the SDK in every run; `nil` where the scenarios say.
    public var sdkProfile: String?
    /// What a real reader said of itself, in its order; empty for simulated ones.
    public var readerFacts: [ReaderFact] = []
    /// One for each scenario, and for each file that is none.
    public var entries: [Entry]
    /// What `--strict` complains about: refused scenarios that no list allows, and the reverse.
    public var skipComplaints: [String]
    /// Whether a signal ended the run.
    public var isInterrupted: Bool
    /// When it began, in seconds since 1970; a simulated run begins when its scenarios' clock does.
    public var epochSeconds: Int64

    /// Creates a report.
    public init(
        version: String,
        seed: UInt64,
        choices: [Int]? = nil,
        schedule: String? = nil,
        endpoint: String,
        repeatOptions: String = "",
        plant: String? = nil,
        sdkProfile: String? = nil,
        entries: [Entry],
        skipComplaints: [String] = [],
        isInterrupted: Bool = false,
        epochSeconds: Int64 = Self.scenarioEpochSeconds
    ) {
        self.version = version
        self.seed = seed
        self.choices = choices
        self.schedule = schedule
        self.endpoint = endpoint
        self.repeatOptions = repeatOptions
        self.plant = plant
        self.sdkProfile = sdkProfile
        self.entries = entries
        self.skipComplaints = skipComplaints
        self.isInterrupted = isInterrupted
        self.epochSeconds = epochSeconds
    }

    /// When the clock of a scenario begins by default, 2024-06-03 09:00:00 UTC.
    public static let scenarioEpochSeconds: Int64 = 1_717_405_200

    /// The numbers.
    public var totals: RunTotals { RunTotals(entries) }

    /// How the machine kept time in all runs on the wall clock; `nil` when there was none.
    public var timing: LiveTiming? {
        var sum: LiveTiming?
        for case .scenario(let report) in entries {
            guard let timing = report.result?.timing else { continue }
            sum = sum ?? LiveTiming()
            sum?.add(timing)
        }
        return sum
    }

    /// What the process returns, with precedence 130, 3, 2, 1, 0.
    public var exitCode: ExitCode {
        let totals = totals
        var code = ExitCode.held
        if totals.failed > 0 || !skipComplaints.isEmpty { code = .failed }
        if totals.invalid > 0 || entries.isEmpty { code = code.combined(with: .wrong) }
        let isNothingLeft = totals.refused > 0 && totals.refused + totals.invalid == entries.count
        if totals.lost > 0 || isNothingLeft { code = code.combined(with: .lost) }
        if isInterrupted || totals.interrupted > 0 { code = code.combined(with: .interrupted) }
        return code
    }

    /// The branches of scenarios that passed which no run took: they may be out of date.
    public var unreached: [BranchCoverage.Unreached] {
        var coverage = BranchCoverage()
        for case .scenario(let report) in entries where report.status == .passed {
            coverage.expect(report.prepared)
        }
        for case .scenario(let report) in entries {
            if let result = report.result { coverage.note(result, of: report.prepared) }
        }
        return coverage.unreached
    }

    /// The command that plays one scenario of this run again; a cell of a matrix by its number.
    public func repeatCommand(for file: String, cell: Int? = nil) -> String {
        repeatCommand(for: file, cell: cell, schedule: schedule)
    }

    private func repeatCommand(for file: String, cell: Int?, schedule: String?) -> String {
        let options = (cell.map { " --cell \($0)" } ?? "") + repeatOptions
        if let schedule {
            let word = Self.shellWord(schedule)
            return "./cardrig run \(Self.shellWord(file)) --schedule \(word)\(options)"
        }
        if let choices {
            return Self.repeatCommand(for: file, choices: choices, options: options)
        }
        return "./cardrig run \(Self.shellWord(file)) --seed \(seed)\(options)"
    }

    /// The command that plays what a report is about again.
    func repeatCommand(for report: ScenarioReport) -> String {
        repeatCommand(
            for: report.scenario.file,
            cell: report.cellNumber,
            schedule: report.schedule?.text ?? schedule
        )
    }

    /// The command that plays one order of a scenario again.
    static func repeatCommand(for file: String, choices: [Int], options: String) -> String {
        let list = choices.isEmpty ? "natural" : choices.map(String.init).joined(separator: ",")
        return "./cardrig run \(shellWord(file)) --choices \(list)\(options)"
    }

    /// Returns a word that a shell reads as it is.
    public static func shellWord(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                    UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "="):
                    true
                default: false
                }
            }
        if isPlain { return word }
        var text = "'"
        for character in word { text += character == "'" ? "'\\''" : String(character) }
        return text + "'"
    }
}

/// Something that a real reader said of itself: its serial number, its firmware, a version.
public struct ReaderFact: Hashable, Sendable {
    /// What it is, such as `serial`.
    public var name: String
    /// The value, without card data.
    public var value: String

    /// Creates a fact.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// How many files of a run came to what.
public struct RunTotals: Hashable, Sendable {
    /// All held, or failed exactly as the verdict says.
    public var passed = 0
    /// Among ``passed``: those that failed as their verdict says.
    public var expectedFailures = 0
    /// Something did not hold.
    public var failed = 0
    /// The endpoint cannot do it.
    public var refused = 0
    /// The rig could not be built or was lost.
    public var lost = 0
    /// Somebody interrupted it.
    public var interrupted = 0
    /// No scenario, or not readable.
    public var invalid = 0
    /// Its turn did not come.
    public var notRun = 0

    init(_ entries: [RunReport.Entry]) {
        for entry in entries {
            switch entry {
            case .invalid, .unreadable: invalid += 1
            case .notRun: notRun += 1
            case .scenario(let report):
                if report.judgement == .failedAsItMust { expectedFailures += 1 }
                switch report.status {
                case .passed: passed += 1
                case .failed: failed += 1
                case .refused: refused += 1
                case .lost: lost += 1
                case .interrupted: interrupted += 1
                }
            }
        }
    }
}
