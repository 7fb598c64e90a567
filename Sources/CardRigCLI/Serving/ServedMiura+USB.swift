import EventLoops
import SimulatedReaders
import Transports
import USBIP

/// A simulated Miura as a USB device: a serial line of the class CDC-ACM.
///
/// Source: ids as PayPal's and others' hosts look for them (0525:A4A7 and A4A5, which are those of
/// Linux gadgets); everything else is taken from the Linux gadget with these ids, since no dump of a
/// reader is public.
extension ServedMiura: ServedUSBReader {
    /// What of its descriptors is assumed.
    struct USBSettings: Equatable {
        var productID = 0xA4A7
        var speed = Int(USBDeviceModel.Speed.high.rawValue)
        var milliamperes = 500
        /// Whether the host counts as connected when a program has opened the line, and not as
        /// soon as the device is configured.
        var connectsWithLine = 1
        /// The serial number that USB shows; `nil` shows the reader's.
        var serialNumber: String?
    }

    /// What a serial number may be made of, so that it can be part of a path.
    private static func isSerialNumber(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.contains { (0x30...0x39).contains($0) }
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0)
            }
    }

    private static var usbSettings: [USBOption<USBSettings>] {
        [
            .choice("usb-product", ["a4a7": 0xA4A7, "a4a5": 0xA4A5], \.productID),
            .choice(
                "usb-speed",
                [
                    "high": Int(USBDeviceModel.Speed.high.rawValue),
                    "full": Int(USBDeviceModel.Speed.full.rawValue),
                ],
                \.speed
            ),
            .number("usb-power", \.milliamperes, 0...500),
            .choice("usb-link", ["open-line": 1, "configured": 0], \.connectsWithLine),
            USBOption(
                name: "usb-serial",
                form: "1 to 32 letters and digits with one digit at least, or the-readers",
                value: { $0.serialNumber ?? "the-readers" },
                set: { settings, text in
                    settings.serialNumber = text == "the-readers" ? nil : text
                    return text == "the-readers" || isSerialNumber(text)
                }
            ),
        ]
    }

    var usbOptions: [ServedOption] {
        Self.usbSettings.map { option in
            ServedOption(
                name: option.name,
                form: option.form,
                value: option.value(usb ?? USBSettings())
            )
        }
    }

    /// Sets an option of the USB device; `nil` when it is none of those.
    mutating func setOnUSB(_ name: String, to text: String) -> Bool? {
        guard let option = Self.usbSettings.first(where: { $0.name == name }) else { return nil }
        var settings = usb ?? USBSettings()
        guard option.set(&settings, text) else { return false }
        if usb != nil { usb = settings }
        return true
    }

    /// On USB it does not say that it is on.
    mutating func willBeOnUSB() {
        usb = USBSettings()
        configuration.announcesPowerOn = false
        reader = SimulatedMiura(configuration)
    }

    var device: USBDeviceModel {
        let settings = usb ?? USBSettings()
        let isHigh = settings.speed == Int(USBDeviceModel.Speed.high.rawValue)
        let packet: UInt16 = isHigh ? 512 : 64
        return USBDeviceModel(
            vendorID: 0x0525,
            productID: UInt16(clamping: settings.productID),
            release: 0x0300,
            strings: [
                "Miura", "Gadget Serial v2.4",
                settings.serialNumber ?? configuration.serialNumber, "CDC ACM config",
                "CDC Abstract Control Model (ACM)", "CDC ACM Data",
            ],
            interfaces: [
                USBDeviceModel.Interface(
                    USBDeviceModel.Kind(2, 2, 1),
                    nameIndex: 5,
                    classDescriptors: ACMFunction.functionalDescriptors,
                    endpoints: [
                        USBDeviceModel.Endpoint(
                            address: 0x82,
                            .interrupt,
                            packetByteCount: 10,
                            interval: isHigh ? 9 : 32
                        )
                    ]
                ),
                USBDeviceModel.Interface(
                    USBDeviceModel.Kind(10),
                    nameIndex: 6,
                    endpoints: [
                        USBDeviceModel.Endpoint(address: 0x81, .bulk, packetByteCount: packet),
                        USBDeviceModel.Endpoint(address: 0x01, .bulk, packetByteCount: packet),
                    ]
                ),
            ],
            function: .serialLine(ACMFunction()),
            usbRelease: 0x0200,
            deviceClass: USBDeviceModel.Kind(2),
            controlPacketByteCount: 64,
            speed: isHigh ? .high : .full,
            configurationNameIndex: 4,
            milliamperes: settings.milliamperes,
            isSelfPowered: true
        )
    }

    mutating func receive(_ unit: TransportUnit, at now: VirtualInstant) -> ServedReaction {
        switch unit.kind {
        case .bytes: return receive(unit.payload, at: now)
        case .lineState(let isReady, _):
            guard usb?.connectsWithLine == 1 else { return ServedReaction() }
            return setLineOpen(isReady, at: now)
        case .report, .featureSet, .featureGet: return ServedReaction()
        }
    }

    mutating func configured(_ isConfigured: Bool, at now: VirtualInstant) -> ServedReaction {
        if isConfigured, usb?.connectsWithLine == 1 { return ServedReaction() }
        return setLineOpen(isConfigured, at: now)
    }

    private mutating func setLineOpen(_ isOpen: Bool, at now: VirtualInstant) -> ServedReaction {
        guard isOpen != isLineOpen else { return ServedReaction() }
        isLineOpen = isOpen
        if isOpen { return clientCame(at: now) }
        clientLeft(at: now)
        return ServedReaction()
    }

    static let usbBehaviours: [ReaderBehaviour] = [
        ReaderBehaviour(
            "USB ids",
            "on USB it is 0525:A4A7, with its drive shown 0525:A4A5",
            .documented,
            source: "PayPal's host software looks for these; option usb-product"
        ),
        onUSB("speed", "it is a high-speed device", "usb-speed"),
        onUSB("power", "it may draw 500 mA, and has power of its own", "usb-power"),
        onUSB("line", "a host is there once a program has opened the line (DTR)", "usb-link"),
        onUSB("serial number", "it is the reader's", "usb-serial"),
        onUSB("descriptors", "they are those of the Linux gadget with the same ids", nil),
        onUSB("unknown requests", "they are stalled", nil),
    ]

    private static func onUSB(
        _ subject: String,
        _ text: String,
        _ option: String?
    ) -> ReaderBehaviour {
        ReaderBehaviour(
            "USB " + subject,
            text,
            .assumed(option: option),
            source: "no public dump of its descriptors exists"
        )
    }
}
