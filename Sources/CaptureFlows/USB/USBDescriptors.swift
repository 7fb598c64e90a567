import CaptureFiles

/// Reads what a capture tells of USB devices out of their descriptors.
///
/// Source: USB 2.0, sections 9.5 to 9.6.7.
struct USBDescriptors: Sendable {
    /// What is known beside ``USBDeviceSeen``, at the same index.
    private struct Beside: Sendable {
        var manufacturerIndex: UInt8 = 0
        var productIndex: UInt8 = 0
        var isGone = false
    }

    private static let interfaceCountLimit = 32
    private static let endpointCountLimit = 32
    private static let textLengthLimit = 64

    private var keys: [UInt32] = []
    private var besides: [Beside] = []

    /// Takes the answer to GET_DESCRIPTOR; everything else is ignored.
    mutating func learn(
        _ setup: USBSetupPacket,
        _ transfer: USBTransfer,
        _ devices: inout [USBDeviceSeen],
        limit: Int
    ) {
        guard setup.requestType == 0x80, setup.request == 6, !transfer.data.isEmpty else { return }
        let data = transfer.data
        let type = setup.value >> 8
        guard 1...3 ~= type, data.count >= 2, UInt16(data.byte(1)) == type else { return }
        guard let index = index(transfer, &devices, limit) else { return }
        switch type {
        case 1: learnDevice(data, index, &devices)
        case 2: devices[index].interfaces = Self.interfaces(data)
        default: learnText(UInt8(truncatingIfNeeded: setup.value), data, index, &devices)
        }
    }

    /// Notes that a device left; `false` when that is known already.
    mutating func markGone(bus: UInt16, device: UInt16) -> Bool {
        guard let index = keys.firstIndex(of: Self.key(bus, device)) else { return true }
        defer { besides[index].isGone = true }
        return !besides[index].isGone
    }

    mutating func markPresent(bus: UInt16, device: UInt16) {
        guard let index = keys.firstIndex(of: Self.key(bus, device)) else { return }
        besides[index].isGone = false
    }

    private static func key(_ bus: UInt16, _ device: UInt16) -> UInt32 {
        UInt32(bus) << 16 | UInt32(device)
    }

    private mutating func index(
        _ transfer: USBTransfer,
        _ devices: inout [USBDeviceSeen],
        _ limit: Int
    ) -> Int? {
        let key = Self.key(transfer.bus, transfer.device)
        if let index = keys.firstIndex(of: key) { return index }
        guard keys.count < limit else { return nil }
        keys.append(key)
        besides.append(Beside())
        devices.append(
            USBDeviceSeen(bus: transfer.bus, device: transfer.device, interfaces: [])
        )
        return keys.count - 1
    }

    private mutating func learnDevice(
        _ data: ArraySlice<UInt8>,
        _ index: Int,
        _ devices: inout [USBDeviceSeen]
    ) {
        guard data.count >= 12 else { return }
        let vendor = data.little16(8)
        let product = data.little16(10)
        if let known = devices[index].vendorID,
            known != vendor || devices[index].productID != product
        {
            // Another device got the address.
            devices[index].interfaces = []
            devices[index].product = nil
            devices[index].manufacturer = nil
        }
        devices[index].vendorID = vendor
        devices[index].productID = product
        guard data.count >= 16 else { return }
        besides[index].manufacturerIndex = data.byte(14)
        besides[index].productIndex = data.byte(15)
    }

    private func learnText(
        _ number: UInt8,
        _ data: ArraySlice<UInt8>,
        _ index: Int,
        _ devices: inout [USBDeviceSeen]
    ) {
        guard number != 0 else { return }
        guard number == besides[index].manufacturerIndex || number == besides[index].productIndex
        else { return }
        let byteCount = min(Int(data.byte(0)), data.count, 2 + 2 * Self.textLengthLimit)
        var units: [UInt16] = []
        for offset in stride(from: 2, to: byteCount - 1, by: 2) {
            units.append(data.little16(offset))
        }
        let text = String(decoding: units, as: UTF16.self)
        if number == besides[index].productIndex { devices[index].product = text }
        if number == besides[index].manufacturerIndex { devices[index].manufacturer = text }
    }

    private static func interfaces(_ data: ArraySlice<UInt8>) -> [USBDeviceSeen.Interface] {
        var interfaces: [USBDeviceSeen.Interface] = []
        var rest = data
        while rest.count >= 2 {
            let byteCount = Int(rest.byte(0))
            guard byteCount >= 2, byteCount <= rest.count else { break }
            switch rest.byte(1) {
            case 4 where byteCount >= 9 && interfaces.count < interfaceCountLimit:
                interfaces.append(
                    USBDeviceSeen.Interface(
                        number: rest.byte(2),
                        interfaceClass: rest.byte(5),
                        subclass: rest.byte(6),
                        interfaceProtocol: rest.byte(7),
                        endpoints: []
                    )
                )
            case 5 where byteCount >= 7 && !interfaces.isEmpty:
                let last = interfaces.count - 1
                if interfaces[last].endpoints.count < endpointCountLimit {
                    interfaces[last].endpoints.append(rest.byte(2))
                }
            default: break
            }
            rest = rest.dropFirst(byteCount)
        }
        return interfaces
    }
}
