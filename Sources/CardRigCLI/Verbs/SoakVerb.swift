import CardCrypto
import EventLoops
import Exploration
import Journal
import Kernel
import Plays
import Reporting
import Rig
import ScenarioLanguage
import ScenarioRunner

/// `cardrig soak`: the sweeps and long plays of the self-test; hidden, since nobody else needs it.
struct SoakVerb: Verb {
    static let name = "soak"
    static let isHidden = true
    static let summary = "Sweeps and long plays of the self-test."
    static let help = """
        Usage: cardrig soak [--long [--minutes N]] [--seeds N] [--plays N] [--payments N]

        Unplugs a reader before every byte of a swipe, splits a stream before every byte, and plays
        the folder Scenarios with other seeds: 20 of them, with --long 2000. Each is played twice
        and must give the same journal. Each world that can be played without a scenario is played
        10,000 times: no law may break. Then 20,000 card payments are played, with --long 1,000,000:
        memory and rate must stay as they are, and what the app was told must be what the service
        booked. --seeds, --plays and --payments say other numbers; 0 leaves a part out. With --long
        it measures the explorer too: the time to find a mistake that takes three deviations, its
        rate, and memory and rate of a random search of 10 seconds, or of --minutes.

          Example: ./cardrig soak --long

        """

    private static let shortSearchSeconds: Int64 = 10

    private let seedCount: UInt64
    /// How often each world is played.
    private let playCount: Int
    /// How many card payments are taken.
    private let paymentCount: Int
    /// How long the explorer's long search lasts, in nanoseconds; `nil` measures nothing.
    private let searchNanoseconds: Int64?

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        let isLong = try reader.takeFlag("--long")
        let minutes = try reader.takeValue("--minutes", expected: "a number from 1 to 600") {
            RunOptions.number($0).flatMap { (1...600).contains($0) ? Int64($0) : nil }
        }
        guard isLong || minutes == nil else { throw .wrong("--minutes goes with --long") }
        seedCount = UInt64(try Self.take("--seeds", from: &reader) ?? (isLong ? 2_000 : 20))
        playCount = try Self.take("--plays", from: &reader) ?? 10_000
        paymentCount =
            try Self.take("--payments", from: &reader) ?? (isLong ? 1_000_000 : 20_000)
        let seconds = minutes.map { $0 * 60 } ?? Self.shortSearchSeconds
        searchNanoseconds = isLong ? seconds * 1_000_000_000 : nil
        let rest = try reader.takePositionals()
        guard rest.isEmpty else { throw .wrong("soak takes no paths") }
    }

    private static func take(
        _ name: String,
        from reader: inout ArgumentReader
    ) throws(UsageError) -> Int? {
        try reader.takeValue(name, expected: "a number from 0 to 10000000") {
            RunOptions.number($0).flatMap { (0...10_000_000).contains($0) ? Int($0) : nil }
        }
    }

    func run(_ streams: Streams) -> ExitCode {
        var code = ExitCode.held
        let readers: [(name: String, kind: ReaderKind, packetByteCount: Int)] = [
            ("idynamo, 500-byte blocks", .idynamo, 8), ("dynamag, 8-byte packets", .dynamag, 8),
            ("dynamag, 64-byte packets", .dynamag, 64),
        ]
        for reader in readers {
            let cut = ByteSweep.cut(reader.kind, packetByteCount: reader.packetByteCount)
            code = code.combined(with: report(cut, "unplugged", "\(reader.name)", streams))
            // Only a stream is split on its way: the packets of a report are whole or not there.
            guard reader.kind == .idynamo else { continue }
            let split = ByteSweep.split(reader.kind, packetByteCount: reader.packetByteCount)
            code = code.combined(with: report(split, "split", "\(reader.name)", streams))
        }
        if let searchNanoseconds {
            let measurements = SearchMeasurements(
                streams: streams,
                nanoseconds: searchNanoseconds
            )
            code = code.combined(with: measurements.run())
        }
        if seedCount > 0 { code = code.combined(with: playSeeds(streams)) }
        if playCount > 0 {
            for world in PlayedWorld.allCases { code = code.combined(with: play(world, streams)) }
        }
        return paymentCount > 0 ? code.combined(with: takePayments(streams)) : code
    }

    private func report(
        _ found: ByteSweep.Result,
        _ what: String,
        _ reader: String,
        _ streams: Streams
    ) -> ExitCode {
        let isGood = found.complaints.isEmpty && found.positionCount > 0
        let mark = isGood ? streams.style.passed("ok  ") : streams.style.failed("FAIL")
        streams.write(
            "\(mark) \(reader): \(what) at \(found.positionCount) places, "
                + "\(found.cardCount) times with the card\n"
        )
        for complaint in found.complaints { streams.write("     \(complaint)\n") }
        return isGood ? .held : .failed
    }

    private func play(
        _ prepared: PreparedScenario,
        _ seed: UInt64,
        _ cache: CryptoCache
    ) -> RunResult {
        let options = RigOptions(choices: .seeded(seed))
        let configuration = RigConfiguration(prepared.scenario.rig, options: options)
        return ScenarioRunner.play(prepared, on: Rig(configuration, cache: cache))
    }

    /// Plays a scenario twice.
    private func complaintsAbout(
        _ prepared: PreparedScenario,
        _ seed: UInt64,
        _ cache: CryptoCache
    ) -> [String] {
        let first = play(prepared, seed, cache)
        let second = play(prepared, seed, cache)
        var complaints: [String] = []
        let judgement = Judgement(first, verdict: prepared.scenario.verdict)
        if judgement != .held, judgement != .failedAsItMust { complaints.append("it did not hold") }
        if let difference = RunDifference(between: first, and: second, of: prepared) {
            complaints.append("two plays differ: \(difference.place)")
        }
        return complaints
    }

    /// Plays a world with the seeds from 1 on; the same plays each time.
    private func play(_ world: PlayedWorld, _ streams: Streams) -> ExitCode {
        let cache = CryptoCache()
        var complaints: [String] = []
        for seed in 0..<UInt64(playCount) {
            let found = world.complaints(seed: seed + 1, cache: cache)
            complaints += found.map { "seed \(seed + 1): \($0)" }
        }
        let mark = complaints.isEmpty ? streams.style.passed("ok  ") : streams.style.failed("FAIL")
        streams.write("\(mark) \(world.title): \(playCount) plays at random\n")
        for complaint in complaints.prefix(10) { streams.write("     \(complaint)\n") }
        return complaints.isEmpty ? .held : .failed
    }

    private func takePayments(_ streams: Streams) -> ExitCode {
        let soak = PaymentSoak(paymentCount: paymentCount)
        let complaints = soak.complaints
        let mark = complaints.isEmpty ? streams.style.passed("ok  ") : streams.style.failed("FAIL")
        streams.write("\(mark) \(soak.summary)\n")
        for complaint in complaints.prefix(10) { streams.write("     \(complaint)\n") }
        return complaints.isEmpty ? .held : .failed
    }

    /// Plays each scenario with each seed, twice.
    private func playSeeds(_ streams: Streams) -> ExitCode {
        let found = ScenarioFiles([])
        for problem in found.problems { streams.complain(problem) }
        guard found.problems.isEmpty else { return .wrong }
        let cache = CryptoCache()
        var runCount = 0
        var complaints: [String] = []
        for file in found.files {
            for cell in LoadedScenario(file: file).cells
            where cell.prepared.scenario.levels.contains(.sim) {
                let option = cell.number.map { " --cell \($0)" } ?? ""
                for seed in 1...seedCount {
                    runCount += 1
                    for complaint in complaintsAbout(cell.prepared, seed, cache) {
                        complaints.append("\(file)\(option) --seed \(seed): \(complaint)")
                    }
                }
            }
        }
        let mark = complaints.isEmpty ? streams.style.passed("ok  ") : streams.style.failed("FAIL")
        streams.write("\(mark) \(found.files.count) scenarios, \(runCount) plays, each twice\n")
        for complaint in complaints.prefix(10) { streams.write("     \(complaint)\n") }
        return complaints.isEmpty ? .held : .failed
    }
}
