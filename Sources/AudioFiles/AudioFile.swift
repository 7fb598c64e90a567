/// What an audio file is, before any of its samples.
public struct AudioFormat: Hashable, Sendable {
    /// Samples in a second of each channel.
    public var sampleRate: Int
    /// How many samples stand side by side.
    public var channelCount: Int
    /// How many samples each channel has.
    public var frameCount: Int

    /// Names a format.
    public init(sampleRate: Int, channelCount: Int, frameCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.frameCount = frameCount
    }
}

/// Why an audio file could not be read or written.
public struct AudioFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// The file is no WAV, or its header contradicts itself.
        case notReadable
        /// It is an audio file of another kind.
        case otherKind
        /// The samples ended, or could not be read, before the header says.
        case damaged
        /// It could not be written.
        case notWritten
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence without a full stop.
    public var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
