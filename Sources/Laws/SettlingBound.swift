public import EventLoops

/// How soon a reader must have settled when the last of something is over.
///
/// Settled is: attached and ready, attached and refused by its activation, or away. A payment
/// reader has settled when the payment at it is over, or waits for a person or for the service.
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
        /// The power tone of a Shuttle begins.
        case powerUp
        /// An autodetection begins.
        case autodetect

        /// What it is, in the words of a table.
        public var meaning: String {
            switch self {
            case .attach: "the reader is attached"
            case .detach: "the reader is lost, by a hand or by a cut"
            case .linkFault: "the link delays, splits, merges, drops, damages or repeats"
            case .foreground: "the app comes to the foreground"
            case .launch: "the app is launched"
            case .delegate: "the controller gets a delegate"
            case .powerUp: "the power tone begins"
            case .autodetect: "an autodetection begins"
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

    /// Every bound, in the order of `Docs/bounds.md`, with the SDK's usual time limits.
    public static let all: [SettlingBound] = readers.flatMap { reader in
        disturbances(of: reader).map { SettlingBound(reader, $0, AudioSettings()) }
    }

    private static func disturbances(of reader: String) -> [Disturbance] {
        Disturbance.allCases.filter { disturbance in
            switch disturbance {
            case .attach, .detach, .linkFault: true
            case .foreground, .launch, .delegate: reader != paymentReader
            case .powerUp: reader == "shuttle"
            case .autodetect: reader == "shuttle" || reader == "ips"
            }
        }
    }

    /// The bounds of a reader, indexed by disturbance; of an unknown kind those of an iDynamo.
    static func bounds(of reader: String, _ audio: AudioSettings) -> [VirtualDuration] {
        let isAudio = reader == "shuttle" || reader == "ips"
        if isAudio {
            return Disturbance.allCases.map { SettlingBound(reader, $0, audio).bound }
        }
        return byReader.first { $0.reader == reader }?.bounds ?? byReader[0].bounds
    }

    private static let readers = [
        "idynamo", "dynamag", "securemag", "shuttle", "ips", paymentReader,
    ]
    /// The payment reader, whose link the app makes for each payment.
    static let paymentReader = "miura"
    /// What disturbs a payment at its reader.
    static let ofPayments: [Disturbance] = [.attach, .detach, .linkFault]
    /// Looked up once: every run asks.
    private static let byReader = readers.map { reader in
        (
            reader: reader,
            bounds: Disturbance.allCases.map { SettlingBound(reader, $0, AudioSettings()).bound }
        )
    }

    private static let opening =
        "assumed: a session is tried four times, 1.5 s apart; SDK document, iDynamo: "
        + "\"almost immediately\""

    private static let powerUp =
        "assumed: a Shuttle that does not answer is given up after 10 s, or what the scenario says"
    private static let detection =
        "SDK document: an IPS is given up after 5 s; assumed: a Shuttle after 10 s, an IPS "
        + "Enterprise, where it is tried, after 5 s"

    private init(_ reader: String, _ disturbance: Disturbance, _ audio: AudioSettings) {
        self.reader = reader
        self.disturbance = disturbance
        if reader == Self.paymentReader {
            (bound, source) = Self.ofPayment(disturbance)
            return
        }
        let isShuttle = reader == "shuttle"
        let isIPS = reader == "ips"
        switch disturbance {
        case .attach, .foreground, .launch, .delegate:
            if reader == "idynamo" {
                bound = .seconds(6)
                source = Self.opening
            } else if isShuttle {
                bound = audio.activationTimeout + .seconds(1)
                source = Self.powerUp
            } else {
                bound = .seconds(1)
                source =
                    isIPS
                    ? "SDK document, IPS: connected, activated and ready \"immediately\""
                    : "assumed: nothing has to be opened"
            }
        case .detach:
            bound = .seconds(1)
            source =
                isShuttle || isIPS
                ? "assumed: a jack tells at once"
                : "assumed: a system tells of a loss at most 100 ms late"
        case .linkFault:
            bound = isShuttle ? audio.activationTimeout + .seconds(1) : .seconds(1)
            source =
                isShuttle
                ? Self.powerUp : "assumed: a message that stops is given up after 500 ms at most"
        case .powerUp:
            bound = audio.activationTimeout + .seconds(1)
            source = Self.powerUp
        case .autodetect:
            bound = audio.activationTimeout + audio.testTimeout + audio.testTimeout + .seconds(1)
            source = Self.detection
        }
    }

    private static func ofPayment(
        _ disturbance: Disturbance
    ) -> (bound: VirtualDuration, source: String) {
        switch disturbance {
        case .detach:
            (
                .seconds(1),
                "assumed: a system tells of a lost link at once; the payment ends, or "
                    + "goes by the issuer's answer"
            )
        case .linkFault:
            (
                .seconds(136),
                "assumed: a reader with a card that says nothing is stopped after 120 s, which may "
                    + "take the 10 s of an answer and the 5 s of a restart"
            )
        case .attach, .foreground, .launch, .delegate, .powerUp, .autodetect:
            (
                .seconds(30),
                "assumed: a reader that was found is set up or given up within the time that "
                    + "finding it may take"
            )
        }
    }
}
