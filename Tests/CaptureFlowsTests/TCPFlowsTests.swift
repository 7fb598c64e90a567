import CaptureFiles
import Testing

@testable import CaptureFlows

/// Conversations that tests and Wireshark are asked about.
enum TCPSample {
    typealias Segment = PacketBuilder.Segment

    static let name = "tcp 192.0.2.1:40000 to 192.0.2.2:6543"

    static let opening: [Segment] = [
        Segment(sequence: 999, flags: 0x02),
        Segment(isFromHost: false, sequence: 4_999, acknowledgement: 1_000, flags: 0x12),
        Segment(sequence: 1_000, acknowledgement: 5_000, flags: 0x10),
    ]

    static let closing: [Segment] = [
        Segment(sequence: 1_006, acknowledgement: 5_004, flags: 0x11),
        Segment(isFromHost: false, sequence: 5_004, acknowledgement: 1_007, flags: 0x11),
        Segment(sequence: 1_007, acknowledgement: 5_005, flags: 0x10),
    ]

    static func host(_ offset: UInt32, _ text: String, acknowledging: UInt32 = 0) -> Segment {
        Segment(
            sequence: 1_000 + offset,
            acknowledgement: 5_000 + acknowledging,
            payload: Array(text.utf8)
        )
    }

    static func reader(_ offset: UInt32, _ text: String, acknowledging: UInt32 = 0) -> Segment {
        Segment(
            isFromHost: false,
            sequence: 5_000 + offset,
            acknowledgement: 1_000 + acknowledging,
            payload: Array(text.utf8)
        )
    }

    /// What went wrong on the way, by name.
    static let files: [(name: String, segments: [Segment])] = [
        (
            "in order",
            opening + [
                host(0, "abc"), reader(0, "wxyz", acknowledging: 3),
                host(3, "def", acknowledging: 4),
            ] + closing
        ),
        (
            "out of order",
            opening + [host(3, "def"), host(0, "abc"), reader(0, "wxyz", acknowledging: 6)]
                + closing
        ),
        (
            "retransmitted",
            opening + [
                host(0, "abc"), host(0, "abc"), host(3, "def"), host(0, "abcdef"),
                reader(0, "wxyz", acknowledging: 6),
            ] + closing
        ),
        (
            "overlapping",
            opening + [host(0, "abcd"), host(2, "cdef"), reader(0, "wxyz", acknowledging: 6)]
                + closing
        ),
        (
            "overlapping ahead",
            opening + [host(2, "cdef"), host(0, "abcd"), reader(0, "wxyz", acknowledging: 6)]
                + closing
        ),
        (
            "missing",
            opening + [host(0, "ab"), host(4, "ef"), reader(0, "wxyz", acknowledging: 6)] + closing
        ),
        (
            "without opening",
            [host(0, "abc"), reader(0, "wxyz", acknowledging: 3), host(3, "def", acknowledging: 4)]
        ),
        (
            "reset",
            opening + [host(0, "abc"), Segment(isFromHost: false, sequence: 5_000, flags: 0x04)]
        ),
        (
            "around zero",
            [
                Segment(sequence: 0xFFFF_FFFD, flags: 0x02),
                Segment(
                    isFromHost: false,
                    sequence: 4_999,
                    acknowledgement: 0xFFFF_FFFE,
                    flags: 0x12
                ),
                Segment(sequence: 1, acknowledgement: 5_000, payload: Array("de".utf8)),
                Segment(sequence: 0xFFFF_FFFE, acknowledgement: 5_000, payload: Array("abc".utf8)),
            ]
        ),
    ]

    static func file(_ segments: [Segment]) -> [UInt8] {
        PacketBuilder.pcap(1, segments.map(PacketBuilder.ethernet))
    }
}

@Suite("TCP in captures")
struct TCPFlowsTests {
    private typealias Sample = TCPSample

    private func read(_ name: String) throws -> Import {
        let sample = try #require(Sample.files.first { $0.name == name })
        return Import(Sample.file(sample.segments))
    }

    @Test(arguments: [
        "in order", "out of order", "retransmitted", "overlapping", "overlapping ahead",
        "without opening",
    ])
    func theStreamIsWhole(name: String) throws {
        let file = try read(name)
        #expect(file.bytes(of: Sample.name, .toReader) == Array("abcdef".utf8))
        #expect(file.bytes(of: Sample.name, .fromReader) == Array("wxyz".utf8))
        #expect(file.notices == [])
        #expect(!file.units.contains { if case .missing = $0.kind { true } else { false } })
    }

    @Test func openingAndClosingAreSeen() throws {
        let kinds = try read("in order").units.map(\.kind)
        #expect(kinds == [.opened, .data, .data, .data, .closed(.orderly)])
        #expect(try read("reset").units.map(\.kind) == [.opened, .data, .closed(.aborted)])
        #expect(try read("without opening").units.map(\.kind) == [.data, .data, .data])
    }

    @Test func aMissingSegmentIsNamedWhereItWas() throws {
        let file = try read("missing")
        let sent = file.units.filter { $0.direction == .toReader && $0.kind != .opened }
        #expect(sent.map(\.kind) == [.data, .missing(byteCount: 2), .data])
        #expect(sent.map { Array($0.bytes) } == [hex("6162"), [], hex("6566")])
        #expect(sent.last?.packetNumber == 5)
        #expect(file.flows.first?.damageCount == 1)
    }

    @Test func whatWaitedKeepsItsPacketAndTime() throws {
        let units = try read("out of order").units.filter { $0.kind == .data }
        #expect(units.map(\.packetNumber) == [5, 4, 6])
        #expect(units.map { $0.time?.nanoseconds } == [4_000_000, 3_000_000, 5_000_000])
    }

    @Test func sequenceNumbersMayWrapAround() throws {
        let file = try read("around zero")
        #expect(file.bytes(of: Sample.name, .toReader) == Array("abcde".utf8))
    }

    @Test func aNewConnectionOfTheSameEndsIsAFlowOfItsOwn() throws {
        let again = Sample.opening.map { segment in
            var segment = segment
            segment.sequence &+= 50_000
            return segment
        }
        let sample = try #require(Sample.files.first { $0.name == "in order" })
        let file = Import(Sample.file(sample.segments + again))
        #expect(
            file.flows.map(\.key.description) == [Sample.name, Sample.name + " (2)"]
        )
    }

    @Test(arguments: [
        (UInt16(0), "02000000"), (0, "00000002"), (101, ""), (108, "00000002"),
        (113, "0000 0001 0006 020000000001 0000 0800"),
        (276, "0800 0000 00000001 0001 00 06 0200000000010000"), (228, ""),
        (1, "020000000002 020000000001 8100 0005 0800"),
        (1, "020000000002 020000000001 88a8 0005 8100 0006 0800"),
    ])
    func everyLinkTypeCarriesIt(linkType: UInt16, header: String) {
        let packets = TCPSample.files[0].segments.map { hex(header) + PacketBuilder.ipv4($0) }
        let file = Import(PacketBuilder.pcap(linkType, packets))
        #expect(file.bytes(of: Sample.name, .toReader) == Array("abcdef".utf8))
        #expect(file.notices == [])
    }

    @Test(arguments: [
        (UInt16(0), "1e000000"), (101, ""), (229, ""),
        (1, "020000000002 020000000001 86dd"), (108, "00000018"),
    ])
    func overIPv6Too(linkType: UInt16, header: String) {
        let packets = TCPSample.files[0].segments.map { hex(header) + PacketBuilder.ipv6($0) }
        let file = Import(PacketBuilder.pcap(linkType, packets))
        let name = "tcp [2001:db8:0:0:0:0:0:1]:40000 to [2001:db8:0:0:0:0:0:2]:6543"
        #expect(file.bytes(of: name, .toReader) == Array("abcdef".utf8))
    }

    @Test func whatTheCaptureCutIsMissing() {
        let segments = Sample.opening + [Sample.host(0, "abcdefghij")]
        let packets = segments.map(PacketBuilder.ethernet)
        let file = Import(PacketBuilder.pcap(1, packets, cut: 58))
        let units = file.units.filter { $0.kind != .opened }
        #expect(units.map(\.kind) == [.data, .missing(byteCount: 6)])
        #expect(units.first?.isCut == true)
        #expect(units.first.map { Array($0.bytes) } == Array("abcd".utf8))
    }

    @Test func paddingOfShortFramesIsNoPayload() {
        let packets = (Sample.opening + [Sample.host(0, "a")])
            .map { PacketBuilder.ethernet($0) + [0, 0, 0, 0, 0, 0] }
        let file = Import(PacketBuilder.pcap(1, packets))
        #expect(file.bytes(of: Sample.name, .toReader) == [0x61])
    }

    @Test func fragmentsOfPacketsAreNamed() {
        var packet = PacketBuilder.ethernet(Sample.host(0, "abc"))
        packet[20] = 0x20
        let file = Import(PacketBuilder.pcap(1, [packet]))
        #expect(file.units == [])
        #expect(file.notices.first?.text.contains("fragment") == true)
        #expect(file.notices.first?.number == 1)
    }

    @Test func whatWaitsBehindAGapIsBounded() {
        let block = String(repeating: "x", count: 1_000)
        let ahead = (0..<1_200).map { Sample.host(UInt32(10 + 1_000 * $0), block) }
        let file = Import(Sample.file(Sample.opening + ahead))
        #expect(file.bytes(of: Sample.name, .toReader).count == 1_200_000)
        #expect(
            file.units.filter { $0.kind == .missing(byteCount: 10) }.count == 1
        )
    }
}
