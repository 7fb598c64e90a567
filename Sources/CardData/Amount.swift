/// A sum of money in minor units (hundredths); never binary floating point.
///
/// The currencies of this version have two decimals.
public struct Amount: Hashable, Comparable, Sendable {
    /// Hundredths of the currency's unit; negative only as the result of a subtraction.
    public var minorUnits: Int64

    /// Creates an amount of so many hundredths.
    @inlinable
    public init(minorUnits: Int64) { self.minorUnits = minorUnits }

    /// Reads an amount such as `10.99`, `10` or `10.9`.
    ///
    /// Returns `nil` for signs, spaces, more than two decimals, a missing digit on either side of
    /// the point, and anything above 2^63 - 1 hundredths.
    public init?(_ text: String) { self.init(text.utf8) }

    /// Reads an amount from ASCII; see ``init(_:)-(String)`` for what it accepts.
    public init?(_ ascii: some Collection<UInt8>) {
        var value: Int64 = 0
        var wholeCount = 0
        var decimalCount = -1
        for byte in ascii {
            if byte == 0x2E {
                guard decimalCount < 0, wholeCount > 0 else { return nil }
                decimalCount = 0
                continue
            }
            guard byte >= 0x30, byte <= 0x39, decimalCount < 2 else { return nil }
            if decimalCount >= 0 { decimalCount += 1 } else { wholeCount += 1 }
            guard let next = Self.appending(byte - 0x30, to: value) else { return nil }
            value = next
        }
        guard wholeCount > 0, decimalCount != 0 else { return nil }
        for _ in max(decimalCount, 0)..<2 {
            guard let next = Self.appending(0, to: value) else { return nil }
            value = next
        }
        minorUnits = value
    }

    private static func appending(_ digit: UInt8, to value: Int64) -> Int64? {
        let (tenfold, hasOverflown) = value.multipliedReportingOverflow(by: 10)
        let (sum, isTooLarge) = tenfold.addingReportingOverflow(Int64(digit))
        return hasOverflown || isTooLarge ? nil : sum
    }

    /// Compares the minor units.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.minorUnits < right.minorUnits }
}

extension Amount: CustomStringConvertible {
    /// The amount with a point and two decimals, such as `10.99`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Adds the amount as ASCII, with a point and two decimals, at the end of a buffer.
    public func append(to bytes: inout [UInt8]) {
        if minorUnits < 0 { bytes.append(0x2D) }
        let magnitude = minorUnits.magnitude
        bytes.append(contentsOf: String(magnitude / 100).utf8)
        bytes.append(0x2E)
        bytes.append(0x30 + UInt8(magnitude / 10 % 10))
        bytes.append(0x30 + UInt8(magnitude % 10))
    }
}
