import CardCrypto
import CardData
import ReaderProtocols
import Testing

@Suite("IPS packets")
struct IPSPacketVectorsTests {
    private let cache = CryptoCache()
    private let i1 = IDTechVectors.i1

    private func readings(
        of pieces: [[UInt8]],
        settings: IPSReaderSettings = IPSReaderSettings()
    ) -> [IPSReading] {
        var decoder = IPSStreamDecoder(settings: settings)
        var readings: [IPSReading] = []
        for piece in pieces { decoder.append(piece[...]) }
        while let reading = decoder.finish() { readings.append(reading) }
        #expect(!decoder.hasPartialPacket)
        return readings
    }

    private static let text =
        "encrypted_track_1=d0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeef"
        + "f0f1f2f3f4f5f6f7&encrypted_track_2=b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8"
        + "c9cacbcccdcecfd0d1d2d3d4d5d6d7&encrypted_track_3=&encrypted_ksn=FFFF9876543210E00001"

    @Test func thePacketIsReadAndWrittenBack() throws {
        let packet = try IPSPacket(i1)
        #expect(packet.packet == i1)
        #expect(packet.encryptionMode == IPSPacket.EncryptionMode.dukpt.rawValue)
        #expect(packet.cardNumberDigitCount == 16)
        #expect(packet.track1.first == 0xD0 && packet.track2.first == 0xB0)
        #expect("\(packet)" == "IPS packet (411111******1111, KSN FFFF9876543210E00001)")
    }

    @Test func theCardIsTheObservedOne() throws {
        let card = try #require(IPSPacket.card(fromPacket: i1, reading: .observed))
        #expect(card.maskedCardNumber?.description == "411111******1111")
        #expect(card.expirationDate == ExpirationDate("1225"))
        #expect(card.cardholderName?.description == "CARD/TEST" + String(repeating: " ", count: 17))
        #expect(card.directPostText(.observed, includesCVV: true) == Self.text + "&cvv=")
        #expect(card.directPostText(.observed) == Self.text)
        let careful = try #require(IPSPacket.card(fromPacket: i1))
        #expect(careful.cardholderName?.description == "TEST CARD")
        #expect(careful.directPostText() == Self.text)
    }

    @Test func aShortPacketIsNothingAndALongOneIsCutByTheLibrary() {
        #expect(IPSPacket.card(fromPacket: Array(i1.dropLast()), reading: .observed) == nil)
        #expect(IPSPacket.card(fromPacket: Array(i1.dropLast())) == nil)
        let long = i1 + [0x0D]
        #expect(
            IPSPacket.card(fromPacket: long, reading: .observed)
                == IPSPacket.card(fromPacket: i1, reading: .observed)
        )
        #expect(IPSPacket.card(fromPacket: long) == nil)
    }

    @Test func zerosArePassedOnByTheLibraryAndAreNoTrackForACarefulOne() throws {
        var packet = i1
        for index in 88..<128 { packet[index] = 0 }
        let observed = try #require(IPSPacket.card(fromPacket: packet, reading: .observed))
        #expect(
            observed.directPostText(.observed)
                .hasPrefix("encrypted_track_1=" + String(repeating: "0", count: 80) + "&")
        )
        let careful = try #require(IPSPacket.card(fromPacket: packet))
        #expect(careful.track1 == nil && careful.track2?.count == 40)
        for index in 48..<88 { packet[index] = 0 }
        #expect(IPSPacket.card(fromPacket: packet, reading: .observed) != nil)
        #expect(IPSPacket.card(fromPacket: packet) == nil)
        packet = i1
        for index in 38..<48 { packet[index] = 0 }
        #expect(IPSPacket.card(fromPacket: packet) == nil)
    }

    @Test func whatIsWrongIsNamedWithItsByte() {
        func error(_ change: (inout [UInt8]) -> Void) -> IPSError? {
            var bytes = i1
            change(&bytes)
            do {
                _ = try IPSPacket(bytes)
                return nil
            } catch {
                return error
            }
        }
        #expect(error { $0.removeLast() } == IPSError(.truncated, offset: 127))
        #expect(error { $0 = [] } == IPSError(.truncated, offset: 0))
        #expect(error { $0.append(0) } == IPSError(.trailingBytes, offset: 128))
        #expect(error { $0[4] = 20 } == IPSError(.malformed, offset: 4))
        #expect(error { $0[6] = 0x1A } == IPSError(.malformed, offset: 6))
        #expect(error { $0[9] = 0xA1 } == IPSError(.malformed, offset: 9))
        #expect(error { $0[11] = 0x13 } == IPSError(.malformed, offset: 11))
        #expect(error { $0[11] = 0 } == IPSError(.malformed, offset: 11))
        #expect(error { $0[12] = 0x80 } == IPSError(.malformed, offset: 12))
        #expect(error { $0[0] = 0xFF } == nil)
    }

    @Test func everyTwoPiecesAndEverySingleByteGiveThePacket() throws {
        let expected = [IPSReading.packet(try IPSPacket(i1))]
        for split in 0...i1.count {
            #expect(readings(of: [Array(i1[..<split]), Array(i1[split...])]) == expected)
        }
        #expect(readings(of: i1.map { [$0] }) == expected)
        for count in 1..<i1.count {
            let cut = readings(of: [Array(i1[..<count])])
            #expect(cut == [.damaged(IPSError(.truncated, offset: count))])
        }
        #expect(readings(of: [i1, i1]) == [.damaged(IPSError(.trailingBytes, offset: 128))])
        #expect(readings(of: []) == [])
    }

    @Test func theReplyOfATestIsASetting() {
        var settings = IPSReaderSettings()
        #expect(readings(of: [settings.testReply]) == [.testReply])
        settings.testReply = [1, 2, 3]
        #expect(readings(of: [[1], [2, 3]], settings: settings) == [.testReply])
        #expect(
            readings(of: [[6]], settings: settings) == [.damaged(IPSError(.truncated, offset: 1))]
        )
    }

    @Test(arguments: TestCard.all)
    func everyTestCardComesBackUnderTheKey(card: TestCard) throws {
        let ksn = KSN.publishedTestKSN.withCounter(8)
        for usesPINKey in [false, true] {
            var settings = IPSReaderSettings()
            settings.usesPINKey = usesPINKey
            let packet = try #require(
                IPSPacket(
                    card: card,
                    settings: settings,
                    key: .publishedTestKey,
                    ksn: ksn,
                    cache: cache
                )
            )
            let read = try IPSPacket(packet.packet)
            #expect(read == packet)
            let text = read.unmaskedTrack2(
                key: .publishedTestKey,
                settings: settings,
                cache: cache
            )
            #expect(text == card.unmaskedTrack2)
            let number = try #require(read.maskedCardNumber)
            #expect(number.characterCount == Int(packet.cardNumberDigitCount))
            #expect(IPSPacket.card(from: read)?.maskedCardNumber == number)
        }
    }

    @Test func tracksThatWereNotReadAreZeros() throws {
        let card = try #require(TestCard.named("visa"))
        func packet(_ read: StripeTracks, _ content: IPSReaderSettings.Track1Content) -> IPSPacket?
        {
            var settings = IPSReaderSettings()
            settings.track1Content = content
            return IPSPacket(
                card: card,
                settings: settings,
                read: read,
                key: .publishedTestKey,
                ksn: .publishedTestKSN,
                cache: cache
            )
        }
        let zeros = [UInt8](repeating: 0, count: 40)
        #expect(packet([], .beginning) == nil)
        #expect(packet(.all, .zeros)?.track1 == zeros)
        #expect(packet(.all, .beginning)?.track1 != zeros)
        let second = try #require(packet(.track2, .beginning))
        #expect(second.track1 == zeros && second.name == [UInt8](repeating: 0x20, count: 26))
        let first = try #require(packet(.track1, .beginning))
        #expect(first.track2 == zeros && first.expiration == [0x25, 0x12])
        #expect(
            first.unmaskedTrack2(key: .publishedTestKey, cache: cache).isEmpty
        )
    }

    @Test func changedBytesNeverTrapAndShowNoNumber() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<3_000 {
            let bytes = generator.mutated(i1)
            let packet = try? IPSPacket(bytes)
            if let packet { #expect(packet.packet == bytes) }
            for reading in PacketReading.allCases {
                _ = IPSPacket.card(fromPacket: bytes, reading: reading)
            }
            let listing = FieldListing(ipsPacket: bytes)
            #expect((listing.problem == nil) == (packet != nil))
        }
    }
}
