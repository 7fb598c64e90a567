// Called by CardCrypto, on the thread that owns the object; libcrypto's contexts are not shared.
import CLibCrypto

/// Triple DES with two keys (left, right, left) over 64-bit blocks, through libcrypto.
///
/// Blocks and key halves are big-endian words: the first byte on the wire is the highest. Two
/// equal halves give single DES, which OpenSSL 3 refuses under its own name. The contexts are made
/// once and a key that is still set up is not set up again, since fetching a cipher and scheduling
/// a key cost more than the blocks of a swipe. One object belongs to one thread.
/// Source: NIST SP 800-67; EVP_EncryptInit(3) of OpenSSL 3.0.
public final class TripleDES {
    private struct Context {
        let raw: OpaquePointer
        var left: UInt64 = 0
        var right: UInt64 = 0
        var isKeyed = false
    }

    private var blockEncryption: Context
    private var blockDecryption: Context
    private var chainEncryption: Context
    private var chainDecryption: Context

    /// Creates the four contexts; a libcrypto without triple DES is a broken installation and traps.
    public init() {
        blockEncryption = Self.context(EVP_des_ede3_ecb(), isEncryption: 1)
        blockDecryption = Self.context(EVP_des_ede3_ecb(), isEncryption: 0)
        chainEncryption = Self.context(EVP_des_ede3_cbc(), isEncryption: 1)
        chainDecryption = Self.context(EVP_des_ede3_cbc(), isEncryption: 0)
    }

    deinit {
        EVP_CIPHER_CTX_free(blockEncryption.raw)
        EVP_CIPHER_CTX_free(blockDecryption.raw)
        EVP_CIPHER_CTX_free(chainEncryption.raw)
        EVP_CIPHER_CTX_free(chainDecryption.raw)
    }

    /// Encrypts one block.
    public func encrypt(_ block: UInt64, left: UInt64, right: UInt64) -> UInt64 {
        Self.run(block, &blockEncryption, left, right)
    }

    /// Decrypts one block.
    public func decrypt(_ block: UInt64, left: UInt64, right: UInt64) -> UInt64 {
        Self.run(block, &blockDecryption, left, right)
    }

    /// Encrypts the first blocks of a span in place, in CBC mode with a vector of zeros.
    public func encryptChain(
        _ blocks: inout MutableSpan<UInt64>,
        count: Int,
        left: UInt64,
        right: UInt64
    ) {
        Self.run(&blocks, count, &chainEncryption, left, right)
    }

    /// Decrypts the first blocks of a span in place, in CBC mode with a vector of zeros.
    public func decryptChain(
        _ blocks: inout MutableSpan<UInt64>,
        count: Int,
        left: UInt64,
        right: UInt64
    ) {
        Self.run(&blocks, count, &chainDecryption, left, right)
    }

    private static func context(_ cipher: OpaquePointer?, isEncryption: Int32) -> Context {
        guard let raw = EVP_CIPHER_CTX_new(),
            EVP_CipherInit_ex(raw, cipher, nil, nil, nil, isEncryption) == 1,
            EVP_CIPHER_CTX_set_padding(raw, 0) == 1
        else { preconditionFailure("libcrypto offers no triple DES") }
        return Context(raw: raw)
    }

    private static func setUp(
        _ context: inout Context,
        _ left: UInt64,
        _ right: UInt64,
        isChain: Bool
    ) {
        var vector: UInt64 = 0
        if context.isKeyed, context.left == left, context.right == right {
            guard isChain else { return }
            let code = withUnsafeBytes(of: &vector) {
                EVP_CipherInit_ex(
                    context.raw,
                    nil,
                    nil,
                    nil,
                    $0.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    -1
                )
            }
            precondition(code == 1, "libcrypto refuses an initialisation vector")
            return
        }
        let key: (UInt64, UInt64, UInt64) = (left.bigEndian, right.bigEndian, left.bigEndian)
        let code = withUnsafeBytes(of: key) { key in
            withUnsafeBytes(of: vector) { vector in
                EVP_CipherInit_ex(
                    context.raw,
                    nil,
                    nil,
                    key.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    vector.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    -1
                )
            }
        }
        precondition(code == 1, "libcrypto refuses a triple DES key")
        context.left = left
        context.right = right
        context.isKeyed = true
    }

    private static func run(
        _ block: UInt64,
        _ context: inout Context,
        _ left: UInt64,
        _ right: UInt64
    ) -> UInt64 {
        setUp(&context, left, right, isChain: false)
        var word = block.bigEndian
        withUnsafeMutableBytes(of: &word) { update(context.raw, $0) }
        return UInt64(bigEndian: word)
    }

    private static func run(
        _ blocks: inout MutableSpan<UInt64>,
        _ count: Int,
        _ context: inout Context,
        _ left: UInt64,
        _ right: UInt64
    ) {
        setUp(&context, left, right, isChain: true)
        precondition(count <= blocks.count, "more blocks asked for than there are")
        blocks.withUnsafeMutableBufferPointer { all in
            let words = UnsafeMutableBufferPointer(rebasing: all[..<count])
            for index in words.indices { words[index] = words[index].bigEndian }
            update(context.raw, UnsafeMutableRawBufferPointer(words))
            for index in words.indices { words[index] = UInt64(bigEndian: words[index]) }
        }
    }

    private static func update(_ raw: OpaquePointer, _ bytes: UnsafeMutableRawBufferPointer) {
        var writtenByteCount: Int32 = 0
        let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let code = EVP_CipherUpdate(raw, base, &writtenByteCount, base, Int32(bytes.count))
        precondition(code == 1 && Int(writtenByteCount) == bytes.count, "libcrypto failed")
    }
}
