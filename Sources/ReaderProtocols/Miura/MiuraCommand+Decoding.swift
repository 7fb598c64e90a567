import CardData

extension MiuraCommand {
    /// Reads a command; one with a code that has no typed case comes as ``other(_:)``.
    ///
    /// - Throws: ``MiuraFormatError`` for a known command with parameters or data that it cannot
    ///   have. A reader answers that with a status word of its own.
    public init(_ apdu: MiuraAPDU) throws(MiuraFormatError) {
        guard let name = MiuraCommandName(rawValue: apdu.code) else {
            self = .other(apdu)
            return
        }
        switch name {
        case .resetDevice: self = .resetDevice(try apdu.first(MiuraReset.init(rawValue:)))
        case .getConfiguration: self = .getConfiguration
        case .getDeviceInfo: self = .getDeviceInfo
        case .cardStatus: self = .cardStatus(try Self.cardReports(apdu))
        case .cardStatusSolicited: self = .cardStatusSolicited(try Self.cardReports(apdu))
        case .keyboardStatus:
            self = .keyboardStatus(
                MiuraKeyboardReports(
                    reportsKeys: try apdu.first(Self.state).isOn,
                    isLit: try apdu.second(Self.state).isOn
                )
            )
        case .batteryStatus: self = .batteryStatus(try Self.batteryRequest(apdu))
        case .printerStatus: self = .printerStatus(reportsChanges: try apdu.first(Self.flag))
        case .usbStatus: self = .usbStatus(reportsChanges: try apdu.first(Self.flag))
        case .systemClock:
            self = apdu.data.isEmpty ? .readClock : .setClock(try MiuraClock(apdu.objects()))
        case .systemLog: self = .systemLog(removes: try apdu.first(Self.flag))
        case .abort: self = .abort
        case .peripheralStatus: self = .peripheralStatus
        case .cashDrawer: self = .cashDrawer(opens: try apdu.first(Self.flag))
        case .barCodeScannerStatus:
            self = .barCodeScanner(reportsCodes: try apdu.first(Self.flag))
        case .displayText:
            var text = MiuraText("", isLarge: try apdu.first(Self.flag))
            guard apdu.p2 & 0x7E == 0 else { throw MiuraFormatError(.wrongParameter, offset: 3) }
            text.isLit = apdu.p2 & 0x01 != 0
            text.isUTF8 = apdu.p2 & 0x80 != 0
            text.characters = apdu.data
            self = .displayText(text)
        case .getNumericData, .getDynamicTip, .getMenuOption, .getAlphanumericData,
            .getExpirationDate, .getSecurePAN, .getSecureData:
            guard let kind = MiuraInput.Kind(rawValue: apdu.code) else {
                self = .other(apdu)
                return
            }
            self = .input(
                MiuraInput(kind, p1: apdu.p1, p2: apdu.p2, objects: try apdu.objects())
            )
        case .selectFile:
            self = .selectFile(
                MiuraFileSelection(
                    try apdu.fileName(),
                    try apdu.first(MiuraFileSelection.Mode.init(rawValue:)),
                    in: try apdu.second(MiuraFolder.init(rawValue:))
                )
            )
        case .deleteFile:
            let isFolder = try apdu.first(Self.flag)
            self = .deleteFile(
                name: isFolder ? nil : try apdu.fileName(),
                folder: try apdu.second(MiuraFolder.init(rawValue:))
            )
        case .listFiles:
            self = .listFiles(try apdu.second(MiuraFolder.init(rawValue:)))
        case .readBinary: self = try Self.readBinary(apdu)
        case .streamBinary: self = .streamBinary(try MiuraStream(apdu))
        case .startTransaction: self = .startTransaction(try MiuraTransaction(apdu.objects()))
        case .continueTransaction: self = .continueTransaction(try apdu.objects())
        case .startContactless: self = .startContactless(try MiuraTransaction(apdu.objects()))
        case .onlinePIN: self = .onlinePIN(try MiuraOnlinePIN(apdu))
        case .getNextSequenceCounter: self = .getNextSequenceCounter
        case .p2peStatus: self = .p2peStatus
        case .p2peInitialise: self = .p2peInitialise
        case .p2peImport: self = .p2peImport
        case .p2peGetKSNForMAC: self = .p2peGetKSNForMAC
        case .setupUSBSerialAdaptor, .sendUSBSerialData, .bluetoothControl, .usbSerialDisconnect,
            .promptsTest, .displayMedia, .buzzer, .printText, .printImage, .spoolPrint,
            .printESCPOS, .configureImage, .setContactlessLED, .displayImage, .routeComms,
            .wifiControl, .massStorageControl, .touchStatus, .touchBegin, .touchEnd, .touchClear,
            .touchExport, .getEMVHashValues, .getContactlessHashValues, .voltageStatus,
            .voltageKeyChange, .p2peGetEncryptedData, .p2peVerifyMAC,
            .p2peGetMACConfigurationFile, .updateBinary:
            self = .other(apdu)
        }
    }

    private static func flag(_ byte: UInt8) -> Bool? { byte < 2 ? byte == 1 : nil }

    /// A parameter that leaves things as they are with FF.
    private static func state(_ byte: UInt8) -> (isOn: Bool?, ())? {
        byte == 0xFF ? (nil, ()) : flag(byte).map { ($0, ()) }
    }

    private static func cardReports(_ apdu: MiuraAPDU) throws(MiuraFormatError) -> MiuraCardReports
    {
        guard apdu.p1 < 0x20 else { throw MiuraFormatError(.wrongParameter, offset: 2) }
        guard apdu.p2 < 2 else { throw MiuraFormatError(.wrongParameter, offset: 3) }
        return MiuraCardReports(rawValue: UInt16(apdu.p2) << 8 | UInt16(apdu.p1))
    }

    private static func batteryRequest(
        _ apdu: MiuraAPDU
    ) throws(MiuraFormatError) -> MiuraBatteryRequest {
        switch apdu.p1 {
        case 0: return .query
        case 1: return .sleep
        case 2: return .powerOff
        case 3:
            guard apdu.p2 < 4 else { throw MiuraFormatError(.wrongParameter, offset: 3) }
            return .report(chargingChanges: apdu.p2 & 1 != 0, lowCharge: apdu.p2 & 2 != 0)
        default: throw MiuraFormatError(.wrongParameter, offset: 2)
        }
    }

    private static func readBinary(_ apdu: MiuraAPDU) throws(MiuraFormatError) -> MiuraCommand {
        guard let byteCount = apdu.expectedByteCount else {
            throw MiuraFormatError(.wrongDataLength, offset: 4)
        }
        let parameters = Int(apdu.p1 & 0x7F) << 8 | Int(apdu.p2)
        guard apdu.p1 & 0x80 != 0 else {
            guard apdu.data.isEmpty else { throw MiuraFormatError(.wrongDataLength, offset: 4) }
            return .readBinary(offset: parameters, byteCount: byteCount)
        }
        guard apdu.data.count == 1 else { throw MiuraFormatError(.wrongDataLength, offset: 4) }
        return .readBinary(offset: parameters << 8 | Int(apdu.data[0]), byteCount: byteCount)
    }
}

extension MiuraAPDU {
    /// The first parameter, when it means something.
    func first<Value>(_ convert: (UInt8) -> Value?) throws(MiuraFormatError) -> Value {
        guard let value = convert(p1) else { throw MiuraFormatError(.wrongParameter, offset: 2) }
        return value
    }

    /// The second parameter, when it means something.
    func second<Value>(_ convert: (UInt8) -> Value?) throws(MiuraFormatError) -> Value {
        guard let value = convert(p2) else { throw MiuraFormatError(.wrongParameter, offset: 3) }
        return value
    }

    /// The data as a file name: ASCII without controls.
    func fileName() throws(MiuraFormatError) -> String {
        guard !data.isEmpty else { throw MiuraFormatError(.wrongDataLength, offset: 4) }
        guard data.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw MiuraFormatError(.malformed(.fileName), offset: 5)
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The objects inside E0; none when there is no data.
    func objects() throws(MiuraFormatError) -> [TLV] {
        guard !data.isEmpty else { return [] }
        let objects: [TLV]
        do throws(TLVError) { objects = try TLV.objects(in: data) } catch {
            throw MiuraFormatError(error, from: data.count > Self.maximumShortDataByteCount ? 7 : 5)
        }
        guard objects.count == 1, objects[0].tag == .commandData else {
            throw MiuraFormatError(.missing(.commandData))
        }
        return objects[0].children
    }
}

extension MiuraStream {
    /// Reads what STREAM BINARY announces.
    ///
    /// - Throws: ``MiuraFormatError`` when offset, byte count or time limit is missing or too wide.
    init(_ apdu: MiuraAPDU) throws(MiuraFormatError) {
        var reader = ObjectReader(try apdu.objects())
        func number(upTo count: Int) -> ([UInt8]) -> Int? {
            { (1...count).contains($0.count) ? $0.reduce(0) { $0 << 8 | Int($1) } : nil }
        }
        self.init(
            offset: try reader.require(.streamOffset, number(upTo: 3)),
            byteCount: try reader.require(.streamByteCount, number(upTo: 3)),
            timeLimit: try reader.require(.streamTimeLimit, number(upTo: 2)),
            returnsMD5: try apdu.first { $0 < 2 ? $0 == 1 : nil }
        )
    }
}

extension MiuraOnlinePIN {
    /// Reads what ONLINE PIN asks for.
    ///
    /// - Throws: ``MiuraFormatError`` when an object is missing or has a value it cannot have.
    init(_ apdu: MiuraAPDU) throws(MiuraFormatError) {
        guard apdu.p1 == 1 else { throw MiuraFormatError(.wrongParameter, offset: 2) }
        guard apdu.p2 & 0x7E == 0 else { throw MiuraFormatError(.wrongParameter, offset: 3) }
        var reader = ObjectReader(try apdu.objects())
        self.init(
            amountMinorUnits: try reader.require(.amount) {
                $0.count == 6 ? BCD.number($0) : nil
            },
            currency: try reader.require(.currency) { $0.count == 2 ? BCD.number($0) : nil },
            label: try reader.require(.applicationLabel) { String(decoding: $0, as: UTF8.self) },
            maskedTrack2: try reader.require(.maskedTrack2) { $0 },
            allowsBypass: apdu.p2 & 0x01 != 0,
            wantsEncryptedData: apdu.p2 & 0x80 != 0
        )
    }
}
