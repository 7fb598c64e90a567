// Called by CardCrypto and the command line; each object belongs to the thread that made it.
import CLibCrypto

/// The public key of a certificate, for blocks of the size of its modulus, through libcrypto.
///
/// Nothing is padded here. Source: RFC 8017, section 5.1.1; EVP_PKEY_encrypt(3) of OpenSSL 3.0.
public final class RSAPublicKey {
    private let raw: OpaquePointer
    /// The size of the modulus, and so of every block, in bytes: 128 to 512.
    public let blockByteCount: Int

    /// Reads the key of an X.509 certificate in DER, or returns `nil`.
    ///
    /// The whole input must be one certificate with an RSA key of 1,024 to 4,096 bits; its dates,
    /// names and signature are not looked at.
    public init?(certificate der: [UInt8]) {
        guard let raw = Self.key(ofCertificate: der) else { return nil }
        guard let count = RSABlock.byteCount(of: raw) else {
            EVP_PKEY_free(raw)
            return nil
        }
        self.raw = raw
        blockByteCount = count
    }

    deinit { EVP_PKEY_free(raw) }

    private static func key(ofCertificate der: [UInt8]) -> OpaquePointer? {
        defer { ERR_clear_error() }
        return der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            guard let certificate = d2i_X509(nil, &position, buffer.count) else { return nil }
            defer { X509_free(certificate) }
            guard let base = buffer.baseAddress, position == base + buffer.count else { return nil }
            return X509_get_pubkey(certificate)
        }
    }

    /// Raises a block to the public exponent; returns `nil` for another length or for a number that
    /// is not below the modulus.
    public func encrypt(_ block: [UInt8]) -> [UInt8]? {
        guard block.count == blockByteCount else { return nil }
        return RSABlock.run(raw, block, EVP_PKEY_encrypt_init, EVP_PKEY_encrypt)
    }
}

/// A private key, for blocks of the size of its modulus, through libcrypto.
///
/// No description shows any of it.
/// Source: RFC 8017, section 5.1.2; EVP_PKEY_decrypt(3) of OpenSSL 3.0.
public final class RSAPrivateKey {
    private let raw: OpaquePointer
    /// The size of the modulus, and so of every block, in bytes: 128 to 512.
    public let blockByteCount: Int

    /// Reads a key in PEM (`PRIVATE KEY` or `RSA PRIVATE KEY`, without a passphrase) or in DER, or
    /// returns `nil`.
    ///
    /// The key must be RSA of 1,024 to 4,096 bits.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= 1 << 20, let raw = Self.pem(bytes) ?? Self.der(bytes) else {
            return nil
        }
        guard let count = RSABlock.byteCount(of: raw) else {
            EVP_PKEY_free(raw)
            return nil
        }
        self.raw = raw
        blockByteCount = count
    }

    deinit { EVP_PKEY_free(raw) }

    private static func pem(_ bytes: [UInt8]) -> OpaquePointer? {
        defer { ERR_clear_error() }
        return bytes.withUnsafeBytes { buffer in
            guard let memory = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else {
                return nil
            }
            defer { BIO_free(memory) }
            // A key with a passphrase is refused: without this the library asks on the terminal.
            return PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in 0 }, nil)
        }
    }

    private static func der(_ bytes: [UInt8]) -> OpaquePointer? {
        defer { ERR_clear_error() }
        return bytes.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &position, buffer.count)
        }
    }

    /// Raises a block to the private exponent; returns `nil` for another length or for a number
    /// that is not below the modulus.
    public func decrypt(_ block: [UInt8]) -> [UInt8]? {
        guard block.count == blockByteCount else { return nil }
        return RSABlock.run(raw, block, EVP_PKEY_decrypt_init, EVP_PKEY_decrypt)
    }
}

extension RSAPrivateKey: CustomStringConvertible, CustomReflectable {
    /// No part of the key.
    public var description: String { "private key" }

    /// A mirror without children, so that reflection shows no part of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

private enum RSABlock {
    static func byteCount(of key: OpaquePointer) -> Int? {
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else { return nil }
        let count = Int(EVP_PKEY_get_size(key))
        return (128...512).contains(count) ? count : nil
    }

    static func run(
        _ key: OpaquePointer,
        _ block: [UInt8],
        _ begin: (OpaquePointer?) -> Int32,
        _ carryOut: (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?,
            UnsafePointer<UInt8>?, Int
        ) -> Int32
    ) -> [UInt8]? {
        defer { ERR_clear_error() }
        guard let context = EVP_PKEY_CTX_new(key, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: block.count)
        var byteCount = output.count
        guard begin(context) == 1,
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1,
            carryOut(context, &output, &byteCount, block, block.count) == 1,
            byteCount == output.count
        else { return nil }
        return output
    }
}
