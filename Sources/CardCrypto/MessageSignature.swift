import CardData
import Cryptography

/// The keyed code by which the receiver of a message knows its sender: HMAC over SHA-256.
///
/// Source: FIPS 198-1.
public enum MessageSignature {
    /// Returns the code of a message in 64 lower-case hexadecimal digits.
    public static func hexadecimal(of message: [UInt8], key: [UInt8]) -> String {
        Hexadecimal.encode(HMACSHA256.code(of: message, key: key)).lowercased()
    }
}

/// Text that lies in a file under a key of the merchant's, so that no card's number lies there in
/// clear.
///
/// It keeps numbers from being read, and changes from going unseen; the same text always gives the
/// same letters.
public struct TextSeal: Sendable {
    private let cipherKey: [UInt8]
    private let codeKey: [UInt8]

    /// Creates a seal whose keys come from a secret.
    public init(secret: String) {
        let secret = Array(secret.utf8)
        cipherKey = HMACSHA256.code(of: Array("seal".utf8), key: secret)
        codeKey = HMACSHA256.code(of: Array("code".utf8), key: secret)
    }

    /// Returns the sealed form of bytes, in base 64: a code of 16 bytes, which is the vector too,
    /// and the cryptogram.
    public func seal(_ bytes: [UInt8]) -> String {
        let code = Array(HMACSHA256.code(of: bytes, key: codeKey).prefix(AES.blockByteCount))
        let paddingCount = AES.blockByteCount - bytes.count % AES.blockByteCount
        let padded = bytes + [UInt8](repeating: UInt8(paddingCount), count: paddingCount)
        let cryptogram = AES.encryptChain(padded, key: cipherKey, vector: code) ?? []
        return Base64.text(of: code + cryptogram)
    }

    /// Returns the bytes of a sealed form, or `nil` when it was made with another secret or changed.
    public func open(_ text: String) -> [UInt8]? {
        guard let all = Base64.decode(text.utf8), all.count >= 2 * AES.blockByteCount else {
            return nil
        }
        let code = Array(all.prefix(AES.blockByteCount))
        let cryptogram = Array(all.dropFirst(AES.blockByteCount))
        guard var bytes = AES.decryptChain(cryptogram, key: cipherKey, vector: code),
            let last = bytes.last, (1...AES.blockByteCount).contains(Int(last))
        else { return nil }
        bytes.removeLast(Int(last))
        let expected = HMACSHA256.code(of: bytes, key: codeKey).prefix(AES.blockByteCount)
        return expected.elementsEqual(code) ? bytes : nil
    }
}

extension TextSeal: CustomStringConvertible, CustomReflectable {
    /// No part of the keys.
    public var description: String { "seal" }

    /// A mirror without children, so that reflection shows no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
