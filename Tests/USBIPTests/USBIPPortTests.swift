import Testing
import Transports
import USBIP

@Suite("USB/IP port")
struct USBIPPortTests {
    private func packet(_ byteCount: Int, from first: Int = 0) -> TransportUnit {
        TransportUnit(.report(id: 0), (0..<byteCount).map { UInt8((first + $0) & 0xFF) }[...])
    }

    private func take(
        _ port: inout USBIPPort,
        _ transfer: USBIPTransfer
    ) throws
        -> [USBIPPort.Effect]
    {
        try port.take(.submit(transfer), endingAt: 48)
    }

    // MARK: Reports

    @Test func aReportThatComesInPacketsFillsOneTransfer() throws {
        var port = try Devices.configured(Devices.hid)
        #expect(try take(&port, Devices.read(1, byteCount: 887)).isEmpty)
        for start in stride(from: 0, to: 880, by: 8) {
            #expect(port.send(packet(8, from: start)).isEmpty)
        }
        let answers = port.send(packet(7, from: 880)).answers
        #expect(answers == [Answer(1, .done, (0..<887).map { UInt8($0 & 0xFF) })])
        #expect(port.waitingCount == 0)
    }

    @Test func aReportIsKeptUntilTheFirstTransferAsksForIt() throws {
        var port = try Devices.configured(Devices.hid)
        #expect(port.send(packet(8)).isEmpty)
        #expect(port.send(packet(3, from: 8)).isEmpty)
        #expect(port.heldByteCount == 11)
        let answers = try take(&port, Devices.read(1, byteCount: 64)).answers
        #expect(answers == [Answer(1, .done, (0..<11).map { UInt8($0) })])
        #expect(port.heldByteCount == 0)
    }

    @Test func aFullTransferEndsWithoutAShortPacket() throws {
        var port = try Devices.configured(Devices.hid)
        _ = try take(&port, Devices.read(1, byteCount: 16))
        _ = try take(&port, Devices.read(2, byteCount: 16))
        #expect(port.send(packet(8)).isEmpty)
        #expect(port.send(packet(8)).answers.map(\.number) == [1])
        #expect(port.send(packet(8)).isEmpty)
        #expect(port.send(packet(1)).answers.map(\.number) == [2])
    }

    @Test func aPacketWithoutRoomIsAnOverflow() throws {
        var port = try Devices.configured(Devices.hid)
        _ = try take(&port, Devices.read(1, byteCount: 4))
        #expect(port.send(packet(8)).answers == [Answer(1, .overflow, [0, 1, 2, 3])])
    }

    @Test func whatNobodyAsksForIsBounded() throws {
        var port = try Devices.configured(Devices.hid)
        for _ in 0..<10_000 { _ = port.send(packet(8)) }
        #expect(port.heldByteCount == USBIPPort.maximumHeldByteCount)
        #expect(port.lostByteCount == 80_000 - USBIPPort.maximumHeldByteCount)
    }

    @Test func transfersAreAnsweredInTheirOrder() throws {
        var port = try Devices.configured(Devices.hid)
        for number in 1...3 { _ = try take(&port, Devices.read(UInt32(number), byteCount: 64)) }
        #expect(port.send(packet(3)).answers.map(\.number) == [1])
        #expect(port.send(packet(3)).answers.map(\.number) == [2])
        #expect(port.send(packet(3)).answers.map(\.number) == [3])
    }

    // MARK: Withdrawals

    @Test func aWaitingTransferThatIsTakenBackIsNeverAnswered() throws {
        var port = try Devices.configured(Devices.hid)
        _ = try take(&port, Devices.read(1, byteCount: 64))
        let effects = try port.take(.unlink(number: 2, transfer: 1), endingAt: 96)
        #expect(effects.answers == [Answer(2, .takenBack)])
        #expect(port.send(packet(3)).isEmpty)
        #expect(port.heldByteCount == 3)
    }

    @Test func whatWasAnsweredCannotBeTakenBack() throws {
        var port = try Devices.configured(Devices.hid)
        _ = try take(&port, Devices.read(1, byteCount: 64))
        #expect(port.send(packet(3)).answers.map(\.number) == [1])
        let effects = try port.take(.unlink(number: 2, transfer: 1), endingAt: 96)
        #expect(effects.answers == [Answer(2, .done)])
    }

    @Test func theReadersAnswerToAWithdrawnRequestIsDropped() throws {
        var port = try Devices.configured(Devices.hid)
        let get = USBControlRequest(type: 0xA1, code: 1, value: 0x0300, index: 0, byteCount: 60)
        #expect(try take(&port, Devices.control(1, get)).units.count == 1)
        _ = try take(&port, Devices.control(2, get))
        let effects = try port.take(.unlink(number: 3, transfer: 1), endingAt: 96)
        #expect(effects.answers == [Answer(3, .takenBack)])
        // The second one is the reader's now.
        #expect(effects.units.count == 1)
        #expect(port.finished(.got([1])).isEmpty)
        #expect(port.finished(.got([2])).answers == [Answer(2, .done, [2])])
    }

    // MARK: Feature reports

    @Test func featureReportsAreTheReaders() throws {
        var port = try Devices.configured(Devices.hid)
        let set = USBControlRequest(type: 0x21, code: 9, value: 0x0300, index: 0, byteCount: 3)
        let asked = try take(&port, Devices.control(1, set, data: [0, 1, 0]))
        #expect(asked == [.unit(TransportUnit(.featureSet(id: 0), [0, 1, 0]))])
        #expect(port.finished(.set).answers == [Answer(1, .done, [], 3)])

        let get = USBControlRequest(type: 0xA1, code: 1, value: 0x0300, index: 0, byteCount: 2)
        let unit = TransportUnit(.featureGet(id: 0, byteCount: 2), [])
        #expect(try take(&port, Devices.control(2, get)) == [.unit(unit)])
        // No more than was asked for.
        #expect(port.finished(.got([7, 8, 9])).answers == [Answer(2, .done, [7, 8])])
        _ = try take(&port, Devices.control(3, get))
        #expect(port.finished(.stalled).answers == [Answer(3, .stalled)])
    }

    @Test func otherRequestsWaitBehindTheReader() throws {
        var port = try Devices.configured(Devices.hid)
        let get = USBControlRequest(type: 0xA1, code: 1, value: 0x0300, index: 0, byteCount: 2)
        let status = USBControlRequest(type: 0x80, code: 0, value: 0, index: 0, byteCount: 2)
        _ = try take(&port, Devices.control(1, get))
        #expect(try take(&port, Devices.control(2, status)).isEmpty)
        #expect(
            port.finished(.got([1, 2])).answers == [
                Answer(1, .done, [1, 2]), Answer(2, .done, [0, 0]),
            ]
        )
    }

    // MARK: Requests of every device

    /// Request, and the answer; `nil` is a stall. Type, request, value, index, length.
    private static let requests: [(UInt8, UInt8, UInt16, UInt16, UInt16, [UInt8]?)] = [
        (
            0x80, 6, 0x0100, 0, 64,
            bytes("12 01 1001 00 00 00 08 0108 0200 0001 01 02 00 01")
        ),
        (0x80, 6, 0x0100, 0, 8, bytes("12 01 1001 00 00 00 08")),
        (
            0x80, 6, 0x0200, 0, 255,
            bytes("09 02 2200 01 01 00 80 32 09 04 00 00 01 03 00 00 00")
                + bytes("09 21 1001 00 01 22 0800 07 05 81 03 0800 01")
        ),
        (0x80, 6, 0x0200, 0, 9, bytes("09 02 2200 01 01 00 80 32")),
        (0x80, 6, 0x0300, 0, 255, bytes("04 03 0904")),
        (0x80, 6, 0x0301, 0x0409, 255, bytes("10 03 4d00 6100 6700 2d00 5400 6500 6b00")),
        (0x80, 6, 0x0303, 0x0409, 255, nil),
        (0x80, 6, 0x0600, 0, 10, nil),
        (0x80, 6, 0x0F00, 0, 5, nil),
        (0x81, 6, 0x2200, 0, 100, Devices.reportDescriptor),
        (0x81, 6, 0x2100, 0, 9, bytes("09 21 1001 00 01 22 0800")),
        (0x81, 6, 0x2200, 1, 100, nil),
        (0x80, 0, 0, 0, 2, [0, 0]),
        (0x81, 0, 0, 0, 2, [0, 0]),
        (0x81, 0, 0, 7, 2, nil),
        (0x82, 0, 0, 0x81, 2, [0, 0]),
        (0x82, 0, 0, 0x02, 2, nil),
        (0x80, 8, 0, 0, 1, [1]),
        (0x00, 9, 2, 0, 0, nil),
        (0x00, 9, 1, 0, 0, []),
        (0x81, 10, 0, 0, 1, [0]),
        (0x01, 11, 0, 0, 0, []),
        (0x01, 11, 1, 0, 0, nil),
        (0x21, 10, 0x0500, 0, 0, []),
        (0xA1, 2, 0, 0, 1, [0]),
        (0xA1, 3, 0, 0, 1, nil),
        (0xA1, 1, 0x0100, 0, 8, nil),
        (0x21, 9, 0x0200, 0, 0, nil),
        (0x40, 1, 0, 0, 0, nil),
        (0xC0, 1, 0, 0, 8, nil),
        (0xFF, 0xFF, 0xFFFF, 0xFFFF, 0, nil),
    ]

    @Test(arguments: requests.indices)
    func answersRequestsAndStallsWhatItDoesNotKnow(index: Int) throws {
        let (type, code, value, wIndex, length, expected) = Self.requests[index]
        var port = try Devices.configured(Devices.hid)
        let request = USBControlRequest(
            type: type,
            code: code,
            value: value,
            index: wIndex,
            byteCount: length
        )
        let answers = try take(&port, Devices.control(1, request)).answers
        #expect(answers == [expected.map { Answer(1, .done, $0) } ?? Answer(1, .stalled)])
    }

    @Test func theIdleRateIsKept() throws {
        var port = try Devices.configured(Devices.hid)
        let set = USBControlRequest(type: 0x21, code: 10, value: 0x7D00, index: 0, byteCount: 0)
        _ = try take(&port, Devices.control(1, set))
        let get = USBControlRequest(type: 0xA1, code: 2, value: 0, index: 0, byteCount: 1)
        #expect(try take(&port, Devices.control(2, get)).answers == [Answer(2, .done, [0x7D])])
    }

    @Test func aHaltedEndpointStallsUntilItIsCleared() throws {
        var port = try Devices.configured(Devices.hid)
        let halt = USBControlRequest(type: 2, code: 3, value: 0, index: 0x81, byteCount: 0)
        let clear = USBControlRequest(type: 2, code: 1, value: 0, index: 0x81, byteCount: 0)
        #expect(try take(&port, Devices.control(1, halt)).answers == [Answer(1, .done)])
        #expect(
            try take(&port, Devices.read(2, byteCount: 8)).answers == [Answer(2, .stalled)]
        )
        #expect(try take(&port, Devices.control(3, clear)).answers == [Answer(3, .done)])
        #expect(try take(&port, Devices.read(4, byteCount: 8)).isEmpty)
    }

    @Test func endpointsStallBeforeTheDeviceIsConfigured() throws {
        var port = USBIPPort(Devices.hid)
        #expect(try take(&port, Devices.read(1, byteCount: 8)).answers == [Answer(1, .stalled)])
    }

    @Test func directionsThatDisagreeAreStalled() throws {
        var port = try Devices.configured(Devices.hid)
        let request = USBControlRequest(type: 0x80, code: 6, value: 0x0100, index: 0, byteCount: 8)
        var transfer = Devices.control(1, request, data: [UInt8](repeating: 0, count: 8))
        transfer.isIn = false
        #expect(try take(&port, transfer).answers == [Answer(1, .stalled)])
    }

    // MARK: The serial line

    @Test func bytesTravelOverTheBulkEndpoints() throws {
        var port = try Devices.configured(Devices.serialLine)
        let out = USBIPTransfer(
            number: 1,
            isIn: false,
            endpoint: 1,
            byteCount: 3,
            data: [1, 2, 3]
        )
        let effects = try take(&port, out)
        #expect(effects.answers == [Answer(1, .done, [], 3)])
        #expect(effects.units == [TransportUnit(.bytes, [1, 2, 3])])

        _ = try take(&port, Devices.read(2, byteCount: 512))
        let answers = port.send(TransportUnit(.bytes, [4, 5])).answers
        #expect(answers == [Answer(2, .done, [4, 5])])
    }

    @Test func aLongAnswerFillsSeveralTransfers() throws {
        var port = try Devices.configured(Devices.serialLine)
        _ = try take(&port, Devices.read(1, byteCount: 512))
        _ = try take(&port, Devices.read(2, byteCount: 1_024))
        let bytes = [UInt8](repeating: 7, count: 1_536)
        let answers = port.send(TransportUnit(.bytes, bytes[...])).answers
        #expect(answers.map(\.number) == [1, 2])
        #expect(answers.map(\.data.count) == [512, 1_024])
    }

    @Test func lineCodingIsKeptAndLinesAreTold() throws {
        var port = try Devices.configured(Devices.serialLine)
        let get = USBControlRequest(type: 0xA1, code: 0x21, value: 0, index: 0, byteCount: 7)
        // Source: a capture of a serial adapter; 115,200 8N1.
        let usual = bytes("00C20100000008")
        #expect(try take(&port, Devices.control(1, get)).answers == [Answer(1, .done, usual)])
        let set = USBControlRequest(type: 0x21, code: 0x20, value: 0, index: 0, byteCount: 7)
        let coding = bytes("80250000000008")
        #expect(
            try take(&port, Devices.control(2, set, data: coding)).answers
                == [Answer(2, .done, [], 7)]
        )
        #expect(try take(&port, Devices.control(3, get)).answers == [Answer(3, .done, coding)])
        let lines = USBControlRequest(type: 0x21, code: 0x22, value: 3, index: 0, byteCount: 0)
        let effects = try take(&port, Devices.control(4, lines))
        #expect(effects.answers == [Answer(4, .done)])
        let kind = TransportUnit.Kind.lineState(dataTerminalReady: true, requestToSend: true)
        #expect(effects.units == [TransportUnit(kind, [])])
        let sendBreak = USBControlRequest(type: 0x21, code: 0x23, value: 9, index: 0, byteCount: 0)
        #expect(try take(&port, Devices.control(5, sendBreak)).answers == [Answer(5, .stalled)])
    }

    @Test func aFastDeviceSaysWhatItWouldBeAtTheOtherSpeed() throws {
        var port = try Devices.configured(Devices.serialLine)
        let other = USBControlRequest(type: 0x80, code: 6, value: 0x0700, index: 0, byteCount: 255)
        let data = try #require(try take(&port, Devices.control(1, other)).answers.first?.data)
        #expect(data[1] == 7)
        // The bulk endpoints have 64 bytes there, and the interval is 32 ms.
        #expect(Array(data.suffix(7)) == bytes("07 05 01 02 4000 00"))
        let qualifier = USBControlRequest(
            type: 0x80,
            code: 6,
            value: 0x0600,
            index: 0,
            byteCount: 10
        )
        #expect(
            try take(&port, Devices.control(2, qualifier)).answers
                == [Answer(2, .done, bytes("0A 06 0002 02 00 00 40 01 00"))]
        )
    }

    // MARK: Bounds

    @Test func aNumberThatWaitsMustNotComeAgain() throws {
        var port = try Devices.configured(Devices.hid)
        _ = try take(&port, Devices.read(1, byteCount: 8))
        #expect(throws: USBIPError(.repeatedNumber(1), offset: 96)) {
            try port.take(.submit(Devices.read(1, byteCount: 8)), endingAt: 96)
        }
    }

    @Test func transfersThatWaitAreBounded() throws {
        var port = try Devices.configured(Devices.hid)
        for number in 0..<USBIPPort.maximumWaitingCount {
            _ = try take(&port, Devices.read(UInt32(number), byteCount: 8))
        }
        #expect(throws: USBIPError(.tooManyWaiting, offset: 48)) {
            try port.take(.submit(Devices.read(9_999, byteCount: 8)), endingAt: 48)
        }
    }
}
