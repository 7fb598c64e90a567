import EventLoops
import HTTPServer
import Kernel
import LiveTransports
import Testing
import Transports

@Suite("Live HTTP server")
struct LiveHTTPServerTests {
    @Test func aKeptConnectionServesOneRequestAfterAnother() throws {
        let desk = try WebDesk()
        let client = try desk.connect()
        for number in 1...3 {
            client.received = []
            try desk.send(WebDesk.post("amount=\(number)"), client)
            try desk.serve(client) { client.text.hasSuffix("ok") }
            #expect(client.status == 200)
            #expect(desk.arrivals.last?.request.body == Array("amount=\(number)".utf8))
        }
        #expect(desk.arrivals.count == 3 && desk.server.connectionCount == 1)
    }

    @Test func aRequestComesAsItWasSent() throws {
        let desk = try WebDesk()
        let client = try desk.connect()
        let text =
            "PUT /a%20b/../c?x=%00&y HTTP/1.1\r\nHost: h\r\nContent-Type: a/b; c=d\r\n"
            + "X-One: 1\r\nX-One: 2\r\nContent-Length: 1\r\n\r\nz"
        try desk.send(Array(text.utf8), client)
        try desk.serve(client) { !desk.arrivals.isEmpty }
        let arrival = try #require(desk.arrivals.first)
        #expect(arrival.request.method == "PUT")
        #expect(arrival.request.path == "/a%20b/../c")
        #expect(arrival.query == "x=%00&y")
        #expect(arrival.request.contentType == "a/b; c=d")
        let values = arrival.request.fields.filter { $0.name == "X-One" }.map(\.value)
        #expect(values == ["1", "2"])
    }

    @Test func anAnswerComesWhenItIsDue() throws {
        let desk = try WebDesk { _ in
            .answer(HTTPResponse(contentType: "", body: []), after: .milliseconds(120))
        }
        let client = try desk.connect()
        let began = MonotonicClock.now
        try desk.send(WebDesk.post("a"), client)
        try desk.serve(client) { client.status == 200 }
        #expect(MonotonicClock.now - began >= 120_000_000)
    }

    @Test func anAnswerThatIsDecidedLaterArrives() throws {
        let desk = try WebDesk { _ in .later }
        let client = try desk.connect()
        try desk.send(WebDesk.post("a"), client)
        try desk.serve(client) { desk.arrivals.count == 1 }
        desk.server.reply(WebDesk.ok, to: try #require(desk.arrivals.first?.number))
        try desk.serve(client) { client.text.hasSuffix("ok") }
    }

    // MARK: Faults

    @Test(arguments: [false, true], [0, 40])
    func aResetShowsOnAFreshConnectionAndOnOneThatIsUsedAgain(
        isReused: Bool,
        milliseconds: Int64
    ) throws {
        let desk = try WebDesk()
        let client = try desk.connect()
        if isReused {
            try desk.send(WebDesk.post("first"), client)
            try desk.serve(client) { client.text.hasSuffix("ok") }
            client.received = []
        }
        desk.reply = { _ in .reset(after: .milliseconds(milliseconds)) }
        try desk.send(WebDesk.post("second"), client)
        try desk.serve(client) { client.isOver }
        #expect(client.isReset && client.received.isEmpty)
        #expect(desk.arrivals.count == (isReused ? 2 : 1))
        try desk.serve { desk.server.connectionCount == 0 }
    }

    @Test func bytesThatAreNoAnswerComeAsTheyAre() throws {
        let desk = try WebDesk { _ in .bytes(Array("\u{1}nonsense".utf8), after: .zero) }
        let client = try desk.connect()
        try desk.send(WebDesk.post("a"), client)
        try desk.serve(client) { client.isOver }
        #expect(client.isAtEnd && client.text == "\u{1}nonsense")
    }

    @Test func silenceLastsUntilTheClientLeaves() throws {
        let desk = try WebDesk { _ in .silence }
        var client: WebDesk.Client? = try desk.connect()
        if let client { try desk.send(WebDesk.post("a"), client) }
        try desk.serve { desk.arrivals.count == 1 }
        #expect(desk.server.connectionCount == 1 && client?.received == [])
        client = nil
        try desk.serve { desk.server.connectionCount == 0 }
    }

    @Test func connectionsAreResetBeforeAnythingIsRead() throws {
        let desk = try WebDesk()
        desk.server.connectionsToReset = 1
        let first = try desk.connect()
        try desk.serve(first) { first.isOver }
        #expect(first.isReset && desk.arrivals.isEmpty)
        let second = try desk.connect()
        try desk.send(WebDesk.post("a"), second)
        try desk.serve(second) { second.status == 200 }
    }

    @Test func aServerThatIsDownIsRefusedAndComesBack() throws {
        let desk = try WebDesk()
        desk.server.goDown(for: .milliseconds(200))
        #expect(throws: KernelError.self) { _ = try desk.connect() }
        var client: WebDesk.Client?
        try desk.serve {
            client = try? desk.connect()
            return client != nil
        }
        let back = try #require(client)
        try desk.send(WebDesk.post("a"), back)
        try desk.serve(back) { back.status == 200 }
    }

    // MARK: Limits

    static let refusals: [(name: String, bytes: [UInt8], status: Int)] = [
        ("two lengths", head("Content-Length: 1", "Content-Length: 2"), 400),
        ("a length and a coding", head("Content-Length: 1", "Transfer-Encoding: chunked"), 400),
        ("a coding that nobody knows", head("Transfer-Encoding: gzip, chunked"), 501),
        ("two media types", head("Content-Type: a/b", "Content-Type: c/d"), 400),
        ("two hosts", head("Host: other"), 400),
        ("no host", Array("POST /a HTTP/1.1\r\n\r\n".utf8), 400),
        ("a blank behind a name", Array("POST /a HTTP/1.1\r\nHost : a\r\n\r\n".utf8), 400),
        ("a name that is none", head("X(: a"), 400),
        ("a line without a colon", head("X"), 400),
        ("a folded line", head("X: a\r\n b"), 400),
        ("a NUL in the target", Array("POST /a\0 HTTP/1.1\r\nHost: h\r\n\r\n".utf8), 400),
        ("a NUL before the query", Array("POST /a\0?b HTTP/1.1\r\nHost: h\r\n\r\n".utf8), 400),
        ("a NUL in the method", Array("PO\0ST /a HTTP/1.1\r\nHost: h\r\n\r\n".utf8), 400),
        ("a NUL in the version", Array("POST /a HTTP/1.1\0\r\nHost: h\r\n\r\n".utf8), 400),
        ("a NUL in a value", head("X: a\0b", "Y: c"), 400),
        ("a NUL at a value's end", head("X: a\0", "Y: c"), 400),
        ("a NUL in the last value", head("X: a\0b"), 400),
        ("a NUL in a name", head("X\0: a", "Y: c"), 400),
        ("a NUL before a name", head("\0X: a"), 400),
        ("a NUL before the host", Array("POST /a HTTP/1.1\r\n\0Host: h\r\n\r\n".utf8), 400),
        ("a host that ends early", Array("POST /a HTTP/1.1\r\nHost: h\0.b\r\n\r\n".utf8), 400),
        (
            "bytes that are no UTF-8",
            Array("POST /".utf8) + [0xFF] + Array(" HTTP/1.1\r\nHost: h\r\n\r\n".utf8), 400
        ),
        ("a control character", head("X: a\u{1}b"), 400),
        ("too many fields", head((1...70).map { "X-\($0): 1" }), 431),
        ("a field of 64 KiB", head("X: " + String(repeating: "a", count: 65_536)), 431),
        (
            "an address of 64 KiB",
            Array("GET /\(String(repeating: "a", count: 65_536)) HTTP/1.1\r\n\r\n".utf8), 414
        ),
        ("a body of 1 GB", head("Content-Length: 1000000000"), 413),
        ("a body beyond all numbers", head("Content-Length: 99999999999999999999"), 400),
        ("a length that is none", head("Content-Length: 1x"), 400),
        ("a negative length", head("Content-Length: -1"), 400),
    ]

    private static func head(_ fields: String...) -> [UInt8] { head(fields) }

    private static func head(_ fields: [String]) -> [UInt8] {
        let lines = ["POST /a HTTP/1.1", "Host: h"] + fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    @Test(arguments: refusals)
    func aHeadBeyondTheLimitsIsRefused(
        refusal: (name: String, bytes: [UInt8], status: Int)
    ) throws {
        let desk = try WebDesk()
        let client = try desk.connect()
        try desk.send(refusal.bytes, client)
        try desk.serve(client) { client.isOver }
        #expect(client.status == refusal.status || refusal.status == 400 && client.status == 413)
        #expect(desk.arrivals.isEmpty)
        #expect(client.text.split(separator: "HTTP/1.1 ").count == 1, "one head")
    }

    @Test func aHeadIsReadWholeHoweverItComes() throws {
        let desk = try WebDesk()
        let client = try desk.connect()
        let fields = (1...50).map { "X-\($0): \(String(repeating: "a", count: 400))" }
        let head = Self.head(fields + ["Content-Length: 2"])
        for size in [1_000, 7, head.count] {
            client.received = []
            var rest = (head + [0x00, 0x61])[...]
            while !rest.isEmpty {
                try desk.send(Array(rest.prefix(size)), client)
                rest = rest.dropFirst(size)
            }
            try desk.serve(client) { client.text.hasSuffix("ok") }
        }
        #expect(desk.arrivals.count == 3)
        // One behind the other in one piece, the last of which is wrong.
        client.received = []
        try desk.send(head + [0x00, 0x61] + Self.head("X: a\0b"), client)
        try desk.serve(client) { client.isOver }
        #expect(desk.arrivals.count == 4 && client.text.contains("HTTP/1.1 400 "))
    }

    @Test func anOldClientNamesNoHost() throws {
        let desk = try WebDesk()
        let client = try desk.connect()
        try desk.send(Array("GET /a HTTP/1.0\r\n\r\n".utf8), client)
        try desk.serve(client) { client.status == 200 }
    }

    @Test func aChunkedBodyThatNeverEndsIsRefused() throws {
        let desk = try WebDesk()
        let client = try desk.connect()
        try desk.send(Self.head("Transfer-Encoding: chunked"), client)
        let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x61, count: 65_536) + [13, 10]
        for _ in 0..<64 where !client.isOver { try desk.send(chunk, client) }
        try desk.serve(client) { client.isOver }
        #expect(desk.arrivals.isEmpty && desk.server.refusedCount == 1)
    }

    @Test func bodiesOfAllClientsTogetherAreBounded() throws {
        var limits = HTTPServerLimits()
        limits.totalBodyByteCount = 100_000
        let desk = try WebDesk(limits: limits)
        let first = try desk.connect()
        let body = [UInt8](repeating: 0x61, count: 70_000)
        try desk.send(Self.head("Content-Length: 80000") + body, first)
        let second = try desk.connect()
        try desk.send(Self.head("Content-Length: 80000") + body, second)
        try desk.serve(second) { second.isOver }
        #expect(second.status == 503)
        try desk.send([UInt8](repeating: 0x61, count: 10_000), first)
        try desk.serve(first) { first.status == 200 }
    }

    @Test(arguments: ["POST /a HTTP/1.1\r\nHost: h\r\n", "POST /a HT", "", "body"])
    func aClientThatDribblesIsLetGo(_ start: String) throws {
        var limits = HTTPServerLimits()
        limits.requestNanoseconds = 300_000_000
        let desk = try WebDesk(limits: limits)
        let client = try desk.connect()
        let began = MonotonicClock.now
        let bytes = start == "body" ? Self.head("Content-Length: 900000") : Array(start.utf8)
        try desk.send(bytes, client)
        try desk.serve(client) {
            _ = try? client.stream.write([0x61])
            return client.isOver
        }
        #expect(MonotonicClock.now - began >= 290_000_000)
        #expect(desk.server.expiredCount == 1 && desk.arrivals.isEmpty)
        #expect(client.status == (start == "body" ? 408 : 0))
        try desk.serve { desk.server.connectionCount == 0 }
    }

    @Test func aClientThatDoesNotReadItsAnswerIsLetGo() throws {
        var limits = HTTPServerLimits()
        limits.requestNanoseconds = 300_000_000
        let big = HTTPResponse(
            contentType: "a/b",
            body: [UInt8](repeating: 0, count: 32_000_000)
        )
        let desk = try WebDesk(limits: limits) { _ in .answer(big, after: .zero) }
        let client = try desk.connect()
        _ = try client.stream.write(WebDesk.post("a")[...])
        try desk.serve { desk.arrivals.count == 1 && desk.server.connectionCount == 0 }
        #expect(desk.server.expiredCount == 1)
    }

    @Test func oneConnectionTooManyIsTurnedAway() throws {
        var limits = HTTPServerLimits()
        limits.connectionCount = 2
        let desk = try WebDesk(limits: limits)
        let clients = try (0..<3).map { _ in try desk.connect() }
        try desk.serve(clients[2]) { clients[2].isOver }
        #expect(clients[2].isReset && desk.server.turnedAwayCount == 1)
        try desk.send(WebDesk.post("a"), clients[0])
        try desk.serve(clients[0]) { clients[0].status == 200 }
    }

    @Test func aBodyThatIsBrokenOffIsNoRequest() throws {
        let desk = try WebDesk()
        var client: WebDesk.Client? = try desk.connect()
        if let client { try desk.send(Self.head("Content-Length: 10") + [0x61], client) }
        client = nil
        try desk.serve { desk.server.connectionCount == 0 }
        #expect(desk.arrivals.isEmpty)
    }

    @Test func clientsThatHangUpWithTheirLastByteLeaveNothingBehind() throws {
        var limits = HTTPServerLimits()
        limits.connectionCount = 8
        let desk = try WebDesk(limits: limits)
        for _ in 0..<3 {
            // The end is there before the server looks for the first time.
            for _ in 0..<8 {
                let client = try desk.connect()
                _ = try client.stream.write((Self.head("Content-Length: 10") + [0x61])[...])
            }
            try desk.serve { desk.server.connectionCount == 8 }
            try desk.serve { desk.server.connectionCount == 0 }
        }
        #expect(desk.arrivals.isEmpty && desk.server.turnedAwayCount == 0)
    }

    // MARK: TLS

    @Test func aVerifyingClientIsServedOverTLS() throws {
        let certificate = try TestCertificate()
        let desk = try WebDesk(certificate: (certificate.chain, certificate.key))
        let client = try LiveHTTPClient(trustedCertificates: certificate.path)
        try desk.poller.add(client.wakeDescriptor, token: 0)
        var ends: [LiveHTTPClient.End] = []
        func exchange(_ client: LiveHTTPClient, _ count: Int) throws {
            let request = HTTPRequest(path: "/a", contentType: "a/b", body: [0x61])
            let server = "https://127.0.0.1:\(desk.server.address.port)"
            _ = client.send(request, to: server, within: .seconds(8))
            try desk.serve {
                while let end = client.nextEnd() { ends.append(end) }
                return ends.count == count
            }
        }
        try exchange(client, 1)
        desk.reply = { _ in .reset(after: .milliseconds(1)) }
        try exchange(client, 2)
        desk.poller.remove(client.wakeDescriptor)
        // Without the file nobody vouches for the certificate, and nothing is sent.
        let stranger = try LiveHTTPClient()
        try desk.poller.add(stranger.wakeDescriptor, token: 0)
        try exchange(stranger, 3)
        desk.poller.remove(stranger.wakeDescriptor)
        #expect(
            ends[0].outcome == .answered(HTTPResponse(contentType: "text/plain", body: [111, 107]))
        )
        #expect(ends[1].outcome == .reset)
        #expect(ends[2].outcome == .refused && ends[2].reason.contains("certificate"))
        #expect(desk.arrivals.count == 2)
    }

    @Test func aKeyThatDoesNotFitIsAnError() throws {
        let certificate = try TestCertificate()
        #expect(throws: TransportProblem.self) {
            _ = try WebDesk(certificate: (certificate.chain, "no key"))
        }
    }
}

/// A certificate for 127.0.0.1 that OpenSSL's command line made and signed with its own key.
final class TestCertificate {
    let path: String
    let chain: String
    let key: String
    private let keyPath: String

    init() throws {
        let folder = ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp"
        let name = "\(folder)/cardrig-tls-\(ProcessEnvironment.processID)-\(MonotonicClock.now)"
        path = name + ".pem"
        keyPath = name + ".key"
        var made = try ChildProcess([
            "openssl", "req", "-batch", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
            "-subj",
            "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", keyPath, "-out",
            path,
        ])
        let status = try made.wait(
            untilMonotonicNanoseconds: MonotonicClock.now + 30_000_000_000
        )
        try #require(status == .exited(0))
        chain = String(decoding: try FileBytes.read(path: path, limit: 65_536), as: UTF8.self)
        key = String(decoding: try FileBytes.read(path: keyPath, limit: 65_536), as: UTF8.self)
    }

    deinit {
        FileBytes.remove(path: path)
        FileBytes.remove(path: keyPath)
    }
}
