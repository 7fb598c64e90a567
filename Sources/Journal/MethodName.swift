/// A method of the SDK that a scenario can `call`.
///
/// Source: SDK document, `PGSwipeController`, `PGSwipeUniMag`, `PGSwipeIps`.
public enum MethodName: UInt8, CaseIterable, Hashable, Sendable {
    // PGSwipeController.
    case setDelegate
    case close
    case setReaderDelegate
    case setAudioJackReaderType
    case beginAutodetectAudioJackCardReader

    // PGSwipeUniMag.
    case powerUpDevice
    case powerDownDevice
    case requestSwipe
    case cancelSwipeRequest
    case setSwipeTimeoutDuration

    // PGSwipeIps.
    case beginTestCommunication

    /// The spelling in scenarios: the SDK document's without colons.
    public var spelling: String { "\(self)" }

    /// Whether this version has it; the others belong to readers that are not built yet.
    public var isBuilt: Bool {
        switch self {
        case .setDelegate, .close, .setReaderDelegate: true
        case .setAudioJackReaderType, .beginAutodetectAudioJackCardReader, .powerUpDevice,
            .powerDownDevice, .requestSwipe, .cancelSwipeRequest, .setSwipeTimeoutDuration,
            .beginTestCommunication:
            false
        }
    }

    /// What stands behind its name; `nil` for a method without an argument.
    public var argument: AttributeKind? {
        switch self {
        case .setDelegate: .symbol([.none, .app, .other])
        case .setReaderDelegate: .reader
        case .powerUpDevice: .flag
        case .setAudioJackReaderType, .setSwipeTimeoutDuration: .text
        case .close, .beginAutodetectAudioJackCardReader, .powerDownDevice, .requestSwipe,
            .cancelSwipeRequest, .beginTestCommunication:
            nil
        }
    }

    /// What it does, in one sentence.
    public var meaning: String {
        switch self {
        case .setDelegate: "Sets the object that receives the events, or none."
        case .close: "Closes the controller: nothing arrives any more."
        case .setReaderDelegate: "Sets a delegate on one reader, which the document forbids."
        case .setAudioJackReaderType: "Chooses the reader at the audio jack."
        case .beginAutodetectAudioJackCardReader: "Finds out which reader is at the audio jack."
        case .powerUpDevice: "Powers the Shuttle up, or cancels it."
        case .powerDownDevice: "Powers the Shuttle down."
        case .requestSwipe: "Asks the Shuttle for a swipe."
        case .cancelSwipeRequest: "Takes the request back."
        case .setSwipeTimeoutDuration: "Sets how long a request waits, 3 to 20 seconds."
        case .beginTestCommunication: "Asks whether an IPS reader answers."
        }
    }
}
