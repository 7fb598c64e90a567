import CardData
import EventLoops
import GatewayProtocols
import ReaderProtocols
import SimulatedGateways
import Testing

@testable import SDKCore

@Suite("Payment provider")
struct PaymentProviderTests {
    /// A till at which a card was read and the issuer's answer is on its way.
    private func reading(
        _ card: AgentCASHCard = PaymentTill.card,
        faults: [GatewayFault] = [],
        captures: Bool = true,
        _ change: (inout PaymentProvider.Configuration) -> Void = { _ in }
    ) -> (PaymentTill, PaymentRequest) {
        var till = PaymentTill(.playedSession, faults, change)
        let request = till.authorize(captures: captures)
        till.read(card)
        return (till, request)
    }

    /// A till that waits for a signature.
    private func signing(
        faults: [GatewayFault] = [],
        captures: Bool = true
    ) -> (PaymentTill, PaymentRequest) {
        var (till, request) = reading(PaymentTill.signatureCard, faults: faults, captures: captures)
        till.wait(.seconds(1))
        till.report(.completed(isApproved: true))
        return (till, request)
    }

    // MARK: Ways that a payment goes

    @Test func aPINPaymentIsAuthorisedCompletedAndConfirmed() {
        var (till, request) = reading()
        till.wait(.seconds(1))
        #expect(till.orders.last == .complete(.approved))
        till.report(.completed(isApproved: true))
        till.finish()
        #expect(till.sent == [.authorise, .confirm])
        #expect(till.results == [.approved])
        #expect(till.completions[0].error == nil)
        #expect(till.completions[0].paymentInfo?.state == .captured)
        #expect(till.completions[0].paymentInfo?.externalID == "invoice 7")
        #expect(till.states == [.captured])
        #expect(
            till.progress == [
                .connectingReader, .cardInserted, .onlineAuthorisation, .finalising, .finished,
            ]
        )
        #expect(request.number == 1 && !till.provider.isPaying)
        #expect(till.closeCount == 1)
        #expect(till.saved.open.isEmpty && till.saved.referenceCount == 1)
    }

    @Test func aStripeNeedsNoLastWord() {
        var (till, _) = reading(AgentCASHCard(entryMode: .magstripe, verification: .onlinePIN))
        till.finish()
        #expect(till.results == [.approved])
        #expect(till.states == [.captured])
    }

    @Test func withoutCaptureTheMoneyIsHeldOnly() {
        var (till, _) = reading(captures: false)
        till.wait(.seconds(1))
        till.report(.completed(isApproved: true))
        till.finish()
        #expect(till.results == [.approved])
        #expect(till.states == [.authorised])
    }

    @Test func aSignatureIsStoredWithThePayment() {
        var (till, request) = signing()
        #expect(till.actionCount == 1)
        #expect(till.states == [.authorised])
        till.sign(request)
        till.finish()
        #expect(till.results == [.approved])
        #expect(till.completions[0].paymentInfo?.signatureURL.isEmpty == false)
        #expect(till.gateway.ledger.entries[0].signature == PaymentTill.image)
        #expect(till.states == [.captured])
    }

    @Test(
        arguments: [
            (SignatureCollectionResult.cancelled, PaymentError.signatureCancelled),
            (.signaturesDontMatch, .signaturesDontMatch),
        ]
    )
    func aSignatureThatIsRefusedReversesThePayment(
        _ result: SignatureCollectionResult,
        _ error: PaymentError
    ) {
        var (till, request) = signing()
        till.sign(request, result)
        till.finish()
        #expect(till.results == [.cancelled])
        #expect(till.completions[0].error == error)
        #expect(till.completions[0].paymentInfo?.state == .reversed)
        #expect(till.states == [.reversed])
    }

    @Test func aForgottenSignatureEndsAtItsLimitAndIsReversed() {
        var (till, _) = signing()
        till.wait(.seconds(298))
        #expect(till.results.isEmpty)
        till.wait(.seconds(4))
        #expect(till.results == [.failed])
        #expect(till.completions[0].error == .signatureNotCollected)
        #expect(till.states == [.reversed])
    }

    @Test(arguments: PaymentProfile.DeclineReading.allCases)
    func aDeclineIsToldAsTheProfileSays(_ reading: PaymentProfile.DeclineReading) {
        let decline = GatewayFault(kind: .auth, phase: .beforeBooking, answer: .decline(.declined))
        var (till, _) = self.reading(faults: [decline]) { $0.profile.decline = reading }
        till.wait(.seconds(1))
        #expect(till.orders.last == .complete(.declined))
        till.report(.completed(isApproved: false))
        till.finish()
        #expect(till.results == [.declined])
        #expect(till.states == [.declined])
        switch reading {
        case .finished:
            #expect(till.completions[0].error == nil)
            #expect(till.completions[0].paymentInfo?.state == .declined)
        case .error:
            #expect(till.completions[0].error == .declined)
            #expect(till.completions[0].paymentInfo == nil)
        }
    }

    @Test func theCardsNoAtTheEndReversesThePayment() {
        var (till, _) = reading()
        till.wait(.seconds(1))
        till.report(.completed(isApproved: false))
        till.finish()
        #expect(till.results == [.declined])
        #expect(till.states == [.reversed])
    }

    // MARK: The app

    @Test func aSecondPaymentIsRefusedAndTheFirstGoesOn() {
        var (till, first) = reading()
        let second = till.authorize()
        #expect(
            till.told.last
                == .completed(second, PaymentCompletion(.failed, .anotherPaymentRunning))
        )
        till.wait(.seconds(1))
        till.report(.completed(isApproved: true))
        till.finish()
        #expect(till.told.last.map { "\($0)" }?.contains("approved") == true)
        #expect(first < second && till.states == [.captured])
    }

    @Test func aSignatureTwiceOrUnaskedIsMisuseAndChangesNothing() {
        var (till, request) = reading(PaymentTill.signatureCard)
        till.sign(request)
        till.wait(.seconds(1))
        till.report(.completed(isApproved: true))
        till.provider.continueWithSignature(request, image: [], result: .successful, at: till.now)
        till.carry()
        till.sign(request)
        till.sign(request, .cancelled)
        till.finish()
        till.sign(request)
        #expect(
            till.misuses == [
                .noSignatureAwaited(request), .signatureMissing(request),
                .noSignatureAwaited(request), .noSignatureAwaited(request),
            ]
        )
        #expect(till.results == [.approved] && till.states == [.captured])
    }

    @Test func aSignatureThatIsTooLargeIsMisuse() {
        var (till, request) = signing()
        let image = [UInt8](repeating: 1, count: 65_537)
        till.provider.continueWithSignature(
            request,
            image: image,
            result: .successful,
            at: till.now
        )
        till.carry()
        #expect(till.misuses == [.signatureTooLarge(request)])
        till.sign(request)
        till.finish()
        #expect(till.results == [.approved])
    }

    @Test func cancelBeforeTheCardAbortsTheReaderAndChargesNothing() {
        var till = PaymentTill()
        let request = till.authorize()
        till.cancel(request)
        #expect(till.orders.last == .abort && till.results.isEmpty)
        till.report(.failed(.aborted))
        #expect(till.results == [.cancelled] && till.states.isEmpty && till.sent.isEmpty)
    }

    @Test func aReaderThatIgnoresTheAbortIsLeftAfterFiveSeconds() {
        var till = PaymentTill()
        let request = till.authorize()
        till.cancel(request)
        till.wait(.seconds(5))
        #expect(till.results == [.cancelled] && till.closeCount == 1)
    }

    @Test func aCardThatIsReadWhileThePaymentIsCancelledIsNotCharged() {
        var till = PaymentTill()
        let request = till.authorize()
        till.cancel(request)
        till.read()
        #expect(till.orders.last == .complete(.unreachable))
        till.report(.failed(.readerFailed))
        till.finish()
        #expect(till.results == [.cancelled] && till.sent.isEmpty)
    }

    @Test func cancelWhileTheIssuerIsAskedReverses() {
        var (till, request) = reading()
        till.cancel(request)
        till.finish()
        #expect(till.orders.last == .complete(.declined))
        #expect(till.results == [.cancelled] && till.states == [.reversed])
    }

    @Test func cancelWhileTheCardIsToldReverses() {
        var (till, request) = reading()
        till.wait(.seconds(1))
        till.cancel(request)
        till.report(.completed(isApproved: true))
        till.finish()
        #expect(till.results == [.cancelled] && till.states == [.reversed])
    }

    @Test func cancelWhileTheSignatureIsAwaitedReverses() {
        var (till, request) = signing()
        till.cancel(request)
        till.finish()
        #expect(till.results == [.cancelled] && till.states == [.reversed])
    }

    @Test func cancelWhileItIsConfirmedComesTooLate() {
        var (till, request) = signing()
        till.sign(request)
        till.provider.cancel(request, at: till.now)
        till.finish()
        till.provider.cancel(request, at: till.now)
        till.carry()
        #expect(till.results == [.approved] && till.states == [.captured])
    }

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
        var (till, _) = reading()
        till.loseReader()
        till.finish()
        #expect(till.progress.contains(.readerDisconnected))
        #expect(till.results == [.approved] && till.states == [.captured])
        #expect(till.sent == [.authorise, .confirm])
    }

    @Test func withTheOtherReadingAReaderThatIsLostReversesThePayment() {
        var (till, _) = reading { $0.profile.lostReader = .reverses }
        till.loseReader()
        till.finish()
        #expect(till.completions[0].error == .readerDisconnected)
        #expect(till.results == [.failed] && till.states == [.reversed])
    }

    @Test func aReaderThatIsLostStillNeedsTheSignature() {
        var (till, request) = reading(PaymentTill.signatureCard)
        till.loseReader()
        till.wait(.seconds(1))
        #expect(till.actionCount == 1 && till.states == [.authorised])
        till.sign(request)
        till.finish()
        #expect(till.results == [.approved] && till.states == [.captured])
    }

    @Test func aReaderThatNeverSaysTheLastWordIsTakenForLost() {
        var (till, _) = reading()
        till.finish()
        #expect(till.results == [.approved] && till.states == [.captured])
    }

    @Test func aNoOfTheCardThatComesLateIsHeededWhileTheSignatureIsAwaited() {
        var (till, _) = reading(PaymentTill.signatureCard)
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
        var (till, _) = reading()
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
        var (till, request) = signing()
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
        var (till, _) = reading(faults: [lost, silent, silent, silent])
        till.finish()
        #expect(till.results == [.unknown] && till.saved.open.count == 1)
        till.relaunch()
        till.finish()
        #expect(till.states == [.reversed] && till.saved.open.isEmpty)
    }

    @Test func aPaymentThatEndedUnknownCanBeClearedUpInTheSameLaunch() {
        let lost = GatewayFault(kind: .auth, phase: .afterBooking, answer: .timeout)
        let silent = GatewayFault(kind: .query, phase: .afterBooking, answer: .timeout)
        var (till, _) = reading(faults: [lost] + [GatewayFault](repeating: silent, count: 7))
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
        var (till, _) = reading()
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
        var (till, _) = reading()
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
