import CardData
import Journal

extension Grammar {
    /// The readers that can lie on a desk.
    static let benchReaderKinds = ReaderKind.allCases.filter { !$0.isAudioJack }

    static let bench = MapTable(
        subject: "a bench",
        keys: [
            KeyRow("bench", .text, "What the desk is called."),
            KeyRow("readers", .named(.map(benchReader)), isRequired: true, "The readers, by name."),
            KeyRow(
                "cards",
                .named(.map(benchCard)),
                "The cards, by the names that scenarios have for them."
            ),
            KeyRow(
                "keys",
                .map(benchKeys),
                "Who can open what the readers encrypt; nobody where nothing is said."
            ),
        ]
    )

    static let benchReader = MapTable(
        subject: "a reader of the bench",
        keys: [
            KeyRow(
                "kind",
                .words(benchReaderKinds.map(\.rawValue)),
                isRequired: true,
                "Which reader it is; a dynamag stands in for an idynamo."
            ),
            KeyRow(
                "address",
                .text,
                isRequired: true,
                "Where it is, as after `--reader`: `usb:0801:0011`, `tcp:192.168.1.20:6543`."
            ),
            KeyRow(
                "uhubctl",
                .map(hubPort),
                "The port that `uhubctl` switches for `plug in` and `unplug`."
            ),
        ]
    )

    static let hubPort = MapTable(
        subject: "a port of a hub",
        keys: [
            KeyRow(
                "hub",
                .pattern("^[0-9][0-9.-]{0,31}$"),
                isRequired: true,
                "The hub as `uhubctl` lists it, such as `1-1`."
            ),
            KeyRow("port", .integer(1...255), isRequired: true, "The port."),
        ]
    )

    static let benchCard = MapTable(
        subject: "a card of the bench",
        keys: CardField.allCases.map { KeyRow($0.rawValue, .text, $0.meaning) } + [
            KeyRow("note", .text, "What stands on the plastic, for the person at the desk.")
        ]
    )

    static let benchKeys = MapTable(
        subject: "`keys`",
        keys: [
            KeyRow(
                "undecryptable",
                .words(["accept"]),
                "The gateway takes swipes that it cannot open."
            ),
            KeyRow(
                "baseDerivationKey",
                .pattern("^[A-Z_][A-Z0-9_]{0,63}$"),
                "The environment variable with the test base derivation key, 32 hexadecimal digits."
            ),
        ],
        exactlyOne: [["undecryptable", "baseDerivationKey"]]
    )
}
