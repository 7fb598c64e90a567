/// The characters of a track: how many bits each has and where they begin in ASCII.
///
/// Source: ISO/IEC 7811-2, section 9 (characters, parity, LRC).
public enum StripeAlphabet: Hashable, Sendable {
    /// 64 characters from the blank on, with odd parity.
    case sevenBits
    /// 16 characters from `0` on, with odd parity.
    case fiveBits

    /// Bits of a character, its odd parity included.
    public var bitsPerCharacter: Int { self == .sevenBits ? 7 : 5 }

    /// The character of value 0.
    public var firstCharacter: UInt8 { self == .sevenBits ? 0x20 : 0x30 }

    /// The character that begins the data: `%` or `;`.
    public var startSentinel: UInt8 { self == .sevenBits ? 0x25 : 0x3B }

    /// The character that ends the data: `?`.
    public static let endSentinel: UInt8 = 0x3F

    /// The bits of a text: its characters, lowest bit first, each with odd parity, then the LRC.
    ///
    /// - Parameter text: The text with its sentinels and without the LRC, such as `;4111…?`.
    /// - Returns: `nil` when a character does not exist here or a sentinel is missing.
    public func bits(of text: some Collection<UInt8>) -> [Bool]? {
        guard text.count >= 2, text.first == startSentinel else { return nil }
        var bits: [Bool] = []
        bits.reserveCapacity((text.count + 1) * bitsPerCharacter)
        var lrc: UInt8 = 0
        var last: UInt8 = 0
        for character in text {
            guard character >= firstCharacter,
                character - firstCharacter < 1 << UInt8(bitsPerCharacter - 1)
            else { return nil }
            last = character
            lrc ^= character - firstCharacter
            append(character - firstCharacter, to: &bits)
        }
        guard last == Self.endSentinel else { return nil }
        append(lrc, to: &bits)
        return bits
    }

    private func append(_ value: UInt8, to bits: inout [Bool]) {
        var isOdd = false
        for bit in 0..<UInt8(bitsPerCharacter - 1) {
            let isSet = value >> bit & 1 == 1
            if isSet { isOdd.toggle() }
            bits.append(isSet)
        }
        bits.append(!isOdd)
    }

    /// Finds a text in a stream of bits.
    ///
    /// Each place where the start sentinel stands is tried; the first from which every character has
    /// odd parity up to an end sentinel, and whose LRC fits, is taken. Noise has that now and then:
    /// so four characters at least stand between the sentinels, and what stands before and after
    /// them is the stripe's zeros: of ten bits all but two, around a short text all.
    ///
    /// - Parameters:
    ///   - bits: The stripe's bits, from the beginning of the card.
    ///   - longest: The most characters of a text with its LRC.
    /// - Returns: The text with its sentinels and without the LRC; `nil` when no place gives one.
    /// - Complexity: O(bits × places with a sentinel), the latter cut short by the first bad parity.
    func text(in bits: [Bool], longest: Int) -> [UInt8]? {
        let width = bitsPerCharacter
        guard bits.count >= width * 3 else { return nil }
        for start in 0...(bits.count - width * 3)
        where value(bits, at: start) == startSentinel - firstCharacter {
            if let text = text(in: bits, from: start, longest) { return text }
        }
        return nil
    }

    private func text(in bits: [Bool], from start: Int, _ longest: Int) -> [UInt8]? {
        var text: [UInt8] = []
        var lrc: UInt8 = 0
        var place = start
        while let value = value(bits, at: place), text.count < longest {
            place += bitsPerCharacter
            lrc ^= value
            text.append(firstCharacter + value)
            if value == Self.endSentinel - firstCharacter, text.count > 1 {
                guard text.count >= 6, self.value(bits, at: place) == lrc else { return nil }
                let end = place + bitsPerCharacter
                let before = bits[max(0, start - 10)..<start].count { $0 }
                let after = bits[end..<min(bits.count, end + 10)].count { $0 }
                return max(before, after) <= (text.count < 16 ? 0 : 2) ? text : nil
            }
        }
        return nil
    }

    /// The character at a place; `nil` past the end or when its parity is even.
    private func value(_ bits: [Bool], at place: Int) -> UInt8? {
        guard place + bitsPerCharacter <= bits.count else { return nil }
        var value: UInt8 = 0
        var isOdd = false
        for bit in 0..<bitsPerCharacter where bits[place + bit] {
            isOdd.toggle()
            if bit < bitsPerCharacter - 1 { value |= 1 << UInt8(bit) }
        }
        return isOdd ? value : nil
    }
}
