import CaptureSupport
import Testing

@testable import CaptureFiles

@Suite("Capture reader")
struct CaptureReaderTests {
    @Test func everyKindOfBlockIsReadOrCounted() throws {
        var reader = CaptureReader()
        let reading = Reading(&reader, BlockBuilder.everyKind())
        #expect(reading.error == nil)
        #expect(reader.counts.sections == 2)
        #expect(reader.counts.interfaces == 3)
        #expect(reader.counts.packets == 4)
        #expect(reader.counts.statistics == 1)
        #expect(reader.counts.custom == 2)
        #expect(reader.counts.others == 1)
        let packets = reading.packets
        try #require(packets.count == 4)

        #expect(Array(packets[0].data) == [1, 2, 3, 4, 5])
        #expect(packets[0].interfaceNumber == 1)
        #expect(packets[0].linkType.rawValue == 1)
        #expect(packets[0].byteOrder == .bigEndian)
        #expect(packets[0].time == CaptureTime(seconds: 1, nanoseconds: 1_000))
        #expect(packets[0].blockNumber == 4)

        #expect(Array(packets[1].data) == [0xAA, 0xBB])
        #expect(packets[1].dropCount == 7)
        #expect(packets[1].originalByteCount == 9)
        #expect(packets[1].isCut)
        #expect(packets[1].time == CaptureTime(seconds: 2, nanoseconds: 5))

        #expect(Array(packets[2].data) == [9, 8, 7])
        #expect(packets[2].time == nil)
        #expect(packets[2].sectionNumber == 2)
        #expect(packets[2].interfaceNumber == 0)
        #expect(packets[2].linkType == .usbLinux)
        #expect(packets[2].byteOrder == .littleEndian)

        #expect(packets[3].comments == ["mark"])
        #expect(packets[3].direction == .inbound)
        #expect(packets[3].packetNumber == 4)
    }

    @Test func everySplitIntoTwoPiecesGivesTheSamePackets() {
        let file = BlockBuilder.everyKind()
        let whole = Reading(file)
        for index in 1..<file.count {
            #expect(Reading(file, pieces: [index, .max]) == whole, "split at byte \(index)")
        }
        #expect(Reading(file, pieces: [1]) == whole)
    }

    @Test func aSpanIsReadLikeAnArray() throws {
        var reader = CaptureReader()
        reader.append(BlockBuilder.everyKind().span)
        var count = 0
        while try reader.next() != nil { count += 1 }
        try reader.finish()
        #expect(count == 4)
    }

    @Test func aFileCutAtAnyByteDeliversItsWholePacketsAndSaysWhereItEnds() throws {
        let file = BlockBuilder.everyKind()
        let whole = Reading(file).packets
        var borders: [Int] = []
        var offset = 0
        var order = ByteOrder.bigEndian
        while offset < file.count {
            if file.load32(at: offset, .bigEndian) == 0x0A0D_0D0A {
                order = file[offset + 8] == 0x1A ? .bigEndian : .littleEndian
            }
            borders.append(offset)
            offset += Int(file.load32(at: offset + 4, order))
        }
        for length in 12..<file.count where !borders.contains(length) {
            let reading = Reading(Array(file[..<length]))
            let error = try #require(reading.error)
            let block = try #require(borders.lastIndex { $0 < length })
            #expect(error.byteOffset == borders[block])
            #expect(error.blockNumber == block + 1)
            guard case .cutShort(let present, let expected) = error.code else {
                Issue.record("cut at \(length): \(error)")
                continue
            }
            #expect(present == length - borders[block])
            let end = block + 1 < borders.count ? borders[block + 1] : file.count
            #expect(expected == (present < 12 ? nil : end - borders[block]))
            #expect(reading.packets == whole.filter { $0.blockNumber <= block })
        }
    }

    @Test(
        arguments: [
            ([0x1F, 0x8B, 8, 0], FileKind.gzip), ([0x50, 0x4B, 3, 4], .zip),
            (Array("ffff8800 S Ii".utf8), .text),
            ([0xA1, 0xB2, 0xCD, 0x34], .modifiedPcap),
            ([0x0D, 0x0A, 0x0D, 0x0D, 0x0A], .convertedPcapng),
            ([1, 2, 3, 4], .unknown), ([1], .tooShort), ([0x1F, 0x8B], .gzip),
        ] as [([UInt8], FileKind)]
    )
    func whatIsNoCaptureIsNamed(bytes: [UInt8], kind: FileKind) {
        let reading = Reading(bytes)
        #expect(reading.error?.code == .notACapture(kind))
        #expect(reading.error?.description == "not a pcapng or pcap capture: \(kind)")
        #expect(reading.packets.isEmpty)
    }

    @Test func anEmptyFileIsNamed() {
        #expect(Reading([]).error?.code == .empty)
    }

    @Test func aBlockBeyondTheLimitIsAnErrorAtItsOffset() {
        let builder = BlockBuilder()
        let section = builder.section()
        let limit = CaptureReader.blockByteCountLimit
        let header = builder.number(UInt32(0xBAD)) + builder.number(UInt32(limit + 4))
        let reading = Reading(section + header + [0, 0, 0, 0])
        #expect(reading.error?.code == .blockTooLong(byteCount: limit + 4, limit: limit))
        #expect(reading.error?.byteOffset == section.count)
        #expect(reading.error?.blockNumber == 2)
    }

    @Test func contradictionsAreNamed() {
        let builder = BlockBuilder()
        let section = builder.section()
        let interface = builder.interface(220)
        func code(_ bytes: [UInt8]) -> CaptureError.Code? { Reading(bytes).error?.code }

        #expect(
            code(section + builder.enhanced([1])) == .noSuchInterface(number: 0, count: 0)
        )
        // Interfaces are counted anew in each section.
        #expect(
            code(section + interface + section + builder.enhanced([1]))
                == .noSuchInterface(number: 0, count: 0)
        )
        var disagreeing = builder.enhanced([1])
        disagreeing[disagreeing.count - 1] += 4
        #expect(
            code(section + interface + disagreeing) == .lengthsDisagree(first: 36, last: 40)
        )
        var long = builder.enhanced([1])
        long[23] = 200
        #expect(
            code(section + interface + long) == .packetExceedsBlock(byteCount: 200, available: 4)
        )
        let option = builder.number(UInt16(1)) + builder.number(UInt16(99))
        #expect(code(section + builder.interface(220, option)) == .badOption(code: 1))
        #expect(code(builder.section(option)) == .badOption(code: 1))
        #expect(code(section + builder.block(0x0A0D_0A0D, [])) == .textModeTransfer)
        var version = section
        version[13] = 2
        #expect(code(version) == .unsupportedVersion(major: 2, minor: 0))
        var magic = section
        magic[8] = 0
        #expect(code(magic) == .badByteOrderMagic)
        let short = builder.number(UInt32(6)) + builder.number(UInt32(12))
        #expect(code(section + short + short) == .badBlockLength(byteCount: 12))
        let many = Array(repeatElement(interface, count: 1_025).joined())
        #expect(code(section + many) == .tooManyInterfaces(limit: 1_024))
    }

    @Test(arguments: 1...8)
    func lengthsAreHeldToTheByte(byteCount: Int) {
        let builder = BlockBuilder()
        let start = builder.section() + builder.interface(220)
        let data = [UInt8](repeating: 7, count: byteCount)
        let available = (byteCount + 3) / 4 * 4
        var packet = builder.enhanced(data)
        packet[23] = UInt8(available)
        #expect(Reading(start + packet).packets.first?.data.count == available)
        packet[23] = UInt8(available + 1)
        #expect(
            Reading(start + packet).error?.code
                == .packetExceedsBlock(byteCount: available + 1, available: available)
        )
        var simple = builder.block(3, builder.number(UInt32(available)) + data)
        #expect(Reading(start + simple).packets.first?.data.count == available)
        simple[11] = UInt8(available + 1)
        #expect(
            Reading(start + simple).error?.code
                == .packetExceedsBlock(byteCount: available + 1, available: available)
        )
        var commented = builder.enhanced([], builder.option(1, data))
        let lengthIndex = 31
        commented[lengthIndex] = UInt8(available)
        #expect(Reading(start + commented).packets.count == 1)
        commented[lengthIndex] = UInt8(available + 1)
        let error = Reading(start + commented).error
        #expect(error?.code == .badOption(code: 1))
        #expect(error?.byteOffset == start.count + 28)
    }

    @Test func theSameErrorComesAgain() throws {
        var reader = CaptureReader()
        reader.append([1, 2, 3, 4])
        let first = #expect(throws: CaptureError.self) { try reader.next() }
        let second = #expect(throws: CaptureError.self) { try reader.next() }
        let last = #expect(throws: CaptureError.self) { try reader.finish() }
        #expect(first == second)
        #expect(first == last)
    }

    @Test func memoryIsFlatInTheSizeOfTheFile() throws {
        let builder = BlockBuilder(order: .littleEndian)
        let block = builder.enhanced([UInt8](repeating: 7, count: 1_000))
        var reader = CaptureReader()
        reader.append(builder.section() + builder.interface(220))
        var packetCount = 0
        var largest = 0
        for _ in 0..<20_000 {
            reader.append(block)
            while try reader.next() != nil { packetCount += 1 }
            largest = max(largest, reader.buffer.capacity)
        }
        try reader.finish()
        #expect(packetCount == 20_000)
        #expect(largest < 8 * block.count)
    }

    @Test func aPacketKeepsItsBytesWhenTheReaderGoesOn() throws {
        let builder = BlockBuilder(order: .littleEndian)
        var reader = CaptureReader()
        reader.append(builder.section() + builder.interface(220) + builder.enhanced([1, 2, 3]))
        let first = try #require(try reader.next())
        for _ in 0..<10 {
            reader.append(builder.enhanced([9, 9, 9]))
            _ = try reader.next()
        }
        #expect(Array(first.data) == [1, 2, 3])
    }

    @Test(arguments: 0..<8)
    func mutatedFilesNeverTrapAndNeverHoldMoreThanTheyGot(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        let originals = [BlockBuilder.everyKind(), CaptureSample.swipe(), CaptureSample.pcap()]
        for _ in 0..<400 {
            var file = originals.randomElement(using: &generator)!
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<file.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: file[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: file[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 2: file.remove(at: index)
                case 3: file.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF], at: index)
                default: file.removeSubrange(index..<min(file.count, index + 40))
                }
                if file.isEmpty { file = [0] }
            }
            let pieces = (0..<4).map { _ in Int.random(in: 1...300, using: &generator) }
            var reader = CaptureReader()
            let reading = Reading(&reader, file, pieces: pieces)
            #expect(reading.packets.count <= file.count / 16)
            #expect(reader.bufferedByteCount <= file.count)
            #expect(reading == Reading(file), "pieces \(pieces)")
            for packet in reading.packets {
                let end = packet.dataByteOffset + packet.data.count
                #expect(end <= file.count)
                #expect(Array(packet.data) == Array(file[packet.dataByteOffset..<end]))
                _ = try? USBMonPacket(decoding: packet)
                _ = try? ExportedPDU(decoding: packet)
            }
            if let error = reading.error {
                #expect(0...file.count ~= error.byteOffset)
                #expect(!error.description.isEmpty)
            }
        }
    }
}
