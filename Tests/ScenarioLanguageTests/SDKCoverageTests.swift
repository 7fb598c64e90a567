import Kernel
import Testing

/// Holds `Docs/sdk-coverage.md`: each sentence of the SDKs' documents has a scenario or a reason.
@Suite("SDK coverage")
struct SDKCoverageTests {
    /// How many sentences each document has: the swipe SDK's, AgentCASH's, Inner Fence's, the
    /// HoneyStore's.
    private static let sentenceCounts = [237, 103, 70, 107]
    private static let root = String(
        #filePath.dropLast("Tests/ScenarioLanguageTests/SDKCoverageTests.swift".count)
    )

    private struct Row {
        /// Which document, from 0.
        var part: Int
        var section: String
        var number: Int
        var says: String
        var shownBy: String

        var isShown: Bool { shownBy.hasPrefix("`") }
        var isInapplicable: Bool { shownBy.hasPrefix("not applicable: ") }
        var isUnbuilt: Bool { shownBy.hasPrefix("not built yet: ") }
        var scenarios: [String] {
            shownBy.split(separator: " ").map { String($0.dropFirst().dropLast()) }
        }
    }

    private static func document() throws -> [String] {
        let bytes = try FileBytes.read(path: root + "Docs/sdk-coverage.md", limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func rows() throws -> [Row] {
        var section = ""
        var part = -1
        var rows: [Row] = []
        for line in try document() {
            if line.hasPrefix("# ") { part += 1 }
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            guard cells.count == 5, let number = Int(cells[1]) else { continue }
            rows.append(
                Row(part: part, section: section, number: number, says: cells[2], shownBy: cells[3])
            )
        }
        return rows
    }

    @Test func everySentenceHasItsNumber() throws {
        for (part, count) in Self.sentenceCounts.enumerated() {
            let rows = try Self.rows().filter { $0.part == part }
            #expect(rows.map(\.number) == Array(1...count))
        }
        #expect(try Self.rows().count == Self.sentenceCounts.reduce(0, +))
    }

    @Test func everySentenceIsShownOrHasAReason() throws {
        for row in try Self.rows() {
            let isTold = row.isShown || row.isInapplicable || row.isUnbuilt
            #expect(isTold && !row.says.isEmpty, "sentence \(row.number)")
            let reason = row.shownBy.split(separator: ":").last ?? ""
            #expect(row.isShown || reason.count > 3, "sentence \(row.number) has no reason")
        }
    }

    @Test func everyScenarioThatIsNamedIsThere() throws {
        let files = try Paths.files(under: Self.root + "Scenarios", withSuffix: ".yaml")
            .map { String($0.dropFirst(Self.root.count)) }
        for row in try Self.rows() where row.isShown {
            for name in row.scenarios {
                #expect(files.contains(name), "sentence \(row.number): \(name)")
            }
        }
    }

    /// The sections about readers: all but those about keys, stores and accounts.
    private static let readerSections = [
        "Handling swipes", "IPS", "Shuttle", "iDynamo", "PGSwipeController", "PGSwipeDevice",
        "PGSwipeDelegate", "PGSwipeIDynamo", "PGSwipeUniMag", "PGSwipeUniMagMessageOptions",
        "PGSwipeIps",
    ]

    @Test func noSentenceOfAReaderHasAGap() throws {
        let rows = try Self.rows().filter { Self.readerSections.contains($0.section) }
        #expect(rows.count == 205)
        #expect(rows.filter(\.isUnbuilt).map(\.number) == [])
    }

    @Test func noSentenceOfAPaymentHasAGap() throws {
        let rows = try Self.rows().filter { $0.section.hasPrefix("AgentCASH: ") }
        #expect(rows.count == 103)
        #expect(rows.filter(\.isUnbuilt).map(\.number) == [])
        let behaviour = [
            "mock mode", "charge", "readers", "transaction", "signature", "auth and capture",
        ]
        for name in behaviour {
            #expect(rows.contains { $0.section == "AgentCASH: \(name)" && $0.isShown })
        }
    }

    @Test func noSentenceOfInnerFenceHasAGap() throws {
        let rows = try Self.rows().filter { $0.section.hasPrefix("Inner Fence: ") }
        #expect(rows.count == 70)
        #expect(rows.filter(\.isUnbuilt).map(\.number) == [])
    }

    @Test func noSentenceOfTheHoneyStoreHasAGap() throws {
        let rows = try Self.rows().filter { $0.section.hasPrefix("HoneyStore: ") }
        #expect(rows.count == 107)
        #expect(rows.filter(\.isUnbuilt).map(\.number) == [])
    }

    @Test func theCountsAreTrue() throws {
        var lines: [String] = []
        for part in Self.sentenceCounts.indices {
            let rows = try Self.rows().filter { $0.part == part }
            lines.append(
                "\(rows.count) sentences: \(rows.count(where: \.isShown)) shown, "
                    + "\(rows.count(where: \.isInapplicable)) not applicable, "
                    + "\(rows.count(where: \.isUnbuilt)) not built yet."
            )
        }
        #expect(try Self.document().filter { $0.contains(" sentences: ") } == lines)
        #expect(try Self.document().last == lines.last)
    }
}
