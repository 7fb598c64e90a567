/// Mistakes in what the second part of the language knows: matrix, blocks, faults, the app.
enum LanguageMistakes {
    typealias Mistake = DiagnosticVectorsTests.Mistake

    private static func rig(_ name: String, _ rig: String) -> Mistake {
        Mistake(name, "scenario: a\nrig: \(rig)\nsteps: [plug in]\n")
    }

    private static func matrix(_ name: String, _ matrix: String, steps: String) -> Mistake {
        Mistake(
            name,
            "scenario: a\nmatrix: \(matrix)\nrig: { reader: idynamo, gateway: nmi }\nsteps:\n\(steps)\n"
        )
    }

    static let all: [Mistake] =
        AudioMistakes.all + PaymentMistakes.all + [
            rig("address-in-the-rig", "{ reader: idynamo, link: { faults: [{ drop, at: {} }] } }"),
            Mistake(
                "address-that-the-reader-does-not-have",
                steps: "  - link: { drop, at: { report: 3 } }"
            ),
            Mistake("argument-of-a-method", steps: "  - call: { setDelegate: nobody }"),
            Mistake("block-without-steps", steps: "  - do: []"),
            Mistake(
                "byte-beyond-the-block",
                steps: "  - link: { corrupt, at: { block: 2, byte: 501 } }"
            ),
            Mistake("byte-that-is-no-number", steps: "  - link: { cut, at: { byte: first } }"),
            Mistake(
                "check-in-a-reaction",
                steps: "  - on: deviceConnected\n    do: [await: misuse]"
            ),
            rig(
                "clock-that-does-not-exist",
                "{ reader: idynamo, gateway: nmi, clock: 2023-02-29T09:00:00Z }"
            ),
            rig("clock-without-zone", "{ reader: idynamo, gateway: nmi, clock: 2024-06-03 }"),
            Mistake(
                "count-that-cannot-be",
                steps: "  - count: { of: misuse, at least: 3, at most: 2 }"
            ),
            Mistake("count-without-a-number", steps: "  - count: { of: misuse }"),
            Mistake("count-of-an-unknown-record", steps: "  - count: { didSwipCard: 2 }"),
            Mistake(
                "fault-that-the-reader-does-not-have",
                "scenario: a\nrig: { reader: dynamag }\nsteps: [link: { drop, at: { byte: 3 } }]\n"
            ),
            Mistake("opening-of-an-idynamo", steps: "  - link: { open: busy }"),
            Mistake(
                "opening-with-an-address",
                "scenario: a\nrig: { reader: dynamag }\n"
                    + "steps: [link: { open: busy, at: { report: 1 } }]\n"
            ),
            Mistake(
                "opening-unknown",
                "scenario: a\nrig: { reader: dynamag }\nsteps: [link: { open: bussy }]\n"
            ),
            Mistake(
                "opening-of-two-causes",
                "scenario: a\nrig: { reader: dynamag }\n"
                    + "steps: [link: { open: { busy: 1s, late: 1s } }]\n"
            ),
            Mistake(
                "opening-without-a-time",
                "scenario: a\nrig: { reader: dynamag }\nsteps: [link: { open: { busy: -1 } }]\n"
            ),
            rig("opening-in-the-rig-of-an-idynamo", "{ reader: idynamo, link: { open: late } }"),
            Mistake("fault-without-address", steps: "  - link: { drop }"),
            Mistake("any-time-of-a-check", steps: "  - any time: { await: misuse }"),
            Mistake("fault-point-unknown", steps: "  - fault points: [gatewayTimeout]"),
            Mistake(
                "fault-point-without-a-gateway",
                "scenario: a\nrig: { reader: idynamo }\nsteps: [fault points: gatewayTimeoutAfterBooking]\n"
            ),
            Mistake("sometime-without-a-time", steps: "  - sometime within: { soon: unplug }"),
            Mistake(
                "sometime-of-two-times",
                steps: "  - sometime within: { 1s: unplug, 2s: plug in }"
            ),
            Mistake(
                "explore-without-runs",
                "scenario: a\nrig: { reader: idynamo }\nexplore: { seed: 2 }\nsteps: [plug in]\n"
            ),
            rig("store-key-elsewhere", "{ gateway: { kind: nmi, profile: observed } }"),
            rig("nmi-key-at-the-store", "{ gateway: { kind: paymill, credits: refused } }"),
            Mistake("store-step-elsewhere", steps: "  - buy: acacia"),
            Mistake(
                "product-unknown",
                "scenario: a\nrig: { gateway: paymill }\nsteps:\n  - buy: clover\n"
            ),
            Mistake(
                "nmi-step-at-the-store",
                "scenario: a\nrig: { gateway: paymill }\nsteps:\n  - credit: 1.00\n"
            ),
            Mistake("link-without-an-action", steps: "  - link: { at: { block: 1 } }"),
            Mistake("link-with-two-actions", steps: "  - link: { drop, cut, at: { block: 1 } }"),
            matrix(
                "matrix-name-unknown",
                "{ card: [visa] }",
                steps: "  - swipe: <card>\n  - charge: <amont>"
            ),
            matrix("matrix-name-unused", "{ card: [visa] }", steps: "  - plug in"),
            matrix("matrix-of-text", "visa", steps: "  - plug in"),
            matrix("matrix-rows-of-other-names", "[{ a: 1 }, { b: 2 }]", steps: "  - charge: <a>"),
            matrix(
                "matrix-too-large",
                "{ a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], b: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "
                    + "c: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }",
                steps: "  - charge: { amount: 1, order: <a>-<b>-<c> }"
            ),
            matrix("matrix-value-wrong", "{ card: [visa, viza] }", steps: "  - swipe: <card>"),
            Mistake(
                "no-effect",
                "scenario: a\nrig: { reader: dynamag, app: { accessoryProtocols: [a] }, clock: 2024-06-03T09:00:00Z }\nsteps: [plug in]\n"
            ),
            Mistake(
                "not-before-after-within",
                steps: "  - await: misuse\n    within: 1s\n    not before: 2s"
            ),
            Mistake("on-a-record-without-callback", steps: "  - on: booked\n    do: [unplug]"),
            Mistake("on-without-do", steps: "  - on: deviceConnected"),
            Mistake("repeat-without-end", steps: "  - repeat: { steps: [plug in] }"),
            Mistake("repeat-too-often", steps: "  - repeat: { times: 10001, steps: [plug in] }"),
            Mistake("set-what-is-not-there", steps: "  - set: { volume: 40% }"),
            Mistake("split-without-a-byte", steps: "  - link: { split: 2ms, at: { block: 1 } }"),
            Mistake("state-of-nothing", steps: "  - expect-state: { reader: idynamo }"),
            matrix(
                "text-of-a-map",
                "{ a: [{ b: c }] }",
                steps: "  - charge: { amount: 1, order: x<a> }"
            ),
            Mistake("two-limits", steps: "  - expect: { misuse: {}, within: 1s }\n    within: 2s"),
            Mistake("unknown-method", steps: "  - call: closs"),
            Mistake("unordered-of-one", steps: "  - unordered: [misuse]"),
            Mistake("until-of-a-list", steps: "  - until: [misuse, deviceConnected]"),
            Mistake("word-that-stands-alone", steps: "  - kill app: now\n  - background: yes"),
        ]
}
