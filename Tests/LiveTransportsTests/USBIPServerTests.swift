import EventLoops
import Kernel
import LiveTransports
import Testing
import Transports
import USBIP
import USBIPClient

/// Clients in this process, against a server that is worked on whenever they wait.
@Suite("USB/IP server")
struct USBIPServerTests {
    static let model = model(packetByteCount: 8)

    /// A HID device; a keyboard takes output reports.
    static func model(packetByteCount: UInt16, isKeyboard: Bool = false) -> USBDeviceModel {
        let function = HIDFunction(reportDescriptor: [0x06, 0x00, 0xFF], isKeyboard: isKeyboard)
        return USBDeviceModel(
            vendorID: 0x0801,
            productID: 0x0011,
            release: 0x0100,
            strings: ["Mag-Tek", "USB Swipe Reader"],
            interfaces: [
                USBDeviceModel.Interface(
                    USBDeviceModel.Kind(3),
                    classDescriptors: function.classDescriptor,
                    endpoints: [
                        USBDeviceModel.Endpoint(
                            address: 0x81,
                            .interrupt,
                            packetByteCount: packetByteCount,
                            interval: 1
                        )
                    ]
                )
            ],
            function: .hid(function)
        )
    }

    /// A server, and the device for whoever has it.
    final class Desk {
        let poller: Poller
        let server: USBIPServer
        let model: USBDeviceModel
        var port: USBIPPort?
        private(set) var events: [USBIPServer.Event] = []
        /// What was set by SET_REPORT, output reports included, which end in the port.
        var reports: [[UInt8]] = []

        init(isPluggedIn: Bool = true, _ model: USBDeviceModel = USBIPServerTests.model) throws {
            self.model = model
            poller = try Poller()
            let place = try #require(SocketAddress.inDigits(host: "127.0.0.1", port: 0).first)
            server = try USBIPServer(at: place, poller: poller, firstToken: 10)
            if isPluggedIn { server.plugIn(USBIPExport(model)) }
        }

        func client() throws -> USBIPClient {
            try USBIPClient(to: server.address) { [self] in try work() }
        }

        /// Does what is due, without waiting.
        func work() throws {
            let server = server
            try poller.wait(untilMonotonicNanoseconds: 0) { server.note($0) }
            while let event = server.nextEvent() {
                switch event {
                case .command(let command, let offset):
                    guard var port else { continue }
                    if case .submit(let transfer) = command, transfer.request.code == 9,
                        transfer.request.type == 0x21
                    {
                        reports.append(Array(transfer.data))
                    }
                    do {
                        perform(try port.take(command, endingAt: offset))
                    } catch {
                        server.letGo(.dropped("\(error)"))
                    }
                    self.port = port
                case .imported:
                    port = USBIPPort(model)
                    events.append(event)
                case .left:
                    port = nil
                    events.append(event)
                case .listed, .refused: events.append(event)
                }
            }
        }

        func plugIn() { server.plugIn(USBIPExport(model)) }

        func send(_ report: [UInt8]) {
            guard var port else { return }
            perform(port.send(TransportUnit(.report(id: 0), report[...])))
            self.port = port
        }

        /// Answers the feature request that the port has asked for.
        func finish(_ result: FeatureResult) {
            guard var port else { return }
            perform(port.finished(result))
            self.port = port
        }

        private func perform(_ effects: [USBIPPort.Effect]) {
            for case .answer(let answer) in effects { server.send(answer) }
        }

        /// Works until something has happened.
        func wait(until holds: () -> Bool) throws {
            let limit = MonotonicClock.now + 20_000_000_000
            while !holds() {
                try #require(MonotonicClock.now < limit, "it took too long: \(events)")
                try work()
                try poller.wait(untilMonotonicNanoseconds: MonotonicClock.now + 1_000_000) {
                    server.note($0)
                }
            }
        }

        /// Why the last one who went had to go.
        var reason: String? {
            switch events.last {
            case .left(_, let leaving): leaving.description
            case .refused(_, let reason): reason
            case .imported, .command, .listed, nil: nil
            }
        }
    }

    private static let configuration = USBControlRequest(
        type: 0x80,
        code: 6,
        value: 0x0200,
        index: 0,
        byteCount: 64
    )

    @Test func whoeverAsksGetsTheListAndIsLetGo() throws {
        let desk = try Desk()
        let client = try desk.client()
        try client.send(USBIPRequest.list.bytes)
        let list = try client.receiveToTheEnd()
        #expect(list == USBIPReply.list([USBIPExport(Self.model)]).bytes)
    }

    @Test func anUnpluggedReaderIsNotListedAndCannotBeImported() throws {
        let desk = try Desk(isPluggedIn: false)
        let first = try desk.client()
        try first.send(USBIPRequest.list.bytes)
        #expect(try first.receiveToTheEnd() == USBIPReply.list([]).bytes)
        let second = try desk.client()
        #expect(throws: USBIPClient.Failure.refused(4)) { try second.take() }
        #expect(desk.reason == "the reader is not plugged in")
    }

    @Test func anotherBusIDIsNotFound() throws {
        let desk = try Desk()
        let client = try desk.client()
        #expect(throws: USBIPClient.Failure.refused(4)) { try client.take("1-2") }
        #expect(desk.reason == "it wants another device; this one is 1-1")
    }

    @Test func aReportReachesWhoeverHasTheReader() throws {
        let desk = try Desk()
        let client = try desk.client()
        try client.take()
        try client.configure()
        // It is kept until the host asks for it.
        desk.send([1, 2, 3])
        try client.read(endpoint: 1, byteCount: 64)
        #expect(
            try client.answer()
                == USBIPClient.Answer(code: 3, number: 2, status: 0, data: [1, 2, 3])
        )
        let waiting = try client.read(endpoint: 1, byteCount: 64)
        let number = try client.unlink(waiting)
        #expect(
            try client.answer()
                == USBIPClient.Answer(code: 4, number: number, status: -104, data: [])
        )
    }

    @Test func aSecondClientIsToldThatTheReaderIsBusyAndMayStillAskForTheList() throws {
        let desk = try Desk()
        let first = try desk.client()
        try first.take()
        let second = try desk.client()
        #expect(throws: USBIPClient.Failure.refused(2)) { try second.take() }
        let third = try desk.client()
        try third.send(USBIPRequest.list.bytes)
        #expect(try third.receiveToTheEnd().count == 328)
        // The first one has lost nothing.
        try first.ask(Self.configuration)
        #expect(try first.answer().data.count == 34)
    }

    @Test func unpluggingHangsUpAndPluggingInLetsTheNextOneIn() throws {
        let desk = try Desk()
        for number in 1...3 {
            let client = try desk.client()
            try client.take()
            desk.server.unplug()
            #expect(try client.receiveToTheEnd() == [])
            #expect(desk.events.last == .left(client: number, .unplugged))
            desk.server.plugIn(USBIPExport(Self.model))
        }
    }

    @Test func clientsComeOneAfterAnother() throws {
        let desk = try Desk()
        for number in 1...5 {
            do {
                let client = try desk.client()
                try client.take()
                try client.ask(Self.configuration)
                #expect(try client.answer().status == 0)
            }
            try desk.wait { desk.events.last == .left(client: number, .hungUp) }
        }
    }

    /// What hostile clients send instead of a request, and why they are let go.
    static let badRequests: [(bytes: [UInt8], reason: String)] = [
        (Array("GET / HTTP/1.1\r\n\r\n".utf8), "USB/IP version 0x4745"),
        ([0x01, 0x11, 0x80, 0x02, 0, 0, 0, 0], "request 0x8002"),
        ([0x01, 0x11, 0x80], "inside a message"),
        ([0x01, 0x11, 0x80, 0x03, 0, 0, 0, 0, 0x31, 0x2D], "inside a message"),
        ([UInt8](repeating: 0xFF, count: 100_000), "USB/IP version 0xffff"),
    ]

    @Test(arguments: badRequests.indices)
    func whoeverAsksForNothingRightIsLetGoWithTheReason(index: Int) throws {
        let desk = try Desk()
        let (bytes, reason) = Self.badRequests[index]
        do {
            let client = try desk.client()
            _ = try client.sendWhatFits(bytes)
        }
        try desk.wait { desk.reason != nil }
        #expect(desk.reason?.contains(reason) == true, "\(desk.reason ?? "")")
        try desk.client().take()
    }

    /// What hostile clients send instead of a command, and why they are let go.
    static let badCommands: [(bytes: [UInt8], reason: String)] = [
        ([0, 0, 0, 9], "command 9"),
        ([UInt8](repeating: 0xFF, count: 48), "command 4294967295"),
        ([0, 0, 0, 1, 0, 0], "inside a message"),
        (
            [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
                + [0x7F, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 20),
            "a transfer of 2147483647 bytes"
        ),
        (
            [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 3] + [UInt8](repeating: 0, count: 36),
            "a transfer for device 1-3"
        ),
    ]

    @Test(arguments: badCommands.indices)
    func whoeverCommandsNothingRightLosesTheReader(index: Int) throws {
        let desk = try Desk()
        let (bytes, reason) = Self.badCommands[index]
        do {
            let client = try desk.client()
            try client.take()
            try client.configure()
            try client.send(bytes)
        }
        try desk.wait { !desk.server.hasClient }
        #expect(desk.reason?.contains(reason) == true, "\(desk.reason ?? "")")
        try desk.client().take()
    }

    @Test func aClientThatNeverReadsIsLetGo() throws {
        let desk = try Desk()
        let client = try desk.client()
        try client.take()
        let command = USBIPCommand.submit(
            USBIPTransfer(
                number: 7,
                isIn: true,
                endpoint: 0,
                byteCount: 64,
                request: Self.configuration
            )
        )
        let bytes = (0..<200).flatMap { _ in command.bytes(deviceID: client.deviceID) }
        let limit = MonotonicClock.now + 20_000_000_000
        while desk.server.hasClient, MonotonicClock.now < limit {
            _ = try? client.sendWhatFits(bytes)
            try desk.work()
        }
        #expect(desk.reason?.hasPrefix("it does not read: ") == true, "\(desk.reason ?? "")")
        try desk.client().take()
    }

    @Test func thoseWhoSayNothingMakeRoomAndKeepNobodyOut() throws {
        let desk = try Desk()
        desk.server.setSilenceLimit(2_000_000_000)
        let silent = try (0..<USBIPServer.connectionBound).map { _ in try desk.client() }
        try desk.work()
        let late = try desk.client()
        #expect(try late.receiveToTheEnd() == [])
        #expect(desk.reason == "8 others are connected")
        for client in silent { #expect(try client.receiveToTheEnd() == []) }
        #expect(desk.reason?.hasPrefix("it said nothing for") == true)
        try desk.client().take()
    }
}
