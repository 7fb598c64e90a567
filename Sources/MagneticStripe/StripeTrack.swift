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

    /// The characters to look for, the usual ones first: licences have seven bits on track 3, and
    /// readers know such texts on track 2 too.
    ///
    /// Source: AAMVA DL/ID 2000 (track 3).
    var alphabets: [StripeAlphabet] {
        self == .one ? [.sevenBits] : [.fiveBits, .sevenBits]
    }

    /// The most characters with sentinels and LRC.
    public var maximumCharacterCount: Int {
        switch self {
        case .one: 79
        case .two: 40
        case .three: 107
        }
    }

    /// The bits of a text on this track, its LRC included.
    ///
    /// - Parameter text: The text with its sentinels and without the LRC, such as `;4111…?`; one that
    ///   begins with `%` has characters of seven bits.
    /// - Returns: `nil` when a character does not exist on this track, a sentinel is missing or the
    ///   text is too long.
    public func bits(of text: some Collection<UInt8>) -> [Bool]? {
        guard text.count < maximumCharacterCount else { return nil }
        for alphabet in alphabets where text.first == alphabet.startSentinel {
            return alphabet.bits(of: text)
        }
        return nil
    }

    /// Finds the text in a stream of bits; see ``StripeAlphabet/text(in:longest:)``.
    public func text(in bits: [Bool]) -> [UInt8]? {
        for alphabet in alphabets {
            if let text = alphabet.text(in: bits, longest: maximumCharacterCount) { return text }
        }
        return nil
    }
}
