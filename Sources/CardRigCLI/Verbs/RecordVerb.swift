import EventLoops
import Kernel
import LiveTransports
import Reporting
import Transports

/// `cardrig record`: writes what a real reader says into a file.
struct RecordVerb: Verb {
    static let name = "record"
    static let summary = "Records what a real reader says as pcapng."
    static let help = """
        Usage: cardrig record --reader ENDPOINT --output FILE [OPTIONS]

        Listens to a reader on USB, a serial line or the network and writes what it says as pcapng,
        which Wireshark opens, until Ctrl-C. Card data is replaced by stand-ins (Docs/captures.md).
        What was written can be read whatever ends the program.

          --reader ENDPOINT  usb:VID:PID[:SERIAL], usb:BUS-PORT, serial:PATH, tcp:HOST:PORT or
                             rfc2217:HOST:PORT.
          --output FILE      The file; one that is there is emptied when the reader has come.
          --for D            Ends after so long, such as 30s.
          --unsafe-keep-card-data
                             The file holds card data as it was, and says so.

          Example: ./cardrig record --reader usb:0801:0011 --output swipe.pcapng

        """

    private let endpoint: Endpoint
    private let path: String
    private let limit: VirtualDuration?
    private let keepsCardData: Bool

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        endpoint = try RunOptions.takeEndpoint(&reader)
        guard endpoint.isLive else {
            throw .wrong(
                "record wants --reader with a real reader; `run --record` records simulated ones"
            )
        }
        guard let path = try reader.takeValue("--output", expected: "a file", RunOptions.word)
        else { throw .wrong("record wants --output FILE") }
        self.path = path
        limit = try reader.takeValue("--for", expected: "a length of time such as 30s") {
            RunOptions.duration($0)
        }
        keepsCardData = try reader.takeFlag("--unsafe-keep-card-data")
        let rest = try reader.takePositionals()
        guard rest.isEmpty else { throw .wrong("record wants nothing besides its options") }
    }

    func run(_ streams: Streams) -> ExitCode {
        let interruption = Interruption()
        defer { withExtendedLifetime(interruption) {} }
        do {
            guard var transport = try endpoint.makeTransport() else { return .wrong }
            try FileBytes.checkWritable(path)
            var recording: LiveRecording?
            var problem = try listen(&transport, &recording, interruption, streams)
            if recording == nil, problem == nil, !interruption.hasCome {
                problem = transport.absence
            }
            if let count = try recording?.flush() {
                streams.write("\(path): \(count) units")
                streams.write(recording?.wire.map { " of \($0)\n" } ?? "\n")
            }
            if let problem {
                streams.complain(problem)
                return .lost
            }
            return interruption.hasCome ? .interrupted : .held
        } catch {
            streams.complain("\(error)")
            return .lost
        }
    }

    /// Listens until the time is over or somebody wants the end; returns why it cannot go on.
    private func listen(
        _ transport: inout any LiveTransport,
        _ recording: inout LiveRecording?,
        _ interruption: Interruption,
        _ streams: Streams
    ) throws -> String? {
        let clock = try EventLoops.WallClock()
        let begin = Kernel.WallClock.now
        try clock.watch(transport.wakeDescriptor)
        if let descriptor = interruption.descriptor { try clock.watch(descriptor) }
        let end = limit.map { clock.now + $0 } ?? .distantFuture
        transport.open(at: clock.now)
        transport.grant(credits: 64)
        defer { transport.close(at: clock.now) }
        while !interruption.hasCome, clock.now < end {
            while let event = transport.nextEvent(at: clock.now) {
                switch event {
                case .received: transport.grant(credits: 1)
                case .attached:
                    streams.writeError("the reader is there\n")
                    if recording == nil { recording = try makeRecording(begin) }
                case .detached: streams.writeError("the reader is gone\n")
                case .unusable(let problem): return problem.description
                case .featureFinished: break
                }
                recording?.note(event, at: clock.now)
            }
            let deadline = recording?.deadline ?? .distantFuture
            if deadline <= clock.now { try recording?.flush() }
            try clock.sleep(until: min(end, recording?.deadline ?? .distantFuture))
        }
        return nil
    }

    private func makeRecording(_ begin: Int64) throws(KernelError) -> LiveRecording {
        var isUSB = false
        if case .usb = endpoint { isUSB = true }
        return try LiveRecording(
            path,
            readerName: endpoint.description,
            isUSB: isUSB,
            keepsCardData: keepsCardData,
            beginNanoseconds: begin
        )
    }
}
