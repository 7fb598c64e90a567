import CardData
import ReaderProtocols
import Transports

/// One thing that a host asks of a reader.
struct HostCommand: Hashable, Sendable {
    /// What makes it the same command, whatever it carries.
    var key: [UInt8]
    /// All of it.
    var bytes: [UInt8]
    /// What people call it; none of its data.
    var title: String
}

/// Finds the commands in what a host sends, in whatever pieces it does.
struct HostCommandReader: Sendable {
    private let wire: WireProtocol?
    private var decoder = MiuraDecoder(.toReader, policy: .resync)

    init(_ wire: WireProtocol?) { self.wire = wire }

    /// Returns the commands that are whole with this unit.
    mutating func read(_ unit: TransportUnit) -> [HostCommand] {
        guard wire == .miura else { return [Self.command(unit)] }
        decoder.append(unit.payload)
        var commands: [HostCommand] = []
        while let reading = decoder.next() {
            guard case .message(let message) = reading else { continue }
            commands.append(Self.command(message))
        }
        return commands
    }

    /// Forgets what is not whole, as when the link is made anew.
    mutating func reset() { decoder.reset() }

    private static func command(_ message: MiuraMessage) -> HostCommand {
        let head = Array(message.payload.prefix(4))
        var title = "a command of \(message.payload.count) bytes"
        if let apdu = try? MiuraAPDU(message.payload) {
            title =
                MiuraCommandName(rawValue: apdu.code)?.title
                ?? "command " + Hexadecimal.encode(message.payload.prefix(2))
        }
        return HostCommand(
            key: [message.node.rawValue] + head,
            bytes: message.payload,
            title: title
        )
    }

    private static func command(_ unit: TransportUnit) -> HostCommand {
        let payload = Array(unit.payload)
        let first = payload.first.map { Hexadecimal.encode([$0]) } ?? ""
        switch unit.kind {
        case .bytes:
            return HostCommand(key: [0] + payload, bytes: payload, title: "bytes")
        case .report(let id):
            return HostCommand(key: [1, id] + payload.prefix(1), bytes: payload, title: "a report")
        case .featureSet(let id):
            return HostCommand(
                key: [2, id] + payload.prefix(1),
                bytes: payload,
                title: "SET_REPORT of command \(first)"
            )
        case .featureGet(let id, _):
            return HostCommand(key: [3, id], bytes: payload, title: "GET_REPORT")
        case .lineState(let isReady, let isSending):
            return HostCommand(
                key: [4, isReady ? 1 : 0, isSending ? 1 : 0],
                bytes: [],
                title: "line signals"
            )
        }
    }
}
