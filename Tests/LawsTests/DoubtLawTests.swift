import CardData
import Journal
import Laws
import Testing

extension RecordStream {
    mutating func received(_ number: Int64, _ kind: Symbol, _ order: String) {
        write(
            .requestReceived,
            [
                Attribute(.number, .integer(number)), Attribute(.kind, .symbol(kind)),
                Attribute(.orderID, .text(SafeText(scrubbing: order))),
            ]
        )
    }

    mutating func unanswered(_ number: Int64, _ kind: Symbol, _ reason: Symbol = .timedOut) {
        write(
            .gatewayUnanswered,
            [
                Attribute(.number, .integer(number)), Attribute(.kind, .symbol(kind)),
                Attribute(.reason, .symbol(reason)),
            ]
        )
    }

    mutating func finished(_ result: Symbol, _ order: String) {
        write(
            .chargeFinished,
            [
                Attribute(.result, .symbol(result)),
                Attribute(.orderID, .text(SafeText(scrubbing: order))),
            ]
        )
    }
}

@Suite("doubt-is-looked-up")
struct DoubtLawTests {
    @Test func aChargeThatIsSentAgainInDoubtIsReported() {
        var stream = RecordStream()
        stream.received(1, .sale, "A-1")
        stream.unanswered(1, .sale)
        stream.received(2, .sale, "A-1")
        #expect(stream.broken == [.doubtIsLookedUp])
        #expect(stream.laws.violations.first?.sequence == 2)
    }

    @Test func aChargeThatFinishesInDoubtWithoutALookUpIsReported() {
        for result in [Symbol.unknown, .approved, .notCharged] {
            var stream = RecordStream()
            stream.received(1, .sale, "A-1")
            stream.unanswered(1, .sale, .garbage)
            stream.finished(result, "A-1")
            #expect(stream.broken == [.doubtIsLookedUp])
        }
    }

    @Test func aRequestThatNeverArrivedIsADoubtToo() {
        var stream = RecordStream()
        stream.unanswered(1, .sale, .reset)
        stream.finished(.unknown, "A-1")
        #expect(stream.broken == [.doubtIsLookedUp])
    }

    /// The app asks its merchant's server, and another charge ends before that has asked the gateway.
    @Test func aLookUpAtTheMerchantsServerIsOneToo() {
        var stream = RecordStream()
        stream.write(
            .gatewayUnanswered,
            [Attribute(.kind, .symbol(.sale)), Attribute(.reason, .symbol(.garbage))]
        )
        stream.write(.merchantServerReceived, [Attribute(.kind, .symbol(.query))])
        stream.finished(.error, "A-2")
        #expect(stream.broken == [])
    }

    @Test func aLookUpEndsTheDoubtEvenWhenItIsLost() {
        var stream = RecordStream()
        stream.received(1, .sale, "A-1")
        stream.unanswered(1, .sale)
        stream.received(2, .query, "A-1")
        stream.finished(.approved, "A-1")
        stream.received(3, .sale, "A-2")
        stream.unanswered(3, .sale)
        stream.unanswered(4, .query, .refused)
        stream.finished(.unknown, "A-2")
        #expect(stream.laws.violations == [])
    }

    @Test func anotherOrderMayBeChargedMeanwhile() {
        var stream = RecordStream()
        stream.received(1, .sale, "A-1")
        stream.unanswered(1, .sale)
        stream.received(2, .sale, "A-2")
        stream.finished(.approved, "A-2")
        #expect(stream.laws.violations == [])
        stream.finished(.unknown, "A-1")
        #expect(stream.broken == [.doubtIsLookedUp])
    }

    @Test func aRefusedConnectionIsNoDoubt() {
        var stream = RecordStream()
        stream.unanswered(1, .sale, .refused)
        stream.finished(.notCharged, "A-1")
        #expect(stream.laws.violations == [])
    }

    @Test func aKilledAppHasNoDoubts() {
        var stream = RecordStream()
        stream.received(1, .sale, "A-1")
        stream.unanswered(1, .sale)
        stream.write(.appKilled)
        stream.launched()
        stream.received(2, .sale, "A-1")
        #expect(stream.laws.violations == [])
    }
}
