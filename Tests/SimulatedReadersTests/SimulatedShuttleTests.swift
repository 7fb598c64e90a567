import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing

@Suite("Simulated Shuttle")
struct SimulatedShuttleTests {
    private let cache = CryptoCache()

    // MARK: Qualities

    @Test(arguments: TestCard.names)
    func aGoodSwipeDecodesAndDecryptsToTheTracksOfTheCard(name: String) throws {
        let card = try #require(TestCard.named(name))
        var desk = JackDesk()
        let bytes = desk.swipe(card, .good, cache)
        let record = try IDTechRecord(bytes)
        #expect(record.ksn == ShuttleConfiguration.publishedTestKSN.withCounter(1))
        let clear = try #require(record.unmaskedTracks(key: .publishedTestKey, cache: cache))
        #expect(clear[0].dropLast() == card.unmaskedTrack1[...])
        #expect(clear[1].dropLast() == card.unmaskedTrack2[...])
        #expect(clear[2].isEmpty)
        let shown = try #require(IDTechRecord.card(from: record))
        #expect(shown.expirationDate == Track2(parsing: card.unmaskedTrack2)?.expirationDate)
    }

    @Test
    func everyQualityHasItsRecord() throws {
        for badSwipe in ShuttleConfiguration.BadSwipe.allCases {
            for quality in SwipeQuality.words {
                var configuration = ShuttleConfiguration()
                configuration.badSwipe = badSwipe
                var desk = JackDesk(configuration)
                let effects = desk.effects(of: try Self.card("visa"), quality, cache)
                let text = "\(quality) \(badSwipe)"
                switch (quality, badSwipe) {
                case (.physical, _):
                    Issue.record("\(text) is no word")
                case (.good, _), (.reversed, _):
                    let record = try IDTechRecord(effects.heard)
                    #expect(record.status.rawValue == 0x1F, "\(text)")
                    #expect(record.track1.encrypted != nil && record.track2.encrypted != nil)
                case (.partial, _):
                    let record = try IDTechRecord(effects.heard)
                    #expect(record.status.rawValue == 0x1E, "\(text)")
                    #expect(record.track1.encrypted == nil && record.track2.encrypted != nil)
                case (.tooFast, .errorText), (.unreadable, .errorText):
                    #expect(effects.heard == Array("%E?;E?\r".utf8), "\(text)")
                case (.tooFast, .emptyRecord), (.unreadable, .emptyRecord):
                    let record = try IDTechRecord(effects.heard)
                    #expect(record.status.rawValue == 0x1C, "\(text)")
                    #expect(IDTechRecord.card(from: record) == nil)
                case (.tooFast, .nothing), (.unreadable, .nothing):
                    #expect(effects.heard.isEmpty, "\(text)")
                    #expect(effects.facts == [.swipeLost(.unread)], "\(text)")
                }
            }
        }
    }

    @Test
    func everyFormatCipherAndKeyDecryptsToTheTracks() throws {
        let card = try Self.card("visa")
        for format in IDTechRecord.Format.allCases {
            for cipher in IDTechRecord.Cipher.allCases {
                for bits in 0..<16 {
                    var configuration = ShuttleConfiguration()
                    configuration.settings.format = format
                    configuration.settings.cipher = cipher
                    // The original format has no flag that names the key.
                    configuration.settings.usesPINKey = bits & 1 != 0 && format == .enhanced
                    configuration.settings.maskedTracks = bits & 2 == 0 ? .all : .track2
                    configuration.settings.sendsHashes = bits & 4 != 0
                    configuration.settings.serial = bits & 8 != 0 ? nil : "42"
                    var desk = JackDesk(configuration)
                    let record = try IDTechRecord(desk.swipe(card, .good, cache))
                    #expect(record.format == format)
                    #expect(record.cipher == cipher)
                    #expect((record.track1.hash != nil) == (bits & 4 != 0))
                    let clear = record.unmaskedTracks(key: .publishedTestKey, cache: cache)
                    #expect(clear?[0].dropLast() == card.unmaskedTrack1[...])
                    #expect(clear?[1].dropLast() == card.unmaskedTrack2[...])
                }
            }
        }
    }

    @Test
    func aCardThatIsNoBankCardIsClearAndUsesNoKeyUnlessForced() throws {
        let card = TestCard(name: "club", track1: "", track2: ";0123456789?")
        var desk = JackDesk()
        let record = try IDTechRecord(desk.swipe(card, .good, cache))
        #expect(record.ksn == nil)
        #expect(record.track2.masked?.dropLast() == card.unmaskedTrack2[...])
        #expect(try IDTechRecord(desk.swipe(card, .good, cache)).ksn == nil)
        let first = try IDTechRecord(desk.swipe(try Self.card("visa"), .good, cache))
        #expect(first.ksn?.counter == 1)

        var configuration = ShuttleConfiguration()
        configuration.settings.encryptsEveryCard = true
        var forced = JackDesk(configuration)
        let hidden = try IDTechRecord(forced.swipe(card, .good, cache))
        #expect(hidden.ksn?.counter == 1)
        #expect(hidden.track2.masked == nil)
    }

    @Test
    func aReaderWithoutKeysSendsText() throws {
        var configuration = ShuttleConfiguration()
        configuration.hasKeys = false
        var desk = JackDesk(configuration)
        let card = try Self.card("visa")
        #expect(
            desk.swipe(card, .good, cache) == card.unmaskedTrack1 + card.unmaskedTrack2 + [0x0D]
        )
        #expect(desk.swipe(card, .partial, cache) == card.unmaskedTrack2 + [0x0D])
    }

    // MARK: Keys

    @Test
    func eachEncryptedSwipeUsesOneKeyAndABadReadNone() throws {
        var desk = JackDesk()
        let card = try Self.card("visa")
        var counters: [UInt32?] = []
        for quality in [SwipeQuality.good, .unreadable, .partial, .tooFast, .reversed] {
            counters.append((try? IDTechRecord(desk.swipe(card, quality, cache)))?.ksn?.counter)
        }
        #expect(counters == [1, nil, 2, nil, 3])
    }

    @Test
    func theCounterSurvivesTheLossOfPowerAndOfTheJack() throws {
        var desk = JackDesk()
        let card = try Self.card("visa")
        _ = desk.swipe(card, .good, cache)
        desk.cyclePower()
        #expect(try IDTechRecord(desk.swipe(card, .good, cache)).ksn?.counter == 2)
        desk.replug()
        #expect(try IDTechRecord(desk.swipe(card, .good, cache)).ksn?.counter == 3)
    }

    @Test
    func aReaderWithoutKeysLeftSaysNothing() throws {
        var configuration = ShuttleConfiguration()
        configuration.initialKSN = ShuttleConfiguration.publishedTestKSN.withCounter(0x1FF800)
        var desk = JackDesk(configuration)
        let effects = desk.effects(of: try Self.card("visa"), .good, cache)
        #expect(effects.facts == [.swipeLost(.keysExhausted)])
    }

    // MARK: When it does not read

    @Test
    func aSwipeIsLostWhileTheReaderIsOffBootsOrSends() throws {
        let card = try Self.card("visa")
        var desk = JackDesk(isPowered: false)
        #expect(desk.effects(of: card, .good, cache).facts == [.swipeLost(.unpowered)])
        desk.unplug()
        #expect(desk.effects(of: card, .good, cache).facts == [.swipeLost(.unplugged)])
        desk.plugIn()
        _ = desk.jack.perform(.startTone(.power), at: desk.now)
        let booting = desk.jack.swipe(
            thing: 0,
            card: card,
            quality: .good,
            cache: cache,
            at: desk.now
        )
        #expect(booting.facts == [.swipeLost(.booting)])
        desk.settle()
        _ = desk.jack.swipe(thing: 0, card: card, quality: .good, cache: cache, at: desk.now)
        let busy = desk.jack.swipe(
            thing: 0,
            card: card,
            quality: .good,
            cache: cache,
            at: desk.now
        )
        #expect(busy.facts == [.swipeLost(.busy)])
    }

    @Test(arguments: JackDesk.Cut.allCases)
    func whatHappensWhileARecordIsSentDecidesHowMuchIsHeard(_ cut: JackDesk.Cut) throws {
        var desk = JackDesk()
        let card = try Self.card("visa")
        var effects = desk.jack.swipe(
            thing: 0,
            card: card,
            quality: .good,
            cache: cache,
            at: desk.now
        )
        let byteCount = try #require(effects.recordByteCount)
        // 30 ms until it is decoded, then 16 bytes in 16.7 ms: eight pieces are through.
        desk.wait(.milliseconds(170))
        effects += desk.jack.advance(to: desk.now)
        #expect(effects.heard.count == 128)
        effects += desk.cut(cut)
        effects += desk.settle()
        let rest = byteCount - 128
        switch cut {
        case .stopTone, .volume, .unplug:
            #expect(effects.heard.count == 128)
            #expect(effects.facts.contains(.transmissionCut(missingByteCount: rest)))
        case .call:
            #expect(effects.heard.count == 128)
            #expect(effects.facts.contains(.transmissionCut(missingByteCount: rest)))
        case .permission:
            #expect(effects.heard.count == 128)
            #expect(effects.facts.contains(.transmissionEnded(unheardByteCount: rest)))
        case .nothing:
            #expect(effects.heard.count == byteCount)
            #expect(effects.facts.contains(.transmissionEnded(unheardByteCount: 0)))
        }
    }

    // MARK: Quirks

    @Test
    func eachQuirkGivesItsDamage() throws {
        let card = try Self.card("visa")
        var plain = JackDesk()
        let whole = plain.swipe(card, .good, cache)
        for quirk in ShuttleConfiguration.Quirk.allCases {
            var configuration = ShuttleConfiguration()
            configuration.quirks = [quirk]
            var desk = JackDesk(configuration)
            let effects = desk.effects(of: card, .good, cache)
            let bytes = effects.heard
            switch quirk {
            case .truncatesRecord:
                #expect(bytes == Array(whole.dropLast(whole.count / 3)))
                #expect(IDTechRecord.card(fromPacket: bytes) == nil)
            case .appendsLineEnd:
                #expect(bytes == whole + [0x0D, 0x0A])
                #expect(effects.recordByteCount == whole.count)
            case .omitsTrailer: #expect(bytes == Array(whole.dropLast(3)))
            case .omitsKSN:
                #expect(try IDTechRecord(bytes).ksn == nil)
                #expect(bytes.count == whole.count - 10)
            case .omitsTrack1:
                let record = try IDTechRecord(bytes)
                #expect(record.track1 == IDTechRecord.Track())
                #expect(record.track2.encrypted?.isEmpty == false)
                #expect(IDTechRecord.card(fromPacket: bytes, reading: .observed) == nil)
                #expect(IDTechRecord.card(fromPacket: bytes) != nil)
            }
        }
    }

    // MARK: Time

    @Test
    func aSlowerLinkTakesLonger() throws {
        for (baudRate, milliseconds) in [(9_600, 262.5), (4_800, 525), (2_400, 1_050)] {
            var configuration = ShuttleConfiguration()
            configuration.baudRate = baudRate
            configuration.decodeTime = .zero
            configuration.settings.serial = nil
            var desk = JackDesk(configuration)
            let start = desk.now
            let byteCount = desk.swipe(try Self.card("visa"), .good, cache).count
            let perByte = milliseconds / 252
            let expected = Int64(perByte * Double(byteCount) * 1_000)
            let taken = (desk.now - start).nanoseconds / 1_000
            #expect(abs(taken - expected) < 200, "\(baudRate)")
        }
    }

    static func card(_ name: String) throws -> TestCard { try #require(TestCard.named(name)) }
}
