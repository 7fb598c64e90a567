import Cryptography

extension CryptoCache {
    /// Returns a text zero padded to whole blocks of 16 bytes and encrypted with AES in CBC mode,
    /// with an initialisation vector of zeros.
    ///
    /// A reader that is set to AES uses the 16 bytes of the DUKPT key as they are; nothing is
    /// remembered, since AES costs little. Source: assumed by ID TECH's manuals, which name the
    /// data key for both ciphers and no other derivation.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public func encryptAES(_ text: some Collection<UInt8>, key: CipherKey) -> [UInt8] {
        var padded = Array(text)
        while padded.count % AES.blockByteCount != 0 { padded.append(0) }
        return AES.encryptChain(padded, key: key.bytes) ?? []
    }

    /// Returns the padded text of a cryptogram of ``encryptAES(_:key:)``, or `nil` when its length
    /// is no multiple of 16.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public func decryptAES(_ cryptogram: some Collection<UInt8>, key: CipherKey) -> [UInt8]? {
        AES.decryptChain(Array(cryptogram), key: key.bytes)
    }
}

extension CipherKey {
    /// The sixteen bytes, for a cipher that takes them in one.
    fileprivate var bytes: [UInt8] {
        [left, right].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - $0 * 8)) }
        }
    }
}
