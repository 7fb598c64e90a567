import CaptureFiles

/// One direction of a TCP connection: puts its segments in order and drops what came before.
///
/// A gap is named as missing once the other side acknowledged bytes behind it (it had them, the
/// capture has not), when too much waits behind it, and at the end. That is when Wireshark's
/// "follow stream" says so too.
struct TCPHalf: Sendable {
    /// The most bytes and segments that wait behind a gap.
    static let pendingByteCountLimit = 1 << 20
    static let pendingCountLimit = 1_024
    /// What a waiting segment costs beside its bytes.
    static let overheadByteCount = 128

    /// A segment behind a gap.
    private struct Pending: Sendable {
        var sequence: UInt32
        var bytes: [UInt8]
        var missingByteCount: Int
        var byteOffset: Int
        var position: FlowOutput.Position

        var end: UInt32 {
            sequence &+ UInt32(truncatingIfNeeded: bytes.count + missingByteCount)
        }
    }

    /// The sequence number of its SYN.
    var synchronisation: UInt32?
    /// The sequence number that comes next; `nil` before the first segment.
    var next: UInt32?
    /// The sequence number of its FIN.
    var finish: UInt32?
    private(set) var waitingByteCount = 0
    private var pendings: [Pending] = []

    /// Whether its FIN was reached without a gap.
    var isFinished: Bool { finish != nil && finish == next }
    var isWaiting: Bool { !pendings.isEmpty }

    private static func distance(_ left: UInt32, _ right: UInt32) -> Int {
        Int(Int32(bitPattern: left &- right))
    }

    /// Takes the payload of a segment; what is in order is put out.
    mutating func receive(
        _ segment: borrowing TCPSegment,
        sequence: UInt32,
        _ flow: Flow.ID,
        _ direction: FlowDirection,
        _ output: inout FlowOutput
    ) {
        let byteCount = segment.byteCount
        guard byteCount > 0 else { return }
        let expected = next ?? sequence
        let gap = Self.distance(sequence, expected)
        if gap > 0 {
            wait(segment, sequence)
            return
        }
        guard byteCount + gap > 0 else { return }
        let skipped = min(-gap, segment.payload.count)
        output.put(
            flow,
            .data,
            direction,
            segment.payload.dropFirst(skipped),
            at: segment.byteOffset + skipped,
            missing: min(segment.missingByteCount, byteCount + gap)
        )
        next = sequence &+ UInt32(truncatingIfNeeded: byteCount)
        if !pendings.isEmpty { putReached(flow, direction, &output) }
    }

    private mutating func wait(_ segment: borrowing TCPSegment, _ sequence: UInt32) {
        let pending = Pending(
            sequence: sequence,
            bytes: Array(segment.payload),
            missingByteCount: segment.missingByteCount,
            byteOffset: segment.byteOffset,
            position: FlowOutput.Position()
        )
        var index = pendings.count
        while index > 0, Self.distance(pendings[index - 1].sequence, sequence) > 0 { index -= 1 }
        pendings.insert(pending, at: index)
        waitingByteCount += pending.bytes.count + Self.overheadByteCount
    }

    /// Gives the segment that waits since this packet its time and number.
    mutating func stamp(_ sequence: UInt32, _ position: FlowOutput.Position) {
        for index in pendings.indices
        where pendings[index].sequence == sequence && pendings[index].position.packetNumber == 0 {
            pendings[index].position = position
        }
    }

    /// Puts out what waits and has no gap before it any more.
    private mutating func putReached(
        _ flow: Flow.ID,
        _ direction: FlowDirection,
        _ output: inout FlowOutput
    ) {
        var count = 0
        let now = output.position
        while count < pendings.count, let expected = next {
            let pending = pendings[count]
            let gap = Self.distance(pending.sequence, expected)
            guard gap <= 0 else { break }
            count += 1
            waitingByteCount -= pending.bytes.count + Self.overheadByteCount
            let byteCount = pending.bytes.count + pending.missingByteCount
            guard byteCount + gap > 0 else { continue }
            let skipped = min(-gap, pending.bytes.count)
            output.position = pending.position
            output.put(
                flow,
                .data,
                direction,
                pending.bytes.dropFirst(skipped),
                at: pending.byteOffset + skipped,
                missing: min(pending.missingByteCount, byteCount + gap)
            )
            next = pending.end
        }
        output.position = now
        pendings.removeFirst(count)
    }

    /// Names the gap before what waits as missing, and puts out what is behind it.
    mutating func giveUpGap(
        _ flow: Flow.ID,
        _ direction: FlowDirection,
        _ output: inout FlowOutput
    ) {
        guard let first = pendings.first else { return }
        let gap = Self.distance(first.sequence, next ?? first.sequence)
        if gap > 0 {
            let now = output.position
            output.position = first.position
            output.putMissing(flow, direction, byteCount: gap, at: first.byteOffset)
            output.position = now
            next = first.sequence
        } else if next == nil {
            next = first.sequence
        }
        putReached(flow, direction, &output)
    }

    /// Whether the other side has bytes behind the gap.
    func isGapAcknowledged(_ acknowledgement: UInt32) -> Bool {
        guard let first = pendings.first else { return false }
        return Self.distance(acknowledgement, first.sequence) > 0
    }

    /// Whether too much waits behind the gap.
    var isOverfull: Bool {
        waitingByteCount > Self.pendingByteCountLimit || pendings.count > Self.pendingCountLimit
    }
}
