import CaptureFiles
import CaptureSupport
import Glibc
import Testing

@testable import CaptureFlows

@Suite("Every public capture", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusTests {
    /// The files of the corpus but its own documents.
    static let names: [String] = {
        let folders = [
            "bt", "derived", "pcap-net", "pcap-usb", "serial-text", "umockdev", "usbmon-text",
            "wire",
        ]
        return folders.flatMap { folder -> [String] in
            guard let directory = opendir("\(Corpus.path)/\(folder)") else { return [] }
            defer { closedir(directory) }
            var names: [String] = []
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if !name.hasPrefix(".") { names.append("\(folder)/\(name)") }
            }
            return names.sorted()
        }
    }()

    static let refused = [
        "pcap-usb/packetry_mouse.pcap": "link type 288 (USB_2_0)",
        "pcap-net/unsupported-link-type-160.pcap": "link type 160 (USER13)",
    ]

    @Test(arguments: names)
    func isReadOrRefusedWithItsReason(name: String) throws {
        let file = Import(try Corpus.bytes(name))
        #expect(file.formatName != nil)
        #expect(file.packetCount > 0)
        if let reason = Self.refused[name] {
            #expect(file.refusal?.hasPrefix(reason) == true)
        } else {
            #expect(file.refusal == nil)
        }
    }

    @Test(
        .enabled(if: TShark.isPresent, "\(TShark.absence)"),
        arguments: names.filter { name in
            ["pcap-", "bt/", "derived/"].contains { name.hasPrefix($0) }
                && !name.contains("truncated")
        }
    )
    func packetsAreAsManyAsCapinfosCounts(name: String) throws {
        let table = try TShark.output(
            of: "capinfos -M -T -r -c '\(Corpus.path)/\(name)' 2>/dev/null"
        )
        let count = table.split(separator: "\n", omittingEmptySubsequences: false).first?.split(
            separator: "\t"
        ).last.flatMap { Int($0) }
        #expect(Import(try Corpus.bytes(name)).packetCount == count)
    }

    @Test func fractionsOutOfRangeAreNamedWithTheirPackets() throws {
        let file = Import(try Corpus.bytes("pcap-net/timestamp_invalid_micro.pcap"))
        #expect(file.notices.map(\.number) == [2, 3])
        #expect(file.notices.allSatisfy { $0.severity == .remark })
    }

    @Test func aLogWithoutDataHasNoUnits() throws {
        let file = Import(try Corpus.bytes("bt/btsnoop-extcap_hci_only.log"))
        #expect(file.units == [])
        #expect(file.notices == [])
        #expect(file.packetCount == 222)
    }

    @Test(arguments: names.filter { !$0.hasSuffix(".gz") })
    func mutationsNeverTrap(name: String) throws {
        let original = Array(try Corpus.bytes(name).prefix(40_000))
        var random = SeededGenerator(state: UInt64(original.count))
        for _ in 0..<8 {
            var bytes = original
            for _ in 0..<20 {
                let index = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes[index] = 0xFF
                case 2: bytes[index] ^= 1 << UInt8(random.next() % 8)
                default: bytes.remove(at: index)
                }
            }
            _ = Import(bytes)
        }
    }
}
