import CardData
import EventLoops
import Journal
import Testing

@Suite("Canonical form of a journal")
struct CanonicalFormTests {
    struct Entry: Sendable {
        var name: RecordName
        var nanoseconds: Int64 = 0
        var attributes: [Attribute] = []
    }

    private func fingerprint(_ entries: [Entry], capacity: Int = 8_192) -> UInt64 {
        var journal = Journal(capacity: capacity)
        for entry in entries {
            journal.begin(entry.name, at: VirtualInstant(nanoseconds: entry.nanoseconds))
            for attribute in entry.attributes { journal.add(attribute.name, attribute.value) }
            journal.end()
        }
        return journal.canonicalFingerprint()
    }

    static let plain = [
        Entry(name: .pluggedIn), Entry(name: .deviceConnected), Entry(name: .booked),
        Entry(name: .deviceDisconnected),
    ]

    @Test func timesDoNotCount() {
        var later = Self.plain
        for index in later.indices { later[index].nanoseconds = Int64(100 + index) }
        #expect(fingerprint(later) == fingerprint(Self.plain))
    }

    @Test(arguments: [[1, 0, 2, 3], [2, 0, 1, 3], [0, 1, 3, 2], [2, 1, 3, 0], [1, 3, 2, 0]])
    func theOrderOfDifferentSourcesDoesNotCount(order: [Int]) {
        #expect(fingerprint(order.map { Self.plain[$0] }) == fingerprint(Self.plain))
    }

    @Test(arguments: [
        [0, 3, 2, 1], [0, 1, 2], [0, 1, 2, 3, 3], [0, 1, 1, 2, 3], [],
    ])
    func whatASourceTellsAndItsOrderCount(order: [Int]) {
        #expect(fingerprint(order.map { Self.plain[$0] }) != fingerprint(Self.plain))
    }

    static let values: [AttributeValue] = [
        .integer(0), .integer(1), .integer(-1), .flag(false), .flag(true), .symbol(.success),
        .symbol(.failure), .reader(0), .reader(1), .duration(.seconds(1)), .text(SafeText("")),
        .text(SafeText("a")), .text(SafeText("b")),
    ]

    @Test func everyValueCounts() {
        let prints = Self.values.map { value in
            fingerprint([Entry(name: .booked, attributes: [Attribute(.number, value)])])
        }
        #expect(Set(prints).count == Self.values.count)
    }

    @Test func theNameOfAnAttributeCounts() {
        let number = Attribute(.number, .integer(1))
        let swipe = Attribute(.swipe, .integer(1))
        #expect(
            fingerprint([Entry(name: .booked, attributes: [number])])
                != fingerprint([Entry(name: .booked, attributes: [swipe])])
        )
    }

    @Test func anAttributeIsNotTakenForRecords() {
        let attribute = Attribute(.isConnected, .integer(1))
        let one = [Entry(name: .deviceConnected, attributes: [attribute])]
        // Records with the numbers of the attribute's name and value.
        let names: [RecordName] = [.deviceConnected, .deviceActivationFinished, .deviceConnected]
        let three = names.map { Entry(name: $0) }
        #expect(fingerprint(one) != fingerprint(three))
    }

    @Test func theRecordOfAnAttributeCounts() {
        let number = Attribute(.number, .integer(1))
        let first = [Entry(name: .booked, attributes: [number]), Entry(name: .booked)]
        let second = [Entry(name: .booked), Entry(name: .booked, attributes: [number])]
        #expect(fingerprint(first) != fingerprint(second))
    }

    @Test(arguments: [1, 16, 33, 200])
    func whatWasForgottenCounts(count: Int) {
        let names: [RecordName] = [.deviceConnected, .pluggedIn, .booked, .deviceDisconnected]
        let entries = (0..<count).map { number in
            Entry(
                name: names[number % 4],
                attributes: [Attribute(.number, .integer(Int64(number)))]
            )
        }
        #expect(fingerprint(entries, capacity: 16) == fingerprint(entries))
        var changed = entries
        changed[0].attributes = []
        #expect(fingerprint(changed, capacity: 16) != fingerprint(entries, capacity: 16))
    }

    @Test func askingInBetweenChangesNothing() {
        var journal = Journal(capacity: 16)
        for number in 0..<100 {
            journal.write(.booked, at: .zero, Attribute(.number, .integer(Int64(number))))
            if number % 7 == 0 { _ = journal.canonicalFingerprint() }
        }
        let entries = (0..<100).map { number in
            Entry(name: .booked, attributes: [Attribute(.number, .integer(Int64(number)))])
        }
        let once = journal.canonicalFingerprint()
        #expect(once == fingerprint(entries))
        #expect(journal.canonicalFingerprint() == once)
    }
}
