import EventLoops
import Testing
import Transports

@Suite("Fault injector: one fault")
struct FaultInjectorTests {
    private static let units = DisturbedSession.units

    @Test func withoutFaultsEverythingPassesAsItIs() {
        let session = DisturbedSession.played([])
        #expect(session.payloads == Self.units)
        #expect(session.times == [100, 200, 300])
        #expect(session.transport.unitCount == 3)
        #expect(session.transport.byteCount == 12)
        #expect(session.transport.firedFaults.isEmpty)
    }

    @Test func aDelayedUnitHoldsWhatFollowsBack() {
        let session = DisturbedSession.played([
            LinkFault(.delay(.nanoseconds(150)), at: .unit(1))
        ])
        #expect(session.payloads == Self.units)
        #expect(session.times == [250, 250, 300])
    }

    @Test func aDelayAtAByteDelaysItsUnit() {
        let session = DisturbedSession.played([
            LinkFault(.delay(.nanoseconds(70)), at: .byte(7))
        ])
        #expect(session.times == [100, 270, 300])
    }

    @Test func aSplitUnitArrivesInTwoWithAGap() {
        let session = DisturbedSession.played([
            LinkFault(.split(at: 2, gap: .nanoseconds(30)), at: .unit(2))
        ])
        #expect(session.payloads == [[1, 2, 3, 4], [5, 6], [7], [8, 9, 10, 11, 12]])
        #expect(session.times == [100, 200, 230, 300])
    }

    @Test(arguments: [0, 3, -1, 99, .max, .min])
    func aSplitOutsideOfTheUnitNeverFires(offset: Int) {
        let fault = LinkFault(.split(at: offset, gap: .zero), at: .unit(2))
        let session = DisturbedSession.played([fault])
        #expect(session.payloads == Self.units)
        #expect(session.transport.waitingFaults == [fault])
    }

    @Test func aMergedUnitComesAsOneWithTheNext() {
        let session = DisturbedSession.played([
            LinkFault(.merge(within: .nanoseconds(500)), at: .unit(1))
        ])
        #expect(session.payloads == [[1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12]])
        #expect(session.times == [200, 300])
        #expect(session.transport.firedFaults.map(\.unitNumber) == [1])
    }

    @Test func aUnitThatWaitsInVainForAnotherComesAlone() {
        let fault = LinkFault(.merge(within: .nanoseconds(60)), at: .unit(3))
        let session = DisturbedSession.played([fault])
        #expect(session.payloads == Self.units)
        #expect(session.times == [100, 200, 360])
        #expect(session.transport.waitingFaults == [fault])
    }

    @Test func aUnitWaitsNoLongerThanItShould() {
        let session = DisturbedSession.played([
            LinkFault(.merge(within: .nanoseconds(150)), at: .unit(1)),
            LinkFault(.delay(.nanoseconds(60)), at: .unit(2)),
        ])
        #expect(session.payloads == Self.units)
        #expect(session.times == [250, 260, 300])
    }

    @Test func aDroppedUnitIsLost() {
        let session = DisturbedSession.played([LinkFault(.drop, at: .unit(2))])
        #expect(session.payloads == [Self.units[0], Self.units[2]])
    }

    @Test func aDroppedByteShortensItsUnit() {
        let session = DisturbedSession.played([LinkFault(.drop, at: .byte(6))])
        #expect(session.payloads == [[1, 2, 3, 4], [5, 7], [8, 9, 10, 11, 12]])
    }

    @Test func aCorruptByteIsChangedByExclusiveOr() {
        let session = DisturbedSession.played([
            LinkFault(.corrupt(at: 1, xor: 0xF0), at: .unit(1)),
            LinkFault(.corrupt(at: 0, xor: 0x01), at: .byte(12)),
        ])
        #expect(session.payloads == [[1, 0xF2, 3, 4], [5, 6, 7], [8, 9, 10, 11, 13]])
    }

    @Test(arguments: [-1, 4, .max])
    func aByteOutsideOfTheUnitIsNotCorrupted(offset: Int) {
        let fault = LinkFault(.corrupt(at: offset, xor: 1), at: .unit(1))
        let session = DisturbedSession.played([fault])
        #expect(session.payloads == Self.units)
        #expect(session.transport.waitingFaults == [fault])
    }

    @Test func aRepeatedUnitArrivesTwice() {
        let session = DisturbedSession.played([LinkFault(.duplicate, at: .unit(2))])
        #expect(session.payloads == [Self.units[0], Self.units[1], Self.units[1], Self.units[2]])
        #expect(session.times == [100, 200, 200, 300])
    }

    @Test func aRepeatedByteLengthensItsUnit() {
        let session = DisturbedSession.played([LinkFault(.duplicate, at: .byte(5))])
        #expect(session.payloads == [[1, 2, 3, 4], [5, 5, 6, 7], [8, 9, 10, 11, 12]])
    }

    @Test func aCutAtAUnitLosesItAndTheRest() {
        let session = DisturbedSession.played([LinkFault(.cut, at: .unit(2))])
        #expect(session.payloads == [Self.units[0]])
        #expect(session.detaches == [.cut])
    }

    @Test func aFaultThatFiredSaysWhenAndWhere() {
        let fault = LinkFault(.drop, at: .byte(6))
        let never = LinkFault(.drop, at: .unit(4))
        let session = DisturbedSession.played([never, fault])
        #expect(
            session.transport.firedFaults == [
                FiredFault(fault: fault, time: VirtualInstant(nanoseconds: 200), unitNumber: 2)
            ]
        )
        #expect(session.transport.waitingFaults == [never])
    }

    @Test func aFaultInjectedAfterItsPlaceHasPassedNeverFires() {
        var session = DisturbedSession()
        session.sendUnits()
        session.play()
        session.transport.inject(LinkFault(.drop, at: .unit(3)))
        session.transport.inject(LinkFault(.drop, at: .unit(5)))
        session.sendUnits()
        session.play()
        #expect(session.payloads == Self.units + [Self.units[0], Self.units[2]])
        #expect(session.transport.waitingFaults.count == 1)
    }

    @Test func faultsOnOneUnitActTogether() {
        let session = DisturbedSession.played([
            LinkFault(.duplicate, at: .byte(8)),
            LinkFault(.corrupt(at: 4, xor: 0xFF), at: .unit(3)),
            LinkFault(.split(at: 3, gap: .nanoseconds(5)), at: .unit(3)),
            LinkFault(.split(at: 1, gap: .nanoseconds(7)), at: .unit(3)),
            LinkFault(.drop, at: .byte(10)),
            LinkFault(.delay(.nanoseconds(10)), at: .byte(9)),
        ])
        #expect(session.payloads == Self.units[..<2] + [[8, 8], [9], [11, 12 ^ 0xFF]])
        #expect(session.times == [100, 200, 310, 317, 322])
        #expect(session.transport.firedFaults.count == 6)
    }

    // MARK: Every place

    @Test(arguments: 1...DisturbedSession.allBytes.count)
    func aCutAtAnyByteOfAStreamLetsExactlyTheBytesBeforeItArrive(number: Int) {
        let session = DisturbedSession.played([LinkFault(.cut, at: .byte(number))], kind: .bytes)
        #expect(
            session.payloads.flatMap { $0 } == Array(DisturbedSession.allBytes.prefix(number - 1))
        )
        #expect(session.detaches == [.cut])
        #expect(!session.payloads.contains([]))
    }

    /// USB 2.0, section 8.4.5: a packet that is not whole has no valid checksum.
    @Test(arguments: 1...DisturbedSession.allBytes.count)
    func aCutAtAnyByteOfAReportLetsTheReportsBeforeItArrive(number: Int) {
        let session = DisturbedSession.played([LinkFault(.cut, at: .byte(number))])
        let whole = number <= 4 ? 0 : number <= 7 ? 1 : 2
        #expect(session.payloads == Array(Self.units.prefix(whole)))
        #expect(session.detaches == [.cut])
    }

    @Test(arguments: [(2, []), (3, [[1, 2]]), (4, [[1, 2]])] as [(Int, [[UInt8]])])
    func aCutLosesOnlyThePartOfASplitReportThatItIsIn(number: Int, arriving: [[UInt8]]) {
        let session = DisturbedSession.played([
            LinkFault(.split(at: 2, gap: .zero), at: .unit(1)),
            LinkFault(.cut, at: .byte(number)),
        ])
        #expect(session.payloads == arriving)
        #expect(session.detaches == [.cut])
    }

    @Test(arguments: 1...3)
    func anySplitInTwoKeepsTheBytes(unit number: Int) {
        let count = Self.units[number - 1].count
        for offset in 1..<count {
            let session = DisturbedSession.played([
                LinkFault(.split(at: offset, gap: .nanoseconds(1)), at: .unit(number))
            ])
            #expect(session.payloads.flatMap { $0 } == DisturbedSession.allBytes)
            #expect(session.payloads.count == 4)
            #expect(session.payloads[number - 1].count == offset)
        }
    }

    @Test func aCutInTheMiddleOfASplitKeepsThePrefix() {
        for number in 1...12 {
            for offset in 1..<5 {
                let session = DisturbedSession.played(
                    [
                        LinkFault(.split(at: offset, gap: .nanoseconds(40)), at: .unit(3)),
                        LinkFault(.cut, at: .byte(number)),
                    ],
                    kind: .bytes
                )
                #expect(
                    session.payloads.flatMap { $0 }
                        == Array(DisturbedSession.allBytes.prefix(number - 1))
                )
                #expect(session.detaches == [.cut])
            }
        }
    }
}
