import Kernel
import Testing

@Suite("State file")
struct StateFileTests {
    private let path =
        (ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp")
        + "/cardrig-state-\(ProcessEnvironment.processID)-\(MonotonicClock.now)"

    private var content: String {
        get throws { String(decoding: try FileBytes.read(path: path, limit: 1_000), as: UTF8.self) }
    }

    @Test func whatIsAppendedIsThereForTheNext() throws {
        defer { FileBytes.remove(path: path) }
        do {
            let file = try StateFile(path: path)
            try file.append(Array("one\n".utf8))
            try file.append(Array("two\n".utf8))
            try file.sync()
        }
        #expect(try content == "one\ntwo\n")
        let file = try StateFile(path: path)
        try file.append(Array("three\n".utf8))
        #expect(try content == "one\ntwo\nthree\n")
    }

    @Test func aNewContentReplacesTheOldAndGrows() throws {
        defer { FileBytes.remove(path: path) }
        var file = try StateFile(path: path)
        try file.append(Array("old\n".utf8))
        try file.replace(with: Array("new\n".utf8))
        try file.append(Array("more\n".utf8))
        #expect(try content == "new\nmore\n")
        #expect(Paths.kind(of: "\(path).\(ProcessEnvironment.processID).part") == nil)
    }

    @Test func onlyOneHasItAlsoAfterItWasReplaced() throws {
        defer { FileBytes.remove(path: path) }
        var file = try StateFile(path: path)
        #expect(throws: KernelError.self) { _ = try StateFile(path: path) }
        try file.replace(with: [])
        do {
            _ = try StateFile(path: path)
            Issue.record("two have it")
        } catch {
            #expect(error.code == .busy)
        }
    }

    @Test func aFolderThatIsMissingIsAnError() {
        #expect(throws: KernelError.self) { _ = try StateFile(path: path + "/no/file") }
    }
}
