public import EventLoops
public import Kernel
public import Transports

/// A reader on a serial line: USB CDC-ACM (`/dev/ttyACM0`), a bound Bluetooth port
/// (`/dev/rfcomm0`), or a pty; one unit is a piece of the stream.
///
/// The line is opened raw and exclusively, at the speed of its selector, without flow control, and
/// without modem control, so that a line whose far side drives no DCD works too. It is looked for
/// every 100 ms while its device does not exist, and again after each detach, until ``close(at:)``.
/// What had come before it was opened is dropped.
///
/// | from the system | told as |
/// | --- | --- |
/// | the device is there and could be opened | `attached` |
/// | it hangs up: it was unplugged, or a pty's other side was closed | `detached(left)` after what came before |
/// | reading it fails in another way | `detached(cut)` |
/// | it never takes what is sent | `detached(overflow)`, once 1,024 units or 1 MiB wait |
/// | another program has it, even if that shares it, or this user may not open it, for 3 s | `unusable`, with the remedy |
/// | the path is no serial line | `unusable` at once |
///
/// A line that is ready to be read and gives nothing is one that hung up, and never an empty read.
/// `lineState` sets DTR and RTS where the line has them; a pty has not and ignores it. Reports and
/// feature requests are dropped.
///
/// - Note: Not `Sendable`: the loop's thread owns it.
public final class SerialTransport: LiveTransport {
    private let link: StreamLink
    private let opener: SerialOpener

    /// Prepares to look for the reader; nothing is touched before ``open(at:)``.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    public init(_ selector: SerialSelector) throws(KernelError) {
        opener = SerialOpener(selector)
        link = try StreamLink(opener)
    }

    /// Readable while there is something to ask ``nextEvent(at:)`` for.
    public var wakeDescriptor: Int32 { link.wakeDescriptor }

    /// Names the device that is missing, and how to find the right one.
    public var absence: String { opener.absence }

    /// Always `nil`: the kernel wakes the loop.
    public var nextDue: TimeWindow? { nil }

    /// Opens the line, or waits for its device; the instant is of no interest here.
    public func open(at now: VirtualInstant) { link.start() }

    /// Allows so many more units to be delivered.
    public func grant(credits: Int) { link.grant(credits) }

    /// Sends a unit of the kind `bytes`, or sets the lines.
    public func send(_ unit: TransportUnit, at now: VirtualInstant) {
        switch unit.kind {
        case .bytes: link.send(unit.payload)
        case .lineState(let dataTerminalReady, let requestToSend):
            // A line that is gone tells so when it is read.
            try? link.told?.stream.setLines(
                dataTerminalReady: dataTerminalReady,
                requestToSend: requestToSend
            )
        case .report, .featureSet, .featureGet: break
        }
    }

    /// Closes the line; others can open it then.
    public func close(at now: VirtualInstant) { link.stop() }

    /// Returns what the line brought, or `nil`.
    public func nextEvent(at now: VirtualInstant) -> TransportEvent? { link.nextEvent() }
}

/// Opens a serial line; there is nothing to wait for in between.
final class SerialOpener: StreamOpener {
    private let selector: SerialSelector
    /// Who has the line, as the first attempt that found it busy saw it; to look is not cheap, and
    /// attempts are many.
    private var holder: String?

    init(_ selector: SerialSelector) { self.selector = selector }

    func begin() -> StreamOpening {
        do throws(KernelError) {
            let stream = try ByteStream.serialLine(path: selector.path, baud: selector.baud)
            // One that came first and did not ask for the line alone would steal bytes from us.
            if let path = Paths.resolved(selector.path), path.hasPrefix("/dev/") {
                let openers = SystemTree.machine.openers(of: path)
                guard openers.isEmpty else {
                    return .busy(taken(openers.map(\.description).joined(separator: ", ")))
                }
            }
            holder = nil
            return .open(OpenStream(stream))
        } catch {
            return opening(for: error)
        }
    }

    func proceed() -> StreamOpening { begin() }

    func abandon(isLate: Bool) {}

    /// Who has the line open, in words.
    private static func holder(of path: String) -> String {
        let node = Paths.resolved(path) ?? path
        guard node.hasPrefix("/dev/") else { return "another program" }
        let holders = SystemTree.machine.holders(of: String(node.dropFirst("/dev/".count)))
        return holders.isEmpty
            ? "another program" : holders.map(\.description).joined(separator: ", ")
    }

    private func opening(for error: KernelError) -> StreamOpening {
        let path = selector.path
        switch error.code {
        case .missing: return .absent
        case .busy:
            let who = holder ?? Self.holder(of: path)
            holder = who
            return .busy(taken(who))
        case .accessDenied:
            return .busy(
                TransportProblem(
                    .accessDenied,
                    "this user may not open \(path); add it to the device's group with "
                        + "`sudo usermod -aG dialout $USER` (`ls -l \(path)` shows the group), "
                        + "then log in again"
                )
            )
        case .notSerial, .isDirectory:
            return .unusable(
                TransportProblem(
                    .unsupported,
                    "\(path) is no serial line; `ls /dev/serial/by-id /dev/ttyACM* /dev/rfcomm*` "
                        + "shows those that are there"
                )
            )
        default:
            return .busy(TransportProblem(.failed, error.description))
        }
    }

    private func taken(_ who: String) -> TransportProblem {
        TransportProblem(
            .busy,
            "\(who) has \(selector.path) open (ModemManager probes new serial lines); end that one"
        )
    }

    var absence: String {
        "there is no serial line \(selector.path); `ls /dev/serial/by-id /dev/ttyACM* "
            + "/dev/rfcomm*` shows those that are there: plug the reader in or switch it on, bind "
            + "its Bluetooth port, or give --reader the path that it has"
    }
}
