/// Finds tracks and card numbers in ASCII and replaces them in place, each byte by one.
enum StripeRedaction {
    /// Replaces what a range of a buffer holds of tracks, and card numbers that stand alone.
    ///
    /// - Returns: Whether something was changed.
    static func redact(
        _ bytes: inout [UInt8],
        in range: Range<Int>,
        _ standIns: inout StandIns
    ) -> Bool {
        let before = bytes[range]
        var index = range.lowerBound
        while index < range.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "%"): index = track1(&bytes, index, range.upperBound, &standIns)
            case UInt8(ascii: ";"): index = track2(&bytes, index, range.upperBound, &standIns)
            case 0x30...0x39: index = digits(&bytes, index, range.upperBound, &standIns)
            default: index += 1
            }
        }
        return bytes[range] != before
    }

    /// `%B` number `^` name `^` date, service code, discretionary data `?`.
    private static func track1(
        _ bytes: inout [UInt8],
        _ start: Int,
        _ limit: Int,
        _ standIns: inout StandIns
    ) -> Int {
        let caret = UInt8(ascii: "^")
        let window = start..<min(limit, start + 120)
        guard let first = bytes[window].firstIndex(of: caret), first - start <= 24 else {
            return start + 1
        }
        // A damaged track may have no second caret: a name has at most 26 characters.
        let second =
            bytes[first + 1..<window.upperBound].firstIndex(of: caret)
            ?? bytes[first + 1..<min(window.upperBound, first + 27)]
            .firstIndex { !(0x20..<0x7F ~= $0) } ?? min(window.upperBound, first + 27)
        let numberStart = start + 2
        guard numberStart < first else { return start + 1 }
        if let number = standIns.cardNumber(bytes[numberStart..<first]) {
            bytes.replaceSubrange(numberStart..<first, with: number)
        }
        let name = standIns.name(bytes[first + 1..<second])
        bytes.replaceSubrange(first + 1..<second, with: name)
        return rest(&bytes, second + 1, limit, &standIns)
    }

    /// `;` number `=` date, service code, discretionary data `?`.
    private static func track2(
        _ bytes: inout [UInt8],
        _ start: Int,
        _ limit: Int,
        _ standIns: inout StandIns
    ) -> Int {
        let window = start..<min(limit, start + 24)
        guard let equals = bytes[window].firstIndex(of: UInt8(ascii: "=")), start + 1 < equals
        else {
            return start + 1
        }
        if let number = standIns.cardNumber(bytes[start + 1..<equals]) {
            bytes.replaceSubrange(start + 1..<equals, with: number)
        }
        return rest(&bytes, equals + 1, limit, &standIns)
    }

    /// Keeps date and service code, seven characters; of the rest digits become zeros.
    private static func rest(
        _ bytes: inout [UInt8],
        _ start: Int,
        _ limit: Int,
        _ standIns: inout StandIns
    ) -> Int {
        var index = min(start + 7, limit)
        let begin = index
        let end = min(limit, start + 80)
        while index < end, bytes[index] != UInt8(ascii: "?"), 0x20..<0x7F ~= bytes[index] {
            index += 1
        }
        let discretionary = Array(bytes[begin..<index])
        // Small counts and zeros are in every file: no secret by themselves.
        if discretionary.count(where: { 0x31...0x39 ~= $0 }) > 3 { standIns.note(discretionary) }
        for place in begin..<index where 0x31...0x39 ~= bytes[place] { bytes[place] = 0x30 }
        return index
    }

    /// A row of digits that passes for a card number.
    private static func digits(
        _ bytes: inout [UInt8],
        _ start: Int,
        _ limit: Int,
        _ standIns: inout StandIns
    ) -> Int {
        var end = start
        while end < limit, 0x30...0x39 ~= bytes[end] { end += 1 }
        guard 13...19 ~= end - start, StandIns.isLuhnValid(bytes[start..<end]),
            let number = standIns.cardNumber(bytes[start..<end])
        else { return end }
        bytes.replaceSubrange(start..<end, with: number)
        return end
    }
}
