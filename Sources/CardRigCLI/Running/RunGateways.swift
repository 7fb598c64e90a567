import Kernel
import Rig
import ScenarioLanguage
import SimulatedGateways

/// Where the gateways outside of this process are, as `--gateway` names them:
/// `nmi=http://HOST:PORT,agentcash=https://HOST:PORT`.
struct RunGateways: Equatable, Sendable {
    static let form =
        "NAME=http://HOST:PORT or NAME=https://HOST:PORT, several with commas between; a NAME is "
        + reachable.map(\.rawValue).joined(separator: " or ")

    /// The gateways that runs reach; ``remoteGateways(environment:)`` has a line for each.
    private static let reachable: [ServedGateway] = [.nmi, .agentcash]

    /// The servers, without a path; empty when every gateway is in this process.
    private var servers: [(gateway: ServedGateway, server: String)] = []

    /// None.
    init() {}

    /// Reads addresses, or returns `nil` for what is none.
    ///
    /// User and password never stand in one.
    init?(parsing text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, let gateway = ServedGateway(rawValue: String(halves[0])),
                Self.reachable.contains(gateway),
                !servers.contains(where: { $0.gateway == gateway }),
                let server = Self.server(halves[1])
            else { return nil }
            servers.append((gateway, server))
        }
    }

    private static func server(_ text: Substring) -> String? {
        let server = text.hasSuffix("/") ? text.dropLast() : text
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { server.hasPrefix($0) }) else { return nil }
        let host = server.dropFirst(scheme.count)
        let isPlain = host.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !"/@?#\\".utf8.contains(byte)
        }
        return !host.isEmpty && isPlain ? String(server) : nil
    }

    var isEmpty: Bool { servers.isEmpty }

    /// As they are typed.
    var description: String {
        servers.map { "\($0.gateway.rawValue)=\($0.server)" }.joined(separator: ",")
    }

    /// Whether the gateway of a scenario is among them.
    func contains(_ kind: GatewayKind) -> Bool {
        servers.contains { $0.gateway.rawValue == kind.rawValue }
    }

    /// Makes the gateways, without asking any of them yet; one that is added gets its
    /// line, and a place in ``reachable``.
    func remoteGateways(environment: (String) -> String?) throws -> RemoteGateways {
        var remotes = RemoteGateways()
        for (gateway, server) in servers {
            switch gateway {
            case .nmi: remotes.nmi = try WebGateway(at: server, environment: environment)
            case .agentcash:
                remotes.agentcash = try WebGateway(at: server, environment: environment)
            case .paymill: break
            }
        }
        return remotes
    }

    static func == (left: Self, right: Self) -> Bool { left.description == right.description }
}
