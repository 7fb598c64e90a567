import Cryptography

/// AES-128 under a 16-byte key, as ID TECH readers use a DUKPT data key; and the hash of a track.
///
/// That a data key of triple DES DUKPT is the AES key as it is, without a derivation of its own, is
/// inferred: the manual says "TDES-CBC or AES-CBC" with the "Data Key" and names no other.
/// Source: SecureMag User Manual, Data Format; FIPS 197.
extension CipherKey {
    /// Returns a text zero padded to whole blocks of 16 and encrypted in CBC mode with an
    /// initialisation vector of zeros.
    public func encryptAES(_ text: some Collection<UInt8>) -> [UInt8] {
        var padded = Array(text)
        let rest = padded.count % AES.blockByteCount
        if rest > 0 {
            padded.append(contentsOf: repeatElement(0, count: AES.blockByteCount - rest))
        }
        // Whole blocks under 16 bytes of key are never refused.
        return AES.encryptChain(padded, key: bytes) ?? []
    }

    /// Returns the padded text of a cryptogram, or `nil` when its length is no multiple of 16.
    public func decryptAES(_ cryptogram: some Collection<UInt8>) -> [UInt8]? {
        AES.decryptChain(Array(cryptogram), key: bytes)
    }

    private var bytes: [UInt8] {
        [left, right].flatMap { half in
            (0..<8).reversed().map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) }
        }
    }
}

/// The hash by which two reads of one track are known as the same.
public enum TrackHash {
    /// Returns the SHA-1 of a clear track, 20 bytes.
    ///
    /// It is as good as the track itself, since so few numbers can be tried: it is never shown.
    /// Source: SecureMag User Manual, Data Format; it is over the sentinels and the LRC character
    /// too, as the manual's sample shows.
    public static func sha1(_ track: [UInt8]) -> [UInt8] { SHA1.digest(of: track) }
}
