public import Journal
import ReaderProtocols
public import SDKCore
import SimulatedReaders

extension Symbol {
    init(_ result: AutodetectResult) {
        switch result {
        case .uniMag: self = .uniMag
        case .ips: self = .ips
        case .fail: self = .fail
        }
    }

    /// The word of a kind of reader at the audio jack.
    public init(_ type: AudioJackReaderType) {
        switch type {
        case .none: self = .none
        case .uniMag: self = .uniMag
        case .ips: self = .ips
        case .autodetectOnConnect: self = .autodetectOnConnect
        }
    }

    init(_ message: UniMagMessage) {
        switch message {
        case .cardReaderActivationPrompt: self = .cardReaderActivationPrompt
        case .cardReaderActivationAtMaxVolumePrompt: self = .cardReaderActivationAtMaxVolumePrompt
        case .initializingReaderMessage: self = .initializingReaderMessage
        case .cardReaderTimeoutMessage: self = .cardReaderTimeoutMessage
        case .volumeTooLowMessage: self = .volumeTooLowMessage
        }
    }

    init(_ tone: JackTone) {
        switch tone {
        case .power: self = .power
        case .communicationTest: self = .communicationTest
        }
    }

    init(_ end: JackToneEnd) {
        switch end {
        case .stopped: self = .stopped
        case .over: self = .over
        case .interrupted: self = .interrupted
        }
    }

    init(_ plug: JackPlug) {
        switch plug {
        case .nothing: self = .nothing
        case .headphones: self = .headphones
        case .shuttle: self = .shuttle
        case .ips: self = .ips
        }
    }

    init(_ library: AudioLibrary) {
        switch library {
        case .uniMag: self = .uniMag
        case .ips: self = .ips
        }
    }

    init(_ changer: VolumeChanger) {
        switch changer {
        case .user: self = .user
        case .sdk: self = .sdk
        case .limiter: self = .volumeLimiter
        }
    }

    init(_ loss: SwipeLoss) {
        switch loss {
        case .unplugged: self = .unplugged
        case .unpowered: self = .unpowered
        case .booting: self = .booting
        case .busy: self = .busy
        case .emptyBattery: self = .emptyBattery
        case .asleep: self = .asleep
        case .unread: self = .unread
        case .keysExhausted: self = .keysExhausted
        case .noReader: self = .noReader
        }
    }
}

extension SwipeCall {
    /// The word for its method; `nil` for a call that has a record of its own.
    var symbol: Symbol? {
        switch self {
        case .setDelegate, .close, .answerPrompt: nil
        case .setReaderDelegate: .setReaderDelegate
        case .setAudioJackReaderType: .setAudioJackReaderType
        case .beginAutodetectAudioJackCardReader: .beginAutodetectAudioJackCardReader
        case .powerUpDevice: .powerUpDevice
        case .powerDown: .powerDown
        case .requestSwipe: .requestSwipe
        case .cancelSwipeRequest: .cancelSwipeRequest
        case .setSwipeTimeoutDuration: .setSwipeTimeoutDuration
        case .setActivateReaderOnAttach: .activateReaderOnAttach
        case .setAutomaticallySetVolumeToMaxOnActivate: .automaticallySetVolumeToMaxOnActivate
        case .setAlwaysAcceptSwipe: .alwaysAcceptSwipe
        case .setMessageOptions, .setActivateReaderWithoutPromptingUser,
            .setShowInitializingReaderMessage, .setMessage:
            .messageOptions
        case .beginTestCommunication: .beginTestCommunication
        case .shutdown: .shutdown
        }
    }

    /// Its argument as an attribute of the call's record; `nil` where there is none to show.
    var recordedArgument: Attribute? {
        switch self {
        case .powerUpDevice(let isOn), .setActivateReaderOnAttach(let isOn),
            .setAutomaticallySetVolumeToMaxOnActivate(let isOn), .setAlwaysAcceptSwipe(let isOn):
            Attribute(.isOn, .flag(isOn))
        case .setSwipeTimeoutDuration(let limit):
            Attribute(.limit, .duration(limit))
        case .setAudioJackReaderType(let type, _):
            Attribute(.audioJackReaderType, .symbol(Symbol(type)))
        case .setActivateReaderWithoutPromptingUser(let isOn):
            Attribute(.isOn, .flag(isOn))
        case .setMessageOptions(let options):
            Attribute(.isOn, .flag(options.activateReaderWithoutPromptingUser))
        case .setDelegate, .setReaderDelegate, .close, .answerPrompt,
            .beginAutodetectAudioJackCardReader, .powerDown, .requestSwipe, .cancelSwipeRequest,
            .setShowInitializingReaderMessage, .setMessage, .beginTestCommunication, .shutdown:
            nil
        }
    }

    /// Whether it is from now on that a Shuttle is powered up without a prompt, where the call
    /// brings message options beside its argument.
    var recordedConsent: Bool? {
        guard case .setAudioJackReaderType(.uniMag, let options?) = self else { return nil }
        return options.activateReaderWithoutPromptingUser
    }
}
