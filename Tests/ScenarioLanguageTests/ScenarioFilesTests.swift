import Kernel
import ScenarioLanguage
import Testing

@Suite("Scenario files")
struct ScenarioFilesTests {
    private static let root = String(
        #filePath.dropLast("Tests/ScenarioLanguageTests/ScenarioFilesTests.swift".count)
    )

    private func scenarios() throws -> [Scenario] {
        try Paths.files(under: Self.root + "Scenarios", withSuffix: ".yaml").flatMap { path in
            let bytes = try FileBytes.read(path: path, limit: 1 << 20)
            let file = String(path.dropFirst(Self.root.count))
            let parsed = ScenarioParser.parse(file: file, bytes: bytes)
            for diagnostic in parsed.diagnostics { Issue.record("\(diagnostic)") }
            return parsed.scenarios
        }
    }

    @Test func everyFileIsAScenarioWithANameOfItsOwn() throws {
        let scenarios = try scenarios()
        #expect(scenarios.count >= 12)
        #expect(Set(scenarios.map(\.name)).count == scenarios.count)
    }

    @Test func onlyThoseThatMustFailHaveAVerdict() throws {
        for scenario in try scenarios() {
            let isNegative = scenario.file.hasPrefix("Scenarios/negative/")
            #expect((scenario.verdict != nil) == isNegative, "\(scenario.file)")
        }
    }

    @Test func allButTheseCanRunOnUSB() throws {
        var simulatedOnly: [String] = []
        for scenario in try scenarios() where !scenario.levels.contains(.usb) {
            // No reader at an audio jack has an endpoint on USB, and a Miura is not used over it.
            let elsewhere = scenario.rig.readers.contains {
                $0.kind.isAudioJack || $0.kind == .miura
            }
            if elsewhere || scenario.rig.readers.isEmpty { continue }
            if simulatedOnly.last != scenario.file { simulatedOnly.append(scenario.file) }
        }
        #expect(
            simulatedOnly == [
                "Scenarios/dynamag/cut-inside-a-report.yaml",
                "Scenarios/dynamag/first-packet-lost.yaml",
                "Scenarios/dynamag/first-report-twice.yaml",
                "Scenarios/dynamag/long-report-in-packets.yaml",
                "Scenarios/dynamag/packet-lost.yaml",
                "Scenarios/idynamo/arrives-in-parts.yaml",
                "Scenarios/idynamo/attached-at-start.yaml",
                "Scenarios/idynamo/block-lost.yaml",
                "Scenarios/idynamo/blocks-merged.yaml",
                "Scenarios/idynamo/byte-corrupted.yaml",
                "Scenarios/idynamo/byte-lost.yaml",
                "Scenarios/idynamo/closed-inside-a-callback.yaml",
                "Scenarios/idynamo/cut-inside-a-swipe.yaml",
                "Scenarios/idynamo/cut-swipe-reported.yaml",
                "Scenarios/idynamo/delegate-exchanged-between-events.yaml",
                "Scenarios/idynamo/delegate-on-one-reader.yaml",
                "Scenarios/idynamo/delegate-taken-away.yaml",
                "Scenarios/idynamo/loss-of-a-reader-half-told.yaml",
                "Scenarios/idynamo/made-without-delegate.yaml",
                "Scenarios/idynamo/plugged-in-in-the-background.yaml",
                "Scenarios/idynamo/properties-follow-events.yaml",
                "Scenarios/idynamo/pulled-out-and-put-back-during-a-swipe.yaml",
                "Scenarios/idynamo/pulled-out-during-a-swipe.yaml",
                "Scenarios/idynamo/pulled-out-inside-a-callback.yaml",
                "Scenarios/idynamo/put-back-inside-a-loss.yaml",
                "Scenarios/idynamo/record-told-twice-by-the-link.yaml",
                "Scenarios/idynamo/silent-background-cancels-out.yaml",
                "Scenarios/idynamo/slow-link.yaml",
                "Scenarios/idynamo/stripe-hesitates.yaml",
                "Scenarios/idynamo/stripe-noise.yaml",
                "Scenarios/idynamo/stripe-speed.yaml",
                "Scenarios/idynamo/swipe-while-unplugged.yaml",
                "Scenarios/idynamo/swiped-in-the-background.yaml",
                "Scenarios/idynamo/swiped-inside-the-connect-callback.yaml",
                "Scenarios/idynamo/two-swipes-in-one-block.yaml",
                "Scenarios/races/dynamag-pull-out.yaml",
                "Scenarios/races/idynamo-asleep.yaml",
                "Scenarios/races/idynamo-closed.yaml",
                "Scenarios/races/idynamo-cut-and-pulled-out.yaml",
                "Scenarios/races/idynamo-delegate.yaml",
                "Scenarios/races/idynamo-late-disconnect.yaml",
                "Scenarios/races/idynamo-leaves.yaml",
                "Scenarios/races/idynamo-plugged-in.yaml",
                "Scenarios/races/idynamo-pull-out.yaml",
                "Scenarios/races/idynamo-record-twice.yaml",
                "Scenarios/races/idynamo-silent-background.yaml",
                "Scenarios/securemag/packet-lost.yaml",
                "Scenarios/two-readers/both-at-start.yaml",
                "Scenarios/two-readers/left-and-right.yaml",
                "Scenarios/two-readers/one-declared.yaml",
                "Scenarios/two-readers/one-in-trouble.yaml",
            ]
        )
    }

    /// How many files about payment readers can run at each level; a matrix counts once.
    @Test func soManyCardPaymentsCanRunAtARealReader() throws {
        let scenarios = try scenarios().filter { scenario in
            scenario.rig.readers.contains { $0.kind == .miura }
        }
        func count(_ level: Level, in folder: String) -> Int {
            let files = scenarios.filter {
                $0.file.hasPrefix("Scenarios/\(folder)/") && $0.levels.contains(level)
            }
            return Set(files.map(\.file)).count
        }
        #expect(count(.sim, in: "agentcash") == 88)
        #expect(count(.sim, in: "miura") == 127)
        #expect(count(.serial, in: "agentcash") == 79)
        #expect(count(.serial, in: "miura") == 62)
        #expect(count(.tcp, in: "agentcash") == 79)
        #expect(count(.tcp, in: "miura") == 62)
        #expect(count(.usb, in: "agentcash") + count(.usb, in: "miura") == 0)
    }

    /// What cannot be played at gateways on a web server, and how much can; a matrix counts once.
    @Test func allButTheseCardPaymentsCanRunOverHTTP() throws {
        let scenarios = try scenarios()
        for (folder, count, refused) in Self.overHTTP {
            let files = Set(
                scenarios.filter { $0.file.hasPrefix("Scenarios/\(folder)/") }.map(\.file)
            )
            let simulatedOnly = Set(
                scenarios.filter {
                    $0.file.hasPrefix("Scenarios/\(folder)/") && !$0.levels.contains(.http)
                }
                .map { String($0.file.dropFirst("Scenarios/\(folder)/".count).dropLast(5)) }
            )
            #expect(simulatedOnly.sorted() == refused)
            #expect(files.count - simulatedOnly.count == count, "\(folder)")
        }
    }

    private static let overHTTP: [(folder: String, count: Int, refused: [String])] = [
        (
            "agentcash", 73,
            [
                "captured-later",
                "captured-on-the-last-day",
                "expired",
                "parameters-refused",
                "races/capture-and-refund",
                "races/faults",
                "races/killed",
                "races/signature-and-timeout",
                "service-unreachable",
                "webhook-given-up",
                "webhook-of-a-reversal",
                "webhook-overtaken",
                "webhook-refused",
                "webhooks",
                "webhooks-without-an-address",
            ]
        ),
        (
            "nmi", 97,
            [
                "connection-refused",
                "duplicate",
                "refund-waits-for-settlement",
                "settled-at-the-cut-off",
                "subscription",
                "subscription-ended",
                "subscription-lost",
                "subscription-on-the-31st",
                "two-orders-one-card",
                "webhook-of-a-settlement",
                "webhooks",
                "webhooks-refused",
            ]
        ),
    ]

    /// Field bugs 5, 12, 16, 19, 20 and 24, in simulation and on the test bed.
    @Test func soManyFailuresOfUSBCanRunOnUSB() throws {
        let scenarios = try scenarios().filter { $0.file.hasPrefix("Scenarios/usb/") }
        #expect(scenarios.count == 10)
        #expect(scenarios.allSatisfy { $0.levels.filter { $0 != .http } == [.sim, .usb] })
    }

    @Test(arguments: [
        ("idynamo/charged", DesignExamples.charged),
        ("shuttle/volume-too-low", DesignExamples.volumeTooLow),
        ("idynamo/pulled-out-during-a-swipe", DesignExamples.pulledOutDuringASwipe),
        ("agentcash/signature-cancelled", DesignExamples.signatureCancelled),
    ])
    func theExamplesOfTheDesignAreVerbatim(name: String, text: String) throws {
        let path = Self.root + "Scenarios/\(name).yaml"
        let bytes = try FileBytes.read(path: path, limit: 1 << 20)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
