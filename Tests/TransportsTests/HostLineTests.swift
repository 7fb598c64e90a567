import EventLoops
import Testing
import Transports

@Suite("Fault injector: what the host sends")
struct HostLineTests {
    /// A host that sends three units, 100 ns apart, and a reader that takes them.
    private struct Sending {
        var transport: FaultInjector<LoopbackTransport>
        var taken: [(time: Int64, bytes: [UInt8])] = []
        var detaches: [DetachReason] = []

        init(_ faults: [LinkFault]) {
            transport = FaultInjector(around: LoopbackTransport(), faults: faults)
            transport.open(at: .zero)
            transport.grant(credits: 100)
            transport.base.attachReader(Attachment(), at: .zero)
            take(at: .zero)
            for (index, bytes) in DisturbedSession.units.enumerated() {
                let now = VirtualInstant.zero + .nanoseconds(Int64(100 * (index + 1)))
                pass(until: now)
                transport.send(TransportUnit(.bytes, bytes[...]), at: now)
                take(at: now)
            }
            pass(until: .zero + .seconds(1))
        }

        var payloads: [[UInt8]] { taken.map(\.bytes) }
        var times: [Int64] { taken.map(\.time) }

        private mutating func pass(until end: VirtualInstant) {
            while let due = transport.nextDue, due.earliest <= end { take(at: due.earliest) }
        }

        private mutating func take(at now: VirtualInstant) {
            while let event = transport.nextEvent(at: now) {
                if case .detached(let reason) = event { detaches.append(reason) }
            }
            while let unit = transport.base.nextUnitForReader(at: now) {
                taken.append((now.nanoseconds, Array(unit.payload)))
            }
        }
    }

    private func sending(_ action: LinkFault.Action, at address: LinkFault.Address) -> Sending {
        Sending([LinkFault(action, at: address, direction: .toReader)])
    }

    @Test func withoutFaultsEverythingPassesAsItIs() {
        let sending = Sending([LinkFault(.drop, at: .unit(2))])
        #expect(sending.payloads == DisturbedSession.units)
        #expect(sending.times == [100, 200, 300])
        #expect(sending.transport.hostUnitCount == 3 && sending.transport.hostByteCount == 12)
        #expect(sending.transport.firedFaults.isEmpty)
    }

    @Test func aUnitIsLost() {
        let sending = sending(.drop, at: .unit(2))
        #expect(sending.payloads == [[1, 2, 3, 4], [8, 9, 10, 11, 12]])
        #expect(sending.transport.firedFaults.map(\.unitNumber) == [2])
        #expect(sending.transport.waitingFaults.isEmpty)
    }

    @Test func aByteIsLostChangedOrRepeated() {
        #expect(sending(.drop, at: .byte(6)).payloads[1] == [5, 7])
        #expect(sending(.corrupt(at: 0, xor: 0xFF), at: .byte(6)).payloads[1] == [5, 0xF9, 7])
        let repeated = sending(.duplicate, at: .byteOfUnit(unit: 2, byte: 3))
        #expect(repeated.payloads[1] == [5, 6, 7, 7])
    }

    @Test func aDelayedUnitHoldsWhatFollowsBack() {
        let sending = sending(.delay(.nanoseconds(150)), at: .unit(1))
        #expect(sending.payloads == DisturbedSession.units)
        #expect(sending.times == [250, 250, 300])
    }

    @Test func aUnitComesInTwo() {
        let sending = sending(
            .split(at: 0, gap: .nanoseconds(30)),
            at: .byteOfUnit(unit: 3, byte: 3)
        )
        #expect(sending.payloads == [[1, 2, 3, 4], [5, 6, 7], [8, 9], [10, 11, 12]])
        #expect(sending.times == [100, 200, 300, 330])
    }

    @Test func aUnitComesTwiceOrAsOneWithTheNext() {
        let repeated = sending(.duplicate, at: .unit(1))
        #expect(
            repeated.payloads == [[1, 2, 3, 4], [1, 2, 3, 4], [5, 6, 7], [8, 9, 10, 11, 12]]
        )
        let merged = sending(.merge(within: .nanoseconds(120)), at: .unit(1))
        #expect(merged.payloads == [[1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12]])
        #expect(merged.times == [200, 300] && merged.transport.firedFaults.count == 1)
        let late = sending(.merge(within: .nanoseconds(20)), at: .unit(1))
        #expect(late.payloads == DisturbedSession.units && late.times == [120, 200, 300])
    }

    @Test(arguments: [(1, [[1, 2, 3, 4]]), (3, [[1, 2, 3, 4], [5, 6]])] as [(Int, [[UInt8]])])
    func aCutLetsThroughWhatCameBeforeIt(byte: Int, arrived: [[UInt8]]) {
        let sending = sending(.cut, at: .byteOfUnit(unit: 2, byte: byte))
        #expect(sending.payloads == arrived)
        #expect(sending.detaches == [.cut])
        // What a lost link loses is not counted.
        #expect(sending.transport.hostUnitCount == 2)
    }

    @Test func aLinkThatWasCutCarriesAgainInItsNextSession() {
        var sending = sending(.cut, at: .unit(1))
        #expect(sending.payloads.isEmpty && sending.detaches == [.cut])
        let now = VirtualInstant.zero + .seconds(2)
        sending.transport.base.detachReader(.left, at: now)
        sending.transport.base.attachReader(Attachment(), at: now)
        while sending.transport.nextEvent(at: now) != nil {}
        sending.transport.send(TransportUnit(.bytes, [42][...]), at: now)
        let unit = sending.transport.base.nextUnitForReader(at: now)
        #expect(unit.map { Array($0.payload) } == [42])
    }
}
