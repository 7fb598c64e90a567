import CardData

extension MiuraAnswer {
    /// The answer's body and status word.
    public var response: MiuraResponse {
        switch self {
        case .done: MiuraResponse()
        case .software(let software): Self.wrapped(software.objects)
        case .entries(let entries):
            Self.wrapped(entries.map { TLV(.configurationInformation, $0.objects) })
        case .cardStatus(let report): Self.wrapped(report.allObjects)
        case .battery(let battery): Self.wrapped(battery.objects)
        case .printer(let status): Self.wrapped([TLV(.printerStatus, [status.rawValue])])
        case .usb(let isPlugged): Self.wrapped([TLV(.usbStatus, [isPlugged ? 1 : 0])])
        case .clock(let clock): Self.wrapped(clock.objects)
        case .cashDrawer(let isOpen): MiuraResponse([isOpen ? 0x01 : 0x00])
        case .peripherals(let names): Self.wrapped(names.map { TLV(.identifier, text: $0) })
        case .input(let objects): Self.wrapped(objects)
        case .file(let byteCount, let md5):
            Self.wrapped(
                [TLV(.fileSize, Self.shortest(byteCount))]
                    + (md5.map { [TLV(.fileMD5, $0)] } ?? [])
            )
        case .files(let names, let spaceUsed, let slotsUsed):
            Self.wrapped(
                names.map { TLV(.identifier, text: $0) } + [
                    TLV(.fileSpaceUsed, number: UInt64(clamping: spaceUsed), byteCount: 4),
                    TLV(.fileSlotsUsed, number: UInt64(clamping: slotsUsed), byteCount: 2),
                ]
            )
        case .fileBytes(let bytes), .other(let bytes): MiuraResponse(bytes)
        case .md5(let md5): Self.wrapped([TLV(.fileMD5, md5)])
        case .transaction(let outcome): MiuraResponse([TLV(outcome.tag, outcome.objects)])
        case .onlinePIN(let result): result.response
        case .sequenceCounter(let counter):
            Self.wrapped([TLV(.sequenceCounter, BCD.bytes(counter, byteCount: 4))])
        case .p2peStatus(let status): Self.wrapped([TLV(.p2peStatus, [status.rawValue])])
        case .ksn(let ksn): Self.wrapped([TLV(.sredKSN, ksn)])
        case .refused(let statusWord, let body): MiuraResponse(body, statusWord)
        }
    }

    /// The answer as a message from a node.
    public func message(from node: MiuraNode = .reader) -> MiuraMessage {
        MiuraMessage(node: node, payload: response.payload)
    }

    private static func wrapped(_ objects: [TLV]) -> MiuraResponse {
        MiuraResponse([TLV(.responseData, objects)])
    }

    /// A number in as few bytes as hold it; none for 0.
    private static func shortest(_ number: Int) -> [UInt8] {
        Array(UInt64.bigEndianBytes(UInt64(clamping: number), byteCount: 8).drop { $0 == 0 })
    }

    /// Reads the answer to a command.
    ///
    /// - Throws: ``MiuraFormatError`` when the body is none that the command's answers have.
    public init(_ response: MiuraResponse, to command: MiuraCommand) throws(MiuraFormatError) {
        guard response.statusWord.isSuccess else {
            self = .refused(response.statusWord, response.body)
            return
        }
        self = try Self.success(response, to: command)
    }

    private static func success(
        _ response: MiuraResponse,
        to command: MiuraCommand
    ) throws(MiuraFormatError) -> MiuraAnswer {
        switch command {
        case .resetDevice: return .software(try MiuraSoftware(response.objects()))
        case .getConfiguration, .getDeviceInfo:
            return .entries(MiuraEntry.entries(in: try response.objects()))
        case .cardStatusSolicited:
            return .cardStatus(try MiuraCardReport(response.objects()))
        case .batteryStatus:
            guard !response.body.isEmpty else { return .done }
            return .battery(try MiuraBattery(response.objects()))
        case .printerStatus:
            return .printer(
                MiuraPrinterStatus(rawValue: try response.byte(.printerStatus))
            )
        case .usbStatus: return .usb(isPlugged: try response.byte(.usbStatus) != 0)
        case .readClock: return .clock(try MiuraClock(response.objects()))
        case .cashDrawer: return .cashDrawer(isOpen: try response.onlyByte() != 0)
        case .peripheralStatus:
            return .peripherals(try response.objects().all(.identifier).map(\.text))
        case .input:
            guard !response.body.isEmpty else { return .done }
            return .input(try response.inner())
        case .selectFile:
            let objects = try response.objects()
            guard let size = objects.first(.fileSize) else {
                throw MiuraFormatError(.missing(.fileSize))
            }
            guard let number = size.number, number <= UInt64(Int.max) else {
                throw MiuraFormatError(.malformed(.fileSize))
            }
            return .file(byteCount: Int(number), md5: objects.first(.fileMD5)?.value)
        case .listFiles: return try files(response.objects())
        case .readBinary: return .fileBytes(response.body)
        case .streamBinary:
            guard !response.body.isEmpty else { return .done }
            guard let md5 = try response.objects().first(.fileMD5) else {
                throw MiuraFormatError(.missing(.fileMD5))
            }
            return .md5(md5.value)
        case .startTransaction, .continueTransaction, .startContactless:
            for object in try response.objects() {
                if let outcome = MiuraOutcome(object) { return .transaction(outcome) }
            }
            throw MiuraFormatError(.missing(.onlineAuthorisationRequired))
        case .onlinePIN: return .onlinePIN(try MiuraPINResult(response))
        case .getNextSequenceCounter:
            guard let counter = try response.objects().first(.sequenceCounter) else {
                throw MiuraFormatError(.missing(.sequenceCounter))
            }
            guard let number = BCD.number(counter.value) else {
                throw MiuraFormatError(.malformed(.sequenceCounter))
            }
            return .sequenceCounter(number)
        case .p2peStatus:
            return .p2peStatus(MiuraP2PEStatus(rawValue: try response.byte(.p2peStatus)))
        case .p2peGetKSNForMAC:
            guard let ksn = try response.objects().first(.sredKSN) else {
                throw MiuraFormatError(.missing(.sredKSN))
            }
            return .ksn(ksn.value)
        case .cardStatus, .keyboardStatus, .setClock, .systemLog, .abort, .barCodeScanner,
            .displayText, .deleteFile, .p2peInitialise, .p2peImport, .other:
            return response.body.isEmpty ? .done : .other(response.body)
        }
    }

    private static func files(_ objects: [TLV]) throws(MiuraFormatError) -> MiuraAnswer {
        func number(_ tag: TLVTag) throws(MiuraFormatError) -> Int {
            guard let object = objects.first(tag) else { return 0 }
            guard let number = object.number, number <= UInt64(Int.max) else {
                throw MiuraFormatError(.malformed(tag))
            }
            return Int(number)
        }
        return .files(
            names: objects.all(.identifier).map(\.text),
            spaceUsed: try number(.fileSpaceUsed),
            slotsUsed: try number(.fileSlotsUsed)
        )
    }
}

extension MiuraResponse {
    /// The only byte of a body that is no BER-TLV.
    func onlyByte() throws(MiuraFormatError) -> UInt8 {
        guard body.count == 1 else { throw MiuraFormatError(.wrongBodyLength, offset: body.count) }
        return body[0]
    }

    /// The value of an object that has one byte.
    func byte(_ tag: TLVTag) throws(MiuraFormatError) -> UInt8 {
        guard let object = try objects().first(tag) else { throw MiuraFormatError(.missing(tag)) }
        guard object.value.count == 1 else { throw MiuraFormatError(.malformed(tag)) }
        return object.value[0]
    }

    /// The objects inside E1, or those of a body without it.
    func inner() throws(MiuraFormatError) -> [TLV] {
        let objects = try objects()
        return objects.count == 1 && objects[0].tag == .responseData ? objects[0].children : objects
    }
}

extension MiuraEntry {
    /// DF0D and, where there is a value, DF7F.
    var objects: [TLV] {
        [TLV(.identifier, text: name)] + (value.map { [TLV(.version, text: $0)] } ?? [])
    }

    /// Reads what stands in an ED or EF.
    ///
    /// A known fault of the hub's software 1-1 is taken as meant: a second DF0D instead of DF7F.
    init(_ objects: [TLV]) {
        let names = objects.filter { $0.tag == .identifier }
        name = names.first?.text ?? ""
        value = (objects.first { $0.tag == .version } ?? names.dropFirst().first)?.text
    }

    /// Every template with a DF0D in it, in its order, whatever its tag.
    static func entries(in objects: [TLV]) -> [MiuraEntry] {
        objects.flatMap { object in
            object.children.contains { $0.tag == .identifier }
                ? [MiuraEntry(object.children)] : entries(in: object.children)
        }
    }
}

extension MiuraSoftware {
    /// The objects of E1: 9F1E, EF for each software, ED for each ability.
    var objects: [TLV] {
        [TLV(.serialNumber, text: serialNumber)]
            + software.map { TLV(.softwareInformation, $0.objects) }
            + abilities.map { TLV(.configurationInformation, $0.objects) }
    }

    /// Reads the answer to RESET DEVICE.
    ///
    /// - Throws: ``MiuraFormatError`` when there is no 9F1E.
    init(_ objects: [TLV]) throws(MiuraFormatError) {
        guard let serialNumber = objects.first(.serialNumber) else {
            throw MiuraFormatError(.missing(.serialNumber))
        }
        self.init(
            serialNumber: serialNumber.text,
            software: objects.all(.softwareInformation).map { MiuraEntry($0.children) },
            abilities: objects.all(.configurationInformation).map { MiuraEntry($0.children) }
        )
    }
}

extension MiuraBattery {
    /// DFA20A and, where it is known, DFA209.
    var objects: [TLV] {
        [TLV(.batteryPercentage, [UInt8(clamping: percentage)])]
            + (charging.map { [TLV(.chargingStatus, [$0.rawValue])] } ?? [])
    }

    /// Reads DFA20A and DFA209.
    ///
    /// - Throws: ``MiuraFormatError`` for a missing percentage or a value neither can have.
    init(_ objects: [TLV]) throws(MiuraFormatError) {
        guard let percentage = objects.first(.batteryPercentage)?.value else {
            throw MiuraFormatError(.missing(.batteryPercentage))
        }
        guard percentage.count == 1, percentage[0] <= 100 else {
            throw MiuraFormatError(.malformed(.batteryPercentage))
        }
        self.init(percentage: Int(percentage[0]), charging: nil)
        guard let byte = objects.first(.chargingStatus)?.value else { return }
        guard byte.count == 1, let charging = Charging(rawValue: byte[0]) else {
            throw MiuraFormatError(.malformed(.chargingStatus))
        }
        self.charging = charging
    }
}

extension MiuraPINResult {
    /// The answer as sent.
    var response: MiuraResponse {
        switch self {
        case .block(let block, let ksn):
            MiuraResponse([
                TLV(.responseData, [TLV(.onlinePINBlock, block), TLV(.onlinePINKSN, ksn)])
            ])
        case .encryptedData(let data, let ksn):
            MiuraResponse([TLV(.responseData, [TLV(.sredData, data), TLV(.sredKSN, ksn)])])
        case .cancelledOrTimedOut: MiuraResponse([0x08] as [UInt8])
        case .internalError(let code): MiuraResponse([code])
        case .bypassed: MiuraResponse([0x0C] as [UInt8])
        }
    }

    /// Reads the answer to ONLINE PIN.
    ///
    /// - Throws: ``MiuraFormatError`` for another byte than the published ones, and for a block
    ///   without KSN.
    init(_ response: MiuraResponse) throws(MiuraFormatError) {
        if response.body.count < 2 {
            switch try response.onlyByte() {
            case 0x08: self = .cancelledOrTimedOut
            case 0x09, 0x0A, 0x0B: self = .internalError(response.body[0])
            case 0x0C: self = .bypassed
            default: throw MiuraFormatError(.wrongBodyLength, offset: 1)
            }
            return
        }
        let objects = try response.objects()
        if let block = objects.first(.onlinePINBlock) {
            guard block.value.count == 8 else {
                throw MiuraFormatError(.malformed(.onlinePINBlock))
            }
            guard let ksn = objects.first(.onlinePINKSN) else {
                throw MiuraFormatError(.missing(.onlinePINKSN))
            }
            self = .block(block.value, ksn: ksn.value)
        } else if let data = objects.first(.sredData) {
            guard let ksn = objects.first(.sredKSN) else {
                throw MiuraFormatError(.missing(.sredKSN))
            }
            self = .encryptedData(data.value, ksn: ksn.value)
        } else {
            throw MiuraFormatError(.missing(.onlinePINBlock))
        }
    }
}
