/// The patterns that the classes hold the values of an answer against.
///
/// Source: innerfence/ChargeDemo, `IFChargeResponse.m`; verbatim the same on Android and Windows.
enum InnerFencePattern {
    /// Whether a version takes a value for a field.
    static func matches(
        _ value: String,
        _ field: InnerFenceResponseField,
        in version: InnerFenceVersion
    ) -> Bool {
        switch version {
        case .head2019:
            return text(of: field).map { finds(Array(value.utf8), in: Array($0.utf8)) } ?? true
        case .june4 where field == .transactionId: return false
        case .june11 where field == .taxRate: return false
        case .windows:
            // .NET's `$` takes one newline at the end.
            let bytes = ArraySlice(value.utf8)
            let isLonger = bytes.last == UInt8(ascii: "\n")
            return matches(bytes, field) || isLonger && matches(bytes.dropLast(), field)
        case .corrected, .before2012, .june4, .june11, .published2014:
            return matches(ArraySlice(value.utf8), field)
        }
    }

    /// Whether bytes have the form of a field.
    static func matches(_ bytes: ArraySlice<UInt8>, _ field: InnerFenceResponseField) -> Bool {
        switch field {
        case .amount, .taxAmount, .tipAmount: isAmount(bytes)
        case .cardType:
            bytes.count <= 20 && bytes.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: " ") }
        case .currency: bytes.count == 3 && bytes.allSatisfy { $0.isASCIICapital }
        case .redactedCardNumber:
            bytes.count >= 4 && bytes.suffix(4).allSatisfy(\.isASCIIDigit)
                && bytes.dropLast(4).allSatisfy { $0 == UInt8(ascii: "X") }
        case .responseType: bytes.allSatisfy { $0.isASCIILetter && !$0.isASCIICapital }
        case .taxRate: isTaxRate(bytes)
        case .transactionId: (1...255).contains(bytes.count)
        case .errorMessage: true
        }
    }

    /// Whether bytes match `^(0|[1-9][0-9]*)[.][0-9][0-9]$`.
    static func isAmount(_ bytes: ArraySlice<UInt8>) -> Bool {
        let whole = bytes.dropLast(3)
        guard bytes.count >= 4, bytes[whole.endIndex] == UInt8(ascii: "."),
            bytes.suffix(2).allSatisfy(\.isASCIIDigit), whole.allSatisfy(\.isASCIIDigit)
        else { return false }
        return whole.first != UInt8(ascii: "0") || whole.count == 1
    }

    /// Whether bytes match `^[0-9]{1,2}([.][0-9]{1,3})?$`.
    static func isTaxRate(_ bytes: ArraySlice<UInt8>) -> Bool {
        let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        let whole = bytes[..<point]
        let decimals = bytes[point...].dropFirst()
        return (1...2).contains(whole.count) && whole.allSatisfy(\.isASCIIDigit)
            && (point == bytes.endIndex
                || (1...3).contains(decimals.count) && decimals.allSatisfy(\.isASCIIDigit))
    }

    /// The pattern as the class of 2019 has it, in which it looks for the value.
    private static func text(of field: InnerFenceResponseField) -> String? {
        switch field {
        case .amount, .taxAmount, .tipAmount: "^(0|[1-9][0-9]*)[.][0-9][0-9]$"
        case .cardType: "^[A-Za-z ]{0,20}$"
        case .currency: "^[A-Z]{3}$"
        case .redactedCardNumber: "^X*[0-9]{4}$"
        case .responseType: "^[a-z]*$"
        case .taxRate: "^[0-9]{1,2}([.][0-9]{1,3})?$"
        case .transactionId: "^.{1,255}$"
        case .errorMessage: nil
        }
    }

    /// Whether a value, taken for a pattern, is found in a text.
    ///
    /// A point stands for any character and others for themselves. A value with another character
    /// that means something in patterns is never found, which may be wrong (inferred: a terminal
    /// sends none).
    private static func finds(_ value: [UInt8], in text: [UInt8]) -> Bool {
        guard !value.contains(where: \.isPatternCharacter), value.count <= text.count else {
            return false
        }
        return (0...(text.count - value.count)).contains { start in
            value.indices.allSatisfy {
                value[$0] == UInt8(ascii: ".") || value[$0] == text[start + $0]
            }
        }
    }
}

extension UInt8 {
    fileprivate var isASCIICapital: Bool {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z")
    }

    fileprivate var isPatternCharacter: Bool { Array("[](){}*+?^$|\\".utf8).contains(self) }
}
