import CardData
import Reporting
import SimulatedReaders
import Testing

@testable import CardRigCLI

@Suite("serve terminal")
struct ServedTerminalTests {
    private static let base = "com-innerfence-ccterminal://charge/1.0.0/"

    private static func terminal(_ settings: KeyValuePairs<String, String> = [:]) -> ServedTerminal
    {
        var terminal = ServedTerminal()
        for (name, value) in settings {
            let isSet = terminal.set(name, to: value)
            #expect(isSet, "\(name)")
        }
        return terminal
    }

    @Test func aURLIsAnsweredByAURL() {
        var terminal = Self.terminal(["tip": "1.50", "tax-rate": "8.5"])
        let line = Self.base + "?amount=10.99&taxRate=default&returnURL=app%3A%2F%2Fr%3Fid%3D1"
        let answer = terminal.answer(to: line)
        #expect(
            answer == "app://r?id=1&ifcc_responseType=approved&ifcc_transactionId=100001"
                + "&ifcc_amount=13.42&ifcc_currency=USD&ifcc_redactedCardNumber=XXXXXXXXXXXX1111"
                + "&ifcc_cardType=Visa&ifcc_taxAmount=0.93&ifcc_taxRate=8.5&ifcc_tipAmount=1.50"
        )
        let silent = terminal.answer(to: Self.base + "?amount=10.99")
        #expect(silent == "ok charged 12.49, no return URL, nobody is told")
    }

    @Test(arguments: ["declined", "error", "cancelled"])
    func otherOutcomesCarryTheirTypeOnly(_ outcome: String) {
        var terminal = Self.terminal(["outcome": outcome])
        let answer = terminal.answer(to: Self.base + "?amount=1.00&returnURL=app%3Ax")
        #expect(answer == "app:x?ifcc_responseType=\(outcome)")
    }

    /// Lines, those that begin with `?` or are empty behind the base URL, and their errors.
    static let badLines: [(line: String, error: String)] = [
        ("hello", "error byte 0: expected a URL"), ("app://x", "error byte 0: a request begins"),
        ("?amount=%4", "error byte 49: `%` is followed by"),
        ("?amount=ten", "error amount is an amount such as 10.99"),
        ("?amount=1.00&taxRate=x", "error taxRate is a rate such as 8.5"),
        ("", "error the request names no amount"),
        ("?amount=1.00&currency=usd", "error currency is three capital letters such as USD"),
        ("?amount=1.00&currency=EURO", "error currency is three capital letters"),
        (
            "?returnURL=app%3Ax%0Aok&amount=1.00",
            "error byte 59: returnURL is a URL of print"
        ),
        ("?returnURL=app%3Ax%0D", "error byte 59: returnURL is"),
        ("?returnURL=app%3Ax%1B", "error byte 59: returnURL is"),
        ("?returnURL=app%3Ax%7F", "error byte 59: returnURL is"),
        ("?returnURL=app%3Ax%20y", "error byte 59: returnURL is"),
        ("?returnURL=app%3Ax%C3%A9", "error byte 59: returnURL is"),
        ("?returnURL=hello", "error byte 57: returnURL is a URL that begins with a scheme"),
        ("?returnURL=%3Ax", "error byte 52: returnURL is a URL that begins with a scheme"),
        ("com-innerfence-ccterminal://charge/1.0.1/", "error byte 34: a request begins"),
        ("?amount=1.00é", "error byte 53: a URL holds printable ASCII only"),
    ]

    @Test(arguments: badLines)
    func aBadLineGetsOneErrorAndChangesNothing(_ line: String, _ error: String) {
        var terminal = Self.terminal()
        let isWhole = !line.isEmpty && !line.hasPrefix("?")
        let answer = terminal.answer(to: isWhole ? line : Self.base + line)
        #expect(answer.hasPrefix(error), "\(answer)")
        #expect(!answer.contains("\n"))
        let next = terminal.answer(to: Self.base + "?amount=1.00")
        #expect(next.hasPrefix("ok charged 1.00"))
    }

    @Test func ofNothingTheAnswerIsOneThatTheClassReads() {
        var terminal = Self.terminal()
        let answer = terminal.answer(to: Self.base + "?amount=0.00&returnURL=app%3Ax")
        #expect(answer.contains("&ifcc_amount=0.00&ifcc_currency=USD&"))
    }

    @Test func withHandsOnLinesEachActIsALine() {
        var terminal = Self.terminal(["hands": "lines", "outcome": "declined"])
        #expect(terminal.answer(to: "done") == "error no charge is on the screen")
        let shown = terminal.answer(
            to: Self.base + "?amount=2.00&returnAppName=A&returnURL=app%3Ax"
        )
        #expect(shown == "ok shows 2.00 for A")
        #expect(terminal.answer(to: "pay nobody").hasPrefix("error there is no such card"))
        #expect(terminal.answer(to: "pay visa") == "ok declined")
        #expect(terminal.answer(to: "done") == "app:x?ifcc_responseType=declined")
    }

    @Test func everyOptionTakesItsOwnValueAndNoOther() {
        let options = Self.terminal().options
        #expect(options.count == 10)
        for option in options {
            var terminal = Self.terminal()
            let isSet = terminal.set(option.name, to: option.value)
            let isWrong = terminal.set(option.name, to: "what?")
            #expect(isSet && !isWrong, "\(option.name)")
        }
        for behaviour in Self.terminal().behaviours {
            if case .assumed(let option?) = behaviour.basis {
                #expect(options.contains { $0.name == option })
            }
        }
    }

    private func run(_ arguments: [String]) -> (code: Int32, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(arguments, streams: streams)
        return (
            code.rawValue, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    @Test func wrongArgumentsSayWhatWouldBeRight() {
        #expect(run(["serve", "terminal", "more"]).code == 2)
        let option = run(["serve", "terminal", "--set", "tips=1"])
        #expect(option.code == 2)
        #expect(option.error.contains("did you mean 'tip'?"))
        let value = run(["serve", "terminal", "--set", "tip=much"])
        #expect(value.error.contains("an amount"))
        #expect(run(["serve", "terminal", "--describe"]).output.contains("assumed  tax:"))
    }

    @Test func urlsAreDecodedMaskedAndWithThePlaceOfWhatIsWrong() {
        let request = run(["decode", "innerfence-request", Self.base + "?amount=10.99&city=Rome"])
        #expect(request.code == 0)
        #expect(request.output.contains("amount   10.99  (the amount, before tax and tip)"))
        let other = run(["decode", "innerfence-request", "app://x?amount=1"])
        #expect(other.code == 2)
        #expect(other.error.contains("byte 0: a request begins with \(Self.base)"))
        let number = String(repeating: "4", count: 16)
        let response = run([
            "decode", "innerfence-response",
            "app://r?ifcc_responseType=approved&ifcc_amount=1.00&note=\(number)"
                + "&ifcc_redactedCardNumber=\(number)",
        ])
        #expect(response.code == 2)
        #expect(!response.output.contains(number) && !response.error.contains(number))
        #expect(
            response.error.contains("ifcc_redactedCardNumber is any number of X and four digits")
        )
    }
}
