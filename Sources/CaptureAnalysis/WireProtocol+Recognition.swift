import EventLoops
import Transports

extension WireProtocol {
    /// Returns what is spoken in some events, or `nil` when nothing can be recognised in them.
    public static func recognised(in events: [Conversation.Event]) -> WireProtocol? {
        var watch = ProtocolWatch()
        var now = VirtualInstant.zero
        for event in events {
            now = max(now, .zero + event.offset)
            switch event.content {
            case .fromReader(let unit):
                watch.read(unit.payload, isReport: unit.kind != .bytes, at: now)
            case .toReader(let unit): watch.write(unit.payload, isReport: unit.kind != .bytes)
            case .attached, .detached: watch.endSession(at: now)
            case .featureFinished: break
            }
        }
        watch.endSession(at: now)
        return watch.candidates.first?.wire
    }
}
