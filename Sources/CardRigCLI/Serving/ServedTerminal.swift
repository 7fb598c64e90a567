import CardData
import GatewayProtocols
import SimulatedGateways
import SimulatedReaders

/// Inner Fence's simulated terminal app behind lines of text: URLs in, URLs out.
struct ServedTerminal: DescribedServing {
    private var terminal = SimulatedTerminal()
    /// Whether a request is paid and left at once.
    private var paysAtOnce = true
    private var card = "visa"
    private var leavesUnpaid = false

    /// What a line that is no URL can say.
    let handForms = "a URL, and with hands=lines also pay CARD, done and cancel; quit"

    var behaviours: [ReaderBehaviour] {
        [
            ReaderBehaviour(
                "request",
                "takes \(InnerFenceChargeRequest.baseURL) and the fields of the README; of a name "
                    + "that comes twice the last one counts, unknown ones are left out",
                .documented,
                source: "innerfence/ChargeDemo, README, PROTOCOL REQUEST"
            ),
            ReaderBehaviour(
                "other version",
                "refuses a request of another version",
                .assumed(option: nil),
                source: "no document names one"
            ),
            ReaderBehaviour(
                "return URL",
                "refuses a return URL that is none, or holds blanks, controls or other than ASCII",
                .assumed(option: nil),
                source: "no system opens one"
            ),
            ReaderBehaviour(
                "amount and currency",
                "takes what the class reads in an answer, 0.00 among it; usd is no currency",
                .assumed(option: nil),
                source: "innerfence/ChargeDemo, IFChargeResponse, patterns of the fields"
            ),
            ReaderBehaviour(
                "answer",
                "keeps the return URL's query byte for byte and appends its own pairs in the order "
                    + "of the README; other answers than approved carry their type only",
                .documented,
                source: "innerfence/ChargeDemo, README, PROTOCOL RESPONSE"
            ),
            ReaderBehaviour(
                "tax",
                "is amount times rate, rounded half up to cents, and comes on top as the tip does",
                .assumed(option: nil),
                source: "the README's example does not add up"
            ),
            ReaderBehaviour(
                "no tax rate",
                "a request without a tax rate is not taxed",
                .assumed(option: "taxes-without-rate"),
                source: "so the README for iOS; that for Windows has the user's default"
            ),
            ReaderBehaviour(
                "names of cards",
                "are those of the README, such as Amex",
                .assumed(option: "card-names"),
                source: "the class's header has American Express"
            ),
            ReaderBehaviour(
                "FileMaker",
                "writes the dollar sign of FileMaker's form raw",
                .assumed(option: nil),
                source: "so the README; what the app sends is not known"
            ),
            ReaderBehaviour(
                "second request",
                "takes the place of the one on the screen, which is never answered",
                .assumed(option: nil),
                source: "one charge is on the screen"
            ),
        ]
    }

    var options: [ServedOption] {
        let now = terminal.configuration
        func onOff(_ value: Bool) -> String { value ? "yes" : "no" }
        return [
            ServedOption(
                name: "hands",
                form: "automatic, lines",
                value: paysAtOnce ? "automatic" : "lines"
            ),
            ServedOption(name: "card", form: "the name of a test card", value: card),
            ServedOption(
                name: "outcome",
                form: "approved, declined, error, lost, cancelled",
                value: leavesUnpaid ? "cancelled" : now.answers.first?.rawValue ?? "approved"
            ),
            ServedOption(name: "tip", form: "an amount", value: now.tip?.description ?? "0.00"),
            ServedOption(
                name: "tax-rate",
                form: "percent, 0 to 99.999, or none",
                value: now.taxRate?.text ?? "none"
            ),
            ServedOption(
                name: "taxes-without-rate",
                form: "yes, no",
                value: onOff(now.taxesWithoutRate)
            ),
            ServedOption(
                name: "entered-amount",
                form: "an amount, or none",
                value: now.enteredAmount?.description ?? "none"
            ),
            ServedOption(name: "currency", form: "three capital letters", value: now.currency),
            ServedOption(
                name: "transaction-ids",
                form: "yes, no",
                value: onOff(now.hasTransactionIDs)
            ),
            ServedOption(name: "card-names", form: "readme, header", value: now.cardNames.rawValue),
        ]
    }

    /// Sets an option; `false` when the text is none of its values.
    mutating func set(_ name: String, to text: String) -> Bool {
        var new = terminal.configuration
        switch name {
        case "hands":
            guard text == "automatic" || text == "lines" else { return false }
            paysAtOnce = text == "automatic"
        case "card":
            guard TestCard.named(text) != nil else { return false }
            card = text
        case "outcome":
            leavesUnpaid = text == "cancelled"
            guard leavesUnpaid || SimulatedTerminal.Answer(rawValue: text) != nil else {
                return false
            }
            new.answers = [SimulatedTerminal.Answer(rawValue: text) ?? .approved]
        case "tip":
            guard let tip = Amount(text) else { return false }
            new.tip = tip
        case "tax-rate":
            guard text == "none" || SimulatedTerminal.TaxRate(text) != nil else { return false }
            new.taxRate = SimulatedTerminal.TaxRate(text)
        case "entered-amount":
            guard text == "none" || Amount(text) != nil else { return false }
            new.enteredAmount = Amount(text)
        case "currency":
            guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
                return false
            }
            new.currency = text
        case "card-names":
            guard let names = SimulatedTerminal.CardNames(rawValue: text) else { return false }
            new.cardNames = names
        case "taxes-without-rate", "transaction-ids":
            guard text == "yes" || text == "no" else { return false }
            if name == "transaction-ids" {
                new.hasTransactionIDs = text == "yes"
            } else {
                new.taxesWithoutRate = text == "yes"
            }
        default: return false
        }
        terminal.configuration = new
        return true
    }

    /// Does what a line says, and returns the line that answers it: a URL where the app is called
    /// back, else `ok …` or `error …`.
    mutating func answer(to line: String) -> String {
        let words = line.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("pay", 2) where !paysAtOnce:
            guard let number = Self.number(of: words[1]) else {
                return "error " + TestCard.absence
            }
            guard terminal.isOpen else { return "error no charge is on the screen" }
            return describe(terminal.pay(number))
        case ("done", 1) where !paysAtOnce, ("cancel", 1) where !paysAtOnce:
            guard terminal.isOpen else { return "error no charge is on the screen" }
            return describe(terminal.leave())
        default: return open(line)
        }
    }

    private mutating func open(_ line: String) -> String {
        guard line.utf8.contains(UInt8(ascii: ":")) else {
            return "error byte 0: expected \(handForms)"
        }
        let events = terminal.open(Array(line.utf8))
        for event in events {
            switch event {
            case .refused(let error): return "error byte \(error.offset): \(error)"
            case .unusable(let field):
                let form =
                    switch field {
                    case .amount: "an amount such as 10.99"
                    case .currency: "three capital letters such as USD"
                    default: "a rate such as 8.5"
                    }
                return "error \(field.rawValue) is \(form)"
            default: break
            }
        }
        guard paysAtOnce else { return describe(events) }
        var all: [SimulatedTerminal.Event] = []
        if !leavesUnpaid {
            guard let number = Self.number(of: card) else { return "error there is no such card" }
            all = terminal.pay(number)
            guard !all.isEmpty else {
                _ = terminal.leave()
                return "error the request names no amount that can be charged, and none is entered"
            }
        }
        return describe(all + terminal.leave())
    }

    private static func number(of card: String) -> PAN? {
        TestCard.named(card).flatMap { Track2(parsing: $0.unmaskedTrack2)?.pan }
    }

    /// The answer's URL, or what happened in words.
    private func describe(_ events: [SimulatedTerminal.Event]) -> String {
        var words: [String] = []
        for event in events {
            switch event {
            case .shown(let name, let amount):
                let app = name.isEmpty ? "" : " for \(SafeText(scrubbing: name))"
                words.append("shows \(amount?.description ?? "no amount")\(app)")
            case .booked(let transaction): words.append("charged \(transaction.amount)")
            case .declined: words.append("declined")
            case .failed: words.append("error at the gateway")
            case .receiptMailed: words.append("receipt mailed")
            case .closed: words.append("no return URL, nobody is told")
            case .calledBack(let url, _): return url
            case .refused, .unusable: break
            }
        }
        return "ok " + words.joined(separator: ", ")
    }
}
