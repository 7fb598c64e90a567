/// A method or a property of the SDK that a scenario can `call`.
///
/// Source: SDK documents, `PGSwipeController`, `PGSwipeUniMag`, `PGSwipeIps`, `ACPaymentProvider`.
public enum MethodName: UInt8, CaseIterable, Hashable, Sendable {
    // PGSwipeController.
    case setDelegate
    case close
    case setReaderDelegate
    case setAudioJackReaderType
    case beginAutodetectAudioJackCardReader

    // PGSwipeUniMag.
    case activateReaderOnAttach
    case automaticallySetVolumeToMaxOnActivate
    case alwaysAcceptSwipe
    case messageOptions
    case powerUpDevice
    case powerDown
    case requestSwipe
    case cancelSwipeRequest
    case setSwipeTimeoutDuration

    // PGSwipeIps.
    case beginTestCommunication
    case shutdown

    // ACPaymentProvider.
    case cancel
    case paymentInfo
    case payments

    /// What can stand behind a method's name.
    public enum Argument: Hashable, Sendable {
        /// Nothing.
        case none
        /// A value of that kind.
        case value(AttributeKind)
        /// A kind of audio-jack reader, or a map of it with message options.
        case readerType
        /// A map of message options.
        case messageOptions
    }

    /// The spelling in scenarios: the SDK document's without colons.
    public var spelling: String { "\(self)" }

    /// The word for it in records; `nil` for a call that has a record of its own.
    public var symbol: Symbol? {
        switch self {
        case .setDelegate, .close: nil
        case .setReaderDelegate: .setReaderDelegate
        case .setAudioJackReaderType: .setAudioJackReaderType
        case .beginAutodetectAudioJackCardReader: .beginAutodetectAudioJackCardReader
        case .activateReaderOnAttach: .activateReaderOnAttach
        case .automaticallySetVolumeToMaxOnActivate: .automaticallySetVolumeToMaxOnActivate
        case .alwaysAcceptSwipe: .alwaysAcceptSwipe
        case .messageOptions: .messageOptions
        case .powerUpDevice: .powerUpDevice
        case .powerDown: .powerDown
        case .requestSwipe: .requestSwipe
        case .cancelSwipeRequest: .cancelSwipeRequest
        case .setSwipeTimeoutDuration: .setSwipeTimeoutDuration
        case .beginTestCommunication: .beginTestCommunication
        case .shutdown: .shutdown
        case .cancel: .cancel
        case .paymentInfo: .paymentInfo
        case .payments: .payments
        }
    }

    /// What stands behind its name.
    public var argument: Argument {
        switch self {
        case .setDelegate: .value(.symbol([.none, .app, .other]))
        case .setReaderDelegate: .value(.reader)
        case .setAudioJackReaderType: .readerType
        case .messageOptions: .messageOptions
        case .activateReaderOnAttach, .automaticallySetVolumeToMaxOnActivate, .alwaysAcceptSwipe,
            .powerUpDevice:
            .value(.flag)
        case .setSwipeTimeoutDuration: .value(.duration)
        case .close, .beginAutodetectAudioJackCardReader, .powerDown, .requestSwipe,
            .cancelSwipeRequest, .beginTestCommunication, .shutdown, .cancel, .paymentInfo:
            .none
        case .payments: .value(.text)
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
        case .activateReaderOnAttach: "Sets whether a Shuttle is powered up when it is attached."
        case .automaticallySetVolumeToMaxOnActivate:
            "Sets whether the volume is set to maximum before a Shuttle is powered up."
        case .alwaysAcceptSwipe: "Sets whether swipes are requested again and again."
        case .messageOptions: "Changes what the Shuttle asks and tells the user."
        case .powerUpDevice: "Powers the Shuttle up, or cancels it."
        case .powerDown: "Powers the Shuttle down."
        case .requestSwipe: "Asks the Shuttle for a swipe."
        case .cancelSwipeRequest: "Takes the request back."
        case .setSwipeTimeoutDuration: "Sets how long a request waits, 3 to 20 seconds."
        case .beginTestCommunication: "Asks whether an IPS reader answers."
        case .shutdown: "Closes the connections of the IPS, which is the controller's business."
        case .cancel: "Gives the payment at work up."
        case .paymentInfo: "Asks what became of the payment that was asked for last."
        case .payments: "Finds all payments with an external id."
        }
    }
}
