import CardCrypto
import EventLoops
import Journal
import Rig
import SimulatedReaders
import Testing
import Transports

@Suite("Units from the host")
struct HostUnitTests {
    private func makeRig(_ model: MagneSafeModel, faults: [LinkFault] = []) -> Rig {
        var configuration = MagneSafeReaderConfiguration(model)
        configuration.securityLevel = .two
        var rig = Rig(
            RigConfiguration(
                readers: [
                    RigReader(
                        name: "till",
                        endpoint: .simulated(configuration),
                        isAttachedAtStart: true,
                        faults: faults
                    )
                ],
                isRecorded: true
            ),
            cache: CryptoCache()
        )
        rig.start()
        settle(&rig)
        return rig
    }

    private func settle(_ rig: inout Rig) {
        while !rig.isQuiet, rig.advance() != .nothing {}
    }

    private func command(_ bytes: [UInt8]) -> TransportUnit {
        let report = bytes + [UInt8](repeating: 0, count: 60 - bytes.count)
        return TransportUnit(.featureSet(id: 0), report[...])
    }

    private func arrivals(_ rig: Rig) -> [WireTap.Traffic] {
        rig.wireTap?.entries.map(\.traffic).filter {
            switch $0 {
            case .fromHost, .detached, .featureFinished: false
            case .attached, .fromReader: true
            }
        } ?? []
    }

    @Test func aStreamReaderAnswersBetweenSwipes() {
        var rig = makeRig(.idynamo)
        rig.send(TransportUnit(.bytes, Array("000103\r".utf8)[...]), to: 0)
        rig.act(.swipe(reader: 0, card: "visa", quality: .good))
        settle(&rig)
        rig.send(TransportUnit(.bytes, Array("000103\r".utf8)[...]), to: 0)
        settle(&rig)
        let reply = TransportUnit(.bytes, Array("000742303030373935\r".utf8)[...])
        let received = arrivals(rig)
        #expect(received.count { $0 == .fromReader(reply) } == 2)
        #expect(received.last == .fromReader(reply))
        let whole = rig.journal.readable.filter { $0.name == .swipeArrived }
        #expect(whole.count == 1)
    }

    @Test(arguments: [false, true])
    func aResetBringsTheReaderBackWithItsNewSettings(isFaulty: Bool) {
        let faults = isFaulty ? [LinkFault(.drop, at: .unit(1_000))] : []
        var rig = makeRig(.dynamag(packetByteCount: 8), faults: faults)
        rig.send(command([0x01, 0x02, 0x0A, 0x40]), to: 0)
        rig.send(command([0x02, 0x00]), to: 0)
        settle(&rig)
        let sizes = arrivals(rig).compactMap { traffic -> Int? in
            guard case .attached(let attachment) = traffic else { return nil }
            return attachment.maximumPacketByteCount
        }
        #expect(sizes == [8, 64])
        rig.act(.swipe(reader: 0, card: "visa", quality: .good))
        settle(&rig)
        let packets = arrivals(rig).count { if case .fromReader = $0 { true } else { false } }
        #expect(packets == 14)
    }

    @Test func aReaderAtLevelFourSendsNothingToAnybody() {
        var configuration = MagneSafeReaderConfiguration(.dynamag(packetByteCount: 8))
        configuration.securityLevel = .four
        var rig = Rig(
            RigConfiguration(readers: [
                RigReader(
                    name: "till",
                    endpoint: .simulated(configuration),
                    isAttachedAtStart: true
                )
            ]),
            cache: CryptoCache()
        )
        rig.start()
        settle(&rig)
        rig.act(.swipe(reader: 0, card: "visa", quality: .good))
        settle(&rig)
        #expect(!rig.journal.readable.contains { $0.name == .swipeArrived })
    }
}
