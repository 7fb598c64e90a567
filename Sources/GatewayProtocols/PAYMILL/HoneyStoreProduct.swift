public import CardData
import JSON

/// A jar of honey.
///
/// Source: the HoneyStore example, `productDB.json` for the prices 16.55, 17, 12 and 11.55; the
/// names are ours.
public struct HoneyStoreProduct: Hashable, Sendable {
    /// The product's name, by which it is bought.
    public var name: String
    /// The price in euro, as the table has it: a decimal.
    public var listedPrice: String
    /// The price.
    public var price: Amount

    private init(_ name: String, _ listedPrice: String, _ minorUnits: Int64) {
        self.name = name
        self.listedPrice = listedPrice
        price = Amount(minorUnits: minorUnits)
    }

    /// The four products.
    public static let all = [
        HoneyStoreProduct("acacia", "16.55", 1_655), HoneyStoreProduct("forest", "17", 1_700),
        HoneyStoreProduct("heather", "12", 1_200), HoneyStoreProduct("linden", "11.55", 1_155),
    ]

    /// The product with a name, or `nil`.
    public static func named(_ name: String) -> HoneyStoreProduct? {
        all.first { $0.name == name }
    }

    /// The amount that the published app makes of a price: `double * 100`, cut to a whole number,
    /// so that some prices lose a cent.
    ///
    /// A price is taken as the nearest IEEE 754 double, computed in whole numbers.
    ///
    /// Source: the HoneyStore example, `PMLProduct.m`.
    public static func observedAmount(ofPrice price: Amount) -> Amount {
        // p / 100 rounded to 53 bits, times 100 rounded to 53 bits, cut.
        let cents = UInt64(max(0, price.minorUnits))
        guard cents > 0 else { return Amount(minorUnits: 0) }
        var scale: UInt64 = 0
        // The quotient gets 53 bits: the scale is the power of two that makes it so.
        while scale < 100, (cents << 1).leadingZeroBitCount > 0,
            Self.quotient(cents, scale + 1) < 1 << 53
        {
            scale += 1
        }
        let mantissa = Self.rounded(cents, scale)
        let product = mantissa.multipliedFullWidth(by: 100)
        return Amount(minorUnits: Int64(Self.cut(product, scale)))
    }

    private static func wide(_ cents: UInt64, _ scale: UInt64) -> (high: UInt64, low: UInt64) {
        guard scale < 64 else { return (cents << (scale - 64), 0) }
        return (scale == 0 ? 0 : cents >> (64 - scale), cents << scale)
    }

    private static func quotient(_ cents: UInt64, _ scale: UInt64) -> UInt64 {
        let value = wide(cents, scale)
        guard value.high < 100 else { return .max }
        return UInt64(100).dividingFullWidth((value.high, value.low)).quotient
    }

    /// The quotient by 100 to the nearest, ties to even.
    private static func rounded(_ cents: UInt64, _ scale: UInt64) -> UInt64 {
        let value = wide(cents, scale)
        let (quotient, rest) = UInt64(100).dividingFullWidth((value.high, value.low))
        let isUp = rest > 50 || rest == 50 && quotient & 1 == 1
        return isUp ? quotient + 1 : quotient
    }

    /// The product with 53 bits to the nearest, ties to even, without what follows the point.
    private static func cut(
        _ product: (high: UInt64, low: UInt64.Magnitude),
        _ scale: UInt64
    ) -> UInt64 {
        let bitCount =
            product.high == 0
            ? 64 - product.low.leadingZeroBitCount : 128 - product.high.leadingZeroBitCount
        let lost = max(0, bitCount - 53)
        guard lost > 0, lost < 64 else { return product.low >> scale }
        let mask: UInt64 = (1 << UInt64(lost)) - 1
        let rest = product.low & mask
        let half: UInt64 = 1 << UInt64(lost - 1)
        var kept = product.low >> UInt64(lost) | product.high << UInt64(64 - lost)
        if rest > half || rest == half && kept & 1 == 1 { kept += 1 }
        let shift = Int(scale) - lost
        return shift >= 64 ? 0 : kept >> UInt64(max(0, shift))
    }
}
