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
    package func excerpt(at location: SourceLocation) -> (text: String, caretOffset: Int) {
        guard location.line >= 1, location.line <= starts.count else { return ("", 0) }
        let start = starts[location.line - 1]
        var end = start
        while end < bytes.count, lineBreakLength(at: end) == 0 { end += 1 }
        let line = Array(String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars)
        let caret = max(0, min(location.column - 1, line.count))
        let lower =
            line.count > Self.maximumShownCount ? max(0, caret - Self.maximumShownCount / 2) : 0
        let upper = min(line.count, lower + Self.maximumShownCount)
        var text = String.UnicodeScalarView()
        if lower > 0 { text.append("…") }
        for scalar in line[lower..<upper] { text.append(scalar == "\t" ? "→" : scalar) }
        if upper < line.count { text.append("…") }
        return (String(text), caret - lower + (lower > 0 ? 1 : 0))
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
