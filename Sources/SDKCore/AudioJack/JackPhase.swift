import EventLoops

/// What is the case at the audio jack; at most one thing is under way at a time.
///
/// | phase | told at most | ends with |
/// | --- | --- | --- |
/// | away | nothing | something is plugged in, or a type is chosen |
/// | arrived | connected | connected was told: starting or resting |
/// | resting | connected | powerUpDevice(true) |
/// | starting | connected | a prompt, or consent without one |
/// | prompting | connected | an answer, powerUpDevice(false) |
/// | consented | connected | the host was asked for the maximum volume, if at all |
/// | raised | connected | the initializing alert was told, if it is wanted |
/// | checking | connected | the volume is high enough, or not |
/// | powering | connected | an answer of the reader, the time limit, powerUpDevice(false) |
/// | failed | connected | its result was told: resting |
/// | activated | activated | a request, powerDown |
/// | ready | ready | a swipe, the time limit, a cancel |
/// | listening | ready | an IPS, until it is unplugged |
/// | detecting | nothing | the result was told |
///
/// Each ends with away when the plug is pulled, and with whatever a new type begins.
enum JackPhase: Hashable, Sendable {
    case away
    case arrived
    case resting
    case starting
    case prompting(UniMagMessage)
    case consented
    case raised
    case checking
    case powering(until: VirtualInstant)
    case failed(ActivationResult)
    case activated
    /// A request is open; the time limit counts from the moment when the app was told.
    case ready(until: VirtualInstant?)
    case listening
    case detecting(JackDetection)

    /// What the app is to know.
    var goal: JackAnnouncement.Level {
        switch self {
        case .away, .detecting: .nothing
        case .arrived, .resting, .starting, .prompting, .consented, .raised, .checking, .powering,
            .failed:
            .connected
        case .activated: .activated
        case .ready, .listening: .ready
        }
    }

    /// Whether the power tone is to sound.
    var needsPowerTone: Bool {
        switch self {
        case .powering, .activated, .ready: true
        case .detecting(let detection): detection.needsPowerTone
        case .away, .arrived, .resting, .starting, .prompting, .consented, .raised, .checking,
            .failed,
            .listening:
            false
        }
    }

    /// When it ends by itself.
    var deadline: VirtualInstant? {
        switch self {
        case .powering(let until): until
        case .ready(let until): until
        case .detecting(let detection): detection.deadline
        case .away, .arrived, .resting, .starting, .prompting, .consented, .raised, .checking,
            .failed,
            .activated, .listening:
            nil
        }
    }
}

/// How far an autodetection is.
///
/// It tries the IPS, then the Shuttle, each with its library alone; the profile may put an IPS
/// Enterprise first, which has no library here and never answers.
///
/// Source: SDK document, `beginAutodetectAudioJackCardReader`.
enum JackDetection: Hashable, Sendable {
    /// What was told is to be taken back, then started is told.
    case opening
    case enterprise(until: VirtualInstant)
    case ips(until: VirtualInstant)
    /// The volume is set; whether it suffices is seen next.
    case checking
    case uniMag(until: VirtualInstant)
    /// The result is to be told.
    case done(AutodetectResult)

    var deadline: VirtualInstant? {
        switch self {
        case .enterprise(let until), .ips(let until), .uniMag(let until): until
        case .opening, .checking, .done: nil
        }
    }

    var needsPowerTone: Bool {
        switch self {
        case .uniMag, .done(.uniMag): true
        case .opening, .enterprise, .ips, .checking, .done(.ips), .done(.fail): false
        }
    }
}
