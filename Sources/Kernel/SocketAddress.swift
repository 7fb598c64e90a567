import CLinux
import Glibc

/// The address of a TCP socket: IPv4 or IPv6, and a port.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// In digits: `127.0.0.1:6543`, or `[::1]:6543`.
    public let description: String
    /// Whether only this machine can reach it.
    public let isLoopback: Bool
    private let bytes: [UInt8]

    init(_ raw: clinux_address) {
        var raw = raw
        bytes = withUnsafeBytes(of: raw.bytes) { Array($0.prefix(Int(raw.byte_count))) }
        var text = [CChar](repeating: 0, count: 96)
        description =
            clinux_address_name(&raw, &text, 96) == 0
            ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            : "an address of an unknown kind"
        isLoopback = clinux_is_loopback(&raw) == 1
    }

    /// The port, 1 to 65,535; 0 lets the kernel pick one.
    public var port: UInt16 {
        let digits = description.utf8.reversed().prefix { $0 != UInt8(ascii: ":") }
        return UInt16(String(decoding: digits.reversed(), as: UTF8.self)) ?? 0
    }

    var raw: clinux_address {
        var raw = clinux_address()
        raw.byte_count = UInt32(bytes.count)
        withUnsafeMutableBytes(of: &raw.bytes) { $0.copyBytes(from: bytes) }
        return raw
    }

    /// Returns the addresses of a host that is written in digits; empty when it is a name.
    public static func inDigits(host: String, port: UInt16) -> [SocketAddress] {
        (try? addresses(host, port, withNames: false)) ?? []
    }

    /// Returns the addresses of a host, asking name servers; that may take as long as the system's
    /// resolver waits for them, so never call it on the loop.
    ///
    /// - Throws: ``KernelError`` with `missing` when there is no such host, `timedOut` when no name
    ///   server answers.
    public static func lookedUp(host: String, port: UInt16) throws(KernelError) -> [SocketAddress] {
        try addresses(host, port, withNames: true)
    }

    private static func addresses(
        _ host: String,
        _ port: UInt16,
        withNames: Bool
    ) throws(KernelError) -> [SocketAddress] {
        var found = [clinux_address](repeating: clinux_address(), count: 8)
        let count = clinux_resolve(host, "\(port)", withNames ? 1 : 0, &found, 8)
        if count == -EAGAIN {
            throw KernelError(.timedOut, operation: "look up", path: host)
        }
        try checked(count, "look up", path: host)
        return found.prefix(Int(count)).map { SocketAddress($0) }
    }
}

/// A question for the addresses of a host, answered without keeping the loop waiting.
///
/// Digits and `localhost` are answered at once; a name is looked up on a thread of its own, which
/// ends by itself when the resolver gives up, whether or not somebody still waits.
public final class AddressLookUp {
    /// What came of a look-up.
    public typealias Answer = Result<[SocketAddress], KernelError>

    private let answers: Mailbox<Answer>
    private var answer: Answer?

    /// Asks.
    ///
    /// - Throws: ``KernelError`` when the process has no descriptors or threads left.
    public init(host: String, port: UInt16) throws(KernelError) {
        let answers = try Mailbox<Answer>()
        self.answers = answers
        let known =
            host == "localhost"
            ? SocketAddress.inDigits(host: "127.0.0.1", port: port)
                + SocketAddress.inDigits(host: "::1", port: port)
            : SocketAddress.inDigits(host: host, port: port)
        if !known.isEmpty {
            answer = .success(known)
            return
        }
        try WorkerThread {
            let found: Answer
            do throws(KernelError) {
                found = .success(try SocketAddress.lookedUp(host: host, port: port))
            } catch {
                found = .failure(error)
            }
            answers.post(found)
        }.detach()
    }

    /// The descriptor that is readable when ``poll()`` has an answer that it had not before.
    public var descriptor: Int32 { answers.descriptor }

    /// Returns the answer, or `nil` while there is none; never waits.
    public func poll() -> Answer? {
        if answer == nil { answer = answers.drain().first }
        return answer
    }
}
