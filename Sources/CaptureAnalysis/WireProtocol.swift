/// A language that payment readers speak, as it can be recognised in a capture.
public enum WireProtocol: UInt8, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// MagTek MagneSafe in HID reports: the Dynamag.
    case magneSafeReports
    /// MagTek MagneSafe as a stream of text: the iDynamo.
    case magneSafeStream
    /// ID TECH's packets, on USB, a serial line or the audio jack: Shuttle, SecureMag.
    case idTech
    /// Miura MPI: frames of node, control, length and LRC.
    case miura

    /// What people call it.
    public var description: String {
        switch self {
        case .magneSafeReports: "MagneSafe reports"
        case .magneSafeStream: "MagneSafe text"
        case .idTech: "ID TECH"
        case .miura: "Miura MPI"
        }
    }

    /// The word for it in JSON and on the command line.
    public var word: String {
        switch self {
        case .magneSafeReports: "magnesafe-reports"
        case .magneSafeStream: "magnesafe-stream"
        case .idTech: "idtech"
        case .miura: "miura"
        }
    }

    /// Returns the protocol of that word, or `nil`.
    public static func named(_ word: String) -> WireProtocol? {
        allCases.first { $0.word == word }
    }
}

/// What of one protocol was found in a conversation.
public struct ProtocolEvidence: Hashable, Sendable {
    /// Which protocol.
    public let wire: WireProtocol
    /// Whole messages with right checks, both ways.
    public internal(set) var messageCount = 0
    /// The bytes of them.
    public internal(set) var byteCount = 0
    /// Places at which what had begun as a message was cut or changed.
    public internal(set) var damageCount = 0
    /// Swipes, read well or not.
    public internal(set) var swipeCount = 0
    /// Those of them that the reader itself could not read.
    public internal(set) var unreadableSwipeCount = 0
    /// Payments that the host began.
    public internal(set) var transactionCount = 0
    /// The host's commands.
    public internal(set) var commandCount = 0

    init(_ wire: WireProtocol) { self.wire = wire }
}
