/// Mistakes in what the language knows of the audio jack, its readers and the phone around it.
enum AudioMistakes {
    typealias Mistake = DiagnosticVectorsTests.Mistake

    private static func rig(_ name: String, _ rig: String) -> Mistake {
        Mistake(name, "scenario: a\nrig: \(rig)\nsteps: [plug in]\n")
    }

    private static func shuttle(_ name: String, _ step: String) -> Mistake {
        Mistake(name, "scenario: a\nrig: { reader: shuttle }\nsteps:\n  - \(step)\n")
    }

    private static func sdk(_ name: String, _ options: String) -> Mistake {
        rig(name, "{ reader: shuttle, sdk: { \(options) } }")
    }

    static let all: [Mistake] = [
        shuttle("answer-that-nobody-asked-for", "answer: yes"),
        Mistake(
            "answer-that-is-neither",
            "scenario: a\nrig: { reader: shuttle, app: { prompts: ask } }\nsteps: [answer: maybe]\n"
        ),
        rig("attached-two-at-one-jack", "{ readers: [shuttle, ips], attached: [shuttle, ips] }"),
        sdk("autodetect-with-one-reader", "audioReader: autodetectOnConnect"),
        shuttle("battery-without-an-ips", "set: { battery: 5% }"),
        shuttle("call-with-a-number-for-a-flag", "call: { powerUpDevice: 1 }"),
        shuttle("call-without-its-argument", "call: setSwipeTimeoutDuration"),
        shuttle("call-without-its-reader", "call: beginTestCommunication"),
        shuttle("duration-of-a-call", "call: { setSwipeTimeoutDuration: 20 }"),
        Mistake("headphones-without-a-jack", steps: "  - plug in: headphones"),
        rig("format-cut-short", "{ reader: { kind: shuttle, format: des } }"),
        rig("host-without-a-jack", "{ reader: idynamo, host: { volume: 40% } }"),
        rig("limiter-without-a-time", "{ reader: shuttle, host: { volumeLimiter: { to: 80% } } }"),
        sdk("message-option-unknown", "messageOptions: { volumeTooLowMesage: none }"),
        shuttle("phone-call-of-nobody", "phone call: rings"),
        shuttle("piece-and-block", "link: { drop, at: { piece: 1, block: 1 } }"),
        rig("prompts-that-are-none", "{ reader: shuttle, app: { prompts: later } }"),
        rig("option-of-the-other-reader", "{ reader: { kind: shuttle, battery: 5% } }"),
        rig("option-of-an-audio-reader", "{ reader: { kind: idynamo, threshold: 5% } }"),
        rig("serial-with-a-blank", "{ reader: { kind: shuttle, serial: \"a b\" } }"),
        shuttle("set-nothing", "set: {}"),
        shuttle("share-above-the-whole", "set: { volume: 101% }"),
        shuttle("share-without-its-sign", "set: { volume: 40 }"),
        rig("shuttle-twice", "{ readers: { left: shuttle, right: shuttle } }"),
        shuttle("thing-that-does-not-fit", "plug in: headphone"),
        sdk("type-without-its-reader", "audioReader: ips"),
        sdk("type-unknown", "audioReader: unimag"),
        sdk("option-out-of-its-map", "activateReaderWithoutPromptingUser: true"),
    ]
}
