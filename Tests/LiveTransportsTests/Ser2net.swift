import Kernel
import LiveTransports
import Testing
import Transports

/// The real ser2net in a process of its own, with one serial line behind one port.
final class Ser2net {
    /// How it offers the line.
    enum Accepter: String {
        case rfc2217 = "telnet(rfc2217),tcp"
        case raw = "tcp"
    }

    /// Where it listens, as `HOST:PORT`.
    let address: String
    private let configuration: String
    private var process: ChildProcess

    /// Starts it; the line's device need not be there yet.
    init(_ accepter: Accepter, line: String) throws {
        // A port that was free a moment ago.
        let port = try TCPListener(at: try loopback(port: 0)).address.port
        address = "127.0.0.1:\(port)"
        configuration = line + ".yaml"
        try FileBytes.write(
            Array(
                """
                %YAML 1.1
                ---
                connection: &line
                  accepter: \(accepter.rawValue),127.0.0.1,\(port)
                  connector: serialdev(nouucplock=true),\(line),115200n81,local

                """.utf8
            ),
            to: configuration
        )
        process = try ChildProcess([
            "sh", "-c", "exec ser2net -n -d -c \(configuration) 2> /dev/null",
        ])
        let limit = MonotonicClock.now + 5_000_000_000
        while true {
            let connecting = try TCPConnecting(to: try loopback(port: port))
            let poller = try Poller()
            try poller.add(connecting.descriptor, token: 0, readable: false, writable: true)
            try poller.wait(untilMonotonicNanoseconds: limit) { _ in }
            if (try? connecting.finish()) != nil { return }
            let status = process.poll()
            try #require(status == nil, "ser2net ended; apt-get install ser2net")
            try #require(MonotonicClock.now < limit, "ser2net does not listen")
            try poller.wait(untilMonotonicNanoseconds: MonotonicClock.now + 20_000_000) { _ in }
        }
    }

    deinit { FileBytes.remove(path: configuration) }
}
