import CardCrypto
import CardData
import ReaderProtocols
import Testing

@Suite("ID TECH stream")
struct IDTechStreamDecoderVectorsTests {
    private static func readings(of pieces: [[UInt8]]) -> [IDTechReading] {
        var decoder = IDTechStreamDecoder()
        var readings: [IDTechReading] = []
        for piece in pieces {
            decoder.append(piece.span)
            while let reading = decoder.next() { readings.append(reading) }
        }
        while let reading = decoder.finish() { readings.append(reading) }
        #expect(!decoder.hasPartialPacket)
        return readings
    }

    private static func record(_ bytes: [UInt8]) throws -> IDTechReading {
        .record(try IDTechRecord(bytes))
    }

    /// Everything that a reader says, with what it must be read as.
    private static let packets: [(bytes: [UInt8], reading: IDTechReading)] = {
        var packets = IDTechVectors.records.compactMap { bytes in
            (try? record(bytes)).map { (bytes: bytes, reading: $0) }
        }
        packets.append((IDTechClearText.swipeErrorPacket, .swipeError))
        packets.append((IDTechPowerUp.packet("MSR301"), .powerUp(.msr3xx)))
        let answers: [IDTechAnswer] = [
            .acknowledged, .refused, .calibrationFailed, .bootloader(high: 0x32, low: 0x31),
            .bytes([0x01, 0x7F]), .data(Array("ID TECH UniMag II V2.10".utf8)),
            .data([0x7E, 0x01, 0x33]), .data([3, 3, 3, 0, 3]),
        ]
        for answer in answers { packets.append((answer.packet, .answer(answer))) }
        let clear = Array((IDTechVectors.track1.dropLast() + IDTechVectors.track2.dropLast()).utf8)
        if let text = try? IDTechClearText(clear + [0x0D]) {
            packets.append((clear + [0x0D], .clearText(text)))
        }
        return packets
    }()

    @Test(arguments: packets.indices)
    func everythingIsReadWholeInEveryTwoPiecesAndByteByByte(index: Int) {
        let (bytes, reading) = Self.packets[index]
        #expect(Self.readings(of: [bytes]) == [reading])
        #expect(Self.readings(of: bytes.map { [$0] }) == [reading])
        for split in 0...bytes.count {
            let pieces = [Array(bytes[..<split]), Array(bytes[split...])]
            #expect(Self.readings(of: pieces) == [reading], "split at \(split)")
        }
    }

    @Test func recordsInARowNeedNoSilence() throws {
        let all = IDTechVectors.records
        let expected = try all.map(Self.record)
        #expect(Self.readings(of: [all.flatMap { $0 }]) == expected)
        #expect(Self.readings(of: all.flatMap { $0 }.map { [$0] }) == expected)
        #expect(Self.readings(of: [all.flatMap { $0 + [0x0D, 0x0A] }]) == expected)
        let bytes = IDTechVectors.a5 + IDTechVectors.a6
        for split in 0...bytes.count {
            let pieces = [Array(bytes[..<split]), Array(bytes[split...])]
            #expect(Self.readings(of: pieces) == Array(expected[2...3]))
        }
    }

    @Test func anAcknowledgementMayStandRightBeforeARecord() throws {
        for packet in IDTechVectors.records {
            let readings = Self.readings(of: [[0x06] + packet])
            #expect(readings == [.answer(.acknowledged), try Self.record(packet)])
        }
    }

    @Test(arguments: IDTechVectors.records.indices)
    func aRecordThatIsCutGivesOneErrorAndTheNextIsRead(index: Int) throws {
        let bytes = IDTechVectors.records[index]
        let next = IDTechVectors.a7
        let expected = try Self.record(next)
        for count in 1..<bytes.count {
            let cut = Array(bytes[..<count])
            #expect(
                Self.readings(of: [cut]) == [.damaged(IDTechError(.truncated, offset: count))],
                "\(count)"
            )
            let readings = Self.readings(of: [cut + next])
            #expect(readings.count == 2, "\(count)")
            guard case .damaged = readings.first else {
                Issue.record("no damage at \(count)")
                continue
            }
            #expect(readings.last == expected, "\(count)")
        }
    }

    /// Every bit of the short records, and one bit of each byte of the long ones.
    @Test(arguments: IDTechVectors.records.indices)
    func aBitThatIsFlippedGivesOneErrorAndTheNextIsRead(index: Int) throws {
        let bytes = IDTechVectors.records[index]
        let next = IDTechVectors.a8
        let expected = try Self.record(next)
        let isShort = bytes.count < 120
        for bit in 0..<(bytes.count * 8) where isShort || bit % 8 == bit / 8 % 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let readings = Self.readings(of: [changed + next])
            #expect(readings.count == 2, "bit \(bit)")
            guard case .damaged = readings.first else {
                Issue.record("no damage at bit \(bit)")
                continue
            }
            #expect(readings.last == expected, "bit \(bit)")
        }
    }

    @Test func silenceEndsWhatWasDamaged() throws {
        var decoder = IDTechStreamDecoder()
        var bytes = IDTechVectors.a5
        bytes[40] ^= 1
        decoder.append(bytes[...])
        #expect(decoder.next() == .damaged(IDTechError(.lrcMismatch, offset: 249)))
        #expect(decoder.next() == nil)
        #expect(decoder.hasPartialPacket)
        #expect(decoder.finish() == nil)
        #expect(!decoder.hasPartialPacket)
        decoder.append([0x15][...])
        #expect(decoder.next() == .answer(.refused))
    }

    @Test func aBareAnswerWaitsForSilence() {
        var decoder = IDTechStreamDecoder()
        decoder.append([0x06][...])
        #expect(decoder.next() == nil)
        #expect(decoder.hasPartialPacket)
        #expect(decoder.finish() == .answer(.acknowledged))
        #expect(decoder.finish() == nil)
        decoder.append([0x06, 1, 2, 3][...])
        #expect(decoder.finish() == .answer(.bytes([1, 2, 3])))
        decoder.append([0x06, 1, 2, 3, 4][...])
        #expect(decoder.next() == .damaged(IDTechError(.malformed, offset: 6)))
        decoder.reset()
        decoder.append([0x06, 0x02, 0x80][...])
        #expect(decoder.finish() == .damaged(IDTechError(.truncated, offset: 3)))
    }

    @Test func anAnswerThatLooksLikeTheStartOfARecordIsStillRead() {
        let answer = IDTechAnswer.data([0x10, 0x00, 0x80, 0x41, 0x42])
        let readings = Self.readings(of: [answer.packet])
        #expect(readings == [.answer(answer)])
        #expect(Self.readings(of: answer.packet.map { [$0] }) == [.answer(answer)])
    }

    @Test func textWithoutItsEndOrOfNoKnownFormIsDamage() {
        let clear = Array(IDTechVectors.track2.utf8)
        #expect(
            Self.readings(of: [clear]) == [.damaged(IDTechError(.truncated, offset: clear.count))]
        )
        for (text, error) in [
            ("%E?\r;", IDTechError(.truncated, offset: 5)),
            ("hello\r", IDTechError(.noStart, offset: 0)),
            (";12\r", IDTechError(.malformed, offset: 0)),
            (";1?x\r", IDTechError(.malformed, offset: 3)),
            (";1?;2?;3?\r", IDTechError(.malformed, offset: 6)),
        ] {
            let readings = Self.readings(of: [Array(text.utf8)])
            #expect(readings.last == .damaged(error), "\(text)")
        }
        #expect(Self.readings(of: [Array("%E?;E?".utf8)]) == [.swipeError])
        let jis: [UInt8] = [0x7F, 0x41, 0x42, 0x7F, 0x0D]
        #expect(Self.readings(of: [jis]).count == 1)
        #expect((try? IDTechClearText(jis))?.unmaskedPacket == jis)
    }

    @Test func anEndlessPacketGivesOneErrorAndBoundedMemory() {
        for first in [UInt8(0x25), 0x41, 0x06, 0xFF, 0x02] {
            var decoder = IDTechStreamDecoder()
            decoder.append([first, 0x02][...])
            var damages = 0
            for _ in 0..<200 {
                decoder.append([UInt8](repeating: 0x41, count: 100)[...])
                while let reading = decoder.next() {
                    if case .damaged = reading { damages += 1 }
                }
            }
            #expect(damages == 1, "\(first)")
            #expect("\(decoder)".utf8.count < 10 * IDTechStreamDecoder.maximumBufferByteCount)
        }
    }

    @Test func randomBytesNeverTrapAndPiecesMakeNoDifference() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<400 {
            var bytes: [UInt8] = []
            for _ in 0..<3 {
                switch generator.below(3) {
                case 0: bytes += generator.bytes(upTo: 60)
                case 1:
                    let index = generator.below(Self.packets.count)
                    bytes += generator.mutated(Self.packets[index].bytes)
                default: bytes += Self.packets[generator.below(Self.packets.count)].bytes
                }
            }
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = 1 + generator.below(40)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            let whole = Self.readings(of: [bytes])
            #expect(Self.readings(of: pieces) == whole)
            #expect(Self.readings(of: bytes.map { [$0] }) == whole)
        }
    }
}
