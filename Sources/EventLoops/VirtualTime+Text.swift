extension VirtualDuration {
    /// The length for people: `60 s`, `1.5 s`, `12.345 ms`, `350 ns`; exact, never rounded.
    public var text: String {
        let magnitude = nanoseconds.magnitude
        let sign = nanoseconds < 0 ? "-" : ""
        if magnitude >= 1_000_000_000 {
            return sign + Self.decimal(magnitude, digits: 9) + " s"
        }
        if magnitude >= 1_000_000 { return sign + Self.decimal(magnitude, digits: 6) + " ms" }
        if magnitude >= 1_000 { return sign + Self.decimal(magnitude, digits: 3) + " µs" }
        return magnitude == 0 ? "0 s" : sign + String(magnitude) + " ns"
    }

    private static func decimal(_ value: UInt64, digits: Int) -> String {
        var unit: UInt64 = 1
        for _ in 0..<digits { unit *= 10 }
        var fraction = String(value % unit)
        fraction = String(repeating: "0", count: digits - fraction.utf8.count) + fraction
        while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
        return String(value / unit) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
