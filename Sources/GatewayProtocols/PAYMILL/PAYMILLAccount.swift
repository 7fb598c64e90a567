/// A German bank account as somebody typed it in, for direct debit; nothing is checked yet.
///
/// It is named by its number and the bank's code, or by IBAN and BIC. It is a secret: no
/// description or mirror shows anything of it.
public struct PAYMILLAccount: Hashable, Sendable {
    /// What names an account.
    public enum Name: Hashable, Sendable {
        /// The account's number, the bank's code of eight digits, and the country.
        case national(unmaskedNumber: String, bankCode: String, country: String)
        /// The international number and the bank's identifier.
        case international(unmaskedIBAN: String, bic: String)
    }

    /// What names it.
    public var name: Name
    /// The holder.
    public var holder: String

    /// Creates an account from what was typed.
    public init(_ name: Name, holder: String) {
        self.name = name
        self.holder = holder
    }

    /// The account as the bridge sends it: without blanks around and in it, and with a BIC of
    /// eleven characters.
    public var cleaned: PAYMILLAccount {
        func packed(_ text: String) -> String { String(text.filter { !$0.isWhitespace }) }
        let name: Name =
            switch name {
            case .national(let number, let code, let country):
                .national(
                    unmaskedNumber: packed(number),
                    bankCode: packed(code),
                    country: packed(country)
                )
            case .international(let iban, let bic):
                .international(
                    unmaskedIBAN: packed(iban),
                    bic: packed(bic).utf8.count == 8 ? packed(bic) + "XXX" : packed(bic)
                )
            }
        return PAYMILLAccount(name, holder: PAYMILLCard.trimmed(holder))
    }

    /// Checks a cleaned account as the bridge does before it asks anybody.
    ///
    /// The first that fails is told; that the holder comes last is assumed.
    ///
    /// - Throws: The name of the field that is wrong.
    ///
    /// Source: the published bridge script; that an account's number has one to ten digits is
    /// assumed.
    public func check() throws(PAYMILLBridgeError) {
        switch name {
        case .national(let number, let code, let country):
            guard PAYMILLCard.isDigits(number), number.utf8.count <= 10 else {
                throw .invalidAccountNumber
            }
            guard PAYMILLCard.isDigits(code), code.utf8.count == 8 else { throw .invalidBankCode }
            guard country.isEmpty || country == "DE" else { throw .invalidCountry }
        case .international(let iban, let bic):
            guard Self.isGermanIBAN(iban) else { throw .invalidIBAN }
            guard Self.isGermanBIC(bic) else { throw .invalidBIC }
        }
        guard (4...128).contains(holder.count) else { throw .invalidAccountHolder }
    }

    /// What the processor says of an account in test mode, or `nil` when it takes it.
    ///
    /// Numbers and banks share their codes with card numbers, so that the bridge names them so.
    /// Which account gets which code is assumed but for the text of those that are not listed.
    ///
    /// - Returns: The return code and its text.
    ///
    /// Source: the published bridge script, table of return codes; guides, reference/testing.
    public var processorProblem: (code: String, text: String)? {
        let bad = ("100.100.101", "invalid creditcard, bank account number or bank name")
        switch name {
        case .national(let number, let code, _):
            if number.isEmpty {
                return ("100.100.100", "request contains no creditcard or bank account number")
            }
            guard PAYMILLCard.isDigits(number), PAYMILLTestCards.bankCodes.contains(code) else {
                return bad
            }
        case .international(let iban, let bic):
            guard Self.isGermanIBAN(iban), PAYMILLTestCards.bankIdentifiers.contains(bic),
                PAYMILLTestCards.bankCodes.contains(String(iban.dropFirst(4).prefix(8)))
            else { return bad }
        }
        guard PAYMILLTestCards.accounts.contains(where: { $0 == bankAndNumber }) else {
            return ("999.999.998", "Real creditcard/bank account data prohibited in testmode")
        }
        guard (4...128).contains(holder.count) else {
            return ("100.100.401", "account holder too short or too long")
        }
        return nil
    }

    /// The bank's code and the number in it; an IBAN has both.
    private var bankAndNumber: PAYMILLTestCards.Account {
        switch name {
        case .national(let number, let code, _):
            PAYMILLTestCards.Account(bankCode: code, number: number)
        case .international(let iban, _):
            PAYMILLTestCards.Account(
                bankCode: String(iban.dropFirst(4).prefix(8)),
                number: String(iban.dropFirst(12).drop { $0 == "0" })
            )
        }
    }

    /// The account as the gateway shows it, digits hidden.
    public var shown: PAYMILLPayment.Debit {
        let (code, number) = (bankAndNumber.bankCode, bankAndNumber.number)
        let masked = String(repeating: "*", count: max(0, number.utf8.count - 4)) + number.suffix(4)
        var debit = PAYMILLPayment.Debit(code: code, account: masked, holder: holder)
        if case .international(let iban, let bic) = name {
            let hidden = String(repeating: "*", count: max(0, iban.utf8.count - 16))
            debit.iban = iban.prefix(12) + hidden + iban.suffix(4)
            debit.bic = bic
        }
        return debit
    }

    /// Whether a text is `DE` and 20 digits whose remainder by 97 is 1.
    private static func isGermanIBAN(_ text: String) -> Bool {
        guard text.hasPrefix("DE"), text.utf8.count == 22,
            PAYMILLCard.isDigits(String(text.dropFirst(2)))
        else { return false }
        // The check digits go to the end, behind D (13) and E (14).
        let digits = Array(text.utf8)
        var remainder = 0
        for digit in digits[4...] + Array("1314".utf8) + digits[2...3] {
            remainder = (remainder * 10 + Int(digit) - 0x30) % 97
        }
        return remainder == 1
    }

    /// Whether a text is four letters, `DE`, and five letters or digits.
    private static func isGermanBIC(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let isCapital = { (byte: UInt8) in (0x41...0x5A).contains(byte) }
        return bytes.count == 11 && bytes.prefix(4).allSatisfy(isCapital)
            && bytes[4...5].elementsEqual("DE".utf8)
            && bytes[6...].allSatisfy { isCapital($0) || (0x30...0x39).contains($0) }
    }
}

extension PAYMILLAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// That it is one; never its number.
    public var description: String { "a bank account" }

    /// That it is one; never its number.
    public var debugDescription: String { description }

    /// Nothing, so that no dump shows the account.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a token is made of.
public enum PAYMILLInstrument: Hashable, Sendable {
    /// A card.
    case card(PAYMILLCard)
    /// A bank account, by direct debit.
    case account(PAYMILLAccount)

    /// The card, `nil` of an account.
    public var card: PAYMILLCard? {
        if case .card(let card) = self { card } else { nil }
    }

    /// Whether it is a bank account.
    public var isAccount: Bool { card == nil }
}
