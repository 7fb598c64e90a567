public import Cryptography

/// Derivation of one key for each transaction, triple DES.
///
/// These functions compute; ``CryptoCache`` remembers what they returned.
/// Source: ANSI X9.24-1:2004, annex A.
public enum DUKPT {
    /// What a derived key is for.
    ///
    /// The raw values number the variants in ``CryptoCache``'s table.
    public enum Variant: UInt8, Hashable, Sendable, CaseIterable {
        /// The key before a variant is applied; used for nothing itself.
        case base
        /// PIN encryption; MagTek's readers encrypt tracks with it by default.
        case pin
        /// MAC of a request: MagneSafe commands that change settings.
        case macRequest
        /// MAC of a response.
        case macResponse
        /// Data encryption of a request; MagTek's tracks when property 0x54 is 1.
        case dataRequest
        /// Data encryption of a response; MagTek's command 0x30.
        case dataResponse

        var mask: UInt64 {
            switch self {
            case .base: 0
            case .pin: 0xFF
            case .macRequest: 0xFF00
            case .macResponse: 0xFF00_0000
            case .dataRequest: 0xFF_0000
            case .dataResponse: 0xFF_0000_0000
            }
        }
    }

    private static let halfMask: UInt64 = 0xC0C0_C0C0_0000_0000

    /// Returns the initial key of a reader (IPEK) from the base derivation key.
    public static func initialKey(
        baseDerivationKey key: CipherKey,
        ksn: KSN,
        cipher: TripleDES
    ) -> CipherKey {
        let serial = UInt64(ksn.high) << 48 | (ksn.low & ~KSN.counterMask) >> 16
        let other = key.masked(halfMask)
        return CipherKey(
            left: cipher.encrypt(serial, left: key.left, right: key.right),
            right: cipher.encrypt(serial, left: other.left, right: other.right)
        )
    }

    /// Returns the key one step further: that of the counter register with one more bit set.
    static func step(_ key: CipherKey, register: UInt64, cipher: TripleDES) -> CipherKey {
        let other = key.masked(halfMask)
        return CipherKey(
            left: singleDES(register ^ other.right, other.left, cipher) ^ other.right,
            right: singleDES(register ^ key.right, key.left, cipher) ^ key.right
        )
    }

    /// Returns a variant of a base key.
    public static func variant(
        _ variant: Variant,
        of key: CipherKey,
        cipher: TripleDES
    ) -> CipherKey {
        let masked = key.masked(variant.mask)
        switch variant {
        case .base, .pin, .macRequest, .macResponse:
            return masked
        case .dataRequest, .dataResponse:
            return CipherKey(
                left: cipher.encrypt(masked.left, left: masked.left, right: masked.right),
                right: cipher.encrypt(masked.right, left: masked.left, right: masked.right)
            )
        }
    }

    private static func singleDES(_ block: UInt64, _ key: UInt64, _ cipher: TripleDES) -> UInt64 {
        cipher.encrypt(block, left: key, right: key)
    }
}
