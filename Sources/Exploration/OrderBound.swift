/// An upper bound on how many orders a scenario has, as far as the runs of a search tell: the product
/// of the most alternatives at the first choice of any run, at the second, and so on.
///
/// A tree has at most that many leaves when none of its branches is longer or wider than those seen.
/// An order that was not played may have more choices, so that the bound holds for those orders only
/// that have not.
public struct OrderBound: Hashable, Sendable {
    /// The most digits that are kept; a longer number is rounded up.
    private static let largest: UInt64 = 1_000_000_000_000_000

    /// The bound, without the zeros of ``exponent``.
    public private(set) var mantissa: UInt64 = 1
    /// How many zeros follow.
    public private(set) var exponent = 0

    /// Creates a bound.
    ///
    /// - Parameter widths: The most alternatives at each choice, in the order of a run; at least 1.
    public init(widths: [Int]) {
        for width in widths {
            let factor = UInt64(max(1, width))
            while mantissa > UInt64.max / factor { shorten() }
            mantissa *= factor
        }
        if mantissa >= Self.largest {
            while mantissa >= 100 { shorten() }
        }
    }

    private mutating func shorten() {
        mantissa = mantissa / 10 + (mantissa % 10 == 0 ? 0 : 1)
        exponent += 1
    }

    /// Its words: all digits, or two and a power of ten.
    public var words: String {
        exponent == 0 ? String(mantissa) : "\(mantissa) · 10^\(exponent)"
    }
}
