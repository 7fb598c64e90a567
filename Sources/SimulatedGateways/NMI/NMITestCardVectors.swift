import CardData

/// The numbers that the manual lists for tests; published ones only.
///
/// Source: Direct Post API manual, "Testing information" and "Partial payments".
enum NMITestCardVectors {
    /// Whether a number is one of those that `test_mode=enabled` works with.
    static func isListed(_ pan: PAN) -> Bool { listed.contains(pan) }

    private static let listed: [PAN] = [
        "4111111111111111", "5431111111111111", "6011601160116611", "6011000991300009",
        "341111111111111", "30205252489926", "3541963594572595", "6799990100000000019",
    ].compactMap { PAN($0) }

    /// The number of the example of a payment in parts.
    static let partiallyApproved = PAN("4000000000000002")
}
