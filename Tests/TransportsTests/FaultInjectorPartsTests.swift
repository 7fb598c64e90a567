import EventLoops
import Testing
import Transports

@Suite("Fault injector: bytes of units, and parts")
struct FaultInjectorPartsTests {
    private static let units = DisturbedSession.units

    @Test func aByteOfAUnitIsLostDamagedOrRepeated() {
        let session = DisturbedSession.played([
            LinkFault(.drop, at: .byteOfUnit(unit: 1, byte: 2)),
            LinkFault(.corrupt(at: 0, xor: 0xFF), at: .byteOfUnit(unit: 2, byte: 3)),
            LinkFault(.duplicate, at: .byteOfUnit(unit: 3, byte: 1)),
        ])
        #expect(session.payloads == [[1, 3, 4], [5, 6, 248], [8, 8, 9, 10, 11, 12]])
        #expect(session.transport.firedFaults.count == 3)
    }

    @Test func aSplitAtAByteOfAUnitHasItsBorderThere() {
        let session = DisturbedSession.played(
            [
                LinkFault(
                    .split(at: 0, gap: .nanoseconds(30)),
                    at: .byteOfUnit(unit: 2, byte: 3)
                )
            ],
            kind: .bytes
        )
        #expect(session.payloads == [[1, 2, 3, 4], [5, 6], [7], [8, 9, 10, 11, 12]])
        #expect(session.times == [100, 200, 230, 300])
    }

    @Test func aCutAtAByteOfAUnitLosesTheRest() {
        let session = DisturbedSession.played(
            [LinkFault(.cut, at: .byteOfUnit(unit: 2, byte: 2))],
            kind: .bytes
        )
        #expect(session.payloads == [[1, 2, 3, 4], [5]])
        #expect(session.detaches == [.cut])
    }

    @Test(arguments: [0, 5, -1, .max, .min])
    func aByteThatTheUnitDoesNotHaveNeverComes(byte: Int) {
        let fault = LinkFault(.drop, at: .byteOfUnit(unit: 1, byte: byte))
        let session = DisturbedSession.played([fault])
        #expect(session.payloads == Self.units)
        #expect(session.transport.waitingFaults == [fault])
    }

    @Test func unitsComeInPartsWithAGap() {
        let session = DisturbedSession.played(
            [],
            timing: LinkTiming(partByteCount: 2, partGap: .nanoseconds(10)),
            kind: .bytes
        )
        #expect(session.payloads == [[1, 2], [3, 4], [5, 6], [7], [8, 9], [10, 11], [12]])
        #expect(session.times == [100, 110, 200, 210, 300, 310, 320])
    }

    @Test func partsAndASplitActTogether() {
        let session = DisturbedSession.played(
            [LinkFault(.split(at: 1, gap: .zero), at: .unit(3))],
            timing: LinkTiming(partByteCount: 3),
            kind: .bytes
        )
        #expect(session.payloads == [[1, 2, 3], [4], [5, 6, 7], [8], [9, 10], [11, 12]])
    }

    @Test func partsOfNothingAreOneByteEach() {
        let session = DisturbedSession.played(
            [],
            timing: LinkTiming(partByteCount: 0),
            kind: .bytes
        )
        #expect(session.payloads == (1...12).map { [UInt8($0)] })
    }
}
