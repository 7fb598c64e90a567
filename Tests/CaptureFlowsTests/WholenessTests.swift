import CaptureFiles
import CaptureSupport
import Testing

@testable import CaptureFlows

@Suite("Pieces, cuts and lies")
struct WholenessTests {
    private static let socat = """
        > 2026/11/30 12:36:22.000229198  length=6 from=0 to=5
         01 00 02 90 00 93
        < 2026/11/30 12:36:23.000229198  length=3 from=0 to=2
         01 00 02

        """

    /// Small files of several formats.
    static let files: [(name: String, bytes: [UInt8])] =
        [
            ("tcp", TCPSample.file(TCPSample.files[5].segments)),
            ("socat", Array(socat.utf8)), ("empty", []), ("two bytes", [0x1F, 0x8B]),
        ]
        + BluetoothSample.containers.map { ($0, BluetoothSample(fragment: 40).file($0)) }

    @Test(arguments: files.indices)
    func anySplitGivesTheSameItems(index: Int) {
        let bytes = Self.files[index].bytes
        let whole = Import(bytes)
        for split in 1..<max(2, bytes.count) where split % 3 == 0 || split < 200 {
            #expect(Import(bytes, pieces: [split, .max]) == whole, "split at \(split)")
        }
        #expect(Import(bytes, pieces: [1]) == whole)
    }

    @Test(arguments: files.indices)
    func anyPrefixIsReadWithoutATrap(index: Int) {
        let bytes = Self.files[index].bytes
        let whole = Import(bytes)
        for count in 0..<bytes.count {
            let cut = Import(Array(bytes.prefix(count)))
            #expect(cut.packetCount <= whole.packetCount)
        }
    }

    @Test func everyPrefixOfTheCommittedCaptureIsRead() throws {
        let path = "Captures/usb/dynamag-swipe-usbip.pcap"
        let bytes = Array(try Corpus.checkoutBytes(path).prefix(6_000))
        for count in 0..<bytes.count { _ = Import(Array(bytes.prefix(count))) }
    }

    @Test func anEmptyFileIsRefused() {
        #expect(Import([]).refusal == "the file is empty")
        #expect(Import([1, 2, 3, 4, 5, 6, 7, 8]).refusal?.contains("not known") == true)
    }

    /// Lengths of 4 GB and the like at every place of small files.
    @Test(arguments: files.indices)
    func hugeNumbersAnywhereNeitherTrapNorAllocate(index: Int) {
        let bytes = Array(Self.files[index].bytes.prefix(700))
        for offset in bytes.indices {
            for lie in [hex("ffffffff"), hex("ffffff7f"), hex("7fffffff"), hex("00000000")] {
                var lying = bytes
                for (position, byte) in lie.enumerated() where offset + position < lying.count {
                    lying[offset + position] = byte
                }
                _ = Import(lying)
            }
        }
    }

    @Test func whatIsWrongInsideABlockIsLeftOutAndTheRestGoesOn() throws {
        var file = hex("0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000")
        file += hex("01000000 14000000 dc000000 00000400 14000000")
        // An Enhanced Packet Block of interface 7, which nobody described.
        file += hex("06000000 20000000 07000000 00000000 00000000 00000000 00000000 20000000")
        file += hex("06000000 20000000 00000000 00000000 00000000 00000000 00000000 20000000")
        // Unknown and custom blocks are passed over.
        file += hex("ef000080 0c000000 0c000000 ad0b0000 10000000 00000000 10000000")
        let read = Import(file)
        #expect(read.packetCount == 1)
        #expect(read.notices.map(\.severity) == [.leftOut, .leftOut, .remark])
        #expect(read.notices.first?.description.hasPrefix("block 3, byte 56: ") == true)
        #expect(read.notices[1].description.hasPrefix("packet 1, byte 80: "))
        #expect(read.notices[2].description.hasPrefix("block 5, byte 112: a block of type 0x8"))
    }

    @Test func noticesOfOneKindAreSaidSixteenTimesAndThenCounted() {
        let packets = (0..<40).map { _ in [UInt8](repeating: 0, count: 3) }
        let read = Import(PacketBuilder.pcap(220, packets))
        #expect(read.notices.count == FlowOutput.noticeCountLimit + 1)
        #expect(read.notices.last?.furtherCount == 40 - FlowOutput.noticeCountLimit)
        #expect(read.notices.last?.number == 40)
    }

    @Test func longTransfersComeInPieces() {
        let data = (0..<150_000).map { UInt8(truncatingIfNeeded: $0) }
        var header = [UInt8](repeating: 0, count: 64)
        header[8] = 0x43
        header[9] = 3
        header[10] = 0x81
        header[11] = 5
        header[12] = 1
        header.replaceSubrange(32..<36, with: PacketBuilder.little(UInt32(data.count)))
        header.replaceSubrange(36..<40, with: PacketBuilder.little(UInt32(data.count)))
        let read = Import(PacketBuilder.pcap(220, [header + data]))
        #expect(read.units.map(\.bytes.count) == [65_536, 65_536, 18_928])
        #expect(read.units.map(\.isContinued) == [true, true, false])
        #expect(read.bytes(of: "usb 1.5 endpoint 0x81 bulk", .fromReader) == data)
        #expect(read.units.last?.byteOffset == 24 + 16 + 64 + 131_072)
        #expect(read.flows.first?.unitCount == 1)
    }
}
