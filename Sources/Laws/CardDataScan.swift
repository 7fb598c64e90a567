/// Finds card numbers that are not masked.
enum CardDataScan {
    /// Returns whether the text shows a card number: 13 to 19 digits, with single spaces or dashes
    /// between them, that pass the Luhn check and show more than one digit other than 0 between
    /// the first six and the last four.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    static func hasClearCardNumber(_ text: [UInt8]) -> Bool {
        guard text.count >= 13 else { return false }
        var position = 0
        while position < text.count {
            guard isDigit(text[position]) else {
                position += 1
                continue
            }
            let start = position
            var digitCount = 0
            while position < text.count {
                if isDigit(text[position]) {
                    digitCount += 1
                } else if !isSeparator(text[position]) || position + 1 == text.count
                    || !isDigit(text[position + 1])
                {
                    break
                }
                position += 1
            }
            if digitCount >= 13, digitCount <= 19,
                isClear(text[start..<position], digitCount: digitCount)
            {
                return true
            }
        }
        return false
    }

    private static func isClear(_ run: ArraySlice<UInt8>, digitCount: Int) -> Bool {
        var nth = 0
        var sum = 0
        var shownCount = 0
        for byte in run where isDigit(byte) {
            let digit = Int(byte - 0x30)
            if nth >= 6, nth < digitCount - 4, digit != 0 { shownCount += 1 }
            let isDoubled = (digitCount - 1 - nth) & 1 == 1
            sum += isDoubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
            nth += 1
        }
        return shownCount > 1 && sum % 10 == 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x2D }
}
