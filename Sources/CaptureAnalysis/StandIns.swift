import CardData

/// What stands in a redacted file in the place of secrets: of the same length, the same for the same
/// secret throughout one file, and valid where the secret was.
///
/// | secret | stand-in |
/// | --- | --- |
/// | card number | its first six and last four digits, zeros between, one of them changed so that the Luhn check holds |
/// | a word of a name | a capital and `X`s: the first word is `AXXX…`, the next other one `BXXX…` |
/// | serial number | zeros for digits and `X` for letters, but for its last three characters |
/// | discretionary data, security codes, PIN blocks, keys | zeros |
///
/// Expiration date and service code stay: without the number they say nothing.
public struct StandIns: Hashable, Sendable {
    /// The most secrets of one kind that are kept apart in ``secrets``.
    public static let secretLimit = 65_536

    /// What was replaced so far, each once, in the order found.
    public private(set) var secrets: [[UInt8]] = []
    private var words: [[UInt8]] = []
    private var serials: [[UInt8]] = []

    /// Creates stand-ins for a file of which nothing was read.
    public init() {}

    // MARK: Numbers

    /// Returns the stand-in of a card number in ASCII digits; `nil` when it is masked already or no
    /// card number.
    mutating func cardNumber(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard 12...19 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        let number = digits.map { $0 - 0x30 }
        let middle = 6..<number.count - 4
        guard middle.count > 1, number[middle].count(where: { $0 != 0 }) > 1 else { return nil }
        let wasValid = Self.luhnSum(number) % 10 == 0
        var standIn = number
        for index in middle { standIn[index] = 0 }
        if wasValid {
            let place = middle.upperBound - 1
            for digit in UInt8(0)...9 {
                standIn[place] = digit
                if Self.luhnSum(standIn) % 10 == 0 { break }
            }
        }
        note(Array(digits))
        return standIn.map { $0 + 0x30 }
    }

    /// Whether digits in ASCII pass the Luhn check.
    static func isLuhnValid(_ digits: ArraySlice<UInt8>) -> Bool {
        luhnSum(digits.map { $0 &- 0x30 }) % 10 == 0
    }

    private static func luhnSum(_ digits: [UInt8]) -> Int {
        var sum = 0
        for (index, digit) in digits.reversed().enumerated() {
            let value = index % 2 == 1 ? Int(digit) * 2 : Int(digit)
            sum += value > 9 ? value - 9 : value
        }
        return sum
    }

    // MARK: Names

    /// Returns a name with each of its words replaced; signs and blanks stay.
    mutating func name(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var output = Array(name)
        var start = 0
        while start < output.count {
            guard Self.isLetter(output[start]) else {
                start += 1
                continue
            }
            var end = start
            while end < output.count, Self.isLetter(output[end]) { end += 1 }
            replaceWord(&output, start..<end)
            start = end
        }
        return output
    }

    private mutating func replaceWord(_ output: inout [UInt8], _ range: Range<Int>) {
        let word = output[range].map(Self.capital)
        // What stands in already has the form that a stand-in has.
        let isStandIn = word.count > 1 && word.dropFirst().allSatisfy { $0 == UInt8(ascii: "X") }
        guard !isStandIn else { return }
        let number: Int
        if let known = words.firstIndex(of: word) {
            number = known
        } else if words.count < Self.secretLimit {
            number = words.count
            words.append(word)
            if word.count > 2 { note(word) }
        } else {
            number = 0
        }
        for index in range {
            let isFirst = index == range.lowerBound
            let letter = isFirst ? UInt8(ascii: "A") + UInt8(number % 26) : UInt8(ascii: "X")
            let isSmall = output[index] >= 0x61
            output[index] = isSmall && letter < 0x5B ? letter + 0x20 : letter
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte >= 0x80
    }

    private static func capital(_ byte: UInt8) -> UInt8 {
        0x61...0x7A ~= byte ? byte - 0x20 : byte
    }

    // MARK: Serial numbers

    /// Returns the stand-in of a serial number; its last three characters stay, since a reader's
    /// name on Bluetooth has them, and so does what is not printable.
    mutating func serial(_ serial: ArraySlice<UInt8>) -> [UInt8] {
        let own = Array(serial.prefix { $0 != 0 })
        var output = Array(serial)
        for index in output.indices.prefix(max(0, own.count - 3)) {
            let byte = output[index]
            if 0x30...0x39 ~= byte {
                output[index] = 0x30
            } else if Self.isLetter(byte) {
                output[index] = UInt8(ascii: "X")
            }
        }
        guard output != Array(serial) else { return output }
        if serials.count < Self.secretLimit, !serials.contains(own) { serials.append(own) }
        note(own)
        return output
    }

    /// The serial numbers found so far, for texts that say them as well.
    var knownSerials: [[UInt8]] { serials }

    // MARK: Anything else

    /// Replaces words of names, serial numbers and card numbers that are known by now, where no
    /// message tells what is what: in damaged ones.
    mutating func replaceKnown(_ bytes: inout [UInt8], in range: Range<Int>) {
        for word in words where word.count > 3 {
            for place in Self.places(of: word, in: bytes, range, ignoringCase: true) {
                replaceWord(&bytes, place..<place + word.count)
            }
        }
        for serial in serials where serial.count > 3 {
            for place in Self.places(of: serial, in: bytes, range) {
                bytes.replaceSubrange(place..<place + serial.count, with: self.serial(serial[...]))
            }
        }
        for number in secrets where 12...19 ~= number.count {
            guard let standIn = cardNumber(number[...]) else { continue }
            for place in Self.places(of: number, in: bytes, range) {
                bytes.replaceSubrange(place..<place + number.count, with: standIn)
            }
            let packed = Self.packed(number)
            for place in Self.places(of: packed, in: bytes, range) {
                bytes.replaceSubrange(
                    place..<place + packed.count,
                    with: Self.packed(standIn)
                )
            }
        }
    }

    /// Two digits in a byte; of an odd number the last one is left out.
    static func packed(_ digits: [UInt8]) -> [UInt8] {
        stride(from: 0, to: digits.count - 1, by: 2).map {
            (digits[$0] & 15) << 4 | digits[$0 + 1] & 15
        }
    }

    private static func places(
        of needle: [UInt8],
        in bytes: [UInt8],
        _ range: Range<Int>,
        ignoringCase: Bool = false
    ) -> [Int] {
        guard !needle.isEmpty, range.count >= needle.count else { return [] }
        return (range.lowerBound...range.upperBound - needle.count).filter { start in
            for offset in needle.indices {
                let byte = bytes[start + offset]
                guard (ignoringCase ? capital(byte) : byte) == needle[offset] else { return false }
            }
            return true
        }
    }

    /// Notes a secret that was replaced by zeros.
    mutating func note(_ secret: [UInt8]) {
        guard secrets.count < Self.secretLimit, !secrets.contains(secret) else { return }
        secrets.append(secret)
    }
}
