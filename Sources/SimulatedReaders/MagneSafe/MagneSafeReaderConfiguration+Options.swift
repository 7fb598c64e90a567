import ReaderProtocols

extension MagneSafeReaderConfiguration {
    /// What can be set by name, because no manual decides it.
    public static let options: [ReaderOption<MagneSafeReaderConfiguration>] = [
        .choice(
            "ksn-step",
            ["before-use": .beforeUse, "after-use": .afterUse, "never": .never],
            \.ksnStep
        ),
        .choice(
            "terminator",
            ["before-padding": .beforePadding, "after-padding": .afterPadding, "absent": .absent],
            \.terminatorPlacement
        ),
        .flag("pads-replies", \.padsReplies),
        .choice(
            "masks-at-level-two",
            ["in-text-only": Bool?.none, "yes": true, "no": false],
            \.masksAtLevelTwo
        ),
        .flag("keeps-magneprint-separators", \.keepsMagnePrintSeparators),
        .flag("pads-clear-tracks", \.padsClearTracks),
        .flag("reports-swipe-time-out", \.reportsSwipeTimeOut),
        .choice("unknown-command", results, \.unknownCommandResult),
        .choice("unknown-property", results, \.unknownPropertyResult),
        .time("reply-delay", \.replyDelay),
        .time("first-block-delay", \.firstBlockDelay),
        .time("block-interval", \.blockInterval),
    ]

    private static let results: KeyValuePairs<String, MagneSafeResponse.Result> = [
        "01": .failure, "02": .badParameter, "07": .invalidOperation,
    ]
}

extension SimulatedMagneSafeReader {
    /// What an iDynamo does here, and how that is known.
    public static let streamBehaviours: [ReaderBehaviour] = [
        stated("message", "a swipe is one ASCII message with its fields in the manual's order"),
        stated("blocks", "a message is sent in blocks of 500 bytes, filled up with 'x'"),
        stated("encryption", "tracks, MagnePrint and session id are encrypted under DUKPT keys"),
        stated("masking", "card numbers are masked but for their first six and last four digits"),
        stated("bad swipe", "tracks that could not be read are sent as their error form"),
        stated("commands", "a line of hexadecimal text is a command and is answered by a line"),
        stated("authentication", "at security level 4 a swipe needs an activation before it"),
        stated("properties", "a property that was set holds from the next reset on"),
        open("key", "a swipe uses up its key before it is sent", option: "ksn-step"),
        open(
            "terminator",
            "a carriage return ends the message, before the filling",
            option: "terminator"
        ),
        open("reply filling", "replies are not filled up to 500 bytes", option: "pads-replies"),
        open(
            "level 2",
            "masked fields are masked in text and not in reports",
            option: "masks-at-level-two",
            because: "the manual's examples 5 and 3 say so, and its example 2 otherwise"
        ),
        open(
            "level 2",
            "MagnePrint fields that are left out keep their separators",
            option: "keeps-magneprint-separators",
            because: "example 5 shows it, and the text says the contrary"
        ),
        open(
            "clear tracks",
            "clear tracks of reports are not filled up to blocks of 8",
            option: "pads-clear-tracks",
            because: "example 3 shows it so, and example 1 otherwise"
        ),
        open(
            "closed window",
            "an authenticated swipe window that closes sends nothing",
            option: "reports-swipe-time-out"
        ),
        open("unknown command", "it is answered by 02", option: "unknown-command"),
        open("unknown property", "it is answered by 02", option: "unknown-property"),
        open("times", "a reply comes 5 ms after its command", option: "reply-delay"),
        open("times", "the first block comes 40 ms after the swipe", option: "first-block-delay"),
        open("times", "the blocks of a message are 10 ms apart", option: "block-interval"),
        open("bad swipe", "one that reads nothing uses up a key as well", option: nil),
        open("MagnePrint", "every swipe has the one of the manual's example 12", option: nil),
    ]

    private static func stated(_ subject: String, _ text: String) -> ReaderBehaviour {
        ReaderBehaviour(
            subject,
            text,
            .documented,
            source: "MagneSafe V5 Communication Reference Manual 99875475; iDynamo manual 99875483"
        )
    }

    private static func open(
        _ subject: String,
        _ text: String,
        option: String?,
        because reason: String = "no manual says it"
    ) -> ReaderBehaviour {
        ReaderBehaviour(subject, text, .assumed(option: option), source: reason)
    }
}
