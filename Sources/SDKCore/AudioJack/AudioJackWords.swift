/// Which reader the SDK serves at the audio jack; at most one at a time.
///
/// Source: SDK document, `PGSwipeController`, `setAudioJackReaderType:messageOptions:`.
public enum AudioJackReaderType: Hashable, Sendable, CaseIterable {
    /// None: no library is loaded, and what is plugged in is not told.
    case none
    /// The Shuttle.
    case uniMag
    /// The IPS encrypted card reader.
    case ips
    /// Whichever an autodetection finds each time something is plugged in.
    case autodetectOnConnect
}

/// What an autodetection found.
///
/// Source: SDK document, `deviceAutodetectComplete:`.
public enum AutodetectResult: Hashable, Sendable, CaseIterable {
    /// A Shuttle answered.
    case uniMag
    /// An IPS reader answered.
    case ips
    /// Nothing answered, though a supported reader may be there.
    case fail
}

/// The object that an event names as its sender.
///
/// Source: SDK document, `PGSwipeDevice` and its subclasses.
public enum SwipeDevice: Hashable, Sendable, CaseIterable {
    /// A MagTek reader: `PGSwipeIDynamo`.
    case iDynamo
    /// The Shuttle, or what passes for one: `PGSwipeUniMag`.
    case uniMag
    /// The IPS reader, or what passes for one: `PGSwipeIps`.
    case ips
}

/// A text that the Shuttle's library shows to the user, named by its message option.
///
/// Source: SDK document, `PGSwipeUniMagMessageOptions`.
public enum UniMagMessage: Hashable, Sendable, CaseIterable {
    /// A prompt; the SDK will raise the volume to the maximum.
    case cardReaderActivationPrompt
    /// A prompt; the volume is at its maximum already, or the SDK does not raise it.
    case cardReaderActivationAtMaxVolumePrompt
    /// An alert without a button, shown while the reader powers up.
    case initializingReaderMessage
    /// An alert: the reader did not answer in time.
    case cardReaderTimeoutMessage
    /// An alert: the volume is too low to power the reader.
    case volumeTooLowMessage
}
