import CaptureFiles

/// Finds RFCOMM channels in Bluetooth logs and turns what goes over them into units.
///
/// Source: Bluetooth Core Specification, volume 4 part E, sections 5.4.2, 7.7.3 and 7.7.5.
struct BluetoothFlows: Sendable {
    /// The most connections to devices of one file that are followed.
    private static let linkCountLimit = 1_024

    private var links: [BluetoothLink] = []
    private var last = 0

    mutating func take(
        _ packet: CapturedPacket,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        guard let record = try HCIRecord.decoding(packet) else { return }
        switch record.kind {
        case .command: break
        case .event: try takeEvent(record, &output)
        case .asynchronous: try takeData(record, &output)
        }
    }

    mutating func finish(_ output: inout FlowOutput) {
        for index in links.indices { links[index].finish(&output) }
    }

    private mutating func takeEvent(
        _ record: HCIRecord,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        let payload = record.payload
        guard payload.count >= 2 else {
            throw DecodingFailure("an HCI event of \(payload.count) bytes")
        }
        switch payload.byte(0) {
        case 0x03 where payload.count >= 11 && payload.byte(2) == 0:
            var address: UInt64 = 0
            for position in (5...10).reversed() {
                address = address << 8 | UInt64(payload.byte(position))
            }
            begin(record.adapter, payload.little16(3) & 0x0FFF, address, &output)
        case 0x05 where payload.count >= 6 && payload.byte(2) == 0:
            let handle = payload.little16(3) & 0x0FFF
            guard let index = index(record.adapter, handle) else { return }
            // 0x13: the remote user ended it, 0x16: this host did.
            let reason = payload.byte(5)
            links[index].close(reason == 0x13 || reason == 0x16 ? .orderly : .aborted, &output)
        default: break
        }
    }

    /// A connection was made: what had its handle before is over.
    private mutating func begin(
        _ adapter: UInt16,
        _ handle: UInt16,
        _ address: UInt64,
        _ output: inout FlowOutput
    ) {
        if let index = index(adapter, handle) {
            links[index].close(.superseded, &output)
            let generation = links[index].generation &+ 1
            links[index] = BluetoothLink(adapter, handle, generation: generation, address)
        } else {
            _ = append(BluetoothLink(adapter, handle, generation: 0, address), &output)
        }
    }

    private mutating func takeData(
        _ record: HCIRecord,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        let payload = record.payload
        guard payload.count >= 4 else {
            throw DecodingFailure("an ACL packet of \(payload.count) bytes")
        }
        let handle = payload.little16(0) & 0x0FFF
        let link: Int
        if last < links.count, links[last].handle == handle, links[last].adapter == record.adapter {
            link = last
        } else if let known = index(record.adapter, handle) {
            link = known
        } else {
            let new = BluetoothLink(record.adapter, handle, generation: 0, nil)
            guard let made = append(new, &output) else { return }
            link = made
        }
        last = link
        try links[link].take(record, &output)
    }

    private func index(_ adapter: UInt16, _ handle: UInt16) -> Int? {
        links.firstIndex { $0.handle == handle && $0.adapter == adapter }
    }

    private mutating func append(_ link: BluetoothLink, _ output: inout FlowOutput) -> Int? {
        guard links.count < Self.linkCountLimit else {
            output.notice(
                .flows,
                .leftOut,
                "more than \(Self.linkCountLimit) Bluetooth connections; later ones are left out"
            )
            return nil
        }
        links.append(link)
        return links.count - 1
    }
}
