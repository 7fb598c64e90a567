public import EventLoops

/// How a host's audio is when a run begins.
public struct AudioJackConfiguration: Hashable, Sendable {
    /// The output volume in percent of the maximum, 0 to 100; 50 (assumed).
    public var volumePercent = 50
    /// What lowers a volume that somebody raised; none by default.
    public var limiter: VolumeLimiter?
    /// Whether the SDK can set the volume; hosts exist on which it fails.
    ///
    /// Source: UniMag wrapper for Cordova, the failure "failed to raise media volume".
    public var sdkSetsVolume = true
    /// Whether the app may record; without permission a host hears silence and is told nothing.
    public var isRecordingPermitted = true
    /// Whether the host mixes both channels into one, which no audio-jack reader understands.
    ///
    /// Source: ID TECH uniMag SDK for iOS, `uniMagMonoAudioErrorNotification`; that the reader
    /// gets no power from it is assumed.
    public var isMonoAudio = false
    /// By how many percent an equaliser weakens every tone, 0 to 100; 0 by default.
    public var equaliserLossPercent = 0
    /// Whether a library that is unloaded is gone; one that is not stays loaded for good.
    ///
    /// Source: SDK document, PGSwipeController: "the underlying libraries may not always unload
    /// cleanly".
    public var unloadsCleanly = true
    /// Whether the host hears anything while two libraries hold the recorder; yes by default
    /// (assumed).
    public var hearsWithTwoLibraries = true
    /// How long the tone of a communication test lasts; 500 ms (assumed: "a short, loud tone").
    public var testToneLength = VirtualDuration.milliseconds(500)
    /// How many bytes the host hears in one piece; 16 (assumed): 67 ms of an IPS, 17 ms of a Shuttle.
    public var pieceByteCount = 16

    /// Creates a host that forbids nothing.
    public init() {}
}

/// A host that lowers a volume which is too loud for too long.
public struct VolumeLimiter: Hashable, Sendable {
    /// The loudest volume that stays, in percent of the maximum.
    public var percent: Int
    /// How long a louder one stays.
    public var delay: VirtualDuration

    /// Creates a limiter.
    public init(percent: Int, delay: VirtualDuration) {
        self.percent = percent
        self.delay = delay
    }
}
