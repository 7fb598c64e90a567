import CardCrypto
import CardData
import Testing

/// Keys of ID TECH's examples under the published test key, and the AES of their records.
///
/// Published: data keys of `6299…0001` to `…0003` and of `FFFF…00001` and `…00015` (SecureMag and
/// UniMag II User Manuals, tests of a DUKPT library), PIN key of `FFFF…00008` (MagTek manual). The
/// others were computed with independent code that reproduces the published ones.
@Suite("Keys of ID TECH readers")
struct IDTechKeyVectorsTests {
    /// Key serial number, base key, data key, PIN key.
    static let keys: [[String]] = [
        [
            "62994901190000000001", "87670E7635FA008E51F8F9A4D5CA162E",
            "F82A7A0D7C6746F196189AFB542C65A3", "87670E7635FA007151F8F9A4D5CA16D1",
        ],
        [
            "62994901190000000002", "9C1EC692317A48AA4668BD26D08BF401",
            "1A994C3E09D9ACEF3EA9BD4381EFA334", "9C1EC692317A48554668BD26D08BF4FE",
        ],
        [
            "62994901190000000003", "BD4545F542A4E06824CA57BA26FC5FBF",
            "895250336175515C4120CF45F41ABF1C", "BD4545F542A4E09724CA57BA26FC5F40",
        ],
        [
            "62994901190000000004", "2CEA54213674F70AA8D9F6C152600D57",
            "8A92F67400BF252E579AA901FF274841", "2CEA54213674F7F5A8D9F6C152600DA8",
        ],
        [
            "62994901190000000005", "895BC20F7C699B47DD9631B8B388BF8D",
            "55CF33DBB8AF39DBD9CE2A8A88E1A715", "895BC20F7C699BB8DD9631B8B388BF72",
        ],
        [
            "62994901190000000006", "A00DE9E2A2F04516A03EDEAE092F08EC",
            "3274884D70A39117523A17B4D233CBA2", "A00DE9E2A2F045E9A03EDEAE092F0813",
        ],
        [
            "62994901190000000007", "310D56218980BD8147A0BF826406FD15",
            "25BC3851F74E0F051BBE4CCAFE6CC187", "310D56218980BD7E47A0BF826406FDEA",
        ],
        [
            "62994901190000000008", "72079B64F6ECEDC555970BFF9BB531C8",
            "7F5EFF456F07A505801C199B48EF7ED5", "72079B64F6ECED3A55970BFF9BB53137",
        ],
        [
            "FFFF9876543210E00001", "042666B49184CFA368DE9628D0397BC9",
            "448D3F076D8304036A55A3D7E0055A78", "042666B49184CF5C68DE9628D0397B36",
        ],
        [
            "FFFF9876543210E00008", "27F66D5244FF62E1AA6F6120EDEB4280",
            "C39B2778B058AC376FB18DC906F75CBA", "27F66D5244FF621EAA6F6120EDEB427F",
        ],
        [
            "FFFF9876543210E00015", "E161D1956A61F6D2F37AFD7F9CC3699A",
            "D9AE3E62F5E3CA2C357E37F500D9F314", "E161D1956A61F62DF37AFD7F9CC36965",
        ],
    ]

    @Test(arguments: keys.indices)
    func everyVariantIsDerived(index: Int) throws {
        let row = Self.keys[index]
        let cache = CryptoCache()
        let ksn = try #require(KSN(row[0]))
        for (variant, key) in [
            (DUKPT.Variant.base, row[1]), (.dataRequest, row[2]), (.pin, row[3]),
        ] {
            let derived = cache.derive(.publishedTestKey, ksn: ksn, variant: variant)
            #expect(derived == CipherKey(key), "\(variant)")
        }
    }

    @Test func theInitialKeyIsDerived() throws {
        let ksn = try #require(KSN("62994901190000000000"))
        let key = CryptoCache().derive(.publishedTestKey, ksn: ksn, variant: .base)
        #expect(key == CipherKey("18126D59ECFEF71D4D982B52DC7F15BA"))
    }

    /// FIPS 197, appendix C.1: one block under AES-128.
    @Test func aesIsThatOfTheStandard() throws {
        let key = try #require(CipherKey("000102030405060708090A0B0C0D0E0F"))
        let text = try #require(Hexadecimal.decode("00112233445566778899AABBCCDDEEFF"))
        let cryptogram = key.encryptAES(text)
        #expect(Hexadecimal.encode(cryptogram) == "69C4E0D86A7B0430D8CDB78070B4C55A")
        #expect(key.decryptAES(cryptogram) == text)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 72])
    func aesPadsWithZerosToWholeBlocks(byteCount: Int) {
        let key = CipherKey.publishedTestKey
        let text = (0..<byteCount).map { UInt8($0 + 1) }
        let cryptogram = key.encryptAES(text)
        #expect(cryptogram.count == (byteCount + 15) / 16 * 16)
        let padding = [UInt8](repeating: 0, count: cryptogram.count - byteCount)
        #expect(key.decryptAES(cryptogram) == text + padding)
        #expect(key.decryptAES(cryptogram + [0]) == nil)
    }

    /// FIPS 180-4 examples: `abc`.
    @Test func theHashIsThatOfTheStandard() {
        let hash = TrackHash.sha1(Array("abc".utf8))
        #expect(Hexadecimal.encode(hash) == "A9993E364706816ABA3E25717850C26C9CD0D89D")
    }
}
