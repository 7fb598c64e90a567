public import CaptureFiles
public import EventLoops
public import Transports

/// One reader's bytes with their times and directions, found in a capture.
///
/// Replay, redaction, comparison and scenarios all start from here, whatever the file's format was:
/// ``ConversationCollector`` makes one out of an import, ``RecordedRun`` out of a recording of ours.
public struct Conversation: Hashable, Sendable {
    /// Something that happened between host and reader.
    public struct Event: Hashable, Sendable {
        /// How long after ``Conversation/start`` it was; never earlier than the event before.
        public var offset: VirtualDuration
        /// What happened.
        public var content: TimedEvent.Content
        /// The number of the packet, or of the line in a text log, from 1.
        public var packetNumber: Int
        /// Whether bytes of it, or right after it, are not in the file.
        public var isDamaged: Bool
        /// How many records of the journal in the same file stand before it; `nil` in a file without.
        public var recordCount: Int?

        /// Creates an event.
        public init(
            offset: VirtualDuration,
            _ content: TimedEvent.Content,
            packetNumber: Int,
            isDamaged: Bool = false,
            recordCount: Int? = nil
        ) {
            self.offset = offset
            self.content = content
            self.packetNumber = packetNumber
            self.isDamaged = isDamaged
            self.recordCount = recordCount
        }

        /// The bytes that went, whichever way; empty for what is none.
        public var bytes: ArraySlice<UInt8> {
            switch content {
            case .fromReader(let unit), .toReader(let unit): unit.payload
            case .featureFinished(.got(let bytes)): bytes
            case .attached, .detached, .featureFinished: []
            }
        }

        /// The same event with other bytes.
        public func replacing(_ bytes: ArraySlice<UInt8>) -> Event {
            var event = self
            switch content {
            case .fromReader(let unit):
                event.content = .fromReader(TransportUnit(unit.kind, bytes))
            case .toReader(let unit): event.content = .toReader(TransportUnit(unit.kind, bytes))
            case .featureFinished(.got): event.content = .featureFinished(.got(bytes))
            case .attached, .detached, .featureFinished: break
            }
            return event
        }
    }

    /// What tells it from others in its file; `nil` for one that no file holds.
    public var key: ConversationKey?
    /// The reader's name where the file has one, else empty.
    public var name: String
    /// What is spoken; `nil` when that is not known.
    public var wire: WireProtocol?
    /// When offset 0 was; `nil` in a file without times.
    public var start: CaptureTime?
    /// What happened, in order.
    public var events: [Event]

    /// Creates a conversation.
    public init(
        key: ConversationKey? = nil,
        name: String = "",
        wire: WireProtocol?,
        start: CaptureTime? = nil,
        events: [Event] = []
    ) {
        self.key = key
        self.name = name
        self.wire = wire
        self.start = start
        self.events = events
    }
}

extension Conversation {
    /// Counts offsets from another moment, in nanoseconds since 1970-01-01 UTC; what was before it
    /// happens at once.
    public mutating func shift(toBegin nanoseconds: Int64) {
        guard let own = start?.nanosecondsSinceEpoch else { return }
        let (shift, overflow) = own.subtractingReportingOverflow(nanoseconds)
        guard !overflow, shift != 0 else { return }
        for index in events.indices {
            let (moved, isTooLarge) =
                events[index].offset.nanoseconds.addingReportingOverflow(shift)
            events[index].offset = .nanoseconds(isTooLarge ? .max : max(0, moved))
        }
        start = CaptureTime(nanosecondsSinceEpoch: nanoseconds)
    }
}
