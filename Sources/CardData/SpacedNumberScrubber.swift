/// Hides card numbers whose digits are held apart by other signs than blanks and dashes, or by
/// escapes of URLs; see ``SafeText/init(scrubbing:)``.
struct SpacedNumberScrubber {
    /// What stands at a position of the text.
    private enum Sign {
        /// A digit; its last byte is the one that is replaced.
        case digit(UInt8, lastByte: Int)
        /// A sign that may stand between two digits; it is close when numbers are often written so.
        case separator(UInt32, isClose: Bool)
        case other
    }

    /// The digits with one separator at most between each two, and where they stand.
    private struct Run {
        var digits: [UInt8] = []
        var places: [Int] = []
        /// The indices of digits that a separator stands before, 0 among them.
        var groupStarts: [Int] = [0]
        var isClose = true
        var end = 0
    }

    private static let digitCounts = 13...19

    private(set) var bytes: [UInt8]
    private(set) var hasChanged = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Hides what is found.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    mutating func scrub() {
        var position = 0
        while position < bytes.count {
            let (sign, width) = sign(at: position)
            guard case .digit = sign else {
                position += width
                continue
            }
            let run = run(from: position)
            if run.digits.count >= Self.digitCounts.lowerBound { hideNumbers(of: run) }
            position = run.end
        }
    }

    private func run(from start: Int) -> Run {
        var run = Run()
        var position = start
        while true {
            while case (.digit(let digit, let place), let width) = sign(at: position) {
                run.digits.append(digit)
                run.places.append(place)
                position += width
            }
            run.end = position
            guard case (.separator(let value, let isClose), let width) = sign(at: position) else {
                return run
            }
            position += width
            // The same sign may stand there more than once, as blanks do.
            for _ in 0..<2 {
                guard case (.separator(value, _), let width) = sign(at: position) else { break }
                position += width
            }
            guard case (.digit, _) = sign(at: position) else { return run }
            run.groupStarts.append(run.digits.count)
            run.isClose = run.isClose && isClose
        }
    }

    /// Hides the run when it is a number as a whole, and else each number of whole groups in it.
    ///
    /// Amounts, dates and addresses stand between such signs as well: within a run only groups of
    /// four and more digits, but for the last, are taken for a number's.
    private mutating func hideNumbers(of run: Run) {
        if run.isClose, isNumber(run.digits[...]) { return hide(run, run.digits.indices) }
        var first = 0
        while first < run.groupStarts.count {
            let start = run.groupStarts[first]
            var found: Int?
            var next = first + 1
            while next <= run.groupStarts.count {
                let end = next < run.groupStarts.count ? run.groupStarts[next] : run.digits.count
                guard end - start <= Self.digitCounts.upperBound else { break }
                if isNumber(run.digits[start..<end]) { found = next }
                guard end - run.groupStarts[next - 1] >= 4 else { break }
                next += 1
            }
            if let found {
                let isLast = found == run.groupStarts.count
                hide(run, start..<(isLast ? run.digits.count : run.groupStarts[found]))
            }
            first = found ?? first + 1
        }
    }

    /// Whether digits pass the Luhn check and are not masked already.
    private func isNumber(_ digits: ArraySlice<UInt8>) -> Bool {
        guard Self.digitCounts.contains(digits.count) else { return false }
        let middle = digits.dropFirst(6).dropLast(4)
        guard middle.lazy.filter({ $0 != 0 }).count > 1 else { return false }
        var sum = 0
        for (nth, digit) in digits.reversed().enumerated() {
            let value = Int(digit) << (nth & 1)
            sum += value > 9 ? value - 9 : value
        }
        return sum % 10 == 0
    }

    private mutating func hide(_ run: Run, _ digits: Range<Int>) {
        for index in digits.dropFirst(6).dropLast(4) { bytes[run.places[index]] = 0x2A }
        hasChanged = true
    }

    // MARK: Signs

    private func sign(at position: Int) -> (Sign, width: Int) {
        guard position < bytes.count else { return (.other, 1) }
        let byte = bytes[position]
        if byte == UInt8(ascii: "%"), let (first, width) = escape(at: position) {
            return escapedSign(first, at: position, width)
        }
        guard byte >= 0x80 else { return (Self.sign(of: byte, lastByte: position), 1) }
        var end = position + 1
        var value = UInt32(byte)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80, end < position + 4 {
            value = value << 6 ^ UInt32(bytes[end])
            end += 1
        }
        return (.separator(value, isClose: true), end - position)
    }

    /// The sign of an escape, with those of the further bytes of its character.
    private func escapedSign(_ first: UInt8, at position: Int, _ width: Int) -> (Sign, width: Int) {
        guard first >= 0x80 else {
            return (Self.sign(of: first, lastByte: position + width - 1), width)
        }
        var width = width
        var value = UInt32(first)
        for _ in 0..<3 {
            guard let (byte, more) = escape(at: position + width), byte & 0xC0 == 0x80 else {
                break
            }
            value = value << 6 ^ UInt32(byte)
            width += more
        }
        return (.separator(value, isClose: true), width)
    }

    /// The byte that `%` and two hexadecimal digits stand for, escaped however often.
    private func escape(at position: Int) -> (byte: UInt8, width: Int)? {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "%") else { return nil }
        var place = position + 1
        while byte(at: place) == UInt8(ascii: "%"), byte(at: place + 2) != nil { place += 2 }
        return byte(at: place).map { ($0, place + 2 - position) }
    }

    /// The byte that two hexadecimal digits at a position stand for.
    private func byte(at position: Int) -> UInt8? {
        guard position + 1 < bytes.count, let high = Hexadecimal.value(of: bytes[position]),
            let low = Hexadecimal.value(of: bytes[position + 1])
        else { return nil }
        return high << 4 | low
    }

    private static func sign(of byte: UInt8, lastByte: Int) -> Sign {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            .digit(byte - UInt8(ascii: "0"), lastByte: lastByte)
        case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "/"), UInt8(ascii: "+"):
            .separator(UInt32(byte), isClose: true)
        // A masked digit, and what ends the number of a track and the name or value of a form.
        case UInt8(ascii: "*"), UInt8(ascii: "="), UInt8(ascii: "^"), UInt8(ascii: "&"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            .other
        default: .separator(UInt32(byte), isClose: false)
        }
    }
}
