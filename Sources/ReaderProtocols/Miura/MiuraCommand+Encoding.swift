import CardData

extension MiuraCommand {
    /// The command as it stands in a frame.
    public var apdu: MiuraAPDU {
        switch self {
        case .resetDevice(let reset): Self.apdu(.resetDevice, reset.rawValue)
        case .getConfiguration: Self.apdu(.getConfiguration)
        case .getDeviceInfo: Self.apdu(.getDeviceInfo)
        case .cardStatus(let reports): Self.apdu(.cardStatus, reports.p1, reports.p2)
        case .cardStatusSolicited(let reports):
            Self.apdu(.cardStatusSolicited, reports.p1, reports.p2)
        case .keyboardStatus(let reports):
            Self.apdu(
                .keyboardStatus,
                Self.byte(reports.reportsKeys),
                Self.byte(reports.isLit)
            )
        case .batteryStatus(let request): Self.apdu(request)
        case .printerStatus(let reportsChanges):
            Self.apdu(.printerStatus, reportsChanges ? 1 : 0)
        case .usbStatus(let reportsChanges): Self.apdu(.usbStatus, reportsChanges ? 1 : 0)
        case .readClock: Self.apdu(.systemClock)
        case .setClock(let clock): Self.apdu(.systemClock, clock.objects)
        case .systemLog(let removes): Self.apdu(.systemLog, removes ? 1 : 0)
        case .abort: Self.apdu(.abort)
        case .peripheralStatus: Self.apdu(.peripheralStatus)
        case .cashDrawer(let opens): Self.apdu(.cashDrawer, opens ? 1 : 0)
        case .barCodeScanner(let reportsCodes):
            Self.apdu(.barCodeScannerStatus, reportsCodes ? 1 : 0)
        case .displayText(let text):
            MiuraAPDU(
                MiuraCommandName.displayText.rawValue,
                p1: text.isLarge ? 1 : 0,
                p2: (text.isLit ? 0x01 : 0) | (text.isUTF8 ? 0x80 : 0),
                data: text.characters
            )
        case .input(let input):
            MiuraAPDU(
                input.kind.rawValue,
                p1: input.p1,
                p2: input.p2,
                data: input.objects.isEmpty ? [] : TLV(.commandData, input.objects).bytes
            )
        case .selectFile(let selection):
            Self.apdu(
                .selectFile,
                selection.mode.rawValue,
                selection.folder.rawValue,
                data: Array(selection.name.utf8)
            )
        case .deleteFile(let name, let folder):
            Self.apdu(
                .deleteFile,
                name == nil ? 1 : 0,
                folder.rawValue,
                data: Array((name ?? "").utf8)
            )
        case .listFiles(let folder): Self.apdu(.listFiles, 0, folder.rawValue)
        case .readBinary(let offset, let byteCount): Self.readBinary(offset, byteCount)
        case .streamBinary(let stream): Self.apdu(stream)
        case .startTransaction(let transaction):
            Self.apdu(.startTransaction, transaction.objects)
        case .continueTransaction(let objects): Self.apdu(.continueTransaction, objects)
        case .startContactless(let transaction):
            Self.apdu(.startContactless, transaction.objects)
        case .onlinePIN(let request): Self.apdu(request)
        case .getNextSequenceCounter: Self.apdu(.getNextSequenceCounter)
        case .p2peStatus: Self.apdu(.p2peStatus)
        case .p2peInitialise: Self.apdu(.p2peInitialise)
        case .p2peImport: Self.apdu(.p2peImport)
        case .p2peGetKSNForMAC: Self.apdu(.p2peGetKSNForMAC)
        case .other(let apdu): apdu
        }
    }

    /// The command as a message to a node.
    public func message(to node: MiuraNode = .reader) -> MiuraMessage {
        MiuraMessage(node: node, payload: apdu.bytes)
    }

    private static func apdu(
        _ name: MiuraCommandName,
        _ p1: UInt8 = 0,
        _ p2: UInt8 = 0,
        data: [UInt8] = []
    ) -> MiuraAPDU {
        MiuraAPDU(name.rawValue, p1: p1, p2: p2, data: data)
    }

    private static func apdu(_ name: MiuraCommandName, _ objects: [TLV]) -> MiuraAPDU {
        MiuraAPDU(name.rawValue, data: TLV(.commandData, objects).bytes)
    }

    private static func byte(_ isOn: Bool?) -> UInt8 { isOn.map { $0 ? 0x01 : 0x00 } ?? 0xFF }

    private static func apdu(_ request: MiuraBatteryRequest) -> MiuraAPDU {
        switch request {
        case .query: apdu(.batteryStatus, 0)
        case .sleep: apdu(.batteryStatus, 1)
        case .powerOff: apdu(.batteryStatus, 2)
        case .report(let chargingChanges, let lowCharge):
            apdu(.batteryStatus, 3, (chargingChanges ? 1 : 0) | (lowCharge ? 2 : 0))
        }
    }

    private static func readBinary(_ offset: Int, _ byteCount: Int) -> MiuraAPDU {
        let low = UInt8(truncatingIfNeeded: offset)
        let middle = UInt8(truncatingIfNeeded: offset >> 8)
        let high = UInt8(truncatingIfNeeded: offset >> 16)
        var apdu = apdu(.readBinary, middle, low)
        if offset > 0x7FFF { apdu = Self.apdu(.readBinary, 0x80 | high, middle, data: [low]) }
        apdu.expectedByteCount = byteCount
        return apdu
    }

    private static func apdu(_ stream: MiuraStream) -> MiuraAPDU {
        var apdu = apdu(
            .streamBinary,
            [
                TLV(.streamOffset, number: UInt64(clamping: stream.offset), byteCount: 3),
                TLV(.streamByteCount, number: UInt64(clamping: stream.byteCount), byteCount: 3),
                TLV(
                    .streamTimeLimit,
                    number: UInt64(clamping: stream.timeLimit),
                    byteCount: stream.timeLimit > 0xFF ? 2 : 1
                ),
            ]
        )
        apdu.p1 = stream.returnsMD5 ? 1 : 0
        return apdu
    }

    private static func apdu(_ request: MiuraOnlinePIN) -> MiuraAPDU {
        var apdu = apdu(
            .onlinePIN,
            [
                TLV(.amount, BCD.bytes(request.amountMinorUnits, byteCount: 6)),
                TLV(.applicationLabel, text: request.label),
                TLV(.maskedTrack2, request.maskedTrack2),
                TLV(.currency, BCD.bytes(request.currency, byteCount: 2)),
            ]
        )
        apdu.p1 = 1
        apdu.p2 = (request.allowsBypass ? 0x01 : 0) | (request.wantsEncryptedData ? 0x80 : 0)
        return apdu
    }
}

extension MiuraCardReports {
    /// The first parameter of CARD STATUS.
    var p1: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
    /// The second one.
    var p2: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
}
