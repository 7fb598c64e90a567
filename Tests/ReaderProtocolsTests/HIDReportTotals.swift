/// The lengths of the reports that a HID report descriptor without report ids declares.
///
/// Source: HID 1.11 sections 6.2.2.4 (main items) and 6.2.2.7 (report size and count).
struct HIDReportTotals: Equatable {
    var inputByteCount = 0
    var outputByteCount = 0
    var featureByteCount = 0

    init(input: Int, output: Int = 0, feature: Int) {
        (inputByteCount, outputByteCount, featureByteCount) = (input, output, feature)
    }

    /// Reads a descriptor of short items; `nil` when it stops inside one.
    init?(descriptor: [UInt8]) {
        var size = 0
        var count = 0
        var bits = (input: 0, output: 0, feature: 0)
        var position = 0
        while position < descriptor.count {
            let prefix = descriptor[position]
            let width = [0, 1, 2, 4][Int(prefix & 3)]
            guard position + width < descriptor.count else { return nil }
            var value = 0
            for index in 0..<width { value |= Int(descriptor[position + 1 + index]) << (8 * index) }
            position += 1 + width
            switch prefix & 0xFC {
            case 0x74: size = value
            case 0x94: count = value
            case 0x80: bits.input += size * count
            case 0x90: bits.output += size * count
            case 0xB0: bits.feature += size * count
            default: break
            }
        }
        self.init(input: bits.input / 8, output: bits.output / 8, feature: bits.feature / 8)
    }
}
