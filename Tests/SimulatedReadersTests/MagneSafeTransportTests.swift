import CardCrypto
import EventLoops
import SimulatedReaders
import Testing
import Transports

@Suite("Units that a MagneSafe reader receives")
struct MagneSafeTransportTests {
    private let models: [MagneSafeModel] = [
        .idynamo, .dynamag(packetByteCount: 8), .keyboard, .sureSwipe(packetByteCount: 8),
    ]

    /// Every feature request is finished once, whatever is in it, and nothing else is answered but
    /// by a stream.
    @Test func anyUnitIsAnsweredAsItsKindAsks() {
        let cache = CryptoCache()
        for model in models {
            var reader = SimulatedMagneSafeReader(MagneSafeReaderConfiguration(model))
            var random = SplitMix64(seed: 1)
            var finishedCount = 0
            var requestCount = 0
            for _ in 0..<2_000 {
                let size = [0, 1, 2, 24, 59, 60, 61][Int(random.next() % 7)]
                var payload = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                if size > 1, random.next() & 1 == 0 {
                    payload[0] &= 0x3F
                    payload[1] &= 0x1F
                }
                let kind: TransportUnit.Kind
                switch random.next() % 5 {
                case 0: kind = .bytes
                case 1: kind = .report(id: 0)
                case 2: kind = .featureGet(id: UInt8(random.next() % 2), byteCount: size)
                default: kind = .featureSet(id: 0)
                }
                let unit = TransportUnit(kind, payload[...])
                let reactions = reader.receive(unit, cache: cache, at: .zero)
                let finished = reactions.count {
                    if case .finishFeature = $0 { true } else { false }
                }
                switch kind {
                case .featureSet, .featureGet:
                    requestCount += 1
                    #expect(finished == 1)
                case .bytes, .report, .lineState: #expect(finished == 0)
                }
                finishedCount += finished
            }
            #expect(finishedCount == requestCount && requestCount > 1_000)
        }
    }

    @Test func anyLineOfAStreamIsAnsweredOnce() {
        let cache = CryptoCache()
        var reader = SimulatedMagneSafeReader(MagneSafeReaderConfiguration(.idynamo))
        var random = SplitMix64(seed: 2)
        for _ in 0..<1_000 {
            var line = (0...(random.next() % 40)).map { _ in
                random.next() & 7 == 0
                    ? UInt8(truncatingIfNeeded: random.next())
                    : Array("0123456789ABCDEF".utf8)[Int(random.next() % 16)]
            }
            line.removeAll { $0 == 0x0D }
            line.append(0x30)
            line.append(0x0D)
            var replyCount = 0
            for byte in line {
                let unit = TransportUnit(.bytes, [byte][...])
                for reaction in reader.receive(unit, cache: cache, at: .zero) {
                    switch reaction {
                    case .send(let transmission):
                        replyCount += 1
                        #expect(transmission.unit.payload.last == 0x0D)
                    case .reattach: reader.powerUp()
                    case .finishFeature: Issue.record("a stream has no feature reports")
                    }
                }
            }
            #expect(replyCount == 1)
        }
    }

    @Test func theAttachmentFollowsTheInterface() {
        let ids = models.map { MagneSafeReaderConfiguration($0).attachment.productID }
        #expect(ids == [0, 0x0011, 0x0001, 0x0002])
        let lengths = models.map {
            SimulatedMagneSafeReader(MagneSafeReaderConfiguration($0)).reportDescriptor.count
        }
        #expect(lengths == [0, 182, 76, 61])
    }
}
