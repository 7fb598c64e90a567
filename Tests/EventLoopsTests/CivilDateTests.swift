import EventLoops
import Testing

@Suite("Days of the calendar")
struct CivilDateTests {
    static let days: [(days: Int64, date: CivilDate)] = [
        (0, CivilDate(year: 1970, month: 1, day: 1)),
        (-1, CivilDate(year: 1969, month: 12, day: 31)),
        (11_016, CivilDate(year: 2000, month: 2, day: 29)),
        (19_877, CivilDate(year: 2024, month: 6, day: 3)),
        (47_541, CivilDate(year: 2100, month: 3, day: 1)),
        (-719_528, CivilDate(year: 0, month: 1, day: 1)),
        (2_932_896, CivilDate(year: 9999, month: 12, day: 31)),
    ]

    @Test(arguments: days)
    func aDayHasOneDateAndBack(days: Int64, date: CivilDate) {
        #expect(CivilDate(daysSince1970: days) == date)
        #expect(date.daysSince1970 == days)
    }

    @Test func daysFollowOneAnother() {
        var before = CivilDate(daysSince1970: -150_000)
        for days in Int64(-149_999)...150_000 {
            let date = CivilDate(daysSince1970: days)
            #expect(date.daysSince1970 == days)
            let isNextDay = date.month == before.month && date.day == before.day + 1
            #expect(isNextDay || (date.day == 1 && before.day == before.dayCountOfMonth))
            before = date
        }
    }

    @Test(arguments: [(2023, 2, 28), (2024, 2, 29), (1900, 2, 28), (2000, 2, 29), (2024, 12, 31)])
    func aMonthHasSoManyDays(year: Int64, month: Int64, count: Int64) {
        #expect(CivilDate(year: year, month: month, day: 1).dayCountOfMonth == count)
    }
}
