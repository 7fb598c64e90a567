/// One of the three tracks of a magnetic stripe: how dense it is and what a character is on it.
///
/// Source: ISO/IEC 7811-2 and 7811-6 (densities, characters, where data begins), 7813 (lengths).
public enum StripeTrack: Int, Hashable, Sendable, CaseIterable {
    /// 210 bits an inch, 7 bits a character.
    case one = 1
    /// 75 bits an inch, 5 bits a character.
    case two
    /// 210 bits an inch, 5 bits a character.
    case three

    /// Bits in one inch of stripe.
    public var bitsPerInch: Int {
        switch self {
        case .one, .three: 210
        case .two: 75
        }
    }

    /// Bits of a character, its odd parity included.
    public var bitsPerCharacter: Int {
        switch self {
        case .one: 7
        case .two, .three: 5
        }
    }

    /// The character of value 0: a blank on track 1, `0` on the others.
    public var firstCharacter: UInt8 {
        switch self {
        case .one: 0x20
        case .two, .three: 0x30
        }
    }

    /// The character that begins the data: `%` or `;`.
    public var startSentinel: UInt8 {
        switch self {
        case .one: 0x25
        case .two, .three: 0x3B
        }
    }

    /// The character that ends the data: `?`.
    public static let endSentinel: UInt8 = 0x3F

    /// The most characters with sentinels and LRC.
    public var maximumCharacterCount: Int {
        switch self {
        case .one: 79
        case .two: 40
        case .three: 107
        }
    }

    /// The bits of a track: its characters, lowest bit first, each with odd parity, then the LRC.
    ///
    /// - Parameter text: The track with its sentinels and without the LRC, such as `;4111…?`.
    /// - Returns: `nil` when a character does not exist on this track, a sentinel is missing or the
    ///   text is too long.
    public func bits(of text: some Collection<UInt8>) -> [Bool]? {
        guard text.count >= 2, text.count < maximumCharacterCount, text.first == startSentinel
        else { return nil }
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

    /// Finds the track in a stream of bits.
    ///
    /// Each place where the start sentinel stands is tried; the first from which every character has
    /// odd parity up to an end sentinel, and whose LRC fits, is taken. Noise has that now and then:
    /// so four characters at least stand between the sentinels, and what stands before and after
    /// them is the stripe's zeros: of ten bits all but two, around a short text all.
    ///
    /// - Returns: The text with its sentinels and without the LRC; `nil` when no place gives one.
    /// - Complexity: O(bits × places with a sentinel), the latter cut short by the first bad parity.
    public func text(in bits: [Bool]) -> [UInt8]? {
        let width = bitsPerCharacter
        guard bits.count >= width * 3 else { return nil }
        for start in 0...(bits.count - width * 3)
        where value(bits, at: start) == startSentinel - firstCharacter {
            if let text = text(in: bits, from: start) { return text }
        }
        return nil
    }

    private func text(in bits: [Bool], from start: Int) -> [UInt8]? {
        var text: [UInt8] = []
        var lrc: UInt8 = 0
        var place = start
        while let value = value(bits, at: place), text.count < maximumCharacterCount {
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
