/// Moments as people write them, in the proleptic Gregorian calendar and UTC.
enum CivilTime {
    /// Returns `YYYY-MM-DDThh:mm:ss`, ISO 8601 without a zone; for years 0 to 9999.
    static func text(epochSeconds: Int64) -> String {
        let secondsOfDay = ((epochSeconds % 86_400) + 86_400) % 86_400
        // Days since 1 March of the year 0: with the leap day last, months have fixed beginnings.
        let days = (epochSeconds - secondsOfDay) / 86_400 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
            + "T\(padded(secondsOfDay / 3_600, 2)):\(padded(secondsOfDay / 60 % 60, 2))"
            + ":\(padded(secondsOfDay % 60, 2))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
