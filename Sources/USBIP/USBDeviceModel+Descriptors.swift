extension USBDeviceModel {
    private static let english: UInt16 = 0x0409

    /// The device descriptor, 18 bytes.
    public var deviceDescriptor: [UInt8] {
        var bytes: [UInt8] = [18, 1]
        bytes.appendLittleEndian(usbRelease)
        bytes += [deviceClass.code, deviceClass.subclass, deviceClass.protocolCode]
        bytes.append(controlPacketByteCount)
        bytes.appendLittleEndian(vendorID)
        bytes.appendLittleEndian(productID)
        bytes.appendLittleEndian(release)
        return bytes + (1...3).map { strings.count >= $0 ? UInt8($0) : 0 } + [1]
    }

    /// The configuration with all that is in it.
    public var configurationDescriptor: [UInt8] { configuration(type: 2) }

    private func configuration(type: UInt8) -> [UInt8] {
        var parts = leadingDescriptors
        var number: UInt8 = 0
        for interface in interfaces {
            parts += [9, 4, number, 0, UInt8(clamping: interface.endpoints.count)]
            parts += [
                interface.kind.code, interface.kind.subclass, interface.kind.protocolCode,
                interface.nameIndex,
            ]
            parts += interface.classDescriptors
            for endpoint in interface.endpoints { parts += endpoint.descriptor }
            number += 1
        }
        var bytes: [UInt8] = [9, type]
        bytes.appendLittleEndian(UInt16(clamping: 9 + parts.count))
        bytes += [UInt8(clamping: interfaces.count), configurationValue, configurationNameIndex]
        bytes += [isSelfPowered ? 0xC0 : 0x80, UInt8(clamping: milliamperes / 2)]
        return bytes + parts
    }

    /// What it would be at the other speed; `nil` for a device that has only one.
    private var otherSpeed: USBDeviceModel? {
        guard speed == .high else { return nil }
        var model = self
        model.speed = .full
        for interface in model.interfaces.indices {
            for index in model.interfaces[interface].endpoints.indices {
                var endpoint = model.interfaces[interface].endpoints[index]
                endpoint.packetByteCount = min(endpoint.packetByteCount, 64)
                // 2^(n-1) microframes at high speed, and as many milliseconds at full speed.
                if endpoint.kind == .interrupt {
                    endpoint.interval = UInt8(1) << (min(max(endpoint.interval, 4), 11) - 4)
                }
                model.interfaces[interface].endpoints[index] = endpoint
            }
        }
        return model
    }

    /// A descriptor of the device, or `nil` when it has no such one.
    ///
    /// - Parameter value: The type in the upper byte, and its number in the lower one.
    /// - Returns: Its bytes.
    func descriptor(_ value: UInt16) -> [UInt8]? {
        let number = Int(value & 0xFF)
        switch value >> 8 {
        case 1 where number == 0: return deviceDescriptor
        case 2 where number == 0: return configurationDescriptor
        case 3 where number == 0: return Self.string([Self.english])
        case 3 where number <= strings.count: return Self.string(Array(strings[number - 1].utf16))
        case 6 where number == 0:
            guard otherSpeed != nil else { return nil }
            return [10, 6] + deviceDescriptor[2..<8] + [1, 0]
        case 7 where number == 0: return otherSpeed?.configuration(type: 7)
        default: return nil
        }
    }

    private static func string(_ units: [UInt16]) -> [UInt8] {
        let units = units.prefix(126)
        var bytes: [UInt8] = [UInt8(2 + 2 * units.count), 3]
        for unit in units { bytes.appendLittleEndian(unit) }
        return bytes
    }
}
