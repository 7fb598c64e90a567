public import CardData

/// A date and a time of day as readers keep them: two digits of the year, and no zone.
///
/// Source: Miura Android SDK, TLVTimeMiuraTest (9A and 9F21 in BCD).
public struct MiuraClock: Hashable, Sendable {
    /// The year's last two digits.
    public var year: UInt8
    /// The month, 1 to 12.
    public var month: UInt8
    /// The day of the month, 1 to 31.
    public var day: UInt8
    /// The hour, 0 to 23.
    public var hour: UInt8
    /// The minute, 0 to 59.
    public var minute: UInt8
    /// The second, 0 to 59.
    public var second: UInt8

    /// Creates a date and time; values out of range are encoded as they are.
    public init(
        year: UInt8,
        month: UInt8,
        day: UInt8,
        hour: UInt8 = 0,
        minute: UInt8 = 0,
        second: UInt8 = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Tags 9A and 9F21.
    public var objects: [TLV] {
        [
            TLV(.date, [year, month, day].map(BCD.byte)),
            TLV(.time, [hour, minute, second].map(BCD.byte)),
        ]
    }

    /// Reads 9A and 9F21, wherever they are.
    ///
    /// - Throws: ``MiuraFormatError`` with `missing`, or `malformed` for what is no date or time.
    public init(_ objects: [TLV]) throws(MiuraFormatError) {
        func parts(
            _ tag: TLVTag,
            _ ranges: [ClosedRange<UInt8>]
        ) throws(MiuraFormatError)
            -> [UInt8]
        {
            guard let value = objects.first(tag)?.value else {
                throw MiuraFormatError(.missing(tag))
            }
            let numbers = value.compactMap(BCD.number)
            guard numbers.count == 3, value.count == 3,
                zip(ranges, numbers).allSatisfy({ $0 ~= $1 })
            else { throw MiuraFormatError(.malformed(tag)) }
            return numbers
        }
        let date = try parts(.date, [0...99, 1...12, 1...31])
        let time = try parts(.time, [0...23, 0...59, 0...59])
        self.init(
            year: date[0],
            month: date[1],
            day: date[2],
            hour: time[0],
            minute: time[1],
            second: time[2]
        )
    }
}
