import Kernel
import Testing

/// `cardrig serve` in a process of its own, with the hand at its control socket.
final class ServedProcess {
    /// How long anything that must happen may take, on a loaded machine.
    static var limit: Int64 { MonotonicClock.now + 20_000_000_000 }

    let folder: TemporaryFolder
    /// Where programs reach the reader: after `tcp`, `pty` or `usbip`.
    private(set) var address = ""
    /// Where hands are played.
    private(set) var control = ""
    private(set) var hand: LineStream?
    private var child: Child
    private var player: Child?

    private final class Child {
        var process: ChildProcess
        init(_ process: consuming ChildProcess) { self.process = process }
    }

    /// Starts it with these arguments behind `serve READER`, and waits until it is there.
    init(
        _ arguments: [String],
        reader: String = "idynamo",
        control place: String? = nil
    ) throws {
        folder = TemporaryFolder()
        let place = place ?? folder.path + "/control"
        let words = (arguments + ["--control", place]).joined(separator: " ")
        child = Child(
            try ChildProcess([
                "sh", "-c",
                "exec \(InterruptionTests.program) serve \(reader) \(words) "
                    + "< /dev/null > \(folder.path)/out 2> \(folder.path)/err",
            ])
        )
        try wait { self.line("control ") != nil }
        control = try #require(line("control "))
        let printed = line("tcp ") ?? line("pty ") ?? line("usbip ")
        address = printed?.split(separator: " ").first.map(String.init) ?? ""
        hand = try LineStream(connectingTo: try #require(ControlPlace(parsing: control)))
    }

    deinit {
        for name in ["out", "err", "report"] { FileBytes.remove(path: folder.path + "/" + name) }
    }

    var processID: Int32 { child.process.processID }
    var output: String { text("out") }
    var errors: String { text("err") }

    /// Says a line and returns the answer.
    @discardableResult
    func say(_ line: String) throws -> String {
        let hand = try #require(hand)
        try hand.send(line)
        return try #require(try hand.nextLine(untilMonotonicNanoseconds: Self.limit))
    }

    /// Waits until something holds.
    func wait(until holds: () throws -> Bool) throws {
        let limit = Self.limit
        let pause = try Poller()
        while try !holds() {
            if let status = child.process.poll() { throw Ended(status: status, errors: errors) }
            try #require(MonotonicClock.now < limit, "it took too long")
            try pause.wait(untilMonotonicNanoseconds: MonotonicClock.now + 5_000_000) { _ in }
        }
    }

    struct Ended: Error {
        var status: Kernel.ExitStatus
        var errors: String
    }

    /// Sends a signal and returns how it ended.
    func end(_ signal: Int32) throws -> Kernel.ExitStatus {
        child.process.signal(signal)
        return try child.process.wait(untilMonotonicNanoseconds: Self.limit)
    }

    /// Waits for its own end.
    func ended() throws -> Kernel.ExitStatus {
        try child.process.wait(untilMonotonicNanoseconds: Self.limit)
    }

    /// Plays scenarios against it, in a third process, and returns how it ended and the report.
    func run(
        _ files: [String],
        reader: String
    ) throws -> (status: Kernel.ExitStatus, report: String) {
        try begin(files, reader: reader)
        return try finish()
    }

    /// Begins to play scenarios against it, in a third process; ``finish()`` waits for their end.
    func begin(_ files: [String], reader: String) throws {
        player = Child(
            try ChildProcess([
                "sh", "-c",
                "exec \(InterruptionTests.program) run \(files.joined(separator: " ")) "
                    + "--reader \(reader) --operator control:\(control) > \(folder.path)/report",
            ])
        )
    }

    /// Waits for the end of what was begun, and returns how it ended and the report.
    func finish() throws -> (status: Kernel.ExitStatus, report: String) {
        let player = try #require(player)
        let limit = MonotonicClock.now + 120_000_000_000
        let status = try player.process.wait(untilMonotonicNanoseconds: limit)
        return (status, text("report"))
    }

    /// Its address, where that is one of TCP.
    func socketAddress() throws -> SocketAddress {
        let colon = try #require(address.lastIndex(of: ":"))
        let port = try #require(UInt16(address[address.index(after: colon)...]))
        return try #require(SocketAddress.inDigits(host: "127.0.0.1", port: port).first)
    }

    /// How many descriptors and threads the process has.
    func holdings() throws -> String {
        let list = ["fd", "task"].map { "ls /proc/\(processID)/\($0) | wc -l" }
        let path = folder.path + "/holdings"
        var child = try ChildProcess(["sh", "-c", "{ \(list.joined(separator: "; ")); } > \(path)"])
        _ = try child.wait(untilMonotonicNanoseconds: Self.limit)
        defer { FileBytes.remove(path: path) }
        return text("holdings")
    }

    /// Connects as any program would.
    func connect() throws -> ByteStream {
        let connecting = try TCPConnecting(to: try socketAddress())
        let poller = try Poller()
        try poller.add(connecting.descriptor, token: 0, readable: false, writable: true)
        try poller.wait(untilMonotonicNanoseconds: Self.limit) { _ in }
        return try connecting.finish()
    }

    private func line(_ start: String) -> String? {
        let text = output
        guard text.hasSuffix("\n") else { return nil }
        return text.split(separator: "\n").last { $0.hasPrefix(start) }.map {
            String($0.dropFirst(start.utf8.count))
        }
    }

    private func text(_ name: String) -> String {
        let bytes = try? FileBytes.read(path: folder.path + "/" + name, limit: 1 << 20)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}

/// Reads until so many bytes came, or the other side is gone.
func read(_ stream: borrowing ByteStream, byteCount: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let poller = try Poller()
    try poller.add(stream.descriptor, token: 0)
    let limit = ServedProcess.limit
    while bytes.count < byteCount, MonotonicClock.now < limit {
        switch stream.read(upTo: 65_536) {
        case .bytes(let piece): bytes += piece
        case .nothing: try poller.wait(untilMonotonicNanoseconds: limit) { _ in }
        case .end, .failed: return bytes
        }
    }
    return bytes
}
