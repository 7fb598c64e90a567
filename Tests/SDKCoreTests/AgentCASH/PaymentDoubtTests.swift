import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

@testable import SDKCore

/// Whatever becomes of an exchange, the money is where the app is told that it is.
@Suite("Payments in doubt")
struct PaymentDoubtTests {
    private static let answers: [GatewayFault.Answer] = [
        .timeout, .reset, .garbage, .httpStatus(500), .httpStatus(404), .httpApproval(502),
        .otherOrder, .slow(.seconds(40)),
    ]
    private static let phases: [GatewayFault.Phase] = [.beforeBooking, .afterBooking]

    private func pay(
        _ card: AgentCASHCard,
        _ faults: [GatewayFault],
        captures: Bool = true,
        sign result: SignatureCollectionResult = .successful
    ) -> PaymentTill {
        var till = PaymentTill(.playedSession, faults)
        let request = till.authorize(captures: captures)
        till.read(card)
        till.waitForAnswer()
        if till.orders.last == .complete(.approved) {
            till.report(.completed(isApproved: true))
            if till.actionCount > 0 { till.sign(request, result) }
        } else {
            till.report(.failed(.readerFailed))
        }
        till.finish()
        #expect(till.brokenLaws == [])
        #expect(till.results.count == 1)
        return till
    }

    private func isBooked(_ answer: GatewayFault.Answer, _ phase: GatewayFault.Phase) -> Bool {
        if phase == .afterBooking { return true }
        return switch answer {
        case .slow, .otherOrder: true
        case .timeout, .reset, .garbage, .httpStatus, .httpApproval, .refused, .decline, .error:
            false
        }
    }

    @Test(arguments: answers, phases)
    func aLostAuthorisationIsLookedUpAndNeverSentAgain(
        _ answer: GatewayFault.Answer,
        _ phase: GatewayFault.Phase
    ) {
        var till = PaymentTill(
            .playedSession,
            [GatewayFault(kind: .auth, phase: phase, answer: answer)]
        )
        till.authorize()
        till.read()
        till.waitForAnswer()
        let isBooked = isBooked(answer, phase)
        #expect(till.orders.last == .complete(isBooked ? .approved : .unreachable))
        till.report(isBooked ? .completed(isApproved: true) : .failed(.readerFailed))
        till.finish()
        #expect(till.brokenLaws == [])
        #expect(till.results == [isBooked ? .approved : .failed])
        #expect(till.completions[0].error == (isBooked ? nil : .notCharged))
        #expect(till.states == (isBooked ? [.captured] : []))
        #expect(till.sent.count { $0 == .authorise } == 1)
        #expect(till.progress.contains(.lookingUp))
    }

    @Test(arguments: answers, phases)
    func aLostConfirmationIsLookedUpAndTakenBackUnlessItWasBooked(
        _ answer: GatewayFault.Answer,
        _ phase: GatewayFault.Phase
    ) {
        let till = pay(
            PaymentTill.signatureCard,
            [GatewayFault(kind: .update, phase: phase, answer: answer)]
        )
        let isBooked = isBooked(answer, phase)
        #expect(till.results == [isBooked ? .approved : .failed])
        #expect(till.states == [isBooked ? .captured : .reversed])
        #expect(till.sent.count { $0 == .confirm } == 1)
        #expect(till.saved.open.isEmpty)
    }

    @Test(arguments: answers, phases)
    func aLostConfirmationOfMoneyThatIsHeldGoesByTheSignature(
        _ answer: GatewayFault.Answer,
        _ phase: GatewayFault.Phase
    ) {
        let till = pay(
            PaymentTill.signatureCard,
            [GatewayFault(kind: .update, phase: phase, answer: answer)],
            captures: false
        )
        let isBooked = isBooked(answer, phase)
        #expect(till.results == [isBooked ? .approved : .failed])
        #expect(till.states == [isBooked ? .authorised : .reversed])
    }

    @Test(arguments: answers, phases)
    func aLostReversalGoesOnUntilItIsBooked(
        _ answer: GatewayFault.Answer,
        _ phase: GatewayFault.Phase
    ) {
        let till = pay(
            PaymentTill.signatureCard,
            [GatewayFault(kind: .void, phase: phase, answer: answer)],
            sign: .cancelled
        )
        #expect(till.results == [.cancelled])
        #expect(till.states == [.reversed])
        #expect(till.saved.open.isEmpty)
    }

    @Test func aReversalThatNeverLeavesIsTriedAgain() {
        let refused = GatewayFault(kind: .void, phase: .beforeBooking, answer: .refused)
        let till = pay(PaymentTill.signatureCard, [refused, refused], sign: .cancelled)
        #expect(till.results == [.cancelled] && till.states == [.reversed])
    }

    @Test func aReversalThatNobodyAnswersIsUnknownAndStaysOpen() {
        let lost = GatewayFault(kind: .void, phase: .beforeBooking, answer: .timeout)
        let silent = GatewayFault(kind: .query, phase: .beforeBooking, answer: .reset)
        let till = pay(
            PaymentTill.signatureCard,
            [lost, silent, silent, silent],
            sign: .signaturesDontMatch
        )
        #expect(till.results == [.unknown] && till.states == [.authorised])
        #expect(till.saved.open.count == 1)
    }

    @Test func anAuthorisationThatNeverLeftIsNotLookedUp() {
        let refused = GatewayFault(kind: .auth, phase: .beforeBooking, answer: .refused)
        let till = pay(PaymentTill.card, [refused])
        #expect(till.completions[0].error == .serviceUnreachable)
        #expect(till.results == [.failed] && till.sent == [.authorise])
    }

    @Test func aLookUpThatIsAnsweredLateStillFindsThePayment() {
        let lost = GatewayFault(kind: .auth, phase: .afterBooking, answer: .reset)
        let silent = GatewayFault(kind: .query, phase: .afterBooking, answer: .garbage)
        let till = pay(PaymentTill.card, [lost, silent, silent])
        #expect(till.results == [.approved] && till.states == [.captured])
        #expect(till.sent == [.authorise, .lookUp, .lookUp, .lookUp, .confirm])
    }

    @Test func anAuthorisationThatNobodyAnswersIsUnknown() {
        let lost = GatewayFault(kind: .auth, phase: .afterBooking, answer: .reset)
        let silent = GatewayFault(kind: .query, phase: .afterBooking, answer: .httpStatus(503))
        let till = pay(PaymentTill.card, [lost, silent, silent, silent])
        #expect(till.results == [.unknown] && till.completions[0].error == .outcomeUnknown)
        #expect(till.states == [.authorised] && till.saved.open.count == 1)
    }

    @Test func anAuthorisationThatCannotBeReadFails() {
        var till = PaymentTill(.playedSession)
        till.gateway = SimulatedAgentCASHGateway()
        till.authorize()
        till.read()
        till.wait(.seconds(1))
        till.report(.failed(.readerFailed))
        #expect(till.completions[0].error == .notCarriedOut && till.states == [.failed])
    }

    @Test func aCardThatIsTakenOutInDoubtStillLeavesOnePayment() {
        let lost = GatewayFault(kind: .auth, phase: .afterBooking, answer: .timeout)
        var till = PaymentTill(.playedSession, [lost])
        till.authorize()
        till.read()
        till.wait(.seconds(10))
        till.loseReader()
        till.finish()
        #expect(till.results == [.approved] && till.states == [.captured])
        #expect(till.brokenLaws == [])
    }

    @Test func lateOutcomesOfGivenUpExchangesAreIgnored() {
        var till = PaymentTill(
            .playedSession,
            [GatewayFault(kind: .auth, phase: .afterBooking, answer: .timeout)]
        )
        till.authorize()
        till.read()
        till.waitForAnswer()
        till.provider.outcome(.refused, exchange: 1, at: till.now)
        till.report(.completed(isApproved: true))
        till.finish()
        #expect(till.results == [.approved])
    }
}
