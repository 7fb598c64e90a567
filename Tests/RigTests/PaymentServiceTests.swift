import CardData
import EventLoops
import GatewayProtocols
import Journal
import Rig
import SDKCore
import SimulatedGateways
import Testing

@Suite("The payment provider and its service in a rig")
struct PaymentServiceTests {
    @Test func mockModeContactsNeitherReaderNorService() {
        let desk = PaymentRig(type: .mock)
        #expect(desk.charge("15.00"))
        desk.settle()
        #expect(desk.values(.result, of: .completed) == [.symbol(.approved)])
        #expect(desk.rig.requestCount == 0)
        #expect(!desk.names.contains(.readerOpened))
        #expect(desk.rig.serviceEntries.isEmpty)
    }

    @Test func aSignatureIsAwaitedFromInsideTheCallback() {
        let desk = PaymentRig()
        desk.rig.pausesAtEvents = [.userActionRequired]
        #expect(desk.charge())
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.insert(reader: 0, card: "emv-visa-signature"))
        #expect(desk.take(until: .userActionRequired))
        #expect(desk.rig.callback == .userActionRequired)
        #expect(desk.pay(.sign(.successful, hasImage: true)))
        #expect(!desk.names.contains(.signatureGiven))
        desk.settle()
        #expect(desk.values(.result, of: .signatureGiven) == [.symbol(.successful)])
        #expect(desk.values(.isSigned, of: .completed) == [.flag(true)])
    }

    @Test func aSignatureThatNobodyAwaitsIsAMisuse() {
        let desk = PaymentRig()
        #expect(!desk.pay(.sign(.successful, hasImage: true)))
        #expect(desk.sell())
        #expect(desk.pay(.sign(.successful, hasImage: true)))
        #expect(desk.names.contains(.misuse))
    }

    @Test func anAnswerThatIsLostAfterBookingIsLookedUp() {
        let desk = PaymentRig()
        #expect(
            desk.arm(GatewayFault(kind: .auth, phase: .afterBooking, answer: .timeout))
        )
        #expect(desk.sell())
        #expect(desk.values(.result, of: .completed) == [.symbol(.approved)])
        #expect(desk.rig.serviceEntries.count == 1)
        #expect(desk.values(.reason, of: .gatewayUnanswered) == [.symbol(.timedOut)])
        #expect(desk.values(.fault, of: .gatewayFault) == [.symbol(.timeout)])
    }

    @Test func anAppThatIsKilledClearsUpWhenItIsLaunched() {
        let desk = PaymentRig()
        #expect(desk.charge())
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.insert(reader: 0, card: "emv-visa-no-cvm"))
        #expect(desk.take(until: .booked))
        desk.rig.killApp()
        desk.settle()
        #expect(!desk.names.contains(.completed))
        #expect(!desk.pay(.cancel))
        desk.rig.launchApp()
        desk.settle()
        #expect(desk.names.contains(.openPaymentSettled))
        #expect(desk.rig.serviceEntries.map(\.transaction.state) == [.reversed])
        desk.rig.act(.removeCard(reader: 0))
        #expect(desk.sell())
        #expect(desk.values(.payment, of: .paymentRequested) == [.integer(1), .integer(1)])
    }

    @Test func moneyIsCapturedAndPaidBackInPart() {
        let desk = PaymentRig()
        #expect(!desk.pay(.capture(nil)))
        #expect(desk.charge(capture: false))
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.insert(reader: 0, card: "emv-visa-no-cvm"))
        #expect(desk.take(until: .completed))
        #expect(desk.pay(.capture(Amount(minorUnits: 1_000))))
        desk.settle()
        #expect(desk.pay(.refund(Amount(minorUnits: 400))))
        desk.settle()
        #expect(desk.pay(.paymentInfo))
        desk.settle()
        #expect(
            desk.values(.kind, of: .completed) == [
                .symbol(.authorise), .symbol(.capture), .symbol(.refund), .symbol(.paymentInfo),
            ]
        )
        #expect(
            desk.values(.refundedAmount, of: .completed).last
                == .amount(Amount(minorUnits: 400))
        )
        #expect(desk.names.contains(.captured) && desk.names.contains(.released))
    }

    // MARK: The calendar

    @Test func anAuthorisationExpiresAfterSevenDaysAndNobodyWaitsForIt() {
        let desk = PaymentRig()
        #expect(desk.charge(capture: false))
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.insert(reader: 0, card: "emv-visa-no-cvm"))
        #expect(desk.take(until: .completed))
        desk.rig.act(.removeCard(reader: 0))
        desk.settle()
        #expect(desk.rig.serviceEntries.map(\.transaction.state) == [.authorised])
        while desk.rig.advance() != .nothing {}
        #expect(desk.rig.serviceEntries.map(\.transaction.state) == [.expired])
        #expect(desk.rig.now - .zero >= .seconds(7 * 86_400))
        #expect(desk.names.contains(.expired))
    }

    @Test func theMerchantsServerIsToldOfEachChange() {
        let desk = PaymentRig()
        #expect(desk.charge { $0.webhookURL = "https://shop.example/told" })
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.insert(reader: 0, card: "emv-visa-no-cvm"))
        #expect(desk.take(until: .completed))
        desk.settle()
        #expect(desk.values(.status, of: .webhookDelivered) == [.integer(200), .integer(200)])
        #expect(desk.rig.webhookCount == 2)
    }

    @Test func aServerThatDoesNotAnswerIsToldAgain() {
        let desk = PaymentRig { $0.agentcash?.merchantStatus = nil }
        #expect(desk.charge { $0.webhookURL = "https://shop.example/told" })
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.insert(reader: 0, card: "emv-visa-no-cvm"))
        #expect(desk.take(until: .completed))
        desk.settle()
        #expect(desk.rig.webhookCount == 0)
        let isChanged = desk.rig.setMerchantServer(status: 204)
        #expect(isChanged)
        while desk.rig.advance() != .nothing {}
        #expect(desk.rig.webhookCount == 2)
        #expect(desk.values(.attempt, of: .webhookDelivered).contains(.integer(2)))
    }

    @Test func aServerThatRefusesAtFirstIsToldOfTheSameTransactionAgain() {
        let desk = PaymentRig { $0.agentcash?.webhookStatuses = [500, 0, 200] }
        #expect(desk.charge(capture: false) { $0.webhookURL = "https://shop.example/told" })
        #expect(desk.take(until: .progressChanged, .waitingForCard))
        desk.rig.act(.insert(reader: 0, card: "emv-visa-no-cvm"))
        #expect(desk.take(until: .completed))
        while desk.values(.status, of: .webhookDelivered).count < 3,
            desk.rig.advance() != .nothing
        {}
        #expect(desk.values(.attempt, of: .webhookDelivered) == [1, 2, 3].map { .integer($0) })
        #expect(desk.values(.status, of: .webhookDelivered) == [500, 0, 200].map { .integer($0) })
        let ids = desk.values(.transactionID, of: .webhookDelivered)
        #expect(ids.count == 3 && Set(ids) == Set(desk.values(.transactionID, of: .booked)))
        #expect(desk.rig.sentWebhookCount == 1 && desk.rig.webhookCount == 1)
    }
}
