import CaptureFiles

@testable import CaptureFlows

/// What the importer makes of a whole file.
struct Import: Equatable {
    var items: [CaptureItem] = []
    var flows: [Flow] = []
    var devices: [USBDeviceSeen] = []
    var formatName: String?
    var packetCount = 0

    /// Feeds the file in pieces of the given lengths, the last one repeated.
    init(_ bytes: [UInt8], pieces: [Int] = [65_536]) {
        var importer = CaptureImporter()
        var rest = bytes[...]
        var nextPiece = 0
        while !rest.isEmpty {
            let count = pieces[min(nextPiece, pieces.count - 1)]
            nextPiece += 1
            importer.append(rest.prefix(count))
            rest = rest.dropFirst(count)
            while let item = importer.next() { items.append(item) }
        }
        importer.finish()
        while let item = importer.next() { items.append(item) }
        flows = importer.flows
        devices = importer.usbDevices
        formatName = importer.formatName
        packetCount = importer.packetCount
    }

    var units: [FlowUnit] {
        items.compactMap { item in
            if case .unit(let unit) = item { unit } else { nil }
        }
    }

    var notices: [CaptureNotice] {
        items.compactMap { item in
            if case .notice(let notice) = item { notice } else { nil }
        }
    }

    var comments: [CaptureComment] {
        items.compactMap { item in
            if case .comment(let comment) = item { comment } else { nil }
        }
    }

    var refusal: String? { notices.first { $0.severity == .refusal }?.text }

    /// The units of the flow with a name.
    func units(of name: String) -> [FlowUnit] {
        guard let id = flows.firstIndex(where: { $0.key.description == name }) else { return [] }
        return units.filter { $0.flow == id }
    }

    /// All payload bytes of a flow that went one way.
    func bytes(of name: String, _ direction: FlowDirection) -> [UInt8] {
        units(of: name).filter { $0.direction == direction }.flatMap(\.bytes)
    }
}

/// The bytes of hex digits; blanks are passed over.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
}
