import CardData
import Cryptography

/// The key of a merchant for ``PGEncrypt``: a number, and a certificate.
///
/// It is public: anybody may encrypt for the gateway. The dates and names of the certificate are
/// not looked at, as the vendor's library does not look at them.
///
/// Source: SDK document, "Payment Gateway Mobile SDK", `setKey:`, an example of a key string.
public struct PGEncryptKey: Hashable, Sendable {
    /// The longest key string, in characters; one with a key of 4,096 bits has about 2,000.
    public static let maximumCharacterCount = 16_384

    /// The key's number, one to twenty decimal digits, by which the gateway finds its own half.
    public let number: String
    /// The X.509 certificate in DER, with an RSA key of 1,024 to 4,096 bits.
    public let certificate: [UInt8]

    /// Creates a key from its number and certificate.
    ///
    /// - Throws: ``PGEncryptKeyError``, see ``init(_:)``.
    public init(number: String, certificate: [UInt8]) throws(PGEncryptKeyError) {
        let digits = number.utf8
        guard (1...20).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw PGEncryptKeyError(code: .invalidNumber, offset: 3) }
        guard RSAPublicKey(certificate: certificate) != nil else {
            throw PGEncryptKeyError(code: .notACertificate, offset: 4 + digits.count)
        }
        self.number = number
        self.certificate = certificate
    }

    /// Reads a key string, `***number|certificate in base 64***`.
    ///
    /// - Throws: ``PGEncryptKeyError`` where the string is no key. The vendor's library accepts
    ///   some of those and then gives the text `Encryption Failed` in place of every cryptogram.
    public init(_ text: String) throws(PGEncryptKeyError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumCharacterCount else {
            throw PGEncryptKeyError(code: .tooLong, offset: Self.maximumCharacterCount)
        }
        let stars = [UInt8](repeating: UInt8(ascii: "*"), count: 3)
        guard bytes.starts(with: stars) else {
            throw PGEncryptKeyError(code: .missingAsterisks, offset: 0)
        }
        guard bytes.count >= 6, bytes.suffix(3).elementsEqual(stars) else {
            throw PGEncryptKeyError(code: .missingAsterisks, offset: max(3, bytes.count - 3))
        }
        let inner = bytes[3..<(bytes.count - 3)]
        guard let bar = inner.firstIndex(of: UInt8(ascii: "|")) else {
            throw PGEncryptKeyError(code: .missingSeparator, offset: inner.endIndex)
        }
        guard let certificate = Base64.decode(inner[(bar + 1)...]) else {
            throw PGEncryptKeyError(code: .invalidBase64, offset: bar + 1)
        }
        try self.init(
            number: String(decoding: inner[..<bar], as: UTF8.self),
            certificate: certificate
        )
    }

    /// The key string, as a merchant gets it and ``init(_:)`` reads it.
    public var text: String { "***\(number)|\(Base64.text(of: certificate))***" }
}

/// Why a text is no key of a merchant.
public struct PGEncryptKeyError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The string does not begin and end with three asterisks; a line feed after them counts.
        case missingAsterisks
        /// There is no `|` between number and certificate.
        case missingSeparator
        /// The number is not one to twenty decimal digits.
        case invalidNumber
        /// The certificate is not in base 64 with padding.
        case invalidBase64
        /// The bytes are no X.509 certificate with an RSA key of 1,024 to 4,096 bits.
        case notACertificate
        /// The string is longer than ``PGEncryptKey/maximumCharacterCount``.
        case tooLong
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The position of the part at fault in the string.
    public var offset: Int

    /// Creates an error.
    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension PGEncryptKeyError: CustomStringConvertible {
    /// One sentence without a full stop, and without the offset.
    public var description: String {
        switch code {
        case .missingAsterisks: "the key must begin and end with three asterisks"
        case .missingSeparator: "expected `***number|certificate***`, found no `|`"
        case .invalidNumber: "expected the key's number, one to twenty digits, before `|`"
        case .invalidBase64: "expected the certificate in base 64 after `|`"
        case .notACertificate:
            "expected an X.509 certificate with an RSA key of 1024 to 4096 bits after `|`"
        case .tooLong: "a key has at most \(PGEncryptKey.maximumCharacterCount) characters"
        }
    }
}
