import EventLoops
import Transports
import USBIP

/// A simulated reader that is a USB device.
protocol ServedUSBReader: ServedReader {
    /// What it says of itself, as its settings are since it has power.
    var device: USBDeviceModel { get }

    /// Is told that it will be reached on USB, before it gets power and before options are set.
    mutating func willBeOnUSB()
    /// Takes a unit from the host.
    mutating func receive(_ unit: TransportUnit, at now: VirtualInstant) -> ServedReaction
    /// A host has configured it, or put it back, or is gone.
    mutating func configured(_ isConfigured: Bool, at now: VirtualInstant) -> ServedReaction
}

extension ServedUSBReader {
    mutating func willBeOnUSB() {}
    mutating func configured(_ isConfigured: Bool, at now: VirtualInstant) -> ServedReaction {
        ServedReaction()
    }
}

/// An option of a USB device's description, for whatever real ones may have otherwise.
struct USBOption<Settings> {
    var name: String
    var form: String
    var value: (Settings) -> String
    /// Sets it from a text; `false` when the text is none of its values.
    var set: (inout Settings, String) -> Bool

    /// A number in a range.
    static func number(
        _ name: String,
        _ path: WritableKeyPath<Settings, Int>,
        _ range: ClosedRange<Int>
    ) -> USBOption {
        USBOption(
            name: name,
            form: "\(range.lowerBound) to \(range.upperBound)",
            value: { String($0[keyPath: path]) },
            set: { settings, text in
                guard let number = Int(text), range.contains(number) else { return false }
                settings[keyPath: path] = number
                return true
            }
        )
    }

    /// One of a few numbers, by name.
    static func choice(
        _ name: String,
        _ values: KeyValuePairs<String, Int>,
        _ path: WritableKeyPath<Settings, Int>
    ) -> USBOption {
        let named = values.map { (name: $0.key, value: $0.value) }
        return USBOption(
            name: name,
            form: named.map(\.name).joined(separator: ", "),
            value: { settings in
                named.first { $0.value == settings[keyPath: path] }?.name ?? "another"
            },
            set: { settings, text in
                guard let found = named.first(where: { $0.name == text }) else { return false }
                settings[keyPath: path] = found.value
                return true
            }
        )
    }
}
