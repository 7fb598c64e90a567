public import Kernel
public import USBIP

/// A USB/IP client for tests: what a kernel and Debian's `usbip` do, one message at a time.
public final class USBIPClient {
    /// The answer to a transfer or a withdrawal.
    public struct Answer: Equatable {
        /// 3 for a transfer, 4 for a withdrawal.
        public var code: UInt32
        /// The client's number.
        public var number: UInt32
        /// 0, or an errno below zero.
        public var status: Int32
        /// What was returned.
        public var data: [UInt8]

        /// Describes an answer.
        public init(code: UInt32, number: UInt32, status: Int32, data: [UInt8]) {
            self.code = code
            self.number = number
            self.status = status
            self.data = data
        }
    }

    /// Why a test cannot go on.
    public enum Failure: Error, Equatable {
        /// The server hung up after so many bytes of what was expected.
        case hungUp(afterByteCount: Int)
        /// Nothing came in time.
        case tookTooLong
        /// The server refused the import with this status.
        case refused(UInt32)
    }

    private static var limit: Int64 { MonotonicClock.now + 20_000_000_000 }

    private final class Connection {
        let stream: ByteStream
        init(_ stream: consuming ByteStream) { self.stream = stream }
    }

    private let connection: Connection
    private let poller: Poller
    /// What the server does meanwhile, when it runs in this process.
    private let meanwhile: () throws -> Void
    private var received: [UInt8] = []
    private var isAtEnd = false
    private var readNumbers: Set<UInt32> = []
    private var nextNumber: UInt32 = 1
    /// What transfers name the device by, once it was imported.
    public private(set) var deviceID: UInt32 = 0

    /// Connects.
    public init(
        to address: SocketAddress,
        meanwhile: @escaping () throws -> Void = {}
    ) throws {
        let connecting = try TCPConnecting(to: address)
        poller = try Poller()
        try poller.add(connecting.descriptor, token: 0, readable: false, writable: true)
        try poller.wait(untilMonotonicNanoseconds: Self.limit) { _ in }
        poller.remove(connecting.descriptor)
        connection = Connection(try connecting.finish())
        try poller.add(connection.stream.descriptor, token: 0)
        self.meanwhile = meanwhile
    }

    /// Sends bytes as they are.
    public func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        let limit = Self.limit
        while !rest.isEmpty {
            rest = rest.dropFirst(try connection.stream.write(rest))
            try meanwhile()
            if MonotonicClock.now > limit { throw Failure.tookTooLong }
        }
    }

    /// Sends as much as the connection takes at once, and returns how much that was.
    public func sendWhatFits(_ bytes: [UInt8]) throws -> Int {
        try connection.stream.write(bytes[...])
    }

    /// Returns exactly so many bytes.
    public func receive(_ byteCount: Int) throws -> [UInt8] {
        let limit = Self.limit
        while received.count < byteCount {
            if isAtEnd { throw Failure.hungUp(afterByteCount: received.count) }
            try meanwhile()
            switch connection.stream.read(upTo: 65_536) {
            case .bytes(let bytes): received += bytes
            case .end, .failed: isAtEnd = true
            case .nothing:
                if MonotonicClock.now > limit { throw Failure.tookTooLong }
                try poller.wait(untilMonotonicNanoseconds: MonotonicClock.now + 2_000_000) { _ in }
            }
        }
        defer { received.removeFirst(byteCount) }
        return Array(received[..<byteCount])
    }

    /// Waits until the server hangs up, and returns what came before that.
    public func receiveToTheEnd() throws -> [UInt8] {
        while true {
            do {
                received.insert(contentsOf: try receive(received.count + 1), at: 0)
            } catch Failure.hungUp {
                return received
            }
        }
    }

    /// Imports the device.
    public func take(_ busID: String = "1-1") throws {
        try send(USBIPRequest.take(busID: busID).bytes)
        let header = try receive(8)
        guard header[7] == 0 else { throw Failure.refused(UInt32(header[7])) }
        let record = try receive(312)
        deviceID = UInt32(record[291]) << 16 | UInt32(record[295])
    }

    /// Sends a transfer and returns its number.
    @discardableResult
    public func submit(_ transfer: USBIPTransfer) throws -> UInt32 {
        var transfer = transfer
        transfer.number = nextNumber
        nextNumber += 1
        if transfer.isIn { readNumbers.insert(transfer.number) }
        try send(USBIPCommand.submit(transfer).bytes(deviceID: deviceID))
        return transfer.number
    }

    /// Sends a control transfer and returns its number.
    @discardableResult
    public func ask(_ request: USBControlRequest, data: [UInt8] = []) throws -> UInt32 {
        try submit(
            USBIPTransfer(
                number: 0,
                isIn: request.isIn,
                endpoint: 0,
                byteCount: Int(request.byteCount),
                request: request,
                data: data[...]
            )
        )
    }

    /// Asks for data of an endpoint and returns the transfer's number.
    @discardableResult
    public func read(endpoint: UInt8, byteCount: Int) throws -> UInt32 {
        try submit(
            USBIPTransfer(number: 0, isIn: true, endpoint: endpoint, byteCount: byteCount)
        )
    }

    /// Takes a transfer back.
    public func unlink(_ transfer: UInt32) throws -> UInt32 {
        let number = nextNumber
        nextNumber += 1
        let command = USBIPCommand.unlink(number: number, transfer: transfer)
        try send(command.bytes(deviceID: deviceID))
        return number
    }

    /// Returns the next answer.
    public func answer() throws -> Answer {
        let header = try receive(USBIPCommand.headerByteCount)
        func word(_ offset: Int) -> UInt32 {
            header[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let number = word(4)
        let byteCount = word(0) == 3 && readNumbers.contains(number) ? Int(word(24)) : 0
        return Answer(
            code: word(0),
            number: number,
            status: Int32(bitPattern: word(20)),
            data: try receive(byteCount)
        )
    }

    /// Configures the device as a kernel does.
    public func configure() throws {
        try ask(USBControlRequest(type: 0, code: 9, value: 1, index: 0, byteCount: 0))
        _ = try answer()
    }
}
