import CardCrypto
import CardData
import ReaderProtocols
import Testing

@Suite("MagneSafe stream decoder")
struct MagneSafeStreamVectorsTests {
    private func readings(_ pieces: ArraySlice<UInt8>...) -> [MagneSafeReading] {
        var decoder = MagneSafeStreamDecoder()
        var readings: [MagneSafeReading] = []
        for piece in pieces {
            decoder.append(piece)
            while let reading = decoder.next() { readings.append(reading) }
        }
        while let reading = decoder.finish() { readings.append(reading) }
        return readings
    }

    private func record(_ text: String) throws -> MagneSafeRecord {
        let all = readings(MagneSafeVectors.message(text)[...])
        #expect(all.count == 1)
        guard case .record(let record) = try #require(all.first) else {
            throw MagneSafeError(.malformed, offset: -1)
        }
        return record
    }

    @Test(arguments: [
        (MagneSafeVectors.s7, "5452000000007189", "0408", "HOGAN/PAUL", "FFFF9876543210E00008"),
        (MagneSafeVectors.s9, "4003000050006781", "1219", "TEST/MPS", "9012090B29C0D1000003"),
        (MagneSafeVectors.s10, "4003000050006781", "1215", "TEST/MPS", "9012090B283724000004"),
        (MagneSafeVectors.s11, "5499000090006781", "1215", "TEST/MPS", "9012090B06349B00006E"),
        (MagneSafeVectors.s12, "5499000090006781", "1215", "TEST/MPS", "9012090B0470380000B8"),
        (
            MagneSafeVectors.s13, "2223000010007612", "1219", "TEST CARD/EMV BIN-2",
            "9010190B362DF80000B0"
        ),
        (MagneSafeVectors.d1, "5452000000007189", "0408", "HOGAN/PAUL", "FFFF9876543210E00008"),
        (MagneSafeVectors.d5a, "5452000000007189", "0408", "HOGAN/PAUL", "FFFF9876543210E00009"),
        (MagneSafeVectors.d5b, "5452000000007189", "0408", "HOGAN/PAUL", "FFFF9876543210E0000A"),
    ])
    func readsCardAndKey(
        text: String,
        number: String,
        date: String,
        name: String,
        ksn: String
    ) throws {
        let record = try record(text)
        #expect(record.maskedCardNumber?.description == number)
        #expect(record.expirationDate?.description == date)
        #expect(record.cardholderName?.description == name)
        #expect(record.ksn == KSN(ksn))
        #expect(!record.isUnreadable)
    }

    @Test func readsEveryFieldOfTheManualsExample() throws {
        let record = try record(MagneSafeVectors.s7)
        #expect(record.readerStatus == [.initialKeyInjected, .encryptionEnabled])
        #expect(record.magnePrintStatus?.rawValue == 0x05A1)
        #expect(record.magnePrint.count == 56)
        #expect(record.serial == [])
        #expect(record.sessionID == 0x2168_5F15_8B5C_6BE0)
        #expect(record.track1.encrypted.count == 64)
        #expect(record.track2.encrypted.first == 0x72)
        #expect(record.track3.masked == Array("+5163000050000445=000000000000?".utf8))
        #expect(record.encryptionCounter == nil)
    }

    @Test func readsDirectionVariantAndSerial() throws {
        #expect(try record(MagneSafeVectors.s13).magnePrintStatus?.contains(.reversed) == true)
        #expect(try record(MagneSafeVectors.s12).magnePrintStatus?.contains(.reversed) == false)
        #expect(try record(MagneSafeVectors.d1).readerStatus.contains(.dataVariant))
        #expect(try record(MagneSafeVectors.d1).serial == Array("B000795".utf8))
    }

    @Test func aBadTrackLeavesTheOtherUsable() throws {
        let record = try record(MagneSafeVectors.d2)
        #expect(record.track1 == .failed)
        #expect(record.track3 == .blank)
        #expect(record.maskedCardNumber?.description == "5452000000007189")
        #expect(record.cardholderName == nil)
        #expect(!record.isUnreadable)
    }

    @Test(arguments: [MagneSafeVectors.d3, MagneSafeVectors.d4])
    func withoutTracksTheSwipeIsUnreadable(text: String) throws {
        let record = try record(text)
        #expect(record.isUnreadable)
        #expect(record.expirationDate == nil)
        #expect(record.readerStatus.contains(.keysExhausted) == (text == MagneSafeVectors.d4))
    }

    @Test func levelTwoCardsAreMaskedAndNeverPrinted() throws {
        for text in [MagneSafeVectors.s2, MagneSafeVectors.s5] {
            let record = try record(text)
            #expect(record.ksn == nil)
            #expect(record.maskedCardNumber?.description.hasPrefix("5452") == true)
            var printed = "\(record) \(String(reflecting: record.track1))"
            dump(record, to: &printed)
            #expect(!printed.contains("5452300551227189"))
        }
        #expect(try record(MagneSafeVectors.s2).maskedCardNumber?.description == "5452300004007189")
    }

    @Test(arguments: [
        MagneSafeVectors.s7, MagneSafeVectors.s9, MagneSafeVectors.s13, MagneSafeVectors.d1,
        MagneSafeVectors.d2, MagneSafeVectors.d3, MagneSafeVectors.d4, MagneSafeVectors.s5,
    ])
    func writesWhatItRead(text: String) throws {
        let record = try record(text)
        #expect(String(decoding: record.streamMessage(), as: UTF8.self) == text + "\r")
        let blocks = record.streamBlocks()
        #expect(blocks == MagneSafeVectors.blocks(text))
        #expect(blocks.count == (text.utf8.count + 1 + 499) / 500 * 500)
    }

    @Test func theEncryptionCounterIsAFieldOfItsOwn() throws {
        var record = try record(MagneSafeVectors.s9)
        record.encryptionCounter = 0x0007F1
        let text = String(decoding: record.streamMessage(), as: UTF8.self)
        #expect(text.contains("|9012090B29C0D1000003|0007F1|"))
        #expect(try self.record(String(text.dropLast())) == record)
    }

    @Test(arguments: MagneSafeVectors.all)
    func everyTwoPieceSplitGivesTheSameReadings(text: String) {
        let bytes = MagneSafeVectors.blocks(text)
        let whole = readings(bytes[...])
        #expect(whole.count == 1)
        for split in 0...bytes.count where readings(bytes[..<split], bytes[split...]) != whole {
            Issue.record("another reading when split at \(split)")
        }
    }

    @Test(arguments: [MagneSafeVectors.s7, MagneSafeVectors.s13], ["\r", "\rx", "x\r", "x", ""])
    func acceptsEveryEndOfABlock(text: String, end: String) throws {
        var bytes = Array(text.utf8)
        if end.hasPrefix("\r") { bytes.append(0x0D) }
        while end.contains("x"), bytes.count % 500 != (end.hasSuffix("\r") ? 499 : 0) {
            bytes.append(0x78)
        }
        if end.hasSuffix("\r"), end.contains("x") { bytes.append(0x0D) }
        let twice = readings((bytes + bytes)[...])
        #expect(twice.count == 2)
        #expect(twice[0] == twice[1])
        #expect(twice[0] == .record(try record(text)))
    }

    @Test(arguments: [498, 499, 500, 501])
    func messagesAroundTheSizeOfABlockAreWhole(characterCount: Int) throws {
        var record = try record(MagneSafeVectors.s9)
        let name = 499 - record.streamMessage().count + characterCount - 498
        record.track1.masked.insert(contentsOf: Array(repeating: 0x41, count: name), at: 20)
        let bytes = record.streamMessage().dropLast()
        #expect(bytes.count == characterCount)
        #expect(record.streamBlocks().count == (characterCount < 500 ? 500 : 1_000))
        let withoutTerminator = characterCount == 500 ? bytes : record.streamBlocks()[...]
        var expected = record
        expected.track1.absoluteByteCount = record.track1.masked.count
        #expect(
            readings(withoutTerminator, withoutTerminator) == [
                .record(expected), .record(expected),
            ]
        )
    }

    @Test func aSecondSwipeSurvivesACutAnywhereInTheFirst() throws {
        let next = try record(MagneSafeVectors.s9)
        let first = MagneSafeVectors.blocks(MagneSafeVectors.s7)
        for cut in 1..<MagneSafeVectors.s7.utf8.count {
            let all = readings(first[..<cut], MagneSafeVectors.blocks(MagneSafeVectors.s9)[...])
            guard all.count == 2, case .damaged = all[0], all[1] == .record(next) else {
                Issue.record("\(all.count) readings when cut at \(cut)")
                continue
            }
        }
    }

    @Test func oneChangedBitGivesOneReading() throws {
        let next = try record(MagneSafeVectors.s9)
        let first = MagneSafeVectors.blocks(MagneSafeVectors.s7)
        for position in first.indices {
            for bit in [position % 8, 6] {
                var changed = first
                changed[position] ^= 1 << bit
                let all = readings(
                    changed[...],
                    MagneSafeVectors.blocks(MagneSafeVectors.s9)[...]
                )
                guard all.count == 2, all[1] == .record(next) else {
                    Issue.record("\(all.count) readings for bit \(bit) of byte \(position)")
                    continue
                }
                if position < MagneSafeVectors.s7.utf8.count - 4, case .record = all[0] {
                    Issue.record("bit \(bit) of byte \(position) was not noticed")
                }
            }
        }
    }

    @Test func oneLostByteGivesOneReading() throws {
        let next = try record(MagneSafeVectors.s9)
        let first = MagneSafeVectors.blocks(MagneSafeVectors.s7)
        for position in first.indices {
            var changed = first
            changed.remove(at: position)
            let all = readings(changed[...], MagneSafeVectors.blocks(MagneSafeVectors.s9)[...])
            if all.count != 2 || all[1] != .record(next) {
                Issue.record("\(all.count) readings without byte \(position)")
            }
        }
    }

    @Test func aBlockThatArrivesTwiceIsStillOneSwipe() throws {
        let bytes = MagneSafeVectors.blocks(MagneSafeVectors.s7)
        let first = bytes[..<500]
        let second = bytes[500...]
        let whole = MagneSafeReading.record(try record(MagneSafeVectors.s7))
        #expect(readings(first, first, second) == [whole])
        #expect(readings(first, second, second) == [whole])
        #expect(readings(first, second, first, second) == [whole, whole])
    }

    @Test func aLostBlockIsOneDamagedSwipe() throws {
        let bytes = MagneSafeVectors.blocks(MagneSafeVectors.s7)
        let next = MagneSafeVectors.blocks(MagneSafeVectors.d5a)
        let whole = MagneSafeReading.record(try record(MagneSafeVectors.d5a))
        for lost in [bytes[..<500], bytes[500...]] {
            let all = readings(lost, next[...])
            #expect(all.count == 2)
            #expect(all.first != whole)
            #expect(all.last == whole)
        }
    }

    @Test func theSameCardAfterACutSwipeIsAnotherSwipe() throws {
        let whole = MagneSafeReading.record(try record(MagneSafeVectors.d5b))
        for cut in [1, 60, 100, 130, 230, 379] {
            let all = readings(
                Array(MagneSafeVectors.d5a.utf8)[..<cut],
                MagneSafeVectors.blocks(MagneSafeVectors.d5b)[...]
            )
            #expect(all.count == 2, "cut at \(cut)")
            #expect(all.last == whole)
        }
    }

    @Test func damageCarriesAPositionAndNoCardData() throws {
        var bytes = MagneSafeVectors.message(MagneSafeVectors.s7)
        bytes[5] ^= 1
        guard case .damaged(let error) = try #require(readings(bytes[...]).first) else {
            Issue.record("the change was not noticed")
            return
        }
        #expect(error == MagneSafeError(.checksumMismatch, offset: 570))
        #expect(!error.description.contains("5452"))
    }

    @Test func lowerCaseDigitsAreNotTheReaders() throws {
        var record = try record(MagneSafeVectors.d4)
        record.serial = Array("b000795".utf8)
        #expect(readings(record.streamMessage()[...]) == [.record(record)])
        let text = MagneSafeVectors.s9.replacing("D860", with: "d860")
        guard case .damaged = try #require(readings(MagneSafeVectors.message(text)[...]).first)
        else {
            Issue.record("lower case was accepted")
            return
        }
    }

    @Test func repliesAndPaddingAreNoSwipes() {
        let text = "000B323130343238373541303100\rxxx8xxx\r\r1900\r"
        #expect(readings(Array(text.utf8)[...]) == [])
    }

    @Test func anEndlessMessageIsReportedOnceAndTheNextIsWhole() throws {
        let next = try record(MagneSafeVectors.s9)
        var decoder = MagneSafeStreamDecoder()
        var all: [MagneSafeReading] = []
        for _ in 0..<100 {
            decoder.append(Array(repeating: 0x25, count: 300).span)
            while let reading = decoder.next() { all.append(reading) }
        }
        #expect(all == [.damaged(MagneSafeError(.tooLong, offset: 0))])
        decoder.append(MagneSafeVectors.message(MagneSafeVectors.s9).span)
        while let reading = decoder.next() { all.append(reading) }
        #expect(all.dropFirst() == [.record(next)])
    }

    @Test func aMessageThatStopsIsDamagedWhenTheStreamEnds() {
        var decoder = MagneSafeStreamDecoder()
        decoder.append(Array(MagneSafeVectors.s7.utf8)[..<250])
        #expect(decoder.next() == nil)
        #expect(decoder.hasPartialMessage)
        #expect(decoder.finish() == .damaged(MagneSafeError(.truncated, offset: 0)))
        #expect(decoder.finish() == nil)
        #expect(!decoder.hasPartialMessage)
    }

    @Test func changedVectorsNeverTrap() {
        var random: UInt64 = 0x5EED
        func draw(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % bound
        }
        let interesting: [UInt8] = [0x7C, 0x78, 0x0D, 0x25, 0x3B, 0x2B, 0x3F, 0x45, 0x00, 0xFF]
        var count = 0
        for _ in 0..<1_500 {
            var bytes = MagneSafeVectors.blocks(
                MagneSafeVectors.all[draw(MagneSafeVectors.all.count)]
            )
            for _ in 0...draw(12) {
                let position = draw(bytes.count)
                switch draw(3) {
                case 0: bytes[position] = interesting[draw(interesting.count)]
                case 1: bytes.removeSubrange(position..<min(bytes.count, position + draw(40)))
                default: bytes.insert(interesting[draw(interesting.count)], at: position)
                }
            }
            count += readings(bytes[...]).count
        }
        #expect(count > 1_000)
    }
}

@Suite("Masked tracks of a keyboard or stream reader")
struct MagneSafeMaskedTracksTests {
    @Test(arguments: [
        ("%E?;E?+E?", [true, true, true]), ("%E?;E?", [true, true, false]),
        (";E?", [false, true, false]),
    ])
    func errorTracksAreEAlone(text: String, failed: [Bool]) throws {
        let tracks = try MagneSafeMaskedTracks(Array(text.utf8))
        let statuses = [tracks.track1, tracks.track2, tracks.track3].map { $0.status == .failed }
        #expect(statuses == failed)
        #expect(MagneSafeRecord(track1: tracks.track1, track2: tracks.track2).isUnreadable)
    }

    @Test func aCardThatIsNoBankCardShowsItsLastDigits() throws {
        let tracks = try MagneSafeMaskedTracks(Array("%E?;123456789=2512?".utf8))
        let record = MagneSafeRecord(track1: tracks.track1, track2: tracks.track2)
        #expect(record.maskedCardNumber?.description == "000006789")
        #expect(record.expirationDate?.description == "1225")
    }

    @Test(arguments: ["%B1", ";1=2", "%B^^;?%", "%" + String(repeating: "A", count: 120) + "?"])
    func tracksWithoutEndAreMalformed(text: String) {
        if text == "%B^^;?%" {
            #expect(throws: Never.self) { try MagneSafeMaskedTracks(Array(text.utf8)) }
        } else {
            #expect(throws: MagneSafeError(.malformed, offset: 0)) {
                try MagneSafeMaskedTracks(Array(text.utf8))
            }
        }
    }
}
