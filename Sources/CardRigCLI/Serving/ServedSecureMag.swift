import CardCrypto
import CardData
import EventLoops
import ReaderProtocols
import SimulatedReaders
import Transports
import USBIP

/// A simulated SecureMag as a USB device: one HID report a swipe, ITP commands in feature reports.
///
/// Source: MS246 manual 80096504-001 (a rebadged SecureMag), USB: device descriptor, interface,
/// endpoint 0x83, 100 mA, the report of 537 bytes.
struct ServedSecureMag: ServedUSBReader {
    /// What of its descriptors no source names, or another model may have otherwise.
    struct Settings: Equatable {
        var packetByteCount = 8
        var featureByteCount = 8
        var endpointNumber = 3
        var milliamperes = 100
        var productID = 0x2010
        var release = 0x0100
    }

    private static var usbOptions: [USBOption<Settings>] {
        [
            .number("packet-size", \.packetByteCount, 1...64),
            .number("feature-size", \.featureByteCount, 8...64),
            .number("usb-endpoint", \.endpointNumber, 1...15),
            .number("usb-power", \.milliamperes, 0...500),
            .choice(
                "model",
                ["securemag": 0x2010, "secured": 0x2810, "securekey": 0x2610],
                \.productID
            ),
            .number("usb-release", \.release, 0...0xFFFF),
        ]
    }

    private var settings = Settings()
    private var configuration = SecureMagConfiguration()
    private var reader: SimulatedSecureMag
    private let cache = CryptoCache()

    init() { reader = SimulatedSecureMag(configuration) }

    var behaviours: [ReaderBehaviour] {
        [
            manual(
                "USB",
                "it is 0ACD:2010, and 0ACD:2030 as a keyboard; bus powered, 100 mA",
                "model",
                "usb-power"
            ),
            manual(
                "interface",
                "class 3, subclass 1, protocol 1, one interrupt endpoint, 0x83",
                "usb-endpoint"
            ),
            manual("report", "a swipe is one report of 537 bytes, the record and zeros behind it"),
            manual("clear report", "without keys nine bytes and then the tracks in clear", "keys"),
            manual(
                "record",
                "tracks masked and encrypted, hashes, key serial number",
                "format",
                "cipher",
                "key",
                "hashes"
            ),
            manual("commands", "ITP in feature reports; the answer is got from them"),
            manual(
                "USB mode",
                "function 23 makes it a keyboard (8) or HID (0) and restarts it",
                "usb-mode"
            ),
            guess("packets", "a packet has 8 bytes", "packet-size"),
            guess("feature reports", "they have 8 bytes, as on ID TECH's MOIR", "feature-size"),
            guess(
                "report descriptor",
                "constructed; of the vendor's only the length is known",
                nil
            ),
            guess("names", "'ID TECH', 'SecureMag', release 1.00", "usb-release"),
            guess("unread swipe", "it gives a record whose status says so, and uses up a key", nil),
            guess("expiry", "it is shown; the factory masks it", "expiry"),
        ]
    }

    var options: [ServedOption] {
        SecureMagConfiguration.options.map {
            ServedOption(name: $0.name, form: $0.form, value: $0.value(configuration))
        }
            + Self.usbOptions.map {
                ServedOption(name: $0.name, form: $0.form, value: $0.value(settings))
            }
    }

    var handForms: String { "plug in, unplug and swipe CARD [QUALITY]" }
    var nextDeadline: VirtualInstant? { nil }

    mutating func set(_ name: String, to text: String) -> Bool {
        if let option = Self.usbOptions.first(where: { $0.name == name }) {
            guard option.set(&settings, text) else { return false }
            configuration.packetByteCount = settings.packetByteCount
            configuration.featureByteCount = settings.featureByteCount
        } else {
            guard let option = SecureMagConfiguration.options.first(where: { $0.name == name }),
                option.set(&configuration, text)
            else { return false }
        }
        reader = SimulatedSecureMag(configuration)
        return true
    }

    /// As it is since it has power: a command can make it a keyboard.
    var device: USBDeviceModel {
        let attachment = reader.attachment
        let isKeyboard = reader.isKeyboard
        let hid = HIDFunction(reportDescriptor: reader.reportDescriptor, isKeyboard: isKeyboard)
        // The keyboard of each model has an id of its own.
        let keyboardID = settings.productID + (settings.productID == 0x2010 ? 0x20 : 0x10)
        return USBDeviceModel(
            vendorID: attachment.vendorID,
            productID: UInt16(isKeyboard ? keyboardID : settings.productID),
            release: UInt16(settings.release),
            strings: ["ID TECH", "SecureMag", configuration.settings.serial ?? "0000000001"],
            interfaces: [
                USBDeviceModel.Interface(
                    USBDeviceModel.Kind(3, 1, 1),
                    of: hid,
                    endpointNumber: UInt8(settings.endpointNumber),
                    packetByteCount: UInt16(attachment.maximumPacketByteCount)
                )
            ],
            function: .hid(hid),
            milliamperes: settings.milliamperes
        )
    }

    mutating func powerUp(at now: VirtualInstant) -> ServedReaction {
        reader.powerUp()
        return ServedReaction()
    }

    mutating func receive(_ unit: TransportUnit, at now: VirtualInstant) -> ServedReaction {
        ServedReaction(reader.receive(unit))
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) -> ServedReaction {
        receive(TransportUnit(.bytes, bytes), at: now)
    }

    mutating func act(
        _ command: HandCommand,
        at now: VirtualInstant
    ) throws(HandRefusal) -> ServedReaction {
        guard case .swipe(let name, let quality) = command else {
            throw HandRefusal(reason: "at a SecureMag hands \(handForms)")
        }
        let card = try TestCard.inHand(name)
        return ServedReaction(
            transmissions: reader.swipe(card: card, quality: quality, cache: cache)
        )
    }

    mutating func timePassed(at now: VirtualInstant) -> ServedReaction { ServedReaction() }

    mutating func clientLeft(at now: VirtualInstant) {}

    /// What the manual says, and which options other readers of the family need.
    private func manual(
        _ subject: String,
        _ text: String,
        _ options: String...
    ) -> ReaderBehaviour {
        let rest = options.map { "; option \($0)" }.joined()
        return ReaderBehaviour(
            subject,
            text,
            .documented,
            source: "MS246 manual 80096504-001, a rebadged SecureMag" + rest
        )
    }

    private func guess(_ subject: String, _ text: String, _ option: String?) -> ReaderBehaviour {
        ReaderBehaviour(
            subject,
            text,
            .assumed(option: option),
            source: "no public dump of its descriptors has it"
        )
    }
}
