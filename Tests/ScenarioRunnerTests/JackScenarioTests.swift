import CardCrypto
import EventLoops
import Journal
import Rig
import ScenarioLanguage
import ScenarioRunner
import Testing

@Suite("Scenarios at the audio jack")
struct JackScenarioTests {
    private func explanations(_ result: RunResult) -> [String] {
        result.failures.map { "\($0.location?.line ?? 0): \($0.explanation)" }
    }

    private func count(_ name: RecordName, _ result: RunResult) -> Int {
        result.journal.readable.filter { $0.name == name }.count
    }

    // MARK: Hands

    @Test(arguments: [
        ("unplug: ips", "plug in: headphones", "headphones"),
        ("unplug: shuttle", "plug in: ips", "ips"),
        (
            "race: { within: 1s, of: [unplug: ips, set: { volume: 90% }] }", "plug in: shuttle",
            "shuttle"
        ),
    ])
    func aReaderThatIsNotInTheJackIsNotPulledOut(act: String, before: String, other: String) throws
    {
        let result = try ScenarioFolder.play(
            text: """
                scenario: Wrong plug
                rig: { readers: [shuttle, ips] }
                events: loose
                steps:
                  - \(before)
                  - settle
                  - \(act)
                """
        )
        let explanation = try #require(result.failures.first?.explanation)
        #expect(explanation.contains("is not in the audio jack, \(other) is"))
        #expect(result.failures.first?.location?.line == 7)
        #expect(count(.unplugged, result) == 0)
    }

    // MARK: Long runs

    @Test func aDayOfRenewalsPassesWithoutHoldingASettleUp() throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: A day
                rig: { reader: shuttle }
                steps:
                  - plug in
                  - await: { deviceBecameReadyForSwipe: {}, within: 2s }
                  - settle
                  - repeat:
                      times: 4320
                      steps:
                        - expect:
                            - deviceBecameUnreadyForSwipe: { reason: refreshing }
                            - deviceBecameReadyForSwipe
                          within: 20001ms
                          not before: 19s
                """,
            RigOptions(journalCapacity: 64)
        )
        #expect(explanations(result) == [])
        #expect(result.duration >= .seconds(86_400))
        #expect(result.journal.readable.count <= 128)
    }

    // MARK: Calls and settings

    @Test func everyMethodCanBeCalledByItsName() throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: All methods
                rig:
                  readers: [shuttle, ips]
                  sdk: { activateReaderOnAttach: false, alwaysAcceptSwipe: false }
                steps:
                  - plug in: shuttle
                  - await: deviceConnected
                  - call: { setSwipeTimeoutDuration: 5s }
                  - call: { automaticallySetVolumeToMaxOnActivate: true }
                  - call: { messageOptions: { activateReaderWithoutPromptingUser: true } }
                  - call: { powerUpDevice: true }
                  - await: { deviceActivationFinished: { result: success }, within: 5s }
                  - call: requestSwipe
                  - await: deviceBecameReadyForSwipe
                  - call: cancelSwipeRequest
                  - expect: { deviceBecameUnreadyForSwipe: { reason: canceled } }
                  - call: { alwaysAcceptSwipe: true }
                  - await: deviceBecameReadyForSwipe
                  - call: { alwaysAcceptSwipe: false }
                  - call: powerDown
                  - await: deviceDeactivated
                  - await: deviceConnected
                  - call: { activateReaderOnAttach: false }
                  - call: { setAudioJackReaderType: ips }
                  - await: { deviceBecameReadyForSwipe: { reader: ips } }
                  - expect-state: { reader: ips, isReadyForSwipe: true, audioJackReaderType: ips }
                  - call: beginTestCommunication
                  - expect: { ipsCommunicationTestCompleteWithResult: { success: false }, within: 6s }
                  - call: shutdown
                  - expect: { misuse: { method: shutdown } }
                  - call: beginAutodetectAudioJackCardReader
                  - await: { deviceAutodetectComplete: { result: uniMag }, within: 60s }
                events: loose
                """
        )
        #expect(explanations(result) == [])
        #expect(count(.promptShown, result) == 0)
        let called = result.journal.readable.filter { $0.name == .methodCalled }
            .map { result.journal.value(.method, of: $0) }
        let others: [MethodName] = [.setReaderDelegate, .cancel, .paymentInfo, .payments]
        for method in MethodName.allCases where !others.contains(method) {
            guard let symbol = method.symbol else { continue }
            // Those of the payment provider are called at other readers.
            if [.cancel, .paymentInfo, .payments].contains(method) { continue }
            #expect(called.contains(.symbol(symbol)), "\(method)")
        }
    }

    @Test func aTimeLimitThatIsNotAllowedIsTheAppsMistake() throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: A second is too short
                rig: { reader: shuttle, sdk: { swipeTimeoutDuration: 1s } }
                steps:
                  - expect: { misuse: { method: setSwipeTimeoutDuration } }
                  - plug in
                  - await: deviceBecameReadyForSwipe
                  - expect: { deviceBecameUnreadyForSwipe: {}, within: 3001ms, not before: 3s }
                  - expect: deviceBecameReadyForSwipe
                """
        )
        #expect(explanations(result) == [])
    }

    @Test func anExpectedKindOfReaderThatIsNotServedIsNamed() throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: Not nothing
                rig: { reader: shuttle }
                steps:
                  - expect-state: { isConnected: true, audioJackReaderType: none }
                """
        )
        #expect(
            explanations(result) == [
                "4: expected isConnected: true, audioJackReaderType: none, found isConnected: "
                    + "false, audioJackReaderType: uniMag"
            ]
        )
    }

    @Test(arguments: [
        ("answer: yes", "no prompt is shown that could be answered"),
        ("set: { battery: 5% }", "the rig has no reader with a battery"),
    ])
    func aStepThatCannotBeDoneSaysWhy(step: String, reason: String) throws {
        let text = """
            scenario: It cannot be done
            rig: { reader: shuttle, app: { prompts: ask } }
            steps:
              - \(step)
            """
        let parsed = ScenarioParser.parse(file: "text", bytes: Array(text.utf8))
        // What the parser refuses already never comes to the rig.
        guard let scenario = parsed.scenario else { return }
        #expect(explanations(ScenarioFolder.play(scenario)) == ["4: \(reason)"])
    }

    // MARK: Profiles

    private static let truncated = """
        scenario: A record that ends too early
        rig: { readers: { till: { kind: shuttle, format: aes, quirks: truncates record } } }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - swipe: { card: visa }
          - await: { didSwipeCard: { card: CARD }, within: 5s }
        events: loose
        """

    @Test(arguments: [
        (SDKPlan.Library?.none, "none"), (.careful, "none"), (.observed, "encrypted"),
    ])
    func theObservedLibraryMakesACardOfATruncatedRecord(
        library: SDKPlan.Library?,
        card: String
    ) throws {
        var options = RigOptions()
        options.library = library
        let result = try ScenarioFolder.play(
            text: Self.truncated.replacing("CARD", with: card),
            options
        )
        #expect(explanations(result) == [])
    }
}

extension String {
    fileprivate func replacing(_ word: String, with other: String) -> String {
        split(separator: word, omittingEmptySubsequences: false).joined(separator: other)
    }
}
