import EventLoops

/// Moments as people write them, in the proleptic Gregorian calendar and UTC.
enum CivilTime {
    /// Returns `YYYY-MM-DDThh:mm:ss`, ISO 8601 without a zone; for years 0 to 9999.
    static func text(epochSeconds: Int64) -> String {
        let secondsOfDay = ((epochSeconds % 86_400) + 86_400) % 86_400
        let date = CivilDate(daysSince1970: (epochSeconds - secondsOfDay) / 86_400)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
            + "T\(padded(secondsOfDay / 3_600, 2)):\(padded(secondsOfDay / 60 % 60, 2))"
            + ":\(padded(secondsOfDay % 60, 2))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
