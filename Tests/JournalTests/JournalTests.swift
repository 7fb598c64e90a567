import CardData
import EventLoops
import Journal
import Testing

@Suite("Journal")
struct JournalTests {
    /// Writes records with 0, 1, 2, 0, … attributes, each with its own number in them.
    private func fill(_ journal: inout Journal, upTo count: Int) {
        for number in journal.count..<count {
            journal.begin(.booked, at: VirtualInstant(nanoseconds: Int64(number)))
            for place in 0..<(number % 3) {
                journal.add(place == 0 ? .number : .swipe, .integer(Int64(number * 10 + place)))
            }
            journal.end()
        }
    }

    @Test func recordsAreCountedFromZero() {
        var journal = Journal()
        fill(&journal, upTo: 20)
        #expect(journal.count == 20)
        #expect(journal.readable.map(\.sequence) == Array(0..<20))
        #expect(journal.record(7)?.time.nanoseconds == 7)
        #expect(journal.record(20) == nil && journal.record(-1) == nil)
    }

    @Test(arguments: [15, 16, 31, 32, 33, 47, 48, 49, 100, 1_000])
    func theNewestRecordsStayReadableWithTheirAttributes(count: Int) {
        var journal = Journal(capacity: 16)
        fill(&journal, upTo: count)
        #expect(journal.count == count)
        #expect(journal.readable.count >= min(16, count))
        #expect(journal.readable.count <= 32)
        #expect(journal.readable.map(\.sequence) == Array(journal.oldestSequence..<count))
        for sequence in journal.oldestSequence..<count {
            guard let record = journal.record(sequence) else {
                Issue.record("record \(sequence) is not readable")
                continue
            }
            #expect(record.sequence == sequence)
            #expect(record.time.nanoseconds == Int64(sequence))
            let expected = [AttributeName.number, .swipe].prefix(sequence % 3).enumerated().map {
                Attribute($1, .integer(Int64(sequence * 10 + $0)))
            }
            #expect(Array(journal.attributes(of: record)) == expected)
            #expect(journal.value(.number, of: record) == expected.first?.value)
            #expect(journal.value(.swipe, of: record) == expected.dropFirst().first?.value)
        }
    }

    @Test func aForgottenRecordHasNoAttributes() throws {
        var journal = Journal(capacity: 16)
        fill(&journal, upTo: 3)
        let record = try #require(journal.record(2))
        #expect(journal.value(.number, of: record) == .integer(20))
        fill(&journal, upTo: 100)
        #expect(journal.record(2) == nil)
        #expect(journal.attributes(of: record).isEmpty)
        #expect(journal.value(.number, of: record) == nil)
    }

    @Test func aRecordThatWasBegunIsReadableOnlyWhenItEnds() {
        var journal = Journal()
        journal.begin(.booked, at: .zero)
        journal.add(.number, .integer(1))
        #expect(journal.record(0) == nil && journal.count == 0)
        journal.end()
        #expect(journal.record(0) != nil && journal.count == 1)
    }

    @Test func aRecordCarriesTheStepOfItsTime() {
        var journal = Journal()
        journal.write(.pluggedIn, at: .zero)
        journal.step = 4
        journal.write(.unplugged, at: .zero)
        #expect(journal.readable.map(\.step) == [nil, 4])
    }

    @Test func sourceAndCountingFollowTheName() {
        var journal = Journal()
        journal.write(.deviceConnected, at: .zero)
        journal.write(.booked, at: .zero)
        #expect(journal.readable.map(\.source) == [.sdk, .gateway])
        #expect(journal.readable.map(\.isCounted) == [true, false])
    }
}
