import CaptureFiles
import Kernel
import Reporting
import Testing

@testable import CardRigCLI

@Suite("Recording as a file")
struct RecordingFileTests {
    private let folder = TemporaryFolder()

    private func record(_ reader: String, _ options: String...) throws -> [UInt8] {
        let scenario = try folder.write(
            "swipe.yaml",
            """
            scenario: A swipe
            rig: { reader: \(reader) }
            steps:
              - plug in
              - await: deviceBecameReadyForSwipe
              - swipe: { card: visa }
              - await: didSwipeCard
              - unplug
              - await: deviceDisconnected
            """
        )
        let file = folder.path + "/run.pcapng"
        let streams = Streams.captured()
        let code = CardRigCommand.run(
            ["run", scenario, "--record", file] + options,
            streams: streams
        )
        #expect(code == .held)
        defer { FileBytes.remove(path: file) }
        return try FileBytes.read(path: file, limit: 1 << 24)
    }

    private func packetCount(_ bytes: ArraySlice<UInt8>) throws -> Int {
        var reader = CaptureReader()
        reader.append(bytes)
        var count = 0
        while try reader.next() != nil { count += 1 }
        return count
    }

    @Test func aFileCutAtAnyByteIsReadUpToThere() throws {
        let bytes = try record("idynamo")
        let whole = try packetCount(bytes[...])
        var last = 0
        for end in stride(from: 4, through: bytes.count, by: 1) {
            let count = try packetCount(bytes[..<end])
            #expect(count >= last)
            last = count
        }
        #expect(last == whole)
    }

    @Test func eachStepIsMarkedWhereItsFirstRecordStands() throws {
        var reader = CaptureReader()
        reader.append(try record("idynamo"))
        var comments: [String] = []
        while let packet = try reader.next() { comments += packet.comments }
        #expect(comments.contains("line 4: plug in"))
        #expect(comments.contains("line 6: swipe: { card: visa }"))
        #expect(comments.contains("attached"))
        #expect(comments.contains("detached: left"))
        #expect(reader.section?.comments.contains("card data: replaced by stand-ins") == true)
    }

    @Test(arguments: ["idynamo", "dynamag", "shuttle", "ips"])
    func theNameOnTheCardIsInNoRecording(_ reader: String) throws {
        let text = String(decoding: try record(reader), as: UTF8.self)
        #expect(!text.contains("TEST"))
        #expect(text.contains("AXXX"))
    }

    @Test func whatIsKeptInClearIsSaidToBe() throws {
        let text = String(
            decoding: try record("shuttle", "--unsafe-keep-card-data"),
            as: UTF8.self
        )
        #expect(text.contains("card data: KEPT AS IT WAS (--unsafe-keep-card-data)"))
        #expect(text.contains("TEST"))
    }

    @Test func keepingCardDataWithoutARecordingIsAMistake() throws {
        let streams = Streams.captured()
        let code = CardRigCommand.run(
            ["run", "x.yaml", "--unsafe-keep-card-data"],
            streams: streams
        )
        #expect(code == .wrong)
    }
}
