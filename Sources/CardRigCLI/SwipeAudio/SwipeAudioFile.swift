import AudioFiles
import Kernel
import MagneticStripe

/// A WAV file with a recording of a magnetic head, read from its beginning to its end.
///
/// Each channel is a head of its own. Memory does not grow with the file.
struct SwipeAudioFile {
    /// One pass, and the channel that it was on.
    struct Pass {
        var channel: Int
        var pass: StripeRecording.Pass
    }

    /// What the header says.
    let format: AudioFormat
    /// The passes in the order of their beginning.
    private(set) var passes: [Pass] = []

    /// So many passes are kept; a recording of an hour with a swipe every second has fewer.
    static let passLimit = 10_000
    /// The most channels that are read.
    static let channelLimit = 8
    /// The longest recording.
    static let longestHours = 24
    private static let pieceFrameCount = 16_384

    /// Reads a whole file.
    ///
    /// - Throws: ``UsageError`` with one sentence for a file that is missing, foreign, damaged, cut
    ///   or longer than a day.
    init(path: String, track: StripeTrack?) throws(UsageError) {
        try Self.checkEnd(path)
        do {
            let reader = try AudioFileReader(path: path)
            format = reader.format
            try Self.check(format, path)
            try read(reader, track)
        } catch let error as AudioFileError {
            throw .wrong("\(path): \(error)")
        } catch let error as UsageError {
            throw error
        } catch {
            throw .wrong("\(path): \(error)")
        }
        passes.sort { ($0.pass.startSample, $0.channel) < ($1.pass.startSample, $1.channel) }
    }

    private mutating func read(_ reader: AudioFileReader, _ track: StripeTrack?) throws {
        var heads = (0..<format.channelCount).map { _ in
            StripeRecording(sampleRate: format.sampleRate, track: track)
        }
        var frameCount = 0
        while true {
            let samples = try reader.read(frameCount: Self.pieceFrameCount)
            if samples.isEmpty { break }
            frameCount += samples.count / format.channelCount
            for channel in heads.indices {
                let own =
                    heads.count == 1
                    ? samples
                    : stride(from: channel, to: samples.count, by: heads.count).map { samples[$0] }
                keep(heads[channel].append(own), channel)
            }
        }
        for channel in heads.indices { keep(heads[channel].finish(), channel) }
        guard frameCount == format.frameCount else {
            throw UsageError.wrong(
                "the recording is cut: its header says \(format.frameCount) samples, and "
                    + "\(frameCount) are there"
            )
        }
    }

    private mutating func keep(_ found: [StripeRecording.Pass], _ channel: Int) {
        for pass in found.prefix(max(0, Self.passLimit - passes.count)) {
            passes.append(Pass(channel: channel, pass: pass))
        }
    }

    private static func check(_ format: AudioFormat, _ path: String) throws(UsageError) {
        let rates = StripeRecording.sampleRates
        guard rates.contains(format.sampleRate) else {
            throw .wrong(
                "\(path): \(format.sampleRate) samples a second; a swipe can be read from "
                    + "\(rates.lowerBound) to \(rates.upperBound)"
            )
        }
        guard (1...channelLimit).contains(format.channelCount) else {
            throw .wrong(
                "\(path): \(format.channelCount) channels; at most \(channelLimit) heads are read"
            )
        }
        guard format.frameCount / format.sampleRate < longestHours * 3_600 else {
            throw .wrong("\(path): the recording is longer than \(longestHours) hours; cut it")
        }
    }

    /// Sees whether the file is as long as its RIFF header says: libsndfile reads what is there.
    ///
    /// A program that writes to a pipe leaves 0 or the greatest number there; nothing follows.
    private static func checkEnd(_ path: String) throws(UsageError) {
        let isCut: Bool
        do throws(KernelError) {
            let file = try InputFile(path: path)
            let header = try file.read(upTo: 12)
            let isWAV = header.count == 12 && header.starts(with: Array("RIFF".utf8))
            let stated = header.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            let isStated = isWAV && stated > 0 && stated < 0xFFFF_FF00
            isCut = isStated && file.byteCountAtOpening < stated + 8
        } catch {
            throw .wrong("\(error)")
        }
        guard !isCut else {
            throw .wrong(
                "\(path): the file is cut: it is shorter than its RIFF header says, and the end of "
                    + "the recording is missing"
            )
        }
    }
}
