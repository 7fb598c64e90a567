/// Builds a body of type `application/x-www-form-urlencoded`, one field after the other.
///
/// Letters, digits and `*-._` stay, a blank becomes `+`, every other byte `%` and two capital
/// hexadecimal digits.
///
/// Source: WHATWG URL Standard, section 5.2, application/x-www-form-urlencoded percent-encode set.
public struct FormEncoder: Sendable {
    /// The media type of the bodies that this encoder makes.
    public static let contentType = "application/x-www-form-urlencoded"

    /// The body so far; fields are joined with `&`.
    public private(set) var bytes: [UInt8] = []

    /// Creates an encoder with an empty body.
    ///
    /// - Parameter capacity: How many bytes to make room for at once.
    public init(reserving capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Adds a field whose value is text in UTF-8.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes of name and value.
    public mutating func append(_ name: String, _ value: String) {
        appendName(name)
        append(value)
    }

    /// Adds a field whose value is given as bytes.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes of name and value.
    public mutating func append(_ name: String, _ value: [UInt8]) {
        appendName(name)
        if value.span.isPlain {
            bytes.append(contentsOf: value)
        } else {
            appendEscaped(value.span)
        }
    }

    /// Adds a field whose value is a whole number in decimal digits.
    public mutating func append(_ name: String, _ value: UInt64) {
        appendName(name)
        bytes.append(decimal: value)
    }

    private mutating func appendName(_ name: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        append(name)
        bytes.append(UInt8(ascii: "="))
    }

    private mutating func append(_ text: String) {
        if text.utf8.span.isPlain {
            bytes.append(contentsOf: text.utf8)
        } else {
            appendEscaped(text.utf8.span)
        }
    }

    private mutating func appendEscaped(_ text: Span<UInt8>) {
        for index in text.indices {
            let byte = text[index]
            if byte.isFormSafe {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append((byte >> 4).upperCaseHexDigit)
                bytes.append((byte & 0x0F).upperCaseHexDigit)
            }
        }
    }
}

extension Span<UInt8> {
    /// Whether there are only letters, digits and `_`, the case worth being fast for.
    ///
    /// The loop has no branch, so that the compiler makes vector code of it.
    fileprivate var isPlain: Bool {
        var otherCount: UInt8 = 0
        for index in indices {
            let byte = self[index]
            let isOther: Bool
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: isOther = false
            default: isOther = true
            }
            otherCount |= isOther ? 1 : 0
        }
        return otherCount == 0
    }
}

extension UInt8 {
    /// Whether the byte stands for itself in a form: letters, digits and `*-._`.
    fileprivate var isFormSafe: Bool {
        // One bit for each of the ASCII codes 0x00 to 0x3F and 0x40 to 0x7F.
        let low: UInt64 = 0x03FF_6400_0000_0000
        let high: UInt64 = 0x07FF_FFFE_87FF_FFFE
        switch self {
        case 0..<64: return (low >> UInt64(self)) & 1 == 1
        case 64..<128: return (high >> UInt64(self - 64)) & 1 == 1
        default: return false
        }
    }

    /// The capital hexadecimal digit of a value from 0 to 15.
    fileprivate var upperCaseHexDigit: UInt8 {
        self < 10 ? self + UInt8(ascii: "0") : self - 10 + UInt8(ascii: "A")
    }
}

extension [UInt8] {
    /// Appends a whole number in decimal digits, without leading zeros.
    package mutating func append(decimal number: UInt64) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var start = 20
        var rest = number
        repeat {
            start -= 1
            digits[start] = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
            rest /= 10
        } while rest > 0
        for index in start..<20 { append(digits[index]) }
    }
}
