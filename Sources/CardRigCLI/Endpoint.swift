import Kernel
import LiveTransports
import Rig
import ScenarioLanguage
import Transports

/// The reader at the other end, as `--reader` names it.
enum Endpoint: Equatable, Sendable {
    /// Simulated readers; a kind stands in for every reader of the scenario.
    case simulated(ReaderKind?)
    /// A reader on USB.
    case usb(USBSelector)
    /// A reader on a serial line or a pty.
    case serial(SerialSelector)
    /// A reader on the network.
    case tcp(TCPSelector)
    /// A reader on a serial line of another machine.
    case rfc2217(RFC2217Selector)
    /// A reader on USB behind a USB/IP server.
    case usbip(USBIPSelector)

    static let forms =
        "sim:, sim:idynamo, sim:dynamag, usb:VID:PID[:SERIAL], usb:BUS-PORT, "
        + "usbip:HOST:PORT[/BUSID], serial:PATH[?baud=N], tcp:HOST:PORT or "
        + "rfc2217:HOST:PORT[?baud=N]"

    /// Reads an endpoint.
    ///
    /// - Throws: ``UsageError`` that says what would be right.
    init(parsing text: String) throws(UsageError) {
        if text.hasPrefix("sim:") {
            let name = String(text.dropFirst(4))
            let kind = ReaderKind(rawValue: name)
            guard name.isEmpty || kind?.isAudioJack == false else {
                let names = ReaderKind.allCases.filter { !$0.isAudioJack }.map(\.rawValue)
                let hint = nearest(to: name, among: names).map { "; did you mean 'sim:\($0)'?" }
                throw .wrong("--reader \(text): there is no reader '\(name)'" + (hint ?? ""))
            }
            self = .simulated(kind)
        } else if text.hasPrefix("usb:") {
            do throws(USBSelectorError) {
                self = .usb(try USBSelector(parsing: text))
            } catch {
                throw .wrong("--reader \(error)")
            }
        } else if text.hasPrefix("serial:") {
            do throws(StreamSelectorError) {
                self = .serial(try SerialSelector(parsing: text))
            } catch {
                throw .wrong("--reader \(error)")
            }
        } else if text.hasPrefix("rfc2217:") {
            do throws(StreamSelectorError) {
                self = .rfc2217(try RFC2217Selector(parsing: text))
            } catch {
                throw .wrong("--reader \(error)")
            }
        } else if text.hasPrefix("usbip:") {
            do throws(StreamSelectorError) {
                self = .usbip(try USBIPSelector(parsing: text))
            } catch {
                throw .wrong("--reader \(error)")
            }
        } else if text.hasPrefix("tcp:") {
            do throws(StreamSelectorError) {
                self = .tcp(try TCPSelector(parsing: text))
            } catch {
                throw .wrong("--reader \(error)")
            }
        } else {
            throw .wrong("--reader \(text): expected \(Self.forms)")
        }
    }

    /// The level that a scenario must have to run here.
    var level: Level {
        switch self {
        case .simulated: .sim
        case .usb, .usbip: .usb
        case .serial: .serial
        case .tcp: .tcp
        case .rfc2217: .rfc2217
        }
    }

    /// Whether a reader outside of this process is there, and time is real.
    var isLive: Bool { level != .sim }

    /// What comes from a reader outside of this process.
    var livePath: ReaderEndpoint.LivePath {
        switch self {
        case .simulated, .usb, .usbip: .reports
        case .serial, .tcp, .rfc2217: .accessoryStream
        }
    }

    /// Where a payment provider finds a payment reader that is outside of this process.
    var paymentReaderAddress: PaymentReaderAddress {
        var address = PaymentReaderAddress()
        switch self {
        case .simulated, .usb, .usbip: break
        case .serial(let selector):
            address = PaymentReaderAddress(.serial)
            address.path = selector.path
        case .rfc2217(let selector):
            address = PaymentReaderAddress(.serial)
            address.path = selector.description
        case .tcp(let selector):
            address = PaymentReaderAddress(.network)
            address.host = selector.host
            address.port = Int(selector.port)
        }
        return address
    }

    /// Makes the transport to a reader outside of this process; `nil` when it is simulated.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    func makeTransport() throws(KernelError) -> (any LiveTransport)? {
        switch self {
        case .simulated: nil
        case .usb(let selector): try USBTransport(selector)
        case .serial(let selector): try SerialTransport(selector)
        case .tcp(let selector): try TCPTransport(selector)
        case .rfc2217(let selector): try RFC2217Transport(selector)
        case .usbip(let selector): try USBIPTransport(selector)
        }
    }

    /// Returns why a scenario cannot be played here; empty when it can.
    func refusals(of scenario: Scenario) -> [Refusal] {
        guard scenario.levels.contains(level) else {
            return scenario.refusals.filter { $0.level == level }
        }
        // A reader that stands in for another has its units and its link.
        guard case .simulated(let kind?) = self else { return [] }
        return [scenario.refusal(playedAs: kind)].compactMap(\.self)
    }

    /// The endpoint as it is written on the command line.
    var description: String {
        switch self {
        case .simulated(let kind): "sim:" + (kind?.rawValue ?? "")
        case .usb(let selector): selector.description
        case .serial(let selector): selector.description
        case .tcp(let selector): selector.description
        case .rfc2217(let selector): selector.description
        case .usbip(let selector): selector.description
        }
    }
}
