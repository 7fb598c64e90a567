/// How large a reader's input reports are, from its HID report descriptor.
///
/// Only the four items that decide about sizes are read; everything else is skipped. Damaged
/// descriptors give what was understood up to the damage.
///
/// Source: HID 1.11 sections 6.2.2.2 (short items), 6.2.2.3 (long items), 6.2.2.4 and 6.2.2.7.
struct HIDReportSizes: Hashable, Sendable {
    /// The largest input report that is believed, in bytes.
    static let maximumByteCount = 65_536

    /// The bytes of the largest input report, with its id where ids are used; 0 when none is
    /// described.
    private(set) var largestInputByteCount = 0
    /// Whether the first byte of each report is its id.
    private(set) var usesIDs = false

    private struct Globals {
        var sizeInBits = 0
        var count = 0
        var id = 0
    }

    init(descriptor bytes: [UInt8]) {
        var inputBits = [Int](repeating: 0, count: 256)
        var globals = Globals()
        var stack: [Globals] = []
        var position = 0
        while position < bytes.count {
            let prefix = bytes[position]
            if prefix == 0xFE {
                guard position + 1 < bytes.count else { break }
                position += 3 + Int(bytes[position + 1])
                continue
            }
            let width = [0, 1, 2, 4][Int(prefix & 3)]
            guard position + width < bytes.count else { break }
            var value = 0
            for offset in 0..<width { value |= Int(bytes[position + 1 + offset]) << (8 * offset) }
            position += 1 + width

            switch prefix & 0xFC {
            case 0x74: globals.sizeInBits = min(value, Self.maximumByteCount * 8)
            case 0x94: globals.count = min(value, Self.maximumByteCount * 8)
            case 0x84:
                globals.id = value & 0xFF
                usesIDs = true
            case 0xA4 where stack.count < 16: stack.append(globals)
            case 0xB4: globals = stack.popLast() ?? globals
            case 0x80:
                let bits = inputBits[globals.id] + globals.sizeInBits * globals.count
                inputBits[globals.id] = min(bits, Self.maximumByteCount * 8)
            default: break
            }
        }
        let largest = inputBits.max() ?? 0
        largestInputByteCount = largest == 0 ? 0 : (largest + 7) / 8 + (usesIDs ? 1 : 0)
    }
}
