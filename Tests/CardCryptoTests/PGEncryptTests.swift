import CardCrypto
import CardData
import Cryptography
import Testing

@Suite("PGEncrypt")
struct PGEncryptTests {
    /// Gives the words of a list, then odd bytes.
    private struct ListGenerator: RandomNumberGenerator {
        var words: [UInt64]

        init(_ bytes: [UInt8]) {
            words = stride(from: 0, to: bytes.count, by: 8).map { start in
                bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
            }
        }

        mutating func next() -> UInt64 {
            words.isEmpty ? 0x0103_0507_0900_0B0D : words.removeFirst()
        }
    }

    private static func bytes(_ hexadecimal: String?) throws -> [UInt8] {
        let digits = try #require(hexadecimal)
        return try #require(Hexadecimal.decode(digits))
    }

    @Test(arguments: [PGEncryptVectors.keyedWithCode, PGEncryptVectors.keyed])
    func givesVectorAndCryptogramOfTheVendorsLibrary(output: PGEncryptVectors.Output) throws {
        var generator = ListGenerator(
            try Self.bytes(output.key) + Self.bytes(output.vector)
        )
        var encryption = PGEncrypt()
        try encryption.setKey(PGEncryptVectors.key)
        let value = try encryption.encrypt(Array(output.text.utf8), using: &generator)
        let ours = try PGEncryptedPayment(Array(value.utf8))
        let theirs = try PGEncryptedPayment(Array(output.value.utf8))
        #expect(value.utf8.count == 596)
        #expect(value.utf8.count == output.value.utf8.count)
        #expect(ours.keyNumber == theirs.keyNumber)
        #expect(ours.vector == theirs.vector)
        #expect(ours.cryptogram == theirs.cryptogram)
        #expect(try ours.cryptogram == Self.bytes(output.cryptogram))
        #expect(ours.encryptedKey.count == theirs.encryptedKey.count)
    }

    @Test(arguments: PGEncryptVectors.outputs)
    func writesWhatTheVendorsLibraryGaveByteForByte(output: PGEncryptVectors.Output) throws {
        let value = try PGEncryptedPayment(Array(output.value.utf8))
        #expect(value.text == output.value)
        #expect(value.keyNumber == "777")
        #expect(value.encryptedKey.count == 256)
        let paddedByteCount = output.text.utf8.count / 16 * 16 + 16
        #expect(value.cryptogram.count == paddedByteCount)
    }

    @Test func encryptsTheSwipeOfTheVendorsLibraryToTheSameLength() throws {
        var generator = ListGenerator([])
        let output = PGEncryptVectors.swiped
        let encryption = PGEncrypt(try PGEncryptKey(PGEncryptVectors.key))
        let value = try encryption.encrypt(Array(output.text.utf8), using: &generator)
        #expect(value.utf8.count == 1_052)
        #expect(value.utf8.count == output.value.utf8.count)
    }

    @Test func publishedVectorOfAESWithPadding() throws {
        let zeros = [UInt8](repeating: 0, count: 20)
        let padded = zeros + [UInt8](repeating: 12, count: 12)
        let cryptogram = AES.encryptChain(padded, key: [UInt8](repeating: 0, count: 32))
        #expect(
            cryptogram.map { Base64.text(of: $0) }
                == "3JXAeKJAiYmtSKIUkoQgh/qXGJ8YGa1hm/8h+bLBAPA="
        )
    }

    @Test func takesAFreshKeyForEachCall() throws {
        var generator = SystemRandomNumberGenerator()
        let encryption = PGEncrypt(try PGEncryptKey(PGEncryptVectors.key))
        let text = Array(PGEncryptVectors.keyed.text.utf8)
        let first = try PGEncryptedPayment(
            Array(encryption.encrypt(text, using: &generator).utf8)
        )
        let second = try PGEncryptedPayment(
            Array(encryption.encrypt(text, using: &generator).utf8)
        )
        #expect(first.vector != second.vector)
        #expect(first.encryptedKey != second.encryptedKey)
        #expect(first.cryptogram != second.cryptogram)
    }

    @Test func aKeyStringSurvivesReadingAndWriting() throws {
        #expect(try PGEncryptKey(PGEncryptVectors.key).text == PGEncryptVectors.key)
        #expect(try PGEncryptKey(PGEncryptVectors.key).number == "777")
    }

    static let badKeys: [(String, PGEncryptKeyError)] = [
        ("invalid", .init(code: .missingAsterisks, offset: 0)),
        ("", .init(code: .missingAsterisks, offset: 0)),
        ("*****", .init(code: .missingAsterisks, offset: 3)),
        (PGEncryptVectors.key + "\n", .init(code: .missingAsterisks, offset: 1_152)),
        ("***123***", .init(code: .missingSeparator, offset: 6)),
        ("***1|QUJD***", .init(code: .notACertificate, offset: 5)),
        ("***1|***", .init(code: .notACertificate, offset: 5)),
        ("***1|QUJ***", .init(code: .invalidBase64, offset: 5)),
        ("***x|QUJD***", .init(code: .invalidNumber, offset: 3)),
        ("***|QUJD***", .init(code: .invalidNumber, offset: 3)),
        (String(repeating: "*", count: 20_000), .init(code: .tooLong, offset: 16_384)),
    ]

    @Test(arguments: badKeys)
    func aBadKeyIsAnErrorAndLeavesNoKey(text: String, error: PGEncryptKeyError) throws {
        var encryption = PGEncrypt()
        try encryption.setKey(PGEncryptVectors.key)
        #expect(throws: error) { try encryption.setKey(text) }
        var generator = ListGenerator([])
        #expect(throws: PGEncryptError.noKey) {
            try encryption.encrypt([0x61], using: &generator)
        }
    }

    @Test func aCertificateWithBytesAfterItIsNone() throws {
        let key = try PGEncryptKey(PGEncryptVectors.key)
        #expect(throws: PGEncryptKeyError(code: .notACertificate, offset: 7)) {
            try PGEncryptKey(number: "777", certificate: key.certificate + [0])
        }
        #expect(throws: PGEncryptKeyError(code: .notACertificate, offset: 7)) {
            try PGEncryptKey(number: "777", certificate: key.certificate.dropLast())
        }
    }

    static let badValues: [(String, PGEncryptedPaymentError)] = [
        ("Encryption Failed", .failureText), ("Encryption_Failed", .failureText),
        ("", .invalidBase64), ("%", .invalidBase64), ("QUJD", .wrongPartCount),
        (outer("GWSX|1|1|QQ==|QQ==|QQ=="), .unknownFormat),
        (outer("GWSC|2|1|QQ==|QQ==|QQ=="), .unknownVersion),
        (outer("GWSC|1|a|QQ==|QQ==|QQ=="), .invalidKeyNumber),
        (outer("GWSC|1|14340|Ug==|Uw==|QQ=="), .invalidKey),
        (outer("GWSC|1|1|\(zeros(256))|Uw==|QQ=="), .invalidVector),
        (outer("GWSC|1|1|\(zeros(256))|\(zeros(16))|\(zeros(15))"), .invalidCryptogram),
        (outer("GWSC|1|1|\(zeros(256))|\(zeros(16))|"), .invalidCryptogram),
        (outer("GWSC|1|1|\(zeros(256))|\(zeros(16))|\(zeros(16))|"), .wrongPartCount),
        (String(repeating: "Q", count: 49_156), .tooLong),
    ]

    private static func outer(_ inner: String) -> String { Base64.text(of: Array(inner.utf8)) }

    private static func zeros(_ count: Int) -> String {
        Base64.text(of: [UInt8](repeating: 0, count: count))
    }

    @Test(arguments: badValues)
    func aBadValueSaysWhichPartIsWrong(value: String, error: PGEncryptedPaymentError) {
        #expect(throws: error) { try PGEncryptedPayment(Array(value.utf8)) }
    }

    @Test func errorsAreDescribedWithoutTheVendorsFailureText() {
        let descriptions = PGEncryptedPaymentError.allCases.map(\.description)
        #expect(descriptions.allSatisfy { !$0.contains(PGEncryptedPayment.failureText) })
        #expect(Set(descriptions).count == descriptions.count)
    }
}
