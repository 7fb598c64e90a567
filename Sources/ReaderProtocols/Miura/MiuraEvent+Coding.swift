import CardData

extension MiuraEvent {
    /// The message's body and status word.
    ///
    /// Templates that no source shows are assumed to be E6 for a status and E1 for data.
    public var response: MiuraResponse {
        switch self {
        case .readerStatus(let status): Self.wrapped(.terminalStatusChanged, status.objects)
        case .keyPressed(let code): Self.wrapped(.commandData, [TLV(.keyCode, [code])])
        case .cardStatus(let report): Self.wrapped(.responseData, report.allObjects)
        case .barCode(let code): Self.wrapped(.responseData, [TLV(.barCode, code)])
        case .printer(let status):
            Self.wrapped(.terminalStatusChanged, [TLV(.printerStatus, [status.rawValue])])
        case .usbSerialData(let bytes):
            Self.wrapped(.responseData, [TLV(.usbSerialData, bytes)])
        case .battery(let battery): Self.wrapped(.terminalStatusChanged, battery.objects)
        case .touched(let area): Self.wrapped(.responseData, [TLV(.areaTouched, [area])])
        case .wifi(let entries):
            Self.wrapped(
                .responseData,
                entries.map { TLV(.configurationInformation, $0.objects) }
            )
        case .usb(let isPlugged):
            Self.wrapped(.terminalStatusChanged, [TLV(.usbStatus, [isPlugged ? 1 : 0])])
        case .pairingRequest(let passcode, let address):
            Self.wrapped(
                .responseData,
                [TLV(.pairingPasscode, text: passcode), TLV(.bluetoothAddress, address)]
            )
        case .other(let response): response
        }
    }

    /// The event as a message from a node.
    public func message(from node: MiuraNode = .reader) -> MiuraMessage {
        MiuraMessage(node: node, isUnsolicited: true, payload: response.payload)
    }

    private static func wrapped(_ tag: TLVTag, _ objects: [TLV]) -> MiuraResponse {
        MiuraResponse([TLV(tag, objects)])
    }

    /// Reads an unsolicited message; one that fits no kind comes as ``other(_:)``.
    public init(_ response: MiuraResponse) {
        guard let objects = try? response.objects(), let event = Self.event(objects) else {
            self = .other(response)
            return
        }
        self = event
    }

    private static func event(_ objects: [TLV]) -> MiuraEvent? {
        if let code = objects.first(.deviceStatusCode) {
            guard let text = objects.first(.deviceStatusText), code.value.count == 1 else {
                return nil
            }
            return .readerStatus(MiuraReaderStatus(code.value[0], text.text, objects))
        }
        if let key = objects.first(.keyCode) { return byte(key).map(MiuraEvent.keyPressed) }
        let inner = objects.filter { $0.tag == .responseData }
        if inner.first(.cardStatus) != nil {
            return (try? MiuraCardReport(inner)).map(MiuraEvent.cardStatus)
        }
        if let code = objects.first(.barCode) { return .barCode(code.value) }
        if let status = objects.first(.printerStatus) {
            return byte(status).map { .printer(MiuraPrinterStatus(rawValue: $0)) }
        }
        if let data = objects.first(.usbSerialData) { return .usbSerialData(data.value) }
        if objects.first(.batteryPercentage) != nil {
            return (try? MiuraBattery(objects)).map(MiuraEvent.battery)
        }
        if let area = objects.first(.areaTouched) { return byte(area).map(MiuraEvent.touched) }
        if let status = objects.first(.usbStatus) {
            return byte(status).map { .usb(isPlugged: $0 != 0) }
        }
        if let passcode = objects.first(.pairingPasscode) {
            guard let address = objects.first(.bluetoothAddress) else { return nil }
            return .pairingRequest(passcode: passcode.text, address: address.value)
        }
        guard inner.first(.configurationInformation) != nil else { return nil }
        return .wifi(MiuraEntry.entries(in: inner))
    }

    private static func byte(_ object: TLV) -> UInt8? {
        object.value.count == 1 ? object.value[0] : nil
    }
}

extension MiuraReaderStatus {
    /// The objects of E6.
    var objects: [TLV] {
        var objects = [TLV(.deviceStatusCode, [code.rawValue]), TLV(.deviceStatusText, text: text)]
        if let pinDigitCount {
            objects.append(TLV(.pinDigitCount, [UInt8(clamping: pinDigitCount)]))
        }
        if let pinEntry { objects.append(TLV(.pinEntryStatus, [pinEntry.rawValue])) }
        return objects
    }

    /// Reads E6, with the PIN's objects by either number.
    init(_ code: UInt8, _ text: String, _ objects: [TLV]) {
        self.init(Code(rawValue: code), text)
        let digits = objects.first(.pinDigitCount) ?? objects.first(.pinDigitCountNewer)
        pinDigitCount = digits?.number.map(Int.init(clamping:))
        let entry = objects.first(.pinEntryStatus) ?? objects.first(.pinEntryStatusNewer)
        pinEntry = entry?.value.first.flatMap(PINEntry.init(rawValue:))
    }
}

extension MiuraCardReport {
    /// 48 and the other objects.
    var allObjects: [TLV] {
        [TLV(.cardStatus, [UInt8(status.rawValue >> 8), UInt8(status.rawValue & 0xFF)])] + objects
    }

    /// Reads 48 and what stands beside it.
    ///
    /// - Throws: ``MiuraFormatError`` when 48 is missing or has other than two bytes.
    init(_ objects: [TLV]) throws(MiuraFormatError) {
        guard let status = objects.first(.cardStatus)?.value else {
            throw MiuraFormatError(.missing(.cardStatus))
        }
        guard status.count == 2 else { throw MiuraFormatError(.malformed(.cardStatus)) }
        let siblings =
            objects.count == 1 && objects[0].tag == .responseData
            ? objects[0].children : objects
        self.init(
            Status(rawValue: UInt16(status[0]) << 8 | UInt16(status[1])),
            objects: siblings.filter { $0.tag != .cardStatus }
        )
    }
}
