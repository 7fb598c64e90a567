import ReaderProtocols
import Testing

@Suite("Miura framing")
struct MiuraDecoderVectorsTests {
    typealias V = MiuraVectors

    /// Streams of a reader's that are whole messages, and the messages.
    static let streams: [(bytes: [UInt8], messages: [MiuraMessage])] = [
        (V.m02, [message(V.m02[3..<5])]),
        (V.m03, [message(V.m03[3..<9])]),
        (V.m05, [message(V.m05[3..<9], isUnsolicited: true)]),
        (V.m07, [message([0x50, 0x60])]),
        (V.m09, [message([0x50, 0x51], isUnsolicited: true)]),
        (V.m10, [message(V.m10[3..<12])]),
        (V.m11, [message(Array(0...0xFD))]),
        (V.m13, [message([0x11, 0x22, 0x33, 0x44, 0x55, 0x66], node: .hub)]),
        (V.m18, [message(V.m18[3..<11], isUnsolicited: true)]),
        (V.m19, [message(V.m19[3..<12], isUnsolicited: true)]),
        (V.m20, [message(V.m20[3..<12], isUnsolicited: true)]),
        (V.m21, [message(V.m21[3..<55], node: .hub)]),
        (V.m22, [message(V.m22[3..<166], isUnsolicited: true)]),
        (V.m24, [message(V.m24[3..<257] + V.m24[261..<310])]),
        (V.m26, [message(V.m26[3..<33])]),
        (V.m27, [message([0x9F, 0x41])]),
        // A chain is one message: what looks like a status word in its first frame is none.
        (V.m04 + V.m02, [message(V.m04[3..<9] + [0x90, 0x00])]),
        (V.m06 + V.m09, [message(V.m06[3..<9] + [0x50, 0x51], isUnsolicited: true)]),
        // Two frames of a chain with an unsolicited message between them.
        (
            V.m08 + V.m18 + V.m02,
            [
                message(V.m18[3..<11], isUnsolicited: true),
                message([0xC0, 0xC1, 0xC2, 0xC3, 0x90, 0x00]),
            ]
        ),
        // An unsolicited chain, a solicited message inside it.
        (
            V.m12 + V.m09,
            [
                message([0x20, 0x21, 0x22, 0x23], isUnsolicited: true),
                message([0x40, 0x41]),
                message([0x30, 0x31, 0x32, 0x33, 0x34, 0x50, 0x51], isUnsolicited: true),
            ]
        ),
    ]

    static func message(
        _ payload: some Collection<UInt8>,
        node: MiuraNode = .reader,
        isUnsolicited: Bool = false
    ) -> MiuraMessage {
        MiuraMessage(node: node, isUnsolicited: isUnsolicited, payload: Array(payload))
    }

    /// Reads pieces one after the other.
    static func readings(
        _ pieces: [ArraySlice<UInt8>],
        _ direction: MiuraDecoder.Direction = .fromReader,
        policy: MiuraDamagePolicy = .dropLink,
        chainRule: MiuraChainRule = .interleaved
    ) -> [MiuraReading] {
        var decoder = MiuraDecoder(direction, policy: policy, chainRule: chainRule)
        var readings: [MiuraReading] = []
        for piece in pieces {
            decoder.append(piece)
            while let reading = decoder.next() { readings.append(reading) }
        }
        while let reading = decoder.finish() {
            readings.append(reading)
            while let reading = decoder.next() { readings.append(reading) }
        }
        return readings
    }

    @Test(arguments: streams.indices)
    func everySplitInTwoAndEveryByteAloneGiveTheSameMessages(number: Int) {
        let stream = Self.streams[number]
        let expected = stream.messages.map(MiuraReading.message)
        for split in 0...stream.bytes.count {
            let pieces = [stream.bytes[..<split], stream.bytes[split...]]
            #expect(Self.readings(pieces) == expected, "split at \(split)")
        }
        let single = stream.bytes.indices.map { stream.bytes[$0...$0] }
        #expect(Self.readings(single) == expected)
    }

    @Test func allStreamsInOneReadGiveTheSameMessages() {
        let all = Self.streams.flatMap(\.bytes)
        let expected = Self.streams.flatMap(\.messages).map(MiuraReading.message)
        #expect(Self.readings([all[...]]) == expected)
        for step in [2, 3, 5, 7, 64, 257, 258, 259, 1000] {
            let pieces = stride(from: 0, to: all.count, by: step).map {
                all[$0..<min($0 + step, all.count)]
            }
            #expect(Self.readings(pieces) == expected, "pieces of \(step)")
        }
    }

    @Test(arguments: streams.indices)
    func everyDamagedBitIsSeenAtOnceAndNothingDamagedIsAMessage(number: Int) {
        let stream = Self.streams[number]
        let whole = stream.messages.map(MiuraReading.message)
        for bit in 0..<(stream.bytes.count * 8) {
            var bytes = stream.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let readings = Self.readings([bytes[...]])
            #expect(readings != whole, "bit \(bit)")
            guard case .damaged(let damage) = readings.last else {
                Issue.record("the damage of bit \(bit) is not reported")
                continue
            }
            // A changed length can make other bytes a frame by chance: then what follows shows it.
            guard !Self.lengthOffsets(of: stream.bytes).contains(bit / 8) else { continue }
            #expect(damage.frameOffset <= bit / 8 && damage.offset >= bit / 8)
            #expect(whole.starts(with: readings.dropLast()))
        }
    }

    /// Where the length bytes of whole frames are.
    private static func lengthOffsets(of frames: [UInt8]) -> [Int] {
        var offsets: [Int] = []
        var position = 2
        while position < frames.count {
            offsets.append(position)
            position += Int(frames[position]) + 4
        }
        return offsets
    }

    /// Frames whose payload holds every byte that has a meaning in a frame's head or end.
    @Test func bytesThatLookLikeAHeadAtEveryBorderChangeNothing() {
        let special: [UInt8] = [0x01, 0x02, 0x00, 0x40, 0x41, 0x06, 0xFE]
        for first in special {
            for second in special {
                let frame = MiuraFrame(payload: [first, second, first, 0x02, 0x90, 0x00])
                let bytes = frame.bytes + frame.bytes
                let expected = [MiuraReading](
                    repeating: .message(Self.message(frame.payload)),
                    count: 2
                )
                for split in bytes.indices {
                    for length in 1...3 {
                        let end = min(split + length, bytes.count)
                        let pieces = [bytes[..<split], bytes[split..<end], bytes[end...]]
                        #expect(Self.readings(pieces) == expected)
                    }
                }
            }
        }
    }

    @Test(
        arguments: [
            (V.m14, MiuraDamage(.illegalNode(0x00), offset: 0, frameOffset: 0)),
            (V.m15, MiuraDamage(.illegalControl(0xFF), offset: 1, frameOffset: 0)),
            (V.m16, MiuraDamage(.wrongChecksum, offset: 9, frameOffset: 0)),
            ([0x01, 0x00, 0x00], MiuraDamage(.illegalLength(0x00), offset: 2, frameOffset: 0)),
            ([0x01, 0x00, 0x01], MiuraDamage(.illegalLength(0x01), offset: 2, frameOffset: 0)),
            ([0x01, 0x00, 0xFF], MiuraDamage(.illegalLength(0xFF), offset: 2, frameOffset: 0)),
        ]
    )
    func damageIsReportedWithTheByteThatShowsIt(bytes: [UInt8], damage: MiuraDamage) {
        var decoder = MiuraDecoder(.fromReader)
        for byte in bytes.dropLast() {
            decoder.append([byte])
            if damage.offset >= bytes.count - 1 { #expect(decoder.next() == nil) }
        }
        decoder.append(bytes.suffix(1))
        #expect(decoder.next() == .damaged(damage))
        #expect(decoder.isDead)
        decoder.append(V.m02[...])
        #expect(decoder.next() == nil)
        #expect(decoder.finish() == nil)
    }

    @Test(arguments: [0x03, 0x04, 0x05, 0x7F, 0x80, 0x81, 0xFE] as [UInt8])
    func aLengthThatIsTooLongIsReportedWhenTheStreamEnds(length: UInt8) {
        let bytes = [0x01, 0x00, length, 0x50, 0x60, 0x31]
        #expect(
            Self.readings([bytes[...]])
                == [.damaged(MiuraDamage(.truncated, offset: 6, frameOffset: 0))]
        )
    }

    @Test func aChainWithoutItsEndIsReportedWhenTheStreamEnds() {
        #expect(
            Self.readings([(V.m02 + V.m08)[...]]) == [
                .message(Self.message([0x90, 0x00])),
                .damaged(MiuraDamage(.truncated, offset: 14, frameOffset: 6)),
            ]
        )
    }

    @Test func theVendorsRuleForbidsASolicitedFrameInsideAnUnsolicitedChain() {
        let expected: [MiuraReading] = [
            .message(Self.message([0x20, 0x21, 0x22, 0x23], isUnsolicited: true)),
            .damaged(MiuraDamage(.chainInterrupted, offset: 17, frameOffset: 17)),
        ]
        #expect(Self.readings([V.m12[...]], chainRule: .unbroken) == expected)
        // A chain of the other node may be open at the same time.
        let both = V.m08 + V.m13 + V.m02
        #expect(Self.readings([both[...]], chainRule: .unbroken).count == 2)
    }

    @Test func hostsCannotSendUnsolicitedFrames() {
        #expect(
            Self.readings([V.m05[...]], .toReader)
                == [.damaged(MiuraDamage(.illegalControl(0x40), offset: 1, frameOffset: 0))]
        )
    }

    // MARK: Resync

    @Test func behindDamageTheNextFrameIsReadAndTheGapIsReported() {
        for bit in 0..<(V.m26.count * 8) {
            var bytes = V.m26
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let readings = Self.readings([(V.m02 + bytes + V.m18 + V.m21)[...]], policy: .resync)
            let last = Self.streams.first { $0.bytes == V.m21 }?.messages.last
            #expect(readings.first == .message(Self.message([0x90, 0x00])))
            #expect(readings.contains { if case .damaged = $0 { true } else { false } })
            #expect(readings.contains { if case .skipped = $0 { true } else { false } })
            #expect(readings.last == last.map(MiuraReading.message), "bit \(bit)")
        }
    }

    @Test func theRestOfAChainWithADamagedFrameIsNoMessage() {
        let payload = (0..<600).map { UInt8(truncatingIfNeeded: $0 | 0x80) }
        let bytes = MiuraMessage(payload: payload).bytes
        for damaged in [100, 300, 520] {
            var stream = bytes + V.m10
            stream[damaged] ^= 0x10
            let readings = Self.readings([stream[...]], policy: .resync)
            let messages = readings.filter { if case .message = $0 { true } else { false } }
            #expect(messages == [.message(Self.message(V.m10[3..<12]))], "byte \(damaged)")
        }
    }

    // MARK: Chains and limits

    @Test func messagesAreCutIntoFullFramesAndJoinedAgain() {
        for count in [2, 3, 253, 254, 255, 256, 257, 508, 509, 510, 4096] {
            let message = Self.message([UInt8](repeating: 0x5A, count: count), isUnsolicited: true)
            #expect(message.frames.allSatisfy { MiuraFrame.payloadByteCounts ~= $0.payload.count })
            #expect(message.frames.dropLast().allSatisfy { $0.isChained })
            #expect(message.frames.last?.isChained == false)
            #expect(Self.readings([message.bytes[...]]) == [.message(message)])
        }
        #expect(Self.message(V.m24[3..<257] + V.m24[261..<310]).bytes == V.m24)
    }

    @Test func aChainWithoutEndIsDamageAndTakesNoMemory() {
        let frame = MiuraFrame(isChained: true, payload: [UInt8](repeating: 1, count: 254))
        var decoder = MiuraDecoder(.fromReader, policy: .resync)
        var damage: [MiuraReading] = []
        for _ in 0..<1000 {
            decoder.append(frame.bytes[...])
            while let reading = decoder.next() { damage.append(reading) }
        }
        let offset = 258 * 258
        #expect(
            damage
                == [.damaged(MiuraDamage(.messageTooLong, offset: offset, frameOffset: offset))]
        )
    }

    @Test func bytesBehindStreamBinaryHaveNoFraming() {
        let stream = MiuraCommand.streamBinary(MiuraStream(offset: 0, byteCount: 300))
        let raw = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = stream.message().bytes + raw + V.m01
        for split in bytes.indices {
            var left = 300
            var collected: [UInt8] = []
            var messages: [MiuraMessage] = []
            for reading in Self.readings([bytes[..<split], bytes[split...]], .toReader) {
                switch reading {
                case .message(let message): messages.append(message)
                case .rawBytes(let bytes, let remaining):
                    collected += bytes
                    left -= bytes.count
                    #expect(remaining == left)
                case .damaged, .skipped: Issue.record("\(reading)")
                }
            }
            #expect(collected == raw)
            #expect(messages == [stream.message(), MiuraCommand.resetDevice(.soft).message()])
        }
    }

    @Test func anyBytesGiveSomethingAndNeverTrap() {
        var generator = SeededGenerator(seed: 6)
        for round in 0..<3000 {
            var bytes = Self.streams[generator.below(Self.streams.count)].bytes
            bytes = generator.mutated(bytes) + generator.bytes(upTo: 40)
            for policy in MiuraDamagePolicy.allCases {
                let rule = MiuraChainRule.allCases[round & 1]
                let split = generator.below(bytes.count + 1)
                let direction = MiuraDecoder.Direction.allCases[round / 2 & 1]
                let inTwo = Self.readings(
                    [bytes[..<split], bytes[split...]],
                    direction,
                    policy: policy,
                    chainRule: rule
                )
                for case .message(let message) in inTwo {
                    _ = MiuraEvent(MiuraResponse(message))
                    guard let apdu = try? MiuraAPDU(message.payload) else { continue }
                    _ = try? MiuraCommand(apdu)
                }
                if policy == .dropLink {
                    let whole = Self.readings([bytes[...]], direction, chainRule: rule)
                    if !bytes.starts(with: [0x00, 0xD7]) { #expect(whole == inTwo) }
                }
            }
        }
    }
}
