import CardData

/// Looks for card numbers in what must have none, for the law `no-card-data-to-merchant`.
///
/// It shares nothing with the scrubber of texts, so that neither hides the other's mistakes: it
/// undoes escapes first, and judges digits by how they are grouped.
public enum ClearCardScan {
    /// Whether a text has a card number in clear, as it stands or behind escapes of URLs.
    ///
    /// A number is 13 to 19 digits that pass the Luhn check, with one sign at most between two,
    /// or the same one up to three times. A part of a longer run counts when its groups, but for
    /// the last, have four digits and more.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public static func finds(in text: String) -> Bool {
        var bytes = Array(text.utf8)
        for _ in 0..<5 {
            if isFound(in: bytes) { return true }
            let plain = unescaped(bytes)
            if plain == bytes { return false }
            bytes = plain
        }
        return false
    }

    /// Whether a member of this name has a card's number or security code, however it is spelt.
    static func isCardName(_ name: String) -> Bool {
        let letters = name.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case 0x30...0x39, 0x61...0x7A: byte
            case 0x41...0x5A: byte | 0x20
            default: nil
            }
        }
        return ["cardnumber", "accountnumber", "ccnumber", "cvv", "cvc", "verification"].contains {
            letters.contains($0.utf8)
        }
    }

    private static func isFound(in bytes: [UInt8]) -> Bool {
        var groups: [[UInt8]] = []
        var group: [UInt8] = []
        var gap: [UInt8] = []
        var isClose = true
        for byte in bytes + [UInt8(ascii: "&")] {
            if byte >= 0x30, byte <= 0x39 {
                if !gap.isEmpty {
                    groups.append(group)
                    group = []
                    if !isOneSign(gap) {
                        if isNumber(in: groups, asWhole: isClose) { return true }
                        groups = []
                        isClose = true
                    } else if let sign = gap.first, sign < 0x80, !" -._/+".utf8.contains(sign) {
                        isClose = false
                    }
                    gap = []
                }
                group.append(byte)
            } else if endsRun(byte) {
                if isNumber(in: groups + [group], asWhole: isClose) { return true }
                groups = []
                isClose = true
                group = []
                gap = []
            } else if !group.isEmpty {
                gap.append(byte)
            }
        }
        return false
    }

    private static func isNumber(in groups: [[UInt8]], asWhole: Bool) -> Bool {
        // Groups of any length count as a whole only, and not between the signs of times.
        if asWhole, isNumber(groups.flatMap(\.self)) { return true }
        for start in groups.indices {
            var digits: [UInt8] = []
            for group in groups[start...] {
                digits += group
                if digits.count > 19 { break }
                if isNumber(digits) { return true }
                if group.count < 4 { break }
            }
        }
        return false
    }

    private static func isNumber(_ digits: [UInt8]) -> Bool {
        guard digits.count >= 13, let pan = PAN(digits) else { return false }
        // Numbers that are masked by zeros show nothing.
        return pan.isLuhnValid && digits[6..<(digits.count - 4)].contains { $0 != 0x30 }
    }

    private static func endsRun(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "*"), UInt8(ascii: "^"):
            true
        default: false
        }
    }

    /// Whether what stands between two digits is one sign, or the same one up to three times.
    private static func isOneSign(_ gap: [UInt8]) -> Bool {
        let first = gap.first ?? 0
        if first >= 0x80 { return String(decoding: gap, as: UTF8.self).unicodeScalars.count == 1 }
        return gap.count <= 3 && gap.allSatisfy { $0 == first }
    }

    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Hexadecimal.value(of: bytes[index + 1]),
                let low = Hexadecimal.value(of: bytes[index + 2])
            {
                plain.append(high << 4 | low)
                index += 3
            } else {
                plain.append(bytes[index])
                index += 1
            }
        }
        return plain
    }
}
