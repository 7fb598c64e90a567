import CardData
import ReaderProtocols

/// Replaces secrets in what swipe readers send, in place: lengths stay, checks are made anew where
/// they were right.
enum SwipeRedaction {
    // MARK: MagneSafe

    /// One whole report of 856 or 887 bytes.
    ///
    /// Source: MagneSafe V5 Communication Reference Manual 99875475, HID report usages.
    ///
    /// - Returns: Whether it was one.
    static func report(
        _ bytes: inout [UInt8],
        in range: Range<Int>,
        _ standIns: inout StandIns
    ) -> Bool {
        guard
            range.count == MagneSafeReportLayout.byteCount
                || range.count == MagneSafeReportLayout.olderByteCount
        else { return false }
        let serial = range.lowerBound + 477..<range.lowerBound + 493
        bytes.replaceSubrange(serial, with: standIns.serial(bytes[serial]))
        let masked = range.lowerBound + 508..<range.lowerBound + 844
        _ = StripeRedaction.redact(&bytes, in: masked, &standIns)
        return true
    }

    /// The text of a stream reader: each message between fillers.
    ///
    /// - Returns: The ranges that are no whole message.
    static func stream(_ bytes: inout [UInt8], _ standIns: inout StandIns) -> [Range<Int>] {
        var loose: [Range<Int>] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0 == 0x0D || $0 == 0x78 } ?? bytes.count
            if start < end {
                // The beginning of what stands before a fill may be the rest of another message.
                let begin = (start..<end).first { place in
                    let isBegin = place == start || bytes[place] == UInt8(ascii: "%")
                    return isBegin && message(&bytes, place..<end, &standIns)
                }
                if begin != start { loose.append(start..<(begin ?? end)) }
            }
            start = end + 1
        }
        return loose
    }

    private static func message(
        _ bytes: inout [UInt8],
        _ range: Range<Int>,
        _ standIns: inout StandIns
    ) -> Bool {
        let bars = range.filter { bytes[$0] == UInt8(ascii: "|") }
        guard 10...13 ~= bars.count else { return false }
        // The checksum is the third field from the end.
        let check = bars[bars.count - 3] + 1..<bars[bars.count - 2]
        let wasRight =
            check.count == 4 && Array(bytes[check]) == checksum(bytes, range.lowerBound, check)
        guard wasRight else { return false }
        _ = StripeRedaction.redact(&bytes, in: range.lowerBound..<bars[0], &standIns)
        let isShort = bars.count < 12
        let index = isShort ? 4 : 6
        let serial = bars[index] + 1..<bars[index + 1]
        bytes.replaceSubrange(serial, with: standIns.serial(bytes[serial]))
        bytes.replaceSubrange(check, with: checksum(bytes, range.lowerBound, check))
        return true
    }

    private static func checksum(_ bytes: [UInt8], _ start: Int, _ field: Range<Int>) -> [UInt8] {
        let crc = CRC16.checksum(of: bytes, in: start..<field.lowerBound)
        return Array(Hexadecimal.encode([UInt8(crc & 0xFF), UInt8(crc >> 8)]).utf8)
    }

    // MARK: ID TECH and IPS

    /// Records of ID TECH wherever they stand.
    ///
    /// - Returns: The ranges between them.
    static func idTech(_ bytes: inout [UInt8], _ standIns: inout StandIns) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        var loose = 0
        while index < bytes.count {
            guard let end = recordEnd(bytes, index) else {
                index += 1
                continue
            }
            if loose < index { ranges.append(loose..<index) }
            record(&bytes, index..<end, &standIns)
            index = end
            loose = end
        }
        if loose < bytes.count { ranges.append(loose..<bytes.count) }
        return ranges
    }

    /// Where a record with right checks ends that begins here.
    private static func recordEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
        guard bytes[start] == IDTechLayout.start, start + 11 <= bytes.count else { return nil }
        let count = IDTechLayout.dataByteCount(bytes, from: start)
        let end = start + 3 + count
        guard count >= 5, end + 3 <= bytes.count, bytes[end + 2] == IDTechLayout.end else {
            return nil
        }
        let (lrc, sum) = IDTechRecord.checks(bytes[start + 3..<end])
        return bytes[end] == lrc && bytes[end + 1] == sum ? end + 3 : nil
    }

    private static func record(
        _ bytes: inout [UInt8],
        _ range: Range<Int>,
        _ standIns: inout StandIns
    ) {
        if let layout = try? IDTechLayout(Array(bytes[range])) {
            for field in layout.fields {
                let place =
                    range.lowerBound + field.range.lowerBound..<range.lowerBound
                    + field.range.upperBound
                switch field.content {
                case .masked: _ = StripeRedaction.redact(&bytes, in: place, &standIns)
                case .serial:
                    bytes.replaceSubrange(place, with: standIns.serial(bytes[place]))
                default: break
                }
            }
        } else {
            _ = StripeRedaction.redact(&bytes, in: range, &standIns)
        }
        let data = range.lowerBound + 3..<range.upperBound - 3
        let (lrc, sum) = IDTechRecord.checks(bytes[data])
        bytes[data.upperBound] = lrc
        bytes[data.upperBound + 1] = sum
    }

    /// A packet of an IPS: the name stands in clear.
    static func ips(_ bytes: inout [UInt8], in range: Range<Int>, _ standIns: inout StandIns) {
        let name = range.lowerBound + 12..<range.lowerBound + 38
        bytes.replaceSubrange(name, with: standIns.name(bytes[name]))
    }
}
