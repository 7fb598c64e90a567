import CaptureFiles
public import CaptureFlows
import EventLoops
import Transports

/// Makes a ``Conversation`` out of the items of an import.
///
/// It is told each item once, in order, and keeps the one conversation that is wanted, up to
/// ``byteCountLimit``.
public struct ConversationCollector: Sendable {
    /// The most bytes that are kept; what follows is left out and ``isCutShort`` says so.
    public static let byteCountLimit = 64 << 20
    /// The most events that are kept.
    public static let eventLimit = 1 << 20

    /// Whether the conversation was longer than what is kept.
    public private(set) var isCutShort = false
    private var conversation: Conversation
    private let wanted: ConversationKey
    private let isSwapped: Bool
    private var byteCount = 0
    private var recordCount = 0
    private var isAttached = false
    /// Whether remarks in the file say when the reader came and went.
    private var hasRemarks = false
    private var longestReport = 0
    /// The events that stand for an attach of which the packet size is not known.
    private var guessedAttachments: [Int] = []
    private var isContinued = false

    /// Creates a collector.
    ///
    /// - Parameters:
    ///   - surveyed: The conversation that is wanted, as the survey of the same file has it.
    ///   - wire: What is spoken; `nil` takes what the survey found.
    public init(_ surveyed: SurveyedConversation, as wire: WireProtocol? = nil) {
        wanted = surveyed.key
        isSwapped = surveyed.isSwapped
        conversation = Conversation(
            key: surveyed.key,
            name: surveyed.interfaceName,
            wire: wire ?? surveyed.spoken?.wire ?? surveyed.candidates.first?.wire,
            start: surveyed.firstTime
        )
    }

    /// Takes the next item of the import.
    public mutating func note(_ item: CaptureItem, flows: [Flow]) {
        switch item {
        case .notice: break
        case .comment(let comment): note(comment)
        case .unit(let unit):
            guard flows.indices.contains(unit.flow) else { return }
            let key = flows[unit.flow].key
            if case .journal = key {
                recordCount += 1
                return
            }
            if ConversationKey(key) == wanted { note(unit, key) }
        }
    }

    /// Returns the conversation; no more items may follow.
    public consuming func finish() -> Conversation {
        let isReports = conversation.wire == .magneSafeReports || longestReport > 0
        for index in guessedAttachments where isReports {
            // Longer transfers than USB's largest packet are whole reports.
            let packet = longestReport <= 64 ? longestReport : 0
            conversation.events[index].content = .attached(
                Attachment(maximumPacketByteCount: packet)
            )
        }
        if recordCount == 0 {
            for index in conversation.events.indices {
                conversation.events[index].recordCount = nil
            }
        }
        return conversation
    }

    private mutating func note(_ comment: CaptureComment) {
        guard let number = comment.packetNumber, comment.interfaceName == conversation.name,
            let remark = AttachmentRemark(comment.text)
        else { return }
        hasRemarks = true
        switch remark {
        case .attached(let attachment):
            isAttached = true
            append(.attached(attachment), number, comment.time)
        case .detached(let reason):
            isAttached = false
            append(.detached(reason), number, comment.time)
        }
    }

    private mutating func note(_ unit: FlowUnit, _ key: FlowKey) {
        switch unit.kind {
        case .data:
            guard !unit.bytes.isEmpty else { break }
            attach(before: unit)
            let isReport = key.isReport
            let bytes = Array(unit.bytes)[...]
            if isReport, isFromReader(unit) { longestReport = max(longestReport, bytes.count) }
            let whole = TransportUnit(isReport ? .report(id: 0) : .bytes, bytes)
            if isContinued, join(bytes) {
                isContinued = unit.isContinued
                break
            }
            append(
                isFromReader(unit) ? .fromReader(whole) : .toReader(whole),
                unit.packetNumber,
                unit.time,
                isDamaged: unit.isCut
            )
            isContinued = unit.isContinued
        case .control(let setup): note(setup, unit)
        case .opened:
            guard !hasRemarks, !isAttached else { break }
            attach(before: unit)
        case .closed(let ending):
            guard !hasRemarks, isAttached else { break }
            isAttached = false
            append(.detached(ending == .aborted ? .cut : .left), unit.packetNumber, unit.time)
        case .missing:
            guard !conversation.events.isEmpty else { break }
            conversation.events[conversation.events.count - 1].isDamaged = true
        case .failed(let status):
            guard case .usb = key, status == .shutDown || status == .protocolError, isAttached,
                !hasRemarks
            else { break }
            isAttached = false
            append(.detached(.left), unit.packetNumber, unit.time)
        case .line(let change):
            note(change, unit)
        }
    }

    /// SET_REPORT and GET_REPORT of feature reports; other requests are the system's own.
    ///
    /// Source: HID 1.11, sections 7.2.1 and 7.2.2.
    private mutating func note(_ setup: USBSetupPacket, _ unit: FlowUnit) {
        guard setup.value >> 8 == 3 else { return }
        let id = UInt8(truncatingIfNeeded: setup.value)
        let bytes = Array(unit.bytes)[...]
        switch (setup.requestType, setup.request) {
        case (0x21, 0x09):
            attach(before: unit)
            append(
                .toReader(TransportUnit(.featureSet(id: id), bytes)),
                unit.packetNumber,
                unit.time
            )
            append(.featureFinished(.set), unit.packetNumber, unit.time)
        case (0xA1, 0x01):
            attach(before: unit)
            let get = TransportUnit.Kind.featureGet(id: id, byteCount: Int(setup.byteCount))
            append(.toReader(TransportUnit(get, [])), unit.packetNumber, unit.time)
            append(
                .featureFinished(.got(bytes)),
                unit.packetNumber,
                unit.time,
                isDamaged: unit.isCut
            )
        default: break
        }
    }

    private mutating func note(_ change: FlowUnit.LineChange, _ unit: FlowUnit) {
        switch change {
        case .dataTerminalReady, .requestToSend, .rate, .format, .modemStatus, .breakSignal: break
        }
    }

    /// A capture may begin when the reader was there already.
    private mutating func attach(before unit: FlowUnit) {
        guard !isAttached, !hasRemarks else { return }
        isAttached = true
        guessedAttachments.append(conversation.events.count)
        append(.attached(Attachment()), unit.packetNumber, unit.time)
    }

    private func isFromReader(_ unit: FlowUnit) -> Bool {
        switch unit.direction {
        case .fromReader, .unknown: !isSwapped
        case .toReader: isSwapped
        }
    }

    /// Adds the rest of a transfer to its beginning.
    private mutating func join(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let last = conversation.events.last, !isCutShort,
            byteCount + bytes.count <= Self.byteCountLimit
        else { return false }
        byteCount += bytes.count
        let whole = last.replacing((Array(last.bytes) + bytes)[...])
        conversation.events[conversation.events.count - 1] = whole
        return true
    }

    private mutating func append(
        _ content: TimedEvent.Content,
        _ packetNumber: Int,
        _ time: CaptureTime?,
        isDamaged: Bool = false
    ) {
        var offset = conversation.events.last?.offset ?? .zero
        if let time {
            var start = conversation.start ?? time
            if conversation.events.isEmpty { start = min(start, time) }
            conversation.start = start
            offset = max(offset, start.duration(to: time))
        }
        let event = Conversation.Event(
            offset: offset,
            content,
            packetNumber: packetNumber,
            isDamaged: isDamaged,
            recordCount: recordCount
        )
        byteCount += event.bytes.count
        guard byteCount <= Self.byteCountLimit, conversation.events.count < Self.eventLimit else {
            isCutShort = true
            return
        }
        conversation.events.append(event)
    }
}
