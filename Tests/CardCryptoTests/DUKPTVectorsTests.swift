import CardCrypto
import CardData
import Cryptography
import Testing

/// Keys and cryptograms of the MagneSafe V5 Communication Reference Manual, examples 6 to 12.
///
/// The manual prints the MAC keys of counters 1, 2 and 10h to 15h and the PIN keys of 3 and 8; the
/// other rows were computed with independent code that reproduces the printed ones.
enum DUKPTVectors {
    /// Counter, base key, PIN variant, MAC request, data request.
    static let keys: [[String]] = [
        [
            "00001",
            "042666B49184CFA368DE9628D0397BC9",
            "042666B49184CF5C68DE9628D0397B36",
            "042666B4918430A368DE9628D03984C9",
            "448D3F076D8304036A55A3D7E0055A78",
        ],
        [
            "00002",
            "C46551CEF9FD24B0AA9AD834130D3BC7",
            "C46551CEF9FD244FAA9AD834130D3B38",
            "C46551CEF9FDDBB0AA9AD834130DC4C7",
            "F1BE73B36135C5C26CF937D50ABBE5AF",
        ],
        [
            "00003",
            "0DF3D9422ACA56E547676D07AD6BADFA",
            "0DF3D9422ACA561A47676D07AD6BAD05",
            "0DF3D9422ACAA9E547676D07AD6B52FA",
            "EEEEF522C67239E4A2A65FEBF4C511F4",
        ],
        [
            "00004",
            "279C0F6AEED0BE652B2C733E1383AE91",
            "279C0F6AEED0BE9A2B2C733E1383AE6E",
            "279C0F6AEED041652B2C733E13835191",
            "BCF2610997C3AC3C5F13AE965A1B773B",
        ],
        [
            "00005",
            "5F8DC6D2C845C125508DDC048093B83F",
            "5F8DC6D2C845C1DA508DDC048093B8C0",
            "5F8DC6D2C8453E25508DDC048093473F",
            "F3054D8B7471284BDB4EE18AFC3B091B",
        ],
        [
            "00006",
            "5E415CB0BAF9F03CD0C14B63FB62FF43",
            "5E415CB0BAF9F0C3D0C14B63FB62FFBC",
            "5E415CB0BAF90F3CD0C14B63FB620043",
            "BAF444BBC5D02752D6CEC9C51226AF53",
        ],
        [
            "00007",
            "0C8F780B7C8B49D0AE84A9EB2A6CE660",
            "0C8F780B7C8B492FAE84A9EB2A6CE69F",
            "0C8F780B7C8BB6D0AE84A9EB2A6C1960",
            "E613858B288B6ACAA7AE454931B21C56",
        ],
        [
            "00008",
            "27F66D5244FF62E1AA6F6120EDEB4280",
            "27F66D5244FF621EAA6F6120EDEB427F",
            "27F66D5244FF9DE1AA6F6120EDEBBD80",
            "C39B2778B058AC376FB18DC906F75CBA",
        ],
        [
            "00009",
            "27E31064FDC565698900E2057F658E7E",
            "27E31064FDC565968900E2057F658E81",
            "27E31064FDC59A698900E2057F65717E",
            "BC6612B3A4FAB5B165AC928BBD9DB6F0",
        ],
        [
            "0000A",
            "6CF2500A22507C7CC776CEADC1E33014",
            "6CF2500A22507C83C776CEADC1E330EB",
            "6CF2500A2250837CC776CEADC1E3CF14",
            "BC9C848366B1F9997656DD8004C5C43B",
        ],
        [
            "0000B",
            "3E8260BA04B2D620C01482B3819A18B7",
            "3E8260BA04B2D6DFC01482B3819A1848",
            "3E8260BA04B22920C01482B3819AE7B7",
            "0D790AC0C7E16699F235293F546D29CD",
        ],
        [
            "0000C",
            "B716E1E11CF53D80726CAEE75C3A624F",
            "B716E1E11CF53D7F726CAEE75C3A62B0",
            "B716E1E11CF5C280726CAEE75C3A9D4F",
            "D57E353ABF3F0CB0B951B5D8820AD741",
        ],
        [
            "0000D",
            "E072EDF95340535FB6C581C58FBF2533",
            "E072EDF9534053A0B6C581C58FBF25CC",
            "E072EDF95340AC5FB6C581C58FBFDA33",
            "ACAEAA2E23F9900552C2132890CE5390",
        ],
        [
            "0000E",
            "A80046087F5B8F245AAD95E18429084F",
            "A80046087F5B8FDB5AAD95E1842908B0",
            "A80046087F5B70245AAD95E18429F74F",
            "F42D46659549ED0ADADF6AB332815A7B",
        ],
        [
            "0000F",
            "93DD5B956C4878472E453AAEFD32A5AA",
            "93DD5B956C4878B82E453AAEFD32A555",
            "93DD5B956C4887472E453AAEFD325AAA",
            "F331F347ADD182B7CDC5208F62CA1233",
        ],
        [
            "00010",
            "59598DCBD9BD94C094165CE453585F57",
            "59598DCBD9BD943F94165CE453585FA8",
            "59598DCBD9BD6BC094165CE45358A057",
            "82D613B1742B19C55F653616A47DF1A0",
        ],
        [
            "00011",
            "2B5F01F4F0CC05EA639D523231BF1BA2",
            "2B5F01F4F0CC0515639D523231BF1B5D",
            "2B5F01F4F0CCFAEA639D523231BFE4A2",
            "5090137BD2EE830588765B84F7DA9F91",
        ],
        [
            "00012",
            "9CF640F279C2AEE615F725EEEAC2CBAF",
            "9CF640F279C2AE1915F725EEEAC2CB50",
            "9CF640F279C251E615F725EEEAC234AF",
            "91E5A8B18169A9532DF547D6AFE6087C",
        ],
        [
            "00013",
            "C3DF489FDF1153B4F03DE97C27DC4C2F",
            "C3DF489FDF11534BF03DE97C27DC4CD0",
            "C3DF489FDF11ACB4F03DE97C27DCB32F",
            "44893E3434ABDD6A817CE2841825E1FD",
        ],
        [
            "00014",
            "658488507721B3F14737FA93F923CBD2",
            "658488507721B30E4737FA93F923CB2D",
            "6584885077214CF14737FA93F92334D2",
            "E0D4C7B3EA32A8F108A83C1844ED6FD8",
        ],
        [
            "00015",
            "E161D1956A61F6D2F37AFD7F9CC3699A",
            "E161D1956A61F62DF37AFD7F9CC36965",
            "E161D1956A6109D2F37AFD7F9CC3969A",
            "D9AE3E62F5E3CA2C357E37F500D9F314",
        ],
        [
            "FF800",
            "F9CDFEBF4F5B1D9EB3EC12454527E176",
            "F9CDFEBF4F5B1D61B3EC12454527E189",
            "F9CDFEBF4F5BE29EB3EC124545271E76",
            "A9E03F541E29B4FDD47141AECF25190B",
        ],
    ]

    /// Counter, message with its final length byte, first four bytes of the MAC.
    static let macs: [(counter: UInt32, message: String, mac: String)] = [
        (0x00001, "150503", "E7E2FA38"),
        (0x00001, "150504", "2F38A60E"),
        (0x00002, "150504", "D9B7F3D8"),
        (0x00010, "01060201", "8720CE23"),
        (0x00010, "01051E", "5157FCBC"),
        (0x00011, "01051F", "4885838C"),
        (0x00012, "010520", "442A09E6"),
        (0x00013, "010521", "1FA9A44C"),
        (0x00014, "0106220D", "381AD461"),
        (0x00015, "01092C31303030", "D1538615"),
    ]

    /// Name, cryptogram under the PIN variant of counter 8, clear text padded with zeros.
    static let fields: [[String]] = [
        [
            "track 1",
            "C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB"
                + "3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12",
            "2542353435323330303535313232373138395E484F47414E2F5041554C202020"
                + "2020205E30383034333231303030303030303732353030303030303F00000000",
        ],
        [
            "track 2",
            "724C5DB7D6F901C7F0FEAE7908801093B3DBFE51CCF6D483E789D7D2C007D539"
                + "499BAADCC8D16CA2",
            "3B353435323330303535313232373138393D3038303433323130303030303030"
                + "373235303F000000",
        ],
        [
            "track 3, HID",
            "76BB013C0DFD8195F16F2FBC50A35171AA370131F87442313EE36457B87C87F9",
            "3B353136333439393038303032303434353D3030303030303030303030303F00",
        ],
        [
            "track 3, stream",
            "E31234A91059A0FBFE627954EE21868AEE3979540B67FCC40F61CECA54152D1E",
            "2B353136333439393038303032303434353D3030303030303030303030303F00",
        ],
        [
            "MagnePrint, HID ex. 11",
            "4703576BC5C2CB20BC04C68B5CE1972AE89E087B1C4D47D5D0E31706106903E6"
                + "0B82030792690A571DB02D0A88855A35ABB5549798006B42",
            "01000184EA10B939408C872A5C513C90C78B57A6F3FAA663CE0678B879D0D78B"
                + "7FADBCE8591AE7E4BEA104C4EF584ED5CE07C0D55B810000",
        ],
        [
            "MagnePrint, stream ex. 12",
            "8628E664C59BBAA232BA90BFB3E6B41D6F4B691E633C311CBE6EE7466B81196E"
                + "C07B12648DCAC4FD7FD0E212B479C60BAD8C74F82F327667",
            "010002D4B69CD2C0C7617D0463316E853F9CB00FE2C5A3556E9CE5A9B2E6DB89"
                + "14A6372CA77367036EFAADC02F02C4FB76C6CFD8A59C0000",
        ],
        [
            "session id",
            "21685F158B5C6BE0",
            "0000000000000000",
        ],
    ]
}

@Suite("DUKPT and triple DES")
struct DUKPTVectorsTests {
    let cache = CryptoCache()

    private func key(_ counter: UInt32, _ variant: DUKPT.Variant) -> CipherKey {
        cache.derive(
            .publishedTestKey,
            ksn: KSN.publishedTestKSN.withCounter(counter),
            variant: variant
        )
    }

    @Test func theInitialKeyIsThePublishedOne() throws {
        #expect(key(0, .base) == CipherKey("6AC292FAA1315B4D858AB3A3D7D5933A"))
        let ksn = try #require(KSN("FFFF9876543210E00008"))
        #expect(
            DUKPT.initialKey(baseDerivationKey: .publishedTestKey, ksn: ksn, cipher: TripleDES())
                == CipherKey("6AC292FAA1315B4D858AB3A3D7D5933A")
        )
    }

    @Test(arguments: DUKPTVectors.keys)
    func derivesThePublishedKeys(row: [String]) throws {
        let counter = try #require(UInt32(row[0], radix: 16))
        #expect(key(counter, .base) == CipherKey(row[1]))
        #expect(key(counter, .pin) == CipherKey(row[2]))
        #expect(key(counter, .macRequest) == CipherKey(row[3]))
        #expect(key(counter, .dataRequest) == CipherKey(row[4]))
    }

    @Test func theOrderOfDerivationDoesNotMatter() throws {
        for row in DUKPTVectors.keys.reversed() + DUKPTVectors.keys {
            let counter = try #require(UInt32(row[0], radix: 16))
            #expect(key(counter, .pin) == CipherKey(row[2]))
        }
    }

    @Test func derivesTheResponseVariants() {
        #expect(key(8, .macResponse) == CipherKey("27F66D52BBFF62E1AA6F612012EB4280"))
        #expect(key(8, .dataResponse) == CipherKey("846E267CB822197406DA2B161191C6E4"))
    }

    @Test(arguments: DUKPTVectors.macs)
    func computesThePublishedMACs(counter: UInt32, message: String, mac: String) throws {
        let bytes = try #require(Hexadecimal.decode(message))
        #expect(Hexadecimal.encode(cache.mac(bytes, key: key(counter, .macRequest))) == mac)
    }

    @Test(arguments: DUKPTVectors.fields)
    func encryptsAndDecryptsThePublishedFields(row: [String]) throws {
        let clear = try #require(Hexadecimal.decode(row[2]))
        let cryptogram = try #require(Hexadecimal.decode(row[1]))
        for _ in 0..<2 {  // computed, then remembered
            #expect(cache.encrypt(clear, key: key(8, .pin)) == cryptogram)
            #expect(cache.decrypt(cryptogram, key: key(8, .pin)) == clear)
        }
    }

    @Test func theDataVariantGivesTheCryptogramOfTheIndependentLibrary() throws {
        let clear = try #require(Hexadecimal.decode(DUKPTVectors.fields[0][2]))
        #expect(
            Hexadecimal.encode(cache.encrypt(clear, key: key(8, .dataRequest)))
                == "411D405D7DEDB9D84797F045559721E8C06A5565FFB3B4050509277E5F80072E2410E0E6"
                + "ADCBB614419700A9173807BA27C4E9D80BE67A2C32498032B200A7E3"
        )
    }

    @Test func textsLongerThanTheTableTakesAreEncryptedTheSame() throws {
        let long = Array(repeating: UInt8(0x41), count: 200)
        let cryptogram = cache.encrypt(long, key: .publishedTestKey)
        #expect(
            cryptogram.prefix(104) == cache.encrypt(long.prefix(104), key: .publishedTestKey)[...]
        )
        #expect(cache.decrypt(cryptogram, key: .publishedTestKey) == long)
        #expect(cache.decrypt([1, 2, 3], key: .publishedTestKey) == nil)
        #expect(cache.encrypt([], key: .publishedTestKey) == [])
    }

    @Test func theCounterSkipsKeysWithMoreThanTenOnes() throws {
        var ksn = KSN.publishedTestKSN.withCounter(0x3FE)
        ksn = try #require(ksn.next)
        #expect(ksn.counter == 0x3FF)
        ksn = try #require(ksn.next)
        #expect(ksn.counter == 0x400)
        #expect(KSN.publishedTestKSN.withCounter(0x7FE).next?.counter == 0x800)
        #expect(KSN.publishedTestKSN.withCounter(0x1F_F800).next == nil)
        #expect(KSN.publishedTestKSN.withCounter(0x1F_FFFF).next == nil)
        #expect(ksn.description == "FFFF9876543210E00400")
        #expect(KSN("FFFF98765432") == nil)
    }

    @Test func thereAreAsManyKeysAsTheStandardSays() {
        var count = 0
        var ksn = KSN.publishedTestKSN.next
        while let current = ksn {
            count += 1
            ksn = current.next
        }
        #expect(count == 1_048_575)
    }

    @Test func noDescriptionShowsAKey() {
        var text = "\(CipherKey.publishedTestKey) \(String(reflecting: CipherKey.publishedTestKey))"
        dump(CipherKey.publishedTestKey, to: &text)
        #expect(!text.contains("81985529216486895"))
        #expect(!text.uppercased().contains("0123456789ABCDEF"))
    }
}
