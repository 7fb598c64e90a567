import CardData

/// A card as somebody typed it in, or as a camera read it; nothing is checked yet.
///
/// It is a secret: no description or mirror shows anything of it.
public struct PAYMILLCard: Hashable, Sendable {
    /// The number; blanks and dashes do not count.
    public var unmaskedNumber: String
    /// The month of the expiry.
    public var expiryMonth: String
    /// The year of the expiry, four digits.
    public var expiryYear: String
    /// The security code; empty is none.
    public var unmaskedCode: String
    /// The holder; empty is none.
    public var holder: String

    /// Creates a card from what was typed.
    public init(
        unmaskedNumber: String,
        expiryMonth: String,
        expiryYear: String,
        unmaskedCode: String = "",
        holder: String = ""
    ) {
        self.unmaskedNumber = unmaskedNumber
        self.expiryMonth = expiryMonth
        self.expiryYear = expiryYear
        self.unmaskedCode = unmaskedCode
        self.holder = holder
    }

    /// The brand, `nil` for a number of none.
    public var brand: PAYMILLCardBrand? { PAYMILLCardBrand(number: unmaskedNumber) }

    /// The last four digits.
    public var lastFour: String { String(unmaskedNumber.suffix(4)) }

    /// The card as the bridge sends it: without blanks and dashes in the number and around the
    /// rest, and with a month of two digits.
    public var cleaned: PAYMILLCard {
        PAYMILLCard(
            unmaskedNumber: String(unmaskedNumber.filter { !$0.isWhitespace && $0 != "-" }),
            expiryMonth: Self.padded(Self.trimmed(expiryMonth)),
            expiryYear: Self.trimmed(expiryYear),
            unmaskedCode: Self.trimmed(unmaskedCode),
            holder: Self.trimmed(holder)
        )
    }

    /// Checks a cleaned card as the bridge does before it asks anybody.
    ///
    /// The order is number, expiry, code; the first that fails is told.
    ///
    /// - Parameters:
    ///   - year: The year of the day, four digits.
    ///   - month: The month of the day, 1 to 12; a card is good to the end of its month.
    /// - Throws: The name of the first field that is wrong.
    ///
    /// Source: the published bridge script.
    public func check(year: Int, month: Int) throws(PAYMILLBridgeError) {
        guard let brand, Self.isDigits(unmaskedNumber), brand.accepts(unmaskedNumber) else {
            throw .invalidCardNumber
        }
        guard let expires = expiryNumber, expires >= year * 12 + month - 1 else {
            throw .invalidCardExpiry
        }
        let isCode =
            brand.codeDigitCounts.contains(unmaskedCode.utf8.count)
            && (unmaskedCode.isEmpty || Self.isDigits(unmaskedCode))
        guard isCode else { throw .invalidCardCVC }
    }

    /// The months from year 0 to the expiry, or `nil` when it is no month of a year of four digits.
    public var expiryNumber: Int? {
        guard Self.isDigits(expiryYear), expiryYear.utf8.count == 4, let year = Int(expiryYear),
            Self.isDigits(expiryMonth), let month = Int(expiryMonth), (1...12).contains(month)
        else { return nil }
        return year * 12 + month - 1
    }

    /// What the processor says of a card in test mode, or `nil` when it takes it.
    ///
    /// The order is number, month, year, expiry, holder, code. Codes that end in 00 are of fields
    /// that are missing, those in 01 of fields that are wrong (assumed; the families are
    /// published). Code and holder may be left out.
    ///
    /// - Parameter date: The year and the month of the day; `nil` takes cards past their expiry.
    /// - Returns: The return code and its text.
    ///
    /// Source: the published bridge script, table of return codes; guides, reference/testing.
    public func processorProblem(on date: (year: Int, month: Int)?) -> (code: String, text: String)?
    {
        if unmaskedNumber.isEmpty {
            return ("100.100.100", "request contains no creditcard or bank account number")
        }
        guard let brand, Self.isDigits(unmaskedNumber), brand.accepts(unmaskedNumber) else {
            return ("100.100.101", "invalid creditcard, bank account number or bank name")
        }
        guard PAYMILLTestCards.numbers.contains(unmaskedNumber) else {
            return ("999.999.998", "Real creditcard/bank account data prohibited in testmode")
        }
        if expiryMonth.isEmpty { return ("100.100.200", "request contains no month") }
        guard Self.isDigits(expiryMonth), let month = Int(expiryMonth), (1...12).contains(month)
        else { return ("100.100.201", "invalid month") }
        if expiryYear.isEmpty { return ("100.100.300", "request contains no year") }
        guard Self.isDigits(expiryYear), expiryYear.utf8.count == 4, let year = Int(expiryYear)
        else { return ("100.100.301", "invalid year") }
        if let date, year * 12 + month < date.year * 12 + date.month {
            return ("100.100.303", "card expired")
        }
        if !holder.isEmpty {
            guard (4...128).contains(holder.count) else {
                return ("100.100.401", "account holder too short or too long")
            }
            guard !holder.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
            else { return ("100.100.402", "account holder not valid") }
        }
        let isCode =
            unmaskedCode.isEmpty
            || Self.isDigits(unmaskedCode)
                && brand.codeDigitCounts.contains(unmaskedCode.utf8.count)
        return isCode ? nil : ("100.100.601", "invalid CVV/brand combination")
    }

    static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func padded(_ month: String) -> String {
        month.utf8.count == 1 ? "0" + month : month
    }

    static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension PAYMILLCard: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The brand; never the number.
    public var description: String { "a card of \(brand?.rawValue ?? "no brand")" }

    /// The brand; never the number.
    public var debugDescription: String { description }

    /// Nothing, so that no dump shows the card.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The money for which a token is made, as the page gives it to the bridge.
public struct PAYMILLTokenAmount: Hashable, Sendable {
    /// The amount in the smallest unit, as text; empty is none.
    public var amountInt: String
    /// The currency, three capitals; empty is none.
    public var currency: String

    /// Creates an amount from what a page gives.
    public init(amountInt: String, currency: String) {
        self.amountInt = amountInt
        self.currency = currency
    }

    /// Checks the money as the bridge does after the card.
    ///
    /// - Throws: The name of the field that is wrong or missing.
    ///
    /// Source: the published bridge script.
    public func check() throws(PAYMILLBridgeError) {
        if !amountInt.isEmpty, !PAYMILLCard.isDigits(amountInt) || Int64(amountInt) == nil {
            throw .invalidAmountInt
        }
        let isCurrency =
            currency.utf8.count == 3 && currency.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        if !currency.isEmpty, !isCurrency { throw .invalidCurrency }
        if !currency.isEmpty, amountInt.isEmpty { throw .invalidAmount }
        if currency.isEmpty, !amountInt.isEmpty { throw .invalidCurrency }
    }

    /// The amount as the bridge sends it, a decimal with two places: `4900` is `49.00`.
    public var decimalText: String {
        Int64(amountInt).map { Amount(minorUnits: $0).description } ?? ""
    }
}
