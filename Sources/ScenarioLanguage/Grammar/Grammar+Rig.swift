import Journal

extension Grammar {
    static let rig = MapTable(
        subject: "`rig`",
        keys: [
            KeyRow("reader", readerShape, "The only reader."),
            KeyRow(
                "readers",
                .either([.named(readerShape), .list(readerShape, minimumCount: 1)]),
                "Several readers, by name or by kind."
            ),
            KeyRow("attached", oneOrMore(.text), "Readers that are plugged in before the run."),
            KeyRow(
                "gateway",
                .either([.words(GatewayKind.allCases.map(\.rawValue)), .map(gatewayAccount)]),
                "The gateway."
            ),
            KeyRow("link", .map(link), "What every reader's link does."),
            KeyRow("app", .map(app), "What the app declares and how it answers."),
            KeyRow("host", .map(host), "The audio of the phone."),
            KeyRow("clock", .instant, "The calendar at the beginning, in UTC."),
            KeyRow("sdk", .map(sdk), "How the app uses the SDK."),
            KeyRow(
                "merchantServer",
                .words(MerchantServerPlan.allCases.map(\.rawValue)),
                "The merchant's own server; none if not said."
            ),
            KeyRow("terminal", .map(terminal), "Inner Fence's terminal app."),
            KeyRow(
                "mode",
                .words(PaymentMode.allCases.map(\.rawValue)),
                "How far card payments go; test if not said."
            ),
        ],
        atLeastOne: ["reader", "readers", "gateway"]
    )

    static let reader = MapTable(
        subject: "a reader",
        keys: [
            KeyRow(
                "kind",
                .words(ReaderKind.allCases.map(\.rawValue)),
                isRequired: true,
                "Which reader it is."
            ),
            KeyRow(
                "packetByteCount",
                .integer(1...1_024),
                "The size of a Dynamag's USB packets; 1024 holds a whole report, as hosts get it."
            ),
            KeyRow("protocolString", .text, "The protocol string of an iDynamo."),
            KeyRow(
                "sessionOpenFailures",
                .integer(0...100),
                "How often opening a session gives nothing after each attach."
            ),
            KeyRow(
                "notifications",
                .words(ReaderPlan.Notifications.allCases.map(\.rawValue)),
                "How the system tells of its coming and going."
            ),
        ] + audioReaderKeys + miuraReaderKeys
    )

    private static let readerShape = Shape.either([
        .words(ReaderKind.allCases.map(\.rawValue)), .map(reader),
    ])

    static let link = MapTable(
        subject: "`link`",
        keys: [
            KeyRow(
                "kind",
                .words(LinkKind.allCases.map(\.rawValue)),
                "What carries a payment reader's bytes; direct if not said."
            ),
            KeyRow("delay", .duration, "How much later everything arrives."),
            KeyRow("jitter", .duration, "The longest random delay on top of it."),
            KeyRow("open", opening, "What stands in the way whenever a Dynamag is opened."),
            KeyRow("split", .map(parts), "The parts in which everything arrives."),
            KeyRow(
                "faults",
                .list(.defined(.linkFault), minimumCount: 1),
                "Faults, addressed from the beginning of the run."
            ),
        ]
    )
    static let parts = MapTable(
        subject: "`split`",
        keys: [
            KeyRow("every", .integer(1...1_000_000), isRequired: true, "The bytes of a part."),
            KeyRow("gap", .duration, "The time between the parts of a unit."),
        ]
    )

    static let linkFault = MapTable(
        subject: "a fault of the link",
        keys: [
            KeyRow("delay", .duration, "The unit comes so much later."),
            KeyRow("split", .duration, "The unit comes in two, so much apart."),
            KeyRow("merge", .duration, "The unit waits at most so long for the next one."),
            KeyRow("drop", .nothing, "The unit or the byte is lost."),
            KeyRow(
                "corrupt",
                .either([.nothing, .integer(1...255)]),
                "The byte is changed by exclusive or, with 255 where nothing is said."
            ),
            KeyRow("duplicate", .nothing, "The unit or the byte arrives twice."),
            KeyRow("cut", .nothing, "The link is lost before it."),
            KeyRow("open", opening, "What stands in the way when a Dynamag is opened next."),
            KeyRow("at", .defined(.address), "Where; all but `open` need it."),
            KeyRow(
                "to",
                .words(LinkFaultPlan.Receiver.allCases.map(\.rawValue)),
                "Who is to receive it; `reader` disturbs what the host sends to a Miura."
            ),
            KeyRow("reader", .text, "Whose link; the first reader's where nothing is said."),
        ],
        exactlyOne: [linkActions]
    )
    static let linkActions = [
        "delay", "split", "merge", "drop", "corrupt", "duplicate", "cut", "open",
    ]

    /// What stands in the way of opening a reader: for good, or for so long.
    static let opening = Shape.either([.words(openingCauses), .map(openingMap)])
    static let openingMap = MapTable(
        subject: "`open`",
        keys: [
            KeyRow("busy", .duration, "Another program has it so long after the attach."),
            KeyRow("denied", .duration, "The permission is missing so long after the attach."),
            KeyRow("late", .duration, "The permission comes so long after the attach."),
        ],
        exactlyOne: [openingCauses]
    )
    static let openingCauses = ["busy", "denied", "late"]

    static let address = MapTable(
        subject: "an address",
        keys: [
            KeyRow("block", .integer(1...1_000_000), "A 500-byte block of an iDynamo."),
            KeyRow("report", .integer(1...1_000_000), "An HID report of a Dynamag, as it arrives."),
            KeyRow("piece", .integer(1...1_000_000), "A piece of what an audio-jack reader sends."),
            KeyRow("frame", .integer(1...1_000_000), "A frame of a Miura."),
            KeyRow("byte", .integer(1...1_000_000_000), "A byte, in the unit or across units."),
            KeyRow("command", .words(miuraCommands), "The next command of this name to a Miura."),
            KeyRow(
                "phase",
                .words(LinkFaultPlan.CommandPlace.Phase.allCases.map(\.rawValue)),
                "The command's own first frame, or its answer's; answered if not said."
            ),
        ],
        atLeastOne: ["block", "report", "piece", "frame", "byte", "command"]
    )

    static let app = MapTable(
        subject: "`app`",
        keys: [
            KeyRow(
                "accessoryProtocols",
                .list(.text, minimumCount: 0),
                "The protocol strings that the app declares."
            ),
            KeyRow(
                "prompts",
                .words(AppPlan.Prompts.allCases.map(\.rawValue)),
                "How prompts are answered; under `ask` by `answer: yes` and `answer: no`."
            ),
            KeyRow(
                "settings",
                .map(settings),
                "What the app has saved, saves again when it changes, and uses at every launch."
            ),
        ]
    )

    static let settings = MapTable(
        subject: "`settings`",
        keys: [
            KeyRow(
                "audioReader",
                .words(audioJackReaderTypes),
                "The saved audio-jack reader; what an autodetection finds is saved in its place."
            ),
            KeyRow(
                "messageOptions",
                .map(messageOptions),
                "The saved message options; what the app chooses later is saved in their place."
            ),
        ]
    )

    static let sdk = MapTable(
        subject: "`sdk`",
        keys: [
            KeyRow(
                "delegate",
                .words(["app", "none"]),
                "Whether the controller is made with a delegate."
            ),
            KeyRow(
                "unreadyAfterSwipe",
                .flag,
                "Whether a swipe is followed by unready(swipeDone) and ready."
            ),
            KeyRow(
                "silentInBackground",
                .flag,
                "Whether nothing is told of what happens in the background."
            ),
            KeyRow(
                "reportsCutSwipes",
                .flag,
                "Whether a swipe that a detach cut gives a didSwipeCard without card."
            ),
        ] + audioKeys + paymentSDKKeys + [chargeClass]
    )
}
