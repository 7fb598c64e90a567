/// A tone that the host puts into its audio jack.
///
/// Source: SDK document: the Shuttle "is powered by a tone"; the IPS test "will produce a short,
/// loud tone".
public enum JackTone: Hashable, Sendable, CaseIterable {
    /// The supply of a Shuttle: it lasts until it is stopped, and the reader lives off it.
    case power
    /// The message of an IPS communication test: short, and over by itself.
    case communicationTest
}

/// A library for one kind of audio-jack reader; at most one may be loaded at a time.
public enum AudioLibrary: Hashable, Sendable, CaseIterable {
    /// The library of the Shuttle.
    case uniMag
    /// The library of the IPS encrypted card reader.
    case ips
}

/// What an SDK does with the audio jack of its host.
public enum JackCommand: Hashable, Sendable {
    /// Begins a tone at the present output volume.
    case startTone(JackTone)
    /// Ends a tone that lasts.
    case stopTone(JackTone)
    /// Sets the output volume, in percent of the maximum: 0 to 100.
    case setVolume(percent: Int)
    /// Loads a library; it takes the audio route and the recorder.
    case load(AudioLibrary)
    /// Unloads a library; it may not unload cleanly.
    case unload(AudioLibrary)
}

/// What the host tells an SDK of its audio jack, beside what is plugged in, pulled out and heard,
/// which come as events of the jack's transport.
public enum JackNotice: Hashable, Sendable {
    /// The output volume is another one now, whoever changed it; percent of the maximum: 0 to 100.
    case volumeChanged(percent: Int)
    /// Other audio, such as a call, took the route: tones end and nothing is heard.
    case interrupted
    /// The route is back.
    case resumed
}
