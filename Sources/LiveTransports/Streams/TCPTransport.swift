public import EventLoops
public import Kernel
public import Transports

/// A reader on the network: the host connects to it, and one unit is a piece of the stream.
///
/// It is looked for every 100 ms until it answers, and again after each detach, until
/// ``close(at:)``. One attempt may take five seconds, looking up its name included, which happens on
/// a thread of its own and never keeps the loop waiting. Nagle's algorithm is off, and each unit
/// that is sent is one write. A connection whose other end vanished without a word is noticed after
/// about eleven seconds (assumed to be long enough for a reader that roams).
///
/// | from the reader | told as |
/// | --- | --- |
/// | it accepts the connection | `attached` |
/// | it sends no more, though it may still listen (half-close), or closes | `detached(left)` after what came before |
/// | it resets the connection, or vanishes | `detached(cut)` |
/// | it never reads | `detached(overflow)`, once 1,024 units or 1 MiB wait beyond what the kernel keeps |
/// | its host does not exist | `unusable`, with the remedy |
///
/// Units other than `bytes` are dropped.
///
/// - Note: Not `Sendable`: the loop's thread owns it.
public final class TCPTransport: LiveTransport {
    private let link: StreamLink
    private let opener: TCPOpener

    /// Prepares to look for the reader; nothing is touched before ``open(at:)``.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    public init(_ selector: TCPSelector) throws(KernelError) {
        opener = TCPOpener(selector)
        link = try StreamLink(opener)
    }

    /// Bounds what the kernel keeps for the connection, for tests of the queue's bound.
    package func setBufferSizes(_ byteCount: Int) { opener.bufferByteCount = byteCount }

    /// Readable while there is something to ask ``nextEvent(at:)`` for.
    public var wakeDescriptor: Int32 { link.wakeDescriptor }

    /// Says why the last attempt failed, and what helps.
    public var absence: String { opener.absence }

    /// Always `nil`: the kernel wakes the loop.
    public var nextDue: TimeWindow? { nil }

    /// Begins to connect; the instant is of no interest here.
    public func open(at now: VirtualInstant) { link.start() }

    /// Allows so many more units to be delivered.
    public func grant(credits: Int) { link.grant(credits) }

    /// Sends a unit of the kind `bytes`.
    public func send(_ unit: TransportUnit, at now: VirtualInstant) {
        switch unit.kind {
        case .bytes: link.send(unit.payload)
        case .report, .featureSet, .featureGet, .lineState: break
        }
    }

    /// Closes the connection.
    public func close(at now: VirtualInstant) { link.stop() }

    /// Returns what the connection brought, or `nil`.
    public func nextEvent(at now: VirtualInstant) -> TransportEvent? { link.nextEvent() }
}

/// Connects to the addresses of a host, one after the other.
final class TCPOpener: StreamOpener {
    private enum Stage: ~Copyable {
        case idle
        case lookingUp(AddressLookUp)
        case connecting(TCPConnecting)
    }

    private let selector: TCPSelector
    private var stage = Stage.idle
    private var addresses: ArraySlice<SocketAddress> = []
    private var failure: KernelError?
    private var isLate = false
    var bufferByteCount: Int?

    init(_ selector: TCPSelector) { self.selector = selector }

    func begin() -> StreamOpening {
        do throws(KernelError) {
            stage = .lookingUp(try AddressLookUp(host: selector.host, port: selector.port))
        } catch {
            return .unusable(TransportProblem(.failed, error.description))
        }
        return proceed()
    }

    func proceed() -> StreamOpening {
        switch take() {
        case .idle: return .absent
        case .lookingUp(let lookUp):
            switch lookUp.poll() {
            case nil:
                let descriptor = lookUp.descriptor
                stage = .lookingUp(lookUp)
                return .waiting(descriptor: descriptor, writable: false)
            case .success(let found)?:
                addresses = found[...]
                return connect()
            case .failure(let error)?:
                note(error)
                guard error.code == .missing else { return .absent }
                return .unusable(TransportProblem(.failed, absence))
            }
        case .connecting(let connecting):
            do throws(KernelError) {
                return .open(OpenStream(try connecting.finish()))
            } catch {
                note(error)
                return connect()
            }
        }
    }

    func abandon(isLate: Bool) {
        _ = take()
        self.isLate = isLate
        if isLate { failure = nil }
    }

    private func take() -> Stage {
        var taken = Stage.idle
        swap(&taken, &stage)
        return taken
    }

    private func connect() -> StreamOpening {
        while let address = addresses.popFirst() {
            do throws(KernelError) {
                let connecting = try TCPConnecting(to: address)
                if let bufferByteCount { connecting.setBufferSizes(bufferByteCount) }
                let descriptor = connecting.descriptor
                stage = .connecting(connecting)
                return .waiting(descriptor: descriptor, writable: true)
            } catch {
                note(error)
            }
        }
        return .absent
    }

    private func note(_ error: KernelError) {
        failure = error
        isLate = false
    }

    var absence: String {
        let address = selector.address
        if isLate {
            return "\(address) did not answer within 5 s; see that the reader is on and in the "
                + "same network as this machine, and that no firewall is between them"
        }
        switch failure?.code {
        case nil:
            return "\(address) was not reached yet"
        case .refused:
            return "nothing listens at \(address) (connection refused); switch the reader on, see "
                + "that the address is the reader's and the port the one it listens on, and that "
                + "no other host is connected to it"
        case .unreachable:
            return "no way leads to \(address); see that this machine and the reader are in the "
                + "same network, and that the reader's Wi-Fi is on"
        case .missing:
            return "there is no host '\(selector.host)'; write the reader's address in digits, as "
                + "in tcp:192.168.1.20:\(selector.port), or a name that the network knows"
        case .timedOut:
            return "no name server answered for '\(selector.host)'; write the reader's address in "
                + "digits, as in tcp:192.168.1.20:\(selector.port)"
        default:
            let reason = failure?.description ?? ""
            return "\(address) was not reached: \(reason); see that the reader is on and in the "
                + "same network"
        }
    }
}
