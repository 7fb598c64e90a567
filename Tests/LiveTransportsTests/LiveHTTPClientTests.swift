import EventLoops
import Kernel
import LiveTransports
import Testing
import Transports

/// What a server does once it has booked a request.
enum ServerManner: CaseIterable, Sendable {
    case answers, closes, closesInTheAnswer, resets, stalls, answersGarbage, closesWhileIdle
}

@Suite("Live HTTP client")
struct LiveHTTPClientTests {
    @Test(arguments: ServerManner.allCases)
    func aRequestIsBookedOnceWhateverTheServerDoes(_ manner: ServerManner) throws {
        let server = try BookingServer(manner)
        let client = try LiveHTTPClient()
        // Twice, so that a connection that could be reused is there the second time.
        for round in 1...2 {
            let limit: VirtualDuration = manner == .stalls ? .milliseconds(300) : .seconds(10)
            let end = try server.play(client, within: limit)
            #expect(server.bookingCount == round)
            switch manner {
            case .answers, .closesWhileIdle:
                #expect(
                    end.outcome
                        == .answered(
                            HTTPResponse(contentType: "text/plain", body: Array("ok".utf8))
                        )
                )
            case .closes, .closesInTheAnswer, .resets:
                #expect(end.outcome == .reset)
                #expect(!end.reason.isEmpty)
            case .answersGarbage: #expect(end.outcome == .reset)
            case .stalls: #expect(end.outcome == .timedOut)
            }
        }
    }

    @Test func aServerThatIsNotThereIsKnownToHaveGotNothing() throws {
        let address = try #require(SocketAddress.inDigits(host: "127.0.0.1", port: 0).first)
        let port = try TCPListener(at: address).address.port
        let client = try LiveHTTPClient()
        let number = client.send(
            BookingServer.request,
            to: "http://127.0.0.1:\(port)",
            within: .seconds(5)
        )
        let end = try wait(for: client)
        #expect(end.number == number)
        #expect(end.outcome == .refused)
        #expect(end.reason.contains("connect"))
    }

    @Test(arguments: [
        "ftp://127.0.0.1", "file:///etc/hostname", "http://127.0.0.1\r\nX: y", "gopher:",
    ])
    func anAddressThatIsNoWebServerIsNeverAsked(_ server: String) throws {
        let client = try LiveHTTPClient()
        _ = client.send(BookingServer.request, to: server, within: .seconds(5))
        #expect(try wait(for: client).outcome == .refused)
    }

    @Test func aRequestThatWasGivenUpIsToldToNobody() throws {
        let server = try BookingServer(.stalls)
        let client = try LiveHTTPClient()
        let number = client.send(BookingServer.request, to: server.url, within: .seconds(5))
        try server.serve(
            client,
            until: { server in
                _ = client.nextEnd()
                return server.bookingCount == 1
            }
        )
        client.cancel(number)
        #expect(client.activeCount == 0)
        #expect(client.nextEnd() == nil)
    }

    private func wait(for client: LiveHTTPClient) throws -> LiveHTTPClient.End {
        let poller = try Poller()
        try poller.add(client.wakeDescriptor, token: 0)
        let deadline = MonotonicClock.now + 10_000_000_000
        while MonotonicClock.now < deadline {
            if let end = client.nextEnd() { return end }
            try poller.wait(untilMonotonicNanoseconds: deadline) { _ in }
        }
        throw TimeOver()
    }
}

/// Nothing came in the time there was.
private struct TimeOver: Error {}

/// A server that counts whole requests, and then does what it is told.
private final class BookingServer {
    static let request = HTTPRequest(
        path: "/book",
        contentType: "text/plain",
        fields: [HTTPField("X-Test", "1")],
        body: Array("amount=1".utf8)
    )

    let listener: TCPListener
    let manner: ServerManner
    private(set) var bookingCount = 0
    private let poller: Poller
    private var stream: ByteStream?
    private var received: [UInt8] = []

    init(_ manner: ServerManner) throws {
        guard let address = SocketAddress.inDigits(host: "127.0.0.1", port: 0).first else {
            throw TimeOver()
        }
        self.manner = manner
        listener = try TCPListener(at: address)
        poller = try Poller()
        try poller.add(listener.descriptor, token: 1)
    }

    var url: String { "http://127.0.0.1:\(listener.address.port)" }

    /// Lets a client send one request, and serves it until the client knows how it ended.
    func play(
        _ client: LiveHTTPClient,
        within limit: VirtualDuration
    ) throws -> LiveHTTPClient.End {
        let number = client.send(Self.request, to: url, within: limit)
        var end: LiveHTTPClient.End?
        try serve(client) { _ in
            end = client.nextEnd()
            return end != nil
        }
        guard let end, end.number == number else { throw TimeOver() }
        return end
    }

    /// Serves until a condition holds, at most ten seconds.
    func serve(
        _ client: LiveHTTPClient,
        until isOver: (BookingServer) -> Bool
    ) throws {
        try poller.add(client.wakeDescriptor, token: 0)
        defer { poller.remove(client.wakeDescriptor) }
        let deadline = MonotonicClock.now + 10_000_000_000
        while !isOver(self) {
            guard MonotonicClock.now < deadline else { throw TimeOver() }
            let soon = MonotonicClock.now + 5_000_000
            try poller.wait(untilMonotonicNanoseconds: soon) { _ in }
            try step()
        }
    }

    private func step() throws {
        if let accepted = try listener.accept() {
            stream = accepted.takeStream()
            received = []
        }
        guard stream != nil else { return }
        if case .bytes(let bytes) = stream!.read(upTo: 4_096) { received += bytes }
        guard received.count > 8, received.suffix(8).elementsEqual("amount=1".utf8) else { return }
        bookingCount += 1
        received = []
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n"
        switch manner {
        case .answers: _ = try stream!.write(Array((head + "ok").utf8)[...])
        case .closesWhileIdle:
            _ = try stream!.write(Array((head + "ok").utf8)[...])
            stream = nil
        case .closes: stream = nil
        case .closesInTheAnswer:
            _ = try stream!.write(Array((head + "o").utf8)[...])
            stream = nil
        case .resets:
            stream!.resetOnClose()
            stream = nil
        case .stalls: break
        case .answersGarbage:
            _ = try stream!.write(Array("\u{1}\u{2}not HTTP at all\r\n\r\n".utf8)[...])
            stream = nil
        }
    }
}
