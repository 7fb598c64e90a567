// Called by anyone, on any thread; libcrypto keeps nothing between calls.
import CLibCrypto

/// The SHA-1 digest, through libcrypto: readers of ID TECH send it of each clear track.
///
/// Source: FIPS 180-4; EVP_Digest(3) of OpenSSL 3.0.
public enum SHA1 {
    /// Returns the 20 bytes of the digest of a message.
    public static func digest(of message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 20)
        var byteCount: UInt32 = 0
        let code = EVP_Digest(message, message.count, &digest, &byteCount, EVP_sha1(), nil)
        precondition(code == 1 && byteCount == 20, "libcrypto offers no SHA-1")
        return digest
    }
}
