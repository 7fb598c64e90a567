/// Finds and hides what could be a card number in text; see ``SafeText/init(scrubbing:)``.
enum Scrubber {
    /// No text with fewer digits holds a card number.
    private static let fewestDigitCount = 12

    static func scrub(_ text: String) -> String {
        var digitCount = 0
        for byte in text.utf8 where isDigit(byte) { digitCount += 1 }
        guard digitCount >= fewestDigitCount else {
            return text.unicodeScalars.contains(where: isControl) ? withoutControls(text) : text
        }
        return scrubDigits(of: text)
    }

    private static func scrubDigits(of text: String) -> String {
        var bytes = Array(text.utf8)
        var hasChanged = false
        var position = 0
        while position < bytes.count {
            guard isDigit(bytes[position]) else {
                position += 1
                continue
            }
            position = scrubRun(in: &bytes, from: position, &hasChanged)
        }
        var spaced = SpacedNumberScrubber(bytes)
        spaced.scrub()
        guard hasChanged || spaced.hasChanged || text.unicodeScalars.contains(where: isControl)
        else { return text }
        return withoutControls(String(decoding: spaced.bytes, as: UTF8.self))
    }

    private static func withoutControls(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(isControl(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(scalars)
    }

    /// Hides the middle of the run that begins at a position, and returns the position after it.
    private static func scrubRun(
        in bytes: inout [UInt8],
        from start: Int,
        _ hasChanged: inout Bool
    ) -> Int {
        var end = start
        var digitCount = 0
        while end < bytes.count {
            if isDigit(bytes[end]) {
                digitCount += 1
            } else if !isSeparator(bytes[end]) || end + 1 == bytes.count
                || !isDigit(bytes[end + 1])
            {
                break
            }
            end += 1
        }
        guard digitCount >= 12, isCardNumber(bytes[start..<end], digitCount: digitCount) else {
            return end
        }
        var nth = 0
        for index in start..<end where isDigit(bytes[index]) {
            if nth >= 6, nth < digitCount - 4 { bytes[index] = 0x2A }
            nth += 1
        }
        hasChanged = true
        return hideIssuersData(in: &bytes, after: end)
    }

    /// Hides what follows the expiration date when the number that ended here stood in a track,
    /// and returns the position from which to go on.
    ///
    /// Source: ISO/IEC 7813, structures B of track 1 and of track 2.
    private static func hideIssuersData(in bytes: inout [UInt8], after end: Int) -> Int {
        guard end < bytes.count else { return end }
        var start = end + 1
        switch bytes[end] {
        case 0x3D, 0x44, 0x64: break
        case 0x25
        where bytes[start...].starts(with: "3D".utf8)
            || bytes[start...].starts(with: "3d".utf8):
            start += 2
        case 0x5E:
            let name = bytes[start...].prefix(27)
            guard let separator = name.firstIndex(of: 0x5E) else { return end }
            start = separator + 1
        default: return end
        }
        start = min(start + 4, bytes.count)
        guard bytes[(end + 1)..<start].suffix(4).allSatisfy(isDigit) else { return end }
        while start < bytes.count, isDigit(bytes[start]) {
            bytes[start] = 0x2A
            start += 1
        }
        return start
    }

    private static func isCardNumber(_ run: ArraySlice<UInt8>, digitCount: Int) -> Bool {
        var nth = 0
        var sum = 0
        var visibleCount = 0
        for byte in run where isDigit(byte) {
            let digit = Int(byte - 0x30)
            if nth >= 6, nth < digitCount - 4, digit != 0 { visibleCount += 1 }
            let isDoubled = (digitCount - 1 - nth) & 1 == 1
            sum += isDoubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
            nth += 1
        }
        return visibleCount > 1 && (digitCount > 12 || sum % 10 == 0)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x2D }

    /// Whether a terminal would act on the scalar: controls, and those that turn the direction of
    /// writing (UAX #9, table of directional formatting characters) and so show text out of order.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
