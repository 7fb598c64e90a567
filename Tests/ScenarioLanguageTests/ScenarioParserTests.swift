import CardData
import EventLoops
import Journal
import ScenarioLanguage
import Testing

@Suite("Scenario parser")
struct ScenarioParserTests {
    private func parse(_ text: String) -> Scenario? {
        let parsed = ScenarioParser.parse(file: "a.yaml", bytes: Array(text.utf8))
        for diagnostic in parsed.diagnostics { Issue.record("\(diagnostic)") }
        return parsed.scenario
    }

    private func steps(_ text: String, rig: String = "{ reader: idynamo, gateway: nmi }") -> [Step]
    {
        parse("scenario: a\nrig: \(rig)\nsteps:\n\(text)\n")?.steps ?? []
    }

    private func at(_ line: Int, _ column: Int) -> ScenarioPlace {
        ScenarioPlace(line: line, column: column)
    }

    private func refusals(of scenario: Scenario, at level: Level) -> [ScenarioPlace] {
        scenario.refusals.filter { $0.level == level }.map(\.location)
    }

    private func pattern(
        _ name: RecordName,
        _ line: Int,
        _ column: Int,
        _ attributes: [AttributePattern] = []
    ) -> RecordPattern {
        RecordPattern(name, attributes, location: at(line, column))
    }

    @Test func readsTheChargedSwipeOfTheDesign() throws {
        let scenario = try #require(parse(DesignExamples.charged))
        let amount = try #require(Amount("10.99"))
        #expect(scenario.file == "a.yaml")
        #expect(scenario.name == "A swipe on an iDynamo is charged")
        #expect(
            scenario.rig
                == RigPlan(
                    readers: [ReaderPlan(name: "idynamo", kind: .idynamo, location: at(3, 11))],
                    gateway: .nmi
                )
        )
        let expected: [Step] = [
            Step(.plugIn(reader: 0), location: at(6, 5), words: "plug in"),
            Step(
                .expect(
                    [
                        pattern(.deviceConnected, 8, 9),
                        pattern(
                            .deviceActivationFinished,
                            9,
                            9,
                            [AttributePattern(.result, .symbol(.success))]
                        ),
                        pattern(.deviceBecameReadyForSwipe, 10, 9),
                    ],
                    within: nil
                ),
                location: at(7, 5),
                words: "expect: [deviceConnected, "
                    + "{ deviceActivationFinished: { result: success } }, "
                    + "deviceBecameReadyForSwipe]"
            ),
            Step(
                .swipe(SwipePlan(reader: 0, card: "visa", quality: .good)),
                location: at(11, 5),
                words: "swipe: { card: visa }"
            ),
            Step(
                .expect(
                    [
                        pattern(
                            .didSwipeCard,
                            13,
                            9,
                            [
                                AttributePattern(
                                    .maskedCardNumber,
                                    .text(SafeText("4111000010001111"))
                                ),
                                AttributePattern(.expirationDate, .text(SafeText("1225"))),
                            ]
                        )
                    ],
                    within: nil
                ),
                location: at(12, 5),
                words: "expect: [{ didSwipeCard: { maskedCardNumber: \"4111000010001111\", "
                    + "expirationDate: \"1225\" } }]"
            ),
            Step(
                .charge(ChargePlan(amount: amount)),
                location: at(14, 5),
                words: "charge: { amount: 10.99 }"
            ),
            Step(
                .expect(
                    [
                        pattern(
                            .gatewayAnswered,
                            15,
                            15,
                            [AttributePattern(.response, .symbol(.approved))]
                        )
                    ],
                    within: .seconds(2)
                ),
                location: at(15, 5),
                words: "expect: { gatewayAnswered: { response: approved }, within: 2s }"
            ),
            Step(.unplug(reader: 0), location: at(16, 5), words: "unplug"),
            Step(
                .expect(
                    [
                        pattern(
                            .deviceBecameUnreadyForSwipe,
                            18,
                            9,
                            [AttributePattern(.reason, .symbol(.disconnected))]
                        ),
                        pattern(.deviceDeactivated, 19, 9),
                        pattern(.deviceDisconnected, 20, 9),
                    ],
                    within: nil
                ),
                location: at(17, 5),
                words: "expect: [{ deviceBecameUnreadyForSwipe: { reason: disconnected } }, "
                    + "deviceDeactivated, deviceDisconnected]"
            ),
        ]
        #expect(scenario.steps.count == expected.count)
        for (step, expected) in zip(scenario.steps, expected) { #expect(step == expected) }
        let charge = ChargePattern(
            type: .sale,
            amount: amount,
            state: .pendingsettlement,
            location: at(23, 7)
        )
        #expect(scenario.outcome == OutcomePlan(charges: [charge], location: at(22, 3)))
        #expect(scenario.levels == Level.allCases)
        #expect(scenario.refusals == [])
        #expect(!scenario.allowsUnexpectedEvents)
        #expect(scenario.never == [] && scenario.lawsOff == [] && scenario.verdict == nil)
    }

    @Test func readsTheQuietShuttleOfTheDesign() throws {
        let scenario = try #require(parse(DesignExamples.volumeTooLow))
        #expect(scenario.rig.readers.map(\.kind) == [.shuttle])
        #expect(!scenario.rig.sdk.activateReaderOnAttach)
        #expect(!scenario.rig.sdk.automaticallySetVolumeToMaxOnActivate)
        #expect(scenario.rig.app.prompts == .ask)
        #expect(scenario.rig.host.volumePercent == 40)
        #expect(scenario.steps[2].action == .call(CallPlan(.powerUpDevice, .flag(true))))
        #expect(scenario.steps[4].action == .answer(true))
        #expect(scenario.steps[7].action == .set(SettingPlan(volumePercent: 100)))
        #expect(scenario.levels == [.sim])
    }

    @Test func readsTheRaceOfTheDesign() throws {
        let scenario = try #require(parse(DesignExamples.pulledOutDuringASwipe))
        let race: [Step] = [
            Step(
                .swipe(SwipePlan(reader: 0, card: "visa")),
                location: at(9, 11),
                words: "swipe: { card: visa }"
            ),
            Step(.unplug(reader: 0), location: at(10, 11), words: "unplug"),
        ]
        let expected: [StepAction] = [
            .plugIn(reader: 0),
            .await(pattern(.deviceBecameReadyForSwipe, 5, 12), within: nil),
            .race(within: .milliseconds(300), race),
            .settle(within: nil),
            .expectAny(
                [
                    [
                        pattern(.didSwipeCard, 13, 10),
                        pattern(.deviceBecameUnreadyForSwipe, 13, 24),
                        pattern(.deviceDeactivated, 13, 53),
                        pattern(.deviceDisconnected, 13, 72),
                    ],
                    [
                        pattern(.deviceBecameUnreadyForSwipe, 14, 10),
                        pattern(.deviceDeactivated, 14, 39),
                        pattern(.deviceDisconnected, 14, 58),
                    ],
                ],
                within: nil
            ),
        ]
        #expect(scenario.steps.map(\.action) == expected)
        #expect(scenario.outcome == OutcomePlan(charges: [], location: at(15, 10)))
        #expect(scenario.levels == [.sim, .http])
        #expect(scenario.refusals.map(\.level) == Level.live)
        #expect(scenario.refusals.map(\.location) == Level.live.map { _ in at(6, 5) })
    }

    @Test func readsActsThatComeAtMomentsOfTheirOwn() throws {
        let scenario = try #require(
            parse(
                """
                scenario: moments
                rig: { reader: idynamo, gateway: nmi }
                explore: { runs: 30, seed: 7 }
                choices: "1:0000000000000007:"
                steps:
                  - any time: unplug
                  - any time: [background, foreground]
                  - sometime within: { 2s: { swipe: visa } }
                  - fault points: [linkCutBeforeReport, gatewayResetAfterBooking]
                """
            )
        )
        let swipe = StepAction.swipe(SwipePlan(reader: 0, card: "visa"))
        #expect(
            scenario.steps.map { $0.action.innerSteps.map(\.action) } == [
                [.unplug(reader: 0)], [.app(.background), .app(.foreground)], [swipe], [],
            ]
        )
        guard case .sometime(let within, _) = scenario.steps[2].action else {
            Issue.record("no window")
            return
        }
        #expect(within == .seconds(2))
        #expect(
            scenario.steps[3].action
                == .faultPoints([.linkCutBeforeReport, .gatewayResetAfterBooking])
        )
        #expect(scenario.explore == ExplorePlan(runCount: 30, seed: 7))
        #expect(scenario.choices == SchedulePlan(text: "1:0000000000000007:", location: at(4, 10)))
        #expect(refusals(of: scenario, at: .usb) == [at(6, 5), at(8, 5), at(9, 5)])
    }

    @Test func readsEveryTopKey() throws {
        let scenario = try #require(
            parse(
                """
                scenario: 12
                rig: { readers: { left: idynamo, right: dynamag }, attached: [right] }
                steps: [settle: { within: 5s }]
                never: [misuse, { didSwipeCard: { reader: right, card: none } }]
                outcome: { requests: 0 }
                events: loose
                laws: { off: [nesting, flags-agree] }
                verdict: { exit: 1, law: charged-at-most-once, line: 3 }
                levels: [sim]
                """
            )
        )
        #expect(scenario.name == "12")
        #expect(scenario.rig.readers.map(\.name) == ["left", "right"])
        #expect(scenario.rig.readers.map(\.kind) == [.idynamo, .dynamag])
        #expect(scenario.rig.readers.map(\.isAttachedAtStart) == [false, true])
        #expect(scenario.rig.gateway == nil)
        #expect(scenario.steps.map(\.action) == [.settle(within: .seconds(5))])
        #expect(scenario.never.map(\.name) == [.misuse, .didSwipeCard])
        #expect(
            scenario.never.last?.attributes
                == [AttributePattern(.reader, .reader(1)), .init(.card, .symbol(.none))]
        )
        #expect(scenario.outcome?.requestCount == 0 && scenario.outcome?.charges == nil)
        #expect(scenario.allowsUnexpectedEvents)
        #expect(scenario.lawsOff == [.nesting, .flagsAgree])
        #expect(scenario.verdict == VerdictPlan(exit: 1, law: .chargedAtMostOnce, line: 3))
        #expect(scenario.levels == [.sim])
        #expect(scenario.refusals.last?.reason == "the scenario says levels: [sim]")
    }

    static let stepsOfAKind: [(text: String, action: StepAction)] = [
        ("plug in", .plugIn(reader: 0)),
        ("plug in: right", .plugIn(reader: 1)),
        ("unplug: left", .unplug(reader: 0)),
        ("swipe", .swipe(SwipePlan(reader: 0, card: "visa"))),
        ("swipe: amex", .swipe(SwipePlan(reader: 0, card: "amex"))),
        ("swipe: { reader: right }", .swipe(SwipePlan(reader: 1, card: "visa"))),
        (
            "swipe: { card: amex, quality: too fast }",
            .swipe(SwipePlan(reader: 0, card: "amex", quality: .tooFast))
        ),
        ("charge: 5", .charge(ChargePlan(amount: Amount(minorUnits: 500)))),
        (
            "charge: { amount: '5.5', order: 0042 }",
            .charge(ChargePlan(amount: Amount(minorUnits: 550), orderID: "0042"))
        ),
        ("void", .void(VoidPlan())),
        (
            "gateway: { answer: decline 202 }",
            .gateway(GatewayFaultPlan(answer: .decline(code: 202)))
        ),
        ("gateway: { answer: error 300 }", .gateway(GatewayFaultPlan(answer: .error(code: 300)))),
        ("gateway: { answer: http 500 }", .gateway(GatewayFaultPlan(answer: .http(status: 500)))),
        ("gateway: { answer: slow 3s }", .gateway(GatewayFaultPlan(answer: .slow(.seconds(3))))),
        ("gateway: { answer: garbage }", .gateway(GatewayFaultPlan(answer: .garbage))),
        (
            "gateway: { answer: http 503 approved }",
            .gateway(GatewayFaultPlan(answer: .httpApproval(status: 503)))
        ),
        ("gateway: { answer: other order }", .gateway(GatewayFaultPlan(answer: .otherOrder))),
        ("gateway: { answer: refused }", .gateway(GatewayFaultPlan(answer: .refused))),
        (
            "gateway: { answer: timeout, request: 2, kind: sale, when: after booking }",
            .gateway(
                GatewayFaultPlan(request: 2, kind: .sale, isAfterBooking: true, answer: .timeout)
            )
        ),
        (
            "gateway: { answer: reset, when: before booking }",
            .gateway(GatewayFaultPlan(answer: .reset))
        ),
        ("wait: 2min", .wait(.seconds(120))),
        ("wait: 1.5s", .wait(.milliseconds(1_500))),
        ("wait: 0s", .wait(.zero)),
        ("settle", .settle(within: nil)),
    ]

    @Test(arguments: stepsOfAKind)
    func readsAStep(step: (text: String, action: StepAction)) {
        let rig = "{ readers: { left: idynamo, right: idynamo }, gateway: nmi }"
        #expect(steps("  - \(step.text)", rig: rig).map(\.action) == [step.action])
    }

    @Test func aTimeIsAtMostAsLongAsARunCanBe() {
        let texts = ["720h", "43200min", "720.000000001h", "721h", "2592001s"]
        let hints = texts.map { text in
            let file =
                "scenario: a\nrig: { reader: idynamo }\nsteps:\n  - settle: { within: \(text) }\n"
            let parsed = ScenarioParser.parse(file: "a.yaml", bytes: Array(file.utf8))
            return parsed.diagnostics.map { $0.hint?.description ?? "" }
        }
        let hint = ["the longest time is 720h"]
        #expect(hints == [[], [], hint, hint, hint])
    }

    @Test func takesATimeLimitBesideAList() {
        let steps = steps(
            """
              - expect: [deviceConnected, misuse]
                within: 2s
              - expect-any: [[misuse], []]
                within: 150ms
              - await: misuse
                within: 1s
            """
        )
        let limits: [VirtualDuration?] = steps.map {
            switch $0.action {
            case .expect(_, let within, _), .await(_, let within, _), .expectAny(_, let within, _):
                within
            default: nil
            }
        }
        #expect(limits == [.seconds(2), .milliseconds(150), .seconds(1)])
    }

    @Test func namesEachReaderOfAListByItsKind() throws {
        let scenario = try #require(
            parse("scenario: a\nrig: { readers: [idynamo, dynamag] }\nsteps: [plug in: dynamag]\n")
        )
        #expect(scenario.rig.readers.map(\.name) == ["idynamo", "dynamag"])
        #expect(scenario.steps.map(\.action) == [.plugIn(reader: 1)])
        #expect(refusals(of: scenario, at: .usb) == [at(2, 27)])
        #expect(refusals(of: scenario, at: .tcp) == [at(2, 27), at(2, 27)])
    }

    static let handSteps: [(steps: String, levels: [Level])] = [
        ("[plug in, swipe: visa, unplug]", Level.allCases),
        ("[swipe: visa]", [.sim, .http]),
        ("[plug in, unplug, swipe: visa]", [.sim, .http]),
        ("[plug in, race: { within: 1s, of: [unplug, charge: 1] }, swipe: visa]", Level.allCases),
        ("[plug in, race: { within: 1s, of: [unplug, swipe: visa] }]", [.sim, .http]),
        ("[plug in, gateway: { answer: refused }, swipe, charge: 1]", [.sim] + Level.live),
        ("[plug in, wait: 61s, swipe, charge: 1]", [.sim] + Level.live),
        ("[plug in, repeat: { times: 2, steps: [wait: 2min] }]", [.sim] + Level.live),
        ("[plug in, gateway: { answer: timeout }, swipe, charge: 1, void]", Level.allCases),
    ]

    @Test(arguments: handSteps)
    func derivesWhereAScenarioCanRun(hand: (steps: String, levels: [Level])) throws {
        let text = "scenario: a\nrig: { reader: idynamo, gateway: nmi }\nsteps: \(hand.steps)\n"
        #expect(try #require(parse(text)).levels == hand.levels)
        // The reports of its sibling come over USB only, and nothing at the audio jack can be live.
        let dynamag = text.replacing("idynamo", with: "dynamag")
        #expect(
            try #require(parse(dynamag)).levels
                == hand.levels.filter { ![.serial, .tcp, .rfc2217].contains($0) }
        )
        let shuttle = text.replacing("idynamo", with: "shuttle")
        #expect(
            try #require(parse(shuttle)).levels == hand.levels.filter { $0 == .sim || $0 == .http }
        )
    }

    static let paymentSteps: [(reader: String, steps: String, isLive: Bool)] = [
        ("miura", "[charge: 1, insert, await: completed]", true),
        ("miura", "[charge: 1, insert, await: pinAsked]", false),
        ("miura", "[charge: 1, insert, do: [expect: { displayed: { text: a } }]]", false),
        ("miura", "[charge: 1, insert, expect-any: [[completed], [choiceAsked]]]", false),
        ("miura", "[charge: 1, insert, never: displayed]", false),
        ("miura", "[charge: 1, insert, count: { pinAsked: 1 }]", false),
        ("miura", "[charge: 1, wait: 60s, insert]", true),
        ("{ kind: miura, pinBypass: true }", "[charge: 1]", false),
        ("{ kind: miura, battery: 50% }", "[charge: 1]", false),
        ("miura", "[charge: 1, link: { cut, at: { frame: 1 } }]", false),
    ]

    @Test(arguments: paymentSteps)
    func derivesWhereACardPaymentCanRun(
        payment: (reader: String, steps: String, isLive: Bool)
    ) throws {
        let text =
            "scenario: a\nrig: { reader: \(payment.reader), gateway: agentcash }\n"
            + "steps: \(payment.steps)\n"
        let levels: [Level] =
            payment.isLive ? [.sim, .serial, .tcp, .rfc2217, .http] : [.sim, .http]
        #expect(try #require(parse(text)).levels == levels)
    }

    /// On the wall clock and at a web server alike a minute is the longest pause, in a repeat too.
    @Test func aPaymentThatPausesForLongRunsInVirtualTimeOnly() throws {
        let text = """
            scenario: a
            rig: { reader: miura, gateway: agentcash }
            steps: [charge: 1, repeat: { times: 2, steps: [wait: 61s] }]

            """
        #expect(try #require(parse(text)).levels == [.sim])
    }
}
