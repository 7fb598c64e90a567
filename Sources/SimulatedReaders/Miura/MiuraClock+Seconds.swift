import ReaderProtocols

extension MiuraClock {
    private static let monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    static func dayCount(year: Int, month: Int) -> Int {
        month == 2 && year % 4 == 0 ? 29 : monthLengths[month - 1]
    }

    /// Seconds since the beginning of 2000; a month or day out of range counts as the nearest.
    var secondsSince2000: Int64 {
        let year = min(99, Int(year))
        let month = min(12, max(1, Int(month)))
        var days = year * 365 + (year + 3) / 4
        for earlier in 1..<month { days += Self.dayCount(year: year, month: earlier) }
        days += min(Self.dayCount(year: year, month: month), max(1, Int(day))) - 1
        return Int64(days) * 86_400
            + Int64(hour) * 3_600 + Int64(minute) * 60 + Int64(second)
    }

    /// Creates the date and time so many seconds after the beginning of 2000; after 2099 it starts
    /// again with 2000.
    init(secondsSince2000 seconds: Int64) {
        var days = Int(max(0, seconds) / 86_400) % 36_525
        let rest = Int(max(0, seconds) % 86_400)
        var year = 0
        while days >= (year % 4 == 0 ? 366 : 365) {
            days -= year % 4 == 0 ? 366 : 365
            year += 1
        }
        var month = 1
        while days >= Self.dayCount(year: year, month: month) {
            days -= Self.dayCount(year: year, month: month)
            month += 1
        }
        self.init(
            year: UInt8(year),
            month: UInt8(month),
            day: UInt8(days + 1),
            hour: UInt8(rest / 3_600),
            minute: UInt8(rest / 60 % 60),
            second: UInt8(rest % 60)
        )
    }
}
