import Journal
import Kernel
import ScenarioLanguage
import Testing

/// Files that nobody wrote in good faith: one clear error each, soon and in bounded memory.
@Suite("Hostile files")
struct HostileFileTests {
    /// What it may take, in a debug build on a busy machine.
    private static let patience = Duration.seconds(5)

    private func complaint(_ bytes: [UInt8]) -> [String] {
        var complaints: [String] = []
        let duration = ContinuousClock().measure {
            let parsed = ScenarioParser.parse(file: "a.yaml", bytes: bytes)
            #expect(parsed.scenarios.isEmpty)
            complaints = parsed.diagnostics.map {
                "\($0.location.line):\($0.location.column): \($0.message)"
            }
        }
        #expect(duration < Self.patience)
        return complaints
    }

    private func complaint(_ text: String) -> [String] { complaint(Array(text.utf8)) }

    @Test func fiftyMegabytesAreTooMany() {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 50 << 20)
        #expect(complaint(bytes) == ["1:1: expected at most 1048576 bytes, found 52428800"])
    }

    @Test func aFileOfFiftyMegabytesIsNotRead() throws {
        let path = "/tmp/cardrig-hostile-\(MonotonicClock.now).yaml"
        try FileBytes.write([UInt8](repeating: 0x61, count: 50 << 20), to: path)
        defer { FileBytes.remove(path: path) }
        let error = #expect(throws: KernelError.self) {
            _ = try FileBytes.read(path: path, limit: 1 << 20)
        }
        #expect(error?.description.contains(path) == true)
    }

    @Test func aDirectoryIsNoFile() {
        let error = #expect(throws: KernelError.self) {
            _ = try FileBytes.read(path: "/tmp", limit: 1 << 20)
        }
        #expect(error?.description.contains("directory") == true)
    }

    @Test func anAliasBombEndsAtItsFirstAnchor() {
        var text = "scenario: a\nsteps:\n  - &a0 [lol]\n"
        for level in 1...30 {
            text += "  - &a\(level) [*a\(level - 1), *a\(level - 1), *a\(level - 1)]\n"
        }
        #expect(complaint(text) == ["3:5: expected a value, found an anchor (&name)"])
    }

    @Test func listsInListsEndAtSixtyFour() {
        let text = String(repeating: "[", count: 100_000)
        #expect(
            complaint(text) == ["1:65: expected at most 64 levels of lists and maps, found more"]
        )
        let steps =
            String(repeating: "{ do: [", count: 40) + "unplug"
            + String(repeating: "] }", count: 40)
        #expect(complaint("scenario: a\nrig: { reader: idynamo }\nsteps: [\(steps)]\n").count == 1)
    }

    @Test func tooManyNodesAreOneMistake() {
        let text = "[" + String(repeating: "a,", count: 500_000) + "]"
        #expect(complaint(text).count == 1)
    }

    @Test func oneLineOfAMegabyteIsReadAtOnce() {
        let text =
            "scenario: a\nrig: { reader: idynamo }\nsteps: ["
            + String(repeating: "fly, ", count: 45_000) + "]\n"
        #expect(complaint(text).count == ScenarioParser.maximumDiagnosticCount)
    }

    @Test func bytesThatAreNotUTF8AreFound() {
        let bytes = Array("scenario: a\nrig: ".utf8) + [0xC3, 0x28, 0xFF]
        #expect(complaint(bytes) == ["2:6: expected UTF-8, found a byte that is not"])
    }

    @Test func zeroBytesAreFound() {
        #expect(complaint([UInt8](repeating: 0, count: 4_096)).count == 1)
    }

    @Test func aTabIsFound() {
        #expect(
            complaint("scenario: a\nrig:\n\treader: idynamo\n")
                == ["3:1: expected blanks for indentation, found a tab"]
        )
    }

    @Test func aKeyTwiceIsFound() {
        let text = "scenario: a\nscenario: b\nrig: { reader: idynamo }\nsteps: [plug in]\n"
        #expect(complaint(text) == ["2:1: expected each key once, found 'scenario' again"])
    }

    @Test func everyCutOfAFileIsReadOrRefused() {
        let bytes = Array(
            """
            scenario: "a <b>"
            matrix: { b: [1, {c: d}] }
            rig: { readers: { left: idynamo }, link: { faults: [{ drop, at: { block: 1 } }] } }
            steps:
              - on: { didSwipeCard: { card: none } }
                do: [unplug, link: { corrupt: 3, at: { block: 1, byte: 2 } }]
              - repeat: { times: 2, until: misuse, steps: [expect-state: { isConnected: true }] }
              - count: [{ of: misuse, at least: 1 }, { booked: 2 }]
            """.utf8
        )
        for end in bytes.indices {
            let parsed = ScenarioParser.parse(file: "a.yaml", bytes: Array(bytes[..<end]))
            #expect(parsed.scenarios.isEmpty == !parsed.diagnostics.isEmpty)
        }
    }
}
