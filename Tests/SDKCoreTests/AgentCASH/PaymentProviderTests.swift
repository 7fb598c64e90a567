import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing

@testable import SDKCore

@Suite("Payment provider")
struct PaymentProviderTests {
    // MARK: Ways that a payment goes

    @Test func aPINPaymentIsAuthorisedCompletedAndConfirmed() {
        var (till, request) = PaymentTill.reading()
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
        var (till, _) = PaymentTill.reading(
            AgentCASHCard(entryMode: .magstripe, verification: .onlinePIN)
        )
        till.finish()
        #expect(till.results == [.approved])
        #expect(till.states == [.captured])
    }

    @Test func withoutCaptureTheMoneyIsHeldOnly() {
        var (till, _) = PaymentTill.reading(captures: false)
        till.wait(.seconds(1))
        till.report(.completed(isApproved: true))
        till.finish()
        #expect(till.results == [.approved])
        #expect(till.states == [.authorised])
    }

    @Test func aSignatureIsStoredWithThePayment() {
        var (till, request) = PaymentTill.signing()
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
        var (till, request) = PaymentTill.signing()
        till.sign(request, result)
        till.finish()
        #expect(till.results == [.cancelled])
        #expect(till.completions[0].error == error)
        #expect(till.completions[0].paymentInfo?.state == .reversed)
        #expect(till.states == [.reversed])
    }

    @Test func aForgottenSignatureEndsAtItsLimitAndIsReversed() {
        var (till, _) = PaymentTill.signing()
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
        var (till, _) = PaymentTill.reading(faults: [decline]) { $0.profile.decline = reading }
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
        var (till, _) = PaymentTill.reading()
        till.wait(.seconds(1))
        till.report(.completed(isApproved: false))
        till.finish()
        #expect(till.results == [.declined])
        #expect(till.states == [.reversed])
    }

    // MARK: The app

    @Test func aSecondPaymentIsRefusedAndTheFirstGoesOn() {
        var (till, first) = PaymentTill.reading()
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
        var (till, request) = PaymentTill.reading(PaymentTill.signatureCard)
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
        var (till, request) = PaymentTill.signing()
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
        var (till, request) = PaymentTill.reading()
        till.cancel(request)
        till.finish()
        #expect(till.orders.last == .complete(.declined))
        #expect(till.results == [.cancelled] && till.states == [.reversed])
    }

    @Test func cancelWhileTheCardIsToldReverses() {
        var (till, request) = PaymentTill.reading()
        till.wait(.seconds(1))
        till.cancel(request)
        till.report(.completed(isApproved: true))
        till.finish()
        #expect(till.results == [.cancelled] && till.states == [.reversed])
    }

    @Test func cancelWhileTheSignatureIsAwaitedReverses() {
        var (till, request) = PaymentTill.signing()
        till.cancel(request)
        till.finish()
        #expect(till.results == [.cancelled] && till.states == [.reversed])
    }

    @Test func cancelWhileItIsConfirmedComesTooLate() {
        var (till, request) = PaymentTill.signing()
        till.sign(request)
        till.provider.cancel(request, at: till.now)
        till.finish()
        till.provider.cancel(request, at: till.now)
        till.carry()
        #expect(till.results == [.approved] && till.states == [.captured])
    }
}
