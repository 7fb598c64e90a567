import CLibSndFile
import Glibc

/// Reads a WAV file piece by piece, whatever its coding, as samples of 16 bits.
///
/// One thread at a time calls it; libsndfile's state is owned by a class, so that nobody copies it.
public final class AudioFileReader {
    /// What the header says.
    public let format: AudioFormat

    private let file: OpaquePointer
    private let isFloating: Bool
    private var floats: [Float] = []

    /// Opens a file: WAV, also in the forms for more than 4 GB or two channels (RF64, WAVEX).
    ///
    /// - Throws: ``AudioFileError`` with `notReadable` or `otherKind`.
    public init(path: String) throws(AudioFileError) {
        var description = SF_INFO()
        guard let file = sf_open(path, Int32(SFM_READ), &description) else {
            throw AudioFileError(.notReadable, String(cString: sf_strerror(nil)))
        }
        let major = Int(description.format) & Int(SF_FORMAT_TYPEMASK)
        guard [Int(SF_FORMAT_WAV), Int(SF_FORMAT_WAVEX), Int(SF_FORMAT_RF64)].contains(major) else {
            sf_close(file)
            throw AudioFileError(.otherKind, "this is an audio file, and not a WAV")
        }
        let coding = Int(description.format) & Int(SF_FORMAT_SUBMASK)
        isFloating = coding == Int(SF_FORMAT_FLOAT) || coding == Int(SF_FORMAT_DOUBLE)
        format = AudioFormat(
            sampleRate: Int(description.samplerate),
            channelCount: Int(description.channels),
            frameCount: Int(description.frames)
        )
        self.file = file
    }

    deinit { sf_close(file) }

    /// Reads the next samples, those of all channels side by side; none at the end.
    ///
    /// - Throws: ``AudioFileError`` with `damaged`.
    public func read(frameCount: Int) throws(AudioFileError) -> [Int16] {
        let limit = max(0, min(frameCount, 1 << 20))
        var samples = [Int16](repeating: 0, count: limit * format.channelCount)
        let count: Int
        if isFloating {
            floats = [Float](repeating: 0, count: samples.count)
            count = Int(sf_readf_float(file, &floats, sf_count_t(limit)))
            for index in 0..<max(0, count * format.channelCount) {
                samples[index] = Self.sample(floats[index])
            }
        } else {
            count = Int(sf_readf_short(file, &samples, sf_count_t(limit)))
        }
        guard count >= 0, sf_error(file) == 0 else {
            throw AudioFileError(.damaged, String(cString: sf_strerror(file)))
        }
        samples.removeLast(samples.count - count * format.channelCount)
        return samples
    }

    /// Full scale is 1.0; what is no number is silence.
    private static func sample(_ value: Float) -> Int16 {
        guard value.isFinite else { return 0 }
        return Int16(max(-32_768, min(32_767, value * 32_767)))
    }
}
