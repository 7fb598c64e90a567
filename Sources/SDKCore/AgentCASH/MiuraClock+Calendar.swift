import ReaderProtocols

extension MiuraClock {
    /// The date and time so many seconds after 1970 in UTC; `nil` outside 2000 to 2099.
    init?(secondsSince1970 seconds: Int64) {
        let secondsUntil2000: Int64 = 946_684_800
        guard seconds >= secondsUntil2000 else { return nil }
        var days = (seconds - secondsUntil2000) / 86_400
        let rest = (seconds - secondsUntil2000) % 86_400
        guard days < 36_525 else { return nil }
        // Every fourth year is a leap year in this century, the first one too.
        let fours = days / 1_461
        days %= 1_461
        let yearOfFour = days < 366 ? 0 : 1 + (days - 366) / 365
        if yearOfFour > 0 { days -= 366 + (yearOfFour - 1) * 365 }
        var month = 1
        for length: Int64 in [31, yearOfFour == 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
            guard days >= length else { break }
            days -= length
            month += 1
        }
        self.init(
            year: UInt8(fours * 4 + yearOfFour),
            month: UInt8(month),
            day: UInt8(days + 1),
            hour: UInt8(rest / 3_600),
            minute: UInt8(rest / 60 % 60),
            second: UInt8(rest % 60)
        )
    }
}
