import Glibc
import Kernel

/// A directory that is gone, with its files, after the closure.
func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    var template = Array("/tmp/kernel-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw NoDirectory() }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { _ = try? ChildProcess(["rm", "-r", path]).waited() }
    return try body(path)
}

struct NoDirectory: Error {}

extension ChildProcess {
    /// Waits for the end, at most ten seconds.
    consuming func waited() throws(KernelError) -> ExitStatus {
        try wait(untilMonotonicNanoseconds: MonotonicClock.now + 10_000_000_000)
    }
}
