import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import Testing
import Transports

@testable import SimulatedReaders

@Suite("Simulated SecureMag")
struct SimulatedSecureMagTests {
    private func record(
        _ reader: inout SimulatedSecureMag,
        _ quality: SwipeQuality = .good
    ) throws -> IDTechRecord {
        let card = try #require(TestCard.named("visa"))
        let sent = reader.swipe(card: card, quality: quality, cache: CryptoCache())
        var assembler = IDTechReportAssembler(maximumPacketByteCount: 8)
        for packet in sent { assembler.append(packet.unit.payload, at: .zero + packet.offset) }
        let packet = assembler.next()
        return try IDTechRecord(#require(packet))
    }

    /// Sends a command as a host does and returns the answer.
    private func ask(
        _ reader: inout SimulatedSecureMag,
        _ command: IDTechCommand
    ) -> (answer: IDTechAnswer?, leaves: Bool) {
        var bytes = command.packet
        while bytes.count % 8 != 0 { bytes.append(0) }
        var leaves = false
        for start in stride(from: 0, to: bytes.count, by: 8) {
            let unit = TransportUnit(.featureSet(id: 0), bytes[start..<(start + 8)])
            leaves = reader.receive(unit).contains(.reattach) || leaves
        }
        var answer: [UInt8] = []
        for _ in 0..<80 {
            let reactions = reader.receive(TransportUnit(.featureGet(id: 0, byteCount: 8), []))
            guard case .finishFeature(.got(let piece))? = reactions.first,
                piece.contains(where: { $0 != 0 })
            else { break }
            answer += piece
        }
        while answer.last == 0 { answer.removeLast() }
        return (try? IDTechAnswer(answer), leaves)
    }

    @Test func eachSwipeIsARecordWithItsOwnKey() throws {
        var reader = SimulatedSecureMag(SecureMagConfiguration())
        let first = try record(&reader)
        let second = try record(&reader, .reversed)
        #expect(first.ksn != second.ksn)
        #expect(first.maskedCardNumber == second.maskedCardNumber)
        #expect(first.track1.hash != nil && first.track1.encrypted != nil)
        #expect(try record(&reader, .unreadable).track2.encrypted == nil)
    }

    @Test func commandsChangeTheRecordAndTellOfTheReader() throws {
        var reader = SimulatedSecureMag(SecureMagConfiguration())
        #expect(ask(&reader, .get(.securityLevel)).answer == .data([0x7E, 1, 0x33]))
        #expect(
            ask(&reader, .get(.serialNumber)).answer
                == .data([0x4E, 0x0B, 0x0A] + Array("0000000001".utf8))
        )
        #expect(ask(&reader, .set(.cipher, 0x32)).answer == .acknowledged)
        #expect(try record(&reader).cipher == .aes)
        #expect(ask(&reader, .set(.format, 0x30)).answer == .acknowledged)
        #expect(try record(&reader).format == .original)
        #expect(ask(&reader, .set(.leadingClearDigits, 7)).answer == .refused)
        #expect(ask(&reader, .other([0x30, 0x31])).answer == .refused)
    }

    @Test func theKeyboardModeTypesTheSameRecord() throws {
        var reader = SimulatedSecureMag(SecureMagConfiguration())
        #expect(reader.attachment.productID == 0x2010)
        let switched = ask(&reader, .set(.usbMode, 0x38))
        #expect(switched.leaves)
        reader.powerUp()
        #expect(reader.attachment.productID == 0x2030)
        let card = try #require(TestCard.named("visa"))
        let sent = reader.swipe(card: card, quality: .good, cache: CryptoCache())
        var text: [UInt8] = []
        for unit in sent where unit.unit.payload.contains(where: { $0 != 0 }) {
            let report = Array(unit.unit.payload)
            let stroke = KeyStroke(usage: report[2], modifiers: report[0])
            if let character = KeyboardReports.character(of: stroke) { text.append(character) }
        }
        let record = try IDTechRecord(IDTechTypedRecord.packet(text))
        #expect(record.maskedCardNumber != nil)
        #expect(ask(&reader, .set(.usbMode, 0x30)).leaves)
        reader.powerUp()
        #expect(reader.attachment.productID == 0x2010)
    }

    @Test func unitsOfAnyKindNeverTrap() {
        var reader = SimulatedSecureMag(SecureMagConfiguration())
        for length in [0, 1, 7, 8, 9, 64] {
            for value: UInt8 in [0, 2, 3, 0x53, 0xFF] {
                let bytes = [UInt8](repeating: value, count: length)
                for _ in 0..<100 {
                    _ = reader.receive(TransportUnit(.featureSet(id: 0), bytes[...]))
                }
                _ = reader.receive(TransportUnit(.featureGet(id: 0, byteCount: length), []))
                _ = reader.receive(TransportUnit(.bytes, bytes[...]))
            }
        }
        #expect(ask(&reader, .get(.usbMode)).answer != nil)
    }
}
