import CardData
import EventLoops
import Journal
import Kernel
import Reporting
import ScenarioLanguage
import Transports

/// `cardrig conform`: plays one suite of probes on a real reader and on its simulator.
struct ConformVerb: Verb {
    static let name = "conform"
    static let summary = "Compares a real reader with its simulator, probe by probe."
    static let help = """
        Usage: cardrig conform --reader ENDPOINT [--as READER] [OPTIONS]

        Plays one suite of probes on a reader and on its simulator: who it is, every command that
        changes nothing, a good and a bad swipe, pulling it out and putting it back, and what a host
        may do wrong. Differences are listed by kind: messages, order, timing, errors. Exit code 0
        when there is none, 1 when there are, 3 when the reader or the hand is lost.

          --reader ENDPOINT   usb:…, usbip:HOST:PORT, serial:PATH, tcp:HOST:PORT,
                              rfc2217:HOST:PORT, or with --bench the name of a reader of the bench.
          --as READER         \(ServedReaderKind.names.joined(separator: ", ")); without it a \
        dynamag on USB, or what the bench
                              says.
          --profile FILE      Writes what this firmware does, as settings of the simulator.
          --reader-profile FILE
                              Compares with a simulator that follows such a file.
          --no-hands          Leaves out what needs a hand.
          --timing-tolerance D
                              Times differ from here on (default 20ms, and a third of the longer).
          --json              Writes the report as JSON.
          --operator WHO, --assume-operator PROGRAM, --hand-timeout D
                              Who plays the hands, as for `run`.

          Example: ./cardrig conform --reader usb:0801:0011 --profile dynamag.yaml

        """

    private let options: ConformOptions

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        options = try ConformOptions(reader)
    }

    func run(_ streams: Streams) -> ExitCode {
        let interruption = Interruption()
        defer { withExtendedLifetime(interruption) {} }
        var report = ConformReport(kind: options.kind, endpoint: options.run.endpoint.description)
        do throws(ProbeStop) {
            try play(interruption, &report, streams)
        } catch {
            switch error {
            case .interrupted: return .interrupted
            case .lost(let reason), .skipped(let reason):
                streams.complain("conform: \(SafeText(scrubbing: reason))")
                return .lost
            }
        }
        if options.wantsJSON {
            streams.write(report.json)
        } else {
            streams.write(report.summary)
        }
        if let path = options.profilePath, let profile = report.profile {
            do throws(KernelError) {
                try FileBytes.write(Array(profile.text.utf8), to: path)
            } catch {
                streams.complain("--profile: \(error)")
                return .lost
            }
        }
        return report.differences.isEmpty ? .held : .failed
    }

    private func play(
        _ interruption: Interruption,
        _ report: inout ConformReport,
        _ streams: Streams
    ) throws(ProbeStop) {
        let line: LiveProbeLine
        do throws(KernelError) {
            let inner = try OperatorFactory.make(options.run)
            let desk = try options.run.desk.map { desk throws(KernelError) in
                try DeskOperator(desk, inner: inner)
            }
            guard let transport = try options.run.endpoint.makeTransport() else { return }
            line = try LiveProbeLine(
                transport,
                readerName: options.kind.rawValue,
                hands: desk ?? inner,
                handTimeout: options.run.handTimeout,
                interruption: interruption
            )
        } catch {
            throw .lost("\(error)")
        }
        defer { line.close() }
        guard try line.awaitAttach(within: .seconds(6)) else { throw .lost(line.absence) }
        if options.kind != .miura { try line.drain() }
        var results: [ProbeResult] = []
        let simulated = try simulatedResults()
        let comparison = ReaderComparison(tolerance: options.tolerance)
        try options.kind.probes(on: line).run(options.wantsHands) { result in
            results.append(result)
            let differences = comparison.differences([result], simulated)
            report.add(result, differences)
            if !options.wantsJSON { streams.write(report.text(result, differences)) }
        }
        let search = ProfileSearch(
            kind: options.kind,
            hands: options.wantsHands,
            comparison: comparison,
            reader: results
        )
        let found = search.run(from: options.simulator?.settings ?? [])
        report.conclude(found.settings, found.remaining)
    }

    private func simulatedResults() throws(ProbeStop) -> [ProbeResult] {
        let reader: any ServedReader
        do throws(UsageError) {
            reader =
                try options.simulator.map { profile throws(UsageError) in
                    try ProfileFile.reader(options.kind, profile)
                } ?? options.kind.make()
        } catch {
            throw .lost(error.description)
        }
        return try ProfileSearch.simulated(options.kind, reader, hands: options.wantsHands)
    }
}
