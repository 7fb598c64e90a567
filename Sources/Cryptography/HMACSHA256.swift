// Called by anyone, on any thread; libcrypto keeps nothing between calls.
import CLibCrypto

/// The keyed message authentication code over SHA-256, through libcrypto.
///
/// Source: FIPS 198-1; HMAC(3) of OpenSSL 3.0.
public enum HMACSHA256 {
    /// Returns the 32 bytes of the code of a message under a key of any length.
    public static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var byteCount: UInt32 = 0
        let result = HMAC(
            EVP_sha256(),
            key,
            Int32(key.count),
            message,
            message.count,
            &code,
            &byteCount
        )
        precondition(result != nil && byteCount == 32, "libcrypto offers no HMAC over SHA-256")
        return code
    }
}
