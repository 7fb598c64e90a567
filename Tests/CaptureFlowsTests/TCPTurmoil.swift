import CaptureSupport

/// Conversations of seeded accidents: reordered, lost, repeated and overlapping segments.
///
/// Bytes follow from their place in the stream, so that overlaps agree, and acknowledgements are
/// those of receivers who had everything that was sent before.
struct TCPTurmoil {
    private typealias Segment = PacketBuilder.Segment

    let packets: [[UInt8]]

    init(connectionCount: Int, seed: UInt64) {
        var random = SeededGenerator(state: seed)
        packets = (0..<connectionCount).flatMap { number in
            Self.connection(number, &random).map(PacketBuilder.ethernet)
        }
    }

    private static func byte(_ isFromHost: Bool, _ offset: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: offset &* 7 + offset / 256 + (isFromHost ? 0 : 128))
    }

    private static func connection(
        _ number: Int,
        _ random: inout SeededGenerator
    ) -> [Segment] {
        let port = UInt16(40_000 + number)
        var starts: [UInt32] = []
        for _ in 0..<2 { starts.append(UInt32(truncatingIfNeeded: random.next())) }
        var sent = [0, 0]
        var segments = [
            Segment(sequence: starts[0] &- 1, flags: 0x02, hostPort: port),
            Segment(
                isFromHost: false,
                sequence: starts[1] &- 1,
                acknowledgement: starts[0],
                flags: 0x12,
                hostPort: port
            ),
        ]
        var flying: [Segment] = []
        for _ in 0..<40 {
            let side = Int(random.next() % 2)
            let length = 1 + Int(random.next() % 20)
            // Some begin before what was sent: a repetition, or an overlap.
            let back = random.next() % 4 == 0 ? min(sent[side], Int(random.next() % 30)) : 0
            let start = sent[side] - back
            flying.append(
                Segment(
                    isFromHost: side == 0,
                    sequence: starts[side] &+ UInt32(start),
                    acknowledgement: starts[1 - side] &+ UInt32(sent[1 - side]),
                    payload: (start..<start + length).map { byte(side == 0, $0) },
                    hostPort: port
                )
            )
            sent[side] = max(sent[side], start + length)
            // Up to three are on their way at once; the capture loses one in ten.
            while flying.count > 3 {
                let segment = flying.remove(at: Int(random.next() % UInt64(flying.count)))
                if random.next() % 10 != 0 { segments.append(segment) }
            }
        }
        return segments + flying
    }
}
