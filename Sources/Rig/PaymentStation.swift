import CardCrypto
import EventLoops
import SDKCore
import SimulatedReaders
import Transports

/// Where a payment provider finds a payment reader, and what carries its bytes.
public struct PaymentReaderAddress: Hashable, Sendable {
    /// What carries the bytes, so also what the reader is looked for by.
    public enum Carrier: Hashable, Sendable {
        /// Bluetooth, by the reader's name.
        case bluetooth
        /// A network, by address and port.
        case network
        /// A serial line, by its path.
        case serial
    }

    /// What carries the bytes.
    public var carrier: Carrier
    /// The name that a reader outside of this process has on Bluetooth; a simulated one has its own.
    public var bluetoothName: String
    /// The address in the network.
    public var host: String
    /// The port of a reader outside of this process; a simulated one listens as it was set up.
    public var port: Int
    /// The path of the serial line.
    public var path: String

    /// Creates the address of the reader with a number, 0 for the first.
    public init(_ carrier: Carrier = .bluetooth, number: Int = 0) {
        self.carrier = carrier
        bluetoothName = "AgentCASH 470"
        host = "192.168.0.\(90 + number)"
        port = 6_543
        path = "/dev/ttyACM\(number)"
    }
}

/// What a station holds of a payment reader: the reader, and how it is found.
///
/// A class with one owner, the station: so a station of another reader stays as small as it was.
final class PaymentStation {
    /// The simulated reader; none where the reader is outside of this process.
    var reader: SimulatedMiura?
    let address: PaymentReaderAddress
    /// What the reader did since it was looked at.
    var effects: [MiuraReaderEffect] = []
    /// Faults of the link that wait for a command.
    var commandFaults: [CommandFault]
    /// Rows of keys that are still to be pressed, and the next one's number.
    var waitingKeys: [MiuraKey] = []
    var keyPause = VirtualDuration.zero
    /// The pending event at which something happens at it by itself.
    var due: (id: EventLoop<RigEvent>.EventID, instant: VirtualInstant)?

    init(_ reader: RigReader) {
        address = reader.address
        commandFaults = reader.commandFaults
        if case .miura(let configuration) = reader.endpoint {
            self.reader = SimulatedMiura(configuration)
        }
    }

    /// Whether a host that looks for it finds it, if it is within reach.
    var isReachable: Bool {
        guard let reader else { return true }
        return reader.isReachable && (address.carrier != .network || reader.listenPort != nil)
    }

    /// The name by which the provider asks for it.
    var cardReader: CardReader {
        switch address.carrier {
        case .bluetooth:
            .bluetooth(
                .miura,
                name: reader?.configuration.bluetoothName ?? address.bluetoothName
            )
        case .network:
            .network(
                .miura,
                address: reader?.networkAddress ?? address.host,
                port: reader?.listenPort ?? address.port
            )
        case .serial: .serial(.miura, path: address.path)
        }
    }
}

extension ReaderStation {
    /// Lets a host reach the reader, or not any more, as the reader and the distance say.
    mutating func watchReach(at now: VirtualInstant) {
        guard !isLive, recorded == nil, let payment else { return }
        let isThere = isPluggedIn && payment.isReachable
        if isFaulty {
            faulty?.base.setReach(isThere, attachment, at: now)
        } else {
            loopback.setReach(isThere, attachment, at: now)
        }
    }

    /// Ends the link as the reader sees it.
    mutating func dropLink(at now: VirtualInstant) {
        guard recorded == nil else { return }
        if isFaulty {
            faulty?.base.detachReader(.left, at: now)
        } else {
            loopback.detachReader(.left, at: now)
        }
    }

    /// Gives the reader bytes of the host.
    mutating func receive(
        _ bytes: ArraySlice<UInt8>,
        _ cache: CryptoCache,
        _ now: VirtualInstant
    ) {
        guard let effects = payment?.reader?.receive(bytes, cache: cache, at: now) else { return }
        if payment?.effects.isEmpty == true {
            payment?.effects = effects
        } else {
            payment?.effects += effects
        }
    }
}

extension LoopbackTransport {
    fileprivate mutating func setReach(
        _ isThere: Bool,
        _ attachment: Attachment,
        at now: VirtualInstant
    ) {
        if isThere {
            attachReader(attachment, at: now)
        } else {
            detachReader(.left, at: now)
        }
    }
}
