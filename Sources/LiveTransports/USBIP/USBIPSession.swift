import Transports
import USBIP

/// One HID reader behind a USB/IP server, from the import to the end of the connection: the
/// client's side of the protocol, without I/O.
///
/// | from the server | then |
/// | --- | --- |
/// | it gives the device out | its configuration is read and set, SET_IDLE sent, its report descriptor read |
/// | the report descriptor, or a stall in its place | ``Output/attached(_:)`` |
/// | a report | ``Output/unit(_:)``, one for each transfer |
/// | the end of a feature request | ``Output/featureFinished(_:)``; one is under way at a time |
/// | it does not give the device out | ``Output/refused(_:)`` |
/// | what cannot be right | a ``Violation``, after which the session is dead |
///
/// Source: Linux kernel documentation, usb/usbip_protocol; USB 2.0 sections 9.4 and 9.6; HID 1.11
/// section 7.2.
struct USBIPSession {
    /// How many transfers wait for reports at the same time.
    static let transferLimit = 4
    /// How many transfers for reports may fail in a row.
    static let failureLimit = 20

    /// What the server did that cannot be right.
    struct Violation: Error, Equatable, CustomStringConvertible {
        var reason: String

        /// The reason, which is all that people are shown.
        var description: String { reason }
    }

    /// Why the server does not give the device out.
    enum Refusal: Equatable {
        /// Another client has it.
        case busy
        /// It has no such device now.
        case absent
        /// Something else, with the status that it told.
        case failed(UInt32)
    }

    /// What came of the server's bytes.
    enum Output: Equatable {
        case attached(Attachment)
        case unit(TransportUnit)
        case featureFinished(FeatureResult)
        case refused(Refusal)
    }

    /// What a transfer is for.
    enum Purpose {
        case configuration
        case setConfiguration
        case idle
        case reportDescriptor
        case report
        case clearHalt
        case request(TransportUnit)
        /// A request that was given up.
        case abandoned
    }

    struct Waiting {
        var number: UInt32
        var isIn: Bool
        var byteCount: Int
        var purpose: Purpose
    }

    private enum Phase {
        case importing
        case settingUp
        case ready
        case over
    }

    private var phase = Phase.importing
    private var received: [UInt8] = []
    var outgoing: [UInt8]
    var waiting: [Waiting] = []
    private var unlinks: [(number: UInt32, transfer: UInt32)] = []
    var nextNumber: UInt32 = 1
    var deviceID: UInt32 = 0
    private var attachment = Attachment()
    var interface: UInt16 = 0
    private var endpoint: UInt8 = 0
    private var reportByteCount = 0
    private var usesIDs = false
    private var isHalted = false
    private var isGone = false
    private var failureCount = 0
    var outbox: [TransportUnit] = []
    /// The request that is under way, which has a time limit of its own.
    var requestNumber: UInt32?

    /// Begins with the import of a device.
    init(busID: String) { outgoing = USBIPRequest.take(busID: busID).bytes }

    /// Whether the reader can be used.
    var isReady: Bool { if case .ready = phase { true } else { false } }
    /// Whether the server has still to answer.
    var isSettingUp: Bool {
        switch phase {
        case .importing, .settingUp: true
        case .ready, .over: false
        }
    }
    /// Units that were sent and not yet answered.
    var unitsInHand: Int { outbox.count + (requestNumber == nil ? 0 : 1) }

    /// Takes what is to be sent to the server.
    mutating func takeOutgoing() -> [UInt8] {
        defer { outgoing = [] }
        return outgoing
    }

    // MARK: The host

    /// Asks for as many reports as there are credits, up to ``transferLimit``.
    mutating func read(credits: Int) {
        guard isReady, !isHalted, !isGone else { return }
        var count = waiting.count { if case .report = $0.purpose { true } else { false } }
        while count < min(credits, Self.transferLimit) {
            submit(.report, endpoint: endpoint, isIn: true, byteCount: reportByteCount)
            count += 1
        }
    }

    /// Takes a unit for the reader; false when USB readers have no such thing.
    mutating func send(_ unit: TransportUnit) -> Bool {
        switch unit.kind {
        case .report, .featureSet, .featureGet:
            outbox.append(unit)
            startNextRequest()
            return true
        case .bytes, .lineState: return false
        }
    }

    /// Gives up the request that is under way, and begins the next one.
    mutating func giveUpRequest() -> Output? {
        guard let number = requestNumber,
            let index = waiting.firstIndex(where: { $0.number == number }),
            case .request(let unit) = waiting[index].purpose
        else { return nil }
        waiting[index].purpose = .abandoned
        let unlink = takeNumber()
        unlinks.append((unlink, number))
        outgoing += USBIPCommand.unlink(number: unlink, transfer: number).bytes(
            deviceID: deviceID
        )
        requestNumber = nil
        startNextRequest()
        if case .report = unit.kind { return nil }
        return .featureFinished(.timedOut)
    }

    // MARK: The server

    /// Takes bytes from the server, in any pieces.
    mutating func receive(_ bytes: ArraySlice<UInt8>) throws(Violation) -> [Output] {
        received += bytes
        var outputs: [Output] = []
        var position = 0
        defer { received.removeFirst(position) }
        while true {
            let rest = received[position...]
            let length: Int?
            switch phase {
            case .importing: length = try imported(rest, &outputs)
            case .settingUp, .ready: length = try answered(rest, &outputs)
            // Whoever was refused has nothing more to hear.
            case .over: length = rest.isEmpty ? nil : rest.count
            }
            guard let length else { return outputs }
            position += length
        }
    }

    /// Reads the answer to the import; `nil` while it is not whole.
    private mutating func imported(
        _ bytes: ArraySlice<UInt8>,
        _ outputs: inout [Output]
    ) throws(Violation) -> Int? {
        guard bytes.count >= 8 else { return nil }
        let version = bytes.number(at: 0) >> 16
        guard version == 0x0111 else {
            throw Violation(
                reason: "it speaks USB/IP version 0x\(String(version, radix: 16)), not 0x111"
            )
        }
        guard bytes.number(at: 0) & 0xFFFF == 0x0003 else {
            throw Violation(reason: "it did not answer the import")
        }
        let status = bytes.number(at: 4)
        guard status == 0 else {
            phase = .over
            outputs.append(
                .refused(status == 2 ? .busy : status == 4 ? .absent : .failed(status))
            )
            return 8
        }
        guard bytes.count >= 320 else { return nil }
        let record = bytes.dropFirst(8)
        deviceID = record.number(at: 288) << 16 | record.number(at: 292) & 0xFFFF
        let ids = record.number(at: 300)
        attachment.vendorID = UInt16(ids >> 16)
        attachment.productID = UInt16(ids & 0xFFFF)
        phase = .settingUp
        get(.configuration, type: 0x80, value: 0x0200, index: 0)
        return 320
    }

    /// Reads the answer to a transfer, or to an unlink; `nil` while it is not whole.
    private mutating func answered(
        _ bytes: ArraySlice<UInt8>,
        _ outputs: inout [Output]
    ) throws(Violation) -> Int? {
        let headerByteCount = USBIPCommand.headerByteCount
        guard bytes.count >= headerByteCount else { return nil }
        let (code, number) = (bytes.number(at: 0), bytes.number(at: 4))
        let status = Int32(bitPattern: bytes.number(at: 20))
        if code == 4 {
            guard let index = unlinks.firstIndex(where: { $0.number == number }) else {
                throw Violation(reason: "it answered an unlink that nobody sent")
            }
            let transfer = unlinks.remove(at: index).transfer
            waiting.removeAll { $0.number == transfer }
            return headerByteCount
        }
        guard code == 3 else { throw Violation(reason: "it sent the command \(code)") }
        guard let index = waiting.firstIndex(where: { $0.number == number }) else {
            throw Violation(reason: "it answered a transfer that nobody waits for")
        }
        let transfer = waiting[index]
        let count = Int(bytes.number(at: 24))
        guard count <= transfer.byteCount else {
            throw Violation(
                reason: "it answered \(transfer.byteCount) bytes with \(count)"
            )
        }
        let dataCount = transfer.isIn ? count : 0
        guard bytes.count >= headerByteCount + dataCount else { return nil }
        waiting.remove(at: index)
        let data = Array(bytes.dropFirst(headerByteCount).prefix(dataCount))
        try finished(transfer, status, data, &outputs)
        return headerByteCount + dataCount
    }

    private mutating func finished(
        _ transfer: Waiting,
        _ status: Int32,
        _ data: [UInt8],
        _ outputs: inout [Output]
    ) throws(Violation) {
        switch transfer.purpose {
        case .configuration:
            guard status == 0 else {
                throw Violation(reason: "it did not tell its configuration (status \(status))")
            }
            try configure(data)
        case .setConfiguration:
            guard status == 0 else {
                throw Violation(reason: "it could not be configured (status \(status))")
            }
            // Whether a reader knows SET_IDLE is its own affair.
            ask(.idle, type: 0x21, code: 0x0A, value: 0, index: interface)
        case .idle:
            get(.reportDescriptor, type: 0x81, value: 0x2200, index: interface)
        case .reportDescriptor:
            let sizes = HIDReportSizes(descriptor: status == 0 ? data : [])
            usesIDs = sizes.usesIDs
            let packet = attachment.maximumPacketByteCount
            let wanted =
                sizes.largestInputByteCount > 0
                ? sizes.largestInputByteCount : USBSession.assumedReportByteCount
            reportByteCount = (wanted + packet - 1) / packet * packet
            phase = .ready
            outputs.append(.attached(attachment))
        case .report:
            try reported(status, data, &outputs)
        case .clearHalt:
            isHalted = false
        case .request(let unit):
            requestNumber = nil
            if let result = Self.result(of: unit, status, data) {
                outputs.append(.featureFinished(result))
            }
            startNextRequest()
        case .abandoned: break
        }
    }

    private mutating func reported(
        _ status: Int32,
        _ data: [UInt8],
        _ outputs: inout [Output]
    ) throws(Violation) {
        switch status {
        case 0:
            failureCount = 0
            guard !data.isEmpty else { return }
            let id = usesIDs ? data[0] : 0
            outputs.append(.unit(TransportUnit(.report(id: id), data[...])))
        case -19, -108:
            // ENODEV, ESHUTDOWN: it was unplugged; the server hangs up.
            isGone = true
        default:
            failureCount += 1
            guard failureCount <= Self.failureLimit else {
                throw Violation(
                    reason: "\(failureCount) transfers for reports failed, at last with the "
                        + "status \(status)"
                )
            }
            guard status == -32, !isHalted else { return }
            isHalted = true
            ask(.clearHalt, type: 0x02, code: 0x01, value: 0, index: UInt16(endpoint | 0x80))
        }
    }

    private static func result(
        of unit: TransportUnit,
        _ status: Int32,
        _ data: [UInt8]
    ) -> FeatureResult? {
        if case .report = unit.kind { return nil }
        switch status {
        case 0: if case .featureGet = unit.kind { return .got(data[...]) } else { return .set }
        case -110, -62: return .timedOut
        default: return .stalled
        }
    }

    // MARK: Setting up

    /// Finds the HID interface in the configuration descriptor, and sets the configuration.
    private mutating func configure(_ bytes: [UInt8]) throws(Violation) {
        guard let found = HIDInterface(configuration: bytes) else {
            throw Violation(
                reason: "the device is no HID reader; have the kernel attach it (`usbip attach`) "
                    + "and use what it makes of it, such as serial:/dev/ttyACM0"
            )
        }
        interface = UInt16(found.number)
        endpoint = found.endpoint
        attachment.maximumPacketByteCount = found.packetByteCount
        let value = UInt16(found.configuration)
        ask(.setConfiguration, type: 0x00, code: 0x09, value: value, index: 0)
    }
}

extension ArraySlice<UInt8> {
    /// Four bytes, the highest first.
    fileprivate func number(at offset: Int) -> UInt32 {
        let start = startIndex + offset
        return self[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
