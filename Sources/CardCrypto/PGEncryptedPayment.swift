import CardData
import Cryptography

/// What ``PGEncrypt`` gives, taken apart: the value of the field `encrypted_payment`.
///
/// In base 64 as a whole: `GWSC|1|number of the key|key|vector|cryptogram`, the last three in base
/// 64 each. The key is a fresh one for AES with 256 bits, encrypted with the merchant's RSA key
/// (PKCS #1 version 1.5); the cryptogram is in CBC mode with padding of PKCS #7.
///
/// Source: Lucra-Sports/EncryptCard, and its acceptance tests against the vendor's iOS library.
public struct PGEncryptedPayment: Hashable, Sendable {
    /// The longest value accepted, in characters.
    public static let maximumCharacterCount = 49_152

    /// What the vendor's library gives in place of a cryptogram when it has no usable key.
    ///
    /// Source: observed on the vendor's Android library; this code only recognises it.
    public static let failureText = "Encryption Failed"

    /// The number of the key, as text.
    public var keyNumber: String
    /// The encrypted AES key: as many bytes as the RSA key has.
    public var encryptedKey: [UInt8]
    /// The initialisation vector, 16 bytes.
    public var vector: [UInt8]
    /// The encrypted text, whole blocks of 16 bytes, at least one.
    public var cryptogram: [UInt8]

    /// Creates a value from its parts.
    public init(
        keyNumber: String,
        encryptedKey: [UInt8],
        vector: [UInt8],
        cryptogram: [UInt8]
    ) {
        self.keyNumber = keyNumber
        self.encryptedKey = encryptedKey
        self.vector = vector
        self.cryptogram = cryptogram
    }

    /// Reads the value of the field.
    ///
    /// - Throws: ``PGEncryptedPaymentError`` with the part at fault.
    /// - Complexity: O(*n*), where *n* is the number of characters.
    public init(_ characters: [UInt8]) throws(PGEncryptedPaymentError) {
        guard characters.count <= Self.maximumCharacterCount else { throw .tooLong }
        // An older copy of the vendor's class writes it with an underscore.
        let words = characters.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }
        guard !words.elementsEqual(Self.failureText.utf8) else { throw .failureText }
        guard let inner = Base64.decode(characters), !inner.isEmpty else { throw .invalidBase64 }
        let parts = inner.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        guard parts.count == 6 else { throw .wrongPartCount }
        guard parts[0].elementsEqual("GWSC".utf8) else { throw .unknownFormat }
        guard parts[1].elementsEqual("1".utf8) else { throw .unknownVersion }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...20).contains(parts[2].count), parts[2].allSatisfy({ digits.contains($0) }) else {
            throw .invalidKeyNumber
        }
        guard let key = Base64.decode(parts[3]), (128...512).contains(key.count) else {
            throw .invalidKey
        }
        guard let vector = Base64.decode(parts[4]), vector.count == AES.blockByteCount else {
            throw .invalidVector
        }
        guard let cryptogram = Base64.decode(parts[5]), !cryptogram.isEmpty,
            cryptogram.count % AES.blockByteCount == 0
        else { throw .invalidCryptogram }
        self.init(
            keyNumber: String(decoding: parts[2], as: UTF8.self),
            encryptedKey: key,
            vector: vector,
            cryptogram: cryptogram
        )
    }

    /// The value of the field; only letters, digits and `=`, whatever is in it.
    public var text: String {
        let parts = [encryptedKey, vector, cryptogram].map { Base64.text(of: $0) }
        let inner = "GWSC|1|\(keyNumber)|\(parts[0])|\(parts[1])|\(parts[2])"
        return Base64.text(of: Array(inner.utf8))
    }

    /// Returns the text that was encrypted, or `nil` when the key does not open it.
    func unmaskedText(decryptedWith key: RSAPrivateKey) -> [UInt8]? {
        guard let block = key.decrypt(encryptedKey), block[0] == 0, block[1] == 2,
            let end = block[2...].firstIndex(of: 0), end >= 10, block.count - end - 1 == 32,
            var text = AES.decryptChain(
                cryptogram,
                key: Array(block[(end + 1)...]),
                vector: vector
            ),
            let last = text.last, (1...AES.blockByteCount).contains(Int(last)),
            text.suffix(Int(last)).allSatisfy({ $0 == last })
        else { return nil }
        text.removeLast(Int(last))
        return text
    }
}

/// Why the value of `encrypted_payment` cannot be used.
public enum PGEncryptedPaymentError: Error, Hashable, Sendable, CaseIterable {
    /// It is longer than ``PGEncryptedPayment/maximumCharacterCount``.
    case tooLong
    /// It is the vendor's text for "no usable key": the app sent it without looking.
    case failureText
    /// It is not base 64.
    case invalidBase64
    /// It has not six parts.
    case wrongPartCount
    /// It does not begin with `GWSC`.
    case unknownFormat
    /// Its version is not 1.
    case unknownVersion
    /// The number of the key is not one to twenty digits.
    case invalidKeyNumber
    /// The encrypted key is not base 64 of 128 to 512 bytes.
    case invalidKey
    /// The vector is not base 64 of 16 bytes.
    case invalidVector
    /// The cryptogram is not base 64 of whole blocks.
    case invalidCryptogram
    /// The private key does not open it.
    case undecryptable
}

extension PGEncryptedPaymentError: CustomStringConvertible {
    /// One sentence without a full stop; nothing of the value.
    public var description: String {
        switch self {
        case .tooLong: "at most \(PGEncryptedPayment.maximumCharacterCount) characters are read"
        case .failureText: "this is the vendor's text for a missing key, not a cryptogram"
        case .invalidBase64: "expected base 64"
        case .wrongPartCount: "expected six parts between `|`"
        case .unknownFormat: "expected the format `GWSC`"
        case .unknownVersion: "expected the version 1"
        case .invalidKeyNumber: "expected the number of a key, one to twenty digits"
        case .invalidKey: "expected the encrypted key, base 64 of 128 to 512 bytes"
        case .invalidVector: "expected the vector, base 64 of 16 bytes"
        case .invalidCryptogram: "expected the cryptogram, base 64 of whole blocks of 16 bytes"
        case .undecryptable: "the private key does not open it, or it was damaged"
        }
    }
}
