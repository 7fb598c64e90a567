import CaptureFiles

/// Turns packets with TCP in them into units of connections.
struct TCPFlows: Sendable {
    /// The most connections of one file that are followed.
    private static let connectionCountLimit = 16_384
    /// The most bytes of all connections that wait behind gaps.
    private static let waitingByteCountLimit = 8 << 20

    /// The two ends in an order that does not depend on who sent.
    private struct Ends: Hashable {
        var first: SocketEnd
        var second: SocketEnd

        init(_ segment: borrowing TCPSegment) {
            let isOrdered =
                (segment.source.high, segment.source.low, segment.source.port)
                <= (segment.destination.high, segment.destination.low, segment.destination.port)
            first = isOrdered ? segment.source : segment.destination
            second = isOrdered ? segment.destination : segment.source
        }
    }

    private var connections: [TCPConnection] = []
    private var indices: [Ends: Int] = [:]
    private var last = 0
    private var waitingByteCount = 0

    mutating func take(
        _ packet: CapturedPacket,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        guard let segment = try TCPSegment.decoding(packet) else { return }
        guard let index = index(of: segment, &output) else { return }
        if connections[index].isSuperseded(by: segment) { begin(again: index, segment, &output) }
        let isFromHost = connections[index].isFromHost(segment) ?? true
        let before = connections[index].waitingByteCount
        connections[index].take(segment, isFromHost: isFromHost, &output)
        waitingByteCount += connections[index].waitingByteCount - before
        if waitingByteCount > Self.waitingByteCountLimit {
            let waiting = connections[index].waitingByteCount
            connections[index].giveUpAll(&output)
            waitingByteCount += connections[index].waitingByteCount - waiting
        }
    }

    private mutating func index(
        of segment: borrowing TCPSegment,
        _ output: inout FlowOutput
    ) -> Int? {
        if last < connections.count, connections[last].isFromHost(segment) != nil { return last }
        let ends = Ends(segment)
        if let known = indices[ends] {
            last = known
            return known
        }
        guard connections.count < Self.connectionCountLimit else {
            output.notice(
                .flows,
                .leftOut,
                "more than \(Self.connectionCountLimit) TCP connections; later ones are left out"
            )
            return nil
        }
        last = connections.count
        indices[ends] = last
        connections.append(TCPConnection(segment))
        return last
    }

    /// A new connection of the same ends takes the place of an old one.
    private mutating func begin(
        again index: Int,
        _ segment: borrowing TCPSegment,
        _ output: inout FlowOutput
    ) {
        let waiting = connections[index].waitingByteCount
        connections[index].close(.superseded, &output)
        waitingByteCount -= waiting
        var next = TCPConnection(segment)
        next.key.generation = connections[index].key.generation &+ 1
        connections[index] = next
    }

    /// Puts out what still waits behind gaps, in the order of the connections.
    mutating func finish(_ output: inout FlowOutput) {
        for index in connections.indices { connections[index].giveUpAll(&output) }
    }
}
