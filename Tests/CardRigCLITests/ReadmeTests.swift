import Kernel
import Testing

@testable import CardRigCLI

/// What the README tells people to type works, and prints what it says.
///
/// Each command is run as it stands by a shell, in a folder that looks like the checkout. Left out
/// are those for a real reader, those whose answer is about the machine, and the launcher's own,
/// which the self-test runs.
@Suite("README", .serialized)
struct ReadmeTests {
    struct Command: Sendable, CustomTestStringConvertible {
        var text: String
        /// What follows it in the README; `nil` where it shows none.
        var output: String?

        var testDescription: String { text }
    }

    /// The checkout: where the tests are started.
    private static let root = "."

    static let commands: [Command] = {
        guard let bytes = try? FileBytes.read(path: root + "/README.md", limit: 1 << 20) else {
            return []
        }
        return commands(String(decoding: bytes, as: UTF8.self)).filter { isOurs($0.text) }
    }()

    private static func isOurs(_ command: String) -> Bool {
        // What serves until it is ended has tests of its own.
        let others = [
            "usb:", "./cardrig self-test", "./cardrig install", "git clone", "serial:",
            "serve gateway", "--gateway", "--usbip", "./cardrig devices", "./cardrig doctor",
        ]
        return command.contains("./cardrig ") && !others.contains { command.contains($0) }
    }

    /// The commands in the console blocks, with what stands below them, and in the tables.
    static func commands(_ text: String) -> [Command] {
        var commands: [Command] = []
        var isConsole = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if isConsole, line.hasPrefix("$ ") {
                commands.append(Command(text: String(line.dropFirst(2))))
            } else if isConsole, let last = commands.indices.last {
                commands[last].output = (commands[last].output ?? "") + line + "\n"
            } else if line.hasPrefix("| ") {
                let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                for (index, part) in parts.enumerated()
                where index % 2 == 1 && part.hasPrefix("./cardrig ") {
                    commands.append(Command(text: String(part)))
                }
            }
        }
        return commands
    }

    @Test func theReadmeHasCommandsAndOutput() {
        #expect(Self.commands.count >= 10)
        #expect(Self.commands.count { $0.output != nil } >= 2)
    }

    @Test(arguments: commands)
    func aCommandDoesWhatTheReadmeSays(command: Command) throws {
        let folder = "/tmp/cardrig-readme-tests.\(ProcessEnvironment.processID)"
        try FileBytes.makeDirectory(folder)
        let log = "\(folder)/output.log"
        defer { _ = try? shell("rm -r '\(folder)'") }
        let program = Self.program
        try #require(
            shell("cp -r Scenarios .ci '\(folder)' && ln -s '\(program)' '\(folder)/cardrig'") == 0
        )
        let status = try shell("cd '\(folder)' && { \(command.text)\n} > '\(log)' 2>&1")
        let bytes = try FileBytes.read(path: log, limit: 1 << 24)
        let output = String(decoding: bytes, as: UTF8.self)
        #expect(status == 0, "\(output)")
        if let expected = command.output { #expect(output == expected) }
    }

    private func shell(_ text: String) throws -> Int32 {
        var child = try ChildProcess(["sh", "-c", text])
        let limit = MonotonicClock.now + 60_000_000_000
        return try child.wait(untilMonotonicNanoseconds: limit).shellCode
    }

    /// The program as it was built beside the tests.
    private static var program: String {
        let tests = ProcessEnvironment.programPath ?? ""
        let arguments = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? tests
        return arguments.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/cardrig"
    }
}
