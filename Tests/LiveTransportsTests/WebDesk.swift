import EventLoops
import HTTPServer
import Kernel
import LiveTransports
import Testing
import Transports

/// A web server and raw clients of it on one thread, so that a test says what happens when.
final class WebDesk {
    let server: LiveHTTPServer
    let poller: Poller
    /// What came, in order.
    private(set) var arrivals: [LiveHTTPServer.Arrival] = []
    /// What is done about each request.
    var reply: (LiveHTTPServer.Arrival) -> LiveHTTPServer.Reply

    /// A client's side of a connection.
    final class Client {
        let stream: ByteStream
        var received: [UInt8] = []
        var isReset = false
        var isAtEnd = false

        init(_ stream: consuming ByteStream) { self.stream = stream }

        var text: String { String(decoding: received, as: UTF8.self) }
        var isOver: Bool { isReset || isAtEnd }
        /// The status of the first answer; 0 without one.
        var status: Int {
            Int(text.split(separator: " ").dropFirst().first.map(String.init) ?? "") ?? 0
        }
    }

    init(
        limits: HTTPServerLimits = HTTPServerLimits(),
        certificate: (chain: String, key: String)? = nil,
        reply: @escaping (LiveHTTPServer.Arrival) -> LiveHTTPServer.Reply = { _ in WebDesk.ok }
    ) throws {
        poller = try Poller()
        server = try LiveHTTPServer(
            at: try #require(SocketAddress.inDigits(host: "127.0.0.1", port: 0).first),
            limits: limits,
            certificate: certificate,
            poller: poller,
            firstToken: 1
        )
        self.reply = reply
    }

    deinit { server.stop() }

    static let ok = LiveHTTPServer.Reply.answer(
        HTTPResponse(contentType: "text/plain", body: Array("ok".utf8)),
        after: .zero
    )

    static func post(_ body: String, fields: [String] = []) -> [UInt8] {
        let lines =
            ["POST /a HTTP/1.1", "Host: h", "Content-Length: \(body.utf8.count)"] + fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    func connect() throws -> Client {
        let connecting = try TCPConnecting(to: server.address)
        let watch = try Poller()
        try watch.add(connecting.descriptor, token: 0, readable: false, writable: true)
        try watch.wait(untilMonotonicNanoseconds: MonotonicClock.now + 5_000_000_000) { _ in }
        return Client(try connecting.finish())
    }

    /// Lets time pass for the server, a few milliseconds at most.
    func turn() throws {
        let soon = min(server.nextWork, MonotonicClock.now + 2_000_000)
        try poller.wait(untilMonotonicNanoseconds: soon) { server.note($0) }
        server.work { arrival in
            arrivals.append(arrival)
            return reply(arrival)
        }
    }

    /// Sends bytes as the server takes them, as far as it does.
    func send(_ bytes: [UInt8], _ client: Client) throws {
        var rest = bytes[...]
        let limit = MonotonicClock.now + 10_000_000_000
        while !rest.isEmpty, !client.isOver, MonotonicClock.now < limit {
            guard let count = try? client.stream.write(rest) else { break }
            rest = rest.dropFirst(count)
            try turn()
            read(client)
        }
    }

    /// Serves until something holds, at most ten seconds.
    func serve(_ client: Client? = nil, until holds: () -> Bool) throws {
        let limit = MonotonicClock.now + 10_000_000_000
        while !holds() {
            try #require(MonotonicClock.now < limit, "it took too long")
            try turn()
            if let client { read(client) }
        }
    }

    func read(_ client: Client) {
        while !client.isOver {
            switch client.stream.read(upTo: 65_536) {
            case .bytes(let bytes): client.received += bytes
            case .nothing: return
            case .end: client.isAtEnd = true
            case .failed: client.isReset = true
            }
        }
    }
}
