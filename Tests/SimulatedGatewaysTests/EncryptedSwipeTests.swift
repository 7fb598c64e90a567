import CardCrypto
import CardData
import GatewayProtocols
import SimulatedGateways
import Testing

/// Swipes of the Shuttle and of the IPS reader at the gateway.
@Suite("Encrypted swipes at the gateway")
struct EncryptedSwipeTests {
    enum Cipher: CaseIterable { case tripleDES, aes }

    static let ksn = KSN.publishedTestKSN.withCounter(9)

    /// A track as a Shuttle encrypts it: with its LRC character, padded with zeros.
    static func shuttle(
        _ track: [UInt8],
        _ cipher: Cipher,
        _ variant: DUKPT.Variant = .dataRequest,
        lrc: [UInt8] = [0x2B]
    ) -> [UInt8] {
        let cache = CryptoCache()
        let key = cache.derive(.publishedTestKey, ksn: ksn, variant: variant)
        let text = track + lrc
        return cipher == .aes
            ? cache.encryptAES(text, key: key) : cache.encrypt(text, key: key)
    }

    static func lowerCase(_ bytes: [UInt8]) -> [UInt8] {
        Array(Hexadecimal.encode(bytes).lowercased().utf8)
    }

    static func isApproved(_ tracks: NMIEncryptedTracks) throws -> Bool {
        let (answer, entry, _) = try CardReadingVectorsTests.charge(.encrypted(tracks))
        guard answer.kind == .approved else {
            #expect(answer.text == "Unable to decrypt swipe data REFID:3150000001")
            #expect(entry == nil)
            return false
        }
        #expect(entry?.entryMode == "Swiped")
        return entry?.maskedCardNumber?.description == "4xxxxxxxxxxx1111"
    }

    static let visa = TestCard.named("visa")

    @Test(arguments: Cipher.allCases, [[0x2B], []] as [[UInt8]])
    func aShuttleMayEncryptWithEitherCipherAndWithOrWithoutLRC(
        cipher: Cipher,
        lrc: [UInt8]
    ) throws {
        let card = try #require(Self.visa)
        let first = Self.lowerCase(Self.shuttle(card.unmaskedTrack1, cipher, lrc: lrc))
        let second = Self.lowerCase(Self.shuttle(card.unmaskedTrack2, cipher, lrc: lrc))
        let ksn = Self.lowerCase(Self.ksn.bytes)
        #expect(try Self.isApproved(NMIEncryptedTracks(track1: first, track2: second, ksn: ksn)))
        #expect(try Self.isApproved(NMIEncryptedTracks(track1: first, ksn: ksn)))
        #expect(try Self.isApproved(NMIEncryptedTracks(track2: second, ksn: ksn)))
    }

    @Test(arguments: Cipher.allCases)
    func aShuttleMayUseThePINKeyAndNoOther(cipher: Cipher) throws {
        let card = try #require(Self.visa)
        let ksn = digits(Self.ksn.bytes)
        let good = Self.shuttle(card.unmaskedTrack2, cipher, .pin)
        #expect(try Self.isApproved(NMIEncryptedTracks(track2: digits(good), ksn: ksn)))
        let bad = Self.shuttle(card.unmaskedTrack2, cipher, .macRequest)
        #expect(try !Self.isApproved(NMIEncryptedTracks(track2: digits(bad), ksn: ksn)))
    }

    /// The IPS packet: 40 bytes for each track, upper-case key serial number.
    static func ips(_ track: [UInt8]) -> [UInt8] {
        let room = Array((track + [UInt8](repeating: 0, count: 40)).prefix(40))
        return lowerCase(shuttle(room, .tripleDES, lrc: []))
    }

    static let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 80)

    @Test func anIPSSwipeIsReadWithATrack1ThatWasCutAndTracksThatAreZero() throws {
        let card = try #require(Self.visa)
        let first = Self.ips(card.unmaskedTrack1)
        let second = Self.ips(card.unmaskedTrack2)
        #expect(first.count == 80 && second.count == 80 && card.unmaskedTrack1.count > 40)
        let ksn = digits(Self.ksn.bytes)
        #expect(try Self.isApproved(NMIEncryptedTracks(track1: first, track2: second, ksn: ksn)))
        #expect(
            try Self.isApproved(NMIEncryptedTracks(track1: Self.zeros, track2: second, ksn: ksn))
        )
        let none = NMIEncryptedTracks(track1: Self.zeros, track2: Self.zeros, ksn: ksn)
        #expect(try !Self.isApproved(none))
    }

    @Test func aTrack1ThatWasCutSaysNothingByItself() throws {
        let card = try #require(Self.visa)
        let tracks = NMIEncryptedTracks(
            track1: Self.ips(card.unmaskedTrack1),
            track2: Self.zeros,
            ksn: digits(Self.ksn.bytes)
        )
        let (answer, _, _) = try CardReadingVectorsTests.charge(.encrypted(tracks))
        #expect(answer.text == "Invalid Credit Card Number REFID:3150000001")
    }

    @Test func theSerialNumberInPlaceOfTheKSNIsRefusedByTheGatewayOnly() throws {
        let card = try #require(Self.visa)
        let tracks = NMIEncryptedTracks(
            track1: Self.lowerCase(Self.shuttle(card.unmaskedTrack1, .aes)),
            track2: Self.lowerCase(Self.shuttle(card.unmaskedTrack2, .aes)),
            ksn: digits(Array("0012345678".utf8))
        )
        #expect(tracks.isWellFormed)
        #expect(try !Self.isApproved(tracks))
    }

    @Test func noDamageOfAnEncryptedSwipeIsTakenForTheCard() throws {
        let card = try #require(Self.visa)
        let good = Self.shuttle(card.unmaskedTrack2, .aes)
        for place in good.indices {
            var bad = good
            bad[place] ^= 0x40
            let tracks = NMIEncryptedTracks(track2: digits(bad), ksn: digits(Self.ksn.bytes))
            // A damaged block garbles itself and one byte of the next.
            let (answer, entry, _) = try CardReadingVectorsTests.charge(.encrypted(tracks))
            #expect(answer.kind == .error)
            #expect(entry == nil)
        }
    }
}
