public import EventLoops

/// Where the host of a replay did something else than the recorded one.
public struct ReplayDifference: Hashable, Sendable, CustomStringConvertible {
    /// What differs.
    public enum Kind: Hashable, Sendable {
        /// The host sent a command that the capture does not have; nothing answers it.
        case unknownCommand
        /// The host sent a command again that the capture has less often; it is answered as before.
        case repeatedCommand
        /// The host sent the recorded command with other content.
        case otherContent
        /// The host sent the command before others that the recorded host sent first.
        case earlier
        /// The recorded host sent a command that the host never did.
        case missingCommand
    }

    /// What differs.
    public var kind: Kind
    /// The command, as people call it.
    public var command: String
    /// The packet of the recorded command, from 1; `nil` where the capture has none.
    public var packetNumber: Int?
    /// When the host sent it; `nil` where it did not.
    public var time: VirtualInstant?

    /// One line: what differs, and where.
    public var description: String {
        let place = packetNumber.map { "packet \($0)" } ?? "the capture"
        switch kind {
        case .unknownCommand:
            return "\(command) is not in the capture: nothing answers it"
        case .repeatedCommand:
            return "\(command) comes more often than in the capture: answered as at \(place)"
        case .otherContent: return "\(command) has other content than at \(place)"
        case .earlier: return "\(command) of \(place) comes before what was sent earlier there"
        case .missingCommand: return "\(command) of \(place) was not sent"
        }
    }
}
