import EventLoops
import GatewayProtocols
import Testing

@testable import SDKCore

@Suite("Mock mode")
struct MockPaymentTests {
    private func till(
        _ change: (inout PaymentProvider.Configuration) -> Void = { _ in }
    ) -> PaymentTill { PaymentTill(.playedSession, type: .mock, change) }

    @Test(
        arguments: [
            ("15.00", true, PaymentResult.approved), ("15", true, .approved),
            ("0.50", true, .approved), ("15.99", false, .declined), ("0.99", false, .declined),
            ("199.99", false, .declined), ("99", true, .approved), ("1.10", true, .approved),
        ]
    )
    func theAmountDecidesAndNothingIsContacted(
        _ amount: String,
        _ isPaid: Bool,
        _ result: PaymentResult
    ) {
        var till = till()
        till.authorize(amount)
        till.finish()
        #expect(till.results == [result] && till.completions[0].error == nil)
        #expect(till.completions[0].paymentInfo?.state == (isPaid ? .captured : .declined))
        #expect(till.progress.contains(.pinEntry) && till.actionCount == 0)
        #expect(till.sent.isEmpty && till.openCount == 0)
    }

    @Test(
        arguments: [
            (SignatureCollectionResult.successful, PaymentResult.approved, "captured"),
            (.cancelled, .cancelled, "reversed"), (.signaturesDontMatch, .cancelled, "reversed"),
        ]
    )
    func anAmountWithOneCentWantsASignature(
        _ signature: SignatureCollectionResult,
        _ result: PaymentResult,
        _ state: String
    ) {
        var till = till()
        let request = till.authorize("15.01")
        till.wait(.seconds(5))
        #expect(till.actionCount == 1 && till.results.isEmpty)
        till.sign(request, signature)
        till.sign(request, signature)
        till.finish()
        #expect(till.results == [result])
        #expect(till.completions[0].paymentInfo?.state.rawValue == state)
        #expect(till.misuses == [.noSignatureAwaited(request)])
    }

    @Test func aForgottenSignatureEnds() {
        var till = till()
        till.authorize("15.01")
        till.finish()
        #expect(till.results == [.failed])
        #expect(till.completions[0].error == .signatureNotCollected)
    }

    @Test func aDeclineIsAnErrorWhereTheProfileSaysSo() {
        var till = till { $0.profile.decline = .error }
        till.authorize("15.99")
        till.finish()
        #expect(till.completions == [PaymentCompletion(.declined, .declined)])
    }

    @Test func aPaymentCanBeCancelledAndNoSecondOneRuns() {
        var till = till()
        let first = till.authorize()
        till.authorize()
        till.provider.cancel(first, at: till.now)
        till.carry()
        till.finish()
        #expect(till.completions.map(\.error) == [.anotherPaymentRunning, .cancelled])
        #expect(!till.provider.isPaying)
    }

    @Test func capturesAndRefundsWorkOnWhatWasPaid() {
        var till = till()
        till.authorize(captures: false)
        till.finish()
        let id = till.completions[0].paymentInfo?.id ?? 0
        _ = till.provider.capture(id, amount: "15.01", at: till.now)
        _ = till.provider.capture(id, amount: "10", at: till.now)
        _ = till.provider.refund(id, amount: "4", at: till.now)
        _ = till.provider.refund(id, at: till.now)
        _ = till.provider.refund(id, at: till.now)
        _ = till.provider.payments(externalID: "invoice 7", at: till.now)
        _ = till.provider.paymentInfo(99, at: till.now)
        till.carry()
        #expect(
            till.results == [
                .approved, .failed, .approved, .approved, .approved, .failed, .approved, .failed,
            ]
        )
        #expect(till.completions[6].paymentInfo?.state == .refunded)
        #expect(till.sent.isEmpty)
    }
}
