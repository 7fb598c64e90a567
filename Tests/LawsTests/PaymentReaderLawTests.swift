import EventLoops
import Journal
import Laws
import Testing

/// What the laws ask of a card payment because of what its reader and its card do.
@Suite("Laws of payment readers")
struct PaymentReaderLawTests {
    /// A payment that the issuer has approved, up to the card's last word.
    private func approved(_ result: Symbol) -> RecordStream {
        var stream = RecordStream.till()
        stream.authorize()
        stream.atReader(.readerOpened)
        stream.progress(.onlineAuthorisation)
        stream.authorised()
        stream.decide(result)
        return stream
    }

    @Test func whatTheCardDeclinesIsNotCaptured() {
        var stream = approved(.declined)
        stream.moved(.captured)
        stream.complete()
        stream.end()
        #expect(stream.broken == [.noChargeWithoutConsent])
        #expect(stream.laws.violations.first?.sequence == 5)
    }

    @Test func whatTheCardApprovesIsCapturedAndWhatItDeclinesReversed() {
        var captured = approved(.approved)
        captured.moved(.captured)
        captured.complete()
        captured.end()
        var reversed = approved(.declined)
        reversed.moved(.reversed)
        reversed.complete(.declined)
        reversed.end()
        #expect(captured.broken == [] && reversed.broken == [])
    }

    @Test(arguments: [RecordName.linkFault, .readerDetached, .readerClosed])
    func aNoThatTheAppMayNotHaveHeardBindsNobody(_ record: RecordName) {
        var stream = approved(.declined)
        stream.atReader(record)
        stream.moved(.captured)
        stream.complete()
        stream.end()
        #expect(stream.broken == [])
    }

    // MARK: Settling

    /// A payment whose card is read when something disturbs it.
    private func disturbed(_ record: RecordName, then state: Symbol? = nil) -> RecordStream {
        var stream = RecordStream.till()
        stream.authorize()
        stream.atReader(.readerOpened)
        stream.progress()
        stream.progress(.cardInserted)
        stream.atReader(record)
        if let state { stream.progress(state) }
        return stream
    }

    @Test func aPaymentWhoseReaderIsLostGoesOnAtOnce() {
        var stuck = disturbed(.readerDetached, then: .readerDisconnected)
        stuck.wait(.milliseconds(1_100))
        stuck.complete(.failed)
        #expect(stuck.broken == [.settles])
        var quick = disturbed(.readerDetached)
        quick.complete(.failed)
        quick.wait(.seconds(10))
        quick.end()
        #expect(quick.broken == [])
    }

    @Test func aPaymentIsNotJudgedByWhatDisturbedTheOneBefore() {
        var stream = RecordStream.till()
        stream.authorize()
        stream.atReader(.readerOpened)
        stream.complete(.failed)
        stream.atReader(.readerClosed)
        stream.authorize(2)
        // It waits for the service before it opens the reader.
        stream.progress(.connectingReader, 2)
        stream.wait(.seconds(40))
        stream.atReader(.readerOpened)
        #expect(stream.broken == [])
        stream.wait(.seconds(40))
        stream.progress(.waitingForCard, 2)
        #expect(stream.broken == [.settles])
    }

    @Test func aPaymentDoesNotHangForEverOnADisturbedLink() {
        var stuck = disturbed(.linkFault)
        stuck.wait(.seconds(137))
        stuck.complete(.failed)
        #expect(stuck.broken == [.settles])
        var slow = disturbed(.linkFault)
        slow.wait(.seconds(130))
        slow.complete(.failed)
        slow.end()
        #expect(slow.broken == [])
    }

    @Test(arguments: [
        Symbol.waitingForCard, .pinEntry, .selectingApplication, .signatureRequested, .lookingUp,
        .onlineAuthorisation, .removeCard,
    ])
    func aPaymentMayWaitForPeopleAndForTheService(_ state: Symbol) {
        var stream = disturbed(.linkFault, then: state)
        stream.wait(.seconds(200))
        stream.complete(.failed)
        stream.end()
        #expect(stream.broken == [])
    }

    @Test func aReaderThatWasFoundIsSetUpInTime() {
        var stream = RecordStream.till()
        stream.authorize()
        stream.progress(.connectingReader)
        stream.atReader(.readerOpened)
        stream.wait(.seconds(31))
        stream.progress()
        stream.complete(.failed)
        #expect(stream.broken == [.settles])
    }
}
