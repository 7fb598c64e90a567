import EventLoops
import SimulatedReaders
import Transports

/// The simulated readers that `serve` knows, by the name they are asked for with.
enum ServedReaderKind: String, CaseIterable {
    case idynamo
    case dynamag
    case securemag
    case miura

    static let names = allCases.map(\.rawValue)

    /// Whether it is reached as a stream of bytes.
    var isStream: Bool { self != .dynamag && self != .securemag }
    /// Whether it is a USB device.
    var isUSBDevice: Bool { self != .idynamo }
    /// Where it can be served, for people.
    var placeOptions: String {
        let stream = isStream ? ["--tcp HOST:PORT", "--pty"] : []
        return (stream + (isUSBDevice ? ["--usbip HOST:PORT"] : [])).joined(separator: " or ")
    }

    /// Makes one as it was delivered.
    func make() -> any ServedReader {
        switch self {
        case .idynamo: ServedIDynamo()
        case .dynamag: ServedDynamag()
        case .securemag: ServedSecureMag()
        case .miura: ServedMiura()
        }
    }
}

/// Something simulated that `--describe` tells of.
protocol DescribedServing {
    /// What it does, and how that is known.
    var behaviours: [ReaderBehaviour] { get }
    /// What can be set by name.
    var options: [ServedOption] { get }
    /// What hands can do at it, for people.
    var handForms: String { get }
}

/// A simulated reader behind a stream of bytes, whatever its kind.
///
/// It does no I/O and reads no clock: whoever serves it passes bytes, acts of the hand and the time,
/// and sends what comes back.
protocol ServedReader: DescribedServing {
    /// When it wants to be told that time has passed.
    var nextDeadline: VirtualInstant? { get }

    /// Sets an option before the reader gets power; `false` when the text is none of its values.
    mutating func set(_ option: String, to text: String) -> Bool
    /// Gives it power.
    mutating func powerUp(at now: VirtualInstant) -> ServedReaction
    /// Takes bytes from a program.
    mutating func receive(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) -> ServedReaction
    /// Does what a hand does.
    mutating func act(
        _ command: HandCommand,
        at now: VirtualInstant
    ) throws(HandRefusal) -> ServedReaction
    /// Lets time pass.
    mutating func timePassed(at now: VirtualInstant) -> ServedReaction
    /// Whether it has a battery, so that hands can act at it while it is out of reach.
    var hasOwnPower: Bool { get }
    /// Whether programs can reach it while it is plugged in.
    var isReachable: Bool { get }
    /// Is told the port that it is reached at, before it gets power.
    mutating func setListenPort(_ port: UInt16)
    /// A program is there.
    mutating func clientCame(at now: VirtualInstant) -> ServedReaction
    /// The program is gone: what it had begun is forgotten.
    mutating func clientLeft(at now: VirtualInstant)
}

/// An option of a served reader, with the value that holds.
struct ServedOption: Equatable {
    var name: String
    var form: String
    var value: String
}

/// What a served reader does about something.
struct ServedReaction {
    /// What it sends, in order.
    var transmissions: [ReaderTransmission] = []
    /// How the host's oldest feature requests end; on USB only.
    var featureResults: [FeatureResult] = []
    /// How many messages of the program it understood.
    var understoodCount = 0
    /// Whether it leaves and comes back, once all was sent.
    var restarts = false
    /// Whether it ends the link, once all was sent.
    var dropsLink = false
    /// Whether it can be reached again.
    var isReachableAgain = false
}

/// Why a hand cannot act, in words that are sent back.
struct HandRefusal: Error, Equatable, CustomStringConvertible {
    var reason: String

    /// The reason, which is all that people are shown.
    var description: String { reason }
}

extension ServedReader {
    var hasOwnPower: Bool { false }
    var isReachable: Bool { true }
    mutating func setListenPort(_ port: UInt16) {}
    mutating func clientCame(at now: VirtualInstant) -> ServedReaction { ServedReaction() }
}
