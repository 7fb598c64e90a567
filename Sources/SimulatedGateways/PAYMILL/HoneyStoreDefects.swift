/// What is wrong with the published HoneyStore backend, each by itself.
///
/// Source: the HoneyStore example, `Parse/main.js`, by reading.
public struct HoneyStoreDefects: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Creates a set of bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A charge that fails by its status is never answered: the function runs into Parse's limit.
    public static let forgetsRejections = HoneyStoreDefects(rawValue: 1)
    /// A token that is refused ends in an exception, since the handler names another variable.
    public static let namesNoError = HoneyStoreDefects(rawValue: 2)
    /// A charge of a kept card counts as success whatever its code.
    public static let ignoresResponseCodes = HoneyStoreDefects(rawValue: 4)
    /// Each save of a user makes another client, without address and name.
    public static let clientForEverySave = HoneyStoreDefects(rawValue: 8)
    /// The app's amount is taken whatever the product costs.
    public static let trustsAmounts = HoneyStoreDefects(rawValue: 16)
    /// A card may be anybody's.
    public static let takesAnyPayment = HoneyStoreDefects(rawValue: 32)
    /// Nothing can be looked up, by nobody.
    public static let hasNoLookUp = HoneyStoreDefects(rawValue: 64)

    /// All of them: the published backend.
    public static let observed: HoneyStoreDefects = [
        .forgetsRejections, .namesNoError, .ignoresResponseCodes, .clientForEverySave,
        .trustsAmounts, .takesAnyPayment, .hasNoLookUp,
    ]
}
