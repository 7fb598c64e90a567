import EventLoops
import Kernel
import LiveTransports
import Testing
import TransportConformance
import Transports
import USBIPClient

@Suite("USB/IP transport")
struct USBIPTransportTests {
    @Test(arguments: TransportPromise.allCases)
    func keeps(promise: TransportPromise) throws {
        #expect(promise.violations(by: try USBIPHarness()) == [])
    }

    @Test(arguments: [
        ("usbip:127.0.0.1:3240", "127.0.0.1:3240", "1-1"),
        ("usbip:[::1]:1/2-1.4", "[::1]:1", "2-1.4"),
    ])
    func aSelectorNamesServerAndDevice(text: String, address: String, busID: String) throws {
        let selector = try USBIPSelector(parsing: text)
        #expect(selector.server.address == address && selector.busID == busID)
        #expect(selector.description == text)
    }

    @Test(arguments: [
        ("usbip:", "HOST:PORT"), ("usbip:host", "HOST:PORT"), ("usbip:host:0", "a port from 1"),
        ("usbip:host:1/", "a bus id"), ("usbip:host:1/a", "a bus id"),
        ("usbip:host:1/" + String(repeating: "1", count: 32), "a bus id"),
    ])
    func aSelectorThatIsWrongSaysWhatWouldBeRight(text: String, expected: String) {
        do throws(StreamSelectorError) {
            _ = try USBIPSelector(parsing: text)
            Issue.record("it was taken")
        } catch {
            #expect(error.description.contains(expected))
        }
    }

    @Test func attachingTellsIDsAndPacketSizeAndFeaturesAreAnswered() throws {
        var harness = try USBIPHarness()
        harness.attachReader()
        harness.transport.open(at: .zero)
        let attachment = Attachment(
            maximumPacketByteCount: 64,
            vendorID: 0x0801,
            productID: 0x0011
        )
        #expect(harness.nextEvent() == .attached(attachment))
        // The port asks its owner, who answers here.
        harness.transport.send(TransportUnit(.featureSet(id: 0), [1, 2][...]), at: .zero)
        #expect(harness.nextEvent() == nil)
        harness.desk.finish(.set)
        #expect(harness.nextEvent() == .featureFinished(.set))
        harness.transport.send(TransportUnit(.featureGet(id: 0, byteCount: 8), []), at: .zero)
        #expect(harness.nextEvent() == nil)
        harness.desk.finish(.got([7, 8, 9][...]))
        #expect(harness.nextEvent() == .featureFinished(.got([7, 8, 9][...])))
        // One that the reader does not know is stalled, and nothing is lost by it.
        harness.transport.send(TransportUnit(.featureGet(id: 3, byteCount: 8), []), at: .zero)
        #expect(harness.nextEvent() == .featureFinished(.stalled))
    }

    @Test func aReaderThatAnotherClientHasIsWaitedForAndThenNamed() throws {
        var harness = try USBIPHarness()
        harness.attachReader()
        let other = try harness.desk.client()
        try other.take()
        harness.transport.open(at: .zero)
        let began = MonotonicClock.now
        var problem: TransportProblem?
        while problem == nil, MonotonicClock.now - began < 20_000_000_000 {
            if case .unusable(let found) = harness.nextEvent() { problem = found }
        }
        #expect(problem?.code == .busy)
        #expect(problem?.description.contains("another client") == true)
        #expect(MonotonicClock.now - began >= 3_000_000_000)
    }

    // MARK: Hostile servers

    /// A server that the test plays byte by byte.
    private struct Rig {
        let far: FarSide
        let transport: USBIPTransport
        private let poller: Poller

        init() throws {
            far = try FarSide(.tcp(try loopback(port: 0)))
            try far.server.plugIn()
            transport = try USBIPTransport(
                try USBIPSelector(parsing: "usbip:" + far.server.address)
            )
            poller = try Poller()
            try poller.add(transport.wakeDescriptor, token: 0)
            transport.grant(credits: 8)
            transport.open(at: .zero)
            _ = try event(within: 100_000_000)
        }

        func event(within nanoseconds: Int64 = 5_000_000_000) throws -> TransportEvent? {
            let limit = MonotonicClock.now + nanoseconds
            while MonotonicClock.now < limit {
                far.work(nanoseconds: 1_000_000)
                if let event = transport.nextEvent(at: .zero) { return event }
                try poller.wait(untilMonotonicNanoseconds: MonotonicClock.now + 2_000_000) { _ in }
            }
            return nil
        }

        /// Sends, and lets the transport read.
        func send(_ bytes: [UInt8]) throws -> TransportEvent? {
            far.server.send(bytes[...])
            return try event(within: 300_000_000)
        }

        func setUp() throws {
            #expect(try send(USBIPTransportTests.granted) == nil)
            #expect(try send(USBIPTransportTests.answer(1, USBIPTransportTests.hid)) == nil)
            #expect(try send(USBIPTransportTests.answer(2, [])) == nil)
            #expect(try send(USBIPTransportTests.answer(3, [], status: -32)) == nil)
            // It says nothing of its reports.
            let event = try send(USBIPTransportTests.answer(4, [], status: -32))
            #expect(event == .attached(Attachment(maximumPacketByteCount: 8)))
        }
    }

    /// The answer to the import, of a device without ids, number 2 on bus 1.
    private static let granted: [UInt8] =
        [0x01, 0x11, 0x00, 0x03, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 288)
        + [0, 0, 0, 1, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 16)
    /// A configuration with a HID interface and its interrupt endpoint.
    private static let hid: [UInt8] = [
        9, 2, 34, 0, 1, 1, 0, 0x80, 50, 9, 4, 0, 0, 1, 3, 0, 0, 0,
        9, 0x21, 0x10, 1, 0, 1, 0x22, 3, 0, 7, 5, 0x81, 3, 8, 0, 1,
    ]

    private static func answer(
        _ number: UInt8,
        _ data: [UInt8],
        status: Int32 = 0,
        code: UInt8 = 3,
        count: Int? = nil
    ) -> [UInt8] {
        let status = UInt32(bitPattern: status)
        func word(_ number: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
        }
        var bytes: [UInt8] = [0, 0, 0, code, 0, 0, 0, number]
        bytes += [UInt8](repeating: 0, count: 12)
        bytes += word(status) + word(UInt32(count ?? data.count))
        bytes += [UInt8](repeating: 0, count: 20)
        return bytes + data
    }

    private static func problem(_ event: TransportEvent?) -> String {
        guard case .unusable(let problem) = event else { return "\(String(describing: event))" }
        return problem.description
    }

    /// What servers send that are none, and why they are let go.
    private static let badAnswers: [(bytes: [UInt8], reason: String)] = {
        var list: [(bytes: [UInt8], reason: String)] = []
        func add(_ bytes: [UInt8], _ reason: String) { list.append((bytes, reason)) }
        add(Array("HTTP/1.1 400 Bad Request\r\n".utf8), "it speaks USB/IP version 0x4854")
        add([0x01, 0x11, 0x00, 0x05, 0, 0, 0, 0], "it did not answer the import")
        add(granted + answer(9, []), "it answered a transfer that nobody waits for")
        add(granted + answer(1, [], code: 4), "it answered an unlink that nobody sent")
        add(granted + answer(1, [], code: 1), "it sent the command 1")
        let huge = answer(1, [], count: 0x7FFF_FFFF)
        add(granted + huge, "it answered 4096 bytes with 2147483647")
        add(granted + answer(1, [], status: -32), "it did not tell its configuration")
        add(granted + answer(1, []), "the device is no HID reader")
        let broken: [UInt8] = [9, 2, 0, 0, 1, 1, 0, 0, 0, 0, 4]
        add(granted + answer(1, broken), "the device is no HID reader")
        let refused = answer(1, hid) + answer(2, [], status: -71)
        add(granted + refused, "it could not be configured")
        return list
    }()

    @Test(arguments: badAnswers.indices)
    func aServerThatIsNoneIsLetGoWithItsReason(index: Int) throws {
        let (bytes, reason) = Self.badAnswers[index]
        let rig = try Rig()
        rig.far.server.send(bytes[...])
        let problem = Self.problem(try rig.event())
        #expect(problem.contains(reason) && problem.contains(rig.far.server.address))
        #expect(try rig.event(within: 300_000_000) == nil, "it is told once")
        // After a close the next connection is an ordinary one.
        rig.transport.close(at: .zero)
        rig.far.work(nanoseconds: 20_000_000)
        rig.transport.open(at: .zero)
        rig.transport.grant(credits: 1)
        #expect(try rig.event(within: 100_000_000) == nil)
        try rig.setUp()
    }

    @Test func aServerThatBreaksTheProtocolLaterIsCutAndNamed() throws {
        let rig = try Rig()
        try rig.setUp()
        let unit = TransportUnit(.report(id: 0), [5, 6][...])
        #expect(try rig.send(Self.answer(5, [5, 6])) == .received(unit))
        // The same answer again.
        rig.far.server.send(Self.answer(5, [5, 6])[...])
        #expect(try rig.event() == .detached(.cut))
        #expect(Self.problem(try rig.event()).contains("a transfer that nobody waits for"))
    }

    @Test func transfersThatFailAgainAndAgainAreNamed() throws {
        let rig = try Rig()
        try rig.setUp()
        for number in 5...25 {
            rig.far.server.send(Self.answer(UInt8(number), [], status: -71)[...])
            if number < 25 { #expect(try rig.event(within: 20_000_000) == nil) }
        }
        #expect(try rig.event() == .detached(.cut))
        #expect(Self.problem(try rig.event()).contains("21 transfers for reports failed"))
    }

    @Test func aServerThatSaysNothingIsNamedAndLookedForAgain() throws {
        let rig = try Rig()
        #expect(try rig.event(within: 5_600_000_000) == nil)
        #expect(rig.transport.absence.contains("did not answer as a USB/IP server"))
        #expect(rig.far.events.count { if case .connected = $0 { true } else { false } } == 2)
    }

    @Test func aServerThatHangsUpDuringTheImportIsNamedAndLookedForAgain() throws {
        let rig = try Rig()
        rig.far.server.letGo(.hungUp)
        #expect(try rig.event(within: 500_000_000) == nil)
        #expect(rig.transport.absence.contains("it hung up during the import"))
        try rig.setUp()
    }

    @Test func noAnswersMakeItTrap() throws {
        var state: UInt64 = 20_261_201
        func random() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let good =
            Self.granted + Self.answer(1, Self.hid) + Self.answer(2, []) + Self.answer(3, [])
            + Self.answer(4, [0x06, 0x00, 0xFF]) + Self.answer(5, [1, 2, 3])
        for _ in 0..<40 {
            let rig = try Rig()
            var bytes = good
            for _ in 0..<4 { bytes[Int(random()) * 3 % bytes.count] = random() }
            rig.far.server.send(bytes[...])
            var count = 0
            while try rig.event(within: 10_000_000) != nil, count < 20 { count += 1 }
            #expect(count < 20)
        }
    }
}
