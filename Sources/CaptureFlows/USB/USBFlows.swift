import CaptureFiles

/// Turns USB transfers into units: OUT data when they were submitted, IN data when they completed.
///
/// A completion belongs to the last submission with its number, device and endpoint; only control
/// transfers need it, for the setup packet. At most ``pendingCountLimit`` are remembered.
struct USBFlows: Sendable {
    private static let pendingCountLimit = 256
    private static let deviceCountLimit = 1_024

    private struct Pending: Sendable {
        var urbID: UInt64
        var bus: UInt16
        var device: UInt16
        var setup: USBSetupPacket
        /// Whether its unit was put out already.
        var isTold: Bool
        var isInjected: Bool
    }

    private var pendings: [Pending] = []
    /// Flows by bus, device, endpoint and kind of transfer in one number.
    private var ids: [UInt64: Flow.ID] = [:]
    private var lastKey = UInt64.max
    private var lastID = 0
    private var otherKey = UInt64.max
    private var otherID = 0
    private var devices = USBDescriptors()
    private var toldIDs: [UInt64] = []

    mutating func take(_ transfer: USBTransfer, _ output: inout FlowOutput) {
        switch transfer.transfer {
        case .control: takeControl(transfer, &output)
        case .interrupt, .bulk: takeData(transfer, &output)
        case .isochronous:
            output.notice(.isochronous, .leftOut, "isochronous transfers are left out")
        }
    }

    private mutating func takeData(_ transfer: USBTransfer, _ output: inout FlowOutput) {
        switch transfer.event {
        case .submission:
            guard !transfer.isIn, !transfer.data.isEmpty || transfer.missingByteCount > 0,
                let id = flow(transfer, &output)
            else { return }
            if transfer.mayRepeatData { noteTold(transfer.urbID) }
            output.put(
                id,
                .data,
                .toReader,
                transfer.data,
                at: transfer.dataByteOffset,
                missing: transfer.missingByteCount
            )
        case .completion, .submissionError, .data:
            let isRepeated = transfer.mayRepeatData && !transfer.isIn && isTold(transfer.urbID)
            if !isRepeated, !transfer.data.isEmpty || transfer.missingByteCount > 0,
                let id = flow(transfer, &output)
            {
                output.put(
                    id,
                    .data,
                    transfer.direction,
                    transfer.data,
                    at: transfer.dataByteOffset,
                    missing: transfer.missingByteCount
                )
            }
            if transfer.status != .success { fail(transfer, &output) }
        }
    }

    /// Remembers that a submission's data were put out.
    private mutating func noteTold(_ urbID: UInt64) {
        if toldIDs.count >= Self.pendingCountLimit { toldIDs.removeFirst() }
        toldIDs.append(urbID)
    }

    /// Whether the data of a completed transfer were put out already; forgets it.
    private mutating func isTold(_ urbID: UInt64) -> Bool {
        guard let index = toldIDs.lastIndex(of: urbID) else { return false }
        toldIDs.remove(at: index)
        return true
    }

    private mutating func fail(_ transfer: USBTransfer, _ output: inout FlowOutput) {
        guard let id = flow(transfer, &output) else { return }
        let offset = output.position.byteOffset
        output.put(id, .failed(transfer.status), transfer.direction, at: offset)
        let isGone = transfer.status == .shutDown || transfer.status == USBStatus(rawValue: -19)
        if isGone, devices.markGone(bus: transfer.bus, device: transfer.device) {
            output.put(id, .closed(.unplugged), transfer.direction, at: offset)
        }
    }

    // MARK: Control transfers

    private mutating func takeControl(_ transfer: USBTransfer, _ output: inout FlowOutput) {
        switch transfer.event {
        case .submission:
            guard let setup = transfer.setup else {
                output.notice(.setup, .leftOut, "a control transfer without its setup packet")
                return
            }
            // Old USBPcap has the data of an OUT transfer in a packet behind.
            let isTold =
                !setup.isIn
                && (setup.byteCount == 0 || !transfer.data.isEmpty || transfer.missingByteCount > 0)
            remember(transfer, setup, isTold: isTold)
            if isTold { put(setup, transfer, &output) }
        case .data:
            guard let index = pending(transfer) else { return unmatched(transfer, &output) }
            pendings[index].isTold = true
            put(pendings[index].setup, transfer, isInjected: pendings[index].isInjected, &output)
        case .completion, .submissionError:
            guard let index = pending(transfer) else { return unmatched(transfer, &output) }
            let known = pendings.remove(at: index)
            if !known.isTold,
                transfer.status == .success || !known.setup.isIn || !transfer.data.isEmpty
            {
                put(known.setup, transfer, isInjected: known.isInjected, &output)
            }
            if transfer.status != .success {
                fail(transfer, &output)
            } else {
                succeed(known.setup, transfer, isInjected: known.isInjected, &output)
            }
        }
    }

    private mutating func remember(
        _ transfer: USBTransfer,
        _ setup: USBSetupPacket,
        isTold: Bool
    ) {
        if let old = pending(transfer) { pendings.remove(at: old) }
        if pendings.count >= Self.pendingCountLimit { pendings.removeFirst() }
        pendings.append(
            Pending(
                urbID: transfer.urbID,
                bus: transfer.bus,
                device: transfer.device,
                setup: setup,
                isTold: isTold,
                isInjected: transfer.isInjected
            )
        )
    }

    private func pending(_ transfer: USBTransfer) -> Int? {
        pendings.lastIndex {
            $0.urbID == transfer.urbID && $0.device == transfer.device && $0.bus == transfer.bus
        }
    }

    /// Data of a transfer that began before the capture, or whose setup packet is not in it.
    private mutating func unmatched(_ transfer: USBTransfer, _ output: inout FlowOutput) {
        guard !transfer.isInjected else { return }
        if !transfer.data.isEmpty, let id = flow(transfer, &output) {
            output.put(id, .data, transfer.direction, transfer.data, at: transfer.dataByteOffset)
        }
        if transfer.status != .success, transfer.event != .data { fail(transfer, &output) }
    }

    private mutating func put(
        _ setup: USBSetupPacket,
        _ transfer: USBTransfer,
        isInjected: Bool = false,
        _ output: inout FlowOutput
    ) {
        devices.learn(setup, transfer, &output.usbDevices, limit: Self.deviceCountLimit)
        guard !isInjected, !transfer.isInjected, let id = flow(transfer, &output) else { return }
        let direction: FlowDirection = setup.isIn ? .fromReader : .toReader
        output.put(
            id,
            .control(setup),
            direction,
            transfer.data,
            at: transfer.dataByteOffset,
            missing: transfer.missingByteCount
        )
        for change in LineChanges.of(setup, transfer.data) {
            output.put(id, .line(change), direction, at: transfer.dataByteOffset)
        }
    }

    private mutating func succeed(
        _ setup: USBSetupPacket,
        _ transfer: USBTransfer,
        isInjected: Bool,
        _ output: inout FlowOutput
    ) {
        // SET_CONFIGURATION, USB 2.0 section 9.4.7: from here on the device can be used.
        guard setup.requestType == 0, setup.request == 9, setup.value != 0, !isInjected,
            let id = flow(transfer, &output)
        else { return }
        devices.markPresent(bus: transfer.bus, device: transfer.device)
        output.put(id, .opened, .toReader, at: output.position.byteOffset)
    }

    // MARK: Flows

    private mutating func flow(_ transfer: USBTransfer, _ output: inout FlowOutput) -> Flow.ID? {
        let endpoint = transfer.transfer == .control ? 0 : transfer.endpoint
        let packed =
            UInt64(transfer.bus) << 32 | UInt64(transfer.device) << 16 | UInt64(endpoint) << 8
            | UInt64(transfer.transfer.rawValue)
        if packed == lastKey { return lastID }
        if packed == otherKey {
            swap(&lastKey, &otherKey)
            swap(&lastID, &otherID)
            return lastID
        }
        let id: Flow.ID
        if let known = ids[packed] {
            id = known
        } else {
            let key = USBEndpointKey(
                bus: transfer.bus,
                device: transfer.device,
                endpoint: endpoint,
                transfer: transfer.transfer
            )
            guard let new = output.flow(.usb(key)) else { return nil }
            ids[packed] = new
            id = new
        }
        (otherKey, otherID) = (lastKey, lastID)
        (lastKey, lastID) = (packed, id)
        return id
    }
}

/// The line settings that CDC-ACM requests carry.
///
/// Source: USB CDC PSTN 1.2, sections 6.3.10 to 6.3.13.
enum LineChanges {
    static func of(
        _ setup: USBSetupPacket,
        _ data: ArraySlice<UInt8>
    ) -> [FlowUnit.LineChange] {
        guard setup.requestType == 0x21 else { return [] }
        switch setup.request {
        case 0x20 where data.count >= 7:
            return [
                .rate(data.little32(0)),
                .format(
                    dataBits: data.byte(6),
                    parity: data.byte(5),
                    halfStopBits: data.byte(4) <= 2 ? data.byte(4) + 2 : 0
                ),
            ]
        case 0x22:
            return [
                .dataTerminalReady(setup.value & 1 != 0), .requestToSend(setup.value & 2 != 0),
            ]
        case 0x23: return [.breakSignal(setup.value != 0)]
        default: return []
        }
    }
}
