import CardCrypto
import Exploration
import ScenarioLanguage
import ScenarioRunner
import Testing

@Suite("Search coverage")
struct SearchCoverageTests {
    private func search(_ prepared: PreparedScenario, runCount: Int = 20_000) -> SearchResult {
        Search.play(
            prepared,
            options: RigOptions(),
            strategy: .bruteForce,
            budget: SearchBudget(runCount: runCount),
            cache: CryptoCache()
        )
    }

    private func words(_ transitions: [SDKTransition]) -> [String] {
        transitions.map { "\($0.from) > \($0.to)" }
    }

    /// By hand: nobody pulls the reader out inside a callback, and there is one swipe.
    @Test func theTransitionsThatAPullOutCannotShowAreMissing() throws {
        let prepared = try RaceFiles.prepared("dynamag-pull-out")
        let found = search(prepared)
        #expect(found.isComplete)
        #expect(
            words(found.coverage.missingTransitions(of: 0, in: prepared.scenario.rig)) == [
                "connected > disconnected", "activated > deactivated", "card > card",
                "card > noCard", "noCard > card", "noCard > noCard",
            ]
        )
    }

    @Test func theNaturalOrderFiresNoFaultAndAllOrdersFireEach() throws {
        let prepared = try RaceFiles.prepared("nmi-look-ups-lost")
        let named = SearchCoverage.namedFaults(of: prepared)
        #expect(named.count == 3)
        #expect(search(prepared, runCount: 1).coverage.missingFaults(of: prepared) == named)
        #expect(search(prepared).coverage.missingFaults(of: prepared) == [])
    }

    @Test func whatCanComeDependsOnTheRig() {
        func possible(_ rig: RigPlan) -> [String] {
            words(SDKTransition.possible(for: rig.readers[0], in: rig))
        }
        var rig = RigPlan(readers: [ReaderPlan(name: "idynamo", kind: .idynamo)])
        #expect(possible(rig).count == 17)
        rig.sdk.isUnreadyAfterSwipe = true
        #expect(possible(rig).count == 21)
        rig.app.accessoryProtocols = []
        #expect(
            possible(rig) == [
                "nothing > connected", "connected > notActivated", "notActivated > disconnected",
                "connected > disconnected", "disconnected > connected",
            ]
        )
    }

    @Test func aBoundIsTheProductAndRoundedUpWhereItIsLong() {
        #expect(OrderBound(widths: []).words == "1")
        #expect(OrderBound(widths: [2, 3, 7]).words == "42")
        // 2^70 = 1,180,591,620,717,411,303,424
        #expect(OrderBound(widths: [Int](repeating: 2, count: 70)).words == "12 · 10^20")
        // (2^63 - 1)^2 is a little more than 8.507 · 10^37.
        let long = OrderBound(widths: [.max, .max])
        #expect(long.exponent == 36 && (86...99).contains(long.mantissa))
    }

    /// With all orders played the bound has seen every choice, so that it holds without an if.
    @Test(arguments: RaceFiles.names)
    func theBoundIsNoLessThanTheNumberOfOrders(name: String) throws {
        let found = search(try RaceFiles.prepared(name))
        #expect(found.isComplete)
        let bound = OrderBound(widths: found.widths)
        #expect(bound.exponent > 0 || bound.mantissa >= UInt64(found.runCount))
    }
}
