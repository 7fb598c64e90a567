import CardData
import EventLoops
import Journal
import Testing

@Suite("Record text")
struct RecordTextTests {
    @Test(
        arguments: [
            (0, "0.000 ms"), (999, "0.000 ms"), (12_345_678, "12.345 ms"),
            (999_999_999, "999.999 ms"), (1_500_000_000, "1.500 s"), (60_000_000_000, "60.000 s"),
            (.max, "9223372036.854 s"), (-1_000, "-0.001 ms"),
        ] as [(Int64, String)]
    )
    func timesHaveThreeDecimals(nanoseconds: Int64, text: String) {
        #expect(RecordText.time(VirtualInstant(nanoseconds: nanoseconds)) == text)
    }

    @Test func aRecordIsOneLine() throws {
        var journal = Journal()
        journal.write(
            .didSwipeCard,
            at: VirtualInstant(nanoseconds: 12_345_000),
            Attribute(.reader, .reader(0)),
            Attribute(.isConnected, .flag(true)),
            Attribute(.card, .symbol(.none))
        )
        journal.write(
            .booked,
            at: VirtualInstant(nanoseconds: 1_500_000_000),
            Attribute(.number, .integer(2)),
            Attribute(.amount, .amount(Amount(minorUnits: 1_099))),
            Attribute(.orderID, .text(SafeText("A-1"))),
            Attribute(.reader, .reader(3))
        )
        journal.write(.voidRequested, at: .zero)
        let text = RecordText(readerNames: ["left"])
        let lines = try (0..<3).map { text.line(try #require(journal.record($0)), in: journal) }
        #expect(
            lines == [
                "12.345 ms sdk didSwipeCard reader: left, isConnected: true, card: none",
                "1.500 s gateway booked number: 2, amount: 10.99, orderID: A-1, reader: reader 3",
                "0.000 ms merchant voidRequested",
            ]
        )
    }
}
