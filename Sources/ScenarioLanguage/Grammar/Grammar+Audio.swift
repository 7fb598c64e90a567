import Journal

extension Grammar {
    /// How a share is written: `40%`, with at most three digits.
    static let percent = Shape.pattern("^(100|[0-9]{1,2})%$")

    static let host = MapTable(
        subject: "`host`",
        keys: [
            KeyRow("volume", percent, "The output volume at the beginning."),
            KeyRow("volumeLimiter", .map(limiter), "What lowers a volume that is too loud."),
            KeyRow("sdkSetsVolume", .flag, "Whether the SDK can set the volume."),
            KeyRow(
                "recordingPermission",
                .words(permissions.map(\.spelling)),
                "Whether the app may record at the beginning."
            ),
            KeyRow("monoAudio", .flag, "Whether both channels are mixed into one."),
            KeyRow("equaliserLoss", percent, "By how much an equaliser weakens every tone."),
            KeyRow("unloadsCleanly", .flag, "Whether a library that is unloaded is gone."),
        ]
    )

    static let limiter = MapTable(
        subject: "`volumeLimiter`",
        keys: [
            KeyRow("to", percent, isRequired: true, "The loudest volume that stays."),
            KeyRow("after", .duration, isRequired: true, "How long a louder one stays."),
        ]
    )

    static let permissions: [(spelling: String, value: Bool)] = [
        ("granted", true), ("refused", false),
    ]

    static let audioJackReaderTypes = EnabledAudioReader.allCases.map(\.rawValue)

    /// The keys of `sdk` that are about audio-jack readers.
    static let audioKeys = [
        KeyRow(
            "audioReader",
            .words(audioJackReaderTypes),
            "The audio-jack reader that is enabled; the first one of the rig if not said."
        ),
        KeyRow(
            "activateReaderOnAttach",
            .flag,
            "Whether a Shuttle is powered up when it is attached; true if not said."
        ),
        KeyRow(
            "automaticallySetVolumeToMaxOnActivate",
            .flag,
            "Whether the volume is set to maximum before that; true if not said."
        ),
        KeyRow(
            "alwaysAcceptSwipe",
            .flag,
            "Whether swipes are requested again and again; true if not said."
        ),
        KeyRow("swipeTimeoutDuration", .duration, "How long a request waits; 20s if not said."),
        KeyRow("messageOptions", .map(messageOptions), "What the Shuttle asks and tells the user."),
        KeyRow("profile", .words(sdkProfiles), "Whose library it is; careful if not said."),
        KeyRow(
            "unreadyBeforeSwipe",
            .flag,
            "Whether becameUnready comes before the didSwipeCard that causes it."
        ),
        KeyRow(
            "disconnectsAtPowerDown",
            .flag,
            "Whether powerDown is told as disconnected, then connected."
        ),
        KeyRow(
            "appPowersUpInsteadOfPrompt",
            .flag,
            "Whether the app must call powerUpDevice where the SDK would prompt."
        ),
        KeyRow(
            "triesEnterpriseFirst",
            .flag,
            "Whether autodetection tries the IPS Enterprise before the others."
        ),
        KeyRow(
            "autodetectFailure",
            .words(autodetectFailures.map(\.spelling)),
            "What an autodetection leaves behind that found nothing; selects none if not said."
        ),
        KeyRow(
            "missedAutodetects",
            .integer(0...1_000),
            "How many autodetections fail though a reader answers."
        ),
        KeyRow(
            "stuckLibrary",
            .words(libraries.map(\.spelling)),
            "The library that keeps the audio route once it is loaded."
        ),
        KeyRow(
            "canceledActivationResult",
            .words(activationResults.map(\.spelling)),
            "The result of a power-up that is canceled during the tone; none if not said."
        ),
        KeyRow(
            "interruption",
            .words(interruptions.map(\.spelling)),
            "What other audio does to a Shuttle that is activated; deactivates if not said."
        ),
        KeyRow("lowestVolume", percent, "The lowest volume at which a Shuttle is tried."),
        KeyRow("activationTimeout", .duration, "How long a Shuttle may take to answer the tone."),
        KeyRow(
            "communicationTestTimeout",
            .duration,
            "How long an IPS may take to answer the test; 5s if not said."
        ),
    ]

    static let autodetectFailures: [(spelling: String, value: SDKPlan.AutodetectFailure)] =
        SDKPlan.AutodetectFailure.allCases.map { ($0.rawValue, $0) }
    static let interruptions: [(spelling: String, value: SDKPlan.Interruption)] =
        SDKPlan.Interruption.allCases.map { ($0.rawValue, $0) }
    static let libraries: [(spelling: String, value: Symbol)] = [
        ("uniMag", .uniMag), ("ips", .ips),
    ]
    static let activationResults: [(spelling: String, value: Symbol)] = [
        ("failure", .failure), ("timeout", .timeout), ("volumeTooLow", .volumeTooLow),
    ]

    static let sdkProfiles = SDKPlan.Library.allCases.map(\.rawValue)

    static let messageOptions = MapTable(
        subject: "`messageOptions`",
        keys: [
            KeyRow(
                "activateReaderWithoutPromptingUser",
                .flag,
                "Whether a Shuttle is powered up without a prompt; false if not said."
            ),
            KeyRow(
                "showInitializingReaderMessage",
                .flag,
                "Whether an alert is shown while it powers up; false if not said."
            ),
            KeyRow("cardReaderActivationPrompt", .text, "The prompt before the volume is raised."),
            KeyRow("cardReaderActivationAtMaxVolumePrompt", .text, "The prompt in other cases."),
            KeyRow(
                "cardReaderTimeoutMessage",
                .text,
                "The alert after a timeout; `none` silences it."
            ),
            KeyRow(
                "volumeTooLowMessage",
                .text,
                "The alert after a volume that was too low; `none` silences it."
            ),
        ]
    )

    /// The keys of a reader that are about audio-jack readers.
    static let audioReaderKeys = [
        KeyRow(
            "format",
            .words(AudioReaderPlan.Format.allCases.map(\.rawValue)),
            "How a Shuttle writes a swipe down."
        ),
        KeyRow("threshold", percent, "The lowest volume that the reader hears, of the maximum."),
        KeyRow("bootTime", .duration, "From power to the answer of a Shuttle."),
        KeyRow("serial", .pattern("^[!-~]{1,10}$"), "The serial number of a Shuttle or a Miura."),
        KeyRow("reportsErrors", .flag, "Whether a Shuttle reports a swipe it could not read."),
        KeyRow(
            "quirks",
            oneOrMore(.words(AudioReaderPlan.Quirk.allCases.map(\.rawValue))),
            "What a Shuttle does wrong with each record."
        ),
        KeyRow("battery", percent, "The charge of an IPS or a Miura at the beginning."),
        KeyRow("swipesPerPercent", .integer(1...1_000_000), "The swipes for one percent of it."),
        KeyRow("sleepsAfter", .duration, "After how long without a swipe or a tone an IPS sleeps."),
        KeyRow(
            "waking",
            .words(AudioReaderPlan.Waking.allCases.map(\.rawValue)),
            "What wakes an IPS that sleeps."
        ),
        KeyRow("sendsDamagedPackets", .flag, "Whether an IPS sends something after a bad read."),
        KeyRow("answerDelay", .duration, "From the test's tone to the answer of an IPS."),
    ]
    /// Those of them that a Shuttle has.
    static let shuttleKeys = [
        "format", "threshold", "bootTime", "serial", "reportsErrors", "quirks",
    ]
    /// Those of them that an IPS has.
    static let ipsKeys = [
        "threshold", "battery", "swipesPerPercent", "sleepsAfter", "waking", "sendsDamagedPackets",
        "answerDelay",
    ]

    static let setting = MapTable(
        subject: "`set`",
        keys: [
            KeyRow("volume", percent, "The output volume, which a user turns."),
            KeyRow("battery", percent, "The charge of the rig's IPS or Miura."),
            KeyRow(
                "recordingPermission",
                .words(permissions.map(\.spelling)),
                "Whether the app may record from now on."
            ),
        ],
        atLeastOne: ["volume", "battery", "recordingPermission"]
    )

    static let readerType = MapTable(
        subject: "`setAudioJackReaderType`",
        keys: [
            KeyRow("type", .words(audioJackReaderTypes), isRequired: true, "The kind of reader."),
            KeyRow("messageOptions", .map(messageOptions), "What the Shuttle asks and tells."),
        ]
    )
}
