public import CardData
public import GatewayProtocols

extension SimulatedTerminal {
    /// What the gateway behind the terminal says to a charge.
    public enum Answer: String, CaseIterable, Hashable, Sendable {
        /// The card is charged.
        case approved
        /// The issuer refuses.
        case declined
        /// Something else is wrong, such as an address that does not match; nothing is charged.
        case error
        /// The card is charged and the gateway's answer is lost: the terminal knows of an error.
        case lost
    }

    /// How the terminal names a card's kind.
    public enum CardNames: String, CaseIterable, Hashable, Sendable {
        /// As the README lists them: `Amex`.
        case readme
        /// As the class's header does: `American Express`, and nothing for an unknown kind.
        case header
    }

    /// The terminal app's settings, and what its user does beside paying.
    ///
    /// What the published documents leave open is an option here; the vendor's app is closed.
    public struct Configuration: Hashable, Sendable {
        /// Whether the app is there.
        public var isInstalled = true
        /// The tax rate of the app's settings, which a request takes with `default`.
        public var taxRate: TaxRate?
        /// Whether a request without a tax rate takes that of the settings: so the README for
        /// Windows; that for iOS has the option hidden.
        public var taxesWithoutRate = false
        /// The tip that the user gives; the app asks for one only if its settings say so.
        public var tip: Amount?
        /// The amount that the user enters in place of the request's, unless that is fixed.
        public var enteredAmount: Amount?
        /// The currency of the merchant's account, for a request that names none.
        public var currency = "USD"
        /// What the gateway behind it says, charge by charge, the last one for ever.
        public var answers: [Answer] = [.approved]
        /// Whether answers have a transaction id; those of old versions had none.
        public var hasTransactionIDs = true
        /// How it names a card's kind.
        public var cardNames = CardNames.readme
        /// Whether it mails a receipt to the address of the request.
        public var mailsReceipts = true
        /// Whether what comes of a charge is handed over at once even where the request does not
        /// ask for it.
        public var alwaysReturnsImmediately = false
        /// Values that an answer has instead of the right ones, put in without encoding.
        ///
        /// An empty value leaves the field out; a field that the answer would not have is added.
        public var rawValues: [RawValue] = []

        /// Creates the settings of an app that asks for no tax and no tip.
        public init() {}
    }

    /// A value that is put into every answer as it is.
    public struct RawValue: Hashable, Sendable {
        /// The field.
        public var field: InnerFenceResponseField
        /// The bytes behind the `=`, in ASCII.
        public var text: String

        /// Creates a value.
        public init(_ field: InnerFenceResponseField, _ text: String) {
            self.field = field
            self.text = text
        }
    }

    /// A tax rate in thousandths of a percent, 0 to 99.999 %.
    ///
    /// Source: innerfence/ChargeDemo, `IFChargeRequest.h`: at most three decimals.
    public struct TaxRate: Hashable, Sendable {
        /// Thousandths of a percent, 0 to 99,999.
        public let thousandths: Int64
        /// The rate as it was written.
        public let text: String

        /// Reads a rate such as `8.5`; `nil` unless it has one or two digits and at most three
        /// decimals.
        public init?(_ text: String) {
            var whole: Int64 = 0
            var wholeCount = 0
            var decimalCount = -1
            for byte in text.utf8 {
                if byte == UInt8(ascii: "."), decimalCount < 0 {
                    decimalCount = 0
                    continue
                }
                guard byte >= 0x30, byte <= 0x39, wholeCount < 2 || decimalCount >= 0,
                    decimalCount < 3
                else { return nil }
                whole = whole * 10 + Int64(byte - 0x30)
                if decimalCount >= 0 { decimalCount += 1 } else { wholeCount += 1 }
            }
            guard wholeCount > 0, decimalCount != 0 else { return nil }
            for _ in max(decimalCount, 0)..<3 { whole *= 10 }
            thousandths = whole
            self.text = text
        }

        /// The tax on an amount, rounded half up to whole minor units (inferred), or `nil` beyond
        /// 2^63 - 1.
        public func tax(on amount: Amount) -> Amount? {
            let (product, hasOverflown) =
                amount.minorUnits.multipliedReportingOverflow(by: thousandths)
            let (sum, isTooLarge) = product.addingReportingOverflow(50_000)
            return hasOverflown || isTooLarge ? nil : Amount(minorUnits: sum / 100_000)
        }
    }
}
