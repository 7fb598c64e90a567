/// A moment of the calendar in UTC, as gateways write it.
enum UTCDate {
    /// Returns `YYYYMMDDhhmmss` of a moment in seconds since 1970, from then to the year 9999.
    static func digits(secondsSince1970 seconds: Int64) -> String {
        let seconds = min(max(0, seconds), 253_402_300_799)
        let (year, month, day) = civil(daysSince1970: seconds / 86_400)
        let time = seconds % 86_400
        var number = UInt64(year)
        for part in [month, day, time / 3_600, time / 60 % 60, time % 60] {
            number = number * 100 + UInt64(part)
        }
        return String(number)
    }

    /// Year, month and day of the Gregorian calendar; the year is taken to begin in March, so that
    /// the leap day is its last.
    private static func civil(daysSince1970 days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
