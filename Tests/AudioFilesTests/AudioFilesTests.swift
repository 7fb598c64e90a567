import Glibc
import Testing

@testable import AudioFiles

@Suite struct AudioFilesTests {
    private func withFolder(_ body: (String) throws -> Void) rethrows {
        var template = Array("/tmp/cardrig-audio-XXXXXX\0".utf8.map { CChar(bitPattern: $0) })
        let isMade = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) != nil }
        let folder = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
        #expect(isMade)
        defer {
            for name in ["a.wav", "b.wav"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        try body(folder)
    }

    private func put(_ bytes: [UInt8], at path: String) {
        let file = fopen(path, "w")
        fwrite(bytes, 1, bytes.count, file)
        if let file { fclose(file) }
    }

    private func header(coding: UInt16, bits: UInt16, channels: UInt16 = 1, data: Int) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let frame = Int(bits / 8 * channels)
        return Array("RIFF".utf8) + number(36 + data, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
            + number(Int(coding), 2) + number(Int(channels), 2) + number(44_100, 4)
            + number(44_100 * frame, 4) + number(frame, 2) + number(Int(bits), 2)
            + Array("data".utf8) + number(data, 4)
    }

    @Test func whatIsWrittenIsReadAgainInPieces() throws {
        try withFolder { folder in
            let samples = (0..<5_000).map { Int16(truncatingIfNeeded: $0 * 997) }
            try AudioFileWriter.write(samples, sampleRate: 48_000, to: "\(folder)/a.wav")
            let reader = try AudioFileReader(path: "\(folder)/a.wav")
            let expected = AudioFormat(sampleRate: 48_000, channelCount: 1, frameCount: 5_000)
            #expect(reader.format == expected)
            var found: [Int16] = []
            while true {
                let piece = try reader.read(frameCount: 999)
                if piece.isEmpty { break }
                found += piece
            }
            #expect(found == samples)
        }
    }

    @Test func floatingSamplesHaveFullScaleAtOneAndNoNumberIsSilence() throws {
        try withFolder { folder in
            let values: [Float] = [0, 0.5, -1, 2, -7, .nan, .infinity]
            let bytes = values.flatMap { value in
                (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
            }
            put(header(coding: 3, bits: 32, data: bytes.count) + bytes, at: "\(folder)/a.wav")
            let reader = try AudioFileReader(path: "\(folder)/a.wav")
            #expect(
                try reader.read(frameCount: 100) == [0, 16_383, -32_767, 32_767, -32_768, 0, 0]
            )
        }
    }

    @Test func bytesThatAreNoWAVAreRefused() {
        withFolder { folder in
            let whole = header(coding: 1, bits: 16, data: 4) + [1, 2, 3, 4]
            let au =
                Array(".snd".utf8) + [
                    0, 0, 0, 24, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 172, 68, 0, 0, 0, 1,
                ]
            for bytes in [[], Array("hello".utf8), Array(whole.prefix(20)), au + [0, 1, 0, 2]] {
                put(bytes, at: "\(folder)/a.wav")
                #expect(throws: AudioFileError.self) {
                    try AudioFileReader(path: "\(folder)/a.wav")
                }
            }
            #expect(throws: AudioFileError.self) { try AudioFileReader(path: "\(folder)/none.wav") }
        }
    }

    @Test func noDamagedHeaderTrapsOrHangs() {
        withFolder { folder in
            let whole =
                header(coding: 1, bits: 16, channels: 2, data: 400)
                + (0..<400).map { UInt8(truncatingIfNeeded: $0 * 31) }
            for place in 0..<44 {
                for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                    var bytes = whole
                    bytes[place] = value
                    put(bytes, at: "\(folder)/b.wav")
                    guard let reader = try? AudioFileReader(path: "\(folder)/b.wav") else {
                        continue
                    }
                    var count = 0
                    while let piece = try? reader.read(frameCount: 64), !piece.isEmpty {
                        count += piece.count
                        if count > 10_000 { break }
                    }
                    #expect(count <= 10_000)
                }
            }
        }
    }
}
