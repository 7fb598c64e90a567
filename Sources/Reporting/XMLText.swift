/// Text as XML 1.0 takes it (W3C Recommendation, 5th edition, sections 2.2, 2.4 and 3.3.3).
enum XMLText {
    /// Returns text for the inside of an element.
    static func content(_ text: String) -> String { escaped(text, isAttribute: false) }

    /// Returns text for an attribute between double quotes; line breaks and tabs in it are kept.
    static func attribute(_ text: String) -> String { escaped(text, isAttribute: true) }

    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"" where isAttribute: escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "\n" where isAttribute: escaped.append(contentsOf: "&#10;".unicodeScalars)
            case "\t" where isAttribute: escaped.append(contentsOf: "&#9;".unicodeScalars)
            case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
            default: escaped.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
        return String(escaped)
    }

    /// Whether a document may hold a character at all, even as a reference.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }
}
