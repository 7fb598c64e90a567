public import EventLoops

/// How soon a reader must have settled when the last of something is over.
///
/// Settled is: attached and ready, attached and refused by its activation, or away.
public struct SettlingBound: Hashable, Sendable {
    /// What disturbs a reader or the app.
    public enum Disturbance: UInt8, CaseIterable, Hashable, Sendable {
        /// The host's transport sees the reader.
        case attach
        /// The host's transport loses the reader, by a hand or by a cut.
        case detach
        /// The link delays, splits, merges, drops, damages or repeats what the reader sends.
        case linkFault
        /// The app comes to the foreground.
        case foreground
        /// The app is launched.
        case launch
        /// The controller gets a delegate.
        case delegate

        /// What it is, in the words of a table.
        public var meaning: String {
            switch self {
            case .attach: "the reader is attached"
            case .detach: "the reader is lost, by a hand or by a cut"
            case .linkFault: "the link delays, splits, merges, drops, damages or repeats"
            case .foreground: "the app comes to the foreground"
            case .launch: "the app is launched"
            case .delegate: "the controller gets a delegate"
            }
        }
    }

    /// The reader's kind, as scenarios spell it.
    public let reader: String
    /// What is over.
    public let disturbance: Disturbance
    /// The longest that it may take.
    public let bound: VirtualDuration
    /// Where the bound comes from.
    public let source: String

    /// Every bound, in the order of `Docs/bounds.md`.
    public static let all: [SettlingBound] = readers.flatMap { reader in
        Disturbance.allCases.map { SettlingBound(reader, $0) }
    }

    /// The bounds of a reader, indexed by disturbance; of an unknown kind those of an iDynamo.
    static func bounds(of reader: String) -> [VirtualDuration] {
        byReader.first { $0.reader == reader }?.bounds ?? byReader[0].bounds
    }

    private static let readers = ["idynamo", "dynamag"]
    /// Looked up once: every run asks.
    private static let byReader = readers.map { reader in
        (reader: reader, bounds: all.filter { $0.reader == reader }.map(\.bound))
    }

    private static let opening =
        "assumed: a session is tried four times, 1.5 s apart; SDK document, iDynamo: "
        + "\"almost immediately\""

    private init(_ reader: String, _ disturbance: Disturbance) {
        self.reader = reader
        self.disturbance = disturbance
        switch disturbance {
        case .attach, .foreground, .launch, .delegate:
            if reader == "idynamo" {
                bound = .seconds(6)
                source = Self.opening
            } else {
                bound = .seconds(1)
                source = "assumed: nothing has to be opened"
            }
        case .detach:
            bound = .seconds(1)
            source = "assumed: a system tells of a loss at most 100 ms late"
        case .linkFault:
            bound = .seconds(1)
            source = "assumed: a message that stops is given up after 500 ms at most"
        }
    }
}
