import EventLoops

/// A moment of the calendar in UTC, as gateways write it.
enum UTCDate {
    /// Returns `YYYYMMDDhhmmss` of a moment in seconds since 1970, from then to the year 9999.
    static func digits(secondsSince1970 seconds: Int64) -> String {
        let seconds = min(max(0, seconds), 253_402_300_799)
        let date = CivilDate(daysSince1970: seconds / 86_400)
        let time = seconds % 86_400
        var number = UInt64(date.year)
        for part in [date.month, date.day, time / 3_600, time / 60 % 60, time % 60] {
            number = number * 100 + UInt64(part)
        }
        return String(number)
    }
}
