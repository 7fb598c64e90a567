import CardCrypto
import CardData
import EventLoops
import SimulatedReaders
import Transports
import USBIP

/// A simulated Dynamag as a USB device: one HID report a swipe, feature reports for its commands.
///
/// Source: MagneSafe V5 Communication Reference Manual 99875475, USB Communications (ids, release,
/// one interrupt IN endpoint, report descriptor); manufacturer, product, device release and the size
/// of endpoint 0 as dumped from a Dynamag by the Go project `magtek`.
struct ServedDynamag: ServedUSBReader {
    /// What of its descriptors no source names.
    struct Settings: Equatable {
        var packetByteCount = 8
        var reportByteCount = 887
        var endpointNumber = 1
        var milliamperes = 100
        var subclass = 0
        var protocolCode = 0
        var featureByteCount = 60
    }

    private static var usbOptions: [USBOption<Settings>] {
        [
            .number("packet-size", \.packetByteCount, 1...64),
            .choice("report-size", ["887": 887, "856": 856], \.reportByteCount),
            .choice("feature-size", ["60": 60, "24": 24], \.featureByteCount),
            .number("usb-endpoint", \.endpointNumber, 1...15),
            .number("usb-power", \.milliamperes, 0...500),
            .number("usb-subclass", \.subclass, 0...1),
            .number("usb-protocol", \.protocolCode, 0...2),
        ]
    }

    /// Those of the family that are about reports as well as about streams.
    private static let readerOptions = MagneSafeReaderConfiguration.options.filter {
        ![
            "terminator", "pads-replies", "reply-delay", "first-block-delay", "block-interval",
        ].contains($0.name)
    }

    private var settings = Settings()
    private var configuration = MagneSafeReaderConfiguration(.dynamag(packetByteCount: 8))
    private var reader: SimulatedMagneSafeReader
    private let cache = CryptoCache()

    init() { reader = SimulatedMagneSafeReader(configuration) }

    var behaviours: [ReaderBehaviour] {
        SimulatedMagneSafeReader.streamBehaviours.filter {
            // What only a stream has.
            !["message", "blocks", "terminator", "reply filling", "times"].contains($0.subject)
                && !$0.text.contains("line of hexadecimal")
        } + Self.usbBehaviours
    }

    var options: [ServedOption] {
        Self.readerOptions.map { option in
            ServedOption(name: option.name, form: option.form, value: option.value(configuration))
        }
            + Self.usbOptions.map { option in
                ServedOption(name: option.name, form: option.form, value: option.value(settings))
            }
    }

    var handForms: String { "plug in, unplug and swipe CARD [QUALITY]" }
    var nextDeadline: VirtualInstant? { nil }

    mutating func set(_ name: String, to text: String) -> Bool {
        if let option = Self.usbOptions.first(where: { $0.name == name }) {
            guard option.set(&settings, text) else { return false }
            configuration.model = .dynamag(packetByteCount: settings.packetByteCount)
            configuration.reportByteCount = settings.reportByteCount
            configuration.featureByteCount = settings.featureByteCount
        } else {
            guard
                let option = Self.readerOptions.first(where: { $0.name == name }),
                option.set(&configuration, text)
            else { return false }
        }
        reader = SimulatedMagneSafeReader(configuration)
        return true
    }

    /// As its properties are: they can make it a keyboard, and change its packets.
    var device: USBDeviceModel {
        let attachment = reader.attachment
        let isKeyboard = attachment.productID == 0x0001
        let hid = HIDFunction(reportDescriptor: reader.reportDescriptor, isKeyboard: isKeyboard)
        return USBDeviceModel(
            vendorID: attachment.vendorID,
            productID: attachment.productID,
            release: 0x0100,
            strings: ["Mag-Tek", "USB Swipe Reader", "B000795"],
            interfaces: [
                USBDeviceModel.Interface(
                    isKeyboard
                        ? USBDeviceModel.Kind(3, 1, 1)
                        : USBDeviceModel.Kind(
                            3,
                            UInt8(settings.subclass),
                            UInt8(settings.protocolCode)
                        ),
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
        ServedReaction(reader.receive(unit, cache: cache, at: now))
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) -> ServedReaction {
        receive(TransportUnit(.bytes, bytes), at: now)
    }

    mutating func act(
        _ command: HandCommand,
        at now: VirtualInstant
    ) throws(HandRefusal) -> ServedReaction {
        guard case .swipe(let name, let quality) = command else {
            throw HandRefusal(reason: "at a Dynamag hands \(handForms)")
        }
        return try reader.served(swipe: name, quality, cache: cache, at: now)
    }

    mutating func timePassed(at now: VirtualInstant) -> ServedReaction {
        ServedReaction(transmissions: reader.timePassed(cache: cache, at: now))
    }

    mutating func clientLeft(at now: VirtualInstant) {}

    private static let usbBehaviours: [ReaderBehaviour] = [
        manual("USB", "it is 0801:0011, full speed, with one interrupt endpoint to the host"),
        manual("report", "a swipe is one input report, whether or not the card could be read"),
        manual("commands", "a command is a feature report set, and its answer the one got"),
        manual("reset", "a reset takes it off the bus and back, with its new properties"),
        ReaderBehaviour(
            "names",
            "it is 'Mag-Tek', 'USB Swipe Reader', release 1.00, endpoint 0 with 8 bytes",
            .captured,
            source: "dump of a Dynamag in the Go project magtek"
        ),
        guess("packets", "a packet has 8 bytes, until property 0x0A changes it", "packet-size"),
        guess("report", "it has the 887 bytes of the newer generation", "report-size"),
        guess("feature reports", "they have 60 bytes", "feature-size"),
        guess("endpoint", "reports come from endpoint 0x81", "usb-endpoint"),
        guess("power", "it may draw 100 mA", "usb-power"),
        guess("interface", "its subclass is 0", "usb-subclass"),
        guess("interface", "its protocol is 0", "usb-protocol"),
        guess("unknown requests", "they are stalled, those for input reports too", nil),
    ]

    private static func manual(_ subject: String, _ text: String) -> ReaderBehaviour {
        ReaderBehaviour(
            subject,
            text,
            .documented,
            source: "MagneSafe V5 Communication Reference Manual 99875475, USB Communications"
        )
    }

    private static func guess(
        _ subject: String,
        _ text: String,
        _ option: String?
    ) -> ReaderBehaviour {
        ReaderBehaviour(
            subject,
            text,
            .assumed(option: option),
            source: "no public dump of its descriptors has it"
        )
    }
}
