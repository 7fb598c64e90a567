import EventLoops
import ScenarioLanguage

/// The arguments of `conform`.
struct ConformOptions {
    var run: RunOptions
    var kind: ServedReaderKind
    /// Where the profile is written; `nil` writes none.
    var profilePath: String?
    /// The profile that the simulator follows meanwhile.
    var simulator: ReaderProfile?
    var wantsHands: Bool
    var tolerance: VirtualDuration
    var wantsJSON: Bool

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        let kinds = ServedReaderKind.names.joined(separator: ", ")
        let kind = try reader.takeValue("--as", expected: kinds) { ServedReaderKind(rawValue: $0) }
        profilePath = try reader.takeValue("--profile", expected: "a file", RunOptions.word)
        wantsHands = try !reader.takeFlag("--no-hands")
        tolerance =
            try reader.takeValue("--timing-tolerance", expected: "a length of time such as 20ms") {
                RunOptions.duration($0)
            } ?? .milliseconds(20)
        run = try RunOptions(reader)
        wantsJSON = run.wantsJSON
        guard run.paths.isEmpty else { throw .wrong("conform plays its own probes, no scenarios") }
        guard run.endpoint.isLive else {
            throw .wrong("conform wants a real reader: --reader usb:0801:0011, tcp:HOST:PORT, …")
        }
        let usual: ServedReaderKind? =
            run.desk.flatMap { ServedReaderKind($0.reader.kind) }
            ?? (run.endpoint.level == .usb ? .dynamag : nil)
        guard let found = kind ?? usual else {
            throw .wrong(
                "conform wants to know which reader is at \(run.endpoint.description): --as idynamo "
                    + "or --as miura"
            )
        }
        guard found.isStream == (run.endpoint.level != .usb) else {
            throw .wrong("--as \(found.rawValue): it is not reached over \(run.endpoint.level)")
        }
        self.kind = found
        simulator = run.profile
        guard simulator == nil || simulator?.kind == found.readerKind else {
            throw .wrong("--reader-profile: it is of another kind of reader than \(found.rawValue)")
        }
    }
}
