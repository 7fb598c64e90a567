import CaptureFiles

/// One TCP connection: who is who, its two directions, and how far it is told.
struct TCPConnection: Sendable {
    var key: TCPConnectionKey
    var isGuessed: Bool
    var toReader = TCPHalf()
    var toHost = TCPHalf()
    private var flow: Flow.ID?
    private var isOpened = false
    private(set) var isClosed = false

    /// Begins a connection with its first segment, which says or hints who opened it.
    init(_ segment: borrowing TCPSegment) {
        let isFromHost: Bool
        if segment.isSynchronising {
            isFromHost = !segment.isAcknowledging
            isGuessed = false
        } else {
            // Those who listen have low numbers, as a rule.
            isFromHost = segment.source.port >= segment.destination.port
            isGuessed = true
        }
        key = TCPConnectionKey(
            host: isFromHost ? segment.source : segment.destination,
            reader: isFromHost ? segment.destination : segment.source
        )
    }

    /// How much memory its waiting segments take.
    var waitingByteCount: Int { toReader.waitingByteCount + toHost.waitingByteCount }

    func isFromHost(_ segment: borrowing TCPSegment) -> Bool? {
        if segment.source == key.host, segment.destination == key.reader { return true }
        if segment.source == key.reader, segment.destination == key.host { return false }
        return nil
    }

    /// Whether a segment begins another connection of the same ends.
    func isSuperseded(by segment: borrowing TCPSegment) -> Bool {
        guard segment.isSynchronising, !segment.isAcknowledging else { return false }
        let isFromHost = segment.source == key.host
        let half = isFromHost ? toReader : toHost
        if half.synchronisation == segment.sequence { return false }
        return isClosed || half.next != nil || !isFromHost && toReader.next != nil
    }

    /// Takes a segment of this connection.
    mutating func take(
        _ segment: borrowing TCPSegment,
        isFromHost: Bool,
        _ output: inout FlowOutput
    ) {
        begin(segment, isFromHost: isFromHost)
        let opposite: FlowDirection = isFromHost ? .fromReader : .toReader
        if segment.isAcknowledging, !segment.isReset {
            if !isOpened, !isClosed, hasOpening(isFromHost: isFromHost) {
                isOpened = true
                put(.opened, .toReader, &output)
            }
            if isFromHost ? toHost.isWaiting : toReader.isWaiting {
                giveUpAcknowledged(segment.acknowledgement, opposite, &output)
            }
        }
        if segment.byteCount > 0 { receive(segment, isFromHost, &output) }
        if segment.isFinished { noteFinish(segment, isFromHost) }
        if segment.isReset {
            close(.aborted, &output)
        } else if toReader.isFinished, toHost.isFinished {
            close(.orderly, &output)
        }
    }

    /// Notes the first sequence number of a direction.
    private mutating func begin(_ segment: borrowing TCPSegment, isFromHost: Bool) {
        var half = isFromHost ? toReader : toHost
        guard half.next == nil, !segment.isReset else { return }
        if segment.isSynchronising {
            half.synchronisation = segment.sequence
            half.next = segment.sequence &+ 1
        } else {
            half.next = segment.sequence
        }
        if isFromHost { toReader = half } else { toHost = half }
    }

    /// The opening is seen when the one who listened acknowledged a SYN that is in the file.
    private func hasOpening(isFromHost: Bool) -> Bool {
        !isFromHost && toReader.synchronisation != nil
            || isFromHost && toHost.synchronisation != nil
    }

    private mutating func receive(
        _ segment: borrowing TCPSegment,
        _ isFromHost: Bool,
        _ output: inout FlowOutput
    ) {
        guard let flow = flowID(&output) else { return }
        let sequence = segment.isSynchronising ? segment.sequence &+ 1 : segment.sequence
        if isFromHost {
            toReader.receive(segment, sequence: sequence, flow, .toReader, &output)
            if toReader.isWaiting { toReader.stamp(sequence, output.position) }
            while toReader.isOverfull { toReader.giveUpGap(flow, .toReader, &output) }
        } else {
            toHost.receive(segment, sequence: sequence, flow, .fromReader, &output)
            if toHost.isWaiting { toHost.stamp(sequence, output.position) }
            while toHost.isOverfull { toHost.giveUpGap(flow, .fromReader, &output) }
        }
    }

    private mutating func giveUpAcknowledged(
        _ acknowledgement: UInt32,
        _ direction: FlowDirection,
        _ output: inout FlowOutput
    ) {
        guard let flow = flowID(&output) else { return }
        if direction == .toReader {
            while toReader.isGapAcknowledged(acknowledgement) {
                toReader.giveUpGap(flow, direction, &output)
            }
        } else {
            while toHost.isGapAcknowledged(acknowledgement) {
                toHost.giveUpGap(flow, direction, &output)
            }
        }
    }

    private mutating func noteFinish(_ segment: borrowing TCPSegment, _ isFromHost: Bool) {
        let end = segment.sequence &+ UInt32(truncatingIfNeeded: segment.byteCount)
        if isFromHost {
            if toReader.finish == nil { toReader.finish = end }
        } else {
            if toHost.finish == nil { toHost.finish = end }
        }
    }

    /// Puts out what still waits, with its gaps.
    mutating func giveUpAll(_ output: inout FlowOutput) {
        guard toReader.isWaiting || toHost.isWaiting, let flow = flowID(&output) else { return }
        while toReader.isWaiting { toReader.giveUpGap(flow, .toReader, &output) }
        while toHost.isWaiting { toHost.giveUpGap(flow, .fromReader, &output) }
    }

    /// Says that it ended, once.
    mutating func close(_ ending: FlowUnit.Ending, _ output: inout FlowOutput) {
        guard !isClosed else { return }
        giveUpAll(&output)
        isClosed = true
        put(.closed(ending), .unknown, &output)
    }

    private mutating func put(
        _ kind: FlowUnit.Kind,
        _ direction: FlowDirection,
        _ output: inout FlowOutput
    ) {
        guard let flow = flowID(&output) else { return }
        output.put(flow, kind, direction, at: output.position.byteOffset)
    }

    private mutating func flowID(_ output: inout FlowOutput) -> Flow.ID? {
        if let flow { return flow }
        flow = output.flow(.tcp(key), isDirectionGuessed: isGuessed)
        return flow
    }
}
