import CaptureAnalysis
import CaptureFlows
import CaptureSupport
import CardData
import Glibc
import Kernel
import Reporting
import Testing

@testable import CardRigCLI

/// What lies in the folder Captures is what its README says, and shows what its golden text says.
@Suite("Captures folder")
struct CapturesFolderTests {
    /// The captures, by their paths below `Captures/`, in the order of their names.
    static let names: [String] = {
        let root = "Captures"
        var names: [String] = []
        for folder in ["bluetooth", "recordings", "serial", "tcp", "tools", "usb"] {
            let files = (try? Paths.files(under: "\(root)/\(folder)", withSuffix: "")) ?? []
            names += files.map { String($0.dropFirst(root.utf8.count + 1)) }
        }
        return names.sorted()
    }()

    private func bytes(_ path: String) throws -> [UInt8] {
        try FileBytes.read(path: path, limit: 1 << 20)
    }

    @Test func thereAreCapturesOfAllFormatsThatAreRead() {
        #expect(Self.names.count >= 45, "\(Self.names)")
    }

    @Test(arguments: names)
    func aCaptureIsSmallAndNamedInTheREADME(_ name: String) throws {
        #expect(try bytes("Captures/\(name)").count < 20_000)
        let readme = String(decoding: try bytes("Captures/README.md"), as: UTF8.self)
        #expect(readme.contains("`\(name)`"))
    }

    @Test(arguments: names)
    func infoShowsTheGoldenText(_ name: String) throws {
        let streams = Streams.captured()
        _ = CardRigCommand.run(["capture", "info", "Captures/\(name)"], streams: streams)
        let golden = "Captures/expected/\(name.replacing("/", with: "-")).txt"
        #expect(
            String(decoding: streams.output, as: UTF8.self)
                == String(decoding: try bytes(golden), as: UTF8.self)
        )
    }

    @Test(arguments: names)
    func noNumberOfATestCardStandsInACapture(_ name: String) throws {
        let scan = SecretScan(Self.numbers)
        let findings = scan.findings(in: try bytes("Captures/\(name)")).filter { finding in
            // Packed, a number of zeros is what any run of empty bytes looks like.
            finding.form != "BCD" || Self.numbers[finding.secret].count { $0 == 0x30 } < 10
        }
        #expect(findings.isEmpty)
        let golden = "Captures/expected/\(name.replacing("/", with: "-")).txt"
        #expect(scan.findings(in: try bytes(golden)).isEmpty)
    }

    @Test func theScanFindsANumberInEachForm() throws {
        let number = try #require(Self.numbers.first)
        let scan = SecretScan([number])
        #expect(!scan.findings(in: [0] + number + [0]).isEmpty)
        let hex = Array(Hexadecimal.encode(number).utf8)
        #expect(!scan.findings(in: hex).isEmpty)
        #expect(!scan.findings(in: Base64.encode([1] + number + [2, 3])).isEmpty)
    }

    /// The numbers of the test cards, as text: what stands before the separator of track 2.
    private static let numbers: [[UInt8]] = TestCard.all.compactMap { card in
        let digits = Array(
            card.unmaskedTrack2.drop { $0 == UInt8(ascii: ";") }.prefix { $0 >= 0x30 && $0 <= 0x39 }
        )
        return digits.count >= 13 ? digits : nil
    }

    @Test(arguments: names)
    func importingACaptureKeepsItsUnitsBytesAndTimes(_ name: String) throws {
        let folder = TemporaryFolder()
        let output = folder.path + "/out.pcapng"
        let streams = Streams.captured()
        let code = CardRigCommand.run(
            ["capture", "import", "Captures/\(name)", "--out", output],
            streams: streams
        )
        #expect(code == .held, "\(String(decoding: streams.error, as: UTF8.self))")
        let before = try CaptureContent("Captures/\(name)").survey
        let after = try CaptureContent(output).survey
        func amounts(_ survey: CaptureSurvey) -> [Int] {
            let all = survey.conversations.filter { !$0.key.isJournal }
            return [
                all.reduce(0) { $0 + $1.unitCount },
                all.reduce(0) { $0 + $1.byteCountToReader },
                all.reduce(0) { $0 + $1.byteCountFromReader },
                survey.recordCount,
            ]
        }
        #expect(amounts(after) == amounts(before))
        #expect(after.lastTime == before.lastTime || before.lastTime == nil)
        #expect(after.readers.map { $0.spoken?.wire } == before.readers.map { $0.spoken?.wire })
    }

    @Test(
        .enabled(if: TShark.isPresent, "\(TShark.absence)"),
        arguments: [
            "usb/dynamag-macos.pcap", "tcp/miura-segment-missing.pcap", "tools/merged.pcapng",
            "bluetooth/miura.pklg", "serial/idynamo-socat-xv.log",
        ]
    )
    func wiresharkFindsNothingMalformedInWhatIsImported(_ name: String) throws {
        let folder = TemporaryFolder()
        let output = folder.path + "/out.pcapng"
        let streams = Streams.captured()
        _ = CardRigCommand.run(
            ["capture", "import", "Captures/\(name)", "--out", output],
            streams: streams
        )
        #expect(try !FileBytes.read(path: output, limit: 1 << 24).isEmpty)
        #expect(try TShark.run(path: output, "-Y _ws.malformed").isEmpty)
    }

    @Test(arguments: names)
    func prefixesOfACaptureAreReadWithoutATrap(_ name: String) throws {
        let whole = try bytes("Captures/\(name)")
        // Beginnings to the byte, the rest in steps that meet all borders of words.
        let lengths =
            Array(0..<min(64, whole.count)) + Array(stride(from: 64, to: whole.count, by: 53))
        for length in lengths {
            var importer = CaptureImporter()
            importer.append(whole[..<length])
            importer.finish()
            var byteCount = 0
            while let item = importer.next() {
                if case .unit(let unit) = item { byteCount += unit.bytes.count }
            }
            #expect(byteCount <= 64 * length)
        }
    }
}
