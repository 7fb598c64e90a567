import CardData
import ReaderProtocols

/// Replaces secrets in a direction of a Miura link, in place: lengths stay, each LRC is made anew.
enum MiuraRedaction {
    private struct Frame {
        var start: Int
        var byteCount: Int
    }

    /// Replaces what is secret in whole frames.
    ///
    /// - Returns: The ranges between them, which are no frames.
    static func redact(
        _ bytes: inout [UInt8],
        isFromReader: Bool,
        _ standIns: inout StandIns
    ) -> [Range<Int>] {
        var loose: [Range<Int>] = []
        var looseStart = 0
        var chains: [[Frame]] = [[], [], [], []]
        var index = 0
        while index < bytes.count {
            guard let frame = frame(in: bytes, at: index) else {
                index += 1
                continue
            }
            if looseStart < index { loose.append(looseStart..<index) }
            looseStart = index + frame.byteCount
            let control = bytes[index + 1]
            let lane = Int(bytes[index] - 1) * 2 + (control & 0x40 == 0 ? 0 : 1)
            chains[lane].append(frame)
            if control & 1 == 0 {
                redact(&bytes, chains[lane], isFromReader, &standIns)
                chains[lane] = []
            }
            index += frame.byteCount
        }
        for chain in chains where !chain.isEmpty {
            redact(&bytes, chain, isFromReader, &standIns)
        }
        if looseStart < bytes.count { loose.append(looseStart..<bytes.count) }
        return loose
    }

    /// The frame at a position, when one with a right LRC stands there.
    private static func frame(in bytes: [UInt8], at start: Int) -> Frame? {
        guard start + 4 < bytes.count, 1...2 ~= bytes[start], bytes[start + 1] & ~0x41 == 0,
            2...254 ~= bytes[start + 2]
        else { return nil }
        let count = Int(bytes[start + 2]) + 4
        guard start + count <= bytes.count,
            bytes[start..<start + count].reduce(0, ^) == 0
        else { return nil }
        return Frame(start: start, byteCount: count)
    }

    private static func redact(
        _ bytes: inout [UInt8],
        _ frames: [Frame],
        _ isFromReader: Bool,
        _ standIns: inout StandIns
    ) {
        var payload: [UInt8] = []
        for frame in frames {
            payload += bytes[frame.start + 3..<frame.start + frame.byteCount - 1]
        }
        let before = payload
        if isFromReader {
            objects(&payload, 0..<max(0, payload.count - 2), depth: 0, &standIns)
        } else {
            redactCommand(&payload, &standIns)
        }
        guard payload != before else { return }
        var start = 0
        for frame in frames {
            let count = frame.byteCount - 4
            let place = frame.start + 3
            bytes.replaceSubrange(place..<place + count, with: payload[start..<start + count])
            let lrc = bytes[frame.start..<place + count].reduce(0, ^)
            bytes[place + count] = lrc
            start += count
        }
    }

    private static func redactCommand(_ payload: inout [UInt8], _ standIns: inout StandIns) {
        guard payload.count > 5 else { return }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        let isKeys =
            code == MiuraCommandName.p2peImport.rawValue
            || code == MiuraCommandName.voltageKeyChange.rawValue
        // An extended length is three bytes, the first of them zero.
        let head = payload[4] == 0 && payload.count > 7 ? 7 : 5
        if isKeys {
            for index in head..<payload.count { payload[index] = 0 }
        } else {
            objects(&payload, head..<payload.count, depth: 0, &standIns)
        }
    }

    /// BER-TLV objects; what is none is swept for what is in clear.
    private static func objects(
        _ bytes: inout [UInt8],
        _ range: Range<Int>,
        depth: Int,
        _ standIns: inout StandIns
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard let object = object(in: bytes, at: index, range.upperBound) else {
                _ = StripeRedaction.redact(&bytes, in: index..<range.upperBound, &standIns)
                return
            }
            if object.tag.isConstructed, depth < 8 {
                objects(&bytes, object.value, depth: depth + 1, &standIns)
            } else {
                replace(&bytes, object.tag, object.value, &standIns)
            }
            index = object.value.upperBound
        }
    }

    private static func object(
        in bytes: [UInt8],
        at start: Int,
        _ limit: Int
    ) -> (tag: TLVTag, value: Range<Int>)? {
        var index = start
        var number = UInt32(bytes[index])
        index += 1
        if number & 0x1F == 0x1F {
            var count = 1
            while true {
                guard index < limit, count < TLVTag.maximumByteCount else { return nil }
                number = number << 8 | UInt32(bytes[index])
                count += 1
                index += 1
                if bytes[index - 1] & 0x80 == 0 { break }
            }
        }
        guard index < limit else { return nil }
        var count = Int(bytes[index])
        index += 1
        if count & 0x80 != 0 {
            let width = count & 0x7F
            guard 1...3 ~= width, index + width <= limit else { return nil }
            count = bytes[index..<index + width].reduce(0) { $0 << 8 | Int($1) }
            index += width
        }
        guard index + count <= limit else { return nil }
        return (TLVTag(number), index..<index + count)
    }

    /// What is no frame, such as a damaged one: names by their tag, the rest swept.
    static func redactLoose(
        _ bytes: inout [UInt8],
        in range: Range<Int>,
        _ standIns: inout StandIns
    ) {
        guard range.count > 3 else { return }
        for index in range.lowerBound..<range.upperBound - 3
        where bytes[index] == 0x5F && bytes[index + 1] == 0x20 && bytes[index + 2] <= 26 {
            let end = min(range.upperBound, index + 3 + Int(bytes[index + 2]))
            let name = standIns.name(bytes[index + 3..<end])
            bytes.replaceSubrange(index + 3..<end, with: name)
        }
    }

    private static func replace(
        _ bytes: inout [UInt8],
        _ tag: TLVTag,
        _ value: Range<Int>,
        _ standIns: inout StandIns
    ) {
        switch tag {
        case .cardholderName:
            bytes.replaceSubrange(value, with: standIns.name(bytes[value]))
            return
        case .serialNumber, .identifier:
            guard isSerial(bytes[value]) else { break }
            bytes.replaceSubrange(value, with: standIns.serial(bytes[value]))
            return
        case .onlinePINBlock:
            standIns.note(Array(bytes[value]))
            for index in value { bytes[index] = 0 }
            return
        case .numericData:
            for index in value where 0x31...0x39 ~= bytes[index] { bytes[index] = 0x30 }
            return
        default: break
        }
        switch tag.secrecy {
        case .cardNumber: halfBytes(&bytes, value, &standIns)
        case .binaryTrack: halfBytes(&bytes, value, &standIns)
        case .track, .text, .unknown:
            _ = StripeRedaction.redact(&bytes, in: value, &standIns)
        case .open, .hidden: break
        }
    }

    /// A serial number has no blank and at least six digits; software has names.
    private static func isSerial(_ text: ArraySlice<UInt8>) -> Bool {
        text.count { 0x30...0x39 ~= $0 } >= 6 && !text.contains(0x2D) && !text.contains(0x20)
    }

    /// A card number, or track 2, with two digits in a byte: `D` parts, `F` fills up.
    private static func halfBytes(
        _ bytes: inout [UInt8],
        _ range: Range<Int>,
        _ standIns: inout StandIns
    ) {
        var halves: [UInt8] = []
        for index in range { halves += [bytes[index] >> 4, bytes[index] & 15] }
        let end = halves.firstIndex { $0 > 9 } ?? halves.count
        // An odd number may be filled up in front.
        let start = end > 12 && end % 2 == 0 && halves[0] == 0 ? 1 : 0
        let number = halves[start..<end].map { $0 + 0x30 }
        if let standIn = standIns.cardNumber(number[...]) {
            for (offset, digit) in standIn.enumerated() { halves[start + offset] = digit - 0x30 }
        }
        if end < halves.count, halves[end] == 0xD {
            let rest = min(halves.count, end + 8)..<halves.count
            let own = halves[rest].filter { $0 <= 9 }.map { $0 + 0x30 }
            if own.count(where: { $0 != 0x30 }) > 3 { standIns.note(own) }
            for index in rest where halves[index] <= 9 { halves[index] = 0 }
        }
        for (offset, index) in range.enumerated() {
            bytes[index] = halves[2 * offset] << 4 | halves[2 * offset + 1]
        }
    }
}
