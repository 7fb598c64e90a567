/// Text that may be printed, journalled and stored, because only a masking type can make it.
///
/// There is no way from a string made at run time to a `SafeText` but ``init(scrubbing:)``, and from
/// bytes but ``init(wireBytes:)``.
/// Equality and hashing go by the characters, however the text was made.
public struct SafeText: Sendable {
    private enum Storage: Sendable {
        case literal(StaticString)
        case masked(MaskedCardNumber)
        case text(String)
    }

    private let storage: Storage

    /// Creates text from a literal of the source code; nothing is copied.
    public init(_ literal: StaticString) { storage = .literal(literal) }

    /// Creates the text of a masked card number; nothing is allocated.
    public init(_ number: MaskedCardNumber) { storage = .masked(number) }

    /// Creates the text of an amount, such as `10.99`.
    public init(_ amount: Amount) { storage = .text(amount.description) }

    /// Creates the text of an expiration date, `MMYY`.
    public init(_ date: ExpirationDate) { storage = .text(date.description) }

    /// Creates the decimal text of an integer; integers that look like card numbers are scrubbed.
    public init(_ integer: Int) { self.init(scrubbing: String(integer)) }

    /// Creates text from any string, hiding what could be a card number.
    ///
    /// Runs of digits, with single spaces or dashes between them, lose their middle to `*` when
    /// they have 13 digits or more, or 12 that pass the Luhn check, unless they are masked already
    /// (at most one digit other than 0 between the first six and the last four). So do 13 to 19
    /// digits that pass the Luhn check with another sign between them, or an escape of a URL:
    /// `.`, `_`, `/`, `+` or a sign beyond ASCII however they are grouped, others in groups of four
    /// and more. Of a track, what follows the expiration date goes too. Control characters and
    /// those that turn the direction of writing become U+FFFD.
    /// - Complexity: O(*n*) in the length of the string.
    public init(scrubbing text: String) { storage = .text(Scrubber.scrub(text)) }

    /// Creates the hexadecimal text of bytes that are no card data in any encoding: cryptograms,
    /// key serial numbers, status bits.
    ///
    /// Digits in it are digits of the encoding, and nothing is hidden; bytes that may be a track or
    /// a number go another way.
    public init(wireBytes bytes: some Collection<UInt8>) {
        storage = .text(Hexadecimal.encode(bytes))
    }

    /// Adds the text as UTF-8 at the end of a buffer.
    public func append(to bytes: inout [UInt8]) {
        switch storage {
        case .literal(let literal): bytes.append(contentsOf: literal.description.utf8)
        case .masked(let number): number.append(to: &bytes)
        case .text(let text): bytes.append(contentsOf: text.utf8)
        }
    }
}

extension SafeText: Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The text itself.
    public var description: String {
        switch storage {
        case .literal(let literal): literal.description
        case .masked(let number): number.description
        case .text(let text): text
        }
    }

    /// The text itself.
    public var debugDescription: String { description }

    /// Compares the characters, whatever the texts were made from.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.storage, right.storage) {
        case (.masked(let left), .masked(let right)): left == right
        case (.text(let left), .text(let right)): left == right
        case (.literal, _), (.masked, _), (.text, _): left.description == right.description
        }
    }

    /// Hashes the characters, whatever the text was made from.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
