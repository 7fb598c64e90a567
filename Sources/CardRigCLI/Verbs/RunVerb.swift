import Kernel
import Reporting

/// `cardrig run`: plays scenarios and reports what became of them.
struct RunVerb: Verb {
    static let name = "run"
    static let summary = "Plays scenarios and reports what held and what did not."
    static let help = """
        Usage: cardrig run [PATH...] [OPTIONS]

        Plays scenario files and the .yaml files in folders; without a path the folder Scenarios.

          --reader ENDPOINT   sim: (default: the scenario's own readers, simulated), sim:idynamo,
                              sim:dynamag, usb:VID:PID[:SERIAL], usb:BUS-PORT,
                              usbip:HOST:PORT[/BUSID], serial:PATH[?baud=N], tcp:HOST:PORT,
                              rfc2217:HOST:PORT[?baud=N]
          --bench FILE        What lies on the desk: readers and cards by name, and who has the keys
                              (Docs/hardware.md). --reader then names one of its readers, and can
                              be left out when there is only one.
          --reader-profile FILE
                              Simulated readers do what a real one was seen to do: a file that
                              `conform --profile` wrote.
          --gateway WHERE     nmi=http://HOST:PORT or agentcash=http://HOST:PORT, both with a comma
                              between: gateways of `serve gateway` instead of those in this
                              process, in real time. The merchant's credentials come from the
                              environment; Docs/http.md names the variables.
          --seed N            Answers where a scenario leaves something open (default 1).
          --choices LIST      Answers from a list instead.
          --schedule STRING   Plays the order that `explore` or a repro file names.
          --jobs N            So many workers; the report is the same for any number.
          --filter TEXT       Only scenarios whose name or path holds the text, or fits it as a
                              pattern with * and ?.
          --cell N            Only this cell of the file's matrix, counted from 1.
          --fail-fast         Ends with the first that does not hold.
          --twice             Plays everything again and shows the first record that differs.
          --json              Writes the report as JSON.
          --junit FILE        Writes the report as JUnit's XML into a file besides.
          --record PATH       Records each run as pcapng: into the file, or into the folder when
                              there are several scenarios or PATH ends with a slash. Card data is
                              replaced by stand-ins, see Docs/captures.md.
          --unsafe-keep-card-data
                              Recordings hold card data as it was, and say so.
          --operator WHO      Who does what only hands can do at a real reader: terminal,
                              program:COMMAND or control:PLACE, where `serve --control` or
                              another program listens: the path of a unix socket, or
                              127.0.0.1:PORT. Without it the socket named by CARDRIG_OPERATOR, or
                              else a person at the terminal.
          --assume-operator PROGRAM
                              Runs a program for each step of a hand, such as one that moves a
                              robot arm; Docs/hardware.md has its arguments and exit codes.
          --hand-timeout D    How long a hand may take for one step (default 60s).
          --cold              Has the reader unplugged before a scenario that begins with
                              `plug in`; else one that is there counts as plugged in.
          --strict            A refused scenario that is not listed in .ci/skips fails the run.
          --skips FILE        Another list than .ci/skips.
          --packet-size N     8 (default) or 64 bytes: the packets of simulated USB readers.
          --sdk-profile NAME  careful: what cannot be a card is a bad swipe. observed: cards as the
                              published library was seen to make them, mistakes included. Without
                              it the scenario says.

          Example: ./cardrig run Scenarios/idynamo --reader usb:0801:0011

        """

    let options: RunOptions

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        options = try RunOptions(reader)
    }

    func run(_ streams: Streams) -> ExitCode {
        let began = MonotonicClock.now
        let found = ScenarioFiles(options.paths)
        for problem in found.problems { streams.complain(problem) }
        let skips: SkipList?
        do throws(KernelError) {
            skips = try skipList()
        } catch {
            streams.complain("--skips: \(error)")
            return .wrong
        }
        guard !found.files.isEmpty else { return .wrong }
        if let problem = overwrites(found.files) {
            streams.complain(problem)
            return .wrong
        }
        if let path = options.recordPath, let problem = Recorder.problem(path, found.files.count) {
            streams.complain(problem)
            return .wrong
        }
        if let path = options.recordPath {
            do throws(KernelError) {
                try Recorder.prepare(path, scenarios: found.files)
            } catch {
                streams.complain("--record \(path): \(error); nothing was run")
                return .lost
            }
        }

        if options.schedule != nil, found.files.count > 1 {
            streams.complain("--schedule: name the one file whose order it is")
            return .wrong
        }
        if options.cell != nil, found.files.count > 1 {
            streams.complain("--cell: name the one file whose cell it is")
            return .wrong
        }
        if let path = options.junitPath, let problem = Self.problem(path) {
            streams.complain(problem)
            return .wrong
        }

        let interruption = Interruption()
        // A second signal must not end the process while the report is written.
        defer { withExtendedLifetime(interruption) {} }
        var session = RunSession(options: options, interruption: interruption)
        if streams.hasTerminal, case .simulated = options.endpoint {
            session.progress = Progress(fileCount: found.files.count)
        }
        var report = session.emptyReport
        let console = ConsoleReport(style: streams.style)
        var problems: [String] = []
        report.readerFacts = session.play(found.files) { outcome in
            session.progress?.finish()
            report.entries += outcome.entries
            problems += outcome.problems
            var text = ""
            for entry in outcome.entries {
                if case .invalid(_, let diagnostics) = entry {
                    for diagnostic in diagnostics { streams.writeError("\(diagnostic)\n") }
                }
                if !options.wantsJSON { text += console.text(entry, of: report) }
            }
            streams.write(text)
        }
        for problem in problems { streams.complain(problem) }
        guard !report.entries.isEmpty else {
            streams.complain(nothingMatched)
            return .wrong
        }
        if options.isStrict {
            let list = skips ?? SkipList(path: SkipList.defaultPath, bytes: [])
            report.skipComplaints = list.complaints(about: report.entries)
        }
        report.isInterrupted = interruption.hasCome
        if options.wantsJSON {
            streams.write(JSONReport.bytes(report))
        } else {
            streams.write(console.summary(report))
        }
        if let path = options.junitPath {
            do throws(KernelError) {
                try FileBytes.write(JUnitReport.bytes(report), to: path)
            } catch {
                streams.complain("--junit: \(error)")
                problems.append("\(error)")
            }
        }
        if streams.hasTerminal {
            let milliseconds = (MonotonicClock.now - began) / 1_000_000
            streams.writeError("in \(milliseconds) ms\n")
        }
        var code = report.exitCode
        if !found.problems.isEmpty { code = code.combined(with: .wrong) }
        if !problems.isEmpty { code = code.combined(with: .lost) }
        return code
    }

    private var nothingMatched: String {
        if let cell = options.cell { return "--cell \(cell): there is no such cell" }
        let text = options.filter?.text ?? ""
        return "--filter \(text): no scenario has it in its name or path; "
            + "`cardrig list` shows them"
    }

    /// Returns which output would take the place of a scenario or of another output, or `nil`.
    private func overwrites(_ scenarios: [String]) -> String? {
        let outputs = [("--junit", options.junitPath), ("--record", options.recordPath)]
        for case (let option, let path?) in outputs {
            for scenario in scenarios where Self.isSame(path, scenario) {
                return "\(option) \(path): it is the scenario itself; name another file"
            }
        }
        guard let junit = options.junitPath, let record = options.recordPath,
            Self.isSame(junit, record)
        else { return nil }
        return "--junit and --record both name \(junit); name two files"
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        Paths.kind(of: one) != .other && (one == other || Paths.areSameFile(one, other))
    }

    /// Returns why a report cannot be written into a file, or `nil` when it can be tried.
    private static func problem(_ path: String) -> String? {
        if Paths.kind(of: path) == .directory { return "--junit \(path): it is a folder" }
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
        let folder = String(path[..<slash])
        return Paths.kind(of: folder) == .directory
            ? nil : "--junit \(path): there is no folder \(folder)"
    }

    private func skipList() throws(KernelError) -> SkipList? {
        if let path = options.skipsPath { return try SkipList(path: path) }
        guard options.isStrict, Paths.kind(of: SkipList.defaultPath) != nil else { return nil }
        return try SkipList(path: SkipList.defaultPath)
    }
}
