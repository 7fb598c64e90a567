import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing

@testable import SDKCore

/// Random plays of everybody at once: app, reader, link, service and time.
@Suite("Random plays of payments")
struct PaymentPlayTests {
    private static let answers: [GatewayFault.Answer] = [
        .timeout, .reset, .garbage, .httpStatus(500), .httpApproval(500), .otherOrder, .refused,
        .slow(.seconds(20)), .slow(.seconds(40)), .decline(.declined),
    ]
    private static let kinds: [GatewayRequestKind] = [
        .auth, .update, .void, .capture, .refund, .query,
    ]

    private func play(seed: UInt64, plant: Plant? = nil) -> PaymentTill {
        var random = SplitMix64(seed: seed)
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        var till = PaymentTill(.playedSession, [], plant: plant) {
            $0.profile.checksAccountFirst = pick(4) == 0
            $0.profile.lostReader = pick(3) == 0 ? .reverses : .completes
            $0.profile.decline = pick(2) == 0 ? .error : .finished
        }
        for _ in 0..<pick(5) {
            till.gateway.schedule(
                GatewayFault(
                    kind: Self.kinds[pick(Self.kinds.count)],
                    phase: pick(2) == 0 ? .beforeBooking : .afterBooking,
                    answer: Self.answers[pick(Self.answers.count)]
                )
            )
        }
        let request = till.authorize("20.00", captures: pick(3) > 0)
        for _ in 0..<12 {
            let what = pick(14)
            // A reader that is gone says nothing.
            if what < 7, till.openCount == till.closeCount { continue }
            switch what {
            case 0: till.report(.progress(.cardInserted))
            case 1, 2: till.read(pick(2) == 0 ? PaymentTill.card : PaymentTill.signatureCard)
            case 3, 4:
                if case .complete = till.orders.last { till.report(.completed(isApproved: true)) }
            case 5:
                if till.orders.last == .complete(.approved), !till.sent.contains(.confirm) {
                    till.report(.completed(isApproved: false))
                }
            case 6: till.report(.failed(.cardRemoved))
            case 7: till.loseReader()
            case 8, 9:
                let isAsked = till.actionCount > 0 && till.results.isEmpty
                if isAsked { till.sign(request, SignatureCollectionResult.allCases[pick(3)]) }
            case 10:
                if till.results.isEmpty, pick(4) == 0, !till.sent.contains(.confirm) {
                    till.cancel(request)
                }
            case 11:
                let id = till.gateway.ledger.entries.last?.transaction.id ?? 1
                let isOver = !till.results.isEmpty
                if isOver {
                    _ = till.provider.refund(id, amount: "12", at: till.now)
                    _ = till.provider.capture(id, amount: "25", at: till.now)
                    till.carry()
                }
            case 12: till.wait(.milliseconds(Int64(pick(400))))
            default: till.wait(.seconds(Int64(pick(40))))
            }
        }
        till.finish()
        till.finish()
        return till
    }

    @Test func noLawBreaksAndEveryRequestEnds() {
        var results: Set<PaymentResult> = []
        for seed in UInt64(1)...2_000 {
            let till = play(seed: seed)
            guard till.brokenLaws == [], !till.provider.isPaying, !till.results.isEmpty else {
                Issue.record("seed \(seed): \(till.brokenLaws) \(till.told)")
                return
            }
            results.formUnion(till.results)
        }
        #expect(results == Set(PaymentResult.allCases))
    }

    @Test func aPlayIsTheSameEachTime() {
        #expect(play(seed: 7).told == play(seed: 7).told)
    }
}
