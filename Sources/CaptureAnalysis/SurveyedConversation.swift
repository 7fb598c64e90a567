public import CaptureFiles
public import CaptureFlows
import EventLoops

/// One conversation of a capture as a survey knows it: who, when, how much, and what was spoken.
public struct SurveyedConversation: Sendable {
    /// What tells it from others.
    public let key: ConversationKey
    /// Its number in the file, from 1, by which people choose it.
    public let number: Int
    /// The interface on which it was seen first, in our own recordings the reader's name.
    public let interfaceName: String
    /// Its flows, as indices of the importer's.
    public internal(set) var flows: [Flow.ID]
    /// When it began; `nil` in a file without times.
    public private(set) var firstTime: CaptureTime?
    /// When it ended.
    public private(set) var lastTime: CaptureTime?
    /// How many units carried bytes.
    public private(set) var unitCount = 0
    /// How many bytes went to the reader.
    public private(set) var byteCountToReader = 0
    /// How many bytes came from the reader.
    public private(set) var byteCountFromReader = 0
    /// How many bytes went of which the file does not say which way.
    public private(set) var byteCountOfUnknownDirection = 0
    /// How often it began again: attaches of a device, or opens of a channel.
    public private(set) var openCount = 0
    /// How often it ended.
    public private(set) var closeCount = 0
    /// How many units say that bytes are missing or cut.
    public private(set) var damageCount = 0
    /// Whether the file does not say who is the host, so that the directions were guessed.
    public private(set) var isDirectionGuessed = false
    /// Whether what is said makes sense only with host and reader exchanged.
    public private(set) var isSwapped = false

    private var watch = ProtocolWatch()
    /// Listens with host and reader exchanged, until it is known which is which.
    private var mirror = ProtocolWatch()
    private var now = VirtualInstant.zero

    init(_ key: ConversationKey, number: Int, interfaceName: String, flow: Flow.ID) {
        self.key = key
        self.number = number
        self.interfaceName = interfaceName
        flows = [flow]
    }

    /// What may be spoken, the likeliest first; empty for what is no reader's.
    public var candidates: [ProtocolEvidence] {
        isSwapped ? mirror.candidates : watch.candidates
    }

    /// What is spoken, when one protocol explains it far better than any other.
    public var spoken: ProtocolEvidence? {
        let candidates = candidates
        guard let first = candidates.first else { return nil }
        guard candidates.count > 1 else { return first }
        return candidates[1].byteCount * 2 <= first.byteCount ? first : nil
    }

    mutating func note(_ unit: FlowUnit, isReport: Bool, isGuessed: Bool) {
        if isGuessed || unit.direction == .unknown && !unit.bytes.isEmpty {
            isDirectionGuessed = true
        }
        if let time = unit.time {
            if firstTime == nil { firstTime = time }
            lastTime = max(lastTime ?? time, time)
            now = max(now, VirtualInstant.zero + (firstTime ?? time).duration(to: time))
        }
        switch unit.kind {
        case .data:
            count(unit)
            listen(unit, isReport: isReport)
        case .control:
            count(unit)
        case .opened:
            openCount += 1
            endSession()
        case .closed:
            closeCount += 1
            endSession()
        case .missing:
            damageCount += 1
        case .failed, .line:
            break
        }
    }

    mutating func finish() {
        endSession()
        let own = watch.candidates.first?.byteCount ?? 0
        let mirrored = mirror.candidates.first?.byteCount ?? 0
        isSwapped = isDirectionGuessed && mirrored > own
    }

    private mutating func count(_ unit: FlowUnit) {
        guard !unit.bytes.isEmpty else { return }
        if !unit.isContinued { unitCount += 1 }
        if unit.isCut { damageCount += 1 }
        switch unit.direction {
        case .toReader: byteCountToReader += unit.bytes.count
        case .fromReader: byteCountFromReader += unit.bytes.count
        case .unknown: byteCountOfUnknownDirection += unit.bytes.count
        }
    }

    private mutating func listen(_ unit: FlowUnit, isReport: Bool) {
        switch unit.direction {
        case .toReader:
            watch.write(unit.bytes, isReport: isReport)
            if isDirectionGuessed { mirror.read(unit.bytes, isReport: isReport, at: now) }
        case .fromReader:
            watch.read(unit.bytes, isReport: isReport, at: now)
            if isDirectionGuessed { mirror.write(unit.bytes, isReport: isReport) }
        case .unknown:
            watch.read(unit.bytes, isReport: isReport, at: now)
            mirror.write(unit.bytes, isReport: isReport)
        }
    }

    private mutating func endSession() {
        watch.endSession(at: now)
        mirror.endSession(at: now)
    }
}

extension CaptureTime {
    /// The time from this moment to a later one, in nanoseconds; as much as fits.
    func duration(to other: CaptureTime) -> VirtualDuration {
        guard let own = nanosecondsSinceEpoch, let later = other.nanosecondsSinceEpoch else {
            return .zero
        }
        let (difference, overflow) = later.subtractingReportingOverflow(own)
        return .nanoseconds(overflow ? Int64.max / 4 : min(difference, Int64.max / 4))
    }
}
