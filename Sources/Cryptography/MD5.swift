// Called by anyone, on any thread; libcrypto keeps nothing between calls.
import CLibCrypto

/// The MD5 digest, through libcrypto: readers of Miura tell it of files; no protection at all.
///
/// Source: RFC 1321; EVP_Digest(3) of OpenSSL 3.0.
public enum MD5 {
    /// Returns the 16 bytes of the digest of a message.
    public static func digest(of message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 16)
        var byteCount: UInt32 = 0
        let code = EVP_Digest(message, message.count, &digest, &byteCount, EVP_md5(), nil)
        precondition(code == 1 && byteCount == 16, "libcrypto offers no MD5")
        return digest
    }
}
