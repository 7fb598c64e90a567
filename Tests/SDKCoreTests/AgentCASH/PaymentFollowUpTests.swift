import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing

@testable import SDKCore

@Suite("Captures, refunds and questions")
struct PaymentFollowUpTests {
    /// A till with one payment of 20.00, held or taken.
    private func paid(captures: Bool, _ faults: [GatewayFault] = []) -> PaymentTill {
        var till = PaymentTill(.playedSession, faults)
        till.authorize("20.00", captures: captures)
        till.read()
        till.wait(.seconds(1))
        till.report(.completed(isApproved: true))
        till.finish()
        till.told = []
        till.sent = []
        return till
    }

    private let id: UInt64 = 7_000_001

    private func run(
        _ till: inout PaymentTill,
        _ call: (inout PaymentProvider, VirtualInstant) -> PaymentRequest
    ) -> PaymentCompletion? {
        _ = call(&till.provider, till.now)
        till.carry()
        till.finish()
        #expect(till.brokenLaws == [])
        return till.completions.last
    }

    @Test(arguments: [(nil, 20_00), ("20.00", 20_00), ("5", 5_00)] as [(String?, Int64)])
    func aCaptureTakesAllOrLess(_ amount: String?, _ captured: Int64) {
        var till = paid(captures: false)
        let end = run(&till) { $0.capture(id, amount: amount, at: $1) }
        #expect(end?.result == .approved)
        #expect(end?.paymentInfo?.capturedAmount.minorUnits == captured)
        #expect(till.states == [.captured] && till.sent == [.query, .capture])
    }

    @Test func aCaptureOfMoreIsRefusedBeforeItIsSent() {
        var till = paid(captures: false)
        let end = run(&till) { $0.capture(id, amount: "20.01", at: $1) }
        #expect(end?.result == .failed)
        #expect(end?.error == .refused(AgentCASHError(.amountTooHigh, member: "amount")))
        #expect(till.states == [.authorised] && till.sent == [.query])
    }

    @Test func whatIsCapturedCannotBeCapturedAgain() {
        var till = paid(captures: true)
        let end = run(&till) { $0.capture(id, at: $1) }
        #expect(end?.error == .refused(AgentCASHError(.wrongState)) && till.sent == [.query])
    }

    @Test func aRefundPaysPartsBackUntilNothingIsLeft() {
        var till = paid(captures: true)
        #expect(run(&till) { $0.refund(id, amount: "12.00", at: $1) }?.result == .approved)
        #expect(till.states == [.captured])
        let tooMuch = run(&till) { $0.refund(id, amount: "8.01", at: $1) }
        #expect(tooMuch?.error == .refused(AgentCASHError(.amountTooHigh, member: "amount")))
        #expect(run(&till) { $0.refund(id, at: $1) }?.paymentInfo?.state == .refunded)
        #expect(
            run(&till) { $0.refund(id, at: $1) }?.error == .refused(AgentCASHError(.wrongState))
        )
    }

    @Test func aRefundOfMoneyThatIsHeldCancelsThePayment() {
        var till = paid(captures: false)
        let part = run(&till) { $0.refund(id, amount: "3.00", at: $1) }
        #expect(part?.error == .refused(AgentCASHError(.wrongState, member: "amount")))
        #expect(run(&till) { $0.refund(id, at: $1) }?.paymentInfo?.state == .released)
        #expect(till.states == [.released])
    }

    @Test(
        arguments: [
            GatewayFault.Answer.timeout, .reset, .garbage, .httpStatus(502), .slow(.seconds(31)),
        ],
        [GatewayFault.Phase.beforeBooking, .afterBooking]
    )
    func whatIsLostIsLookedUpAndNeverSentAgain(
        _ answer: GatewayFault.Answer,
        _ phase: GatewayFault.Phase
    ) {
        let isSlow = if case .slow = answer { true } else { false }
        let isBooked = phase == .afterBooking || isSlow
        var till = paid(
            captures: false,
            [
                GatewayFault(kind: .capture, phase: phase, answer: answer),
                GatewayFault(kind: .refund, phase: phase, answer: answer),
            ]
        )
        let capture = run(&till) { $0.capture(id, at: $1) }
        #expect(capture?.result == (isBooked ? .approved : .failed))
        #expect(capture?.error == (isBooked ? nil : .notCharged))
        #expect(till.states == [isBooked ? .captured : .authorised])
        let refund = run(&till) { $0.refund(id, at: $1) }
        #expect(refund?.result == (isBooked ? .approved : .failed))
        #expect(till.states == [isBooked ? .refunded : .authorised])
        #expect(till.sent.count { $0 == .capture } == 1 && till.sent.count { $0 == .refund } == 1)
    }

    @Test func aLostRefundThatNobodyAnswersIsUnknown() {
        let lost = GatewayFault(kind: .refund, phase: .afterBooking, answer: .reset)
        var till = paid(captures: true, [lost])
        for number in 5...7 {
            till.gateway.schedule(
                GatewayFault(request: number, phase: .beforeBooking, answer: .timeout)
            )
        }
        let end = run(&till) { $0.refund(id, amount: "5", at: $1) }
        #expect(end?.result == .unknown && end?.error == .outcomeUnknown)
    }

    @Test func followUpsWaitForOneAnother() {
        var till = paid(captures: true)
        let first = till.provider.refund(id, amount: "12", at: till.now)
        let second = till.provider.refund(id, amount: "12", at: till.now)
        let third = till.provider.refund(id, amount: "8", at: till.now)
        till.carry()
        till.finish()
        #expect(till.results == [.approved, .failed, .approved])
        #expect(first < second && second < third)
        #expect(till.states == [.refunded] && till.brokenLaws == [])
    }

    @Test func aPaymentIsFoundAgainAfterARelaunch() {
        var till = paid(captures: true)
        let before = till.gateway.ledger.entries[0].transaction
        till.relaunch()
        #expect(run(&till) { $0.paymentInfo(id, at: $1) }?.paymentInfo == before)
        let found = run(&till) { $0.payments(externalID: "invoice 7", at: $1) }
        #expect(found?.payments == [before])
        #expect(run(&till) { $0.payments(externalID: "none", at: $1) }?.payments == [])
        let missing = run(&till) { $0.paymentInfo(1, at: $1) }
        #expect(missing?.error == .refused(AgentCASHError(.noSuchTransaction)))
    }

    @Test func aQuestionWithoutAnswerIsAskedAgainAndThenFails() {
        let silent = GatewayFault(kind: .query, phase: .beforeBooking, answer: .timeout)
        var till = paid(captures: true, [silent])
        #expect(run(&till) { $0.paymentInfo(id, at: $1) }?.result == .approved)
        for _ in 0..<4 { till.gateway.schedule(silent) }
        #expect(run(&till) { $0.paymentInfo(id, at: $1) }?.error == .noAnswer)
    }

    @Test func amountsThatAreNoneAreRefusedAtOnce() {
        var till = paid(captures: true)
        for amount in ["0", "-1", "1.999", "", "1,00"] {
            #expect(run(&till) { $0.refund(id, amount: amount, at: $1) }?.error == .invalidAmount)
            #expect(run(&till) { $0.capture(id, amount: amount, at: $1) }?.error == .invalidAmount)
        }
        #expect(till.sent.isEmpty)
    }

    @Test func tooManyFollowUpsAreRefused() {
        var till = PaymentTill { $0.maximumWaitingCount = 1 }
        for _ in 0..<3 { _ = till.provider.paymentInfo(id, at: till.now) }
        till.carry()
        #expect(till.completions == [PaymentCompletion(.failed, .tooManyRequests)])
    }
}
