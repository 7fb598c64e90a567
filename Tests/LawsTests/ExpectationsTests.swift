import CardData
import EventLoops
import Journal
import Laws
import Testing

@Suite("Expectations")
struct ExpectationsTests {
    static func failure(_ stream: RecordStream) throws -> CheckFailure {
        guard case .failed(let failure) = stream.expectations.status else {
            throw Missing(status: stream.expectations.status)
        }
        return failure
    }

    struct Missing: Error { var status: CheckStatus }

    static let attach = [
        pattern(.deviceConnected), pattern(.deviceActivationFinished),
        pattern(.deviceBecameReadyForSwipe),
    ]

    // MARK: expect

    @Test func expectTakesWhatCameBeforeIt() {
        var stream = RecordStream()
        stream.attach()
        stream.expectations.begin(.expect(Self.attach), in: stream.journal)
        #expect(stream.expectations.status == .satisfied)
        #expect(stream.expectations.lastTaken == 3)
        #expect(stream.expectations.finish(allowsUnexpected: false, in: stream.journal) == nil)
    }

    @Test func expectWaitsForWhatComesLater() {
        var stream = RecordStream()
        stream.expectations.begin(.expect(Self.attach), in: stream.journal)
        stream.connected()
        stream.activated()
        #expect(stream.expectations.status == .waiting)
        stream.arrived(1)
        #expect(stream.expectations.status == .waiting)
        stream.ready()
        #expect(stream.expectations.status == .satisfied)
    }

    @Test func expectTakesNoMoreThanItNames() {
        var stream = RecordStream()
        stream.attach()
        stream.expectations.begin(.expect([pattern(.deviceConnected)]), in: stream.journal)
        stream.expectations.begin(.expect([pattern(.deviceActivationFinished)]), in: stream.journal)
        #expect(stream.expectations.status == .satisfied)
        let left = stream.expectations.finish(allowsUnexpected: false, in: stream.journal)
        #expect(left?.found == 3)
        #expect(left?.kind == .unexpected)
        #expect(left?.location == nil)
        #expect(left?.description == "expected nothing more, found deviceBecameReadyForSwipe")
        #expect(stream.expectations.finish(allowsUnexpected: true, in: stream.journal) == nil)
    }

    @Test func anotherEventInBetweenFailsExpect() throws {
        var stream = RecordStream()
        let cardless = pattern(.didSwipeCard, [AttributePattern(.card, .symbol(.none))], line: 9)
        stream.attach()
        stream.expectations.begin(.expect(Self.attach + [cardless]), in: stream.journal)
        stream.disconnected()
        let failure = try Self.failure(stream)
        #expect(
            failure.description
                == "expected didSwipeCard { card: none }, found deviceDisconnected"
        )
        #expect(failure.kind == .mismatch)
        #expect(failure.found == stream.journal.count - 1)
        #expect(failure.location == SourceLocation(line: 9, column: 5))
    }

    @Test func anAttributeThatIsGivenIsCompared() throws {
        var stream = RecordStream()
        stream.activated(.failure)
        let success = pattern(
            .deviceActivationFinished,
            [AttributePattern(.result, .symbol(.success))]
        )
        stream.expectations.begin(.expect([success]), in: stream.journal)
        #expect(
            try Self.failure(stream).description
                == """
                expected deviceActivationFinished { result: success }, found \
                deviceActivationFinished { result: failure }
                """
        )
    }

    @Test func aRecordWithoutTheAttributeDoesNotMatch() throws {
        var stream = RecordStream()
        stream.card(.none)
        let masked = pattern(
            .didSwipeCard,
            [AttributePattern(.maskedCardNumber, .text(SafeText("4111000010001111")))]
        )
        stream.expectations.begin(.expect([masked]), in: stream.journal)
        #expect(
            try Self.failure(stream).description
                == """
                expected didSwipeCard { maskedCardNumber: 4111000010001111 }, found didSwipeCard \
                without maskedCardNumber
                """
        )
    }

    @Test func readersAreNamedWhereThereAreSeveral() throws {
        var stream = RecordStream(readerNames: ["left", "right"])
        stream.unready(.disconnected, reader: 1)
        let left = pattern(.deviceConnected, [AttributePattern(.reader, .reader(0))])
        stream.expectations.begin(.expect([left]), in: stream.journal)
        #expect(
            try Self.failure(stream).description
                == """
                expected deviceConnected { reader: left }, found deviceBecameUnreadyForSwipe { \
                reader: right, reason: disconnected }
                """
        )
    }

    @Test func anEmptyExpectHolds() {
        var stream = RecordStream()
        stream.attach()
        stream.expectations.begin(.expect([]), in: stream.journal)
        #expect(stream.expectations.status == .satisfied)
    }

    // MARK: Records that are not counted

    @Test func uncountedRecordsAreMatchedByTheirOwnNamesWhereverTheCountedOnesAre() {
        var stream = RecordStream()
        stream.requested("A-1")
        stream.booked("A-1")
        stream.connected()
        stream.expectations.begin(
            .expect([pattern(.deviceConnected), pattern(.chargeRequested), pattern(.booked)]),
            in: stream.journal
        )
        #expect(stream.expectations.status == .satisfied)
        #expect(stream.expectations.lastTaken == 1)
    }

    @Test func anUncountedRecordBeforeOneThatWasTakenIsNoLongerLookedAt() {
        var stream = RecordStream()
        stream.requested("A-1")
        stream.booked("A-1")
        stream.expectations.begin(.expect([pattern(.booked)]), in: stream.journal)
        #expect(stream.expectations.status == .satisfied)
        stream.expectations.begin(.expect([pattern(.chargeRequested)]), in: stream.journal)
        #expect(stream.expectations.status == .waiting)
        stream.requested("A-2")
        #expect(stream.expectations.status == .satisfied)
    }

    @Test func eachUncountedRecordIsTakenOnce() {
        var stream = RecordStream()
        stream.booked("A-1")
        stream.expectations.begin(.expect([pattern(.booked)]), in: stream.journal)
        stream.expectations.begin(.expect([pattern(.booked)]), in: stream.journal)
        #expect(stream.expectations.status == .waiting)
        stream.connected()
        #expect(stream.expectations.status == .waiting)
        stream.booked("A-2")
        #expect(stream.expectations.status == .satisfied)
    }

    @Test func expectComparesTheNextRecordOfTheNameAndAwaitSearchesOn() throws {
        let second = pattern(.booked, [AttributePattern(.orderID, .text(SafeText("A-2")))])
        var stream = RecordStream()
        stream.booked("A-1")
        stream.booked("A-2")
        var other = stream
        stream.expectations.begin(.expect([second]), in: stream.journal)
        #expect(
            try Self.failure(stream).description
                == "expected booked { orderID: A-2 }, found booked { orderID: A-1 }"
        )
        other.expectations.begin(.await(second), in: other.journal)
        #expect(other.expectations.status == .satisfied)
    }

    @Test func uncountedRecordsThatNobodyTookAreFine() {
        var stream = RecordStream()
        stream.booked("A-1")
        #expect(stream.expectations.finish(allowsUnexpected: false, in: stream.journal) == nil)
    }

    // MARK: await

    @Test func awaitLetsOthersPass() {
        var stream = RecordStream()
        stream.expectations.begin(.await(pattern(.deviceBecameReadyForSwipe)), in: stream.journal)
        stream.attach()
        #expect(stream.expectations.status == .satisfied)
        #expect(stream.expectations.finish(allowsUnexpected: false, in: stream.journal) == nil)
        stream.disconnected()
        #expect(
            stream.expectations.finish(allowsUnexpected: false, in: stream.journal)?.found == 4
        )
    }

    @Test func awaitingAnUncountedRecordTakesNoCountedOnes() {
        var stream = RecordStream()
        stream.connected()
        stream.booked("A-1")
        stream.expectations.begin(.await(pattern(.booked)), in: stream.journal)
        stream.expectations.begin(.expect([pattern(.deviceConnected)]), in: stream.journal)
        #expect(stream.expectations.status == .satisfied)
    }

    @Test func aCheckThatIsGivenUpFailsWithItsReason() throws {
        var stream = RecordStream()
        let cardless = pattern(.didSwipeCard, [AttributePattern(.card, .symbol(.none))], line: 3)
        stream.expectations.begin(.await(cardless), in: stream.journal)
        stream.attach()
        stream.card(.magnesafe)
        var other = stream
        stream.expectations.giveUp(.nothingPending, in: stream.journal)
        let failure = try Self.failure(stream)
        #expect(
            failure.description
                == """
                expected didSwipeCard { card: none }, but nothing more came; the last was \
                didSwipeCard { card: magnesafe }
                """
        )
        #expect(failure.found == nil)
        #expect(failure.kind == .missing(.nothingPending))
        #expect(failure.location?.line == 3)
        other.expectations.giveUp(.timeLimit(.seconds(2)), in: other.journal)
        #expect(try Self.failure(other).description.contains("within 2.000 s, but it did not come"))
    }

    @Test func givingUpAnExpectNamesWhatIsStillMissing() throws {
        var stream = RecordStream()
        stream.expectations.begin(.expect(Self.attach), in: stream.journal)
        stream.connected()
        stream.expectations.giveUp(.nothingPending, in: stream.journal)
        #expect(
            try Self.failure(stream).description
                == "expected deviceActivationFinished, but nothing more came"
        )
    }

    @Test func givingUpWhenNothingWaitsChangesNothing() {
        var stream = RecordStream()
        stream.expectations.giveUp(.nothingPending, in: stream.journal)
        #expect(stream.expectations.status == .satisfied)
    }

    // MARK: The journal forgets

    @Test func checksHoldWhenTheJournalForgot() {
        var stream = RecordStream(capacity: 16)
        for _ in 0..<100 { stream.booked("A-1") }
        stream.expectations.begin(
            .expect([pattern(.deviceConnected), pattern(.voidRequested)]),
            in: stream.journal
        )
        stream.connected()
        for _ in 0..<100 { stream.booked("A-1") }
        stream.write(.voidRequested)
        #expect(stream.expectations.status == .satisfied)
        #expect(stream.expectations.finish(allowsUnexpected: false, in: stream.journal) == nil)
    }

    @Test func anEventThatTheJournalForgotIsStillUnexpected() {
        var stream = RecordStream(capacity: 16)
        stream.connected()
        for _ in 0..<100 { stream.booked("A-1") }
        let left = stream.expectations.finish(allowsUnexpected: false, in: stream.journal)
        #expect(left?.found == 0)
        stream.expectations.begin(.expect([pattern(.deviceConnected)]), in: stream.journal)
        #expect(throws: Never.self) { try Self.failure(stream) }
    }
}
