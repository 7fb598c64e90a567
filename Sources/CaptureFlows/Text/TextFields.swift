import CaptureFiles

// Reading of fields in lines of bytes; nothing here traps, whatever the line says.
extension ArraySlice<UInt8> {
    /// The line without a carriage return at its end.
    var withoutReturn: ArraySlice<UInt8> { last == 0x0D ? dropLast() : self }

    /// The words between blanks and tabs, at most so many; the last one is then the rest.
    func words(limit: Int = .max) -> [ArraySlice<UInt8>] {
        var words = split(maxSplits: limit - 1, omittingEmptySubsequences: true) {
            $0 == 0x20 || $0 == 0x09
        }
        if words.count == limit {
            words[limit - 1] = words[limit - 1].drop { $0 == 0x20 || $0 == 0x09 }
            if words[limit - 1].isEmpty { words.removeLast() }
        }
        return words
    }

    /// Whether the slice has these characters, whatever their case.
    func reads(_ text: StaticString) -> Bool {
        text.utf8CodeUnitCount == count && startsReading(text)
    }

    /// Whether the slice begins with these characters, whatever their case.
    func startsReading(_ text: StaticString) -> Bool {
        let expected = "\(text)".utf8
        guard count >= expected.count else { return false }
        return zip(self, expected).allSatisfy { $0.lowercased == $1.lowercased }
    }

    /// What follows the first place where these characters stand, or `nil`.
    func after(_ text: StaticString) -> ArraySlice<UInt8>? {
        let byteCount = text.utf8CodeUnitCount
        var rest = self
        while rest.count >= byteCount {
            if rest.startsReading(text) { return rest.dropFirst(byteCount) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// A decimal number without sign of at most 18 digits, all of the slice.
    var decimal: Int? {
        guard !isEmpty, count <= 18 else { return nil }
        var value = 0
        for byte in self {
            guard 0x30...0x39 ~= byte else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    /// A decimal number that may have a minus.
    var signedDecimal: Int? {
        first == 0x2D ? dropFirst().decimal.map { -$0 } : decimal
    }

    /// A hexadecimal number of at most 16 digits, all of the slice.
    var hexadecimal: UInt64? {
        guard !isEmpty, count <= 16 else { return nil }
        var value: UInt64 = 0
        for byte in self {
            guard let digit = byte.hexDigit else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return value
    }

    /// The bytes that the slice's hexadecimal digits say, or `nil` when it has anything else.
    var hexBytes: [UInt8]? {
        guard count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 2)
        var index = startIndex
        while index < endIndex {
            guard let high = self[index].hexDigit, let low = self[index + 1].hexDigit else {
                return nil
            }
            bytes.append(high << 4 | low)
            index += 2
        }
        return bytes
    }

    /// The bytes of ` hh hh …` from the slice's beginning, up to what is no pair, at most so many.
    func hexPairs(limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = startIndex
        while bytes.count < limit {
            if index < endIndex, self[index] == 0x20 { index += 1 }
            guard index + 1 < endIndex, let high = self[index].hexDigit,
                let low = self[index + 1].hexDigit,
                index + 2 == endIndex || self[index + 2].hexDigit == nil
            else { break }
            bytes.append(high << 4 | low)
            index += 2
        }
        return bytes
    }

    var text: String { String(decoding: self, as: UTF8.self) }
}

extension UInt8 {
    var lowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }

    var hexDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}

/// Times as logs write them; a log that names no time zone is taken as UTC.
enum TextTime {
    /// `YYYY/MM/DD` or `YYYY-MM-DD`, then `HH:MM:SS` with a fraction or without.
    static func absolute(_ date: ArraySlice<UInt8>, _ clock: ArraySlice<UInt8>) -> CaptureTime? {
        let parts = date.split(omittingEmptySubsequences: false) { $0 == 0x2F || $0 == 0x2D }
        guard parts.count == 3, let year = parts[0].decimal, let month = parts[1].decimal,
            let day = parts[2].decimal, 1_970...9_999 ~= year, 1...12 ~= month, 1...31 ~= day,
            let time = ofDay(clock)
        else { return nil }
        return CaptureTime(
            seconds: Int64(daysSinceEpoch(year, month, day)) * 86_400 + time.seconds,
            nanoseconds: time.nanoseconds
        )
    }

    /// `HH:MM:SS` with a fraction or without, from midnight.
    static func ofDay(_ clock: ArraySlice<UInt8>) -> CaptureTime? {
        let parts = clock.split(omittingEmptySubsequences: false) { $0 == 0x3A }
        guard parts.count == 3, let hour = parts[0].decimal, let minute = parts[1].decimal,
            hour < 24, minute < 60, let seconds = seconds(parts[2]), seconds.seconds < 61
        else { return nil }
        return CaptureTime(
            seconds: Int64(hour * 3_600 + minute * 60) + seconds.seconds,
            nanoseconds: seconds.nanoseconds
        )
    }

    /// Seconds with a fraction of at most nine digits or without; a comma serves as point.
    ///
    /// Nine digits that begin with three zeros are microseconds, as socat 1.7.4 writes them.
    static func seconds(_ text: ArraySlice<UInt8>) -> CaptureTime? {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0 == 0x2E || $0 == 0x2C
        }
        guard let whole = parts.first?.decimal, whole < 1 << 40 else { return nil }
        guard parts.count == 2 else { return CaptureTime(seconds: Int64(whole), nanoseconds: 0) }
        let digits = parts[1]
        guard var fraction = digits.decimal, digits.count <= 9 else { return nil }
        if digits.count == 9, fraction < 1_000_000 { fraction *= 1_000 }
        for _ in digits.count..<9 { fraction *= 10 }
        return CaptureTime(seconds: Int64(whole), nanoseconds: UInt32(fraction))
    }

    /// Days from 1970-01-01 to a day of the Gregorian calendar.
    private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
