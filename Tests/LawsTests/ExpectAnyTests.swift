import Journal
import Laws
import Testing

@Suite("expect-any and never")
struct ExpectAnyTests {
    static let loss = [
        pattern(.deviceBecameUnreadyForSwipe, line: 8), pattern(.deviceDeactivated, line: 8),
        pattern(.deviceDisconnected, line: 8),
    ]
    static let branches = [[pattern(.didSwipeCard, line: 7)] + loss, loss]

    /// A stream whose reader is ready, all of that taken.
    static func ready() -> RecordStream {
        var stream = RecordStream()
        stream.expectations.begin(.await(pattern(.deviceBecameReadyForSwipe)), in: stream.journal)
        stream.attach()
        return stream
    }

    @Test(arguments: [true, false], [true, false])
    func theBranchThatCameIsTaken(hasCard: Bool, isBegunBefore: Bool) {
        var stream = Self.ready()
        if isBegunBefore {
            stream.expectations.begin(.expectAny(Self.branches), in: stream.journal)
        }
        if hasCard { stream.card() }
        stream.unwind()
        if !isBegunBefore {
            stream.expectations.begin(.expectAny(Self.branches), in: stream.journal)
        }
        #expect(stream.expectations.status == .satisfied)
        #expect(stream.expectations.takenBranch == (hasCard ? 0 : 1))
        #expect(stream.expectations.finish(allowsUnexpected: false, in: stream.journal) == nil)
    }

    @Test func aLongerBranchIsWaitedForUntilGivenUp() {
        let short = [pattern(.didSwipeCard)]
        let long = short + [pattern(.didSwipeCard)]
        var stream = Self.ready()
        stream.expectations.begin(.expectAny([short, long]), in: stream.journal)
        stream.card()
        #expect(stream.expectations.status == .waiting)
        var other = stream
        stream.expectations.giveUp(.nothingPending, in: stream.journal)
        #expect(stream.expectations.status == .satisfied)
        #expect(stream.expectations.takenBranch == 0)
        other.card()
        #expect(other.expectations.status == .satisfied)
        #expect(other.expectations.takenBranch == 1)
    }

    @Test func theRecordThatEndsALongerBranchIsLeftForTheNextStep() {
        let short = [pattern(.didSwipeCard)]
        let long = short + [pattern(.didSwipeCard)]
        var stream = Self.ready()
        stream.expectations.begin(.expectAny([long, short]), in: stream.journal)
        stream.card()
        stream.unwind()
        #expect(stream.expectations.takenBranch == 1)
        stream.expectations.begin(.expect(Self.loss), in: stream.journal)
        #expect(stream.expectations.status == .satisfied)
        #expect(stream.expectations.takenBranch == nil)
    }

    @Test func anEmptyBranchIsTakenWhenNothingComes() {
        var stream = Self.ready()
        stream.expectations.begin(.expectAny([[pattern(.didSwipeCard)], []]), in: stream.journal)
        #expect(stream.expectations.status == .waiting)
        stream.expectations.giveUp(.nothingPending, in: stream.journal)
        #expect(stream.expectations.takenBranch == 1)
    }

    @Test func theFailureNamesWhatTheFarthestBranchesWaitedFor() throws {
        var stream = Self.ready()
        stream.expectations.begin(.expectAny(Self.branches), in: stream.journal)
        stream.disconnected()
        var failure = try ExpectationsTests.failure(stream)
        #expect(
            failure.description
                == "expected didSwipeCard or deviceBecameUnreadyForSwipe, found deviceDisconnected"
        )
        #expect(failure.expected.count == 2)
        #expect(failure.location?.line == 7)
        stream = Self.ready()
        stream.expectations.begin(.expectAny(Self.branches), in: stream.journal)
        stream.card()
        stream.ready()
        failure = try ExpectationsTests.failure(stream)
        #expect(
            failure.description
                == "expected deviceBecameUnreadyForSwipe, found deviceBecameReadyForSwipe"
        )
    }

    @Test func givingUpWithoutACompleteBranchFails() throws {
        var stream = Self.ready()
        stream.expectations.begin(.expectAny(Self.branches), in: stream.journal)
        stream.card()
        stream.expectations.giveUp(.nothingPending, in: stream.journal)
        #expect(
            try ExpectationsTests.failure(stream).description
                == "expected deviceBecameUnreadyForSwipe, but nothing more came"
        )
        #expect(stream.expectations.takenBranch == nil)
    }

    @Test func ofBranchesThatTakeTheSameTheFirstIsTaken() {
        var stream = Self.ready()
        let swipe = [pattern(.didSwipeCard)]
        stream.expectations.begin(.expectAny([swipe, swipe]), in: stream.journal)
        stream.card()
        #expect(stream.expectations.takenBranch == 0)
    }

    @Test func aBranchHoldsWhileTheJournalForgets() {
        var stream = RecordStream(capacity: 16)
        let lookUp = [pattern(.deviceConnected), pattern(.voidRequested)]
        stream.expectations.begin(
            .expectAny([lookUp, lookUp + [pattern(.deviceActivationFinished)]]),
            in: stream.journal
        )
        stream.connected()
        for _ in 0..<100 { stream.booked("A-1") }
        stream.write(.voidRequested)
        for _ in 0..<100 { stream.booked("A-1") }
        stream.activated()
        #expect(stream.expectations.takenBranch == 1)
        #expect(stream.expectations.finish(allowsUnexpected: false, in: stream.journal) == nil)
    }

    // MARK: never

    @Test func aForbiddenRecordFailsWhereItCame() {
        let cardless = pattern(.didSwipeCard, [AttributePattern(.card, .symbol(.none))], line: 4)
        var stream = RecordStream(never: [cardless])
        stream.attach()
        stream.card(.magnesafe)
        #expect(stream.expectations.forbiddenFailures == [])
        stream.card(.none)
        stream.card(.none)
        let failures = stream.expectations.forbiddenFailures
        #expect(failures.map(\.found) == [5])
        #expect(failures.map(\.kind) == [.forbidden])
        #expect(failures.first?.location?.line == 4)
        #expect(
            failures.first?.description
                == "expected never didSwipeCard { card: none }, found didSwipeCard { card: none }"
        )
    }

    @Test func aNeverThatBeginsLaterLooksAtWhatComesAfterIt() {
        var stream = RecordStream()
        stream.attach()
        stream.expectations.forbid([pattern(.deviceConnected), pattern(.booked)])
        #expect(stream.expectations.forbiddenFailures == [])
        stream.booked("A-1")
        stream.connected()
        #expect(stream.expectations.forbiddenFailures.map(\.found) == [4, 5])
    }

    @Test func aForbiddenRecordCanBeTakenByAStep() {
        var stream = RecordStream(never: [pattern(.deviceConnected)])
        stream.expectations.begin(.expect([pattern(.deviceConnected)]), in: stream.journal)
        stream.connected()
        #expect(stream.expectations.status == .satisfied)
        #expect(stream.expectations.forbiddenFailures.count == 1)
    }
}
