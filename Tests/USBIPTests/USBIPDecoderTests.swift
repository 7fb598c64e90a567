import Testing
import USBIP

@Suite("USB/IP decoder")
struct USBIPDecoderTests {
    /// Source: Linux kernel documentation, usb/usbip_protocol, EXAMPLE (a HID device, 64 bytes).
    static let submitIn = bytes(
        """
        00000001 00000d05 0001000f 00000001 00000001 00000200 00000040 ffffffff 00000000 00000004
        00000000 00000000
        """
    )
    /// As there; the data are ours.
    static let submitOut =
        bytes(
            """
            00000001 00000d06 0001000f 00000000 00000001 00000000 00000040 ffffffff 00000000
            00000004 00000000 00000000
            """
        ) + (0..<64).map { UInt8($0) }
    static let unlink = bytes(
        """
        00000002 00000d07 0001000f 00000000 00000000 00000d05 00000000 00000000 00000000 00000000
        00000000 00000000
        """
    )
    static let getDescriptor = bytes(
        """
        00000001 00000001 0001000f 00000001 00000000 00000200 00000040 00000000 00000000 00000000
        80060001 00004000
        """
    )

    static let commands: [(bytes: [UInt8], command: USBIPCommand)] = [
        (
            submitIn,
            .submit(
                USBIPTransfer(
                    number: 0xD05,
                    isIn: true,
                    endpoint: 1,
                    byteCount: 64,
                    flags: 0x200,
                    startFrame: .max,
                    interval: 4
                )
            )
        ),
        (
            submitOut,
            .submit(
                USBIPTransfer(
                    number: 0xD06,
                    isIn: false,
                    endpoint: 1,
                    byteCount: 64,
                    data: (0..<64).map { UInt8($0) }[...],
                    startFrame: .max,
                    interval: 4
                )
            )
        ),
        (unlink, .unlink(number: 0xD07, transfer: 0xD05)),
        (
            getDescriptor,
            .submit(
                USBIPTransfer(
                    number: 1,
                    isIn: true,
                    endpoint: 0,
                    byteCount: 64,
                    request: USBControlRequest(
                        type: 0x80,
                        code: 6,
                        value: 0x0100,
                        index: 0,
                        byteCount: 64
                    ),
                    flags: 0x200
                )
            )
        ),
    ]

    private func decoderOfCommands() -> USBIPDecoder {
        var decoder = USBIPDecoder()
        decoder.expectCommands(to: 0x0001_000F)
        return decoder
    }

    /// Source: the exchange of Debian's usbip 2.0 with a stub server.
    @Test func readsTheRequestsOfDebiansClient() throws {
        var decoder = USBIPDecoder()
        decoder.append(bytes("0111800500000000")[...])
        #expect(try decoder.next() == .request(.list))
        decoder.append((bytes("0111800300000000 312d31") + [UInt8](repeating: 0, count: 29))[...])
        #expect(try decoder.next() == .request(.take(busID: "1-1")))
        try decoder.finish()
    }

    @Test func requestsAreWrittenAsTheyAreRead() {
        #expect(USBIPRequest.list.bytes == bytes("0111800500000000"))
        let take = bytes("0111800300000000 312d31") + [UInt8](repeating: 0, count: 29)
        #expect(USBIPRequest.take(busID: "1-1").bytes == take)
    }

    @Test(arguments: commands.indices)
    func readsAndWritesEveryCommand(index: Int) throws {
        let (bytes, command) = Self.commands[index]
        var decoder = decoderOfCommands()
        decoder.append(bytes[...])
        #expect(try decoder.next() == .command(command))
        try decoder.finish()
        #expect(command.bytes(deviceID: 0x0001_000F) == bytes)
    }

    @Test func readsTheSameAtEverySplit() throws {
        let stream = Self.commands.flatMap(\.bytes)
        let expected = Self.commands.map { USBIPDecoder.Message.command($0.command) }
        for split in 0...stream.count {
            var decoder = decoderOfCommands()
            var found: [USBIPDecoder.Message] = []
            for piece in [stream[..<split], stream[split...]] {
                decoder.append(piece)
                while let message = try decoder.next() { found.append(message) }
            }
            #expect(found == expected, "split at \(split)")
        }
    }

    @Test(arguments: 1...7)
    func readsTheSameInPieces(byteCount: Int) throws {
        let stream = Self.commands.flatMap(\.bytes)
        var decoder = decoderOfCommands()
        var found: [USBIPDecoder.Message] = []
        for start in stride(from: 0, to: stream.count, by: byteCount) {
            decoder.append(stream[start..<min(start + byteCount, stream.count)])
            while let message = try decoder.next() { found.append(message) }
        }
        #expect(found == Self.commands.map { .command($0.command) })
        #expect(decoder.offset == stream.count)
    }

    /// Each with what is wrong, behind one good command.
    static let badCommands: [(change: [(Int, [UInt8])], code: USBIPError.Code)] = [
        ([(0, [0, 0, 0, 9])], .unknownCommand(9)),
        ([(8, [0, 2, 0, 0])], .otherDevice(0x0002_0000)),
        ([(12, [0, 0, 0, 2])], .direction(2)),
        ([(16, [0, 0, 0, 16])], .endpoint(16)),
        ([(24, [0x7F, 0xFF, 0xFF, 0xFF])], .transferLength(.max)),
        ([(24, [0xFF, 0xFF, 0xFF, 0xFF])], .transferLength(-1)),
        ([(12, [0, 0, 0, 0]), (24, [0, 0x10, 0, 1])], .transferLength(0x10_0001)),
        ([(32, [0, 0, 0, 8])], .isochronous(packetCount: 8)),
        ([(32, [0x80, 0, 0, 0])], .isochronous(packetCount: .min)),
    ]

    @Test(arguments: badCommands.indices)
    func saysWhatIsWrongAndWhere(index: Int) throws {
        var bad = Self.submitIn
        for (offset, bytes) in Self.badCommands[index].change {
            bad.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        }
        var decoder = decoderOfCommands()
        decoder.append((Self.unlink + bad)[...])
        _ = try decoder.next()
        #expect(throws: USBIPError(Self.badCommands[index].code, offset: 48)) {
            try decoder.next()
        }
    }

    @Test func anUnknownCommandIsRefusedBeforeItsHeaderIsComplete() {
        var decoder = decoderOfCommands()
        decoder.append([0, 0, 0, 0][...])
        #expect(throws: USBIPError(.unknownCommand(0), offset: 0)) { try decoder.next() }
    }

    @Test(arguments: [
        ("0106800500000000", USBIPError.Code.version(0x0106)),
        ("4745", .version(0x4745)),
        ("01110005", .unknownRequest(0x0005)),
        ("01118002", .unknownRequest(0x8002)),
    ])
    func refusesRequestsThatAreNone(hex: String, code: USBIPError.Code) {
        var decoder = USBIPDecoder()
        decoder.append(bytes(hex)[...])
        #expect(throws: USBIPError(code, offset: 0)) { try decoder.next() }
    }

    @Test(arguments: [1, 7, 8, 39])
    func anEndInsideARequestIsTold(byteCount: Int) throws {
        var decoder = USBIPDecoder()
        decoder.append(USBIPRequest.take(busID: "1-1").bytes[..<byteCount])
        #expect(try decoder.next() == nil)
        #expect(throws: USBIPError(.truncated, offset: 0)) { try decoder.finish() }
    }

    @Test func damagedCommandsNeverTrap() throws {
        // Every byte of every command, with every single bit turned.
        for (bytes, _) in Self.commands {
            for index in bytes.indices {
                for bit in 0..<8 {
                    var damaged = bytes
                    damaged[index] ^= 1 << UInt8(bit)
                    var decoder = decoderOfCommands()
                    decoder.append(damaged[...])
                    var port = try Devices.configured(Devices.hid)
                    while let message = try? decoder.next() {
                        guard case .command(let command) = message else { break }
                        _ = try? port.take(command, endingAt: decoder.offset)
                    }
                }
            }
        }
    }
}
