import CardCrypto
import CardData
import ReaderProtocols
import Testing

@Suite("ID TECH records")
struct IDTechRecordVectorsTests {
    private let cache = CryptoCache()
    private let key = CipherKey.publishedTestKey

    private func ksn(_ counter: UInt32) throws -> KSN {
        try #require(KSN("62994901190000000000")).withCounter(counter)
    }

    private func text(_ bytes: [UInt8]?) -> String? {
        bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: IDTechVectors.records.indices)
    func everyPublishedRecordIsWrittenBackToTheSameBytes(index: Int) throws {
        let bytes = IDTechVectors.records[index]
        #expect(try IDTechRecord(bytes).packet == bytes)
    }

    @Test func theOriginalFormatIsRead() throws {
        let record = try IDTechRecord(IDTechVectors.a1)
        #expect(record.format == .original && record.encodeType == .iso)
        #expect(record.status.rawValue == 0x3F)
        #expect(record.tracks.map(\.byteCount) == [0x48, 0x23, 0x6B])
        #expect(text(record.track3.masked) == IDTechVectors.track3)
        #expect(record.joinedCryptogram?.count == 112)
        #expect(record.track1.encrypted == nil && record.serial == nil)
        #expect(record.cipher == .tripleDES && record.sessionID == nil)
        let hash = IDTechVectors.bytes("3418AC88F65E1DB7ED4D10973F99DFC8463FF6DF")
        #expect(record.track1.hash == hash)
        #expect(TrackHash.sha1(Array(IDTechVectors.track1.utf8)) == hash)
        #expect(record.track3.hash == nil)
        #expect(record.ksn == (try ksn(1)))
        let clear = try #require(record.unmaskedTracks(key: key, cache: cache))
        #expect(
            clear.map { text($0) } == [
                IDTechVectors.track1, IDTechVectors.track2, IDTechVectors.track3,
            ]
        )
    }

    @Test(arguments: [(3, IDTechRecord.Cipher.tripleDES), (4, .aes)])
    func aShuttlesTracksAreReadAndDecrypted(index: Int, cipher: IDTechRecord.Cipher) throws {
        let record = try IDTechRecord(IDTechVectors.records[index - 1])
        #expect(record.format == .enhanced && record.cipher == cipher)
        #expect(record.status.rawValue == 0x1F)
        #expect(record.attributes == (cipher == .aes ? .aes : []))
        #expect(text(record.serial) == "0012345678")
        #expect(text(record.track2.masked) == ";4266********9999=***************?*")
        #expect(record.track1.encrypted?.count == (cipher == .aes ? 80 : 72))
        #expect(record.track3 == IDTechRecord.Track())
        let clear = try #require(record.unmaskedTracks(key: key, cache: cache))
        #expect(clear.map { text($0) } == [IDTechVectors.track1, IDTechVectors.track2, ""])
        #expect(
            "\(record)" == "ID TECH record (4266********9999, KSN \(record.ksn?.description ?? ""))"
        )
    }

    @Test func failedBlankAndClearTracksAreTold() throws {
        let seven = try IDTechRecord(IDTechVectors.a7)
        #expect(seven.status.isFailed(0) && !seven.status.isFailed(1) && !seven.status.isFailed(2))
        #expect(seven.track1.masked == nil && seven.track1.byteCount == 0)
        let eight = try IDTechRecord(IDTechVectors.a8)
        #expect(eight.encodeType == .other && eight.ksn == nil && eight.track2.encrypted == nil)
        #expect(text(eight.track2.masked) == ";0123456789?5")
        let nine = try IDTechRecord(IDTechVectors.a9)
        #expect(nine.track1.masked == nil && nine.track1.encrypted?.count == 72)
        let ten = try IDTechRecord(IDTechVectors.a10)
        #expect(ten.attributes == .pinKey && ten.serial == nil && ten.track2.hash?.count == 20)
        let clear = try #require(ten.unmaskedTracks(key: key, cache: cache))
        #expect(clear.map { text($0) } == [IDTechVectors.track1, IDTechVectors.track2, ""])
    }

    @Test func theSizesOfTheBlocksTellTheCipherWhateverTheFlagsSay() throws {
        let record = try IDTechRecord(IDTechVectors.u1)
        #expect(record.cipher == .aes && !record.attributes.contains(.aes))
        #expect(record.track1.encrypted?.count == 64 && record.track2.encrypted?.count == 48)
        var lying = try IDTechRecord(IDTechVectors.a5)
        lying.attributes = .otherCipher
        let read = try IDTechRecord(lying.packet)
        #expect(read.cipher == .tripleDES && read == lying)
    }

    @Test func aReaderSendsThePublishedRecordsForTheMakersCard() throws {
        func packet(
            _ counter: UInt32,
            _ change: (inout IDTechReaderSettings) -> Void
        ) throws
            -> [UInt8]
        {
            var settings = IDTechReaderSettings()
            settings.serial = "12345678"
            change(&settings)
            return IDTechRecord(
                card: IDTechVectors.card,
                settings: settings,
                key: key,
                ksn: try ksn(counter),
                cache: cache
            ).packet
        }
        #expect(
            try packet(1) {
                $0.format = .original
                $0.trackCount = 3
                $0.sendsHashes = true
            } == IDTechVectors.a1
        )
        #expect(
            try packet(2) {
                $0.trackCount = 3
                $0.sendsHashes = true
                $0.maskedTracks = [.track1, .track2]
                $0.serial = nil
            } == IDTechVectors.a2
        )
        #expect(try packet(4) { _ in } == IDTechVectors.a5)
        #expect(try packet(5) { $0.cipher = .aes } == IDTechVectors.a6)
        #expect(try packet(7) { $0.maskedTracks = [] } == IDTechVectors.a9)
        #expect(
            try packet(8) {
                $0.usesPINKey = true
                $0.sendsHashes = true
                $0.serial = nil
            } == IDTechVectors.a10
        )
    }

    @Test func tracksThatWereNotReadAndOtherCardsAreSentAsPublished() throws {
        var settings = IDTechReaderSettings()
        settings.serial = "0012345678"
        let seven = IDTechRecord(
            card: IDTechVectors.card,
            settings: settings,
            read: .track2,
            key: key,
            ksn: try ksn(6),
            cache: cache
        )
        #expect(seven.packet == IDTechVectors.a7)
        let card = TestCard(name: "other", track1: "%NAME?", track2: ";0123456789?")
        let eight = IDTechRecord(
            card: card,
            settings: settings,
            read: .track2,
            key: key,
            ksn: try ksn(7),
            cache: cache
        )
        #expect(eight.packet == IDTechVectors.a8)
    }

    @Test func settingsChangeTheMask() throws {
        var settings = IDTechReaderSettings()
        settings.leadingClearDigitCount = 6
        settings.trailingClearDigitCount = 2
        settings.maskCharacter = 0x58
        settings.showsExpirationDate = true
        settings.sendsLRCCharacter = false
        func record(_ card: TestCard) throws -> IDTechRecord {
            IDTechRecord(card: card, settings: settings, key: key, ksn: try ksn(9), cache: cache)
        }
        let masked = try record(IDTechVectors.card)
        #expect(text(masked.track2.masked) == ";426684XXXXXXXX99=0809XXXXXXXXXXX?")
        #expect(
            text(masked.track1.masked)?.hasPrefix("%X426684XXXXXXXX99^BUSH JR/GEORGE W.MR^0809X")
                == true
        )
        #expect(masked.track2.byteCount == IDTechVectors.track2.utf8.count - 1)
        settings.leadingClearDigitCount = 99
        settings.trailingClearDigitCount = -1
        #expect(
            text(try record(IDTechVectors.card).track2.masked)?.hasPrefix(";426684XXXXXXXXXX=")
                == true
        )
        settings.sendsHashes = true
        settings.sendsNullHashes = true
        #expect(
            try record(IDTechVectors.card).track1.hash == [UInt8](repeating: 0, count: 20)
        )
        settings.encryptsEveryCard = true
        let other = TestCard(name: "other", track1: "", track2: ";0123456789?")
        let forced = try record(other)
        #expect(forced.encodeType == .other && forced.track2.masked == nil)
        #expect(forced.track2.encrypted?.count == 16 && forced.ksn != nil)
    }

    @Test(arguments: TestCard.all, [IDTechRecord.Format.enhanced, .original])
    func everyTestCardComesBackUnderTheKey(card: TestCard, format: IDTechRecord.Format) throws {
        for cipher in IDTechRecord.Cipher.allCases {
            for usesPINKey in [false, true] where !(format == .original && usesPINKey) {
                var settings = IDTechReaderSettings()
                settings.format = format
                settings.cipher = cipher
                settings.usesPINKey = usesPINKey
                settings.trackCount = 3
                let record = IDTechRecord(
                    card: card,
                    settings: settings,
                    key: key,
                    ksn: try ksn(0x15),
                    cache: cache
                )
                let read = try IDTechRecord(record.packet)
                #expect(read.packet == record.packet)
                // Without flags, cryptograms of the same size do not tell AES from triple DES.
                guard read.cipher == cipher else { continue }
                #expect(read == record)
                let clear = try #require(read.unmaskedTracks(key: key, cache: cache))
                #expect(clear[0].dropLast() == card.unmaskedTrack1[...])
                #expect(clear[1].dropLast() == card.unmaskedTrack2[...])
                #expect(clear[2].dropLast() == card.unmaskedTrack3[...])
            }
        }
    }

    @Test func rareFieldsKeepTheirPlaces() throws {
        var record = try IDTechRecord(IDTechVectors.a10)
        record.sessionID = 0x0123_4567_89AB_CDEF
        record.optionalBytes = [0x80, 0x01]
        record.status.insert(.optionalBytes)
        #expect(try IDTechRecord(record.packet) == record)
        #expect(record.packet.count == IDTechVectors.a10.count + 8 + 3)
        var original = try IDTechRecord(IDTechVectors.a1)
        original.sessionID = 7
        original.track1.hash = nil
        original.track2.hash = nil
        let read = try IDTechRecord(original.packet)
        #expect(read.packet == original.packet)
        let clear = IDTechRecord(
            format: .original,
            encodeType: .aamva,
            status: [.track2Decoded, .track2Sampled],
            track1: IDTechRecord.Track(masked: []),
            track2: IDTechRecord.Track(byteCount: 4, masked: Array(";12?".utf8)),
            track3: IDTechRecord.Track(masked: [])
        )
        #expect(try IDTechRecord(clear.packet) == clear)
    }

    @Test func whatIsWrongIsNamedWithItsByte() {
        func error(_ change: (inout [UInt8]) -> Void) -> IDTechError? {
            var bytes = IDTechVectors.a5
            change(&bytes)
            do {
                _ = try IDTechRecord(bytes)
                return nil
            } catch {
                return error
            }
        }
        #expect(error { $0[10] ^= 0xFF } == IDTechError(.lrcMismatch, offset: 249))
        #expect(error { $0[1] = 0xFA } == IDTechError(.truncated, offset: 252))
        #expect(error { $0[1] = 0xF2 } == IDTechError(.missingEnd, offset: 247))
        #expect(error { $0.removeLast() } == IDTechError(.truncated, offset: 251))
        #expect(error { $0[251] = 0 } == IDTechError(.missingEnd, offset: 251))
        #expect(error { $0.append(0x0D) } == IDTechError(.trailingBytes, offset: 252))
        #expect(error { $0[0] = 0x03 } == IDTechError(.noStart, offset: 0))
        #expect(error { $0[250] ^= 1 } == IDTechError(.checksumMismatch, offset: 250))
        #expect(error { $0[2] = 0xFF } == IDTechError(.wrongLength, offset: 1))
        #expect(error { $0 = [] } == IDTechError(.truncated, offset: 0))
        func rewrapped(_ index: Int, _ value: UInt8) -> IDTechError? {
            error {
                var data = Array($0[3..<249])
                data[index - 3] = value
                $0 = IDTechRecord.packet(around: data)
            }
        }
        #expect(rewrapped(3, 0x82) == IDTechError(.malformed, offset: 3))
        #expect(rewrapped(5, 0x47) == IDTechError(.wrongLength, offset: 1))
        #expect(rewrapped(8, 0x82) == IDTechError(.wrongLength, offset: 1))
        #expect(rewrapped(4, 0x5F) == IDTechError(.wrongLength, offset: 1))
        #expect(error { $0 = IDTechRecord.packet(around: [0x80, 0, 0, 0, 0]) } != nil)
    }

    @Test func thePINKeyAndTheDataKeyNeverGiveTheSameCryptogram() throws {
        let text = Array("%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?".utf8)
        let ksn = try #require(KSN("FFFF9876543210E00008"))
        let pin = cache.encrypt(text, key: cache.derive(key, ksn: ksn, variant: .pin))
        let data = cache.encrypt(text, key: cache.derive(key, ksn: ksn, variant: .dataRequest))
        #expect(pin.prefix(8) == IDTechVectors.bytes("C25C1D1197D31CAA")[...])
        #expect(
            pin.suffix(8) == IDTechVectors.bytes("4C213BB55278B2F12").suffix(8) || pin.count == 64
        )
        #expect(data.prefix(8) == IDTechVectors.bytes("411D405D7DEDB9D8")[...])
        #expect(data.suffix(8) == IDTechVectors.bytes("2C32498032B200A7E3").suffix(8))
        #expect(zip(pin, data).filter(==).count < 8)
    }

    @Test(arguments: IDTechVectors.records.indices)
    func everyBitThatIsFlippedIsRefused(index: Int) {
        let bytes = IDTechVectors.records[index]
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect((try? IDTechRecord(changed)) == nil, "bit \(bit)")
        }
        for count in 0..<bytes.count { #expect((try? IDTechRecord(bytes[..<count])) == nil) }
    }

    @Test func changedBytesNeverTrapAndShowNoTrack() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<1_000 {
            let index = generator.below(IDTechVectors.records.count)
            let bytes = generator.mutated(IDTechVectors.records[index])
            let record = try? IDTechRecord(bytes)
            if let record { #expect(record.packet == bytes) }
            for reading in PacketReading.allCases {
                let card = IDTechRecord.card(fromPacket: bytes, reading: reading)
                #expect("\(String(describing: card))".contains("33337676") == false)
            }
            #expect("\(FieldListing(idTech: bytes))".contains("33337676") == false)
        }
        for _ in 0..<3_000 {
            let bytes = generator.bytes(upTo: 300)
            #expect((try? IDTechRecord(bytes)) == nil)
            _ = IDTechRecord.card(fromPacket: bytes, reading: .observed)
            _ = FieldListing(idTech: bytes)
            _ = FieldListing(idTech: [2] + bytes)
            _ = FieldListing(idTech: [6] + bytes)
        }
    }
}

/// Packets that hold a card in clear, changed in every way: what is listed shows no more of it
/// than a receipt does.
@Suite("ID TECH listings")
struct IDTechListingVectorsTests {
    private static let clear: [[UInt8]] = {
        let text = IDTechVectors.track1.dropLast() + IDTechVectors.track2.dropLast() + "\r"
        var record = IDTechRecord(
            format: .original,
            encodeType: .aamva,
            status: [.track1Decoded, .track2Decoded, .track1Sampled, .track2Sampled],
            track1: .init(byteCount: 72, masked: Array(IDTechVectors.track1.utf8)),
            track2: .init(byteCount: 35, masked: Array(IDTechVectors.track2.utf8)),
            track3: .init(masked: [])
        )
        let original = record.packet
        record.format = .enhanced
        record.track3.masked = nil
        let swapped = IDTechRecord(
            status: record.status,
            track2: .init(
                byteCount: 35,
                encrypted: Array(IDTechVectors.track2.utf8) + [0, 0, 0, 0, 0]
            ),
            serial: Array("0000000001".utf8)
        )
        return [Array(text.utf8), original, record.packet, swapped.packet]
    }()

    /// More digits of the number's middle than a cut number may show, as text and as the hexadecimal
    /// of text.
    private static func showsNumber(_ listing: FieldListing) -> Bool {
        listing.fields.contains { field in
            let value = field.value.description
            return value.contains("8410888899") || value.contains("38343130383838383939")
        }
    }

    /// Found with changed bytes: it trapped.
    @Test func aLengthBeforeTheFirstTrackIsListed() {
        let listing = FieldListing(idTech: [0x02, 0x05, 0x00, 0x80, 0, 1, 1, 1, 7, 0, 0, 3, 1, 1])
        #expect(listing.problem?.offset == 1)
        #expect(listing.fields.count >= 7)
        for count in 0...5 {
            for end in [UInt8(0), 0x03] {
                let bytes = [0x02, UInt8(count), 0, 0x80, 0x7F, 1, 1, 1, 7, 7, 7, end, end, end]
                #expect(FieldListing(idTech: bytes).problem != nil)
            }
        }
    }

    @Test func noListingShowsANumberInClear() {
        for packet in Self.clear {
            let listing = FieldListing(idTech: packet)
            #expect(listing.problem == nil)
            #expect(!Self.showsNumber(listing))
        }
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<3_000 {
            let packet = generator.mutated(Self.clear[generator.below(Self.clear.count)])
            #expect(!Self.showsNumber(FieldListing(idTech: packet)))
            #expect(!Self.showsNumber(FieldListing(ipsPacket: packet)))
            // The same with checks that are right, so that flags decide.
            if packet.count > 12, packet[0] == 2 {
                var data = Array(packet.dropFirst(3).dropLast(3))
                data[generator.below(7)] ^= 1 << UInt8(generator.below(8))
                let whole = IDTechRecord.packet(around: data)
                #expect(!Self.showsNumber(FieldListing(idTech: whole)))
            }
        }
    }
}
