import EventLoops

/// A small event, as the reference in C++ has it.
private struct SmallEvent: Sendable {
    var kind: UInt32
    var payload: UInt32
}

/// Four kinds of events with small, different effects, so that the switch is not folded away.
private struct SmallComponents {
    var bytes: UInt64 = 0
    var timers: UInt64 = 0
    var answers: UInt64 = 0
    var checksum: UInt64 = 0

    mutating func handle(_ event: SmallEvent) {
        switch event.kind {
        case 0: bytes &+= UInt64(event.payload & 0xFF)
        case 1: timers &+= 1
        case 2: answers ^= UInt64(event.payload)
        default: checksum = checksum &* 31 &+ UInt64(event.payload)
        }
    }
}

/// The virtual loop with 64 pending events, each of which posts the next.
func measureLoop(_ measurement: Measurement) {
    measurement.perSecond("loop", "events") { repetitions in
        var loop = EventLoop<SmallEvent>(
            componentCount: 4,
            namesPerComponent: 1,
            bounds: EventLoop.Bounds(
                eventCount: .max,
                latest: VirtualInstant(nanoseconds: .max)
            )
        )
        var random = SplitMix64(seed: 1)
        for entry in 0..<64 {
            let draw = random.next()
            loop.post(
                SmallEvent(kind: UInt32(entry % 4), payload: UInt32(draw >> 32)),
                to: EventSite(component: UInt16(entry % 4), name: 0),
                at: VirtualInstant(nanoseconds: Int64(draw % 1_000))
            )
        }
        var components = SmallComponents()
        for _ in 0..<repetitions {
            guard let event = loop.next() else { break }
            components.handle(event)
            let draw = random.next()
            loop.post(
                SmallEvent(
                    kind: UInt32(draw >> 62),
                    payload: UInt32(truncatingIfNeeded: draw >> 16)
                ),
                to: EventSite(component: UInt16(draw >> 62), name: 0),
                at: loop.now + .nanoseconds(Int64(draw % 1_000))
            )
        }
        blackHole(components)
    }
}

/// Prints how late the wall-clock loop's timers come: the 99th percentile of 100 sleeps of 1 ms.
///
/// Above 5 ms the machine is too busy for figures that are measured on the wall clock.
func measureLateness() {
    guard let clock = try? WallClock() else { return }
    var lateness: [Int64] = []
    for _ in 0..<100 {
        let wanted = clock.now + .milliseconds(1)
        guard (try? clock.sleep(until: wanted)) != nil else { return }
        lateness.append((clock.now - wanted).nanoseconds)
    }
    lateness.sort()
    print("timer_lateness \(lateness[98]) ns")
}
