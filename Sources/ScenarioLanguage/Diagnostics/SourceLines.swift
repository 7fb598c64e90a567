package import Journal

/// The lines of a file, ended where libyaml ends them.
package struct SourceLines {
    /// How many characters of a line are shown at most.
    static let maximumShownCount = 120

    private let bytes: [UInt8]
    private var starts = [0]

    /// Finds the lines of a text; its byte order mark must be gone.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var index = 0
        while index < bytes.count {
            let length = lineBreakLength(at: index)
            index += max(length, 1)
            if length > 0 { starts.append(index) }
        }
    }

    /// How many lines there are; the end of the last line begins no other.
    var count: Int {
        starts.last == bytes.count && starts.count > 1 ? starts.count - 1 : starts.count
    }

    /// Returns the part of a line around a place, and how many characters stand before the place.
    ///
    /// - Complexity: O(*n*) in the column.
    package func excerpt(at location: SourceLocation) -> (text: String, caretOffset: Int) {
        guard location.line >= 1, location.line <= starts.count else { return ("", 0) }
        let half = Self.maximumShownCount / 2
        let start = starts[location.line - 1]
        let wanted = max(0, location.column - 1)
        // As far as it is shown, whether the line is cut off in front or not.
        let farthest = max(wanted + half, Self.maximumShownCount) + 1
        let (count, end, isEnd) = walk(from: start, count: farthest)
        let caret = min(wanted, count)
        let isLong = !isEnd || count > Self.maximumShownCount
        let lower = isLong ? max(0, caret - half) : 0
        let first = walk(from: start, count: lower).end
        let line = String(decoding: bytes[first..<end], as: UTF8.self).unicodeScalars
        var text = String.UnicodeScalarView()
        if lower > 0 { text.append("…") }
        let secret = startOfKeys(from: start, to: end)
        var index = first
        for scalar in line.prefix(Self.maximumShownCount) {
            let isSecret = index >= secret && scalar >= "0" && scalar <= "9"
            text.append(isSecret ? "•" : scalar == "\t" ? "→" : scalar)
            index += String(scalar).utf8.count
        }
        if !isEnd || count - lower > Self.maximumShownCount { text.append("…") }
        return (String(text), caret - lower + (lower > 0 ? 1 : 0))
    }

    /// Where keys of a reader begin in a line, or the end where there are none.
    ///
    /// Digits behind `keys` or `press`, and those of a line in which the name of another key follows
    /// a digit, may be a PIN, and are never shown.
    private func startOfKeys(from start: Int, to end: Int) -> Int {
        var begin = end
        var isAfterDigit = false
        for index in start..<end {
            if bytes[index] >= 0x30, bytes[index] <= 0x39 {
                isAfterDigit = true
            } else if bytes[index] != 0x20 {
                if isAfterDigit, Self.otherKeys.contains(where: { has($0, at: index) }) {
                    return start
                }
                isAfterDigit = false
            }
            if begin == end, Self.keyWords.contains(where: { has($0, at: index) }) { begin = index }
        }
        return begin
    }

    private static let keyWords = ["keys", "press"].map { Array($0.utf8) }
    private static let otherKeys = ["enter", "clear", "cancel"].map { Array($0.utf8) }

    /// Goes over at most so many characters of a line; returns how many there were, where they
    /// end, and whether the line ends there.
    private func walk(from start: Int, count: Int) -> (count: Int, end: Int, isEnd: Bool) {
        var found = 0
        var index = start
        while index < bytes.count, lineBreakLength(at: index) == 0 {
            if found == count { return (found, index, false) }
            index += 1
            while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
            found += 1
        }
        return (found, index, true)
    }

    private func lineBreakLength(at index: Int) -> Int {
        switch bytes[index] {
        case 0x0A: 1
        case 0x0D: has([0x0A], at: index + 1) ? 2 : 1
        case 0xC2: has([0x85], at: index + 1) ? 2 : 0
        case 0xE2: has([0x80, 0xA8], at: index + 1) || has([0x80, 0xA9], at: index + 1) ? 3 : 0
        default: 0
        }
    }

    private func has(_ expected: [UInt8], at index: Int) -> Bool {
        guard bytes.count - index >= expected.count else { return false }
        for offset in expected.indices where bytes[index + offset] != expected[offset] {
            return false
        }
        return true
    }
}
