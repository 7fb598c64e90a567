import ScenarioLanguage
import JSON
import Kernel
import Reporting
import Testing

@testable import CardRigCLI

/// The gateways in a process of their own, with curl and the SDK as clients.
@Suite("run at a served gateway", .serialized)
struct RunOverHTTPTests {
    @Test func scenariosRunOverHTTP() throws {
        let served = try ServedGatewayProcess("nmi")
        let names = [
            "voided", "reset-after-booking", "garbage-before-booking", "connection-refused",
            "refunded", "captured", "http-500-says-approved",
        ]
        let files = names.map { "Scenarios/nmi/\($0).yaml" }.joined(separator: " ")
        let report = try served.shell(
            "\(InterruptionTests.program) run \(files) --gateway nmi=\(served.url)"
        )
        #expect(
            report.hasSuffix("7 scenarios on sim: with nmi=\(served.url), 6 passed, 1 refused\n"),
            "\(report)"
        )
        #expect(report.contains("a connection that was made cannot be refused any more"))
    }

    @Test func paymentsOfTheProviderRunOverHTTP() throws {
        let served = try ServedGatewayProcess("all")
        let names = [
            "captured-in-part", "refunded", "declined", "wrong-account",
            "killed-while-the-issuer-is-asked", "webhooks",
        ]
        let files = names.map { "Scenarios/agentcash/\($0).yaml" }.joined(separator: " ")
        let report = try served.shell(
            "\(InterruptionTests.program) run \(files) Scenarios/nmi/voided.yaml "
                + "--gateway agentcash=\(served.url),nmi=\(served.url)"
        )
        #expect(report.contains(", 7 passed, 1 refused\n"), "\(report)")
        #expect(report.contains("the merchant's server that takes webhooks is in this process"))
        // All cells wait for limits in real time; this one, a reset, for none.
        let reversal = try served.shell(
            "\(InterruptionTests.program) run Scenarios/agentcash/reversal-lost.yaml --cell 2 "
                + "--gateway agentcash=\(served.url)"
        )
        #expect(reversal.hasSuffix(", 1 passed\n"), "\(reversal)")
        let ledger = try #require(try served.ask("ledger/agentcash")["transactions"]?.values)
        #expect(!ledger.isEmpty)
    }

    @Test func aGatewayThatIsNotNamedIsNotPlayedInThisProcessInstead() throws {
        let served = try ServedGatewayProcess("nmi")
        let report = try served.shell(
            "\(InterruptionTests.program) run Scenarios/agentcash/refunded.yaml "
                + "--gateway nmi=\(served.url)"
        )
        #expect(report.contains("--gateway does not say where agentcash is"), "\(report)")
    }

    @Test(arguments: [
        "nmi=127.0.0.1:1", "nmi=http://user:word@127.0.0.1", "nmi=http://a/b", "visa=http://a",
        "nmi=http://a,nmi=http://b", "nmi=http://a,", "nmi=", "http://a", "agentcash=ftp://a",
    ])
    func wrongAddressesOfGatewaysAreRefused(_ text: String) {
        #expect(RunGateways(parsing: text) == nil)
    }

    @Test func addressesOfGatewaysAreShownAsTyped() throws {
        let text = "nmi=http://127.0.0.1:1,agentcash=https://[::1]:2"
        let gateways = try #require(RunGateways(parsing: text))
        #expect(gateways.description == text)
        #expect(gateways.contains(.nmi) && gateways.contains(.agentcash))
        let one = try #require(RunGateways(parsing: "nmi=http://127.0.0.1:1/"))
        #expect(one.description == "nmi=http://127.0.0.1:1")
        #expect(!one.contains(.agentcash))
    }
}
