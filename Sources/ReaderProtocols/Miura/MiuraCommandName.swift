/// CLA and INS of every command that the sources name.
///
/// Source: Miura Java SDK 1-1i, command builders; most also Miura Android SDK of 2017.
public enum MiuraCommandName: UInt16, Hashable, Sendable, CaseIterable {
    /// D0 00: RESET DEVICE.
    case resetDevice = 0xD000
    /// D0 01: GET CONFIGURATION.
    case getConfiguration = 0xD001
    /// D0 02: GET DEVICE INFO.
    case getDeviceInfo = 0xD002
    /// D0 10: SYSTEM CLOCK.
    case systemClock = 0xD010
    /// D0 5C: SETUP USB SERIAL ADAPTOR.
    case setupUSBSerialAdaptor = 0xD05C
    /// D0 5D: SEND USB SERIAL DATA.
    case sendUSBSerialData = 0xD05D
    /// D0 60: CARD STATUS.
    case cardStatus = 0xD060
    /// D0 61: KEYBOARD STATUS.
    case keyboardStatus = 0xD061
    /// D0 62: BATTERY STATUS.
    case batteryStatus = 0xD062
    /// D0 63: PRINTER STATUS.
    case printerStatus = 0xD063
    /// D0 64: CARD STATUS SOLICITED.
    case cardStatusSolicited = 0xD064
    /// D0 65: USB STATUS.
    case usbStatus = 0xD065
    /// D0 A0: PERIPHERAL STATUS.
    case peripheralStatus = 0xD0A0
    /// D0 BC: BLUETOOTH CONTROL.
    case bluetoothControl = 0xD0BC
    /// D0 C0: USB SERIAL DISCONNECT.
    case usbSerialDisconnect = 0xD0C0
    /// D0 D0: CASH DRAWER.
    case cashDrawer = 0xD0D0
    /// D0 D1: BAR CODE SCANNER STATUS.
    case barCodeScannerStatus = 0xD0D1
    /// D0 E1: SYSTEM LOG.
    case systemLog = 0xD0E1
    /// D0 FF: ABORT.
    case abort = 0xD0FF
    /// D2 01: DISPLAY TEXT.
    case displayText = 0xD201
    /// D2 03: PROMPTS TEST.
    case promptsTest = 0xD203
    /// D2 04: GET NUMERIC DATA.
    case getNumericData = 0xD204
    /// D2 05: GET DYNAMIC TIP.
    case getDynamicTip = 0xD205
    /// D2 06: GET MENU OPTION.
    case getMenuOption = 0xD206
    /// D2 07: GET ALPHANUMERIC DATA.
    case getAlphanumericData = 0xD207
    /// D2 08: GET EXPIRATION DATE.
    case getExpirationDate = 0xD208
    /// D2 20: DISPLAY MEDIA.
    case displayMedia = 0xD220
    /// D2 30: BUZZER.
    case buzzer = 0xD230
    /// D2 5A: GET SECURE PAN.
    case getSecurePAN = 0xD25A
    /// D2 A1: PRINT TEXT.
    case printText = 0xD2A1
    /// D2 A2: PRINT IMAGE.
    case printImage = 0xD2A2
    /// D2 A3: SPOOL PRINT.
    case spoolPrint = 0xD2A3
    /// D2 A4: PRINT ESCPOS.
    case printESCPOS = 0xD2A4
    /// D2 B0: CONFIGURE IMAGE.
    case configureImage = 0xD2B0
    /// D2 C2: SET CONTACTLESS LED.
    case setContactlessLED = 0xD2C2
    /// D2 D2: DISPLAY IMAGE.
    case displayImage = 0xD2D2
    /// D2 E0: GET SECURE DATA.
    case getSecureData = 0xD2E0
    /// DA 01: ROUTE COMMS.
    case routeComms = 0xDA01
    /// DA 03: WIFI CONTROL.
    case wifiControl = 0xDA03
    /// DA 04: MASS STORAGE CONTROL.
    case massStorageControl = 0xDA04
    /// DB 00: TOUCH STATUS.
    case touchStatus = 0xDB00
    /// DB 01: TOUCH BEGIN.
    case touchBegin = 0xDB01
    /// DB 02: TOUCH END.
    case touchEnd = 0xDB02
    /// DB 03: TOUCH CLEAR.
    case touchClear = 0xDB03
    /// DB 04: TOUCH EXPORT.
    case touchExport = 0xDB04
    /// DE 01: GET EMV HASH VALUES.
    case getEMVHashValues = 0xDE01
    /// DE 02: GET NEXT SEQUENCE COUNTER.
    case getNextSequenceCounter = 0xDE02
    /// DE C1: START CONTACTLESS.
    case startContactless = 0xDEC1
    /// DE C2: GET CONTACTLESS HASH VALUES.
    case getContactlessHashValues = 0xDEC2
    /// DE D1: START TRANSACTION.
    case startTransaction = 0xDED1
    /// DE D2: CONTINUE TRANSACTION.
    case continueTransaction = 0xDED2
    /// DE D6: ONLINE PIN.
    case onlinePIN = 0xDED6
    /// EE A0: VOLTAGE STATUS.
    case voltageStatus = 0xEEA0
    /// EE A1: VOLTAGE KEY CHANGE.
    case voltageKeyChange = 0xEEA1
    /// EE E0: P2PE STATUS.
    case p2peStatus = 0xEEE0
    /// EE E1: P2PE INITIALISE.
    case p2peInitialise = 0xEEE1
    /// EE E2: P2PE IMPORT.
    case p2peImport = 0xEEE2
    /// EE E3: P2PE GET ENCRYPTED DATA.
    case p2peGetEncryptedData = 0xEEE3
    /// EE E4: P2PE VERIFY MAC.
    case p2peVerifyMAC = 0xEEE4
    /// EE E5: P2PE GET KSN FOR MAC.
    case p2peGetKSNForMAC = 0xEEE5
    /// EE E6: P2PE GET MAC CONFIGURATION FILE.
    case p2peGetMACConfigurationFile = 0xEEE6
    /// 00 A4: SELECT FILE.
    case selectFile = 0x00A4
    /// 00 A5: DELETE FILE.
    case deleteFile = 0x00A5
    /// 00 A6: LIST FILES.
    case listFiles = 0x00A6
    /// 00 B0: READ BINARY.
    case readBinary = 0x00B0
    /// 00 D6: UPDATE BINARY.
    case updateBinary = 0x00D6
    /// 00 D7: STREAM BINARY.
    case streamBinary = 0x00D7

    /// The published name, in capitals, as `START TRANSACTION`.
    public var title: String {
        var title: [UInt8] = []
        let name = Array("\(self)".utf8)
        for (index, byte) in name.enumerated() {
            let isCapital = byte >= 0x41 && byte <= 0x5A
            if isCapital, index > 0, !isInsideCapitals(index, name) { title.append(0x20) }
            title.append(byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte)
        }
        return String(decoding: title, as: UTF8.self)
    }

    private func isInsideCapitals(_ index: Int, _ name: [UInt8]) -> Bool {
        func isCapital(_ index: Int) -> Bool {
            index < name.count ? name[index] >= 0x41 && name[index] <= 0x5A : true
        }
        return isCapital(index - 1) && isCapital(index + 1)
    }

    /// Whether an ABORT ends it before its time: it waits for a card, a person or an issuer.
    public var isInterruptible: Bool {
        switch self {
        case .startTransaction, .startContactless, .continueTransaction, .onlinePIN,
            .getNumericData, .getDynamicTip, .getMenuOption, .getAlphanumericData,
            .getExpirationDate, .getSecurePAN, .getSecureData:
            true
        default: false
        }
    }
}
