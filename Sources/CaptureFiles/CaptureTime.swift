/// When a packet was captured: seconds since 1970-01-01 UTC and nanoseconds within that second.
///
/// This is the time of the world in which the capture was made, not the time of a run.
public struct CaptureTime: Hashable, Comparable, Sendable {
    /// Whole seconds since 1970-01-01 UTC; negative only through an interface's time offset.
    public var seconds: Int64
    /// Nanoseconds after ``seconds``, 0 to 999,999,999; finer resolutions are cut to it.
    public var nanoseconds: UInt32

    /// Creates a time; nanoseconds of a second and more are carried into the seconds.
    public init(seconds: Int64, nanoseconds: UInt32) {
        let carry = Int64(nanoseconds / 1_000_000_000)
        self.seconds = seconds.addingSaturating(carry)
        self.nanoseconds = nanoseconds % 1_000_000_000
    }

    /// Creates a time from a count of nanoseconds since 1970-01-01 UTC, which may be negative.
    public init(nanosecondsSinceEpoch count: Int64) {
        let (quotient, remainder) = count.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.seconds = remainder < 0 ? quotient - 1 : quotient
        self.nanoseconds = UInt32(remainder < 0 ? remainder + 1_000_000_000 : remainder)
    }

    /// The time as a count of nanoseconds since 1970-01-01 UTC, `nil` beyond the year 2262.
    public var nanosecondsSinceEpoch: Int64? {
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflows) = product.addingReportingOverflow(Int64(nanoseconds))
        return isTooLarge || overflows ? nil : sum
    }

    /// Orders by seconds, then nanoseconds.
    public static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

extension Int64 {
    package func addingSaturating(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        guard overflows else { return sum }
        return other < 0 ? .min : .max
    }
}

/// The unit in which an interface counts time: a decimal or a binary fraction of a second.
///
/// Source: draft-tuexen-opsawg-pcapng, section 4.2, option if_tsresol.
public struct TimestampResolution: Hashable, Sendable {
    /// What the option's byte says: top bit 0 for 10^-n, 1 for 2^-n, n in the other seven.
    public let optionValue: UInt8
    /// Units in a second; 0 when they do not fit 64 bits.
    private let unitsPerSecond: UInt64
    /// Decimal: the power of ten between a unit and a nanosecond; 0 when it does not fit.
    private let nanosecondScale: UInt64

    /// Microseconds, the resolution of an interface that names none.
    public static let microseconds = TimestampResolution(optionValue: 6)
    /// Nanoseconds, what ``CaptureWriter`` writes.
    public static let nanoseconds = TimestampResolution(optionValue: 9)

    /// Creates the resolution that an if_tsresol byte names; every byte names one.
    public init(optionValue: UInt8) {
        self.optionValue = optionValue
        let exponent = Int(optionValue & 0x7F)
        if optionValue & 0x80 == 0 {
            unitsPerSecond = Self.powerOfTen(exponent)
            nanosecondScale = Self.powerOfTen(exponent < 9 ? 9 - exponent : exponent - 9)
        } else {
            unitsPerSecond = exponent < 64 ? 1 << UInt64(exponent) : 0
            nanosecondScale = 0
        }
    }

    /// Returns the time of a count of units since 1970-01-01 UTC, plus an offset in seconds.
    func time(units: UInt64, offsetSeconds: Int64) -> CaptureTime {
        let seconds = unitsPerSecond == 0 ? 0 : units / unitsPerSecond
        let rest = unitsPerSecond == 0 ? units : units % unitsPerSecond
        let exponent = optionValue & 0x7F
        let nanoseconds: UInt64
        if optionValue & 0x80 != 0 {
            let scaled = UInt128(rest) * 1_000_000_000
            nanoseconds = UInt64(truncatingIfNeeded: scaled >> exponent)
        } else if exponent <= 9 {
            nanoseconds = rest * nanosecondScale
        } else {
            nanoseconds = nanosecondScale == 0 ? 0 : rest / nanosecondScale
        }
        return CaptureTime(
            seconds: Int64(clamping: seconds).addingSaturating(offsetSeconds),
            nanoseconds: UInt32(truncatingIfNeeded: nanoseconds)
        )
    }

    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        guard exponent <= 19 else { return 0 }
        var power: UInt64 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}
