import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Journal
import Rig
import SimulatedGateways
import SimulatedReaders
import Testing

@Suite("Payments in a rig")
struct RigPaymentTests {
    static func swiped() -> AppRig {
        var desk = AppRig.ready()
        desk.rig.act(AppRig.swipe)
        desk.settle()
        return desk
    }

    @Test func anAuthorisationIsCapturedSettledAndRefunded() {
        var desk = Self.swiped()
        let amount = Amount(minorUnits: 1_000)
        #expect(
            desk.names { _ = $0.authorize(amount, orderID: nil) } == [
                .authorizationRequested, .requestReceived, .booked, .gatewayAnswered,
                .authorizationFinished,
            ]
        )
        #expect(
            desk.names { _ = $0.capture(Amount(minorUnits: 700)) } == [
                .captureRequested, .requestReceived, .captured, .gatewayAnswered,
                .captureFinished,
            ]
        )
        #expect(desk.names { _ = $0.settleGateway() } == [.settled])
        #expect(
            desk.names { _ = $0.refund() } == [
                .refundRequested, .requestReceived, .booked, .gatewayAnswered, .refundFinished,
            ]
        )
        #expect(desk.values(.kind, of: .requestReceived) == words([.auth, .capture, .refund]))
        #expect(desk.values(.type, of: .booked) == words([.auth, .refund]))
        #expect(desk.values(.amount, of: .settled) == [.amount(Amount(minorUnits: 700))])
        #expect(desk.values(.orderID, of: .refundFinished) == [.text(SafeText("refund-1"))])
        #expect(desk.rig.ledgerEntries.map(\.type) == [.auth, .refund])
        #expect(desk.rig.ledgerEntries.map(\.state) == [.complete, .pendingsettlement])
        #expect(desk.rig.ledgerEntries[1].amount == Amount(minorUnits: 700))
    }

    @Test func aCaptureWithoutAnAmountIsOfAllThatWasAuthorised() {
        var desk = Self.swiped()
        _ = desk.names { _ = $0.authorize(Amount(minorUnits: 500), orderID: "a") }
        _ = desk.names { _ = $0.capture() }
        #expect(desk.values(.amount, of: .captureFinished) == [.amount(Amount(minorUnits: 500))])
        #expect(desk.values(.result, of: .captureFinished) == words([.approved]))
    }

    @Test func aRefundInDoubtIsLookedUpAndNeverSentAgain() {
        var desk = Self.swiped()
        _ = desk.charge(700)
        desk.settle()
        _ = desk.rig.arm(GatewayFault(kind: .refund, phase: .afterBooking, answer: .timeout))
        _ = desk.names { _ = $0.refund(Amount(minorUnits: 200), orderID: "back") }
        #expect(desk.values(.kind, of: .requestReceived) == words([.sale, .refund, .query]))
        #expect(desk.values(.result, of: .refundFinished) == words([.approved]))
        #expect(desk.rig.ledgerEntries.count == 2)
    }

    @Test func whatCannotBeDoneIsSaidAndLeavesNoRecord() {
        var desk = AppRig.ready()
        let before = desk.rig.journal.count
        let isAsked = desk.rig.authorize(Amount(minorUnits: 100), orderID: nil)
        let isCaptured = desk.rig.capture()
        let isRefunded = desk.rig.refund()
        #expect(!isAsked && !isCaptured && !isRefunded)
        #expect(desk.rig.journal.count == before)
    }

    /// The gateway opens what the rig's readers encrypt, whatever their card and kind.
    @Test(arguments: TestCard.names, [MagneSafeModel.idynamo, .dynamag(packetByteCount: 8)])
    func theGatewayReadsEveryCardThatTheReaderRead(name: String, model: MagneSafeModel) throws {
        for quality in [SwipeQuality.good, .partial] {
            var desk = AppRig.ready([model])
            desk.rig.act(.swipe(reader: 0, card: name, quality: quality))
            desk.settle()
            guard desk.charge(100) else {
                #expect(quality == .partial)
                continue
            }
            desk.settle()
            let stripe = try #require(TestCard.named(name))
            let track = try #require(Track2(parsing: stripe.unmaskedTrack2))
            guard track.pan.isLuhnValid else {
                let texts = desk.values(.responseText, of: .gatewayAnswered)
                #expect(
                    texts == [
                        .text(SafeText("Invalid Credit Card Number REFID:3150000001"))
                    ]
                )
                continue
            }
            let entry = try #require(desk.rig.ledgerEntries.first)
            #expect(entry.state == .pendingsettlement)
            #expect(entry.maskedCardNumber?.lastFour == String(track.pan.unmasked.suffix(4)))
        }
    }

    @Test func aReaderWithAnotherKeyIsAnErrorAtTheGateway() {
        var desk = AppRig.ready { configuration in
            var reader = MagneSafeReaderConfiguration(.idynamo)
            reader.baseDerivationKey = CipherKey(left: 1, right: 2)
            configuration.readers[0].endpoint = .simulated(reader)
        }
        desk.rig.act(AppRig.swipe)
        desk.settle()
        _ = desk.charge(100)
        desk.settle()
        #expect(desk.values(.result, of: .chargeFinished) == words([.error]))
        #expect(desk.rig.ledgerEntries.isEmpty)
    }

    private func words(_ symbols: [Symbol]) -> [AttributeValue?] { symbols.map { .symbol($0) } }
}
