public import CardCrypto
public import EventLoops
import ReaderProtocols

extension SimulatedMiura {
    /// Takes the reader out of its network, or out of a host's range, for so long: the link is lost,
    /// and the reader can be reached again when it is back.
    ///
    /// A reader on Wi-Fi that goes over to another access point keeps its address.
    public mutating func roam(
        for duration: VirtualDuration,
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            guard reader.power == .on else { return }
            reader.networkDue = reader.now + max(.zero, duration)
            reader.dropLink()
        }
    }

    /// Commands without a type of their own.
    mutating func executeOther(_ apdu: MiuraAPDU) {
        let name = MiuraCommandName(rawValue: apdu.code)
        switch name {
        case .promptsTest, .displayMedia, .displayImage, .setContactlessLED: answer(.done)
        case .buzzer, .touchStatus, .touchBegin, .touchEnd, .touchClear, .touchExport:
            refuse(.noHardware, name)
        case .routeComms: refuse(.routeNotChanged, name)
        case .wifiControl: controlWiFi(apdu)
        case .bluetoothControl where apdu.p1 == 0:
            let entry = MiuraEntry(configuration.bluetoothName, Self.bluetoothAddress)
            answer(.entries([entry]))
        case .printText, .printImage, .spoolPrint, .printESCPOS: refuse(.noPrinter, name)
        default: refuse(.invalidParameter, name)
        }
    }

    private static let bluetoothAddress = "00:00:00:00:00:00"

    /// WIFI CONTROL: P1 00 the menu, 01 the status, 02 restart, 03 whether changes are reported.
    private mutating func controlWiFi(_ apdu: MiuraAPDU) {
        switch apdu.p1 {
        case 0: answer(.other([0x00]))
        case 1: answer(.entries(networkEntries))
        case 2: answer(.done)
        case 3:
            reportsWiFi = apdu.p2 == 1
            answer(.done)
            if reportsWiFi { tell(.wifi(networkEntries)) }
        default: refuse(.invalidParameter, .wifiControl)
        }
    }

    private var networkEntries: [MiuraEntry] {
        guard let wifi else { return [MiuraEntry("Connection Status", "Disconnected")] }
        return [
            MiuraEntry("Connection Status", "Connected"),
            MiuraEntry("SSID", wifi.networks.first ?? ""),
            MiuraEntry("IP", "192.168.0.90"),
        ]
    }
}

extension MiuraStatusWord {
    /// 9F01 of a print command: there is no printer.
    static let noPrinter = failure(0x01)
}

extension MiuraAPDU {
    /// Whether a hub's printer is meant.
    var isPrinting: Bool {
        switch MiuraCommandName(rawValue: code) {
        case .printText, .printImage, .spoolPrint, .printESCPOS: true
        default: false
        }
    }
}
