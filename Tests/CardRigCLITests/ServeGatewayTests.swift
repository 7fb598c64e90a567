import ScenarioLanguage
import JSON
import Kernel
import Reporting
import Testing

@testable import CardRigCLI

/// The gateways in a process of their own, with curl and the SDK as clients.
@Suite("serve gateway", .serialized)
struct ServeGatewayTests {
    /// The value of a field in a form, or of an element in XML.
    private func value(_ name: String, in text: String) -> String {
        let isXML = text.contains("<\(name)>")
        let start = isXML ? "<\(name)>" : "\(name)="
        guard let from = text.firstRange(of: start) else { return "" }
        return String(text[from.upperBound...].prefix { $0 != (isXML ? "<" : "&") })
    }

    private func encryptedCard(_ served: ServedGatewayProcess) throws -> String {
        let report = try served.nmi("report_type=sdk_key", path: "/api/query.php")
        let key = value("sdk_key", in: report)
        try #require(key.hasPrefix("***"))
        let command = "\(InterruptionTests.program) encrypt --key '\(key)' --card visa"
        return try served.shell(command).filter { $0 != "\n" }
    }

    @Test func curlAlonePlaysADay() throws {
        let merchant = try TCPListener(
            at: try #require(SocketAddress.inDigits(host: "127.0.0.1", port: 0).first)
        )
        let served = try ServedGatewayProcess(
            "nmi --webhook http://\(merchant.address)/events"
        )
        let card = try encryptedCard(served)
        let sale = "type=sale&amount=10.00&orderid=day-1&encrypted_payment=\(card)"
        let first = try served.nmi(sale)
        #expect(value("response", in: first) == "1")
        let event = try received(by: merchant)
        #expect(event.hasPrefix("POST /events HTTP/1.1\r\n"))
        #expect(event.contains("Webhook-Signature: t=") && event.contains("day-1"))
        #expect(event.contains("transaction.sale.success"))

        let again = try served.nmi(sale + "&dup_seconds=1200")
        #expect(value("response", in: again) == "3" && again.contains("Duplicate"))
        let id = value("transactionid", in: first)
        #expect(try served.nmi("type=void&transactionid=\(id)").contains("response=1"))

        let second = try served.nmi(sale.replacing("day-1", with: "day-2"))
        try served.ask("settle", "{}")
        let other = value("transactionid", in: second)
        let refund = try served.nmi("type=refund&transactionid=\(other)&amount=4.00")
        #expect(value("response", in: refund) == "1")
        let day1 = try served.nmi("order_id=day-1", path: "/api/query.php")
        #expect(value("condition", in: day1) == "canceled")
        let day2 = try served.nmi("order_id=day-2", path: "/api/query.php")
        #expect(value("condition", in: day2) == "complete")
        let ledger = try #require(try served.ask("ledger/nmi")["transactions"]?.values)
        #expect(
            ledger.compactMap { $0["state"]?.text } == [
                "canceled", "complete", "pendingsettlement",
            ]
        )
        #expect(try served.end(15) == .exited(130))
        #expect(served.errors.isEmpty)
    }

    /// Takes one connection, answers it with 200 and returns what came.
    private func received(by listener: borrowing TCPListener) throws -> String {
        let poller = try Poller()
        try poller.add(listener.descriptor, token: 0)
        var bytes: [UInt8] = []
        let limit = ServedProcess.limit
        try poller.wait(untilMonotonicNanoseconds: limit) { _ in }
        guard let stream = try listener.accept()?.takeStream() else {
            Issue.record("nobody came")
            return ""
        }
        while MonotonicClock.now < limit {
            if case .bytes(let more) = stream.read(upTo: 65_536) { bytes += more }
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains("\r\n\r\n"), text.hasSuffix("}") { break }
            try poller.wait(untilMonotonicNanoseconds: MonotonicClock.now + 5_000_000) { _ in }
        }
        _ = try stream.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)[...])
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func whatWasAcknowledgedSurvivesKill() throws {
        let folder = TemporaryFolder()
        let state = folder.path + "/state"
        defer { FileBytes.remove(path: state) }
        var orders: [String] = []
        for round in 1...3 {
            let served = try ServedGatewayProcess("all --state \(state)", folder: folder)
            let ledger = try #require(try served.ask("ledger/nmi")["transactions"]?.values)
            #expect(ledger.compactMap { $0["orderId"]?.text } == orders)
            let card = try encryptedCard(served)
            for number in 1...3 {
                let order = "order-\(round)-\(number)"
                let answer = try served.nmi(
                    "type=sale&amount=10.00&orderid=\(order)&encrypted_payment=\(card)"
                )
                #expect(answer.contains("response=1"))
                orders.append(order)
            }
            #expect(try served.end(9) == .signalled(9))
        }
        // A line that was cut belongs to nobody; one that was changed is an error with its line.
        let bytes = try FileBytes.read(path: state, limit: 1_000_000)
        try FileBytes.write(bytes + Array("step ab".utf8), to: state)
        let served = try ServedGatewayProcess("all --state \(state)", folder: folder)
        #expect(try served.ask("ledger/nmi")["count"]?.integer == 9)
        #expect(
            served.errors.contains("the last line was not finished, and its 7 bytes were dropped")
        )
        let busy = try served.shell(
            "\(InterruptionTests.program) serve gateway all --http 127.0.0.1:0 --state \(state)"
        )
        #expect(busy.contains("another program has it open"))
        #expect(try served.end(15) == .exited(130))
        var changed = try FileBytes.read(path: state, limit: 1_000_000)
        let index = try #require(changed.firstRange(of: Array("\nnmi ".utf8))).upperBound + 40
        changed[index] = changed[index] == 0x41 ? 0x42 : 0x41
        try FileBytes.write(changed, to: state)
        let refused = try served.shell(
            "\(InterruptionTests.program) serve gateway all --http 127.0.0.1:0 --state \(state); "
                + "echo code $?"
        )
        #expect(refused.contains(":2:1: error: ") && refused.hasSuffix("code 3\n"))
    }

    /// How a state file is damaged, by which lines, and the line that is then named.
    static let damages: [(change: String, line: Int, text: String)] = [
        ("2d", 2, "does not follow the one before it"),
        ("5d", 5, "does not follow the one before it"),
        ("4,$d", 4, "the line `clock` is missing"),
        ("7s/step ......../step AAAAAAAA/", 7, "was changed"),
        ("5{h;d};6{G}", 5, "does not follow the one before it"),
        ("4s/.*/clock -9223372036854775808 -5/", 4, "was changed"),
        ("4s/.*/clock 86400000000000000 5/", 4, "was changed"),
        ("1s/ 2 [0-9]* / 2 1 /", 2, "does not follow the one before it"),
        ("1s/ 2 [0-9]* / 2 9999999999999 /", 1, "the calendar begins in none of the years"),
        ("1s/ 2 [0-9]* / 2 9223372036854775807 /", 1, "the calendar begins in none of the years"),
        ("1s/ 2 / 1 /", 1, "the state is of another version than 2"),
    ]

    @Test func aStateThatWasChangedIsRefusedWithItsLine() throws {
        let folder = TemporaryFolder()
        let state = folder.path + "/state"
        let damaged = folder.path + "/damaged"
        defer {
            FileBytes.remove(path: state)
            FileBytes.remove(path: damaged)
        }
        let served = try ServedGatewayProcess("all --state \(state)", folder: folder)
        let card = try encryptedCard(served)
        for number in 1...3 {
            _ = try served.nmi(
                "type=sale&amount=1.00&orderid=o-\(number)&encrypted_payment=\(card)"
            )
        }
        _ = try served.end(9)
        for (change, line, text) in Self.damages {
            let answer = try served.shell(
                "sed '\(change)' \(state) > \(damaged); timeout 20 \(InterruptionTests.program) "
                    + "serve gateway all --http 127.0.0.1:0 --state \(damaged); "
                    + "echo code $?"
            )
            #expect(answer.contains("damaged:\(line):1: error: "), "\(change): \(answer)")
            #expect(answer.contains(text) && answer.hasSuffix("code 3\n"), "\(change): \(answer)")
        }
    }

    @Test func aCutAnswerIsOneThatWasBooked() throws {
        let served = try ServedGatewayProcess("nmi")
        let card = try encryptedCard(served)
        try served.ask("faults", #"{"gateway":"nmi","answer":"cut 5"}"#)
        let text = try served.nmi("type=sale&amount=5.00&encrypted_payment=\(card)")
        #expect(text.contains("respo") && !text.contains("response="))
        #expect(try served.ask("ledger/nmi")["count"]?.integer == 1)
        let refused = try served.ask("faults", #"{"answer":"cut","when":"before booking"}"#)
        #expect(String(decoding: refused.encoded, as: UTF8.self).contains("no body to cut"))
    }

    @Test(arguments: [
        ("clock", #"{"advance":"721h"}"#, "at most 2592000 s"),
        ("down", #"{"for":"999999h"}"#, "at most 3600 s"),
        ("clear", #"{"latency":"9999999h"}"#, "at most 2592000 s"),
        ("clear", #"{"nmi":{"duplicateWindow":"99999999h"}}"#, "at most 2592000 s"),
        ("settle", #"{"x":1}"#, "there is none"),
        ("stop", #"{"x":1}"#, "there is none"),
    ])
    func refusalsSayWhatWouldBeRight(path: String, body: String, text: String) throws {
        let served = try ServedGatewayProcess("nmi")
        let answer = String(decoding: try served.ask(path, body).encoded, as: UTF8.self)
        #expect(answer.contains(text), "\(answer)")
    }

    @Test(arguments: ["2262-06-01T00:00:00Z", "9999-12-31T00:00:00Z"])
    func aCalendarBeginsInAnyYear(clock: String) throws {
        let folder = TemporaryFolder()
        let state = folder.path + "/state"
        defer { FileBytes.remove(path: state) }
        for arguments in ["--clock \(clock)", ""] {
            let served = try ServedGatewayProcess(
                "all --state \(state) \(arguments)",
                folder: folder
            )
            #expect(try served.ask("status")["version"] != nil)
            _ = try served.end(15)
        }
    }

    @Test func anOrderThatIsACardNumberIsShownMasked() throws {
        let served = try ServedGatewayProcess("nmi")
        let digits = "4" + String(repeating: "1", count: 15)
        let answer = try served.nmi(
            "type=sale&amount=1.00&ccnumber=\(digits)&ccexp=1029&orderid=\(digits)"
        )
        #expect(answer.contains("response=1"))
        for path in ["ledger", "records"] {
            let shown = try served.curl("/cardrig/\(path)/nmi", "")
            #expect(shown.contains("411111******1111"), "\(path)")
            #expect(!shown.contains(digits), "\(path)")
        }
    }

    @Test func aStateBehindALinkIsKeptWhereTheLinkLeads() throws {
        let folder = TemporaryFolder()
        let link = folder.path + "/link"
        let first = try ServedGatewayProcess("nmi --state \(folder.path)/state", folder: folder)
        #expect(try first.end(15) == .exited(130))
        var process = try ChildProcess(["ln", "-s", folder.path + "/state", link])
        #expect(try process.wait(untilMonotonicNanoseconds: ServedProcess.limit) == .exited(0))
        defer {
            for name in ["link", "state"] { FileBytes.remove(path: folder.path + "/" + name) }
        }
        let served = try ServedGatewayProcess("nmi --state \(link)", folder: folder)
        let digits = "4" + String(repeating: "1", count: 15)
        let answer = try served.nmi("type=sale&amount=1.00&ccnumber=\(digits)&ccexp=1029")
        #expect(answer.contains("response=1"))
        #expect(Paths.resolved(link) == Paths.resolved(folder.path).map { $0 + "/state" })
        #expect(try FileBytes.read(path: folder.path + "/state", limit: 1 << 20).count > 200)
    }

    @Test func aStateNeverHoldsACardInClear() throws {
        let folder = TemporaryFolder()
        let state = folder.path + "/state"
        defer { FileBytes.remove(path: state) }
        let served = try ServedGatewayProcess("nmi --state \(state)", folder: folder)
        let digits = "4" + String(repeating: "1", count: 15)
        let answer = try served.nmi(
            "type=sale&amount=1.00&ccnumber=\(digits)&ccexp=1029&cvv=987&orderid=clear"
        )
        #expect(answer.contains("response=1"))
        for _ in 1...2 {
            let bytes = try FileBytes.read(path: state, limit: 1_000_000)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains(digits) && !text.contains("CardRigSimulatedGatewayDemoKey01"))
            #expect(!text.contains("clear"))
            _ = try? served.end(15)
        }
    }

    static let badForms: [(form: String, text: String)] = [
        ("-d 'type=sale&amount=%zz'", "Invalid percent-encoding"),
        ("-d 'type=sale&orderid=a%00b'", "NUL byte in a field"),
        ("-d 'type=sale&orderid=%c0%af'", "Invalid UTF-8 in a field"),
        ("-d 'type=sale&amount=1&amount=2'", "Duplicate field"),
        ("-H 'Content-Type: application/json' -d '{}'", "Unsupported content type"),
        ("-d \"type=sale&orderid=$(head -c 70000 /dev/zero | tr '\\0' a)\"", "Request too large"),
        ("-d \"$(yes x=1 | head -600 | tr '\\n' '&')\"", "Too many fields"),
    ]

    @Test func wrongFormsAreRefusedInWords() throws {
        let served = try ServedGatewayProcess("nmi --set repeated-fields=refused")
        let key = "-d security_key=CardRigSimulatedGatewayDemoKey01"
        for (form, text) in Self.badForms {
            let answer = try served.curl("/api/transact.php", "\(key) \(form)")
            #expect(answer.contains("response=3") && answer.contains(text), "\(form): \(answer)")
        }
        #expect(try served.ask("ledger/nmi")["count"]?.integer == 0)
        #expect(try served.curl("/api/transact.php", "-w '%{http_code}' -o /dev/null") == "405")
        #expect(try served.curl("/other", "-w '%{http_code}' -o /dev/null -d a") == "404")
    }

    @Test func faultsAreArmedAndCounted() throws {
        let served = try ServedGatewayProcess("all")
        let card = try encryptedCard(served)
        let sale = "type=sale&amount=5.00&encrypted_payment=\(card)"
        let faults = ["reset", "broken", "cut 3", "http 503", "garbage"]
        for (index, answer) in faults.enumerated() {
            try served.ask(
                "faults",
                #"{"gateway":"nmi","answer":"\#(answer)","when":"after booking"}"#
            )
            let text = try served.nmi(sale)
            #expect(!text.contains("response_code=100"), "\(answer): \(text)")
            #expect(try served.ask("ledger/nmi")["count"]?.integer == Int64(index + 1))
        }
        try served.ask("faults", #"{"gateway":"nmi","answer":"broken"}"#)
        _ = try served.nmi(sale)
        #expect(try served.ask("ledger/nmi")["count"]?.integer == Int64(faults.count))
        let wrong = try served.ask("faults", #"{"gateway":"nmi","answer":"explode"}"#)
        #expect(wrong["error"]?.text?.hasPrefix("there is no answer 'explode'") == true)
        for kind in ["authorise", "confirm", "reverse", "capture", "refund", "query"] {
            let armed = try served.ask(
                "faults",
                #"{"gateway":"agentcash","answer":"reset","kind":"\#(kind)"}"#
            )
            #expect(armed["error"] == nil, "\(kind)")
        }
        let strange = try served.ask(
            "faults",
            #"{"gateway":"agentcash","answer":"reset","kind":"sale"}"#
        )
        #expect(
            strange["error"]?.text
                == "`kind` is one of authorise, confirm, reverse, capture, refund, query"
        )
        let page = try served.curl("/cardrig/clear", "-d '{}'")
        #expect(page.contains("application/json"))
        let name = try served.curl("/cardrig/status", "-H 'Host: evil.example'")
        #expect(name.contains("in digits, or localhost"))
        try served.ask("clock", #"{"advance":"24h"}"#)
        #expect(try served.ask("clock")["movedSeconds"]?.integer == 86_400)
        let ledger = try #require(try served.ask("ledger/nmi")["transactions"]?.values)
        #expect(ledger.allSatisfy { $0["state"]?.text == "complete" })
    }

    @Test func aTestSetsAccountsUpAndWhatIsLeftOutIsAsItWas() throws {
        let served = try ServedGatewayProcess("all --set duplicate-window=1200s")
        let card = try encryptedCard(served)
        func sell() throws -> String {
            try served.nmi("type=sale&amount=5.00&orderid=1&encrypted_payment=\(card)")
        }
        _ = try sell()
        #expect(try sell().contains("Duplicate transaction"))
        try served.ask("clear", #"{"nmi":{"duplicateWindow":"0s","account":"retail"}}"#)
        #expect(try sell().contains("response=3"))
        try served.ask("clear", #"{"nmi":{"duplicateWindow":"0s"}}"#)
        _ = try sell()
        #expect(try sell().contains("response=1"))
        try served.ask("clear", "{}")
        _ = try sell()
        #expect(try sell().contains("Duplicate transaction"))
        for wrong in [
            #"{"nmi":1}"#, #"{"nmi":{"account":"all"}}"#, #"{"nmi":{"speed":1}}"#,
            #"{"nmi":{"credits":"yes"}}"#, #"{"nmi":{"rateLimit":{"requests":0,"in":"1s"}}}"#,
            #"{"nmi":{"settlementSecond":86400}}"#, #"{"agentcash":{"takesUnopenedCards":1}}"#,
            #"{"nmi":{"duplicateWindow":"-1s"}}"#, #"{"latency":"61s"}"#, #"{"visa":{}}"#,
        ] {
            #expect(try served.ask("clear", wrong)["error"]?.text != nil, "\(wrong)")
        }
        #expect(try served.ask("ledger/nmi")["count"]?.integer == 1)
    }

    @Test func recordsAfterAnyNumberAreAList() throws {
        let served = try ServedGatewayProcess("all")
        let card = try encryptedCard(served)
        _ = try served.nmi("type=sale&amount=5.00&encrypted_payment=\(card)")
        for gateway in ["nmi", "agentcash"] {
            for number in ["0", "1", "5000", "9223372036854775807"] {
                let answer = try served.ask("records/\(gateway)?after=\(number)")
                #expect(answer["records"]?.values != nil, "\(gateway) \(number)")
            }
        }
    }

    @Test func theStateFileKeepsHowATestSetAccountsUp() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/shop.state"
        defer { FileBytes.remove(path: path) }
        var served = try ServedGatewayProcess("nmi --state \(path)", folder: folder)
        try served.ask("clear", #"{"nmi":{"credits":false}}"#)
        #expect(try served.end(15) == .exited(130))
        served = try ServedGatewayProcess("nmi --state \(path)", folder: folder)
        let card = try encryptedCard(served)
        let answer = try served.nmi("type=credit&amount=5.00&encrypted_payment=\(card)")
        #expect(answer.contains("response=3"), "\(answer)")
        #expect(try served.ask("status")["clearedByTest"]?.bool == true)
    }

    @Test func aLedgerOfSomebodyElseIsLeftAlone() throws {
        let served = try ServedGatewayProcess("nmi")
        let card = try encryptedCard(served)
        _ = try served.nmi("type=sale&amount=5.00&encrypted_payment=\(card)")
        let report = try served.shell(
            "\(InterruptionTests.program) run Scenarios/nmi/voided.yaml "
                + "--gateway nmi=\(served.url); echo code $?"
        )
        #expect(report.contains("has 1 transactions already") && report.hasSuffix("code 3\n"))
        #expect(try served.ask("ledger/nmi")["count"]?.integer == 1)
    }

    @Test(arguments: [
        "gateway", "gateway nmi", "gateway visa --http 127.0.0.1:0",
        "gateway nmi --http example.com:1", "gateway nmi --http 127.0.0.1:0 --tls a.pem",
        "gateway agentcash --http 127.0.0.1:0 --webhook http://127.0.0.1",
        "gateway nmi --http 127.0.0.1:0 --set speed=1",
        "gateway nmi --http 127.0.0.1:0 --set latency=fast",
    ])
    func aWrongCommandLineIsRefused(_ line: String) {
        let streams = Streams.captured()
        let words = ["serve"] + line.split(separator: " ").map(String.init)
        #expect(CardRigCommand.run(words, streams: streams) == .wrong)
        #expect(!streams.error.isEmpty && streams.output.isEmpty)
    }

    @Test func filesThatAreNoCertificateAndKeyAreNamed() throws {
        let folder = TemporaryFolder()
        func make(_ name: String) throws {
            var child = try ChildProcess([
                "openssl", "req", "-batch", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj",
                "/CN=a", "-keyout", "\(folder.path)/\(name).key", "-out",
                "\(folder.path)/\(name).pem",
            ])
            let end = try child.wait(untilMonotonicNanoseconds: ServedProcess.limit)
            try #require(end == .exited(0))
        }
        try make("a")
        try make("b")
        func complaint(_ certificate: String, _ key: String) -> String {
            let streams = Streams.captured()
            let files = ["\(folder.path)/\(certificate)", "\(folder.path)/\(key)"]
            let line = ["serve", "gateway", "nmi", "--http", "127.0.0.1:0", "--tls"] + files
            #expect(CardRigCommand.run(line, streams: streams) == .wrong)
            return String(decoding: streams.error, as: UTF8.self)
        }
        let path = folder.path
        #expect(
            complaint("a.key", "a.pem")
                == "cardrig: --tls: \(path)/a.key is no certificate in PEM\n"
        )
        #expect(
            complaint("a.pem", "b.pem")
                == "cardrig: --tls: \(path)/b.pem is no private key in PEM\n"
        )
        #expect(
            complaint("a.pem", "b.key")
                == "cardrig: --tls: \(path)/b.key does not fit \(path)/a.pem\n"
        )
        for name in ["a.key", "a.pem", "b.key", "b.pem"] {
            FileBytes.remove(path: "\(path)/\(name)")
        }
    }
}
