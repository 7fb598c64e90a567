import CardData
import Journal

/// The tables of the language: what each map can hold.
enum Grammar {
    static let scenario = MapTable(
        subject: "a scenario",
        keys: [
            KeyRow("scenario", .text, isRequired: true, "What the scenario shows."),
            KeyRow("rig", .defined(.rig), isRequired: true, "The world that the run starts with."),
            KeyRow("steps", .defined(.steps), isRequired: true, "What happens, in order."),
            KeyRow(
                "matrix",
                .either([
                    .named(.list(.any, minimumCount: 1)),
                    .list(.named(.any), minimumCount: 1),
                ]),
                "Values for `<name>`: lists whose combinations are run, or a list of rows."
            ),
            KeyRow("never", .defined(.records), "Records that must not come in the whole run."),
            KeyRow("count", .defined(.counts), "How often records come in the whole run."),
            KeyRow("outcome", .map(outcome), "What must have become of the money."),
            KeyRow("events", .words(["loose"]), "Records that no step takes are allowed."),
            KeyRow("laws", .map(laws), "The laws that this file switches off."),
            KeyRow("levels", oneOrMore(.words(levelWords)), "Where the scenario may run."),
            KeyRow("verdict", .map(verdict), "What must become of a scenario that has to fail."),
            KeyRow("explore", .map(explore), "How many orders `run` plays after its own."),
            KeyRow("choices", .text, "The one order to play, a schedule as a failure prints it."),
        ]
    )

    static let explore = MapTable(
        subject: "`explore`",
        keys: [
            KeyRow(
                "runs",
                .integer(1...1_000_000),
                isRequired: true,
                "How many orders are played, up to the first that fails."
            ),
            KeyRow("seed", .integer(0...Int64.max), "Where they come from; 1 if not said."),
        ]
    )

    static let laws = MapTable(
        subject: "`laws`",
        keys: [KeyRow("off", oneOrMore(.words(lawWords)), isRequired: true, "Laws by name.")]
    )

    static let verdict = MapTable(
        subject: "`verdict`",
        keys: [
            KeyRow("exit", .integer(1...1), isRequired: true, "The exit code it gives alone."),
            KeyRow("law", .words(lawWords), "The law that is broken."),
            KeyRow("line", .integer(1...1_000_000), "The line that is blamed."),
        ]
    )

    static let outcome = MapTable(
        subject: "`outcome`",
        keys: [
            KeyRow(
                "charges",
                .either([.words(["none"]), .list(.map(charge), minimumCount: 1)]),
                "The charges of the gateway's ledger, in order."
            ),
            KeyRow("requests", .integer(0...1_000_000), "How many requests the gateway received."),
            KeyRow(
                "webhooks",
                .integer(0...1_000_000),
                "How many webhooks the gateway sent, each counted once however often it was tried."
            ),
            KeyRow(
                "tokens",
                .integer(0...1_000_000),
                "How many tokens of PAYMILL paid or had their card kept."
            ),
        ],
        later: ["app"]
    )

    static let charge = MapTable(
        subject: "a charge",
        keys: [
            KeyRow("type", .words(bookedWords(.type)), "The transaction's type."),
            KeyRow("amount", .amount, "Its amount."),
            KeyRow("state", .words(bookedWords(.state)), "Its condition."),
        ]
    )

    static let levelWords = Level.allCases.map(\.rawValue)
    static let lawWords = LawName.allCases.map(\.spelling)

    /// The words that an attribute of a `booked` record can hold.
    static func bookedSymbols(_ name: AttributeName) -> [Symbol] {
        let definition = Vocabulary.definition(of: .booked).attributes.first { $0.name == name }
        guard case .symbol(let symbols) = definition?.kind else { return [] }
        return symbols
    }

    private static func bookedWords(_ name: AttributeName) -> [String] {
        bookedSymbols(name).map { Vocabulary.spelling(of: $0) }
    }

    /// A value, or a list of them.
    static func oneOrMore(_ shape: Shape) -> Shape {
        .either([shape, .list(shape, minimumCount: 1)])
    }

    /// What a definition stands for.
    static func shape(of definition: Definition) -> Shape {
        switch definition {
        case .rig: .map(rig)
        case .step: .either(StepWord.allCases.flatMap { stepShapes($0) })
        case .steps: .list(.defined(.step), minimumCount: 1)
        case .act: .either(StepWord.allCases.filter(\.isAct).flatMap { stepShapes($0) })
        case .acts: .list(.defined(.act), minimumCount: 1)
        case .record: record
        case .records: oneOrMore(.defined(.record))
        case .counts: oneOrMore(.either([.map(count), countByName]))
        case .linkFault: .map(linkFault)
        case .address: .map(address)
        }
    }
}
