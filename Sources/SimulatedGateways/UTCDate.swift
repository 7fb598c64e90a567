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

    /// The number of days from 1970 to a day of the Gregorian calendar.
    static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The number of days in a month of the Gregorian calendar.
    static func dayCount(year: Int64, month: Int64) -> Int64 {
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return daysSince1970(year: next.0, month: next.1, day: 1)
            - daysSince1970(year: year, month: month, day: 1)
    }

    /// Year, month and day of the Gregorian calendar; the year is taken to begin in March, so that
    /// the leap day is its last.
    static func civil(daysSince1970 days: Int64) -> (Int64, Int64, Int64) {
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
