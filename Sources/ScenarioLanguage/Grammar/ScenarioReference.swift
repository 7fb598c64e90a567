import CardData
import Journal

/// The language in one page, for people.
public enum ScenarioReference {
    /// The page as `Docs/scenario-language.md` holds it: what the tables and the vocabulary say,
    /// between explanations.
    public static var document: String {
        var text = opening
        text += table("Keys of a scenario", Grammar.scenario)
        text += table("`explore`", Grammar.explore)
        text += table("`outcome`", Grammar.outcome)
        text += table("A charge of `outcome`", Grammar.charge)
        text += table("`laws`", Grammar.laws)
        text += table("`verdict`", Grammar.verdict)
        text += table("Keys of `rig`", Grammar.rig)
        text += table("A reader as a map", Grammar.reader)
        text += table("`rig: { link: … }`", Grammar.link)
        text += table("`rig: { app: … }`", Grammar.app)
        text += table("`settings`", Grammar.settings)
        text += table("`rig: { sdk: … }`", Grammar.sdk)
        text += table("`messageOptions`", Grammar.messageOptions)
        text += table("`rig: { host: … }`", Grammar.host)
        text += table("`volumeLimiter`", Grammar.limiter)
        text += steps
        text += blocks
        text += table("`swipe`", Grammar.swipe)
        text += table("`charge`", Grammar.chargeStep)
        text += table("`gateway`", Grammar.gateway)
        text += answers
        text += table("`set`", Grammar.setting)
        text += table("`call: { setAudioJackReaderType: … }`", Grammar.readerType)
        text += audioJack
        text += table("`race`", Grammar.race)
        text += table("`repeat`", Grammar.repeated)
        text += table("`expect-state`", Grammar.state)
        text += table("A fault of the link", Grammar.linkFault)
        text += table("Its address (`at`)", Grammar.address)
        text += addresses
        text += table("What is in the way of opening (`open`)", Grammar.openingMap)
        text += openings
        text += faults
        text += calls
        text += records
        return text
    }

    private static let opening = """
        # The scenario language

        One file is one scenario, or one for each cell of its `matrix`. Unknown keys and words are \
        errors, with
        place, caret and a hint; `cardrig check` reports all of a file in one pass, and \
        `cardrig schema` prints the
        JSON Schema for editors. The tables of this page are those by which the parser reads; a \
        test keeps the page.

        Lengths of time are written `150ms`, `20s`, `2min`; money `10.99`; a moment \
        `2024-06-03T09:00:00Z`.

        ## Matrix

        ```yaml
        scenario: A card is declined
        matrix: { card: [visa, amex], code: [200, 223] }
        rig: { reader: idynamo, gateway: nmi }
        steps:
          - swipe: <card>
          - gateway: { answer: decline <code> }
        ```

        `<name>` stands for a value, in any value of the file (keys are not replaced). Lists are \
        combined, the last
        name changing fastest; a list of rows (`matrix: [{ card: visa, code: 200 }, …]`) is taken \
        as it stands. Alone a
        placeholder may be a list or a map as well, so that a row can bring its own steps or \
        events. Each cell is a
        scenario of its own, called `A card is declined [card: visa, code: 200]`. At most 1,000 \
        cells; a name that is
        used nowhere is an error.

        ## Cards of the desk

        In the text of a check `$card.masked`, `$card.expires` and `$card.holder` are fields of the \
        card that the steps
        above used last, and `$visa.masked` one of a card by name: what the reader reports of the \
        published test card,
        or, with `--bench`, what the bench file says of the plastic on the desk.

        """

    private static let openings = """

        `- link: { open: busy }` is about the next time that a Dynamag is plugged in: another \
        program has its interface, for
        good or for so long (`{ open: { busy: 300ms } }`). `denied` is a permission that is \
        missing, `late` one that comes 100 ms
        after the plug, or as much later as is said. The host tries ten times in two seconds; \
        then the record
        `readerUnusable` says what was in the way, and the app has a reader that is connected and \
        failed to be activated.
        At level `usb` a hand arranges it, which the test bed can.

        """

    private static let blocks = """

        - Time limits: `within` and `not before` stand beside the check (`- expect: […]`, \
        `within: 2s`), or beside the
          record's name. They are counted from the end of the step before.
        - `count` asks for a number (`{ didSwipeCard: 2 }`) or bounds (`{ of: didSwipeCard, \
        at least: 1, at most: 3 }`).
          At the top, and as a step of the scenario itself, it is about the whole run; inside \
        `do:` or a round of
          `repeat:` about that block, at whose end it is checked.
        - `never` as a key is about the whole run; as a step about the rest of its block.
        - `on: EVENT` with `do: [steps]` acts from inside the callback, before the next event is \
        delivered; what the app
          calls there has its effect after the callback returns, in the order made. It acts once, \
        or `times:` as often,
          and ends with its block.
        - `repeat: { times: 3, steps: […] }` plays rounds; with `until: EVENT` it ends after the \
        round in which the record
          came, and fails when that does not happen in `times` rounds (1,000 where nothing is said).
        - `any time: STEP` comes at any moment from here to the end, `sometime within: \
        { 2s: STEP }` in that window; the
          steps after it go on meanwhile. Steps in a list keep their order. `fault points: [names]` \
        lets each of these
          faults come once, or not. In a plain run the seed picks; `cardrig explore` plays all of \
        them. `settle` does not
          wait for what may come at any time, the end does, and so does a check that nothing else \
        can meet.
        - `explore: { runs: 100, seed: 1 }` has `run` play so many more orders, up to the first \
        that fails;
          `choices: "…"` plays the one order that an explored failure was written down with.
        - `until: EVENT` lets records pass up to the one named and leaves it to the next check; \
        `await` takes it.
        - A `misuse` is the app's mistake and fails the run unless something names it: `expect`, \
        `await`, `until`,
          `unordered`, `expect-any`, a `count` of the block it comes in, or the `until` of a \
        repeat. `await` and `until` of
          another record do not let it pass, and `events: loose` does not allow it.

        """

    private static let answers = """

        Its answers are `decline 202` and `error 300` with a response code, `http 500` with a \
        status, `slow 5s` with a
        time, and `timeout`, `garbage` and `reset`; without their value the first four mean 200, \
        300, 500 and 3s.
        `http 500 approved` has a body that approves, `other order` is the natural answer about \
        another order, and
        `refused` is a connection that is never made: the gateway receives no request.

        """

    private static let audioJack = """

        ## The audio jack

        A phone has one jack: what is plugged in takes the place of what was there. \
        `plug in: headphones` puts
        something in that is no reader; so do `plug in: shuttle` and `plug in: ips` where the rig \
        has no such reader.
        `unplug: headphones` pulls out whatever is there. A rig with a shuttle and an ips \
        (`readers: [shuttle, ips]`)
        has both on the desk; `sdk: { audioReader: … }` says which one the app enables, the first \
        one of the rig where it
        says nothing. Events name the reader that is enabled, whatever is plugged in.

        Under `prompts: accept` and `prompts: refuse` prompts are answered at once, and prompts \
        and alerts are matched by
        their own names only. Under `prompts: ask` they come in order like an event of the SDK, \
        and a prompt waits for
        `answer: yes` or `answer: no`.

        """

    private static let addresses = """

        Numbers begin with 1 and count from the step on (in `rig`, from the beginning of the \
        run), over all sessions.
        `{ byte: 40 }` counts across blocks or reports; `{ block: 2, byte: 7 }` is the 7th byte of \
        the 2nd block. An
        address that the reader does not have is an error, and so is a fault that its link cannot \
        have: the packets of a
        Dynamag come whole or not at all.

        `link: { drop, to: reader, at: { frame: 2 } }` loses what the host sends; frames of either \
        direction are counted
        for themselves. `{ command: "START TRANSACTION", phase: answered }` is the first frame of \
        the answer to the next
        such command, with `phase: sent` the command's own; `byte` may stand beside it.

        """

    private static var steps: String {
        var text = "\n## Steps\n\n| step | says | alone | in a race or callback |\n"
        text += "|---|---|---|---|\n"
        for word in StepWord.allCases {
            text += "| `\(word.rawValue)` | \(word.meaning) | "
            text += Grammar.standsAlone(word) ? "yes | " : " | "
            text += word.isAct ? "yes |\n" : " |\n"
        }
        return text
    }

    private static var faults: String {
        var text = "\n## Names for `fault points`\n\n| name | says |\n|---|---|\n"
        for point in FaultPoint.allCases { text += "| `\(point.rawValue)` | \(point.meaning) |\n" }
        return text
    }

    private static var calls: String {
        var text = "\n## Methods for `call`\n\n| method | argument | says |\n|---|---|---|\n"
        for method in MethodName.allCases {
            let argument = argument(of: method)
            text += "| `\(method.spelling)` | \(argument) | \(method.meaning) |\n"
        }
        return text
    }

    private static func argument(of method: MethodName) -> String {
        switch method.argument {
        case .none: ""
        case .value(.symbol(let symbols)):
            symbols.map { Vocabulary.spelling(of: $0) }.joined(separator: ", ")
        case .value(.reader): "a reader's name"
        case .value(.flag): "true, false"
        case .value(.duration): "a length of time"
        case .value: "a value"
        case .readerType:
            Grammar.audioJackReaderTypes.joined(separator: ", ") + ", or a map of it"
        case .messageOptions: "a map of options"
        }
    }

    private static var records: String {
        var text = "\n## Records\n\n"
        text += "`expect` takes those of the SDK and the app in order; others are matched by "
        text += "their own names only.\n\n"
        text += "| record | from | attributes | says |\n|---|---|---|---|\n"
        for record in Vocabulary.records {
            let names = record.attributes.map { Vocabulary.spelling(of: $0.name) }
            text += "| `\(record.spelling)` | \(record.source.spelling) | "
            text += "\(names.joined(separator: ", ")) | \(record.meaning) |\n"
        }
        return text
    }

    private static func table(_ title: String, _ table: MapTable) -> String {
        var text = "\n## \(title)\n\n| key | must be there | says |\n|---|---|---|\n"
        for row in table.keys {
            text += "| `\(row.name)` | \(row.isRequired ? "yes" : "") | \(row.meaning)"
            let words = words(of: row.shape)
            if !words.isEmpty {
                text += words.count == 1 ? " Only " : " One of "
                text += words.map { "`\($0)`" }.joined(separator: ", ") + "."
            }
            text += " |\n"
        }
        return text
    }

    /// The words that may stand behind a key, when those are all that may.
    private static func words(of shape: Shape) -> [String] {
        switch shape {
        case .words(let words): words
        case .list(let item, _): words(of: item)
        case .either(let shapes):
            shapes.allSatisfy { !words(of: $0).isEmpty } ? words(of: shapes[0]) : []
        default: []
        }
    }
}
