public import CaptureFlows

/// Puts the redacted bytes of conversations back into the units that they came in.
///
/// A redactor works on whole conversations; units come one at a time when a file is written anew.
/// Each unit whose bytes are those of the conversation, in its order, gets the stand-ins of the same
/// place and length.
public struct UnitRedaction: Sendable {
    /// What of one conversation goes where.
    private struct Lane: Sendable {
        var original: [ArraySlice<UInt8>]
        var redacted: [ArraySlice<UInt8>]
        /// The event that the next unit belongs to, and how much of it was taken.
        var event = 0
        var offset = 0

        /// The same bytes redacted, if the conversation has them next.
        mutating func replacement(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
            guard event < original.count, !bytes.isEmpty else { return nil }
            let own = original[event].dropFirst(offset)
            guard own.starts(with: bytes) else { return nil }
            let start = redacted[event].startIndex + offset
            let part = redacted[event][start..<start + bytes.count]
            offset += bytes.count
            if offset == original[event].count {
                event += 1
                offset = 0
            }
            return part
        }
    }

    private var lanes: [ConversationKey: Lane] = [:]

    /// Creates a redaction that changes nothing.
    public init() {}

    /// Adds a conversation.
    ///
    /// - Parameters:
    ///   - original: As it stands in the file.
    ///   - redacted: The same, each event as long as the original's.
    public mutating func add(_ original: Conversation, redacted: Conversation) {
        guard let key = original.key, original.events.count == redacted.events.count else { return }
        let pairs = zip(original.events, redacted.events)
            .filter { !$0.bytes.isEmpty && $0.bytes.count == $1.bytes.count }
        lanes[key] = Lane(original: pairs.map(\.0.bytes), redacted: pairs.map(\.1.bytes))
    }

    /// Returns the unit with stand-ins, or `nil` when it is no part of the conversations.
    public mutating func redact(_ unit: FlowUnit, flows: [Flow]) -> FlowUnit? {
        guard flows.indices.contains(unit.flow) else { return nil }
        let key = ConversationKey(flows[unit.flow].key)
        guard let bytes = lanes[key]?.replacement(of: unit.bytes) else { return nil }
        var unit = unit
        unit.bytes = bytes
        return unit
    }
}
