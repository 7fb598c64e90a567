import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols
import SimulatedGateways
import Testing

@testable import SDKCore

@Suite("Readers, links and launches of payments")
struct PaymentLinkTests {
    // MARK: The reader

    @Test(
        arguments: [
            (
                PaymentReaderFailure.cancelledOnReader, PaymentResult.cancelled,
                PaymentError.cancelled
            ),
            (.timedOut, .failed, .noCardInTime),
            (.cardRemoved, .failed, .cardRemoved),
            (.cardNotUsable, .failed, .cardNotUsable),
            (.linkLost, .failed, .readerDisconnected),
            (.readerRestarted, .failed, .readerDisconnected),
            (.silent, .failed, .readerSilent),
            (.readerFailed, .failed, .readerFailed),
        ]
    )
    func whatFailsBeforeTheAuthorisationChargesNothing(
        _ failure: PaymentReaderFailure,
        _ result: PaymentResult,
        _ error: PaymentError
    ) {
        var till = PaymentTill()
        till.authorize()
        till.report(.failed(failure))
        #expect(till.results == [result] && till.completions[0].error == error)
        #expect(till.sent.isEmpty && till.closeCount == 1)
    }

    @Test func aLinkThatIsLostWhileWaitingIsToldThenThePaymentFailsAndCancelDoesNothing() {
        var till = PaymentTill()
        let request = till.authorize()
        till.loseReader()
        #expect(till.progress == [.connectingReader, .readerDisconnected, .finished])
        #expect(till.completions == [PaymentCompletion(.failed, .readerDisconnected)])
        till.provider.cancel(request, at: till.now)
        till.carry()
        #expect(till.completions.count == 1 && till.misuses.isEmpty)
    }

    @Test func aReaderThatIsLostAfterTheIssuerWasAskedLeavesOneApprovedPayment() {
        var (till, _) = PaymentTill.reading()
        till.loseReader()
        till.finish()
        #expect(till.progress.contains(.readerDisconnected))
        #expect(till.results == [.approved] && till.states == [.captured])
        #expect(till.sent == [.authorise, .confirm])
    }

    @Test func withTheOtherReadingAReaderThatIsLostReversesThePayment() {
        var (till, _) = PaymentTill.reading { $0.profile.lostReader = .reverses }
        till.loseReader()
        till.finish()
        #expect(till.completions[0].error == .readerDisconnected)
        #expect(till.results == [.failed] && till.states == [.reversed])
    }

    @Test func aReaderThatIsLostStillNeedsTheSignature() {
        var (till, request) = PaymentTill.reading(PaymentTill.signatureCard)
        till.loseReader()
        till.wait(.seconds(1))
        #expect(till.actionCount == 1 && till.states == [.authorised])
        till.sign(request)
        till.finish()
        #expect(till.results == [.approved] && till.states == [.captured])
    }

    @Test func aReaderThatNeverSaysTheLastWordIsTakenForLost() {
        var (till, _) = PaymentTill.reading()
        till.finish()
        #expect(till.results == [.approved] && till.states == [.captured])
    }

    @Test func aNoOfTheCardThatComesLateIsHeededWhileTheSignatureIsAwaited() {
        var (till, _) = PaymentTill.reading(PaymentTill.signatureCard)
        till.wait(.seconds(20))
        #expect(till.actionCount == 1)
        till.report(.completed(isApproved: false))
        till.finish()
        #expect(till.results == [.declined] && till.states == [.reversed])
    }

    @Test func aReaderThatSaysNothingWithACardInItIsStopped() {
        var till = PaymentTill()
        till.authorize()
        till.report(.progress(.cardInserted))
        till.wait(.seconds(120))
        #expect(till.orders.last == .abort)
        till.report(.failed(.aborted))
        #expect(till.completions == [PaymentCompletion(.failed, .readerSilent)])
    }

    @Test func aCardThatNeverComesEndsThePayment() {
        var till = PaymentTill()
        till.authorize()
        till.report(.progress(.waitingForCard))
        till.wait(.seconds(65))
        till.report(.failed(.aborted))
        #expect(till.completions == [PaymentCompletion(.failed, .noCardInTime)])
    }

    @Test func aReaderThatIsNotThereEndsThePayment() {
        var till = PaymentTill()
        till.isReaderThere = false
        till.authorize()
        #expect(till.completions == [PaymentCompletion(.failed, .noSuchReader)])
        #expect(till.closeCount == 0)
    }

    // MARK: Launches

    @Test func aPaymentThatWasOpenWhenTheAppDiedIsReversedAtTheNextLaunch() {
        var (till, _) = PaymentTill.reading()
        till.relaunch()
        till.finish()
        #expect(till.states == [.reversed] && till.saved.open.isEmpty)
        guard case .openPaymentSettled("installation-1", let completion) = till.told.last else {
            Issue.record("not settled: \(till.told)")
            return
        }
        #expect(completion.result == .failed && completion.paymentInfo?.state == .reversed)
        #expect(till.completions.isEmpty)
    }

    @Test func aPaymentThatWasConfirmedWhenTheAppDiedStands() {
        var (till, request) = PaymentTill.signing()
        till.sign(request)
        till.relaunch()
        till.finish()
        #expect(till.states == [.captured])
        guard case .openPaymentSettled(_, let completion) = till.told.last else {
            Issue.record("not settled: \(till.told)")
            return
        }
        #expect(completion.result == .approved)
    }

    @Test func aPaymentThatEndedUnknownIsAskedForAtTheNextLaunch() {
        let lost = GatewayFault(kind: .auth, phase: .afterBooking, answer: .timeout)
        let silent = GatewayFault(kind: .query, phase: .afterBooking, answer: .timeout)
        var (till, _) = PaymentTill.reading(faults: [lost, silent, silent, silent])
        till.finish()
        #expect(till.results == [.unknown] && till.saved.open.count == 1)
        till.relaunch()
        till.finish()
        #expect(till.states == [.reversed] && till.saved.open.isEmpty)
    }

    @Test func aPaymentThatEndedUnknownCanBeClearedUpInTheSameLaunch() {
        let lost = GatewayFault(kind: .auth, phase: .afterBooking, answer: .timeout)
        let silent = GatewayFault(kind: .query, phase: .afterBooking, answer: .timeout)
        var (till, _) = PaymentTill.reading(
            faults: [lost] + [GatewayFault](repeating: silent, count: 7)
        )
        till.finish()
        till.provider.settleOpenPayments(at: till.now)
        till.provider.settleOpenPayments(at: till.now)
        till.carry()
        till.finish()
        // Nobody answered: it stays open.
        #expect(till.states == [.authorised] && till.saved.open.count == 1)
        till.provider.settleOpenPayments(at: till.now)
        till.carry()
        till.finish()
        #expect(till.states == [.reversed] && till.saved.open.isEmpty)
    }

    @Test func whatIsOpenStaysOpenWhereTheServiceRefusesTheQuestion() {
        var (till, _) = PaymentTill.reading()
        var configuration = till.provider.configuration
        configuration.credentials.password = "changed"
        till.provider = PaymentProvider(configuration, saved: till.saved, at: till.now)
        till.carry()
        till.finish()
        #expect(till.saved.open.count == 1 && till.states == [.authorised])
    }

    @Test(
        arguments: [
            (946_684_799, nil), (946_684_800, [0, 1, 1, 0, 0, 0]),
            (951_782_400, [0, 2, 29, 0, 0, 0]), (1_717_405_200, [24, 6, 3, 9, 0, 0]),
            (1_735_689_599, [24, 12, 31, 23, 59, 59]), (4_102_444_799, [99, 12, 31, 23, 59, 59]),
            (4_102_444_800, nil),
        ] as [(Int64, [UInt8]?)]
    )
    func theReadersClockIsThatOfTheCalendar(_ seconds: Int64, _ parts: [UInt8]?) {
        let clock = MiuraClock(secondsSince1970: seconds)
        let found = clock.map {
            [$0.year, $0.month, $0.day, $0.hour, $0.minute, $0.second]
        }
        #expect(found == parts)
    }

    @Test func referencesAreNewInEveryLaunch() {
        var (till, _) = PaymentTill.reading()
        till.relaunch()
        till.finish()
        till.authorize()
        till.read()
        till.wait(.seconds(1))
        till.report(.completed(isApproved: true))
        till.finish()
        let references = till.gateway.ledger.entries.map(\.transaction.reference)
        #expect(references == ["installation-1", "installation-2"])
    }
}
