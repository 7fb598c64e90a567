import CardData
import Kernel
import Reporting
import Testing

@testable import CardRigCLI

@Suite("cardrig encode and decode swipe-audio")
struct SwipeAudioVectorsTests {
    private func run(_ arguments: [String]) -> (code: Int32, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(arguments, streams: streams)
        return (
            code.rawValue, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    private func encode(
        _ folder: TemporaryFolder,
        _ options: [String] = [],
        card: String = "visa"
    ) throws -> String {
        let path = try folder.write("swipe.wav", "")
        let result = run(["encode", "swipe-audio", path, "--card", card] + options)
        #expect(result.code == 0, "\(result.error)")
        return path
    }

    private func rows(_ output: String) -> [String] {
        output.split(separator: "\n").dropFirst().map {
            $0.split(separator: " ").joined(separator: " ")
        }
    }

    @Test func aRecordingGivesTheCardMaskedWithTrackAndSpeed() throws {
        let folder = TemporaryFolder()
        let path = try encode(folder, ["--speed", "30", "--noise", "5", "--passes", "3"])
        let result = run(["decode", "swipe-audio", path])
        #expect(result.code == 0)
        #expect(result.error.isEmpty)
        let rows = rows(result.output)
        #expect(rows.count == 3)
        for row in rows {
            let columns = row.split(separator: " ", maxSplits: 5)
            #expect(columns[2] == "1")
            #expect(["29", "30"].contains(String(columns[3].prefix(2))))
            #expect(columns[4] == "2")
            #expect(columns[5] == ";411111******1111=2512*************?")
        }
        #expect(!result.output.contains("4111111111111111"))
        let json = run(["decode", "swipe-audio", path, "--json"])
        #expect(json.output.contains("\"forward\""))
        #expect(!json.output.contains("4111111111111111"))
    }

    @Test func track1AndACardThatGoesBackwardAreRead() throws {
        let folder = TemporaryFolder()
        let path = try encode(folder, ["--track", "1", "--backward", "--speed", "10"])
        let result = run(["decode", "swipe-audio", path, "--json"])
        #expect(result.code == 0)
        #expect(result.output.contains("\"backward\""))
        #expect(result.output.contains("\"track\": 1"))
    }

    @Test func theWordsOfScenariosGiveWhatTheyMean() throws {
        let folder = TemporaryFolder()
        for (word, isRead) in [
            ("good", true), ("reversed", true), ("tooFast", false), ("unreadable", false),
        ] {
            let path = try encode(folder, ["--quality", word, "--track", "1"])
            let result = run(["decode", "swipe-audio", path])
            #expect(result.code == (isRead ? 0 : 2), "\(word)")
            if word == "tooFast" { #expect(result.output.contains("too fast")) }
        }
    }

    @Test func foreignDamagedAndMissingFilesGiveOneSentence() throws {
        let folder = TemporaryFolder()
        let path = try encode(folder)
        let whole = try FileBytes.read(path: path, limit: 1 << 24)
        try FileBytes.write(Array(whole.prefix(whole.count / 2)), to: path)
        let cut = run(["decode", "swipe-audio", path])
        #expect(cut.code == 2)
        #expect(cut.output.isEmpty)
        #expect(cut.error.contains("cut"))
        for bytes in [
            [], Array("no audio".utf8), Array(whole.prefix(40)), Array(whole.dropFirst()),
        ] {
            try FileBytes.write(bytes, to: path)
            let result = run(["decode", "swipe-audio", path])
            #expect(result.code == 2)
            #expect(result.error.split(separator: "\n").count == 1)
        }
        for path in ["\(folder.path)/none.wav", folder.path] {
            let result = run(["decode", "swipe-audio", path])
            #expect(result.code == 2)
            #expect(result.error.split(separator: "\n").count == 1)
        }
    }

    @Test func aRecordingWithoutACardSaysSo() throws {
        let folder = TemporaryFolder()
        let path = try encode(folder)
        var silent = try FileBytes.read(path: path, limit: 1 << 24)
        for index in 44..<silent.count { silent[index] = 0 }
        try FileBytes.write(silent, to: path)
        let result = run(["decode", "swipe-audio", path])
        #expect(result.code == 2)
        #expect(result.error.contains("no card passed the head"))
    }

    @Test(
        arguments: [
            ["encode"], ["encode", "swipe-audio"], ["encode", "swipe-audio", "x.wav"],
            ["encode", "swipe-audio", "x.wav", "--card", "nobody"],
            ["encode", "swipe-audio", "x.wav", "--card", "visa", "--track", "3"],
            ["encode", "swipe-audio", "x.wav", "--card", "visa", "--speed", "0"],
            [
                "encode", "swipe-audio", "x.wav", "--card", "visa", "--quality", "good", "--speed",
                "9",
            ],
            ["encode", "swipe-audio", "/none/x.wav", "--card", "visa"],
            ["decode", "swipe-audio"], ["decode", "swipe-audio", "-"],
            ["decode", "swipe-audio", "a.wav", "b.wav"],
        ]
    )
    func whatCannotBeMeantIsRefusedInOneSentence(arguments: [String]) {
        let result = run(arguments)
        #expect(result.code == 2)
        #expect(result.error.split(separator: "\n").count == 1)
    }

    @Test func typedRecordsSerialFramesAndContactlessFramesAreListed() {
        let ping = run(["decode", "vivotech2", "5669564F74656368320018010000B3CD"])
        #expect(ping.code == 0)
        #expect(ping.output.contains("ping"))
        let itp = run(["decode", "itp", "0252220371", "06"])
        #expect(itp.code == 0)
        #expect(itp.output.contains("firmwareVersion"))
    }
}
