/// The number by which the gateway knows a transaction: 9 to 11 decimal digits so far.
public struct NMITransactionID: Hashable, Comparable, Sendable {
    /// The number; never 0, which the gateway sends for "none".
    public let number: UInt64

    /// The smallest id there is.
    public static let one = NMITransactionID(known: 1)

    private init(known number: UInt64) { self.number = number }

    /// Creates an id, or `nil` for 0.
    public init?(_ number: UInt64) {
        guard number != 0 else { return nil }
        self.number = number
    }

    /// Orders ids as the gateway gave them out.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension NMITransactionID: CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { String(number) }
}
