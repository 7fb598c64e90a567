import CLibSndFile
import Glibc

/// Writes a WAV file of one channel with 16 bits a sample.
public enum AudioFileWriter {
    /// Writes the whole file, over one that is there.
    ///
    /// - Throws: ``AudioFileError`` with `notWritten`.
    public static func write(
        _ samples: [Int16],
        sampleRate: Int,
        to path: String
    ) throws(AudioFileError) {
        var description = SF_INFO()
        description.samplerate = Int32(clamping: sampleRate)
        description.channels = 1
        description.format = Int32(SF_FORMAT_WAV) | Int32(SF_FORMAT_PCM_16)
        guard let file = sf_open(path, Int32(SFM_WRITE), &description) else {
            throw AudioFileError(.notWritten, String(cString: sf_strerror(nil)))
        }
        let written = sf_writef_short(file, samples, sf_count_t(samples.count))
        let code = sf_close(file)
        guard written == samples.count, code == 0 else {
            throw AudioFileError(.notWritten, "\(written) of \(samples.count) samples were written")
        }
    }
}
