// Called by anyone, on any thread; each call has a context of its own.
import CLibCrypto

/// The Advanced Encryption Standard in CBC mode over whole blocks of 16 bytes, through libcrypto.
///
/// Nothing is padded here; who needs padding adds it.
/// Source: FIPS 197; NIST SP 800-38A, section 6.2; EVP_EncryptInit(3) of OpenSSL 3.0.
public enum AES {
    /// The size of a block, and of an initialisation vector, in bytes.
    public static let blockByteCount = 16

    /// Encrypts whole blocks.
    ///
    /// - Parameters:
    ///   - text: The clear blocks; a multiple of 16 bytes.
    ///   - key: 16, 24 or 32 bytes.
    ///   - vector: The initialisation vector, 16 bytes; zeros unless said otherwise.
    /// - Returns: The cryptogram, or `nil` for a wrong length.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public static func encryptChain(
        _ text: [UInt8],
        key: [UInt8],
        vector: [UInt8] = zeroVector
    ) -> [UInt8]? {
        run(text, key, vector, isEncryption: 1)
    }

    /// Decrypts whole blocks.
    ///
    /// - Parameters:
    ///   - cryptogram: The encrypted blocks; a multiple of 16 bytes.
    ///   - key: 16, 24 or 32 bytes.
    ///   - vector: The initialisation vector, 16 bytes; zeros unless said otherwise.
    /// - Returns: The clear blocks, or `nil` for a wrong length.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public static func decryptChain(
        _ cryptogram: [UInt8],
        key: [UInt8],
        vector: [UInt8] = zeroVector
    ) -> [UInt8]? {
        run(cryptogram, key, vector, isEncryption: 0)
    }

    /// An initialisation vector of zeros.
    public static let zeroVector = [UInt8](repeating: 0, count: blockByteCount)

    private static func run(
        _ text: [UInt8],
        _ key: [UInt8],
        _ vector: [UInt8],
        isEncryption: Int32
    ) -> [UInt8]? {
        guard let cipher = cipher(keyByteCount: key.count), vector.count == blockByteCount,
            text.count % blockByteCount == 0, text.count <= Int(Int32.max) - blockByteCount
        else { return nil }
        guard !text.isEmpty else { return [] }
        guard let context = EVP_CIPHER_CTX_new() else {
            preconditionFailure("libcrypto has no memory for a cipher")
        }
        defer { EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: text.count + blockByteCount)
        var writtenByteCount: Int32 = 0
        let isDone =
            EVP_CipherInit_ex(context, cipher, nil, key, vector, isEncryption) == 1
            && EVP_CIPHER_CTX_set_padding(context, 0) == 1
            && EVP_CipherUpdate(context, &output, &writtenByteCount, text, Int32(text.count)) == 1
        precondition(isDone && Int(writtenByteCount) == text.count, "libcrypto failed at AES")
        output.removeLast(output.count - text.count)
        return output
    }

    private static func cipher(keyByteCount: Int) -> OpaquePointer? {
        switch keyByteCount {
        case 16: EVP_aes_128_cbc()
        case 24: EVP_aes_192_cbc()
        case 32: EVP_aes_256_cbc()
        default: nil
        }
    }
}
