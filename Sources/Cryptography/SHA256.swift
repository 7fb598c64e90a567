// Called by anyone, on any thread; libcrypto keeps nothing between calls.
import CLibCrypto

/// The SHA-256 digest, through libcrypto.
///
/// Source: FIPS 180-4; EVP_Digest(3) of OpenSSL 3.0.
public enum SHA256 {
    /// Returns the 32 bytes of the digest of a message.
    public static func digest(of message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var byteCount: UInt32 = 0
        let code = EVP_Digest(message, message.count, &digest, &byteCount, EVP_sha256(), nil)
        precondition(code == 1 && byteCount == 32, "libcrypto offers no SHA-256")
        return digest
    }
}
