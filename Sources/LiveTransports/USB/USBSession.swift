import Kernel
import Transports
import USB

/// Why a device that is there did not become a session.
enum USBSessionError: Error {
    /// It left meanwhile.
    case left
    /// It is another reader of the same kind.
    case otherSerialNumber
    /// It may work in a moment; ``problem(with:)`` says what to tell when it does not.
    case tryAgain(USBError)
}

/// One reader from attach to detach, on the USB thread.
///
/// It keeps as many interrupt transfers in flight as there are credits, up to a limit, and sends
/// one control request after the other. It never closes the device inside a completion.
final class USBSession {
    /// How many interrupt transfers wait for data at the same time.
    static let transferLimit = 4
    /// The size of a report where the reader does not describe it.
    static let assumedReportByteCount = 1_024
    /// How long a request may take; the reader keeps its status stage back until it is done.
    static let requestLimitMilliseconds: UInt32 = 5_000
    /// How many transfers in a row may fail before the link counts as cut; 50 ms apart, since just
    /// before the kernel notices an unplug every transfer fails.
    static let failureLimit = 20
    private static let pauseAfterFailure: Int64 = 50_000_000
    private static let shutDownLimit: Int64 = 1_000_000_000
    private static let interface: Int32 = 0

    let context: USBContext
    let place: USBPlace
    let attachment: Attachment
    /// Set when the session must end; the worker ends it outside of completions.
    var reasonToEnd: DetachReason?
    private(set) var unspentCredits = 0
    /// When ``work(at:)`` has something to do by itself.
    private(set) var nextWork: Int64?

    private let handle: USBDeviceHandle
    private let hadDriver: Bool
    private let endpoint: USBInterruptEndpoint
    private let transferByteCount: Int
    private let usesIDs: Bool
    private let post: (TransportEvent) -> Void
    private let unitLeft: () -> Void
    private var idle: [USBTransfer] = []
    private var inFlight: [USBTransfer] = []
    private var request: USBTransfer?
    private var outbox: [TransportUnit] = []
    private var failureCount = 0
    private var isHalted = false
    private var isShuttingDown = false
    private var deliversRest = false

    /// The device's node, which goes when it is unplugged.
    var node: String { place.node }

    /// Units that were sent and not yet handed to the reader.
    var unitsInHand: Int { outbox.count + (request == nil ? 0 : 1) }

    init(
        _ device: USBDevice,
        context: USBContext,
        selector: USBSelector,
        post: @escaping (TransportEvent) -> Void,
        unitLeft: @escaping () -> Void
    ) throws(USBSessionError) {
        do throws(USBError) {
            handle = try device.open()
        } catch {
            throw USBSessionError(error)
        }
        if case .ids(_, _, let wanted?) = selector {
            guard (try? handle.serialNumber()) == wanted else { throw .otherSerialNumber }
        }
        var hadDriver = false
        do throws(USBError) {
            guard let found = try device.interruptEndpoint(interface: 0) else {
                throw USBError(code: -5, operation: .readDescriptors)
            }
            endpoint = found
            // What it throws says little: where the platform cannot tell, claiming may work.
            hadDriver = (try? handle.detachKernelDriver(interface: Self.interface)) ?? false
            try handle.claim(interface: Self.interface)
        } catch {
            if hadDriver { _ = try? handle.attachKernelDriver(interface: Self.interface) }
            throw USBSessionError(error)
        }
        self.hadDriver = hadDriver
        self.context = context
        self.post = post
        self.unitLeft = unitLeft
        place = device.place
        let setup = USBSetup.reportDescriptor(interface: 0, length: 4_096)
        let descriptor = try? handle.controlRead(setup, timeoutMilliseconds: 1_000)
        let sizes = HIDReportSizes(descriptor: descriptor ?? [])
        usesIDs = sizes.usesIDs
        // A transfer ends with a short packet or when it is full: it must be a whole number of
        // packets, and the smallest that holds a report, since a report that is a multiple of the
        // packet's size has no short packet.
        let packet = endpoint.maximumPacketByteCount
        let wanted =
            sizes.largestInputByteCount > 0
            ? sizes.largestInputByteCount : Self.assumedReportByteCount
        transferByteCount = (wanted + packet - 1) / packet * packet
        attachment = Attachment(
            maximumPacketByteCount: packet,
            vendorID: device.vendorID,
            productID: device.productID
        )
    }

    // MARK: Inputs from the loop

    func grant(_ count: Int) {
        unspentCredits += count
        submitWhatCreditsAllow()
    }

    /// Takes a unit to send; false when USB readers have no such thing.
    func send(_ unit: TransportUnit) -> Bool {
        switch unit.kind {
        case .report, .featureSet, .featureGet:
            outbox.append(unit)
            startNextRequest()
            return true
        case .bytes, .lineState: return false
        }
    }

    /// Does what had to wait: a halt is cleared, or failed transfers are tried again.
    func work(at now: Int64) {
        guard let due = nextWork, now >= due, reasonToEnd == nil else { return }
        nextWork = nil
        if isHalted {
            isHalted = false
            try? handle.clearHalt(endpoint: endpoint.address)
        }
        submitWhatCreditsAllow()
    }

    // MARK: Reports

    private func submitWhatCreditsAllow() {
        guard reasonToEnd == nil, nextWork == nil, !isShuttingDown else { return }
        do throws(USBError) {
            while inFlight.count < min(unspentCredits, Self.transferLimit) {
                let transfer = if let last = idle.popLast() { last } else { try makeTransfer() }
                try transfer.submit()
                inFlight.append(transfer)
            }
        } catch {
            if error.kind == .noDevice {
                reasonToEnd = reasonToEnd ?? .left
            } else {
                pauseAfterFailure()
            }
        }
    }

    private func makeTransfer() throws(USBError) -> USBTransfer {
        try USBTransfer(handle, interrupt: endpoint, byteCount: transferByteCount) {
            [unowned self] transfer, result in
            finished(transfer, result)
        }
    }

    private func finished(_ transfer: USBTransfer, _ result: USBTransferResult) {
        inFlight.removeAll { $0 === transfer }
        idle.append(transfer)
        let takesUnits = isShuttingDown ? deliversRest : reasonToEnd == nil || reasonToEnd == .left
        if takesUnits, case .completed(let bytes) = result, !bytes.isEmpty {
            unspentCredits -= 1
            let id = usesIDs ? bytes[0] : 0
            post(.received(TransportUnit(.report(id: id), bytes[...])))
        }
        guard reasonToEnd == nil, !isShuttingDown else { return }
        switch result {
        case .completed:
            failureCount = 0
            submitWhatCreditsAllow()
        case .noDevice:
            reasonToEnd = .left
        case .stalled:
            isHalted = true
            pauseAfterFailure()
        case .cancelled, .timedOut, .overflow, .failed:
            pauseAfterFailure()
        }
    }

    private func pauseAfterFailure() {
        failureCount += 1
        if failureCount > Self.failureLimit {
            reasonToEnd = reasonToEnd ?? .cut
        } else {
            nextWork = MonotonicClock.now + Self.pauseAfterFailure
        }
    }

    // MARK: Requests

    private func startNextRequest() {
        while request == nil, reasonToEnd == nil, !isShuttingDown, !outbox.isEmpty {
            let unit = outbox.removeFirst()
            do throws(USBError) {
                let transfer = try USBTransfer(
                    handle,
                    control: setup(for: unit),
                    data: unit.payload,
                    timeoutMilliseconds: Self.requestLimitMilliseconds
                ) { [unowned self] _, result in
                    requestFinished(unit, result)
                }
                try transfer.submit()
                request = transfer
            } catch {
                unitLeft()
                if error.kind == .noDevice {
                    reasonToEnd = .left
                } else {
                    finish(unit, .stalled)
                }
            }
        }
    }

    private func setup(for unit: TransportUnit) -> USBSetup {
        let length = UInt16(clamping: unit.payload.count)
        return switch unit.kind {
        case .featureSet(let id): .setReport(type: 3, id: id, interface: 0, length: length)
        case .report(let id): .setReport(type: 2, id: id, interface: 0, length: length)
        case .featureGet(let id, let byteCount):
            .getReport(type: 3, id: id, interface: 0, length: UInt16(clamping: byteCount))
        case .bytes, .lineState: .getReport(type: 3, id: 0, interface: 0, length: 0)
        }
    }

    private func requestFinished(_ unit: TransportUnit, _ result: USBTransferResult) {
        request = nil
        guard !isShuttingDown else { return }
        unitLeft()
        guard reasonToEnd == nil else { return }
        switch (result, unit.kind) {
        case (.completed(let bytes), .featureGet): finish(unit, .got(bytes[...]))
        case (.completed, _): finish(unit, .set)
        case (.noDevice, _): reasonToEnd = .left
        case (.timedOut, _): finish(unit, .timedOut)
        case (.stalled, _), (.cancelled, _), (.overflow, _), (.failed, _): finish(unit, .stalled)
        }
        startNextRequest()
    }

    private func finish(_ unit: TransportUnit, _ result: FeatureResult) {
        if case .report = unit.kind { return }
        post(.featureFinished(result))
    }

    // MARK: The end

    /// Takes back what is in flight; call it outside of completions.
    ///
    /// Units that had arrived before that are still posted when the host wants them.
    func takeBack(deliversRest: Bool) {
        isShuttingDown = true
        self.deliversRest = deliversRest
        for transfer in inFlight { transfer.cancel() }
        request?.cancel()
        let limit = MonotonicClock.now + Self.shutDownLimit
        while !inFlight.isEmpty || request != nil, MonotonicClock.now < limit {
            guard (try? context.handleEvents(timeoutMilliseconds: 100)) != nil else { break }
        }
        self.deliversRest = false
    }

    /// Gives up the interface, after what was in flight was taken back.
    func giveBack(toDriver: Bool) {
        if !inFlight.isEmpty || request != nil {
            // The kernel did not give them back. Closing now would leave libusb with transfers
            // of a handle that is gone, so this session stays for as long as the process.
            _ = Unmanaged.passRetained(self)
            return
        }
        idle = []
        handle.release(interface: Self.interface)
        if toDriver, hadDriver { _ = try? handle.attachKernelDriver(interface: Self.interface) }
    }
}

extension USBSessionError {
    fileprivate init(_ error: USBError) {
        self = error.kind == .noDevice ? .left : .tryAgain(error)
    }
}

extension TransportProblem {
    /// What to tell of a device that was tried often enough, with the remedy in words.
    ///
    /// - Complexity: O(*n*) in the number of udev rules, or of open files of other processes.
    init(_ error: USBError, with device: USBDevice) {
        let ids = USBIDs(vendorID: device.vendorID, productID: device.productID)
        switch error.kind {
        case .accessDenied:
            let rules = UdevRules(.machine).about(
                vendorID: device.vendorID,
                productID: device.productID,
                node: "usb"
            )
            let rule = KnownReader.usbRule(vendorID: device.vendorID, productID: device.productID)
            var hint = ""
            if let bad = rules.last, case .opensNothing(let why) = bad.effect {
                hint = "; the rule in \(bad.place) does not help: \(why)"
            }
            self.init(
                .accessDenied,
                "this user may not open \(device.place.node) of \(ids)\(hint); write the line "
                    + "\(rule) to /etc/udev/rules.d/60-cardrig.rules, then unplug the reader and "
                    + "plug it in"
            )
        case .busy:
            let node = String(device.place.node.dropFirst("/dev/".count))
            let holders = SystemTree.machine.holders(of: node).map(\.description)
            let who = holders.isEmpty ? "another program" : holders.joined(separator: ", ")
            self.init(
                .busy,
                "device in use by \(who): \(ids) at \(device.place.path); end that one, then unplug "
                    + "the reader and plug it in"
            )
        case .notFound:
            self.init(
                .unsupported,
                "\(ids) at \(device.place.path) has no interrupt endpoint on interface 0"
            )
        case .noDevice, .stalled, .timedOut, .notSupported, .other:
            self.init(.failed, "\(error.description) (\(ids))")
        }
    }
}

extension USBPlace {
    /// The node of the device at this place, which goes when it is unplugged.
    var node: String { "/dev/bus/usb/\(decimal(bus))/\(decimal(address))" }
}

/// Returns three decimal digits, as usbfs names its nodes.
private func decimal(_ number: UInt8) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 3 - digits.count) + digits
}
