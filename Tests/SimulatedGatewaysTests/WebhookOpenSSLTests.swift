import EventLoops
import GatewayProtocols
import Kernel
import SimulatedGateways
import Testing
import Transports

@Suite("Webhooks and OpenSSL")
struct WebhookOpenSSLTests {
    private static func run(_ line: String) throws -> Bool {
        var child = try ChildProcess(["sh", "-c", line])
        let limit = MonotonicClock.now + 60_000_000_000
        return try child.wait(untilMonotonicNanoseconds: limit) == .exited(0)
    }

    private static let isPresent = (try? run("command -v openssl > /dev/null")) == true

    @Test(.enabled(if: isPresent, "openssl is not installed"))
    func itsCommandLineGivesTheSameSignature() throws {
        var gateway = NMIWebhookTests.gateway()
        _ = gateway.receive(sale(1_099, "größe"), at: .zero, cache: cache)
        let due = gateway.nextWebhook(at: .zero)
        let post = try #require(due)
        let signature = try #require(NMIWebhookSignature(header: post.signature ?? ""))
        let path = "/tmp/cardrig-webhook-tests.\(ProcessEnvironment.processID)"
        try FileBytes.write(post.request.body, to: path)
        defer { FileBytes.remove(path: path) }
        let line = """
            code=$({ printf '%s.' '\(signature.nonce)'; cat \(path); } | \
            openssl dgst -sha256 -hmac '\(NMIWebhookTests.signingKey)' -r | cut -d ' ' -f 1) && \
            [ "$code" = '\(signature.code)' ]
            """
        #expect(try Self.run(line))
    }
}
