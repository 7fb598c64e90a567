extension MiuraReaderConfiguration {
    /// What can be set by name, because no source decides it or readers differ.
    public static let options: [ReaderOption<MiuraReaderConfiguration>] = [
        .choice("model", ["m010": .m010, "m006": .m006], \.model),
        .flag("hub", \.hasHub),
        .flag("announces-power-on", \.announcesPowerOn),
        .flag("extended-apdu", \.understandsExtendedAPDU),
        .flag("refuses-without-sred-key", \.refusesWithoutSREDKey),
        .choice(
            "cancel-key",
            [
                "ends-transaction": .endsTransaction,
                "first-switches-contactless-off": .firstSwitchesContactlessOff,
            ],
            \.cancelKey
        ),
        .choice("answer-after-removal", extraAnswers, \.answerAfterRemoval),
        .choice("answer-after-abort", extraAnswers, \.answerAfterAbort),
        .choice(
            "removal-answer",
            ["declined": .declined, "no-card": .noCard, "chip-error": .chipError],
            \.removalAnswer
        ),
        .choice("early-command", ["waits": .waits, "is-refused": .isRefused], \.earlyCommand),
        .choice(
            "bad-frame",
            ["is-answered": .isAnswered, "is-ignored": .isIgnored, "drops-link": .dropsLink],
            \.badFrame
        ),
        .flag("answers-abort-last", \.answersAbortLast),
        .flag("reports-pin-digits", \.reportsPINDigits),
        .flag("allows-pin-bypass", \.allowsPINBypass),
        .time("answer-delay", \.answerDelay),
        .time("selection-time", \.selectionTime),
        .time("pin-check-time", \.pinCheckTime),
        .time("cryptogram-time", \.cryptogramTime),
        .time("tap-time", \.tapTime),
        .time("extra-answer-delay", \.extraAnswerDelay),
        .time("key-time-limit", \.keyTimeLimit),
        .time("tap-time-limit", \.tapTimeLimit),
        .time("input-time-limit", \.inputTimeLimit),
        .time("reboot-time", \.rebootTime),
        .time("initialisation-time", \.initialisationTime),
    ]

    private static let extraAnswers: KeyValuePairs<String, ExtraAnswer> = [
        "declined": .declined, "no-card": .noCard, "none": .none,
    ]
}

extension SimulatedMiura {
    /// What a Miura reader does here, and how that is known.
    public static let behaviours: [ReaderBehaviour] = [
        stated("frames", "NAD, PCB, LEN, body and LRC; longer messages are chained"),
        stated("model", "an M010 has a contactless field, an M006 has none", "model"),
        stated("hub", "a POS hub answers as node 02", "hub"),
        stated("greeting", "on Bluetooth and TCP it says that it is on", "announces-power-on"),
        stated("commands", "one command is worked on at a time", nil),
        stated("abort", "ABORT ends what runs, and either answer may come first", nil),
        stated("swipe", "tracks come encrypted under DUKPT, masked beside", nil),
        stated("Bluetooth name", "it ends with three digits of the serial number", nil),
        stated("Wi-Fi", "it listens on the port of a valid wifi.cfg, and nowhere without", nil),
        guess("extended commands", "it announces and understands them", "extended-apdu"),
        guess("missing key", "tracks are sent in clear without a key", "refuses-without-sred-key"),
        guess("Cancel", "while a tap is waited for it ends the transaction", "cancel-key"),
        guess(
            "card pulled early",
            "E5 comes, to which there is no command",
            "answer-after-removal"
        ),
        guess("ABORT", "E5 comes as well while CONTINUE is waited for", "answer-after-abort"),
        guess("card pulled", "a running chip transaction answers E5", "removal-answer"),
        guess("early command", "it waits until the one that runs has ended", "early-command"),
        guess("bad frame", "it is answered by 6F00, and the next one is read", "bad-frame"),
        guess("order", "ABORT is answered before what it hit", "answers-abort-last"),
        guess("PIN", "its digits are not reported one by one", "reports-pin-digits"),
        guess("PIN", "Enter without a digit does not go on without a PIN", "allows-pin-bypass"),
        guess("times", "an answer comes 2 ms after its command", "answer-delay"),
        guess("times", "the applications of a chip are read in 400 ms", "selection-time"),
        guess("times", "a chip checks a PIN in 200 ms", "pin-check-time"),
        guess("times", "a chip makes a cryptogram in 300 ms", "cryptogram-time"),
        guess("times", "a tapped card is read in 400 ms", "tap-time"),
        guess("times", "the extra answer comes after 500 ms", "extra-answer-delay"),
        guess("times", "keys are waited for 30 s", "key-time-limit"),
        guess("times", "a tap is waited for 240 s", "tap-time-limit"),
        guess("times", "input is waited for 600 s", "input-time-limit"),
        guess("times", "it starts anew in 20 s", "reboot-time"),
        guess("times", "P2PE INITIALISE takes 30 s", "initialisation-time"),
    ]

    private static func stated(
        _ subject: String,
        _ text: String,
        _ option: String? = nil
    ) -> ReaderBehaviour {
        ReaderBehaviour(
            subject,
            text,
            .documented,
            source: "Miura Java SDK 1-1i; Miura Android SDK, MpiClient and its tests"
                + (option.map { "; option \($0)" } ?? "")
        )
    }

    private static func guess(
        _ subject: String,
        _ text: String,
        _ option: String
    ) -> ReaderBehaviour {
        ReaderBehaviour(
            subject,
            text,
            .assumed(option: option),
            source: "the vendor's document on MPI is not public; Docs/miura.md has what suggests it"
        )
    }
}
