import CaptureAnalysis
import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Testing
import Transports

@Suite("Conversation redactor")
struct ConversationRedactorTests {
    private func conversation(
        _ wire: WireProtocol,
        _ pieces: [[UInt8]],
        isReport: Bool = false
    ) -> Conversation {
        Conversation(
            wire: wire,
            events: pieces.enumerated().map { index, piece in
                Conversation.Event(
                    offset: .milliseconds(Int64(index)),
                    .fromReader(TransportUnit(isReport ? .report(id: 0) : .bytes, piece[...])),
                    packetNumber: index + 1
                )
            }
        )
    }

    private func bytes(_ conversation: Conversation) -> [UInt8] {
        conversation.events.flatMap { Array($0.bytes) }
    }

    /// A swipe on a MagneSafe reader, in the pieces in which it is sent.
    private func swipe(_ model: MagneSafeModel) throws -> [[UInt8]] {
        var reader = SimulatedMagneSafeReader(MagneSafeReaderConfiguration(model))
        reader.powerUp()
        let card = try #require(TestCard.named("visa"))
        let sent = reader.swipe(card: card, quality: .good, cache: CryptoCache(), at: .zero)
        return sent.map { Array($0.unit.payload) }
    }

    @Test func aReportKeepsItsLengthAndItsCiphertext() throws {
        let pieces = try swipe(.dynamag(packetByteCount: 8))
        var redactor = ConversationRedactor()
        let redacted = redactor.redact(
            conversation(.magneSafeReports, pieces, isReport: true)
        )
        #expect(redacted.events.map(\.bytes.count) == pieces.map(\.count))
        let before = try MagneSafeRecord(report: pieces.flatMap(\.self))
        let after = try MagneSafeRecord(report: bytes(redacted))
        #expect(after.track1.encrypted == before.track1.encrypted)
        #expect(after.ksn == before.ksn)
        #expect(after.maskedCardNumber == before.maskedCardNumber)
        #expect(after.cardholderName != before.cardholderName)
        #expect(!redactor.standIns.secrets.isEmpty)
    }

    @Test func aStreamMessageKeepsARightChecksum() throws {
        let pieces = try swipe(.idynamo)
        var redactor = ConversationRedactor()
        let redacted = redactor.redact(conversation(.magneSafeStream, pieces))
        var decoder = MagneSafeStreamDecoder()
        decoder.append(bytes(redacted)[...])
        guard case .record(let record)? = decoder.next() else {
            Issue.record("no message was read")
            return
        }
        #expect(record.cardholderName?.description.contains("TEST") == false)
    }

    /// A card status message of a Miura with a name and a track in clear.
    private var miuraMessage: MiuraMessage {
        let pan = [UInt8](repeating: 0x34, count: 1) + Array("761739001010010".utf8)
        let track = Array(";".utf8) + pan + Array("=22122011143878089?".utf8)
        let body = [
            TLV(
                .responseData,
                [
                    TLV(.cardStatus, [0x00, 0x05]), TLV(.track2, track),
                    TLV(.cardholderName, text: "SMITH/JO"),
                ]
            )
        ]
        return MiuraMessage(isUnsolicited: true, payload: body.tlvBytes + [0x90, 0x00])
    }

    @Test func aMiuraFrameKeepsItsLRCAndTheNumberItsLuhnDigit() throws {
        let frame = miuraMessage.bytes
        // Over three units, so that the number is split.
        let pieces = [Array(frame[..<20]), Array(frame[20..<31]), Array(frame[31...])]
        var redactor = ConversationRedactor()
        let redacted = redactor.redact(conversation(.miura, pieces))
        let output = bytes(redacted)
        #expect(output.count == frame.count)
        #expect(output.reduce(0, ^) == 0)
        let scan = SecretScan(redactor.standIns.secrets)
        #expect(redactor.standIns.secrets.count >= 3)
        #expect(!scan.findings(in: frame).isEmpty)
        #expect(scan.findings(in: output).isEmpty)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains("476173"))
        #expect(text.contains("0010="))
    }

    @Test func aDamagedFrameLosesItsSecretsToo() {
        var frame = miuraMessage.bytes
        frame[frame.count - 1] ^= 0xFF
        var redactor = ConversationRedactor()
        let redacted = redactor.redact(conversation(.miura, [frame]))
        let scan = SecretScan(redactor.standIns.secrets)
        #expect(scan.findings(in: bytes(redacted)).isEmpty)
        #expect(redactor.standIns.secrets.count >= 3)
    }

    @Test func whatWasRedactedStaysWhenItIsRedactedAgain() throws {
        let pieces = try swipe(.dynamag(packetByteCount: 8))
        var first = ConversationRedactor()
        let once = first.redact(conversation(.magneSafeReports, pieces, isReport: true))
        var second = ConversationRedactor()
        #expect(second.redact(once) == once)
        #expect(second.standIns.secrets.isEmpty)
    }

    @Test(arguments: WireProtocol.allCases, 0..<40)
    func anyBytesKeepTheirNumberAndNeverTrap(_ wire: WireProtocol, _ seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        var pieces: [[UInt8]] = []
        for _ in 0..<12 {
            var piece: [UInt8] = []
            for _ in 0..<Int(state % 97) {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                // Signs that begin something are likelier than others.
                let signs = Array("%;=^?|\u{1}\u{2}\u{3}B0123456789".utf8)
                piece.append(
                    state & 3 == 0 ? UInt8(state >> 24 & 255) : signs[Int(state >> 8) % signs.count]
                )
            }
            state &+= 12_345
            pieces.append(piece)
        }
        var redactor = ConversationRedactor()
        let redacted = redactor.redact(conversation(wire, pieces))
        #expect(redacted.events.map(\.bytes.count) == pieces.map(\.count))
    }

    @Test func keysOfAScenarioBecomeZeros() {
        var redactor = ConversationRedactor()
        let text = redactor.redact(scenario: "steps:\n  - keys: 1234 enter\n  - wait: 20s\n")
        #expect(text == "steps:\n  - keys: 0000 enter\n  - wait: 20s\n")
    }
}
