import SimulatedReaders
import Testing

@testable import USBTestBed

@Suite("Lines for the hand")
struct OperatorLineTests {
    static let lines: [(text: String, line: OperatorLine)] = [
        ("plug in", .plugIn(isSilent: false)), ("plug in dynamag", .plugIn(isSilent: false)),
        ("plug in silently", .plugIn(isSilent: true)), ("unplug idynamo", .unplug),
        ("open busy", .obstruct(isDenied: false, milliseconds: nil)),
        ("open busy 300 dynamag", .obstruct(isDenied: false, milliseconds: 300)),
        ("open denied", .obstruct(isDenied: true, milliseconds: nil)),
        ("open late 5 idynamo", .obstruct(isDenied: true, milliseconds: 5)),
        ("swipe visa good", .swipe(card: "visa", quality: .good)),
        ("swipe visa too fast dynamag", .swipe(card: "visa", quality: .tooFast)),
        ("swipe amex tooFast", .swipe(card: "amex", quality: .tooFast)),
        ("send 00ffA5", .send([0x00, 0xFF, 0xA5])),
        ("refuse claims 3", .refuseClaims(3, isMissing: false)),
        ("miss claims 2", .refuseClaims(2, isMissing: true)),
        ("pending", .pending), ("driver", .driver), ("outputs", .outputs),
    ]

    @Test(arguments: lines)
    func isRead(text: String, line: OperatorLine) throws {
        #expect(try OperatorLine(parsing: text) == line)
    }

    @Test(arguments: [
        "", "plug", "plug out", "unplug left", "swipe", "swipe visa", "swipe visa badly",
        "swipe visa good twice", "send 0", "send 0g", "refuse claims", "refuse claims -1",
        "open", "open late", "open busy 0", "open busy 600001", "open denied -5", "open slowly",
        "open busy 5 5", "plug in loudly", "miss claims x",
    ])
    func isRefused(text: String) {
        #expect(throws: HandError.self) { try OperatorLine(parsing: text) }
    }

    @Test func theCommandLineNeedsAProgramAndASocket() {
        #expect(BedOptions(["--control", "/tmp/a", "--", "true"])?.packetByteCount == 8)
        let all = BedOptions([
            "--attached", "--packet-size", "64", "--limit", "7", "--control", "/tmp/a", "--", "ls",
            "--attached",
        ])
        #expect(all?.isAttached == true && all?.packetByteCount == 64 && all?.limitSeconds == 7)
        #expect(all?.program == ["ls", "--attached"])
        for bad in [["--control", "/tmp/a"], ["--", "ls"], ["--packet-size", "65"], ["--what"]] {
            #expect(BedOptions(bad) == nil)
        }
    }

    @Test func theReportDescriptorIsTheManuals() {
        // MagneSafe V5 Communication Reference Manual, report descriptor: 182 bytes.
        for isSecureMag in [false, true] {
            let reader = InventedReader(packetByteCount: 8, isSecureMag: isSecureMag)
            #expect(isSecureMag || reader.reportDescriptor.count == 182)
            #expect(reader.configurationDescriptor.count == 34)
            #expect(reader.deviceDescriptor.count == 18)
        }
    }
}
