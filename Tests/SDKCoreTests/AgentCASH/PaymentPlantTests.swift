import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing

@testable import SDKCore

/// Each planted mistake of the payment provider breaks the law that it is planted for, and nothing
/// breaks without it. Those that need a race are marked.
@Suite("Planted mistakes of the payment provider")
struct PaymentPlantTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var plant: Plant
        var law: String
        var play: @Sendable (Plant?) -> PaymentTill

        init(_ plant: Plant, _ law: String, _ play: @escaping @Sendable (Plant?) -> PaymentTill) {
            self.plant = plant
            self.law = law
            self.play = play
        }

        var testDescription: String { plant.name }
    }

    private static let lost = GatewayFault(kind: .auth, phase: .afterBooking, answer: .timeout)
    private static let silent = GatewayFault(
        kind: .query,
        phase: .beforeBooking,
        answer: .timeout
    )

    /// A payment; `act` is called when the issuer is asked, and again when the signature is.
    private static func pay(
        _ plant: Plant?,
        _ card: AgentCASHCard,
        _ faults: [GatewayFault] = [],
        sign result: SignatureCollectionResult? = .successful,
        cardSays isApproved: Bool = true,
        whileAsking act: (inout PaymentTill, PaymentRequest) -> Void = { (_, _) in },
        whileSigning actLater: (inout PaymentTill, PaymentRequest) -> Void = { (_, _) in }
    ) -> PaymentTill {
        var till = PaymentTill(.playedSession, faults, plant: plant)
        let request = till.authorize()
        till.read(card)
        act(&till, request)
        till.waitForAnswer()
        if till.openCount > till.closeCount { till.report(.completed(isApproved: isApproved)) }
        actLater(&till, request)
        if let result, till.actionCount > 0 { till.sign(request, result) }
        till.finish()
        return till
    }

    /// A payment of 20.00 and two follow-ups at once, after faults.
    private static func followUp(
        _ plant: Plant?,
        captures: Bool,
        _ fault: GatewayFault?,
        _ calls: [@Sendable (inout PaymentProvider, VirtualInstant) -> PaymentRequest]
    ) -> PaymentTill {
        var till = PaymentTill(.playedSession, fault.map { [$0] } ?? [], plant: plant)
        till.authorize("20.00", captures: captures)
        till.read()
        till.wait(.seconds(1))
        till.report(.completed(isApproved: true))
        till.finish()
        for call in calls { _ = call(&till.provider, till.now) }
        till.carry()
        till.finish()
        return till
    }

    private static let id: UInt64 = 7_000_001
    private static let card = PaymentTill.card
    private static let signed = PaymentTill.signatureCard

    static let rows: [Row] = [
        // A race: the reader is lost while the answer is on its way.
        Row(.endsTwiceWithTheReader, "one-completion") {
            pay($0, card, whileAsking: { (till, _) in till.loseReader() })
        },
        Row(.endsTwiceInDoubt, "one-completion") {
            pay($0, card, [GatewayFault(kind: .update, phase: .afterBooking, answer: .reset)])
        },
        Row(.tellsProgressAfterTheEnd, "one-completion") { pay($0, card) },
        // A race: the reader is lost while the cardholder signs.
        Row(.asksAgainWithoutReader, "one-user-action") {
            pay($0, signed, whileSigning: { (till, _) in till.loseReader() })
        },
        Row(.asksAgainAfterMisuse, "one-user-action") {
            pay(
                $0,
                signed,
                whileSigning: { (till, request) in
                    till.provider.continueWithSignature(
                        request,
                        image: [],
                        result: .successful,
                        at: till.now
                    )
                    till.carry()
                }
            )
        },
        Row(.asksAgainInDoubt, "one-user-action") {
            pay($0, signed, [GatewayFault(kind: .update, phase: .afterBooking, answer: .reset)])
        },
        Row(.confirmsCancelled, "no-charge-without-consent") {
            pay($0, signed, sign: .cancelled)
        },
        Row(.confirmsMismatches, "no-charge-without-consent") {
            pay($0, signed, sign: .signaturesDontMatch)
        },
        Row(.confirmsUnsigned, "no-charge-without-consent") { pay($0, signed, sign: nil) },
        Row(.confirmsForgottenSignatures, "no-charge-without-consent") {
            pay($0, signed, sign: nil)
        },
        // A race: the app cancels while the answer is on its way.
        Row(.forgetsCancelWhileAuthorising, "no-charge-without-consent") {
            pay($0, card, whileAsking: { (till, request) in till.cancel(request) })
        },
        Row(.ignoresTheCardsNo, "no-charge-without-consent") {
            pay($0, card, cardSays: false)
        },
        Row(.authorisesAgain, "charged-at-most-once") { pay($0, card, [lost]) },
        Row(.authorisesWhatIsUnknown, "charged-at-most-once") {
            pay($0, card, [lost, silent, silent, silent])
        },
        // A race: the reader is lost while the answer is on its way.
        Row(.authorisesAgainWithoutReader, "charged-at-most-once") {
            pay($0, card, whileAsking: { (till, _) in till.loseReader() })
        },
        Row(.capturesUnchecked, "captured-within-authorised") {
            followUp($0, captures: false, nil, [{ $0.capture(id, amount: "20.01", at: $1) }])
        },
        Row(.capturesAgain, "captured-within-authorised") {
            let fault = GatewayFault(kind: .capture, phase: .afterBooking, answer: .reset)
            return followUp($0, captures: false, fault, [{ $0.capture(id, at: $1) }])
        },
        // A race: the second capture looks at the books before the first is in them.
        Row(.capturesTwoAtOnce, "captured-within-authorised") {
            followUp(
                $0,
                captures: false,
                nil,
                [
                    { $0.capture(id, amount: "12", at: $1) },
                    { $0.capture(id, amount: "12", at: $1) },
                ]
            )
        },
        Row(.refundsUnchecked, "refunded-within-captured") {
            followUp($0, captures: true, nil, [{ $0.refund(id, amount: "20.01", at: $1) }])
        },
        Row(.refundsAgain, "refunded-within-captured") {
            let fault = GatewayFault(kind: .refund, phase: .afterBooking, answer: .reset)
            return followUp($0, captures: true, fault, [{ $0.refund(id, amount: "12", at: $1) }])
        },
        // A race: the second refund looks at the books before the first is in them.
        Row(.refundsTwoAtOnce, "refunded-within-captured") {
            followUp(
                $0,
                captures: true,
                nil,
                [{ $0.refund(id, amount: "12", at: $1) }, { $0.refund(id, amount: "12", at: $1) }]
            )
        },
        Row(.givesUpLostAuthorisations, "doubt-is-looked-up") { pay($0, card, [lost]) },
        Row(.takesGarbageForNothing, "doubt-is-looked-up") {
            pay($0, card, [GatewayFault(kind: .auth, phase: .afterBooking, answer: .garbage)])
        },
        Row(.believesLostSearches, "doubt-is-looked-up") { pay($0, card, [lost, silent]) },
        // A race: the reader is lost while the answer is on its way.
        Row(.forgetsDoubtWithTheReader, "doubt-is-looked-up") {
            pay($0, card, whileAsking: { (till, _) in till.loseReader() })
        },
    ]

    @Test(arguments: rows)
    func aPlantBreaksItsLawAndWithoutItNoneBreaks(_ row: Row) {
        let planted = row.play(row.plant)
        #expect(planted.brokenLaws.contains(row.law), "\(planted.brokenLaws) \(planted.told)")
        #expect(row.play(nil).brokenLaws == [])
    }

    @Test func everyPlantOfTheProviderIsListedOnce() {
        let listed = Self.rows.map(\.plant)
        #expect(listed == Plant.allCases.filter(\.isOfPaymentProvider))
    }
}
