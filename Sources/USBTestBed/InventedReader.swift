import CardCrypto
import CardData
import EventLoops
import Kernel
import ReaderProtocols
import SimulatedReaders
import Transports

/// The invented Dynamag: its descriptors, and its answers to control requests.
///
/// Source: MagneSafe V5 Communication Reference Manual, USB Communications (ids, release, one
/// interrupt IN endpoint, report descriptor); manufacturer, product, device release and the size of
/// endpoint 0 as dumped from a Dynamag by the Go project `magtek`. Assumed: class 3, subclass and
/// protocol 0, 100 mA, endpoint 0x81 (no source names them).
struct InventedReader {
    static let vendorID: UInt16 = 0x0801
    static let productID: UInt16 = 0x0011
    static let serialNumber = "B000795"

    let packetByteCount: Int
    /// Who answers commands and makes reports of swipes.
    private var reader: SimulatedMagneSafeReader
    /// The reader of the manual's examples, which swipes the manual's own card.
    private var manualReader: SimulatedMagneSafeReader
    /// The SecureMag in its place.
    private var secureMag: SimulatedSecureMag?
    private let cache = CryptoCache()
    /// The card that the hand has for every name; `nil` where it has the published ones.
    private let plastic: TestCard?

    /// The output reports that were not asked for yet.
    private(set) var outputs: [[UInt8]] = []
    private static let outputLimit = 1_000

    /// Takes the output reports that arrived.
    mutating func takeOutputs() -> [[UInt8]] {
        defer { outputs = [] }
        return outputs
    }

    init(
        packetByteCount: Int,
        key: CipherKey? = nil,
        plastic: TestCard? = nil,
        isSecureMag: Bool = false
    ) {
        if isSecureMag {
            var configuration = SecureMagConfiguration(packetByteCount: packetByteCount)
            if let key { configuration.baseDerivationKey = key }
            secureMag = SimulatedSecureMag(configuration)
        }
        self.packetByteCount = packetByteCount
        self.plastic = plastic
        let model = MagneSafeModel.dynamag(packetByteCount: packetByteCount)
        var configuration = MagneSafeReaderConfiguration(model)
        if let key { configuration.baseDerivationKey = key }
        reader = SimulatedMagneSafeReader(configuration)
        var manual = MagneSafeReaderConfiguration.manualExample(model)
        // The bed's descriptor is that of the newer generation, whose report is longer.
        manual.reportByteCount = reader.configuration.reportByteCount
        manualReader = SimulatedMagneSafeReader(manual)
    }

    /// Draws a card through the reader and returns its packets with their times.
    mutating func swipe(card: TestCard, quality: SwipeQuality) -> [ReaderTransmission] {
        if let sent = secureMag?.swipe(card: plastic ?? card, quality: quality, cache: cache) {
            return sent
        }
        return card.name == TestCard.manualExampleName
            ? manualReader.swipe(card: card, quality: quality, cache: cache)
            : reader.swipe(card: plastic ?? card, quality: quality, cache: cache, at: Self.now)
    }

    /// Gives the reader power; what its properties say holds from now on, but for the descriptors
    /// and the packet size, which are the bed's.
    mutating func powerUp() {
        reader.powerUp()
        secureMag?.powerUp()
    }

    private static var now: VirtualInstant { .zero + .nanoseconds(MonotonicClock.now) }

    /// 887 bytes of input and 60 of feature report, no report ids.
    ///
    /// A SecureMag has 537 of input and 8 of feature report.
    var reportDescriptor: [UInt8] {
        secureMag?.reportDescriptor ?? MagneSafeReportLayout.v5.reportDescriptor
    }

    var deviceDescriptor: [UInt8] {
        secureMag == nil
            ? [18, 1, 0x10, 0x01, 0, 0, 0, 8, 0x01, 0x08, 0x11, 0x00, 0x00, 0x01, 1, 2, 3, 1]
            : [18, 1, 0x00, 0x02, 0, 0, 0, 8, 0xCD, 0x0A, 0x10, 0x20, 0x00, 0x01, 1, 2, 3, 1]
    }

    private var names: (maker: String, product: String, serial: String) {
        secureMag == nil
            ? ("Mag-Tek", "USB Swipe Reader", Self.serialNumber)
            : ("ID TECH", "SecureMag", "0000000001")
    }

    var configurationDescriptor: [UInt8] {
        [9, 2, 34, 0, 1, 1, 0, 0x80, 50]
            + (secureMag == nil ? [9, 4, 0, 0, 1, 3, 0, 0, 0] : [9, 4, 0, 0, 1, 3, 1, 1, 0])
            + [9, 0x21, 0x10, 0x01, 0, 1, 0x22, UInt8(reportDescriptor.count), 0]
            + [7, 5, secureMag == nil ? 0x81 : 0x83, 3, UInt8(packetByteCount), 0, 1]
    }

    /// The device in umockdev's text form, at the given address of bus 1.
    func record(address: Int) -> String {
        let number = String(repeating: "0", count: 3 - "\(address)".count) + "\(address)"
        let node = "bus/usb/001/\(number)"
        let descriptors = hex(deviceDescriptor + configurationDescriptor)
        let ids = secureMag == nil ? ("801", "11", "0801", "0011") : ("acd", "2010", "0acd", "2010")
        return """
            P: /devices/usb1/1-1
            N: \(node)=\(descriptors)
            E: SUBSYSTEM=usb
            E: DEVTYPE=usb_device
            E: DEVNAME=/dev/\(node)
            E: MAJOR=189
            E: MINOR=\(address - 1)
            E: BUSNUM=001
            E: DEVNUM=\(number)
            E: PRODUCT=\(ids.0)/\(ids.1)/100
            A: busnum=1\\n
            A: devnum=\(address)\\n
            A: dev=189:\(address - 1)\\n
            A: speed=12\\n
            A: version= 1.10\\n
            A: bConfigurationValue=1\\n
            A: bNumConfigurations=1\\n
            A: bNumInterfaces= 1\\n
            A: bDeviceClass=00\\n
            A: bMaxPacketSize0=8\\n
            A: idVendor=\(ids.2)\\n
            A: idProduct=\(ids.3)\\n
            A: bcdDevice=0100\\n
            A: manufacturer=\(names.maker)\\n
            A: product=\(names.product)\\n
            A: serial=\(names.serial)\\n
            H: descriptors=\(descriptors)

            """
    }

    /// The root hub that stays, so that the bus does not vanish with the reader.
    static let hubRecord: String = {
        let device: [UInt8] = [
            18, 1, 0x00, 0x02, 9, 0, 1, 64, 0x6B, 0x1D, 0x02, 0x00, 0x06, 0x00, 0, 0, 0, 1,
        ]
        let configuration: [UInt8] =
            [9, 2, 25, 0, 1, 1, 0, 0xE0, 0] + [9, 4, 0, 0, 1, 9, 0, 0, 0]
            + [7, 5, 0x81, 3, 4, 0, 12]
        let descriptors = hex(device + configuration)
        return """
            P: /devices/usb1
            N: bus/usb/001/001=\(descriptors)
            E: SUBSYSTEM=usb
            E: DEVTYPE=usb_device
            E: DEVNAME=/dev/bus/usb/001/001
            E: MAJOR=189
            E: MINOR=0
            E: BUSNUM=001
            E: DEVNUM=001
            A: busnum=1\\n
            A: devnum=1\\n
            A: dev=189:0\\n
            A: speed=480\\n
            A: bConfigurationValue=1\\n
            A: idVendor=1d6b\\n
            A: idProduct=0002\\n
            H: descriptors=\(descriptors)

            """
    }()

    /// Answers a control request; `nil` is a stall.
    ///
    /// - Returns: The bytes for the host, empty for a request in the other direction.
    mutating func answer(setup: [UInt8], data: [UInt8]) -> [UInt8]? {
        let value = UInt16(setup[2]) | UInt16(setup[3]) << 8
        switch (setup[0], setup[1], value) {
        case (0x80, 6, 0x0100): return deviceDescriptor
        case (0x80, 6, 0x0200): return configurationDescriptor
        case (0x80, 6, 0x0300): return [4, 3, 0x09, 0x04]
        case (0x80, 6, 0x0301): return Self.string(names.maker)
        case (0x80, 6, 0x0302): return Self.string(names.product)
        case (0x80, 6, 0x0303): return Self.string(names.serial)
        case (0x81, 6, 0x2200): return reportDescriptor
        case (0x21, 9, 0x0300):
            return control(TransportUnit(.featureSet(id: 0), data[...]))
        case (0x21, 9, 0x0200):
            // Delivered readers take no output reports; tests do, to see what arrives.
            if outputs.count < Self.outputLimit { outputs.append(data) }
            return []
        case (0xA1, 1, 0x0300):
            let count = Int(setup[6]) | Int(setup[7]) << 8
            return control(TransportUnit(.featureGet(id: 0, byteCount: count), []))
        case (0x21, 0x0A, _): return []
        default: return nil
        }
    }

    /// Lets the reader answer; a reset leaves the bus alone and only makes its settings hold.
    private mutating func control(_ unit: TransportUnit) -> [UInt8]? {
        var answer: [UInt8]?
        let reactions = secureMag?.receive(unit) ?? reader.receive(unit, cache: cache, at: Self.now)
        for reaction in reactions {
            switch reaction {
            case .finishFeature(.set): answer = []
            case .finishFeature(.got(let bytes)): answer = Array(bytes)
            case .finishFeature(.stalled), .finishFeature(.timedOut), .send: break
            case .reattach: powerUp()
            }
        }
        return answer
    }

    private static func string(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return [UInt8(2 + units.count), 3] + units
    }
}

/// Returns two capital hex digits for each byte, as umockdev wants them.
func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
}
