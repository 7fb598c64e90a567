import Cryptography
public import MagneticStripe

/// The cipher of one worker, and what it computed lately, stripes of cards included.
///
/// Derivation and encryption are pure, so a result that is still in the table is the right one;
/// runs that play the same cards with the same keys find theirs. Each worker owns one: the object
/// is not shared between threads. Both tables have a fixed size (about 320 kB together) and each
/// entry has one place, so a new result simply takes the place of an old one.
/// - Complexity: O(1) for a hit, well under a microsecond; a derivation costs two single DES
///   blocks for each counter bit that the previous derivation did not have in common.
public final class CryptoCache {
    /// The longest text whose encryption is remembered, in bytes; the longest track of a report.
    public static let longestRememberedByteCount = 112

    private static let slotCount = 1_024
    private static let slotWordCount = 32
    private static let derivationSlotCount = 1_024

    private struct Derivation {
        var source = CipherKey(left: 0, right: 0)
        var ksn = KSN(high: 0, low: 0)
        var variant = DUKPT.Variant.base
        var isUsed = false
        var key = CipherKey(left: 0, right: 0)
    }

    /// The stripes that this worker decoded lately.
    public let stripes = StripeMemory()

    private let cipher = TripleDES()
    private var derivations: [Derivation]
    private var texts: [UInt64]

    /// The keys on the way to the last base key, from the initial key on; see ``baseKey(of:_:)``.
    private var path: [CipherKey] = []
    private var pathSource = CipherKey(left: 0, right: 0)
    private var pathKSN = KSN(high: 0, low: 0)

    /// Creates an empty cache with its own cipher contexts.
    public init() {
        derivations = Array(repeating: Derivation(), count: Self.derivationSlotCount)
        texts = Array(repeating: 0, count: Self.slotCount * Self.slotWordCount)
        path.reserveCapacity(22)
    }

    /// Returns the key of a transaction for one use.
    ///
    /// - Parameters:
    ///   - key: The base derivation key (BDK).
    ///   - ksn: The key serial number; counter 0 gives the initial key (IPEK).
    ///   - variant: What the key is for.
    /// - Returns: The key to use, with the variant applied.
    public func derive(_ key: CipherKey, ksn: KSN, variant: DUKPT.Variant) -> CipherKey {
        var hash = Self.mix(key.left, key.right ^ UInt64(variant.rawValue))
        hash = Self.mix(hash ^ ksn.low, UInt64(ksn.high))
        let slot = Int(truncatingIfNeeded: hash >> 40) & (Self.derivationSlotCount - 1)
        let entry = derivations[slot]
        if entry.isUsed, entry.ksn == ksn, entry.variant == variant, entry.source == key {
            return entry.key
        }
        let base = variant == .base ? baseKey(of: key, ksn) : derive(key, ksn: ksn, variant: .base)
        let result = DUKPT.variant(variant, of: base, cipher: cipher)
        derivations[slot] = Derivation(
            source: key,
            ksn: ksn,
            variant: variant,
            isUsed: true,
            key: result
        )
        return result
    }

    /// Adds a text, zero padded to whole blocks and encrypted in CBC mode with an initialisation
    /// vector of zeros, at the end of a buffer.
    public func encrypt(_ text: Span<UInt8>, key: CipherKey, into output: inout [UInt8]) {
        transform(text, key, isEncryption: true, &output)
    }

    /// Returns a text zero padded to whole blocks and encrypted in CBC mode.
    public func encrypt(_ text: some Collection<UInt8>, key: CipherKey) -> [UInt8] {
        var output: [UInt8] = []
        transform(Array(text).span, key, isEncryption: true, &output)
        return output
    }

    /// Returns the padded text of a cryptogram, or `nil` when its length is no multiple of 8.
    public func decrypt(_ cryptogram: some Collection<UInt8>, key: CipherKey) -> [UInt8]? {
        guard cryptogram.count % 8 == 0 else { return nil }
        var output: [UInt8] = []
        transform(Array(cryptogram).span, key, isEncryption: false, &output)
        return output
    }

    /// Returns the first four bytes of the MAC over a message, zero padded to whole blocks.
    ///
    /// CBC with single DES under the left half, and the last block through the right half too.
    /// Source: ISO/IEC 9797-1, algorithm 3; MagneSafe V5 Communication Reference Manual, examples
    /// 6 to 9.
    public func mac(_ message: some Collection<UInt8>, key: CipherKey) -> [UInt8] {
        var words: [UInt64] = []
        Self.pack(Array(message).span, into: &words)
        if words.isEmpty { words.append(0) }
        var chain: UInt64 = 0
        for word in words {
            chain = cipher.encrypt(chain ^ word, left: key.left, right: key.left)
        }
        chain = cipher.decrypt(chain, left: key.right, right: key.right)
        chain = cipher.encrypt(chain, left: key.left, right: key.left)
        return (4...7).reversed().map { UInt8(truncatingIfNeeded: chain >> ($0 * 8)) }
    }

    /// Walks from the initial key to that of the counter, one step for each bit from the highest.
    ///
    /// The steps down to the highest bit in which two counters differ are the same, so they are
    /// taken from the last walk.
    private func baseKey(of source: CipherKey, _ ksn: KSN) -> CipherKey {
        var kept = 1
        if path.isEmpty || pathSource != source || pathKSN.identifier != ksn.identifier {
            path.removeAll(keepingCapacity: true)
            path.append(DUKPT.initialKey(baseDerivationKey: source, ksn: ksn, cipher: cipher))
        } else {
            let different = pathKSN.counter ^ ksn.counter
            let bitCount = 32 - different.leadingZeroBitCount
            kept += (ksn.counter >> UInt32(bitCount)).nonzeroBitCount
            path.removeSubrange(kept...)
        }
        var key = path[path.count - 1]
        var register = ksn.identifier.low
        var passed = 1
        for bit in (0..<21).reversed() where ksn.counter >> UInt32(bit) & 1 == 1 {
            register |= 1 << UInt64(bit)
            passed += 1
            guard passed > kept else { continue }
            key = DUKPT.step(key, register: register, cipher: cipher)
            path.append(key)
        }
        pathSource = source
        pathKSN = ksn
        return key
    }

    private func transform(
        _ text: Span<UInt8>,
        _ key: CipherKey,
        isEncryption: Bool,
        _ output: inout [UInt8]
    ) {
        guard !text.isEmpty else { return }
        guard text.count <= Self.longestRememberedByteCount else {
            var words: [UInt64] = []
            Self.pack(text, into: &words)
            var span = words.mutableSpan
            run(&span, span.count, key, isEncryption: isEncryption)
            for word in words { Self.append(word, to: &output) }
            return
        }
        var words = InlineArray<14, UInt64>(repeating: 0)
        let wordCount = Self.pack(text, into: &words)
        let tag = UInt64(wordCount) << 1 | (isEncryption ? 1 : 0)
        var hash = Self.mix(key.left ^ tag, key.right)
        for index in 0..<wordCount { hash = Self.mix(hash ^ words[index], 0x9E37_79B9_7F4A_7C15) }
        let slot = Int(truncatingIfNeeded: hash >> 40) & (Self.slotCount - 1)
        let base = slot * Self.slotWordCount
        if !isRemembered(at: base, key, tag, words, wordCount) {
            texts[base] = key.left
            texts[base + 1] = key.right
            texts[base + 2] = tag
            for index in 0..<wordCount { texts[base + 3 + index] = words[index] }
            var span = words.mutableSpan
            run(&span, wordCount, key, isEncryption: isEncryption)
            for index in 0..<wordCount { texts[base + 17 + index] = words[index] }
        }
        for index in 0..<wordCount { Self.append(texts[base + 17 + index], to: &output) }
    }

    private func isRemembered(
        at base: Int,
        _ key: CipherKey,
        _ tag: UInt64,
        _ words: InlineArray<14, UInt64>,
        _ wordCount: Int
    ) -> Bool {
        guard texts[base] == key.left, texts[base + 1] == key.right, texts[base + 2] == tag else {
            return false
        }
        for index in 0..<wordCount where texts[base + 3 + index] != words[index] { return false }
        return true
    }

    private func run(
        _ blocks: inout MutableSpan<UInt64>,
        _ count: Int,
        _ key: CipherKey,
        isEncryption: Bool
    ) {
        if isEncryption {
            cipher.encryptChain(&blocks, count: count, left: key.left, right: key.right)
        } else {
            cipher.decryptChain(&blocks, count: count, left: key.left, right: key.right)
        }
    }

    private static func pack(_ text: Span<UInt8>, into words: inout InlineArray<14, UInt64>) -> Int
    {
        for index in text.indices {
            words[index >> 3] |= UInt64(text[index]) << UInt64(56 - (index & 7) * 8)
        }
        return (text.count + 7) >> 3
    }

    private static func pack(_ text: Span<UInt8>, into words: inout [UInt64]) {
        words = Array(repeating: 0, count: (text.count + 7) >> 3)
        for index in text.indices {
            words[index >> 3] |= UInt64(text[index]) << UInt64(56 - (index & 7) * 8)
        }
    }

    private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
        var shift: UInt64 = 64
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }

    private static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = (first ^ 0x2D35_8DCC_AA6C_78A5).multipliedFullWidth(
            by: second ^ 0x8BB8_4B93_962E_ACC9
        )
        return product.high ^ product.low
    }
}
