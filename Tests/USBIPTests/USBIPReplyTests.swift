import Testing
import Transports
import USBIP

@Suite("USB/IP replies")
struct USBIPReplyTests {
    /// The record of a device: 312 bytes.
    private static var record: [UInt8] {
        let path = Array("/sys/devices/cardrig/usb1/1-1".utf8)
        return path + [UInt8](repeating: 0, count: 256 - path.count)
            + Array("1-1".utf8) + [UInt8](repeating: 0, count: 29)
            + bytes("00000001 00000002 00000002 0801 0002 0100 00 00 00 01 01 01")
    }

    @Test func theListHasARecordAndFourBytesForEachInterface() {
        let reply = USBIPReply.list([USBIPExport(Devices.hid)]).bytes
        #expect(reply == bytes("0111000500000000 00000001") + Self.record + [3, 0, 0, 0])
        #expect(reply.count == 12 + 312 + 4)
    }

    @Test func aListOfTwoKeepsTheSecondInItsPlace() {
        let reply = USBIPReply.list([USBIPExport(Devices.serialLine), USBIPExport(Devices.hid)])
        #expect(Array(reply.bytes.suffix(316)) == Self.record + [3, 0, 0, 0])
        #expect(Array(reply.bytes[324..<332]) == [2, 2, 1, 0, 10, 0, 0, 0])
    }

    /// Source: the exchange of Debian's usbip 2.0 with a stub server.
    @Test func anEmptyListIsOneCount() {
        #expect(USBIPReply.list([]).bytes == bytes("0111000500000000 00000000"))
    }

    @Test func whatIsTakenHasNoInterfaces() {
        let reply = USBIPReply.taken(USBIPExport(Devices.hid)).bytes
        #expect(reply == bytes("0111000300000000") + Self.record)
        #expect(reply.count == 320)
    }

    @Test(arguments: [
        (USBIPReply.Refusal.failed, "0111000300000001"), (.busy, "0111000300000002"),
        (.deviceError, "0111000300000003"), (.noDevice, "0111000300000004"),
    ])
    func aRefusalIsEightBytes(refusal: USBIPReply.Refusal, hex: String) {
        #expect(USBIPReply.refused(refusal).bytes == bytes(hex))
    }

    /// Source: Linux kernel documentation, usb/usbip_protocol, EXAMPLE; the start frame is echoed.
    @Test func aReportIsReturnedAsInTheKernelsExample() throws {
        var port = try Devices.configured(Devices.hid)
        let transfer = USBIPTransfer(
            number: 0xD05,
            isIn: true,
            endpoint: 1,
            byteCount: 64,
            flags: 0x200,
            startFrame: .max,
            interval: 4
        )
        _ = try port.take(.submit(transfer), endingAt: 48)
        let report = (0..<64).map { UInt8($0) }
        let effects = port.send(.init(.report(id: 0), report[...]))
        guard case .answer(let answer) = effects.first else {
            Issue.record("nothing is answered")
            return
        }
        let header = bytes(
            """
            00000003 00000d05 00000000 00000000 00000000 00000000 00000040 ffffffff 00000000
            00000000 00000000 00000000
            """
        )
        #expect(answer.bytes == header + report)
    }

    @Test func aWithdrawalIsAnsweredUnderItsOwnNumber() {
        let answer = USBIPReturn.unlinked(number: 0xD07, status: .takenBack)
        let expected = bytes("00000004 00000d07 00000000 00000000 00000000 ffffff98")
        #expect(answer.bytes == expected + [UInt8](repeating: 0, count: 24))
    }

    @Test func aStallIsMinus32() throws {
        var port = USBIPPort(Devices.hid)
        let request = USBControlRequest(type: 0xC0, code: 1, value: 0, index: 0, byteCount: 4)
        let effects = try port.take(.submit(Devices.control(5, request)), endingAt: 48)
        guard case .answer(let answer) = effects.first else {
            Issue.record("nothing is answered")
            return
        }
        #expect(Array(answer.bytes[20..<24]) == bytes("FFFFFFE0"))
        #expect(answer.bytes.count == 48)
    }
}
