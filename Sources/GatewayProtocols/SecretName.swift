import CardData

/// The names of what must not be shown: security codes, tracks, keys and passwords.
///
/// A name is taken apart as people write it: case, dots, dashes, underscores, brackets and the
/// humps of `cardCode` make no difference. Which words count is ours; to show too little is the
/// mistake that harms nobody.
enum SecretName {
    /// What makes a name a secret's wherever it stands in it, without signs.
    private static let parts = [
        "cvv", "cvc", "cvn", "cvd", "verification", "securitycode", "cardcode", "privatekey",
        "securitykey", "secretkey", "apikey", "password", "passwd", "passphrase", "secret",
        "pinblock", "cardpin", "magneprint", "trackdata",
    ]
    /// What makes a name a secret's when it is a word of its own.
    private static let words = [
        "csc", "cid", "pin", "iban", "ssn", "track", "track1", "track2", "track3", "pwd",
    ]
    /// How the names of card and account numbers end, without signs.
    private static let numberEnds = [
        "accountnumber", "cardnumber", "ccnumber", "cardno", "accountno", "cardnum", "ccnum",
    ]

    /// Whether a value of this name is shown by its length only.
    static func isSecret(_ name: String) -> Bool {
        let letters = letters(of: name)
        return parts.contains { letters.contains($0.utf8) }
            || wordsOf(name).contains { words.contains($0) }
    }

    /// Whether a value of this name is a card's or an account's number.
    static func isNumber(_ name: String) -> Bool {
        let letters = letters(of: name)
        return numberEnds.contains { letters.reversed().starts(with: $0.utf8.reversed()) }
            || wordsOf(name).last == "pan"
    }

    /// The value of a field as it may be shown.
    ///
    /// A secret is its length, and so is a text in which one has its name beside it: a query in a
    /// return URL, JSON in a form. A number is masked.
    static func masked(_ name: String, _ value: [UInt8]) -> SafeText {
        let text = String(decoding: value, as: UTF8.self)
        if isSecret(name) || namesSecret(text) { return length(value) }
        let isAccount = wordsOf(name).last == "account"
        if isAccount, value.count >= 5, value.allSatisfy({ $0 == 0x20 || isDigit($0) }) {
            return length(value)
        }
        guard isNumber(name) else { return SafeText(scrubbing: text) }
        let digits = value.filter { $0 != 0x20 && $0 != 0x2D }
        return PAN(digits).map { SafeText(scrubbing: $0.description) } ?? length(value)
    }

    /// A text that is no value, without the secrets in it.
    static func masked(_ text: String) -> SafeText { masked("", Array(text.utf8)) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func length(_ value: [UInt8]) -> SafeText {
        SafeText(scrubbing: "\(value.count) characters")
    }

    /// Whether a secret's name stands in a text with `=` or `:` after it, escaped however often.
    private static func namesSecret(_ text: String) -> Bool {
        let bytes = unescaped(Array(text.utf8))
        let places = bytes.indices.filter { letter(bytes[$0]) != nil }
        let letters = places.compactMap { letter(bytes[$0]) }
        func isNamed(_ name: String, isWord: Bool) -> Bool {
            let name = Array(name.utf8)
            guard letters.count >= name.count else { return false }
            for start in 0...(letters.count - name.count)
            where letters[start..<(start + name.count)].elementsEqual(name) {
                let first = places[start]
                let last = places[start + name.count - 1]
                if last - first > name.count + 3 { continue }
                if isWord, first > 0, letter(bytes[first - 1]) != nil { continue }
                if isAssigned(bytes[(last + 1)...], isWord: isWord) { return true }
            }
            return false
        }
        return parts.contains { isNamed($0, isWord: false) }
            || words.contains { isNamed($0, isWord: true) }
    }

    /// Whether what follows a name begins with `=` or `:`, after the rest of the name and its
    /// quotes and brackets.
    private static func isAssigned(_ rest: ArraySlice<UInt8>, isWord: Bool) -> Bool {
        for byte in rest.prefix(16) {
            switch byte {
            case UInt8(ascii: "="), UInt8(ascii: ":"): return true
            case UInt8(ascii: "]"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "'"),
                UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "\\"),
                UInt8(ascii: " "), UInt8(ascii: "+"), 0x09...0x0D, UInt8(ascii: ")"):
                continue
            default:
                if isWord || letter(byte) == nil { return false }
            }
        }
        return false
    }

    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<4 where bytes.contains(UInt8(ascii: "%")) {
            var plain: [UInt8] = []
            plain.reserveCapacity(bytes.count)
            var index = 0
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                    let high = bytes[index + 1].hexDigitValue,
                    let low = bytes[index + 2].hexDigitValue
                {
                    plain.append(high << 4 | low)
                    index += 3
                } else {
                    plain.append(bytes[index])
                    index += 1
                }
            }
            bytes = plain
        }
        return bytes
    }

    /// A letter in lower case, or a digit; `nil` for other signs.
    private static func letter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39, 0x61...0x7A: byte
        case 0x41...0x5A: byte | 0x20
        default: nil
        }
    }

    private static func letters(of name: String) -> [UInt8] {
        unescaped(Array(name.utf8)).compactMap(letter)
    }

    /// The words of a name, in lower case.
    private static func wordsOf(_ name: String) -> [String] {
        var words: [[UInt8]] = [[]]
        var isAfterSmall = false
        for byte in unescaped(Array(name.utf8)) {
            let isCapital = (0x41...0x5A).contains(byte)
            guard let letter = letter(byte) else {
                words.append([])
                isAfterSmall = false
                continue
            }
            if isCapital, isAfterSmall { words.append([]) }
            words[words.count - 1].append(letter)
            isAfterSmall = !isCapital
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
}
