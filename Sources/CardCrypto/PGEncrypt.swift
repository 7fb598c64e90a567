import CardData
import Cryptography

/// Encrypts a card for the gateway, so that the app and the merchant's server never hold it in
/// clear: the SDK's `PGEncrypt`.
///
/// Each call takes a fresh AES key, vector and padding from the generator that it is given: the
/// run's own where a run must be repeatable, the system's for real cards.
///
/// Source: SDK document, "PGEncrypt"; the form of the output was established on the vendor's
/// libraries (Lucra-Sports/EncryptCard and its tests), see ``PGEncryptedPayment``.
public struct PGEncrypt: Hashable, Sendable {
    /// The longest text that is encrypted, in bytes; a swipe has about 600.
    public static let maximumTextByteCount = 16_384

    private var key: PGEncryptKey?

    /// Creates an encryption without a key.
    public init() {}

    /// Creates an encryption with a key.
    public init(_ key: PGEncryptKey) { self.key = key }

    /// Sets the merchant's key from its string; SDK name `setKey:`.
    ///
    /// - Throws: ``PGEncryptKeyError`` when the string is no key; after that there is none, so that
    ///   no card is ever encrypted for a merchant who was meant to be replaced.
    public mutating func setKey(_ text: String) throws(PGEncryptKeyError) {
        key = nil
        key = try PGEncryptKey(text)
    }

    /// Encrypts a text of card fields, such as `ccnumber=…&ccexp=…`; SDK name `encrypt:`.
    ///
    /// - Parameters:
    ///   - text: The fields as they are; nothing is escaped.
    ///   - generator: Where key, vector and padding come from.
    /// - Returns: The value of the field `encrypted_payment`.
    /// - Throws: ``PGEncryptError`` without a key, for a text that is too long, or when the
    ///   library fails; never a text such as `Encryption Failed` in place of a cryptogram.
    public func encrypt(
        _ text: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) throws(PGEncryptError) -> String {
        guard let key, let publicKey = RSAPublicKey(certificate: key.certificate) else {
            throw .noKey
        }
        guard text.count <= Self.maximumTextByteCount else { throw .textTooLong }
        let cipherKey = Self.bytes(32, &generator)
        let vector = Self.bytes(AES.blockByteCount, &generator)
        let paddingCount = AES.blockByteCount - text.count % AES.blockByteCount
        let padding = [UInt8](repeating: UInt8(paddingCount), count: paddingCount)
        let block = Self.block(of: cipherKey, byteCount: publicKey.blockByteCount, &generator)
        guard let encryptedKey = publicKey.encrypt(block),
            let cryptogram = AES.encryptChain(text + padding, key: cipherKey, vector: vector)
        else { throw .libraryFailed }
        return PGEncryptedPayment(
            keyNumber: key.number,
            encryptedKey: encryptedKey,
            vector: vector,
            cryptogram: cryptogram
        ).text
    }

    /// The key as PKCS #1 pads it for encryption: 0, 2, random bytes that are not 0, 0, the key.
    ///
    /// Source: RFC 8017, section 7.2.1.
    private static func block(
        of key: [UInt8],
        byteCount: Int,
        _ generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var block: [UInt8] = [0, 2]
        block.reserveCapacity(byteCount)
        while block.count < byteCount - key.count - 1 {
            for byte in bytes(8, &generator)
            where byte != 0 && block.count < byteCount - key.count - 1 {
                block.append(byte)
            }
        }
        block.append(0)
        block.append(contentsOf: key)
        return block
    }

    private static func bytes(
        _ count: Int,
        _ generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let word = generator.next()
            for shift in stride(from: UInt64(56), through: 0, by: -8) where bytes.count < count {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return bytes
    }
}

/// Why a text was not encrypted.
public enum PGEncryptError: Error, Hashable, Sendable {
    /// No key was set, or the last one that was set was none.
    case noKey
    /// The text is longer than ``PGEncrypt/maximumTextByteCount``.
    case textTooLong
    /// The crypto library refused what it should take.
    case libraryFailed
}

extension PGEncryptError: CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String {
        switch self {
        case .noKey: "no key is set"
        case .textTooLong: "a card's fields have at most \(PGEncrypt.maximumTextByteCount) bytes"
        case .libraryFailed: "the crypto library failed"
        }
    }
}
