import CardData
import ReaderProtocols
import Testing

@Suite("MagneSafe stream format")
struct MagneSafeStreamFormatVectorsTests {
    private func read(_ message: [UInt8], chunk: Int = .max) -> MagneSafeRecord? {
        var decoder = MagneSafeStreamDecoder()
        var found: [MagneSafeRecord] = []
        var start = 0
        while start < message.count {
            let end = chunk == .max ? message.count : min(start + chunk, message.count)
            decoder.append(message[start..<end])
            while let reading = decoder.next() {
                if case .record(let record) = reading { found.append(record) }
            }
            start = end
        }
        while let reading = decoder.finish() {
            if case .record(let record) = reading { found.append(record) }
        }
        #expect(found.count == 1)
        return found.first
    }

    /// The strings of example 2.
    private var example2: MagneSafeStreamFormat {
        var format = MagneSafeStreamFormat()
        format.preCard = Array("CRDTST".utf8)
        format.postCard = Array("CRDEND".utf8)
        format.preTrack = Array("TRKTST".utf8)
        format.postTrack = Array("TRKEND".utf8)
        format.terminator = Array("TXEND\r".utf8)
        format.sendsEncryptedCRC = true
        return format
    }

    @Test func writesExample2WithItsStrings() throws {
        let message = MagneSafeVectors.message(MagneSafeVectors.s2)
        let record = try #require(read(message))
        #expect(record.magnePrint.count == 54)
        #expect(record.readerStatus == [])
        let written = record.streamMessage(format: example2)
        #expect(String(decoding: written, as: UTF8.self) == MagneSafeVectors.s2 + "\r")
    }

    /// The manual's text drops the MagnePrint fields at level 2 with their separators.
    @Test func theShortFormOfLevelTwoIsReadInAnyPieces() throws {
        var format = MagneSafeStreamFormat.factory
        format.keepsMagnePrintSeparators = false
        var record = try #require(read(MagneSafeVectors.message(MagneSafeVectors.s5)))
        for counter in [nil, 0x0007F1 as UInt32] {
            record.encryptionCounter = counter
            let message = record.streamMessage(format: format)
            #expect(message.count { $0 == 0x7C } == (counter == nil ? 10 : 11))
            for chunk in [1, 2, 7, 64, .max] {
                #expect(self.read(message, chunk: chunk) == record)
            }
            // Without terminator, the checksum alone tells the end.
            var decoder = MagneSafeStreamDecoder()
            let two = Array(message.dropLast() + message.dropLast())
            decoder.append(two.span)
            #expect(decoder.next() == .record(record))
            #expect(decoder.next() == .record(record))
        }
    }

    @Test func checksumsCanBeSwitchedOnAndOff() throws {
        let record = try #require(read(MagneSafeVectors.message(MagneSafeVectors.s7)))
        var format = MagneSafeStreamFormat.factory
        format.sendsClearCRC = false
        let without = String(decoding: record.streamMessage(format: format), as: UTF8.self)
        #expect(without.hasSuffix("|FFFF9876543210E00008|||0000\r"))
        #expect(self.read(Array(without.utf8)) == record)

        format.sendsClearCRC = true
        format.sendsEncryptedCRC = true
        var asked: [UInt8] = []
        let with = record.streamMessage(format: format) {
            asked = $0
            return [1, 2, 3, 4, 5, 6, 7, 8]
        }
        #expect(asked == [0xB7, 0x8F])
        #expect(String(decoding: with, as: UTF8.self).hasSuffix("|B78F|0102030405060708|0000\r"))
        #expect(self.read(with)?.encryptedCRC == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test(arguments: MagneSafeStreamLayout.TerminatorPlacement.allCases)
    func theTerminatorMayStandAnywhereInTheBlock(
        placement: MagneSafeStreamLayout.TerminatorPlacement
    ) throws {
        for message in [MagneSafeVectors.s7, MagneSafeVectors.s9, MagneSafeVectors.s13] {
            let record = try #require(read(MagneSafeVectors.message(message)))
            let blocks = record.streamBlocks(terminator: placement)
            #expect(blocks.count % 500 == 0)
            #expect((blocks.last == 0x0D) == (placement == .afterPadding))
            #expect(blocks.contains(0x0D) == (placement != .absent))
            #expect(self.read(blocks) == record)
        }
    }

    @Test func aSeparatorOfNoneLeavesThemOut() throws {
        let record = try #require(read(MagneSafeVectors.message(MagneSafeVectors.s9)))
        var format = MagneSafeStreamFormat.factory
        format.separator = 0
        #expect(!record.streamMessage(format: format).contains(0x7C))
        format.separator = UInt8(ascii: "!")
        #expect(record.streamMessage(format: format).count { $0 == UInt8(ascii: "!") } == 12)
    }

    @Test func aFailedTrackStandsBetweenTheFormatsSentinels() {
        var format = MagneSafeStreamFormat.factory
        format.startSentinels.track2 = UInt8(ascii: "[")
        format.endSentinel = UInt8(ascii: "]")
        format.trackEndSentinels.track2 = UInt8(ascii: "}")
        let record = MagneSafeRecord(track1: .failed, track2: .failed)
        let text = String(decoding: record.streamMessage(format: format), as: UTF8.self)
        #expect(text.hasPrefix("%E][E}|"))
    }

    @Test func anyShortMessageIsReadOrDamaged() throws {
        var generator = SeededGenerator(seed: 9)
        var format = MagneSafeStreamFormat.factory
        format.keepsMagnePrintSeparators = false
        let record = try #require(read(MagneSafeVectors.message(MagneSafeVectors.s5)))
        let message = record.streamMessage(format: format)
        var readCount = 0
        for _ in 0..<500 {
            var decoder = MagneSafeStreamDecoder()
            decoder.append(generator.mutated(message).span)
            var readings: [MagneSafeReading] = []
            while let reading = decoder.finish() { readings.append(reading) }
            #expect(readings.count <= 3)
            readCount += readings.count { if case .record = $0 { true } else { false } }
        }
        #expect(readCount < 100)
    }
}
