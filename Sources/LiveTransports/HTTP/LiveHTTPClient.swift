public import EventLoops
import HTTPClient
import Kernel
public import Transports

/// Requests to real servers, on the loop: nothing blocks, nothing is sent twice.
///
/// Every request has a connection of its own. What became of one is told once, by
/// ``nextEnd()``, which the owner asks whenever ``wakeDescriptor`` is readable. Certificates are
/// verified against the system's, or against a file of one's own.
public final class LiveHTTPClient {
    /// How a request ended, with the reason where there is no answer.
    public struct End: Hashable, Sendable {
        /// The number that ``send(_:to:within:)`` gave.
        public var number: Int
        /// What the client sees.
        public var outcome: HTTPOutcome
        /// Why there is no answer, in the library's words; empty for an answer.
        public var reason: String
    }

    private let transfers: HTTPTransfers
    private let poller: Poller
    private let trustedCertificates: String?
    private var seenTimerChange = 0
    private var timerDeadline: Int64?

    /// Creates a client.
    ///
    /// - Parameter trustedCertificates: A file of certificates in PEM to trust instead of the
    ///   system's.
    /// - Throws: `KernelError` when the process has no descriptors left.
    public init(trustedCertificates: String? = nil) throws {
        guard let transfers = HTTPTransfers() else {
            throw TransportProblem(.failed, "libcurl cannot be set up")
        }
        self.transfers = transfers
        self.trustedCertificates = trustedCertificates
        poller = try Poller()
    }

    /// The descriptor that becomes readable when ``nextEnd()`` may have something.
    public var wakeDescriptor: Int32 { poller.descriptor }

    /// How many requests are on their way.
    public var activeCount: Int { transfers.activeCount }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - server: Where to: `http://HOST:PORT`, without a path.
    ///   - limit: How long the whole exchange may take.
    /// - Returns: Its number.
    public func send(
        _ request: HTTPRequest,
        to server: String,
        within limit: VirtualDuration
    ) -> Int {
        var fields = request.fields.map { "\($0.name): \($0.value)" }
        if !request.contentType.isEmpty { fields.append("Content-Type: \(request.contentType)") }
        let number = transfers.start(
            HTTPTransferRequest(
                method: request.method,
                url: server + request.path,
                fields: fields,
                body: request.body,
                timeLimitMilliseconds: Int(limit.nanoseconds / 1_000_000),
                trustedCertificates: trustedCertificates
            )
        )
        follow()
        return number
    }

    /// Gives a request up; its end is not told.
    public func cancel(_ number: Int) {
        transfers.cancel(number)
        follow()
    }

    /// Returns a request that ended, or `nil`; never waits.
    public func nextEnd() -> End? {
        var ready: [Readiness] = []
        _ = try? poller.wait(untilMonotonicNanoseconds: 0) { ready.append($0) }
        for descriptor in ready {
            transfers.ready(
                descriptor: Int32(truncatingIfNeeded: descriptor.token),
                isReadable: descriptor.isReadable || descriptor.isHungUp,
                isWritable: descriptor.isWritable
            )
        }
        if let deadline = timerDeadline, MonotonicClock.now >= deadline {
            timerDeadline = nil
            transfers.timerFired()
        }
        follow()
        guard let (number, end) = transfers.nextEnd() else { return nil }
        follow()
        return switch end {
        case .answered(let status, let type, let body):
            End(
                number: number,
                outcome: .answered(
                    HTTPResponse(status: status, contentType: type, body: body)
                ),
                reason: ""
            )
        case .notSent(let reason): End(number: number, outcome: .refused, reason: reason)
        case .lost(let reason): End(number: number, outcome: .reset, reason: reason)
        case .timedOut:
            End(number: number, outcome: .timedOut, reason: "no whole answer in time")
        }
    }

    /// Watches what the library wants watched, and sets its timer.
    private func follow() {
        for interest in transfers.takeInterests() {
            switch interest {
            case .watch(let descriptor, let isReading, let isWriting):
                let token = UInt64(UInt32(bitPattern: descriptor))
                do {
                    try poller.add(
                        descriptor,
                        token: token,
                        readable: isReading,
                        writable: isWriting
                    )
                } catch {
                    try? poller.change(
                        descriptor,
                        token: token,
                        readable: isReading,
                        writable: isWriting
                    )
                }
            case .forget(let descriptor): poller.remove(descriptor)
            }
        }
        if seenTimerChange != transfers.timerChangeCount {
            seenTimerChange = transfers.timerChangeCount
            timerDeadline = transfers.timerMilliseconds.map {
                MonotonicClock.now + Int64($0) * 1_000_000
            }
        }
        try? poller.setAlarm(atMonotonicNanoseconds: timerDeadline)
    }
}
