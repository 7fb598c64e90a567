import CardCrypto
import EventLoops
import Exploration
import Reporting
import SDKCore
import ScenarioLanguage
import ScenarioRunner
import Testing

/// What people read of an exploration: its numbers, and a failure beside the nearest order that
/// holds.
@Suite("Exploration report")
struct ExplorationReportTests {
    private static let text = """
        scenario: A reader is pulled out and put back during a swipe
        rig: { reader: idynamo }
        events: loose
        steps:
          - plug in
          - wait: 2s
          - race:
              within: 300ms
              of:
                - swipe: { card: visa }
                - unplug
          - settle
        """

    private func report(
        _ plant: Plant?,
        _ strategies: [SearchStrategy] = [],
        text: String = Self.text
    ) throws -> ExplorationReport {
        let prepared = try Played.scenario(text)
        let plan = ExplorationPlan(strategies: strategies, budget: SearchBudget(runCount: 500))
        let options = RigOptions(packetByteCount: 64, plant: plant)
        let cache = CryptoCache()
        let found = Exploration.play(prepared, options: options, plan: plan, cache: cache)
        let failure = found.firstFailure.flatMap {
            ExploredFailure($0, of: prepared, options: options, cache: cache)
        }
        return ExplorationReport(
            found,
            of: prepared,
            plan: plan,
            failure: failure,
            endpoint: "sim:",
            repeatOptions: ""
        )
    }

    /// A swipe is cut, and its bytes reach the next session.
    private static let cut = """
        scenario: A reader is pulled out and put back during a swipe
        rig: { reader: dynamag, gateway: nmi }
        events: loose
        steps:
          - plug in
          - swipe: { card: mastercard }
          - await: didSwipeCard
          - charge: 10.99
          - settle
          - race:
              within: 300ms
              of:
                - swipe: { card: amex }
                - unplug
                - plug in
          - settle
        """

    @Test func aPlantedMistakeIsShownBesideTheNearestOrderThatHolds() throws {
        let text = try report(.keepsBytesAcrossSessions, text: Self.cut).text()
        #expect(text.contains("\n  >>"), "the first difference is marked")
        for name in ["who did what", "customer saw", "charged", "since", "again"] {
            #expect(text.contains("     \(name) "))
        }
        try Golden.expect(text, is: "planted", of: "Explorations")
    }

    @Test func aFailureOfEveryOrderHasNoNeighbour() throws {
        let text = try report(nil, text: Self.text + "\n  - expect: didSwipeCard").text()
        #expect(text.contains("no order that holds was found"))
        try Golden.expect(text, is: "every-order", of: "Explorations")
    }

    @Test func whatHoldsIsCountedAndCompared() throws {
        let text = try report(nil, [.exhaustive, .bruteForce, .priorities]).text()
        try Golden.expect(text, is: "holding", of: "Explorations")
    }

    /// Faults that a charge can meet, and one that no reader of the rig has.
    private static let faults = """
        scenario: A charge meets faults
        rig: { reader: dynamag, gateway: nmi }
        events: loose
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - fault points: [linkDuplicatesRecord, gatewayTimeoutAfterBooking]
          - swipe: { card: visa }
          - await: didSwipeCard
          - charge: 10.99
          - settle
        """

    @Test func whatNeverHappenedIsListedForPeopleAndPrograms() throws {
        let report = try report(nil, text: Self.faults)
        try Golden.expect(report.text(), is: "never-happened", of: "Explorations")
        let json = String(decoding: ExplorationReport.json([report]), as: UTF8.self)
        try Golden.expect(json, is: "never-happened.json", of: "Explorations")
    }

    @Test func aSearchThatEndsEarlyTellsBothBounds() throws {
        let report = try report(nil, [.random], text: Self.cut)
        try Golden.expect(report.text(), is: "bounds", of: "Explorations")
        let json = String(decoding: ExplorationReport.json([report]), as: UTF8.self)
        #expect(json.contains("\"orderBound\": \""))
    }

    @Test func aSystemThatIsNotDeterministicIsReportedAsThat() throws {
        let prepared = try Played.scenario(Self.text)
        let first = Played.result(prepared, RigOptions())
        let second = Played.result(prepared, RigOptions(), plant: .skipsReady)
        var search = SearchResult(strategy: .random)
        search.runCount = 1
        search.nondeterminism = Nondeterminism(first: first, second: second)
        let report = ExplorationReport(
            Exploration(searches: [search]),
            of: prepared,
            plan: ExplorationPlan(strategies: [.random]),
            endpoint: "sim:",
            repeatOptions: ""
        )
        try Golden.expect(report.text(), is: "not-deterministic", of: "Explorations")
        let json = String(decoding: ExplorationReport.json([report]), as: UTF8.self)
        #expect(json.contains("\"isDeterministic\": false"))
    }
}
