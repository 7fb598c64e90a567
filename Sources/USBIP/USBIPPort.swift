public import Transports

/// A device in the hands of one USB/IP client: transfers in, answers and the reader's units out.
///
/// | what comes | what is done |
/// | --- | --- |
/// | a control transfer | answered at once, or once the reader has answered; in order |
/// | a transfer to the reader | its unit is handed on, and it is answered |
/// | a transfer from the reader | it waits until the reader has sent; a short packet or a full buffer ends it |
/// | a withdrawal | what waits is never answered, and the withdrawal is, with `takenBack`; what was answered gives `done` |
/// | a transfer of an endpoint that is halted or not there | stalled |
///
/// What the reader sends before the host asks is kept, up to ``maximumHeldByteCount``: hosts bind
/// their driver a while after they have imported the device. Beyond that the newest is lost, as in
/// a reader whose buffer is full.
///
/// Source: Linux kernel documentation, usb/usbip_protocol; USB 2.0, sections 5.3.2, 8.5 and 9.4.
public struct USBIPPort: Hashable, Sendable {
    /// How many transfers may wait; a kernel's driver keeps a few.
    public static let maximumWaitingCount = 256
    /// How many bytes are kept for a host that does not ask.
    public static let maximumHeldByteCount = 65_536

    /// What is to be done.
    public enum Effect: Hashable, Sendable {
        /// The client is answered.
        case answer(USBIPReturn)
        /// The reader is given a unit; a feature request is answered by ``finished(_:)``.
        case unit(TransportUnit)
        /// A host has configured the device, or put it back.
        case configured(Bool)
    }

    /// A transfer that waits for the reader.
    private struct Waiting: Hashable {
        var transfer: USBIPTransfer
        var data: [UInt8] = []
    }

    /// The device.
    public private(set) var model: USBDeviceModel
    /// Whether a host has configured it.
    public private(set) var isConfigured = false
    /// How many bytes were lost because no host asked for them.
    public private(set) var lostByteCount = 0

    /// Transfers from the reader, oldest first, of all endpoints.
    private var waiting: [Waiting] = []
    /// Control transfers; the first may be with the reader.
    private var controls: [USBIPTransfer] = []
    private var isReaderAsked = false
    /// Whether the reader's next answer is to a request that was taken back.
    private var abandonedCount = 0
    private var halted: [UInt8] = []
    private var packets: [ArraySlice<UInt8>] = []
    private var firstPacket = 0
    /// How many bytes wait for the host.
    public private(set) var heldByteCount = 0

    /// Hands a device out that has just got power.
    public init(_ model: USBDeviceModel) {
        self.model = model
        self.model.function.reset()
    }

    /// How many transfers wait.
    public var waitingCount: Int { waiting.count + controls.count }

    // MARK: The client

    /// Takes what the client sent.
    ///
    /// - Parameters:
    ///   - command: What.
    ///   - offset: Where it ended in the connection, for the error.
    /// - Returns: What is to be done, in order.
    /// - Throws: ``USBIPError`` when the client cannot be one in its right mind.
    public mutating func take(
        _ command: USBIPCommand,
        endingAt offset: Int
    ) throws(USBIPError) -> [Effect] {
        switch command {
        case .submit(let transfer):
            guard waitingCount < Self.maximumWaitingCount else {
                throw USBIPError(.tooManyWaiting, offset: offset)
            }
            guard !isWaiting(transfer.number) else {
                throw USBIPError(.repeatedNumber(transfer.number), offset: offset)
            }
            return submit(transfer)
        case .unlink(let number, let transfer):
            let status: USBIPReturn.Status = takeBack(transfer) ? .takenBack : .done
            return [.answer(.unlinked(number: number, status: status))] + workOnControls()
        }
    }

    private func isWaiting(_ number: UInt32) -> Bool {
        waiting.contains { $0.transfer.number == number }
            || controls.contains { $0.number == number }
    }

    private mutating func submit(_ transfer: USBIPTransfer) -> [Effect] {
        if transfer.endpoint == 0 {
            controls.append(transfer)
            return workOnControls()
        }
        guard let endpoint = model.endpoint(number: transfer.endpoint, isIn: transfer.isIn),
            isConfigured, !halted.contains(endpoint.address)
        else { return [.answer(.finished(USBIPResult(transfer, .stalled)))] }
        if endpoint.isIn {
            waiting.append(Waiting(transfer: transfer))
            return deliver()
        }
        let kind: TransportUnit.Kind = endpoint.kind == .bulk ? .bytes : .report(id: 0)
        let result = USBIPResult(transfer, .done, byteCount: transfer.data.count)
        return [.answer(.finished(result)), .unit(TransportUnit(kind, transfer.data))]
    }

    private mutating func takeBack(_ number: UInt32) -> Bool {
        if let index = waiting.firstIndex(where: { $0.transfer.number == number }) {
            waiting.remove(at: index)
            return true
        }
        guard let index = controls.firstIndex(where: { $0.number == number }) else { return false }
        controls.remove(at: index)
        if index == 0, isReaderAsked {
            isReaderAsked = false
            abandonedCount += 1
        }
        return true
    }

    // MARK: The reader

    /// Takes a unit from the reader, and returns what that ends.
    ///
    /// Bytes travel on the bulk endpoint, packets of reports on the interrupt endpoint; others have
    /// none and are lost.
    public mutating func send(_ unit: TransportUnit) -> [Effect] {
        guard let endpoint = carrier, !unit.payload.isEmpty else { return [] }
        let size = max(1, Int(endpoint.packetByteCount))
        guard heldByteCount + unit.payload.count <= Self.maximumHeldByteCount else {
            lostByteCount += unit.payload.count
            return []
        }
        var rest = unit.payload
        while !rest.isEmpty {
            packets.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        heldByteCount += unit.payload.count
        return deliver()
    }

    /// Takes the reader's answer to the oldest feature request.
    public mutating func finished(_ result: FeatureResult) -> [Effect] {
        if abandonedCount > 0 {
            abandonedCount -= 1
            return []
        }
        guard isReaderAsked, let transfer = controls.first else { return [] }
        isReaderAsked = false
        controls.removeFirst()
        let answer: USBIPResult =
            switch result {
            case .set: USBIPResult(transfer, .done, byteCount: transfer.data.count)
            case .got(let bytes): Self.result(transfer, returning: bytes)
            case .stalled: USBIPResult(transfer, .stalled)
            case .timedOut: USBIPResult(transfer, .timedOut)
            }
        return [.answer(.finished(answer))] + workOnControls()
    }

    private var carrier: USBDeviceModel.Endpoint? {
        model.endpointTowardsHost(model.function.carrier)
    }

    /// Moves packets into the transfers that wait for them, oldest first.
    private mutating func deliver() -> [Effect] {
        guard let endpoint = carrier, !halted.contains(endpoint.address) else { return [] }
        let number = endpoint.address & 0x0F
        var effects: [Effect] = []
        while firstPacket < packets.count,
            let index = waiting.firstIndex(where: { $0.transfer.endpoint == number })
        {
            let packet = packets[firstPacket]
            firstPacket += 1
            heldByteCount -= packet.count
            let room = waiting[index].transfer.byteCount - waiting[index].data.count
            waiting[index].data += packet.prefix(room)
            let isOverflow = packet.count > room
            let isFull = waiting[index].data.count == waiting[index].transfer.byteCount
            let isShort = packet.count < Int(endpoint.packetByteCount)
            // A stream ends a transfer when nothing more is there, as with an empty packet.
            let isPause = endpoint.kind == .bulk && firstPacket == packets.count
            guard isOverflow || isFull || isShort || isPause else { continue }
            let ended = waiting.remove(at: index)
            let result = USBIPResult(
                ended.transfer,
                isOverflow ? .overflow : .done,
                returning: ended.data[...]
            )
            effects.append(.answer(.finished(result)))
        }
        if firstPacket == packets.count {
            packets.removeAll(keepingCapacity: true)
            firstPacket = 0
        }
        return effects
    }

    // MARK: Control transfers

    private mutating func workOnControls() -> [Effect] {
        var effects: [Effect] = []
        while !isReaderAsked, let transfer = controls.first {
            let request = transfer.request
            // Both the header and the request say where data go; without data only the latter.
            guard request.byteCount == 0 || request.isIn == transfer.isIn else {
                controls.removeFirst()
                effects.append(.answer(.finished(USBIPResult(transfer, .stalled))))
                continue
            }
            switch answer(request, transfer.data.prefix(Int(request.byteCount)), &effects) {
            case .ask(let unit):
                isReaderAsked = true
                effects.append(.unit(unit))
            case .tell(let unit):
                effects.append(.unit(unit))
                end(transfer, returning: [], &effects)
            case .data(let bytes): end(transfer, returning: bytes, &effects)
            case .stalled:
                controls.removeFirst()
                effects.append(.answer(.finished(USBIPResult(transfer, .stalled))))
            }
        }
        return effects
    }

    private mutating func end(
        _ transfer: USBIPTransfer,
        returning bytes: [UInt8],
        _ effects: inout [Effect]
    ) {
        controls.removeFirst()
        effects.append(.answer(.finished(Self.result(transfer, returning: bytes[...]))))
    }

    /// Returns no more than was asked for; a request with data counts what it took.
    private static func result(
        _ transfer: USBIPTransfer,
        returning bytes: ArraySlice<UInt8>
    ) -> USBIPResult {
        transfer.isIn
            ? USBIPResult(
                transfer,
                .done,
                returning: bytes.prefix(Int(transfer.request.byteCount))
            )
            : USBIPResult(transfer, .done, byteCount: transfer.data.count)
    }

    private mutating func answer(
        _ request: USBControlRequest,
        _ data: ArraySlice<UInt8>,
        _ effects: inout [Effect]
    ) -> USBControlAnswer {
        if request.isOfClass { return model.function.answer(request, data) }
        guard request.isStandard else { return .stalled }
        switch (request.type, request.code) {
        case (0x80, 0x06):
            return model.descriptor(request.value).map { .data($0) } ?? .stalled
        case (0x81, 0x06):
            let found = model.function.descriptor(request.value, interface: request.index)
            return found.map { .data($0) } ?? .stalled
        case (0x80, 0x00): return .data([model.isSelfPowered ? 1 : 0, 0])
        case (0x81, 0x00):
            return Int(request.index) < model.interfaces.count ? .data([0, 0]) : .stalled
        case (0x82, 0x00):
            guard let address = endpointAddress(request.index) else { return .stalled }
            return .data([halted.contains(address) ? 1 : 0, 0])
        case (0x00, 0x05): return .data([])
        case (0x80, 0x08): return .data([isConfigured ? model.configurationValue : 0])
        case (0x00, 0x09):
            guard request.value == 0 || request.value == UInt16(model.configurationValue) else {
                return .stalled
            }
            isConfigured = request.value != 0
            halted = []
            effects.append(.configured(isConfigured))
            return .data([])
        case (0x81, 0x0A):
            return Int(request.index) < model.interfaces.count ? .data([0]) : .stalled
        case (0x01, 0x0B):
            let isThere = Int(request.index) < model.interfaces.count && request.value == 0
            return isThere ? .data([]) : .stalled
        case (0x02, 0x01) where request.value == 0:
            guard let address = endpointAddress(request.index) else { return .stalled }
            halted.removeAll { $0 == address }
            effects += deliver()
            return .data([])
        case (0x02, 0x03) where request.value == 0:
            guard let address = endpointAddress(request.index), address & 0x0F != 0 else {
                return .stalled
            }
            if !halted.contains(address) { halted.append(address) }
            return .data([])
        default: return .stalled
        }
    }

    private func endpointAddress(_ index: UInt16) -> UInt8? {
        let address = UInt8(truncatingIfNeeded: index)
        if address & 0x0F == 0 { return index <= 0x80 ? 0 : nil }
        return model.endpoint(number: address & 0x0F, isIn: address & 0x80 != 0) != nil
            ? address : nil
    }
}
