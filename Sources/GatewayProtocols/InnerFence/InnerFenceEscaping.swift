/// Percent-encoding as the Inner Fence classes write and read it.
///
/// Letters, digits and `-._~` stay, every other byte of the UTF-8 becomes `%` and two capital
/// hexadecimal digits; a `+` stands for itself when it is read.
///
/// Source: innerfence/ChargeDemo, `IFChargeRequest.m`, which has the reserved characters of RFC
/// 3986 encoded; that the digits are capitals and `~` stays is the platform's behaviour (inferred).
public enum InnerFenceEscaping {
    /// Adds a value, encoded, at the end of a buffer.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public static func append(_ value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        for byte in value {
            if byte.isUnreserved {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 0x0F))
            }
        }
    }

    /// Returns a value, encoded.
    public static func encode(_ value: String) -> String {
        var bytes: [UInt8] = []
        append(value.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes one name or value.
    ///
    /// - Returns: The text, or the position in the slice's own indices where it cannot be decoded:
    ///   a `%` without two hexadecimal digits, a byte 0, or the first byte of what is not UTF-8
    ///   (overlong forms and halves of pairs too).
    static func decode(_ slice: ArraySlice<UInt8>) -> Result<String, Undecodable> {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(slice.count)
        var index = slice.startIndex
        while index < slice.endIndex {
            guard slice[index] == UInt8(ascii: "%") else {
                decoded.append(slice[index])
                index += 1
                continue
            }
            guard index + 2 < slice.endIndex, let high = slice[index + 1].hexDigitValue,
                let low = slice[index + 2].hexDigitValue
            else { return .failure(Undecodable(offset: index)) }
            guard high << 4 | low != 0 else { return .failure(Undecodable(offset: index)) }
            decoded.append(high << 4 | low)
            index += 3
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            return .failure(Undecodable(offset: slice.startIndex))
        }
        return .success(text)
    }

    /// Where a name or a value cannot be decoded.
    struct Undecodable: Error {
        var offset: Int
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isASCIILetter || isASCIIDigit
        }
    }
}
