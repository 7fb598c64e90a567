import JSON
import Kernel
import Reporting
import SimulatedGateways
import Testing

@testable import CardRigCLI

/// PAYMILL and the HoneyStore's functions in a process of their own, with curl as the client.
@Suite("serve gateway paymill", .serialized)
struct ServePAYMILLVectorsTests {
    private static let bridge =
        "/?channel.id=443368146777979106b2ce2042c289a5&transaction.mode=CONNECTOR_TEST"
        + "&account.expiry.month=12&account.expiry.year=2090&account.verification=123"
    private static let key = "-u cardrig-demo-private-key:"

    private func token(_ served: ServedGatewayProcess, _ number: String) throws -> JSONValue {
        let text = try served.curl(Self.bridge + "&account.number=\(number)", "")
        return try #require(try JSONValue(reading: Array(text.utf8))["transaction"])
    }

    private func id(_ transaction: JSONValue) throws -> String {
        try #require(transaction["identification"]?["uniqueId"]?.text)
    }

    private func ask(
        _ served: ServedGatewayProcess,
        _ path: String,
        _ arguments: String
    ) throws -> JSONValue {
        try JSONValue(reading: Array(try served.curl(path, "\(Self.key) \(arguments)").utf8))
    }

    @Test func curlAlonePaysAndPaysBack() throws {
        let merchant = try TCPListener(
            at: try #require(SocketAddress.inDigits(host: "127.0.0.1", port: 0).first)
        )
        let served = try ServedGatewayProcess("paymill")
        let hook = try ask(
            served,
            "/v2/webhooks",
            "-d url=http://\(merchant.address)/hooks -d 'event_types[]=transaction.succeeded'"
        )
        #expect(hook["data"]?["active"]?.bool == true)

        let first = try id(token(served, "4111111111111111"))
        let money = "-d amount=4200 -d currency=EUR -d description=honey"
        let paid = try ask(served, "/v2/transactions", "\(money) -d token=\(first)")
        #expect(paid["data"]?["response_code"]?.integer == 20_000)
        let transaction = try #require(paid["data"]?["id"]?.text)
        let event = try received(by: merchant)
        #expect(event.hasPrefix("POST /hooks HTTP/1.1\r\n"))
        #expect(event.contains("transaction.succeeded") && event.contains(transaction))

        let again = try ask(served, "/v2/transactions", "\(money) -d token=\(first)")
        #expect(again["error"]?.text == "Token is invalid: used")
        let second = try id(token(served, "4111111111111111"))
        try served.ask("clock", #"{"advance":"301s"}"#)
        let late = try ask(served, "/v2/transactions", "\(money) -d token=\(second)")
        #expect(late["error"]?.text == "Token is invalid: expired")

        let refund = try ask(served, "/v2/refunds/\(transaction)", "-d amount=1200")
        #expect(refund["data"]?["transaction"]?["amount"]?.text == "3000")
        let csv = try served.curl("/v2/transactions", "\(Self.key) -H 'Accept: text/csv'")
        #expect(csv.contains("\"\(transaction)\";\"3000\";\"4200\""))
        let denied = try served.curl("/v2/transactions", "-u nobody:")
        #expect(denied == #"{"error":"Access Denied","exception":"InvalidAuthentication"}"#)
        let ledger = try served.ask("ledger/paymill")
        #expect(ledger["count"]?.integer == 1)
        #expect(try served.end(15) == .exited(130))
        #expect(served.errors.isEmpty)
    }

    @Test func threeDSecureEndsOnTheIssuersPage() throws {
        let served = try ServedGatewayProcess("paymill")
        let answer = try token(served, "4012888888881881")
        #expect(answer["processing"]?["redirect"]?["parameters"]?["MD"] != nil)
        let id = try id(answer)
        let money = "-d amount=100 -d currency=EUR -d token=\(id)"
        let early = try ask(served, "/v2/transactions", money)
        #expect(early["error"]?.text == "Token is invalid: unconfirmed")
        let parameters = answer["processing"]?["redirect"]?["parameters"]
        #expect(parameters?["response_url"] != nil)
        let url = answer["processing"]?["redirect"]?["url"]?.text ?? ""
        #expect(url.hasPrefix("http%3A%2F%2F127.0.0.1%3A") && url.hasSuffix("%2Fissuer"))
        #expect(try served.curl("/issuer", "-d MD=\(id) -d answer=ok") == "ok")
        let late = try served.curl("/issuer?MD=\(id)&answer=cancelled", "")
        #expect(late == "the page was answered before")
        let paid = try ask(served, "/v2/transactions", money)
        #expect(paid["data"]?["status"]?.text == "closed")
        #expect(try served.end(15) == .exited(130))
    }

    @Test func theStoreChargesATokenForItsUser() throws {
        let served = try ServedGatewayProcess("all")
        func call(_ path: String, _ body: String, _ session: String = "") throws -> JSONValue {
            let fields =
                "-H 'Content-Type: application/json' -H 'X-Parse-Session-Token: \(session)'"
            let text = try served.curl(path, "\(fields) -d '\(body)'")
            return try JSONValue(reading: Array(text.utf8))
        }
        let user = try call("/1/users", #"{"username":"maya","password":"honey"}"#)
        let session = try #require(user["sessionToken"]?.text)
        let token = try id(token(served, "4111111111111111"))
        let order = #""amount":1655,"currency":"EUR","description":"one","product":"acacia""#
        let function = "/1/functions/createTransactionWithToken"
        let body = #"{"token":"\#(token)",\#(order)}"#
        #expect(try call(function, body)["code"]?.integer == 209)
        #expect(try call(function, body, session)["result"]?.text == "success")
        let tampered = body.replacing("1655", with: "1")
        #expect(try call(function, tampered, session)["code"]?.integer == 141)
        let cards = try call("/1/functions/getPayments", "{}", session)
        #expect(cards["result"]?.values?.first?["last4"]?.text == "1111")
        #expect(try served.end(15) == .exited(130))
    }

    @Test func theTriggerCardDeclinesInItsYears() throws {
        let served = try ServedGatewayProcess("paymill --clock 2019-12-01T00:00:00Z")
        let trigger =
            Self.bridge.replacing("month=12", with: "month=08")
            .replacing("year=2090", with: "year=2020") + "&account.number=5105105105105100"
        let text = try served.curl(trigger, "")
        let made = try #require(try JSONValue(reading: Array(text.utf8))["transaction"])
        let money = "-d amount=100 -d currency=EUR"
        let declined = try ask(served, "/v2/transactions", "\(money) -d token=\(try id(made))")
        #expect(declined["data"]?["response_code"]?.integer == 40_101)

        try served.ask("faults", #"{"answer":"decline 50501","kind":"sale"}"#)
        let wrong = try served.ask("faults", #"{"answer":"decline 50503"}"#)
        #expect(wrong["error"]?.text == "'50503' is no response code of PAYMILL's reference")
        let second = try id(token(served, "4111111111111111"))
        let lost = try ask(served, "/v2/transactions", "\(money) -d token=\(second)")
        #expect(lost["data"]?["response_code"]?.integer == 50_501)
        let records = try served.ask("records/paymill")["records"]?.values ?? []
        #expect(records.contains { $0["answer"]?.text == "decline 50501" })
        let state = try served.ask("state/paymill")
        #expect(state["transactions"]?.values?.count == 2)
        #expect(state["tokens"]?.values?.last?["isUsed"]?.bool == true)
        #expect(!String(decoding: state.encoded, as: UTF8.self).contains("4111111111111111"))
        #expect(try served.end(15) == .exited(130))
    }

    @Test func thePublishedBackendIsServed() throws {
        let served = try ServedGatewayProcess("paymill --set profile=observed,late-tokens=failed")
        let json = "-H 'Content-Type: application/json'"
        let body = "-d '{\"username\":\"maya\",\"password\":\"honey\"}'"
        let text = try served.curl("/1/users", "\(json) \(body)")
        let user = try JSONValue(reading: Array(text.utf8))
        let session = try #require(user["sessionToken"]?.text)
        let made = try id(token(served, "4111111111111111"))
        let order = #""amount":1,"currency":"EUR","description":"one","product":"acacia""#
        let paid = try served.curl(
            "/1/functions/createTransactionWithToken",
            "\(json) -H 'X-Parse-Session-Token: \(session)' "
                + #"-d '{"token":"\#(made)",\#(order)}'"#
        )
        #expect(paid.contains("success"))
        #expect(try served.end(15) == .exited(130))
    }

    @Test func appsAndBankAccountsPayWithoutAMerchantsServer() throws {
        let served = try ServedGatewayProcess("paymill")
        let made = try served.curl(
            "/merchants/443368146777979106b2ce2042c289a5/device",
            "-X POST"
        )
        let device = try #require(try JSONValue(reading: Array(made.utf8))["data"])
        let login = try #require(device["id"]?.text) + ":" + (device["device_key"]?.text ?? "")
        func app(_ path: String, _ arguments: String) throws -> JSONValue {
            let text = try served.curl(path, "-u \(login) \(arguments)")
            return try JSONValue(reading: Array(text.utf8))
        }
        let account =
            "/?channel.id=443368146777979106b2ce2042c289a5&account.number=648489890"
            + "&account.bank=50010517&account.holder=Chris%20Hansen"
        let answer = try JSONValue(reading: Array(try served.curl(account, "").utf8))
        let transaction = try #require(answer["transaction"])
        #expect(transaction["payment"]?["code"]?.text == "DD.DB")
        let money = "-d amount=1099 -d currency=EUR -d consumable=true"
        let paid = try app("/transactions", "\(money) -d token=\(try id(transaction))")
        let number = try #require(paid["data"]?["id"]?.text)
        #expect(paid["data"]?["payment"]?["account"]?.text == "*****9890")
        #expect(try app("/transactions/non-consumed", "")["data"]?.values?.count == 1)
        #expect(try app("/transactions/\(number)/consume", "-X POST")["data"]?.text == number)
        #expect(try app("/transactions/non-consumed", "")["data"]?.values?.isEmpty == true)
        let denied = try served.curl("/transactions", "-u device_0:0")
        #expect(denied == #"{"error":"Access Denied","exception":"InvalidAuthentication"}"#)
        let state = try served.ask("state/paymill")
        #expect(state["devices"]?.values?.count == 1)
        #expect(!String(decoding: state.encoded, as: UTF8.self).contains("648489890"))
        #expect(try served.end(15) == .exited(130))
    }

    @Test func describesItsOptions() {
        let streams = Streams.captured()
        let arguments = ["serve", "gateway", "paymill", "--set", "tokens=2013", "--describe"]
        let code = CardRigCommand.run(arguments, streams: streams)
        let output = String(decoding: streams.output, as: UTF8.self)
        #expect(code.rawValue == 0)
        for option in PAYMILLServeOption.all {
            #expect(output.contains("  \(option.name)="), "\(option.name)")
        }
        #expect(output.contains("tokens=2013") && output.contains("option --set late-tokens=..."))
        #expect(!output.contains("duplicate-window"))
    }

    @Test func anEmptyKeyIsNone() {
        let settings = ServedGatewaySettings([.paymill]) { _ in "" }
        let usual = ServedGatewaySettings([.paymill]) { _ in nil }
        #expect(settings.paymill?.privateKey == usual.paymill?.privateKey)
        #expect(settings.paymill?.publicKey == usual.paymill?.publicKey)
    }

    @Test func decodeTellsThePlaceOfAJSONError() {
        let streams = Streams.captured()
        let text = #"f({"a":1,"b":x})"#
        _ = CardRigCommand.run(["decode", "paymill", text], streams: streams)
        let output = String(decoding: streams.output + streams.error, as: UTF8.self)
        #expect(output.contains("12") || output.contains("13"), "\(output)")
    }

    @Test func decodeMasksTheBridgesCard() {
        let streams = Streams.captured()
        let query = Self.bridge + "&account.number=4111111111111111"
        let code = CardRigCommand.run(["decode", "paymill", query], streams: streams)
        let output = String(decoding: streams.output, as: UTF8.self)
        #expect(code.rawValue == 0)
        #expect(output.contains("411111...1111") && output.contains("3 characters"))
        #expect(!output.contains("4111111111111111"))
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
}
