/// What a hand can put into an audio jack.
public enum JackThing: Hashable, Sendable {
    /// Plain headphones, or a loudspeaker: tones are heard by people, and nothing answers.
    case headphones
    /// An ID TECH Shuttle (UniMag), which lives off the power tone.
    case shuttle(SimulatedShuttle)
    /// An IPS encrypted card reader, which has a battery.
    case ips(SimulatedIPS)

    /// What kind of thing it is.
    public var kind: JackPlug {
        switch self {
        case .headphones: .headphones
        case .shuttle: .shuttle
        case .ips: .ips
        }
    }
}

/// What a tone goes into.
public enum JackPlug: Hashable, Sendable, CaseIterable {
    /// The jack is empty, so the host's own loudspeaker sounds.
    case nothing
    /// Headphones.
    case headphones
    /// A Shuttle.
    case shuttle
    /// An IPS.
    case ips
}
