import EventLoops
import Journal
import Laws
import Testing

@Suite("Laws of card payments")
struct PaymentLawTests {
    typealias Play = @Sendable (inout RecordStream) -> Void

    /// A play that breaks a law, and how many records there are up to the one that does.
    struct Breach: Sendable, CustomTestStringConvertible {
        var law: LawName
        var name: String
        /// The record that is told, counted from 0; `nil` at the end of the run.
        var sequence: Int?
        var play: Play

        init(_ law: LawName, _ name: String, at sequence: Int?, _ play: @escaping Play) {
            self.law = law
            self.name = name
            self.sequence = sequence
            self.play = play
        }

        var testDescription: String { "\(law.spelling): \(name)" }
    }

    /// Plays that keep every law.
    static let lawful: [Play] = [
        { $0.sell() },
        {
            $0.sell(1, id: 7)
            $0.sell(2, id: 8)
            $0.asked(.refundRequested, 3, of: 8)
            $0.reached(40, .query, 8)
            $0.told(40, .query)
            $0.reached(41, .refund, 8)
            $0.moved(.refunded, of: 8)
            $0.complete(.approved, 3, kind: .refund)
        },
        // A request that is refused at once while another is at work.
        {
            $0.authorize(1)
            $0.authorize(2)
            $0.complete(.failed, 2)
            $0.progress()
            $0.reached(1, .authorise)
            $0.authorised()
            $0.complete(.approved, 1)
        },
        // A signature that is given at the second try, and a word too many.
        {
            $0.authorize()
            $0.progress()
            $0.authorised(verification: .signature)
            $0.askForSignature()
            $0.signInVain()
            $0.sign()
            $0.signInVain(.cancelled)
            $0.reached(2, .confirm, 7)
            $0.moved(.captured)
            $0.complete()
        },
        // A signature that is refused.
        {
            $0.authorize()
            $0.progress()
            $0.authorised(verification: .signature)
            $0.askForSignature()
            $0.sign(.signaturesDontMatch)
            $0.reached(2, .reverse, 7)
            $0.moved(.reversed)
            $0.complete(.cancelled)
        },
        // A cancel that comes after the service was told.
        {
            $0.authorize()
            $0.progress()
            $0.authorised()
            $0.reached(2, .confirm, 7)
            $0.cancel()
            $0.moved(.captured)
            $0.complete()
            $0.cancel()
        },
        // An app that is killed and launched again asks with the same numbers.
        {
            $0.authorize()
            $0.progress()
            $0.write(.appKilled)
            $0.launched()
            $0.sell()
        },
        // What is lost is looked up, and ends as the books say.
        {
            $0.authorize()
            $0.reached(1, .authorise)
            $0.authorised()
            $0.unanswered(1, .authorise)
            $0.reached(2, .query)
            $0.told(2, .query, .found)
            $0.reached(3, .confirm, 7)
            $0.unanswered(3, .confirm, .reset)
            $0.reached(4, .query, 7)
            $0.unanswered(4, .query)
            $0.reached(5, .query, 7)
            $0.unanswered(5, .query)
            $0.complete(.unknown)
        },
        // A reversal that the books do not show is sent again.
        {
            $0.authorize()
            $0.authorised()
            $0.reached(2, .reverse, 7)
            $0.unanswered(2, .reverse)
            $0.reached(3, .query, 7)
            $0.told(3, .query)
            $0.reached(4, .reverse, 7)
            $0.told(4, .reverse)
            $0.complete(.cancelled)
        },
        // Another request asks about the same transaction at the same time: both answers count.
        {
            $0.authorize()
            $0.authorised()
            $0.reached(2, .reverse, 7)
            $0.moved(.reversed)
            $0.unanswered(2, .reverse, .garbage)
            $0.asked(.captureRequested, 2)
            $0.reached(3, .query, 7)
            $0.reached(4, .query, 7)
            $0.told(3, .query)
            $0.complete(.failed)
            $0.told(4, .query)
            $0.complete(.failed, 2, kind: .capture)
        },
        // A connection that was refused carried nothing.
        {
            $0.authorize()
            $0.unanswered(1, .authorise, .refused)
            $0.complete(.failed)
        },
        // A part is captured and the rest let go; refunds stay within it.
        {
            $0.authorize()
            $0.authorised()
            $0.complete()
            $0.asked(.captureRequested, 2)
            $0.reached(2, .capture, 7, amount: 1_200)
            $0.moved(.captured, 1_200)
            $0.moved(.released, 800)
            $0.complete(.approved, 2, kind: .capture)
            $0.asked(.refundRequested, 3)
            $0.reached(3, .refund, 7, amount: 200)
            $0.moved(.refunded, 200)
            $0.complete(.approved, 3, kind: .refund)
            $0.asked(.refundRequested, 4)
            $0.reached(4, .refund, 7)
            $0.moved(.refunded, 1_000)
            $0.complete(.approved, 4, kind: .refund)
        },
        // A capture that comes when the authorisation has just expired.
        {
            $0.authorize()
            $0.authorised()
            $0.complete()
            $0.asked(.captureRequested, 2)
            $0.moved(.expired)
            $0.reached(2, .capture, 7)
            $0.complete(.failed, 2, kind: .capture)
        },
        // Declined authorisations hold nothing.
        {
            $0.authorize()
            $0.authorised(7, state: .declined)
            $0.authorised(8, state: .failed)
            $0.complete(.declined)
        },
    ]

    @Test(arguments: lawful.indices)
    func aLawfulPlayBreaksNoLaw(index: Int) {
        var stream = RecordStream.till()
        Self.lawful[index](&stream)
        stream.end()
        #expect(stream.laws.violations == [])
    }

    static let breaches: [Breach] = [
        Breach(.oneCompletion, "completed twice", at: 2) {
            $0.authorize()
            $0.complete(.failed)
            $0.complete(.failed)
        },
        Breach(.oneCompletion, "progress after the end", at: 2) {
            $0.authorize()
            $0.complete(.failed)
            $0.progress(.finished)
        },
        Breach(.oneCompletion, "a capture that is completed twice", at: 2) {
            $0.asked(.captureRequested, 1)
            $0.complete(.approved, 1, kind: .capture)
            $0.complete(.approved, 1, kind: .capture)
        },
        Breach(.oneCompletion, "never completed", at: nil) {
            $0.authorize()
            $0.progress()
        },
        Breach(.oneUserAction, "asked twice", at: 3) {
            $0.authorize()
            $0.progress()
            $0.askForSignature()
            $0.askForSignature()
            $0.complete(.failed)
        },
        Breach(.oneUserAction, "asked before any progress", at: 1) {
            $0.authorize()
            $0.askForSignature()
            $0.complete(.failed)
        },
        Breach(.oneUserAction, "two words taken", at: 4) {
            $0.authorize()
            $0.progress()
            $0.askForSignature()
            $0.sign()
            $0.sign()
            $0.complete(.approved)
        },
        Breach(.noChargeWithoutConsent, "a signature that was cancelled", at: 5) {
            $0.authorize()
            $0.progress()
            $0.authorised(verification: .signature)
            $0.askForSignature()
            $0.sign(.cancelled)
            $0.moved(.captured)
            $0.complete()
        },
        Breach(.noChargeWithoutConsent, "a signature that does not match", at: 5) {
            $0.authorize()
            $0.progress()
            $0.authorised(verification: .signature)
            $0.askForSignature()
            $0.sign(.signaturesDontMatch)
            $0.moved(.captured)
            $0.complete()
        },
        Breach(.noChargeWithoutConsent, "a signature that was not asked for", at: 2) {
            $0.authorize()
            $0.authorised(verification: .signature)
            $0.moved(.captured)
            $0.complete()
        },
        Breach(.noChargeWithoutConsent, "captured before the signature", at: 4) {
            $0.authorize()
            $0.progress()
            $0.authorised()
            $0.askForSignature()
            $0.moved(.captured)
            $0.sign()
            $0.complete()
        },
        Breach(.noChargeWithoutConsent, "a word that was misuse", at: 6) {
            $0.authorize()
            $0.progress()
            $0.authorised(verification: .signature)
            $0.askForSignature()
            $0.signInVain()
            $0.moved(.captured)
            $0.complete()
        },
        Breach(.noChargeWithoutConsent, "cancelled before it was confirmed", at: 4) {
            $0.authorize()
            $0.authorised()
            $0.cancel()
            $0.reached(2, .confirm, 7)
            $0.moved(.captured)
            $0.complete()
        },
        Breach(.chargedAtMostOnce, "booked twice", at: 2) {
            $0.authorize()
            $0.authorised(7)
            $0.authorised(8)
            $0.complete()
        },
        Breach(.chargedAtMostOnce, "booked again after a reversal", at: 3) {
            $0.authorize()
            $0.authorised(7)
            $0.moved(.reversed)
            $0.authorised(8)
            $0.complete()
        },
        Breach(.chargedAtMostOnce, "nobody asked", at: 2) {
            $0.authorize()
            $0.complete(.failed)
            $0.authorised()
        },
        Breach(.capturedWithinAuthorised, "too much is asked for", at: 4) {
            $0.authorize()
            $0.authorised()
            $0.complete()
            $0.asked(.captureRequested, 2)
            $0.reached(2, .capture, 7, amount: 2_001)
            $0.complete(.failed, 2, kind: .capture)
        },
        Breach(.capturedWithinAuthorised, "asked for again", at: 6) {
            $0.authorize()
            $0.authorised()
            $0.complete()
            $0.asked(.captureRequested, 2)
            $0.reached(2, .capture, 7)
            $0.moved(.captured)
            $0.reached(3, .capture, 7)
            $0.complete(.approved, 2, kind: .capture)
        },
        Breach(.capturedWithinAuthorised, "too much is taken", at: 3) {
            $0.authorize()
            $0.authorised()
            $0.moved(.captured, 1_200)
            $0.moved(.captured, 900)
            $0.complete()
        },
        Breach(.refundedWithinCaptured, "too much is asked for", at: 5) {
            $0.authorize()
            $0.authorised()
            $0.moved(.captured)
            $0.complete()
            $0.asked(.refundRequested, 2)
            $0.reached(2, .refund, 7, amount: 2_001)
            $0.complete(.failed, 2, kind: .refund)
        },
        Breach(.refundedWithinCaptured, "asked for again", at: 7) {
            $0.authorize()
            $0.authorised()
            $0.moved(.captured)
            $0.complete()
            $0.asked(.refundRequested, 2)
            $0.reached(2, .refund, 7, amount: 1_200)
            $0.moved(.refunded, 1_200)
            $0.reached(3, .refund, 7, amount: 1_200)
            $0.complete(.approved, 2, kind: .refund)
        },
        Breach(.refundedWithinCaptured, "too much is paid back", at: 3) {
            $0.authorize()
            $0.authorised()
            $0.moved(.captured, 1_200)
            $0.moved(.refunded, 1_201)
            $0.complete()
        },
        Breach(.doubtIsLookedUp, "no look-up", at: 3) {
            $0.authorize()
            $0.reached(1, .authorise)
            $0.unanswered(1, .authorise)
            $0.complete(.unknown)
        },
        Breach(.doubtIsLookedUp, "the look-up was lost, and an end is told", at: 5) {
            $0.authorize()
            $0.reached(1, .authorise)
            $0.unanswered(1, .authorise, .garbage)
            $0.reached(2, .query)
            $0.unanswered(2, .query)
            $0.complete(.failed)
        },
        Breach(.doubtIsLookedUp, "the look-up found it, and nothing is known", at: 5) {
            $0.authorize()
            $0.reached(1, .authorise)
            $0.unanswered(1, .authorise)
            $0.reached(2, .query)
            $0.told(2, .query, .found)
            $0.complete(.unknown)
        },
        Breach(.doubtIsLookedUp, "an authorisation is sent again", at: 3) {
            $0.authorize()
            $0.reached(1, .authorise)
            $0.unanswered(1, .authorise)
            $0.reached(2, .authorise)
            $0.complete(.failed)
        },
        Breach(.doubtIsLookedUp, "a reversal is sent again before a look-up", at: 4) {
            $0.authorize()
            $0.authorised()
            $0.reached(2, .reverse, 7)
            $0.unanswered(2, .reverse)
            $0.reached(3, .reverse, 7)
            $0.complete(.cancelled)
        },
        Breach(.doubtIsLookedUp, "another payment was looked up", at: 6) {
            $0.authorize()
            $0.authorised()
            $0.reached(2, .confirm, 7)
            $0.unanswered(2, .confirm)
            $0.reached(3, .query, 6)
            $0.told(3, .query)
            $0.complete(.approved)
        },
        Breach(.doubtIsLookedUp, "a capture without a look-up", at: 6) {
            $0.authorize()
            $0.authorised()
            $0.complete()
            $0.asked(.captureRequested, 2)
            $0.reached(2, .capture, 7)
            $0.unanswered(2, .capture)
            $0.complete(.failed, 2, kind: .capture)
        },
    ]

    @Test(arguments: breaches)
    func aBreachIsToldAtItsRecord(_ breach: Breach) {
        var stream = RecordStream.till()
        breach.play(&stream)
        stream.end()
        #expect(stream.broken == [breach.law])
        #expect(stream.laws.violations.first?.sequence == breach.sequence)
        var deaf = RecordStream.till(lawsOff: [breach.law])
        breach.play(&deaf)
        deaf.end()
        #expect(deaf.broken == [])
    }

    @Test func eachLawHasThreeBreaches() {
        let laws: [LawName] = [
            .oneCompletion, .oneUserAction, .noChargeWithoutConsent, .chargedAtMostOnce,
            .capturedWithinAuthorised, .refundedWithinCaptured, .doubtIsLookedUp,
        ]
        for law in laws {
            let count = Self.breaches.filter { $0.law == law }.count
            #expect(count >= 3, "\(law.spelling)")
        }
    }

    @Test func aLongRunRemembersTheNewestPaymentsOnly() {
        var stream = RecordStream.till()
        for number in 1...2_000 { stream.sell(Int64(number), id: number) }
        #expect(stream.laws.violations == [])
        // The oldest is not judged any more, the newest is.
        stream.moved(.captured, of: 1)
        #expect(stream.laws.violations == [])
        stream.moved(.captured, of: 2_000)
        #expect(stream.broken == [.capturedWithinAuthorised])
    }
}
