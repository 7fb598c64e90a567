import Cryptography

/// The gateway's half of a merchant's key, which opens what ``PGEncrypt`` made with the other half.
///
/// No description shows any of it.
public struct PGEncryptPrivateKey: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Reads an RSA key of 1,024 to 4,096 bits in PEM (without a passphrase) or DER, or returns
    /// `nil`.
    public init?(_ bytes: [UInt8]) {
        guard RSAPrivateKey(bytes) != nil else { return nil }
        self.bytes = bytes
    }

    /// Returns the text that a value of `encrypted_payment` holds.
    ///
    /// - Throws: ``PGEncryptedPaymentError/undecryptable`` when the value was encrypted with
    ///   another key or was damaged.
    /// - Complexity: One operation with the private key, about a millisecond, and O(*n*) in the
    ///   bytes of the value.
    public func unmaskedText(
        of payment: PGEncryptedPayment
    ) throws(PGEncryptedPaymentError) -> [UInt8] {
        guard let key = RSAPrivateKey(bytes), let text = payment.unmaskedText(decryptedWith: key)
        else { throw .undecryptable }
        return text
    }
}

extension PGEncryptPrivateKey: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// No part of the key.
    public var description: String { "private key" }

    /// No part of the key.
    public var debugDescription: String { "private key" }

    /// A mirror without children, so that reflection shows no part of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Both halves of a merchant's key, as the gateway has them.
public struct PGEncryptKeyPair: Hashable, Sendable {
    /// What the merchant gets.
    public let key: PGEncryptKey
    /// What the gateway keeps.
    public let privateKey: PGEncryptPrivateKey

    /// Creates a pair, or returns `nil` unless the two halves belong together.
    ///
    /// - Complexity: One operation with each half.
    public init?(key: PGEncryptKey, privateKey: PGEncryptPrivateKey) {
        var generator = ProbeGenerator()
        guard let value = try? PGEncrypt(key).encrypt([0x2A], using: &generator),
            let payment = try? PGEncryptedPayment(Array(value.utf8)),
            (try? privateKey.unmaskedText(of: payment)) == [0x2A]
        else { return nil }
        self.key = key
        self.privateKey = privateKey
    }
}

/// Numbers for a text that is no secret.
private struct ProbeGenerator: RandomNumberGenerator {
    mutating func next() -> UInt64 { 0x0102_0304_0506_0708 }
}
