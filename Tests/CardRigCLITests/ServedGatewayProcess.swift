import JSON
import Kernel
import Testing

/// `cardrig serve gateway` in a process of its own, and curl as its client.
final class ServedGatewayProcess {
    let folder: TemporaryFolder
    /// Where it listens, as `http://HOST:PORT`.
    private(set) var url = ""
    private var process: ChildProcess

    /// Starts it with these arguments behind `serve gateway`, and waits until it listens.
    init(_ arguments: String, folder: TemporaryFolder = TemporaryFolder()) throws {
        self.folder = folder
        FileBytes.remove(path: folder.path + "/out")
        process = try ChildProcess([
            "sh", "-c",
            "exec \(InterruptionTests.program) serve gateway \(arguments) --http 127.0.0.1:0 "
                + "< /dev/null > \(folder.path)/out 2> \(folder.path)/err",
        ])
        let pause = try Poller()
        while url.isEmpty {
            try #require(process.poll() == nil, "\(text("err"))")
            try #require(MonotonicClock.now < ServedProcess.limit)
            let line = text("out")
            if line.hasPrefix("listening "), line.hasSuffix("\n") {
                url = String(line.dropFirst(10).dropLast())
            }
            try pause.wait(untilMonotonicNanoseconds: MonotonicClock.now + 5_000_000) { _ in }
        }
    }

    deinit {
        process.signal(9)
        for name in ["out", "err", "answer"] { FileBytes.remove(path: folder.path + "/" + name) }
    }

    var errors: String { text("err") }

    /// Has curl ask at a path, and returns what came.
    func curl(_ path: String, _ arguments: String) throws -> String {
        try shell("curl -sS -m 20 \(arguments) '\(url)\(path)'")
    }

    /// Has the NMI gateway asked for a payment or a report.
    func nmi(_ fields: String, path: String = "/api/transact.php") throws -> String {
        let words = fields.split(separator: "&").map { "--data-urlencode '\($0)'" }
        let key = "-d security_key=CardRigSimulatedGatewayDemoKey01"
        return try curl(path, key + " " + words.joined(separator: " "))
    }

    /// Asks under `/cardrig/`; `json` posts.
    @discardableResult
    func ask(_ path: String, _ json: String? = nil) throws -> JSONValue {
        let post = json.map { "-H 'Content-Type: application/json' -d '\($0)'" } ?? ""
        return try JSONValue(reading: Array(try curl("/cardrig/" + path, post).utf8))
    }

    /// Runs a command and returns what it wrote.
    func shell(_ command: String) throws -> String {
        var child = try ChildProcess(["sh", "-c", "{ \(command); } > \(folder.path)/answer 2>&1"])
        _ = try child.wait(untilMonotonicNanoseconds: MonotonicClock.now + 60_000_000_000)
        return text("answer")
    }

    /// Sends a signal and returns how it ended.
    func end(_ signal: Int32) throws -> Kernel.ExitStatus {
        process.signal(signal)
        return try process.wait(untilMonotonicNanoseconds: ServedProcess.limit)
    }

    private func text(_ name: String) -> String {
        let bytes = try? FileBytes.read(path: folder.path + "/" + name, limit: 16_000_000)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}
