import CaptureFiles
import CaptureSupport
import Testing

@testable import CaptureFlows

extension TShark {
    /// What tshark prints of a file's bytes, by lines.
    fileprivate static func lines(_ file: [UInt8], _ arguments: String) throws -> [String] {
        try run(file, arguments).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// What "follow stream" shows of a TCP conversation: each side's bytes, and the sides.
    fileprivate struct Stream {
        var first = ""
        var second = ""
        var bytes: [[UInt8]] = [[], []]
    }

    fileprivate static func follow(_ file: [UInt8], streamCount: Int) throws -> [Stream] {
        let arguments = (0..<streamCount).map { "-z follow,tcp,raw,\($0)" }
        var streams: [Stream] = []
        for line in try lines(file, "-q \(arguments.joined(separator: " "))") {
            if line.hasPrefix("Follow: ") { streams.append(Stream()) }
            guard var stream = streams.popLast() else { continue }
            if line.hasPrefix("Node 0: ") { stream.first = String(line.dropFirst(8)) }
            if line.hasPrefix("Node 1: ") { stream.second = String(line.dropFirst(8)) }
            if line.allSatisfy({ $0.isHexDigit || $0 == "\t" }), !line.isEmpty {
                stream.bytes[line.hasPrefix("\t") ? 1 : 0] += hex(line)
            }
            streams.append(stream)
        }
        return streams
    }
}

@Suite(
    "Wireshark sees the same payloads",
    .enabled(if: TShark.isPresent, "\(TShark.absence)"),
    .serialized
)
struct WiresharkTests {
    /// What Wireshark puts in the place of bytes that are not in the file.
    private static func gap(_ byteCount: Int) -> [UInt8] {
        Array("[\(byteCount) bytes missing in capture file]".utf8) + [0]
    }

    private func streams(_ file: Import) -> [Flow.ID] {
        file.flows.indices.filter { if case .tcp = file.flows[$0].key { true } else { false } }
    }

    private func bytes(_ file: Import, _ flow: Flow.ID, _ direction: FlowDirection) -> [UInt8] {
        file.units.filter { $0.flow == flow && $0.direction == direction }
            .flatMap { unit -> [UInt8] in
                if case .missing(let count?) = unit.kind { return Self.gap(count) }
                return Array(unit.bytes)
            }
    }

    private func compare(_ file: [UInt8], streamCount: Int = 1) throws {
        let read = Import(file)
        let ours = streams(read)
        try #require(ours.count >= streamCount)
        for theirs in try TShark.follow(file, streamCount: streamCount) {
            let flow = try #require(
                ours.first { id in
                    guard case .tcp(let key) = read.flows[id].key else { return false }
                    return [key.host.description, key.reader.description].sorted()
                        == [theirs.first, theirs.second].sorted()
                }
            )
            guard case .tcp(let key) = read.flows[flow].key else { return }
            let host = theirs.first == key.host.description ? 0 : 1
            for (direction, side) in [(FlowDirection.toReader, host), (.fromReader, 1 - host)] {
                let all = bytes(read, flow, direction)
                let shown = theirs.bytes[side]
                // Wireshark shows nothing of what waits behind a gap at the end; we do.
                let isMore = all.count > shown.count && all[shown.count] == UInt8(ascii: "[")
                #expect(all.starts(with: shown) && (all.count == shown.count || isMore), "\(key)")
            }
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func streamsFullOfAccidentsAreTheSame(seed: UInt64) throws {
        let turmoil = TCPTurmoil(connectionCount: 20, seed: seed)
        try compare(PacketBuilder.pcap(1, turmoil.packets), streamCount: 20)
    }

    @Test(arguments: TCPSample.files.map(\.name))
    func streamsOfTestsAreTheSame(name: String) throws {
        let sample = try #require(TCPSample.files.first { $0.name == name })
        try compare(TCPSample.file(sample.segments))
    }

    @Test(
        .enabled(if: Corpus.isPresent, "\(Corpus.absence)"),
        arguments: ["resp_2_inline.pcap", "zmtp1.pcap", "bgp-role.pcapng", "pptp.pcap"]
    )
    func streamsOfPublicCapturesAreTheSame(name: String) throws {
        try compare(try Corpus.bytes("pcap-net/\(name)"))
    }

    @Test(arguments: [17, .max])
    func serialChannelsAreTheSame(fragment: Int) throws {
        let sample = BluetoothSample(fragment: fragment)
        let file = sample.file("btsnoop 1002")
        var theirs: [String: [UInt8]] = [:]
        let fields = "-T fields -e btrfcomm.dlci -e hci_h4.direction -e data.data -e btspp.data"
        for line in try TShark.lines(file, "-Y btrfcomm \(fields)") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 4 else { continue }
            theirs["\(columns[0]) \(columns[1])", default: []] += hex("\(columns[2])\(columns[3])")
        }
        let read = Import(file)
        #expect(theirs["0x04 0x00"] == read.bytes(of: BluetoothSample.name, .toReader))
        #expect(theirs["0x04 0x01"] == read.bytes(of: BluetoothSample.name, .fromReader))
        #expect(theirs["0x06 0x00"] == read.bytes(of: BluetoothSample.otherName, .toReader))
    }

    @Test(arguments: BluetoothSample.containers)
    func theLogsOfTestsAreWellFormed(container: String) throws {
        let file = BluetoothSample(fragment: 27).file(container)
        let complaints = try TShark.lines(
            file,
            "-Y '_ws.malformed || _ws.expert.severity >= 6291456' -T fields -e frame.number"
        )
        #expect(complaints.joined() == "")
    }
}
