import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing

@Suite("Saved state of the gateway")
struct GatewaySnapshotTests {
    static func busyConfiguration() -> SimulatedNMIGateway.Configuration {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.webhookURL = "https://merchant.example/hook"
        configuration.rateLimit = .init(requestCount: 1_000, window: .seconds(60))
        configuration.duplicateWindow = .seconds(1_200)
        return configuration
    }

    /// A gateway that keeps something of everything.
    static func busy() throws -> SimulatedNMIGateway {
        var gateway = SimulatedNMIGateway(busyConfiguration())
        let check = NMICardData.check(VaultAndRecurringTests.check)
        let stored = NMICardData.stored(NMIStoredPayment(customerID: "c 1"))
        let plan = NMIPlan(
            amount: Amount(minorUnits: 700),
            paymentCount: 0,
            schedule: .days(7)
        )
        let operations: [NMIRequest.Operation] = [
            VaultAndRecurringTests.sale(
                VaultAndRecurringTests.swiped,
                1_099,
                [(.lastName, "Löwe = 100 %\n"), (.zip, "77777")],
                vault: NMIVaultOrder(isNew: true, customerID: "c 1")
            ),
            VaultAndRecurringTests.sale(check, 300),
            VaultAndRecurringTests.sale(stored, 50),
            .recurring(.addPlan(VaultAndRecurringTests.monthly)),
            .recurring(
                .subscribe(
                    NMISubscriptionOrder(.own(plan)),
                    card: stored,
                    orderID: "s-1",
                    details: NMIDetails([(.email, "a@b")])
                )
            ),
        ]
        for operation in operations {
            _ = try VaultAndRecurringTests.send(operation, &gateway)
        }
        for request in [
            pay(.auth, 900, "a"), followUp(.capture, NMITransactionID(10_000_000_004)!, 800),
            followUp(.refund, NMITransactionID(10_000_000_001)!, 99, "r"),
            pay(.auth, 901, "b"), void(NMITransactionID(10_000_000_006)!),
        ] {
            _ = gateway.receive(request, at: .zero + .seconds(3), cache: cache)
        }
        let later = VirtualInstant.zero + .seconds(86_400)
        _ = gateway.receive(query("a"), at: later, cache: cache)
        _ = gateway.receive(sale(500, "last"), at: later, cache: cache)
        let due = gateway.nextWebhook(at: later)
        let post = try #require(due)
        gateway.webhookEnded(post.number, status: 500, at: later)
        return gateway
    }

    @Test func aStateThatIsTakenUpIsTheSameState() throws {
        let gateway = try Self.busy()
        #expect(gateway.ledger.entries.count >= 8)
        let state = gateway.snapshot()
        let restored = try SimulatedNMIGateway(restoring: state, Self.busyConfiguration())
        #expect(restored.ledger == gateway.ledger)
        #expect(restored == gateway)
        #expect(restored.snapshot() == state)
    }

    @Test func whatFollowsIsTheSameWithAndWithoutARestart() throws {
        var gateway = try Self.busy()
        var restored = try SimulatedNMIGateway(
            restoring: gateway.snapshot(),
            Self.busyConfiguration()
        )
        let now = VirtualInstant.zero + .seconds(86_400 * 20)
        for request in [
            sale(500, "last"), query("last"),
            pay(.sale, 500, "n", .stored(.init(customerID: "c 1"))),
            followUp(.refund, NMITransactionID(10_000_000_001)!), void(.one),
        ] {
            let expected = gateway.receive(request, at: now, cache: cache)
            #expect(restored.receive(request, at: now, cache: cache) == expected)
        }
        #expect(restored == gateway)
    }

    @Test func momentsAreThoseOfTheCalendar() throws {
        let gateway = try Self.busy()
        var later = Self.busyConfiguration()
        later.startSecondsSince1970 += 86_400
        var restored = try SimulatedNMIGateway(restoring: gateway.snapshot(), later)
        let report = try parsedReport(restored.receive(query("last"), at: .zero, cache: cache))
        #expect(report.transactions[0].actions[0].date == "20240604090000")
        // The duplicate window goes on where it was.
        let again = restored.receive(
            sale(500, "last"),
            at: .zero + .seconds(1_199),
            cache: cache
        )
        #expect(try body(again).contains("Duplicate transaction"))
        let after = restored.receive(
            sale(500, "last"),
            at: .zero + .seconds(1_200),
            cache: cache
        )
        #expect(try body(after).contains("SUCCESS"))
    }

    @Test func anEmptyGatewayHasAStateToo() throws {
        let gateway = SimulatedNMIGateway()
        #expect(try SimulatedNMIGateway(restoring: gateway.snapshot()) == gateway)
    }

    @Test func noNumberLiesInTheStateInClear() throws {
        let text = String(decoding: try Self.busy().snapshot(), as: UTF8.self)
        for name in TestCard.names {
            let stripe = try #require(TestCard.named(name))
            let pan = try #require(Track2(parsing: stripe.unmaskedTrack2)?.pan)
            #expect(!text.contains(pan.unmasked))
        }
        #expect(!text.contains("24413815"))
        #expect(!text.contains(Self.busyConfiguration().securityKey))
    }

    @Test func aStateThatWasCutChangedOrIsAnothersIsRefused() throws {
        let state = try Self.busy().snapshot()
        let configuration = Self.busyConfiguration()
        func error(_ bytes: [UInt8]) -> GatewayStateError.Code? {
            do {
                _ = try SimulatedNMIGateway(restoring: bytes, configuration)
                return nil
            } catch {
                return error.code
            }
        }
        for count in stride(from: 0, to: state.count - 1, by: 37) {
            #expect(error(Array(state.prefix(count))) != nil)
        }
        #expect(error(Array(state.dropLast())) == .incomplete)
        #expect(error([]) == .notAState)
        #expect(error(Array("something else\n".utf8)) == .notAState)
        for place in stride(from: 120, to: state.count - 80, by: 211) {
            var changed = state
            changed[place] ^= 1
            #expect(error(changed) != nil)
        }
        let lines = state.split(separator: 0x0A)
        let doubled = (lines[...3] + lines[3...]).joined(separator: [0x0A]) + [0x0A]
        #expect(error(Array(doubled)) == .changed)
        var other = configuration
        other.securityKey = "another"
        #expect(throws: GatewayStateError(code: .otherMerchant, line: 1)) {
            try SimulatedNMIGateway(restoring: state, other)
        }
        var newer = Array("cardrig-nmi-state version=2\n".utf8)
        newer += state
        #expect(error(newer) == .unknownVersion)
        var small = configuration
        small.maximumTransactionCount = 2
        #expect(throws: GatewayStateError.self) {
            try SimulatedNMIGateway(restoring: state, small)
        }
    }
}
